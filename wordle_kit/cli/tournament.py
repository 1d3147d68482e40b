"""`wordle-kit tournament`: play strategies on identical puzzles and show the leaderboard."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.commands import added
from wordle_kit.cli.output import note, say

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.leaderboard import Leaderboard


@values.grouped
def tournament(
    game: options.GameOption = "wordle",
    strategy: options.StrategiesOption = None,
    which: values.MayIsolate = values.NOT_ISOLATED,
    what: values.WhatToPlay = values.ALL_PUZZLES,
    how: values.HowToPlay = values.USUALLY,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    columns: options.ColumnsOption = None,
    leaderboard: Annotated[
        Path | None,
        options.output(metavar="DIR", help="Also write the leaderboard as Markdown and JSON."),
    ] = None,
    transcripts: options.TranscriptsOption = None,
    dask: Annotated[
        str | None,
        options.advanced(metavar="ADDRESS|local:N", help="Play on this Dask cluster, or on N local workers."),
    ] = None,
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
    board = how.play(played, strategy, what.load_puzzles(played, how.seed, plugins), plugins, dask)
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
