"""`wordle-kit tournament`: play strategies on identical puzzles and show the leaderboard."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.commands import added
from wordle_kit.cli.output import note, say, tell

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.plugins import Plugins
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tournaments.chance import Chance
    from wordle_kit.tournaments.runs import Play


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
        options.output(metavar="DIR", help="Also write the leaderboard as Markdown and JSON."),
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

    write_report: Callable[[Leaderboard, Game, str | None], None] | None = added("--report")
    plugins = what.load_plugins(which)
    form, shown = values.table_format(format, plugins), values.columns(columns, plugins)
    host = find_host(what.host, plugins)
    if write_report is not None and host.name != HIDDEN.name:
        raise WordleKitError(
            f"--report shows hidden words, and {host.called} answers here; use --format or --leaderboard"
        )
    played = what.load_game(game, plugins)
    board = how.play(played, strategy, what.load_puzzles(played, how.seed, plugins), plugins)
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
    by_name = sum(entry.value.by_name_only for entry in plugins.strategies.values())
    if strategy is None and by_name:
        note(f"{len(board.runs)} of {len(plugins.strategies)} strategies played; {by_name} more play if named: -s NAME")


def _show_tracebacks(
    board: "Leaderboard", game: "Game", wanted: list[str] | None, plugins: "Plugins", deadline: float
) -> None:
    """For each strategy that crashed, have it decide again where it first crashed, and show the traceback."""
    from concurrent.futures.process import BrokenProcessPool

    from wordle_kit.plugin_modules import finding_files
    from wordle_kit.tournaments.chance import Chance
    from wordle_kit.tournaments.entrants import enter
    from wordle_kit.tournaments.runs import Outcome
    from wordle_kit.workers import Workers

    entrants = {entrant.label: entrant.strategy for entrant in enter(wanted, game, plugins)[0]}
    for run in board.runs:
        name = run.facts.strategy
        number = next((number for number, play in enumerate(run.plays) if play.outcome is Outcome.CRASHED), None)
        if number is None or name not in entrants:
            continue
        play, chance = run.plays[number], Chance(run.facts.seed, run.facts.secret)
        note(f"{name} on {', '.join(play.puzzle)}:")
        with Workers(1, afresh=(finding_files(),)) as workers:
            try:
                raised = workers.submit(_raised, entrants[name], game, play, number, chance, deadline).result()
            except BrokenProcessPool:
                raised = "its process died without a traceback\n"
        tell(raised or "it did not crash this time\n")


def _raised(strategy: "Strategy", game: "Game", play: "Play", number: int, chance: "Chance", deadline: float) -> str:
    """Return the traceback of a strategy that decides again where it crashed in a play, or "" if it does not crash.

    `number` is the number of the play within its run, and `chance` the source of the run's random numbers.
    """
    from wordle_kit.faults import listening
    from wordle_kit.strategy.position import Position
    from wordle_kit.tournaments.referee import Referee

    position = Position.start(game)
    for guess, seen in zip(play.guesses, play.feedback, strict=True):
        position = position.after(guess, seen)
    heard: list[str] = []
    with listening(heard.append):
        Referee(game, strategy, chance.key, deadline).decide(position, number)
    return heard[0] if heard else ""
