"""`wordle-kit leaderboard`: show stored leaderboards."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import completion, options
from wordle_kit.cli.help import OUTPUT
from wordle_kit.cli.output import say
from wordle_kit.texts import json_text, plain

if TYPE_CHECKING:
    from wordle_kit.leaderboard.leaderboard import Leaderboard


def leaderboard(
    game: Annotated[
        str | None,
        typer.Option(
            "--game", "-g", metavar="NAME", help="Only this game. [default: all]", autocompletion=completion.games
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str,
        typer.Option(
            metavar="FORMAT",
            help="table, json, csv, markdown, latex, html or parquet.",
            rich_help_panel=OUTPUT,
            autocompletion=completion.choices(*options.FORMATS, "parquet"),
        ),
    ] = "table",
    columns: options.ColumnsOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write to a file. [default: standard output]", rich_help_panel=OUTPUT
        ),
    ] = None,
    store: options.StoreOption = None,
) -> None:
    """Show the leaderboards of all stored tournaments.

    The latest one comes last. JSON is a list of leaderboards; a Parquet file has a row for each strategy of each
    leaderboard.

    For example:
        wordle-kit leaderboard -g wordle
        wordle-kit leaderboard --format parquet -o results.parquet
    """
    from wordle_kit.errors import StoreError
    from wordle_kit.leaderboard.leaderboard import stored_leaderboards
    from wordle_kit.names import unknown
    from wordle_kit.tournaments.store import Store

    form = "parquet" if format == "parquet" else options.table_format(format)
    shown = options.columns(columns)
    path = options.store_path(store)
    if not path.is_file():
        raise StoreError(f"{path}: does not exist yet; play a tournament first")
    with Store(path) as results:
        boards = stored_leaderboards(results)
    if not boards:
        raise StoreError(f"{path}: has no finished tournament; play one first")
    if game is not None:
        names = [board.runs[0].facts.game for board in boards]
        boards = [board for board, name in zip(boards, names, strict=True) if name == game]
        if not boards:
            raise StoreError(f"{path}: {unknown('game in the store', game, set(names))}")
    if form == "parquet":
        _write_parquet(boards, output)
        return
    if form == "json":
        text = json_text([board.as_dict() for board in boards]) + "\n"
    else:
        text = "\n".join(board.table(form, shown) for board in boards)
    if output is None:
        say(text, nl=False)
    else:
        with options.written(output):
            output.write_text(plain(text), encoding="utf-8")


def _write_parquet(boards: "list[Leaderboard]", output: Path | None) -> None:
    from wordle_kit.errors import WordleKitError
    from wordle_kit.leaderboard.frames import of_leaderboards, write_parquet

    columns = of_leaderboards(boards)
    if output is not None:
        with options.written(output), output.open("wb") as file:
            write_parquet(columns, file)
    elif sys.stdout.isatty():
        raise WordleKitError("--format parquet is not text; name a file with --output")
    else:
        write_parquet(columns, sys.stdout.buffer)
