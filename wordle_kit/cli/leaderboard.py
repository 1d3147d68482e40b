"""`wordle-kit leaderboard`: show stored leaderboards."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.commands import added
from wordle_kit.cli.output import say
from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.texts import plain

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.leaderboard import Leaderboard


@values.grouped
def leaderboard(
    choice: values.WhichLeaderboards,
    format: Annotated[  # noqa: A002 - the option's name
        str,
        options.output(
            metavar="FORMAT",
            help="table, json, csv, markdown, latex, html or parquet.",
            autocompletion=options.complete_formats(as_text=False),
        ),
    ] = "table",
    columns: options.ColumnsOption = None,
    output: options.OutputOption = None,
) -> None:
    """Show the leaderboards of all stored tournaments.

    The latest one comes last. JSON is a list of leaderboards. CSV and Parquet files have a row for each strategy of
    each leaderboard.

    With --humans, there is one leaderboard. It ranks people, and all strategies in the store that played the same
    puzzles. --report also writes it as a page.

    For example:
        wordle-kit leaderboard -g wordle --no-hard
        wordle-kit leaderboard --humans results/ --report class.html
        wordle-kit leaderboard --format parquet -o results.parquet
    """
    from wordle_kit.leaderboard.leaderboard import written

    plugins = choice.load()
    form, shown = values.table_format(format, plugins, as_text=False), values.columns(columns, plugins)
    with_people: Callable[[values.WhichLeaderboards], Leaderboard] | None = added("--humans")
    as_page: Callable[[Leaderboard, Game | None, str | None], None] | None = added("--report")
    if with_people is not None:
        board = with_people(choice)
        content = written([board], form, shown)
        if as_page is not None:
            as_page(board, board.game, choice.file)
    elif as_page is not None:
        raise WordleKitError("--report is for one leaderboard; add --humans, or use `wordle-kit report`")
    else:
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
