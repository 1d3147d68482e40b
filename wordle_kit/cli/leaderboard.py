"""`wordle-kit leaderboard`: show what is stored, without playing."""

from typing import Annotated

import typer

from wordle_kit.cli import options
from wordle_kit.cli.output import say
from wordle_kit.texts import json_text


def leaderboard(
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="NAME", help="Only this game. [default: all]", show_default=False),
    ] = None,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    columns: options.ColumnsOption = None,
    store: options.StoreOption = None,
) -> None:
    """Show the leaderboards of all finished tournaments in the store, the latest last. Nothing is played.

    With --format json, a list of leaderboards.
    """
    from wordle_kit.errors import StoreError
    from wordle_kit.leaderboard.leaderboard import stored_leaderboards
    from wordle_kit.names import unknown
    from wordle_kit.tournaments.store import Store

    form, shown = options.table_format(format), options.columns(columns)
    path = options.store_path(store)
    if not path.is_file():
        raise StoreError(f"{path}: there is no store yet; play a tournament first")
    with Store(path) as results:
        boards = stored_leaderboards(results)
    if not boards:
        raise StoreError(f"{path}: has no finished tournament; play one first")
    if game is not None:
        names = [board.runs[0].facts.game for board in boards]
        boards = [board for board, name in zip(boards, names, strict=True) if name == game]
        if not boards:
            raise StoreError(f"{path}: {unknown('game in the store', game, set(names))}")
    if form == "json":
        say(json_text([board.as_dict() for board in boards]))
    else:
        say("\n".join(board.table(form, shown) for board in boards), nl=False)
