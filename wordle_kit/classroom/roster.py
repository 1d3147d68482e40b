"""The roster: who is in the class, how names are spelt, and whose a submission is; and the tables of the teacher."""

import contextlib
import csv
import io
import unicodedata
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


MOODLE_TIME = "last modified (submission)"

MOODLE_TIMES = ("%d %B %Y, %I:%M %p", "%B %d, %Y, %I:%M %p", "%d %B %Y, %H:%M", "%B %d, %Y, %H:%M")
"""How Moodle writes times in English, after the day of the week."""


def _moodle_time(text: str, where: str) -> datetime | None:
    """Return a time in Moodle's grading worksheet, such as `Monday, 2 March 2026, 2:14 PM`, if there is one."""
    if not text.strip("- "):
        return None
    day, _, rest = text.partition(", ")
    shown = text if any(map(str.isdigit, day)) else rest
    for form in MOODLE_TIMES:
        with contextlib.suppress(ValueError):
            return datetime.strptime(shown.strip(), form)  # in the time zone of the teacher
    raise WordleKitError(f"{where}: {MOODLE_TIME}: {text!r} is not a time; download the worksheet in English")


# The roster


NAMES = ("name", "full name", "student", "roster_identifier", "identifier")
"""Columns with names, as teachers, Moodle, Canvas and GitHub Classroom call them. The first that is there counts."""

FIRST, LAST = ("first name", "first"), ("last name", "surname", "last")
"""Columns with parts of names, which count if there is no column with whole ones."""

NUMBERS = {
    "canvas id": ("canvas id",),
    "moodle id": ("moodle id", "identifier"),
    "email": ("email", "email address"),
    "sid": ("sid", "student id", "id number"),
    "github": ("github_username", "github", "github username"),
}
"""What course systems call their students, other than by name, and the columns of a roster that have it."""

NOBODY = ("points possible", "student, test")
"""Names in Canvas's gradebook that are not of students. As the second, teachers see the course as students do."""

WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Person:
    """A student on the roster: the name as it is spelt there, and all columns."""

    name: str
    columns: Mapping[str, str] = field(default_factory=dict)
    withdrawn: bool = False
    due: datetime | None = None
    """The due date of this student, if it is another one than for the class."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """What course systems call the student, by the keys of NUMBERS."""
    handed_in: datetime | None = None
    """The hand-in time in Moodle's grading worksheet."""

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

    def find(self, name: str, numbers: Mapping[str, str]) -> Person | None:
        """Return who has one of these numbers, or else this name in any order of its words, if it is one person.

        Letters count, but not spaces and marks, since course systems leave them out: Canvas writes `obrienzoë` for
        O'Brien, Zoë.
        """
        for kind, number in numbers.items():
            if (person := self._known.get((kind, number.casefold()))) is not None:
                return person
        return self.by_key.get(key_of(as_student(name))) or self._known.get(("name", _letters(name)))

    @cached_property
    def _known(self) -> Mapping[tuple[str, str], Person | None]:
        """Who has each number and each spelling of a name; None if several people have it."""
        found: dict[tuple[str, str], Person | None] = {}
        for person in self.people:
            words = person.name.split()
            known = {("name", _letters("".join(words[i:] + words[:i]))) for i in range(len(words))}
            for one in known | {(kind, number.casefold()) for kind, number in person.numbers.items()}:
                found[one] = None if one in found else person
        return found


def _letters(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return "".join(letter for letter in unicodedata.normalize("NFC", name).lower() if letter.isalnum())


def read_roster(path: Path) -> Roster:
    """Read a roster from a CSV file: the teacher's, or one that a course system exports.

    Raises WordleKitError if there is no column with names, or if two names are the same.
    """
    table = read_table(path, NAMES)
    header = next(table)
    named = next((column for column in NAMES if column in header.cells), None)
    if {"identifier", "github_username"} <= header.cells.keys():  # where `name` is that of an account, if anything
        named = "identifier"
    first = next((column for column in FIRST if column in header.cells), "")
    last = next((column for column in LAST if column in header.cells), "")
    if named is None and not (first and last):
        raise WordleKitError(f"{path}: line 1: there is no column 'name'; it needs name, or first name and last name")
    people: dict[str, Person] = {}
    for entry in table:
        cells = entry.cells
        name = cells[named] if named is not None else f"{cells[first]} {cells[last]}".strip()
        if not any(cells.values()) or name.lower() in NOBODY or (named == "student" and not name):
            continue
        if not name:
            raise WordleKitError(f"{entry.where}: the column {named or first!r} is empty")
        person = Person(
            name,
            entry.spelt,
            cells.get("status", "").lower() == WITHDRAWN,
            moment(cells["due"], f"{entry.where}: due") if cells.get("due") else None,
            _numbers(cells),
            _moodle_time(cells.get(MOODLE_TIME, ""), entry.where),
        )
        if people.setdefault(key_of(person.student), person) is not person:
            raise WordleKitError(f"{entry.where}: {name!r} is on the roster already")
    if not people:
        raise WordleKitError(f"{path}: there are no names in it")
    return Roster(tuple(people.values()))


def _numbers(cells: Mapping[str, str]) -> dict[str, str]:
    """Return what course systems call the student in a row."""
    found = {}
    for kind, columns in NUMBERS.items():
        for column in columns:
            if cells.get(column) and kind not in found:
                found[kind] = cells[column].rpartition(" ")[2] if column == "identifier" else cells[column]
    if "sis login id" in cells and cells.get("id"):  # Canvas's gradebook, so these are its numbers
        found.setdefault("canvas id", cells["id"])
    return found
