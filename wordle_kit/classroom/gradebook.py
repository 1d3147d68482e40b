"""What the teacher knows of a class: who is in it, hand-in times and the cost of lateness, and scores set by hand."""

import json
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from wordle_kit.classroom.assignment import AnyTest, Assignment, AssignmentDefinition
from wordle_kit.classroom.reports import Grade
from wordle_kit.classroom.roster import WITHDRAWN, Roster, key_of, moment, read_roster, read_sheet
from wordle_kit.classroom.scores import Score
from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.files import read_text
from wordle_kit.texts import number_of

LOOKS_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ", "ABESIJKMHOPCTYX3aesijopcyxhdqwABEZHIKMNOPTYXavop"
)
"""Cyrillic and Greek letters that look like Latin ones."""

ALPHABETS = ("Latin", "Cyrillic", "Greek")


# The roster


NOTHING = "handed in nothing"

UNKNOWN = "not on the roster"

CONFUSABLE = "its name"
"""The beginning of each remark about a name that could be taken for another."""


def compared(grades: Sequence[Grade], roster: Roster, tests: Sequence[AnyTest]) -> list[Grade]:
    """Return the grades, and one of 0 points for each student without a grade. Names not on the roster are marked."""
    graded = {key_of(grade.student) for grade in grades}
    made = []
    for grade in grades:
        person = roster.by_key.get(key_of(grade.student))
        marks = [UNKNOWN] if person is None else [WITHDRAWN] * person.withdrawn
        made.append(replace(grade, person=person).remarked(*marks))
    scores = tuple(Score(test, 0.0, False, "Nothing was handed in.") for test in tests)
    for key, person in roster.by_key.items():
        if key not in graded:
            outcome = WITHDRAWN if person.withdrawn else NOTHING
            made.append(Grade(person.student, outcome, scores, 0.0, None, person=person))
    return sorted(made, key=lambda grade: grade.student)


def with_names_marked(grades: Iterable[Grade]) -> list[Grade]:
    """Return the grades. Names that look like another, or have letters of several alphabets, are marked."""
    grades = list(grades)
    shown = {grade.student: unicodedata.normalize("NFKC", grade.student) for grade in grades}
    looks = {name: " ".join(text.split()).translate(LOOKS_LATIN).casefold() for name, text in shown.items()}
    made = []
    for grade in grades:
        remarks, own = [], grade.student
        if others := [name for name, look in looks.items() if look == looks[own] and name != own]:
            remarks.append(f"{CONFUSABLE} looks like {', '.join(others)}, in other letters")
        kinds = {unicodedata.name(letter, "").split(" ")[0] for letter in shown[grade.student]}
        if len(alphabets := [alphabet for alphabet in ALPHABETS if alphabet.upper() in kinds]) > 1:
            remarks.append(f"{CONFUSABLE} has {' and '.join(alphabets)} letters")
        made.append(grade.remarked(*remarks))
    return made


# Lateness


ONLY_ONE = ""
"""The key of the only submission in an autograder's times. An autograder does not know the student's name."""

NO_TIME = "the hand-in time is not known; counted as punctual"


@dataclass(frozen=True)
class Times:
    """The hand-in times, by the keys of the students' names, and the due date if the file has one too."""

    handed_in: Mapping[str, datetime]
    due: datetime | None = None


@dataclass(frozen=True)
class LatePolicy:
    """What lateness costs in an assignment, and times with one offset from UTC. A part of a day counts as a day."""

    definition: AssignmentDefinition
    due: datetime
    cutoff: datetime | None
    handed_in: Mapping[str, datetime]
    extensions: Mapping[str, datetime]
    """Due dates of single students, by the keys of their names. They move the cutoff by the same time."""

    def applied(self, grade: Grade) -> Grade:
        """Return a grade less the cost of lateness, but at least 0 points. Lateness that costs nothing is remarked."""
        definition, key = self.definition, key_of(grade.student)
        time = self.handed_in.get(key) or self.handed_in.get(ONLY_ONE)
        if time is None:
            return grade.remarked(NO_TIME) if definition.is_late_bound else grade
        due = self.extensions.get(key, self.due)
        late = time - due
        if late <= timedelta(minutes=definition.grace):
            return grade
        was_due = f"it was due at {_clock(due)}{', the extended date' if key in self.extensions else ''}"
        if self.cutoff is not None and late > self.cutoff - self.due:
            said = f"Handed in at {_clock(time)}, after the cutoff at {_clock(due + (self.cutoff - self.due))}"
            return grade.adjusted(-grade.points, f"{said}: no points.")
        if not definition.late:
            return grade.remarked(f"handed in late, at {_clock(time)}; {was_due}")
        days = math.ceil(late / timedelta(days=1))
        most = math.inf if definition.late_max is None else definition.late_max
        costs = min(grade.points, days * definition.late, most)
        said = f"Handed in {number_of(days, 'day')} late, at {_clock(time)}; {was_due}: {costs:g} points less."
        return grade.adjusted(-costs, said)


def _clock(time: datetime) -> str:
    """Return a time with seconds, which can decide whether a submission is late."""
    return f"{time:%Y-%m-%d %H:%M:%S}"


def late_policy(
    definition: AssignmentDefinition, times: Times | None, extensions: Mapping[str, datetime], where: str
) -> LatePolicy | None:
    """Return the late policy of an assignment, or None if there is none. Raises WordleKitError if it is incomplete."""
    if times is None:
        return None
    due = definition.due or times.due or definition.cutoff
    if due is None:
        if not definition.is_late_bound:
            return None
        raise WordleKitError(f"{where}: late: there is no due date; add one, such as due = 2026-03-01T23:59:00+01:00")
    cutoff = None if definition.cutoff is None else _with_offset(definition.cutoff, due, where)
    if cutoff is not None and cutoff < due:
        raise WordleKitError(f"{where}: cutoff: {cutoff} is before the due date, {due}; give a later time")
    handed_in = {name: _with_offset(time, due, where) for name, time in times.handed_in.items()}
    extended = {name: _with_offset(time, due, where) for name, time in extensions.items()}
    return LatePolicy(definition, due, cutoff, handed_in, extended)


def read_times(path: Path) -> Times:
    """Read hand-in times from a CSV file with the columns `name` and `time`, or from Gradescope's metadata.

    Raises WordleKitError, naming the line, for any other file.
    """
    if path.suffix == ".json":
        return _gradescope_times(path)
    times: dict[str, datetime] = {}
    for entry in read_sheet(path, ["name", "time"]):
        time = moment(entry.cells["time"], f"{entry.where}: time")
        name = key_of(entry.student)
        before = times.get(name, time)
        comparable = (time.tzinfo is None) == (before.tzinfo is None)
        times[name] = max(time, before) if comparable else time
    return Times(times)


def _gradescope_times(path: Path) -> Times:
    try:
        facts = json.loads(read_text(path))
        created, due = facts["created_at"], facts.get("assignment", {}).get("due_date")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise WordleKitError(f"{path}: is not Gradescope's submission_metadata.json: it has no created_at") from error
    time = moment(created, f"{path}: created_at")
    return Times({ONLY_ONE: time}, None if due is None else moment(due, f"{path}: assignment.due_date"))


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


@dataclass(frozen=True)
class Overrides:
    """Points and due dates of single students, by the keys of their names."""

    points: Mapping[tuple[str, str], Override] = field(default_factory=dict)
    """By the student's key and the title of the test, which is empty for the total."""
    due: Mapping[str, datetime] = field(default_factory=dict)


def read_overrides(path: Path, tests: Sequence[AnyTest]) -> Overrides:
    """Read overrides from a CSV file with the columns `name`, `reason`, and `points` with or without `test`, or `due`.

    A test is given by its label or its title. Raises WordleKitError, naming the line, for an unknown test and for
    points that are not between 0 and the most.
    """
    titles = {test.label: test for test in tests} | {test.title: test for test in tests}
    found: dict[tuple[str, str], Override] = {}
    extensions: dict[str, datetime] = {}
    for entry in read_sheet(path, ["name", "reason"], ["points", "test", "due"]):
        cells, key = entry.cells, key_of(entry.student)
        if cells["due"]:
            if extensions.setdefault(key, time := moment(cells["due"], f"{entry.where}: due")) != time:
                raise WordleKitError(f"{entry.where}: {cells['name']!r} has another due date in a line above")
            if not cells["points"]:
                continue
        if cells["test"] and cells["test"] not in titles:
            raise WordleKitError(f"{entry.where}: {unknown('test', cells['test'], [test.label for test in tests])}")
        counted = [titles[cells["test"]]] if cells["test"] else tests
        most = sum(test.points for test in counted)
        try:
            points = float(cells["points"])
        except ValueError:
            points = math.nan
        if not 0 <= points <= most + 1e-9:
            given = f"points: {cells['points']!r} is not a number of points from 0 to {most:g}"
            raise WordleKitError(f"{entry.where}: {given}, the most for {cells['test'] or 'all tests'}")
        override = Override(points, cells["reason"], entry.where)
        title = counted[0].title if cells["test"] else ""
        if found.setdefault((key, title), override) is not override:
            raise WordleKitError(f"{entry.where}: {cells['name']!r} already has this override in a line above")
    return Overrides(found, extensions)


def with_tests_set(grade: Grade, overrides: Overrides) -> Grade:
    """Return a grade with the points of single tests as the overrides set them."""
    scores, remarks = [], []
    for score in grade.scores:
        one = overrides.points.get((key_of(grade.student), score.test.title))
        if one is not None:
            change = f"from {score.points:g} to {one.points:g} points: {one.reason}"
            said = f"Set by hand {change}\n{score.output}"
            remarks.append(f"{score.test.label} set by hand {change}")
            score = replace(score, points=one.points, passed=one.points >= score.test.points, output=said, error=0.0)
        scores.append(score)
    return replace(grade, scores=tuple(scores)).remarked(*remarks)


def with_sum_set(grade: Grade, overrides: Overrides) -> Grade:
    """Return a grade with its sum as an override sets it, whatever it was before."""
    one = overrides.points.get((key_of(grade.student), ""))
    if one is None:
        return grade
    said = f"Set by hand from {grade.points:g} to {one.points:g} points in all: {one.reason}"
    return grade.adjusted(one.points - grade.points, said)


# All of these


@dataclass(frozen=True)
class Gradebook:
    """A roster, a late policy and overrides, all optional."""

    tests: tuple[AnyTest, ...] = ()
    roster: Roster | None = None
    late: LatePolicy | None = None
    overrides: Overrides = Overrides()
    untimed: bool = False
    """Whether lateness costs points, but no hand-in times are known."""

    def entered(self, grades: Sequence[Grade]) -> list[Grade]:
        """Return final grades. Points of tests are set by hand first, then lateness costs points, then sums are set."""
        named = grades if self.roster is None else compared(grades, self.roster, self.tests)
        made = [with_tests_set(grade, self.overrides) for grade in with_names_marked(named)]
        if self.late is not None:
            made = [grade if grade.outcome in (NOTHING, WITHDRAWN) else self.late.applied(grade) for grade in made]
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
        unused = [one for (student, _), one in self.overrides.points.items() if student not in graded]
        lines += [f"{one.where}: there is no grade for this name" for one in unused]
        gone = self.overrides.due.keys() - graded
        return lines + [f"{name} has a due date in the overrides, but no grade" for name in sorted(gone)]


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
    people = None if names is None else read_roster(names)
    changed = Overrides() if by_hand is None else read_overrides(by_hand, assignment.tests)
    extensions = {} if people is None else {key: one.due for key, one in people.by_key.items() if one.due is not None}
    known = None if moments is None else read_times(moments)
    return Gradebook(
        tuple(assignment.tests),
        people,
        late_policy(definition, known, {**extensions, **changed.due}, str(assignment.path)),
        changed,
        untimed=definition.is_late_bound and (known is None or not known.handed_in),
    )
