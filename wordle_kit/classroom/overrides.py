"""Scores that the teacher sets by hand, each with a reason that the student sees."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wordle_kit.classroom.reports import Grade
from wordle_kit.classroom.sheets import key_of, read_sheet
from wordle_kit.errors import WordleKitError
from wordle_kit.names import unknown


@dataclass(frozen=True)
class Override:
    """A student's points for one test, or in total if no test is named, and the reason."""

    student: str
    points: float
    reason: str
    test: str
    where: str


def read_overrides(path: Path, tests: Collection[str]) -> tuple[Override, ...]:
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
        override = Override(key_of(entry.student), points, cells["reason"], cells["test"], entry.where)
        if found.setdefault((override.student, override.test), override) is not override:
            raise WordleKitError(f"{entry.where}: {cells['name']!r} already has this override in a line above")
    return tuple(found.values())


def with_tests_set(grade: Grade, overrides: Sequence[Override]) -> Grade:
    """Return a grade with the points of single tests as the overrides set them."""
    points = {one.test: one for one in _of(grade, overrides) if one.test}
    scores = []
    for score in grade.scores:
        override = points.get(score.test.title)
        if override is not None:
            said = f"Set by hand from {score.points:g} to {override.points:g} points: {override.reason}\n{score.output}"
            passed = override.points >= score.test.points
            score = replace(score, points=override.points, passed=passed, output=said)
        scores.append(score)
    return replace(grade, scores=tuple(scores))


def with_sum_set(grade: Grade, overrides: Sequence[Override]) -> Grade:
    """Return a grade with its sum as an override sets it, whatever it was before."""
    for one in _of(grade, overrides):
        if not one.test:
            said = f"Set by hand from {grade.points:g} to {one.points:g} points in all: {one.reason}"
            change = one.points - grade.points
            grade = replace(grade, adjustment=grade.adjustment + change, notes=(*grade.notes, said))
    return grade


def unused(grades: Sequence[Grade], overrides: Sequence[Override]) -> list[str]:
    """Return a line for each override of a student who has no grade."""
    graded = {key_of(grade.student) for grade in grades}
    return [f"{one.where}: there is no grade for this name" for one in overrides if one.student not in graded]


def _of(grade: Grade, overrides: Sequence[Override]) -> list[Override]:
    return [one for one in overrides if one.student == key_of(grade.student)]
