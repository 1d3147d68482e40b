"""`wordle-kit tournament`: play strategies on identical puzzles and show the leaderboard."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import options, panels, values
from wordle_kit.cli.commands import added
from wordle_kit.cli.output import note, say, tell

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.plugins import Plugins
    from wordle_kit.strategy.strategy import Strategy


@values.grouped
def tournament(
    game: options.GameOption = "wordle",
    strategy: options.StrategiesOption = None,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
    what: values.WhatToPlay = values.ALL_PUZZLES,
    how: values.HowToPlay = values.USUALLY,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    columns: options.ColumnsOption = None,
    leaderboard: Annotated[
        Path | None,
        panels.output(metavar="DIR", help="Also write the leaderboard as Markdown and JSON."),
    ] = None,
    transcripts: options.TranscriptsOption = None,
    traceback: options.TracebackOption = False,
) -> None:
    """Play strategies on identical puzzles and show the leaderboard.

    For example:
        wordle-kit tournament -p my_idea.py --puzzles 200 --seed 7 --csv -s "my-idea(depth=0..5)"
    """
    from wordle_kit.api import find_host
    from wordle_kit.errors import WordleKitError
    from wordle_kit.leaderboard.plays import write_transcripts
    from wordle_kit.tournaments.host import HIDDEN

    form, shown = values.table_format(format), values.columns(columns)
    write_report: Callable[[Leaderboard, Game, str | None], None] | None = added("--report")
    plugins = what.load_plugins(which)
    host = find_host(what.host, plugins)
    if write_report is not None and host.name != HIDDEN.name:
        raise WordleKitError(
            f"--report shows hidden words, and {host.called} answers here; use --format or --leaderboard"
        )
    played = what.load_game(game, plugins)
    board = how.play(played, strategy, what.load_puzzles(played, how.seed, plugins), plugins)
    if strategy is None:
        _say_left_out(board, plugins)
    if traceback:
        _show_tracebacks(board, played, strategy, plugins, how.deadline)
    if transcripts is not None:
        write_transcripts(transcripts, board.runs)
    if write_report is not None:
        write_report(board, played, game if game.endswith(".toml") else None)
    if leaderboard is not None:
        for path in board.write(leaderboard):
            note(f"wrote {path}")
    say(board.table(form, shown), nl=False)


def _say_left_out(board: "Leaderboard", plugins: "Plugins") -> None:
    """Write a line on standard error that names the strategies that did not play, and why."""
    by_name = [name for name, entry in sorted(plugins.strategies.items()) if entry.value.by_name_only]
    named = [f"{', '.join(by_name)} (played only if named: -s NAME)"] if by_name else []
    if named or board.left_out:
        note(f"left out: {'; '.join([*named, *board.left_out])}")


def _show_tracebacks(
    board: "Leaderboard", game: "Game", wanted: list[str] | None, plugins: "Plugins", deadline: float
) -> None:
    """For each strategy that crashed, replay its first such puzzle in another process and show the traceback."""
    from concurrent.futures.process import BrokenProcessPool

    from wordle_kit.plugin_modules import finding_files
    from wordle_kit.tournaments.entrants import enter
    from wordle_kit.tournaments.outcome import Outcome
    from wordle_kit.workers import Workers

    entrants = {entrant.label: entrant.strategy for entrant in enter(wanted, game, plugins)[0]}
    for run in board.runs:
        name = run.facts.strategy
        crashed = next((play for play in run.plays if play.outcome is Outcome.CRASHED), None)
        if crashed is None or name not in entrants:
            continue
        note(f"{name} on {', '.join(crashed.puzzle)}:")
        with Workers(1, afresh=(finding_files(),)) as workers:
            try:
                raised = workers.submit(
                    _raised, entrants[name], game, crashed.puzzle, run.facts.seed, deadline
                ).result()
            except BrokenProcessPool:
                raised = "its process died without a traceback\n"
        tell(raised or "it did not crash this time\n")


def _raised(strategy: "Strategy", game: "Game", puzzle: tuple[str, ...], seed: int, deadline: float) -> str:
    """Write a line on standard error that names the strategies that did not play, and why."""
    from wordle_kit.api import play
    from wordle_kit.faults import listening

    heard: list[str] = []
    with listening(heard.append):
        play(strategy, game, [puzzle], seed=seed, deadline=deadline)
    return heard[0] if heard else ""
