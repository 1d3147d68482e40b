"""Grades: the scores of a submission in all tests of its assignment."""

from dataclasses import dataclass

from wordle_kit_plugins.classroom.alike import Games, games_of
from wordle_kit_plugins.classroom.assignment import Assignment
from wordle_kit_plugins.classroom.tests import Mean, Result, Score, Solves, rounded

import wordle_kit as wk


@dataclass(frozen=True)
class Grade:
    """A student's grade: the score of each test, and remarks for the teacher."""

    name: str
    file: str
    result: Result
    """The result of the submission without its plays, which would take much memory in a large class."""
    scores: tuple[Score, ...]
    mean: float | None
    """The mean number of guesses, or None if nothing was played."""
    solved: float
    """The share of puzzles solved."""
    games: Games | None
    """The hashes that show whether another submission plays alike, or None if some answer was not played to its end."""
    remarks: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """The sum of all points."""
        return rounded(sum(score.points for score in self.scores))

    @property
    def of(self) -> float:
        """The maximum number of points."""
        return rounded(sum(score.test.points for score in self.scores))

    @property
    def first_fix(self) -> str:
        """A sentence or two on what a student should fix first, or an empty string if nothing is missing."""
        missing = [score for score in self.scores if not score.passed]
        if not missing:
            return ""
        broken = next((score for score in missing if not isinstance(score.test, Mean | Solves)), None)
        if broken is not None:
            return broken.output
        worst = max(missing, key=lambda score: score.test.points - score.points)
        lost = rounded(worst.test.points - worst.points)
        return f"Nothing is broken. Most can be gained here, {lost:g} points: {worst.test.title}."


def grade_of(assignment: Assignment, name: str, file: str, result: Result) -> Grade:
    """Return the grade of a result."""
    plays, game = result.plays, assignment.game
    scores = tuple(test.score(result, game) for test in assignment.definition.tests)
    mean = result.mean(game) if plays else None
    solved = sum(play.outcome is wk.Outcome.SOLVED for play in plays) / max(1, len(plays))
    compared = result.is_tree and not any(play.outcome.is_fault for play in plays)
    without = result.model_copy(update={"plays": ()})
    return Grade(name, file, without, scores, mean, solved, games_of(plays) if compared else None)
