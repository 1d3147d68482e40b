"""The teacher's tables: the roster, the hand-in times and the cost of lateness, and scores set by hand."""

import csv
import io
import json
import math
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from wordle_kit.classroom.assignment import AnyTest, Assignment
from wordle_kit.classroom.reports import Grade
from wordle_kit.classroom.scores import Score
from wordle_kit.classroom.submissions import student_of
from wordle_kit.errors import WordleKitError
from wordle_kit.names import unknown
from wordle_kit.texts import number_of

# Tables


LARGEST_TABLE = 2**24
"""The most bytes of a table."""


LOOKS_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ", "ABESIJKMHOPCTYX3aesijopcyxhdqwABEZHIKMNOPTYXavop"
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


def read_sheet(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Entry]:
    """Yield the rows of a CSV file that has these columns. Other columns and empty rows are ignored.

    Raises WordleKitError, naming the file, the line and the column.
    """
    try:
        if path.stat().st_size > LARGEST_TABLE:
            raise WordleKitError(f"{path}: has more than {LARGEST_TABLE:,} bytes, too many for a class")
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


# The roster


NOTHING = "handed in nothing"

UNKNOWN = "not on the roster"

CONFUSABLE = "its name"
"""The beginning of each remark about a name that could be taken for another."""


def read_roster(path: Path) -> tuple[str, ...]:
    """Read the students' names from the column `name` of a CSV file, as submissions spell them.

    Raises WordleKitError if two are the same.
    """
    names: dict[str, str] = {}
    for entry in read_sheet(path, ["name"]):
        if key_of(entry.student) in names:
            raise WordleKitError(f"{entry.where}: {entry.cells['name']!r} is on the roster already")
        names[key_of(entry.student)] = entry.student
    if not names:
        raise WordleKitError(f"{path}: there are no names in it")
    return tuple(names.values())


def compared(grades: Sequence[Grade], roster: Sequence[str], tests: Sequence[AnyTest]) -> list[Grade]:
    """Return the grades, and one of 0 points for each student without a grade. Names not on the roster are marked."""
    known = {key_of(name) for name in roster}
    graded = {key_of(grade.student) for grade in grades}
    made = [
        grade if key_of(grade.student) in known else replace(grade, remarks=(*grade.remarks, UNKNOWN))
        for grade in grades
    ]
    scores = tuple(Score(test, 0.0, False, "Nothing was handed in.") for test in tests)
    made += [Grade(name, NOTHING, scores, 0.0, None) for name in roster if key_of(name) not in graded]
    return sorted(made, key=lambda grade: grade.student)


def with_names_marked(grades: Iterable[Grade]) -> list[Grade]:
    """Return the grades. Names that look like another, or have letters of several alphabets, are marked."""
    grades = list(grades)
    shown = {grade.student: unicodedata.normalize("NFKC", grade.student) for grade in grades}
    looks: dict[str, list[str]] = defaultdict(list)  # names with the same look differ at most in upper and lower case
    look_of = {name: " ".join(text.split()).translate(LOOKS_LATIN).casefold() for name, text in shown.items()}
    for name, look in look_of.items():
        looks[look].append(name)
    made = []
    for grade in grades:
        remarks = list(grade.remarks)
        if others := [name for name in looks[look_of[grade.student]] if name != grade.student]:
            remarks.append(f"{CONFUSABLE} looks like {', '.join(others)}, in other letters")
        kinds = {unicodedata.name(letter, "").split(" ")[0] for letter in shown[grade.student]}
        if len(alphabets := [alphabet for alphabet in ALPHABETS if alphabet.upper() in kinds]) > 1:
            remarks.append(f"{CONFUSABLE} has {' and '.join(alphabets)} letters")
        made.append(replace(grade, remarks=tuple(remarks)))
    return made


# Lateness


ONLY_ONE = ""
"""The key of the only submission in an autograder's times. An autograder does not know the student's name."""

NO_TIME = "the hand-in time is not known; counted as punctual"


@dataclass(frozen=True)
class Times:
    """The hand-in times, by the students' names, and the due date if the file has one too."""

    handed_in: Mapping[str, datetime]
    due: datetime | None = None


@dataclass(frozen=True)
class LatePolicy:
    """A due date, and the points that each day after it costs. A part of a day counts as a day."""

    due: datetime
    points: float
    handed_in: Mapping[str, datetime]

    def applied(self, grade: Grade) -> Grade:
        """Return a grade less the cost of lateness, but at least 0 points."""
        time = self.handed_in.get(key_of(grade.student)) or self.handed_in.get(ONLY_ONE)
        if time is None:
            return replace(grade, remarks=(*grade.remarks, NO_TIME))
        late = time - self.due
        if late <= timedelta():
            return grade
        days = math.ceil(late / timedelta(days=1))
        costs = min(grade.points, days * self.points)
        said = (
            f"Handed in {number_of(days, 'day')} late, at {time:%Y-%m-%d %H:%M}; it was due at "
            f"{self.due:%Y-%m-%d %H:%M}: {costs:g} points less."
        )
        return replace(grade, adjustment=grade.adjustment - costs, notes=(*grade.notes, said))


def late_policy(due: datetime | None, points: float, times: Times | None, where: str) -> LatePolicy | None:
    """Return the late policy of these settings, or None if there is none. Raises WordleKitError if it is incomplete."""
    if not points or times is None:
        return None
    due = due or times.due
    if due is None:
        raise WordleKitError(f"{where}: late: there is no due date; add one, such as due = 2026-03-01T23:59:00+01:00")
    return LatePolicy(due, points, {name: _with_offset(time, due, where) for name, time in times.handed_in.items()})


def read_times(path: Path) -> Times:
    """Read hand-in times from a CSV file with the columns `name` and `time`, or from Gradescope's metadata.

    Raises WordleKitError, naming the line, for any other file.
    """
    if path.suffix == ".json":
        return _gradescope_times(path)
    times: dict[str, datetime] = {}
    for entry in read_sheet(path, ["name", "time"]):
        time = _moment(entry.cells["time"], f"{entry.where}: time")
        name = key_of(entry.student)
        before = times.get(name, time)
        comparable = (time.tzinfo is None) == (before.tzinfo is None)
        times[name] = max(time, before) if comparable else time
    return Times(times)


def _gradescope_times(path: Path) -> Times:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        created, due = facts["created_at"], facts.get("assignment", {}).get("due_date")
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise WordleKitError(f"{path}: is not Gradescope's submission_metadata.json: it has no created_at") from error
    moment = _moment(created, f"{path}: created_at")
    return Times({ONLY_ONE: moment}, None if due is None else _moment(due, f"{path}: assignment.due_date"))


def _moment(text: object, where: str) -> datetime:
    try:
        return datetime.fromisoformat(str(text))
    except ValueError as error:
        raise WordleKitError(f"{where}: {text!r} is not a time; write it as in 2026-03-01 23:59:00+01:00") from error


def _with_offset(time: datetime, due: datetime, where: str) -> datetime:
    """Return a time with the due date's offset from UTC. A time without an offset is assumed to have that one."""
    if time.tzinfo is None:
        return time.replace(tzinfo=due.tzinfo)
    if due.tzinfo is None:
        raise WordleKitError(f"{where}: due: {due} has no offset from UTC, but the times have; write {due}+00:00")
    return time.astimezone(due.tzinfo)


# Scores set by hand


@dataclass(frozen=True)
class Override:
    """A student's points for one test or in total, and the reason."""

    points: float
    reason: str
    where: str


Overrides = Mapping[tuple[str, str], Override]
"""Overrides by the student's key and the title of the test, which is empty for the total."""


def read_overrides(path: Path, tests: Collection[str]) -> Overrides:
    """Read overrides from a CSV file with the columns `name`, `points`, `reason` and optionally `test`.

    Raises WordleKitError, naming the line, for points that are not a number and for an unknown test.
    """
    found: dict[tuple[str, str], Override] = {}
    for entry in read_sheet(path, ["name", "points", "reason"], ["test"]):
        cells = entry.cells
        try:
            points = float(cells["points"])
        except ValueError:
            points = math.nan
        if not 0 <= points <= 1e6:
            raise WordleKitError(f"{entry.where}: points: {cells['points']!r} is not a number of points from 0")
        if cells["test"] and cells["test"] not in tests:
            raise WordleKitError(f"{entry.where}: {unknown('test', cells['test'], tests)}")
        override = Override(points, cells["reason"], entry.where)
        if found.setdefault((key_of(entry.student), cells["test"]), override) is not override:
            raise WordleKitError(f"{entry.where}: {cells['name']!r} already has this override in a line above")
    return found


def with_tests_set(grade: Grade, overrides: Overrides) -> Grade:
    """Return a grade with the points of single tests as the overrides set them."""
    scores = []
    for score in grade.scores:
        one = overrides.get((key_of(grade.student), score.test.title))
        if one is not None:
            said = f"Set by hand from {score.points:g} to {one.points:g} points: {one.reason}\n{score.output}"
            score = replace(score, points=one.points, passed=one.points >= score.test.points, output=said)
        scores.append(score)
    return replace(grade, scores=tuple(scores))


def with_sum_set(grade: Grade, overrides: Overrides) -> Grade:
    """Return a grade with its sum as an override sets it, whatever it was before."""
    one = overrides.get((key_of(grade.student), ""))
    if one is None:
        return grade
    said = f"Set by hand from {grade.points:g} to {one.points:g} points in all: {one.reason}"
    return replace(grade, adjustment=grade.adjustment + one.points - grade.points, notes=(*grade.notes, said))


# All of these


@dataclass(frozen=True)
class Gradebook:
    """A roster, a late policy and overrides, all optional."""

    tests: tuple[AnyTest, ...] = ()
    roster: tuple[str, ...] | None = None
    late: LatePolicy | None = None
    overrides: Overrides = field(default_factory=dict)
    untimed: bool = False
    """Whether lateness costs points, but no hand-in times are known."""

    def entered(self, grades: Sequence[Grade]) -> list[Grade]:
        """Return final grades. Points of tests are set by hand first, then lateness costs points, then sums are set."""
        named = grades if self.roster is None else compared(grades, self.roster, self.tests)
        made = [with_tests_set(grade, self.overrides) for grade in with_names_marked(named)]
        if self.late is not None:
            made = [self.late.applied(grade) if grade.outcome != NOTHING else grade for grade in made]
        return [with_sum_set(grade, self.overrides) for grade in made]

    def complaints(self, grades: Sequence[Grade]) -> list[str]:
        """Return a line for the teacher for each entry that does not match the grades."""
        strangers = [grade.student for grade in grades if UNKNOWN in grade.remarks]
        lines = [f"not on the roster: {', '.join(strangers)}"] if strangers else []
        lines += [
            f"{grade.student}: {said}" for grade in grades for said in grade.remarks if said.startswith(CONFUSABLE)
        ]
        if self.untimed:
            lines.append("no hand-in times were given, so nobody is late")
        graded = {key_of(grade.student) for grade in grades}
        unused = [one for (student, _), one in self.overrides.items() if student not in graded]
        return lines + [f"{one.where}: there is no grade for this name" for one in unused]


def read_gradebook(
    assignment: Assignment,
    *,
    one: bool = False,
    roster: Path | None = None,
    times: Path | None = None,
    overrides: Path | None = None,
) -> Gradebook:
    """Return the gradebook of an assignment. Files that are given replace those that it names.

    With `one`, there is no roster.

    Raises WordleKitError, naming the file and the line, for a mistake in a file.
    """
    definition = assignment.definition

    def chosen(given: Path | None, name: str | None) -> Path | None:
        return given or (None if name is None else assignment.folder / name)

    names, moments = chosen(roster, None if one else definition.roster), chosen(times, definition.times)
    by_hand = chosen(overrides, definition.overrides)
    known = None if moments is None else read_times(moments)
    return Gradebook(
        tuple(assignment.tests),
        None if names is None else read_roster(names),
        late_policy(definition.due, definition.late, known, str(assignment.path)),
        {} if by_hand is None else read_overrides(by_hand, [test.title for test in assignment.tests]),
        untimed=bool(definition.late) and known is None,
    )
