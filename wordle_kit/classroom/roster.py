"""The roster: who is in the class, how names are spelt, and whose a submission is; and the tables of the teacher."""

import contextlib
import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from wordle_kit.classroom.submissions import as_student
from wordle_kit.errors import WordleKitError
from wordle_kit.files import read_text

# Tables


LARGEST_TABLE = 2**24
"""The most bytes of a table."""


@dataclass(frozen=True)
class Entry:
    """A row of a table: its cells by column, as the columns are spelt, and its place in the file."""

    spelt: dict[str, str]
    where: str

    @cached_property
    def cells(self) -> dict[str, str]:
        """The cells by column in lower case."""
        return {column.lower(): cell for column, cell in self.spelt.items()}

    @property
    def student(self) -> str:
        """The student in the column `name`, as submissions spell the name."""
        return as_student(self.cells["name"])


def key_of(student: str) -> str:
    """Return a name in lower case, for comparisons.

    `casefold` would not do: it turns `Groß` into `gross`, but Groß and Gross are two people.
    """
    return student.lower()


def read_sheet(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Entry]:
    """Yield the rows of a CSV file that has these columns. Other columns and empty rows are ignored.

    Raises WordleKitError, naming the file, the line and the column.
    """
    for entry in read_table(path, (*columns, *optional)):
        if missing := [column for column in columns if column not in entry.cells]:
            raise WordleKitError(f"{path}: line 1: there is no column {missing[0]!r}; it needs {', '.join(columns)}")
        if not any(entry.cells.values()):
            continue
        for column in columns:
            if not entry.cells[column]:
                raise WordleKitError(f"{entry.where}: the column {column!r} is empty")
        yield Entry({name: entry.cells.get(name, "") for name in (*columns, *optional)}, entry.where)


def read_table(path: Path, once: Collection[str] = ()) -> Iterator[Entry]:
    """Yield the header of a CSV file, as a row of empty cells, and then all its rows.

    Raises WordleKitError, naming the file, if it cannot be read or if two columns have one of the names in `once`.
    """
    with contextlib.suppress(OSError):  # read_text says what is wrong
        if path.stat().st_size > LARGEST_TABLE:
            raise WordleKitError(f"{path}: has more than {LARGEST_TABLE:,} bytes, too many for a class")
    text = read_text(path)
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)  # spreadsheets in some languages write semicolons
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        spelt = [name.strip() for name in next(rows, [])]
        names = [name.lower() for name in spelt]
        if any(names.count(name) > 1 for name in once):
            raise WordleKitError(f"{path}: line 1: two columns have one name")
        yield Entry(dict.fromkeys(spelt, ""), f"{path}: line 1")
        for row in rows:
            cells = [cell.strip() for cell in (*row, *[""] * (len(names) - len(row)))]
            yield Entry(dict(zip(spelt, cells, strict=False)), f"{path}: line {rows.line_num}")
    except csv.Error as error:
        raise WordleKitError(f"{path}: line {rows.line_num}: is not CSV: {error}") from error


# Times


def moment(text: object, where: str) -> datetime:
    """Return a time that is written as in ISO 8601. Raises WordleKitError, naming the place, for any other text."""
    try:
        return datetime.fromisoformat(str(text))
    except ValueError as error:
        raise WordleKitError(f"{where}: {text!r} is not a time; write it as in 2026-03-01T23:59:00+01:00") from error


# The roster


NAMES = ("name", "full name", "student")
"""Columns with names. The first that is there counts."""

FIRST, LAST = ("first name", "first"), ("last name", "surname", "last")
"""Columns with parts of names, which count if there is no column with whole ones."""

WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Person:
    """A student on the roster: the name as it is spelt there, and all columns."""

    name: str
    columns: Mapping[str, str] = field(default_factory=dict)
    withdrawn: bool = False
    due: datetime | None = None
    """The due date of this student, if it is another one than for the class."""

    @property
    def student(self) -> str:
        """The name as submissions spell it."""
        return as_student(self.name)


@dataclass(frozen=True)
class Roster:
    """Everyone in the class."""

    people: tuple[Person, ...]

    @cached_property
    def by_key(self) -> Mapping[str, Person]:
        """The people by the keys of their names."""
        return {key_of(person.student): person for person in self.people}


def read_roster(path: Path) -> Roster:
    """Read a roster from a CSV file.

    Raises WordleKitError if there is no column with names, or if two names are the same.
    """
    table = read_table(path, NAMES)
    header = next(table)
    named = next((column for column in NAMES if column in header.cells), None)
    first = next((column for column in FIRST if column in header.cells), "")
    last = next((column for column in LAST if column in header.cells), "")
    if named is None and not (first and last):
        raise WordleKitError(f"{path}: line 1: there is no column 'name'; it needs name, or first name and last name")
    people: dict[str, Person] = {}
    for entry in table:
        cells = entry.cells
        name = cells[named] if named is not None else f"{cells[first]} {cells[last]}".strip()
        if not any(cells.values()):
            continue
        if not name:
            raise WordleKitError(f"{entry.where}: the column {named or first!r} is empty")
        person = Person(
            name,
            entry.spelt,
            cells.get("status", "").lower() == WITHDRAWN,
            moment(cells["due"], f"{entry.where}: due") if cells.get("due") else None,
        )
        if people.setdefault(key_of(person.student), person) is not person:
            raise WordleKitError(f"{entry.where}: {name!r} is on the roster already")
    if not people:
        raise WordleKitError(f"{path}: there are no names in it")
    return Roster(tuple(people.values()))
