"""`wordle-kit leaderboard`: show stored leaderboards."""

from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.output import show_results

if TYPE_CHECKING:
    from wordle_kit.tables import Format


@values.grouped
def leaderboard(
    choice: values.WhichLeaderboards,
    format: Annotated[  # noqa: A002 - the option's name
        str | None,
        options.output(
            metavar="FORMAT",
            help="table, json, csv, or another format.",
            show_default="table; nothing is printed with --output",
            autocompletion=options.complete_formats(),
        ),
    ] = None,
    columns: options.ColumnsOption = None,
    output: options.FilesOption = None,
) -> None:
    """Show the leaderboards of all stored tournaments.

    The latest one comes last. JSON is a list of leaderboards. CSV and Parquet files have a row for each strategy of
    each leaderboard. An HTML page shows one leaderboard: choose it with the options. The page can be sorted. It
    compares strategies, replays puzzles and unfolds decision trees, without a server or a network. It shows the hidden
    words.

    For example:
        wordle-kit leaderboard -g wordle --no-hard
        wordle-kit leaderboard -g wordle --no-hard -o wordle.html
        wordle-kit leaderboard -o results.parquet
    """
    from wordle_kit.leaderboard.leaderboard import formatted

    plugins = choice.load()
    files, shown = values.file_formats(output, plugins, leaderboards=True), values.columns(columns, plugins)
    form = None if files and format is None else values.table_format(format or "table", plugins, leaderboards=True)
    boards = choice.read()

    def content(form: "Format") -> str | bytes:
        return formatted(boards, form, shown)

    values.write_results(files, content)
    if form is not None:
        show_results(content(form))
