"""`wordle-kit report`: write a stored leaderboard as a web page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import completion, options, panels, values
from wordle_kit.cli.output import note

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.tournaments.runs import RunFacts


def report(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File of the page.")] = Path(
        "report.html"
    ),
    game: Annotated[
        str | None,
        panels.played(
            "--game",
            "-g",
            metavar="NAME|FILE",
            help="Only this game. [default: the game played last]",
            autocompletion=completion.games,
        ),
    ] = None,
    strategy: options.NamesOption = None,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
    puzzles: Annotated[
        str | None,
        panels.played(metavar="all|N|FILE", help="Only these puzzles. [default: those played last]"),
    ] = None,
    seed: options.SeedOption = None,
    repeats: options.RepeatsOption = False,
    hard: Annotated[
        bool | None,
        panels.played("--hard/--no-hard", help="Only with, or only without, hard mode. [default: either]"),
    ] = None,
    store: options.StoreOption = None,
) -> None:
    """Write a leaderboard as one HTML page.

    The page sorts and filters the leaderboard, compares strategies, replays puzzles and unfolds decision trees. It
    works without a server or a network. It shows the hidden words.

    For example:
        wordle-kit report -o report.html
        wordle-kit report -g mastermind -s minimax -s entropy
    """
    from wordle_kit.errors import StoreError, WordleKitError
    from wordle_kit.leaderboard.stored import StoredRuns, as_played, choose_runs, names_of
    from wordle_kit.pages.html import write_page
    from wordle_kit.report.page import page_of
    from wordle_kit.tournaments.store import Store

    plugins = values.load_plugins(plugin, plugins_dir, strict)
    path = values.store_path(store)
    if not path.is_file():
        raise StoreError(f"{path}: does not exist yet; play a tournament first")
    if puzzles is not None and game is None:
        raise WordleKitError("--puzzles needs the game; add --game")
    file = values.load_game(game, plugins) if game is not None and game.endswith(".toml") else None

    def at_hand(facts: "RunFacts") -> "Game | None":
        """Return the game of a run if --game gives it, or if it is registered and has not changed since."""
        names = [name for name in names_of(facts) if name in plugins.games]
        known = [file] if file is not None else [values.load_game(name, plugins) for name in names]
        return next((same for one in known if (same := as_played(one, facts)) is not None), None)

    def wanted(facts: "RunFacts") -> bool:
        if (hard is not None and hard != facts.hard_mode) or (game is not None and file is None and game != facts.game):
            return False
        played = at_hand(facts) if file is not None or puzzles is not None else None
        if played is None or puzzles is None:
            return played is not None or (file is None and puzzles is None)
        return values.load_puzzles(played, puzzles, seed, repeats).fingerprint == facts.puzzles_fingerprint

    with Store(path, plugins.aliases) as results, results.snapshot():
        runs = choose_runs(results, wanted, strategy or ())
        facts = next(iter(runs.values()))
        played = at_hand(facts)
        html = page_of(StoredRuns(results, list(runs)), played, source=game if file is not None else None)
    write_page(output, html)
    if played is None:
        note(
            f"{facts.game} is not registered, or has changed since it was played, so the page has no tiles; "
            "name its file with --game"
        )
    count = f"{len(runs)} {'strategy' if len(runs) == 1 else 'strategies'}"
    note(f"wrote {output}: {facts.game}, {facts.puzzles}, {count}, {len(html.encode()) / 1e6:.2f} MB")
