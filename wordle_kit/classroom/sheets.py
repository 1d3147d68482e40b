"""Read the teacher's tables: CSV files with a header, as a spreadsheet writes them."""

import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordle_kit.classroom.submissions import student_of
from wordle_kit.errors import WordleKitError

LARGEST = 2**24
"""The most bytes of a table."""


LOOKS_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ",
    "ABESIJKMHOPCTYX3aesijopcyxhdqwABEZHIKMNOPTYXavop",
)
"""Cyrillic and Greek letters that look like Latin ones."""

ALPHABETS = ("Latin", "Cyrillic", "Greek")


@dataclass(frozen=True)
class Entry:
    """A row of a table: its cells by column, and its place in the file."""

    cells: dict[str, str]
    where: str

    @property
    def student(self) -> str:
        """The student in the column `name`, as submissions spell the name."""
        return student_of(Path(self.cells["name"].replace("/", "_") + ".py"))


def key_of(student: str) -> str:
    """Return the form of a name for comparisons, in which upper and lower case are the same.

    It is not `casefold`, in which `Groß` would be `Gross`: these are two people.
    """
    return student.lower()


def look_of(student: str) -> str:
    """Return what a name looks like: names with the same look cannot be told apart, or only in upper and lower case."""
    shown = " ".join(unicodedata.normalize("NFKC", student).split())  # nobody sees spaces at the end
    return shown.translate(LOOKS_LATIN).casefold()


def alphabets_of(student: str) -> list[str]:
    """Return which of the alphabets whose letters look alike occur in a name."""
    kinds = {unicodedata.name(letter, "").split(" ")[0] for letter in unicodedata.normalize("NFKC", student)}
    return [alphabet for alphabet in ALPHABETS if alphabet.upper() in kinds]


def read_sheet(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Entry]:
    """Yield the rows of a CSV file that has these columns. Other columns and empty rows are ignored.

    Raises WordleKitError, naming the file, the line and the column.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise WordleKitError(f"{path}: has more than {LARGEST:,} bytes, too many for a class")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeError as error:
        raise WordleKitError(f"{path}: is not UTF-8; save it as CSV in UTF-8") from error
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)  # spreadsheets in some languages write semicolons
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        for column in columns:
            if column not in names:
                raise WordleKitError(f"{path}: line 1: there is no column {column!r}; it needs {', '.join(columns)}")
        wanted = [name for name in names if name in (*columns, *optional)]
        if len(set(wanted)) < len(wanted):
            raise WordleKitError(f"{path}: line 1: two columns have one name")
        for row in rows:
            where = f"{path}: line {rows.line_num}"
            cells = {name: cell.strip() for name, cell in zip(names, row, strict=False)}
            if not any(cells.values()):
                continue
            for column in columns:
                if not cells.get(column):
                    raise WordleKitError(f"{where}: the column {column!r} is empty")
            yield Entry({name: cells.get(name, "") for name in (*columns, *optional)}, where)
    except csv.Error as error:
        raise WordleKitError(f"{path}: line {rows.line_num}: is not CSV: {error}") from error
