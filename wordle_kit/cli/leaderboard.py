"""`wordle-kit leaderboard`: show stored leaderboards."""

import sys
from typing import Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.output import say
from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.texts import plain


@values.grouped
def leaderboard(
    choice: values.WhichLeaderboards,
    format: Annotated[  # noqa: A002 - the option's name
        str,
        options.output(
            metavar="FORMAT",
            help="table, json, csv, parquet, or a format of tabulate, such as github.",
            autocompletion=options.complete_formats(as_text=False),
        ),
    ] = "table",
    columns: options.ColumnsOption = None,
    output: options.OutputOption = None,
) -> None:
    """Show the leaderboards of all stored tournaments.

    The latest one comes last. JSON is a list of leaderboards. CSV and Parquet files have a row for each strategy of
    each leaderboard.

    For example:
        wordle-kit leaderboard -g wordle --no-hard
        wordle-kit leaderboard --format parquet -o results.parquet
    """
    from wordle_kit.leaderboard.leaderboard import written

    plugins = choice.load()
    form, shown = values.table_format(format, plugins, as_text=False), values.columns(columns, plugins)
    with choice.read(load_games=False) as found:
        content = written([*found][::-1], form, shown)
    if output is not None:
        write_file(output, content if isinstance(content, bytes) else plain(content))
    elif isinstance(content, str):
        say(content, nl=False)
    elif sys.stdout.isatty():
        raise WordleKitError(f"--format {format} is not text; name a file with --output")
    else:
        sys.stdout.buffer.write(content)
