"""The roster: the students of the class, so that none is forgotten or graded under a mistyped name."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from wordle_kit.classroom.kinds import AnyTest
from wordle_kit.classroom.reports import Grade
from wordle_kit.classroom.scores import Score
from wordle_kit.classroom.sheets import alphabets_of, key_of, look_of, read_sheet
from wordle_kit.errors import WordleKitError

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
    """Return the grades, those not on the roster marked, with a grade of 0 points for each student without one."""
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
    """Return the grades, those marked whose names look like another's, or are written in letters that look alike."""
    grades = list(grades)
    looks: dict[str, list[str]] = defaultdict(list)
    for grade in grades:
        looks[look_of(grade.student)].append(grade.student)
    return [replace(grade, remarks=(*grade.remarks, *_about_name(grade.student, looks))) for grade in grades]


def _about_name(student: str, looks: dict[str, list[str]]) -> Iterable[str]:
    others = [name for name in looks[look_of(student)] if name != student]
    if others:
        yield f"{CONFUSABLE} looks like {', '.join(others)}, in other letters"
    alphabets = alphabets_of(student)
    if len(alphabets) > 1:
        yield f"{CONFUSABLE} has {' and '.join(alphabets)} letters"
