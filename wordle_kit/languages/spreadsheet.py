"""Makes a game from a teacher's spreadsheet: a folder with its CSV file and a game file."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from wordle_kit.api import load_game
from wordle_kit.errors import WordleKitError
from wordle_kit.game.files import check_game_name
from wordle_kit.game.items import Column, Kind, read_items
from wordle_kit.texts import line, number_of

SHOWN = 4
"""The most values of a column that a sentence lists."""

GUESSES = 6
"""The number of guesses that a new game allows."""

GAME_FILE = """# Each guess shows how the attributes of the hidden item differ.
name = {name}
title = {title}
items = {items}
max_guesses = {guesses}

# The kind of each column: "number" (higher or lower), "category" (equal or different),
# "set" (also partly equal; a cell has several values with ; between them) or "ignore".
[columns]
{columns}
"""

SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The first bytes of files that spreadsheet programs write in other formats than CSV."""


@dataclass(frozen=True)
class ColumnFound:
    """A column of a spreadsheet, its kind in the game, and a sentence about it."""

    name: str
    kind: Kind
    finding: str


def item_game(name: str, path: Path) -> tuple[dict[str, str | bytes], list[ColumnFound], int]:
    """Return the files of a game about the items in a CSV file, its columns, and the number of items.

    The kind of a column follows from its cells. Columns that give no information are ignored: those with the same value
    for all items, and those with a different text for each item. Raises WordleKitError if the file is wrong.
    """
    check_game_name(name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be read: {error.strerror}") from error
    if content.startswith(SPREADSHEETS):
        raise WordleKitError(f"{path}: is not CSV; save the sheet as CSV in UTF-8, and give that file")
    items = read_items(path, {})
    columns = list(map(_found, items.columns))
    kinds = {column.name: column.kind for column in columns}
    if set(kinds.values()) == {"ignore"}:
        raise WordleKitError(f"{path}: no column tells items apart; add one in which some items have the same value")
    load_game({"name": name, "items": str(path.resolve()), "columns": kinds})  # raises GameError if it is not a game
    game = GAME_FILE.format(
        name=json.dumps(name),
        title=json.dumps(name.replace("-", " ").capitalize()),
        items=json.dumps(f"{name}.csv"),
        guesses=GUESSES,
        columns="\n".join(f"{_key(column)} = {json.dumps(kind)}" for column, kind in kinds.items()),
    )
    return {f"{name}.csv": content, f"{name}.toml": game}, columns, len(items.names)


def _found(column: Column) -> ColumnFound:
    known = [value for value in column.values if value is not None]
    missing = len(column.values) - len(known)
    different = sorted({text for value in known for text in (value if isinstance(value, tuple) else (value,))}, key=str)
    strange = _strange_number(column)
    kind = column.kind
    if len(set(column.values)) == 1:
        kind, finding = "ignore", "ignored, because all items have the same value"
    elif strange is not None:
        finding = f"category, although most cells look like numbers; {strange!r} is not one (3.5 is)"
    elif kind == "number":
        numbers = [value for value in known if isinstance(value, float)]
        finding = f"number, from {min(numbers):g} to {max(numbers):g}"
    elif kind == "category" and len(different) == len(known):
        kind, finding = "ignore", "ignored, because no two items have the same text"
    else:
        some = ", ".join(map(str, different[:SHOWN])) + (", ..." if len(different) > SHOWN else "")
        finding = f"{kind}, {number_of(len(different), 'value')}: {some}"
    unknown = f"; unknown for {number_of(missing, 'item')}" if missing and kind != "ignore" else ""
    return ColumnFound(column.name, kind, line(f"{column.name}: {finding}{unknown}"))


def _strange_number(column: Column) -> str | None:
    """Return the first text of a column that is not a number, if most of its texts look like numbers, else None."""
    texts = [value for value in column.values if isinstance(value, str)]
    like = sum(bool(re.fullmatch(r"[-+]?[\d.,\s]*\d[\d.,\s]*", text)) for text in texts)
    if 2 * like <= len(texts):
        return None
    return next(text for text in texts if not re.fullmatch(r"[-+]?\d+(\.\d+)?", text))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
