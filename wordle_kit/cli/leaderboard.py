"""`wordle-kit leaderboard`: show stored leaderboards."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from wordle_kit.cli import completion, options, panels, values
from wordle_kit.cli.commands import added
from wordle_kit.cli.output import say
from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.texts import plain

if TYPE_CHECKING:
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.plugins import Plugins


@values.grouped
def leaderboard(
    game: Annotated[
        str | None,
        options.of_game(metavar="NAME", help="Only this game. With --humans, its name or file. [default: all]"),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str,
        panels.output(
            metavar="FORMAT",
            help="table, json, csv, markdown, latex, html or parquet.",
            autocompletion=completion.formats(as_text=False),
        ),
    ] = "table",
    columns: options.ColumnsOption = None,
    output: options.OutputOption = None,
    store: options.StoreOption = None,
    which: values.WhichPlugins = values.INSTALLED,
) -> None:
    """Show the leaderboards of all stored tournaments.

    The latest one comes last. JSON is a list of leaderboards; a Parquet file has a row for each strategy of each
    leaderboard. With --humans, the command shows one leaderboard, of the people and of all strategies in the store that
    played the same puzzles.

    For example:
        wordle-kit leaderboard -g wordle
        wordle-kit leaderboard --format parquet -o results.parquet
    """
    from wordle_kit.leaderboard.leaderboard import written

    form, shown = values.table_format(format, as_text=False), values.columns(columns)
    path = values.store_path(store)
    with_people: Callable[[str | None, Plugins, Path], Leaderboard] | None = added("--humans")
    plugins = which.load()
    boards = _of_strategies(path, game, plugins) if with_people is None else [with_people(game, plugins, path)]
    content = written(boards, form, shown)
    if output is not None:
        write_file(output, content if isinstance(content, bytes) else plain(content))
    elif isinstance(content, str):
        say(content, nl=False)
    elif sys.stdout.isatty():
        raise WordleKitError(f"--format {format} is not text; name a file with --output")
    else:
        sys.stdout.buffer.write(content)


def _of_strategies(path: Path, game: str | None, plugins: "Plugins") -> "list[Leaderboard]":
    """Return the leaderboards of a store, or those of one game. Raises StoreError if there are none."""
    from wordle_kit.errors import StoreError
    from wordle_kit.leaderboard.leaderboard import stored_leaderboards
    from wordle_kit.leaderboard.metrics import metrics_of
    from wordle_kit.names import unknown
    from wordle_kit.tournaments.store import Store

    with Store.existing(path, plugins.aliases) as results:
        boards = stored_leaderboards(results, metrics_of(plugins))
    if not boards:
        raise StoreError(f"{path}: has no finished tournament; play one first")
    if game is not None:
        names = [board.runs[0].facts.game for board in boards]
        boards = [board for board, name in zip(boards, names, strict=True) if name == game]
        if not boards:
            raise StoreError(f"{path}: {unknown('game in the store', game, set(names))}")
    return boards
