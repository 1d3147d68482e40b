"""`wordle-kit tournament`: play strategies on identical puzzles and show the leaderboard."""

from dataclasses import replace
from typing import Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, show_results


@values.grouped
def tournament(
    game: options.GameOption = "wordle",
    strategy: options.StrategiesOption = None,
    which: values.MayIsolate = values.NOT_ISOLATED,
    what: values.WhatToPlay = values.ALL_PUZZLES,
    how: values.HowToPlay = values.USUALLY,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    columns: options.ColumnsOption = None,
    output: options.FilesOption = None,
    transcripts: options.TranscriptsOption = None,
    dask: Annotated[
        str | None,
        options.advanced(metavar="ADDRESS|local:N", help="Play on this Dask cluster, or on N local workers."),
    ] = None,
) -> None:
    """Play strategies on identical puzzles and show the leaderboard.

    For example:
        wordle-kit tournament -p my_idea.py --puzzles 200 --seed 7 --format csv -s "my-idea(depth=0..5)"
        wordle-kit tournament -g mastermind -o mastermind.html -o mastermind.md
    """
    from wordle_kit.leaderboard.plays import write_transcripts

    plugins = what.load_plugins(which)
    form, files = (
        values.table_format(format, plugins, leaderboards=True),
        values.file_formats(output, plugins, leaderboards=True),
    )
    shown = values.columns(columns, plugins)
    played = what.load_game(game, plugins)
    board = how.play(played, strategy, what.load_puzzles(played, how.seed, plugins), plugins, dask)
    board = replace(board, game_file=game if game.endswith(".toml") else None)
    if transcripts is not None:
        write_transcripts(transcripts, board.runs)
    values.write_results(files, lambda form: board.content(form, shown))
    show_results(board.content(form, shown))
    if strategy is None:
        note(f"{len(board.runs)} of {len(plugins.strategies)} strategies played; -s '*' plays all")
    values.end_if_broken(board)
