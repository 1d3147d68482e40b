"""The items of a game and their attributes, read from a CSV file."""

import csv
import io
import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import TypeAdapter

from wordle_kit.errors import GameError, nearest, unknown
from wordle_kit.files import read_text
from wordle_kit.texts import number_of

AttributeKind = Literal["number", "category", "set", "ignore"]
"""The kinds of columns. Columns to ignore are dropped when a file is read."""

Value = float | str | tuple[str, ...] | None
"""A cell: a number, a text, the texts of a set in order, or None if the cell is empty."""

SEPARATORS = ",\t;"
BETWEEN_VALUES = ";"
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")


@dataclass(frozen=True)
class Column:
    """An attribute: its name, its kind, and its value for each item."""

    name: str
    kind: AttributeKind
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Items:
    """Items by name, in the order of their file, and their attributes."""

    names: tuple[str, ...]
    columns: tuple[Column, ...]

    def as_fields(self) -> dict[str, Any]:
        """Return the items as a value that can be written as JSON."""
        return asdict(self)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> "Items":
        """Return the items from a value that `as_fields` returned."""
        return TypeAdapter(cls).validate_python(fields)


def read_items(path: Path, kinds: Mapping[str, AttributeKind]) -> Items:
    """Return the items in a CSV file with a header. The first column has their names, the others have attributes.

    `kinds` overrides the kind that the cells of a column suggest. Raises GameError, which names the mistake.
    """
    rows = _rows(path)
    header, body = rows[0][1], rows[1:]
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None or "" in header:
        raise GameError(f"{path}: line 1: the column {twice or ''!r} needs a name of its own")
    for name in kinds.keys() - set(header[1:]):
        raise GameError(f"columns: {unknown('column', name, header[1:])}")
    seen: dict[str, int] = {}
    for line, cells in body:
        if len(cells) != len(header):
            raise GameError(f"{path}: line {line}: has {len(cells)} cells, but the header has {len(header)}")
        name = item_name(cells[0])
        if not name:
            raise GameError(f"{path}: line {line}: the item has no name")
        if name in seen:
            raise GameError(f"{path}: line {line}: {name!r} is listed twice, first in line {seen[name]}; drop one")
        seen[name] = line
    if len(seen) < 2:
        raise GameError(f"{path}: has {number_of(len(seen), 'item')}; a game needs at least two")
    columns = []
    for place, name in enumerate(header[1:], start=1):
        below = [(line, row[place]) for line, row in body]
        kind = kinds.get(name) or _kind_of([cell for _, cell in below])
        if kind != "ignore":
            columns.append(Column(name, kind, tuple(_value(cell, kind, name, path, line) for line, cell in below)))
    if not columns:
        raise GameError(f"{path}: has no attributes; add a column, or ignore fewer")
    return Items(tuple(seen), tuple(columns))


def item_name(cell: str) -> str:
    """Return the name of an item as it is guessed: in lower case, with a hyphen for each space."""
    return "-".join(unicodedata.normalize("NFC", cell).lower().split())


def find_item(text: str, known: Collection[str], game: str) -> str:
    """Return the item of a game that a text names, in any spelling that `item_name` reads.

    Raises GameError, with a similar name if there is one.
    """
    name = item_name(text)
    if name not in known:
        near = nearest(name, known)
        raise GameError(f"{text!r} is not an item of {game}" + (f"; did you mean {near!r}?" if near else ""))
    return name


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the non-empty lines of a CSV file, each with its number and its cells, without spaces around the cells.

    Lines before the header that begin with # are comments. If commas do not separate the cells, they are decimal
    commas, and become points.
    """
    lines = io.StringIO(read_text(path, GameError), newline="").readlines()
    comments = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    separator = next((sign for sign in SEPARATORS if sign in "".join(lines[comments : comments + 1])), ",")
    reader = csv.reader(lines[comments:], delimiter=separator)
    try:
        rows = [
            (comments + reader.line_num, [_with_point(cell.strip(), separator) for cell in row])
            for row in reader
            if any(map(str.strip, row))
        ]
    except csv.Error as error:
        raise GameError(f"{path}: line {comments + reader.line_num}: is not CSV: {error}") from error
    if not rows:
        raise GameError(f"{path}: is empty; the first line has the names of the columns")
    return rows


def _with_point(cell: str, separator: str) -> str:
    return cell.replace(",", ".") if separator != "," and DECIMAL_COMMA.fullmatch(cell) else cell


def _kind_of(cells: Sequence[str]) -> AttributeKind:
    """Return the kind of cells: `number` if all are numbers, `set` if one has several values, else `category`."""
    known = [cell for cell in cells if cell]
    if known and all(_number(cell) is not None for cell in known):
        return "number"
    return "set" if any(BETWEEN_VALUES in cell for cell in known) else "category"


def _value(cell: str, kind: AttributeKind, column: str, path: Path, line: int) -> Value:
    if kind not in get_args(AttributeKind):
        raise GameError(f"columns: {unknown('kind', kind, get_args(AttributeKind))}")
    if not cell:
        return None
    if kind == "category":
        return cell
    if kind == "set":
        return tuple(sorted({part.strip() for part in cell.split(BETWEEN_VALUES)} - {""})) or None
    number = _number(cell)
    if number is None:
        raise GameError(f"{path}: line {line}: {column} is {cell!r}, which is not a number; or set its kind in columns")
    return number


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
