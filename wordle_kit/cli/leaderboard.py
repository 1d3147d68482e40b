"""`wordle-kit leaderboard`: show stored leaderboards."""

from typing import Annotated

from wordle_kit.cli import load, options
from wordle_kit.cli.output import chosen_columns, show_results
from wordle_kit.tournaments.runs import CONFIDENCE


def leaderboard(
    game: options.StoredGameOption = None,
    strategy: options.StoredStrategiesOption = None,
    puzzles: options.StoredPuzzlesOption = None,
    seed: options.StoredSeedOption = 0,
    hard: options.StoredModeOption = None,
    boards: options.StoredBoardsOption = None,
    form: Annotated[
        str | None,
        options.output(
            "--format",
            metavar="FORMAT",
            help="table, json, csv, or another format.",
            show_default="table; nothing is printed with --output",
            autocompletion=options.complete("formats"),
        ),
    ] = None,
    columns: options.ColumnsOption = None,
    output: options.FilesOption = None,
    plugin: options.PluginsOption = None,
    repeats: options.RepeatsOption = False,
    confidence: options.ConfidenceOption = CONFIDENCE,
    store: options.StoreOption = None,
) -> None:
    """Show the leaderboards of all stored tournaments.

    The latest leaderboard comes last. JSON is a list of leaderboards; CSV and Parquet files have a row for each
    strategy of each leaderboard. An HTML page shows one leaderboard, chosen with the options, and lets you sort and
    compare strategies and replay puzzles. It works offline, but reveals the hidden words.

    For example:
        wordle-kit leaderboard -g wordle --no-hard
        wordle-kit leaderboard -g wordle --no-hard -o wordle.html
        wordle-kit leaderboard -o results.parquet
    """
    from wordle_kit.leaderboard.leaderboard import content_of_leaderboards
    from wordle_kit.leaderboard.stored import read_leaderboards

    plugins = load.plugins(plugin)
    files = {path: plugins.find_format(path, leaderboards=True) for path in output or ()}
    shown = chosen_columns(columns, plugins)
    printed = None if files and form is None else plugins.find_format(form or "table", leaderboards=True)
    found = read_leaderboards(
        load.store_path(store),
        game,
        puzzles,
        seed=seed,
        repeats=repeats,
        hard_mode=hard,
        boards=boards,
        strategies=strategy or (),
        confidence=confidence,
        plugins=plugins,
    )
    show_results(lambda form: content_of_leaderboards(found, form, shown), printed, files)
