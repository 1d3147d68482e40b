"""The options that several commands share, and what they stand for."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli.output import note, tell

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.isolation.isolation import Isolation
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.leaderboard.tables import Format
    from wordle_kit.plugins import Plugins
    from wordle_kit.strategy.position import Board
    from wordle_kit.tournaments.puzzles import Puzzles
    from wordle_kit.tournaments.runner import Progress

STORE_VARIABLE = "WORDLE_KIT_STORE"
EXACT_VARIABLE = "WORDLE_KIT_EXACT"

REAL_GAME = "wordle"
"""The game that is nearest to the one that people play elsewhere."""

GameOption = Annotated[str, typer.Option("--game", "-g", metavar="NAME|FILE", help="A game by name, or a TOML file.")]
StrategiesOption = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="SPEC", help="A strategy: name or name(parameter=value). Repeatable."),
]
PluginsOption = Annotated[
    list[str] | None,
    typer.Option("--plugin", "-p", metavar="FILE|MODULE|no:NAME", help="Load a plugin, or switch one off. Repeatable."),
]
PluginsDirOption = Annotated[
    list[Path] | None,
    typer.Option("--plugins-dir", metavar="DIR", help="Load every plugin file in a folder. Repeatable."),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Stop if any plugin fails to load.")]
PuzzlesOption = Annotated[
    str | None,
    typer.Option(
        metavar="all|N|FILE",
        help="All answers, a number drawn by the seed, or a file. [default: all; 1000 on several boards]",
        show_default=False,
    ),
]
RepeatsOption = Annotated[
    bool, typer.Option("--repeats", help="Let boards of a puzzle that is drawn have the same word.")
]
BoardsOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Play on so many boards at once. [default: the game's]", show_default=False),
]
TranscriptsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write what was played here, a line a puzzle.", show_default=False),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        help="Seed for drawing puzzles, and for random strategies that are not isolated. [default: 0; for strategies, "
        "a secret]",
        show_default=False,
    ),
]
SecretOption = Annotated[
    str | None,
    typer.Option(
        metavar="HEX", help="Repeat the random numbers of a leaderboard that names this secret.", show_default=False
    ),
]
AfterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--after",
        metavar="GUESS=FEEDBACK",
        help="A guess made before, with its feedback in digits, letters or tiles. Repeatable.",
    ),
]
WorkersOption = Annotated[
    int | None, typer.Option(metavar="N", help="Worker processes. [default: one a core]", show_default=False)
]
HostOption = Annotated[
    str,
    typer.Option(
        metavar="hidden|adversary",
        help="What answers guesses: hidden words, or an adversary who hides none and keeps as many as it can.",
    ),
]
HardOption = Annotated[bool, typer.Option("--hard", help="Play in hard mode: what was found must be used.")]
FormatOption = Annotated[str, typer.Option(metavar="FORMAT", help="table, json, csv, markdown, latex or html.")]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,...",
        help="The columns of the table, such as mean,median,excellent,failure,openers,slowest; all has every one.",
        show_default=False,
    ),
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=f"Where results are kept. [default: {STORE_VARIABLE}, or the user's data folder]",
        show_default=False,
    ),
]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Play again what is stored.")]
KeepTimeoutsOption = Annotated[
    bool, typer.Option("--keep-timeouts", help="Do not play again what timed out or lost its process.")
]
SampleOption = Annotated[
    bool, typer.Option("--sample", help="The puzzles of the file are a random sample: show confidence intervals.")
]
DeadlineOption = Annotated[float, typer.Option(metavar="SECONDS", help="Seconds that a strategy has for a decision.")]
IsolateOption = Annotated[
    bool, typer.Option("--isolate", help="Play each strategy in a process of its own, which never has the puzzles.")
]
SandboxOption = Annotated[
    str,
    typer.Option(
        metavar="LEVEL", help="With --isolate: auto, required (bubblewrap or nothing), or plain, also called none."
    ),
]
LimitsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=VALUE",
        help="With --isolate: start, cpu, memory, processes, files, written, printed or restarts. Repeatable.",
    ),
]
TracebackOption = Annotated[
    bool, typer.Option("--traceback", help="Show the whole traceback of what a strategy raises.")
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        metavar="MB",
        help="Memory for the feedback table; a larger one is computed in parts. [default: 256]",
        show_default=False,
    ),
]


def columns(names: str | None) -> tuple[str, ...] | None:
    """Return the columns that were asked for; None, or those that can be shown, are the usual ones."""
    from wordle_kit.leaderboard.bars import HEIGHTS
    from wordle_kit.leaderboard.columns import BARS, USUAL, check_columns

    if names is not None:
        return check_columns([name.strip() for name in names.split(",") if name.strip()])
    try:
        HEIGHTS.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return tuple(name for name in USUAL if name != BARS)
    return None


def words_left(board: "Board", few: int) -> str:
    """Return how many words are left on a board, and some of them, in a sentence."""
    some = ", ".join(board.words[:few]) + (", ..." if len(board) > few else "")
    return f"{len(board):,} word{'s are' if len(board) > 1 else ' is'} left: {some}"


def table_format(name: str) -> "Format":
    """Return the format that was asked for."""
    from wordle_kit.leaderboard.tables import check_format

    return check_format(name)


def quiet() -> AbstractContextManager[object]:
    """Return a context in which what other people's code prints goes to standard error, away from the results."""
    return redirect_stdout(sys.stderr)


def isolation(isolate: bool, sandbox: str, limits: list[str] | None) -> "Isolation | None":
    """Return how strategies are to be isolated, or None where they are not."""
    from wordle_kit.errors import WordleKitError
    from wordle_kit.isolation.isolation import Isolation

    if isolate:
        return Isolation.read(sandbox, limits or ())
    if limits or sandbox != "auto":
        raise WordleKitError("--sandbox and --limit are for strategies in processes of their own; add --isolate")
    return None


@contextmanager
def tracebacks(wanted: bool) -> Iterator[None]:
    """Show each different traceback of other people's code once on standard error, if that is wanted."""
    from wordle_kit.faults import listening

    seen: set[str] = set()

    def show(text: str) -> None:
        if text not in seen:
            tell(text)
        seen.add(text)

    with listening(show) if wanted else nullcontext():
        yield


def load_plugins(
    plugins: list[str] | None, folders: list[Path] | None, strict: bool, isolation: "Isolation | None" = None
) -> "Plugins":
    """Return the plugins that these options ask for, after a line on standard error for each that is not used.

    Raises PluginError if one that --plugin names fails.
    """
    from wordle_kit.errors import PluginError
    from wordle_kit.plugins import Plugins

    with quiet():
        loaded = Plugins.load(plugins or (), folders or (), strict=strict, isolation=isolation)
        if isolation is not None:
            warn_of_no_sandbox(isolation)
    for line in loaded.replaced:
        note(line)
    for failure in loaded.failures:
        if failure.named:
            raise PluginError(str(failure))
        note(f"left out: {failure}")
    return loaded


def warn_of_no_sandbox(isolation: "Isolation") -> None:
    """Say on standard error where a sandbox was welcome and there is none, or only a part of it."""
    from wordle_kit.isolation.sandbox import warning

    said = warning(isolation)
    if said is not None:
        note(said)


def load_game(
    name: str, plugins: "Plugins", hard: bool = False, memory: int | None = None, boards: int | None = None
) -> "Game":
    """Return the game that these options ask for."""
    from wordle_kit.api import load_game
    from wordle_kit.errors import GameError

    game = load_game(name, plugins)
    if hard and not game.hard_mode:
        game = game.replace(hard_mode=True)
    if boards is not None and boards != game.boards:
        allowed = max(1, game.max_guesses + boards - game.boards)
        game = game.replace(name=f"{game.name}-x{boards}", boards=boards, max_guesses=allowed)
    if memory is not None:
        if memory < 1:
            raise GameError(f"--memory is {memory}; give the feedback table at least 1 MB")
        game = game.replace(memory=memory * 2**20)
    return game


def load_puzzles(
    game: "Game", source: str | None, seed: int | None, repeats: bool, is_sample: bool = False
) -> "Puzzles":
    """Return the puzzles that these options ask for."""
    from wordle_kit.api import load_puzzles

    return load_puzzles(game, source, seed or 0, repeats=repeats, is_sample=is_sample)


def write_transcripts(path: Path | None, leaderboard: "Leaderboard") -> None:
    """Write what was played to a file, if that was asked for."""
    if path is not None:
        from wordle_kit.leaderboard.transcripts import write_transcripts

        write_transcripts(path, leaderboard.runs)


def store_path(path: Path | None) -> Path:
    """Return the file of the store: the one given, that of the environment, or the one in the user's data folder."""
    if path is not None:
        return path
    if os.environ.get(STORE_VARIABLE):
        return Path(os.environ[STORE_VARIABLE])
    import platformdirs

    return platformdirs.user_data_path("wordle-kit", appauthor=False) / "results.sqlite"


def exact_path(path: Path | None) -> Path:
    """Return the file of long searches: the one given, that of the environment, or the one beside the store."""
    if path is not None:
        return path
    if os.environ.get(EXACT_VARIABLE):
        return Path(os.environ[EXACT_VARIABLE])
    return store_path(None).with_name("searches.sqlite")


def worker_count(workers: int | None) -> int:
    """Return how many worker processes were asked for, by default one a core."""
    return workers if workers is not None else len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


@contextmanager
def progress_bar(doing: str = "playing") -> "Iterator[Progress | None]":
    """Give what shows progress on a terminal; on anything else nothing is shown."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Without a thread that refreshes it, since worker processes are forked while it is shown.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(doing)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, refresh=True)

        yield show
