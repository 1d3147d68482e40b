"""Points: what each test gives for a result, and what it says."""

from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from wordle_kit_plugins.classroom.alike import Games, whole_games
from wordle_kit_plugins.classroom.assignment import Assignment, Conforms, Legal, Loads, Mean, Solves, Test
from wordle_kit_plugins.classroom.play import Played, Result, counted

from wordle_kit.texts import number_of
from wordle_kit.tournaments.runs import Outcome

NOT_A_TEXT = "returned "
"""How the message of a play begins that ended because a guess was no text."""


@dataclass(frozen=True)
class Score:
    """The points that a test gives, what it found, and the play that shows it."""

    test: Test
    points: float
    output: str
    worst: Played | None = None

    @property
    def passed(self) -> bool:
        """Whether the test gives all its points."""
        return self.points >= self.test.points


@dataclass(frozen=True)
class Grade:
    """A student's grade: the score of each test, and remarks for the teacher."""

    name: str
    file: str
    result: Result
    """What the submission did, without its plays, which take much memory in a large class."""
    scores: tuple[Score, ...]
    mean: float | None
    """The mean number of guesses, or None if nothing was played."""
    solved: float
    """The share of puzzles that were solved."""
    games: Games | None
    """What tells whether another submission plays alike, if it has played every answer to its end."""
    remarks: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """The sum of all points."""
        return rounded(sum(score.points for score in self.scores))

    @property
    def of(self) -> float:
        """The most points that are possible."""
        return rounded(sum(score.test.points for score in self.scores))


def grade_of(assignment: Assignment, name: str, file: str, result: Result) -> Grade:
    """Return the grade of a result."""
    scores = tuple(_score(assignment, test, result) for test in assignment.definition.tests)
    mean = mean_of(assignment, result) if result.plays else None
    solved = sum(play.outcome is Outcome.SOLVED for play in result.plays) / max(1, len(result.plays))
    without = result.model_copy(update={"plays": ()})
    return Grade(name, file, without, scores, mean, solved, whole_games(result))


def _score(assignment: Assignment, test: Test, result: Result) -> Score:
    if isinstance(test, Loads):
        return (
            Score(test, 0.0, f"It does not load: {result.problem}") if result.problem else Score(test, test.points, "")
        )
    if result.problem:
        return Score(test, 0.0, "It does not load.")
    share, output, worst = score(test, assignment, result)
    return Score(test, rounded(test.points * share), output, worst)


@singledispatch
def score(test: Test, assignment: Assignment, result: Result) -> tuple[float, str, Played | None]:
    """Return the share of the points of a test that a result gets, what is said, and the play that shows it."""
    raise TypeError(f"there is no test like {type(test).__name__}")


@score.register
def _(test: Conforms, assignment: Assignment, result: Result) -> tuple[float, str, Played | None]:
    wrong = next((play for play in result.plays if play.message.startswith(NOT_A_TEXT)), None)
    if wrong is not None:
        return 0.0, f"It {wrong.message}. A guess is a text, one of the words of the game.", wrong
    if result.difference:
        why = "Keep nothing between guesses, and take random numbers from position.rng."
        return 0.0, f"Asked again in a new process, {result.difference}. {why}", None
    return 1.0, "", None


@score.register
def _(test: Legal, assignment: Assignment, result: Result) -> tuple[float, str, Played | None]:
    faults = [play for play in result.plays if play.outcome.is_fault]
    if not faults:
        return 1.0, "", None
    first = next((play for play in faults if play.asked), faults[0])
    of_all = f"{len(faults):,} of {number_of(len(result.plays), 'play')}"
    return 0.0, f"{of_all} ended with a fault. The first, {first.outcome}: {first.message}.", first


@score.register
def _(test: Solves, assignment: Assignment, result: Result) -> tuple[float, str, Played | None]:
    missed = [play for play in result.plays if play.outcome is not Outcome.SOLVED]
    share = 1 - len(missed) / len(result.plays)
    said = f"It solved {share:.1%} of {number_of(len(result.plays), 'puzzle')}; required: {test.share:.0%}."
    return float(share >= test.share - 1e-9), said, missed[0] if missed else None


@score.register
def _(test: Mean, assignment: Assignment, result: Result) -> tuple[float, str, Played | None]:
    mean = mean_of(assignment, result)
    share = min(1.0, max(0.0, (test.none - mean) / (test.none - test.full)))
    said = f"It took {mean:.4f} guesses on average; all points at {test.full:g}, none at {test.none:g}."
    turns = counted(result.plays, assignment.game.cap)
    return share, said, result.plays[turns.index(max(turns))]


def mean_of(assignment: Assignment, result: Result) -> float:
    """Return the mean number of guesses. If every answer was played, answers count with their weights."""
    turns = counted(result.plays, assignment.game.cap)
    weights = assignment.game.answer_weights if result.is_tree else None
    return float(np.average(turns, weights=weights))


def first_fix(grade: Grade) -> str:
    """Return what a student should fix first, in a sentence or two, or an empty text if nothing is missing."""
    missing = [score for score in grade.scores if not score.passed]
    if not missing:
        return ""
    broken = next((score for score in missing if not isinstance(score.test, Mean | Solves)), None)
    if broken is not None:
        return broken.output
    worst = max(missing, key=lambda score: score.test.points - score.points)
    lost = rounded(worst.test.points - worst.points)
    return f"Nothing is broken. Most can be gained here, {lost:g} points: {worst.test.title}."


def rounded(points: float) -> float:
    """Return a number of points with two digits after the point."""
    return round(points + 1e-9, 2)
