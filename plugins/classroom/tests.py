"""The tests of an assignment: what each requires of a submission, and the points that it awards."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

import wordle_kit as wk
from wordle_kit.texts import number_of
from wordle_kit.tournaments.runs import guess_count

NOT_A_TEXT = "returned "
"""The start of the message of a play that ended because a guess was not a string."""

Points = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
Guesses = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]


class Result(BaseModel):
    """The result of playing a submission: its plays, or the reason why it does not load."""

    model_config = ConfigDict(frozen=True)

    problem: str = ""
    stochastic: bool = False
    is_tree: bool = False
    """Whether it has played every answer, which makes its figures exact."""
    plays: tuple[wk.Play, ...] = ()
    difference: str = ""
    """What it did differently when asked again in a new process, if anything."""
    late: int = 0
    """The number of its guesses that were late."""

    def mean(self, game: wk.Game) -> float:
        """Return the mean number of guesses. If every answer was played, answers count with their weights."""
        turns = [guess_count(play, game.cap) for play in self.plays]
        return float(np.average(turns, weights=game.answer_weights if self.is_tree else None))


@dataclass(frozen=True)
class Score:
    """The points that a test awards, what it found, and a play that illustrates this."""

    test: "Test"
    points: float
    output: str
    worst: wk.Play | None = None

    @property
    def passed(self) -> bool:
        """Whether the test awards all its points."""
        return self.points >= self.test.points


class Settings(BaseModel):
    """The base of all parts of an assignment file: unknown settings are errors, and no value is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Test(Settings):
    """A test with its points."""

    requires: ClassVar[str]
    """The requirement of the test, with names of settings in braces."""

    kind: str
    points: Points

    @property
    def title(self) -> str:
        """A sentence that states what the test requires."""
        return self.requires.format_map(dict(self))

    def score(self, result: Result, game: wk.Game) -> Score:
        """Return the score of a submission. One that does not load gets no points in any test."""
        if result.problem:
            return Score(self, 0.0, f"It does not load: {result.problem}")
        share, output, worst = self.judge(result, game)
        return Score(self, rounded(self.points * share), output, worst)

    @abstractmethod
    def judge(self, result: Result, game: wk.Game) -> tuple[float, str, wk.Play | None]:
        """Return the share of the points earned, a message for the student, and a play that illustrates it."""


class Loads(Test):
    """The submission loads and can play the game."""

    requires: ClassVar[str] = "the submission loads"
    kind: Literal["loads"]

    def judge(self, result: Result, game: wk.Game) -> tuple[float, str, wk.Play | None]:
        """Return all points: the submission has loaded."""
        return 1.0, "", None


class Conforms(Test):
    """Every guess is a string, and a new process makes the same guesses."""

    requires: ClassVar[str] = "it makes the same guesses when it is asked again, each a text"
    kind: Literal["conforms"]

    def judge(self, result: Result, game: wk.Game) -> tuple[float, str, wk.Play | None]:
        """Return all points or none."""
        wrong = next((play for play in result.plays if play.message.startswith(NOT_A_TEXT)), None)
        if wrong is not None:
            return 0.0, f"It {wrong.message}. A guess is a text, one of the words of the game.", wrong
        if result.difference:
            why = "Keep nothing between guesses, and take random numbers from position.rng."
            return 0.0, f"Asked again in a new process, {result.difference}. {why}", None
        return 1.0, "", None


class Legal(Test):
    """No play ended with an illegal guess, a crash or a decision that took too long."""

    requires: ClassVar[str] = "every guess is legal and in time"
    kind: Literal["legal"]

    def judge(self, result: Result, game: wk.Game) -> tuple[float, str, wk.Play | None]:
        """Return all points or none, and the first fault."""
        faults = [play for play in result.plays if play.outcome.is_fault]
        if not faults:
            return 1.0, "", None
        first = next((play for play in faults if play.outcome is not wk.Outcome.NOT_ASKED), faults[0])
        of_all = f"{len(faults):,} of {number_of(len(result.plays), 'play')}"
        return 0.0, f"{of_all} ended with a fault. The first, {first.outcome}: {first.message}.", first


class Solves(Test):
    """The strategy solves at least a share of the puzzles within the guesses that the game allows."""

    requires: ClassVar[str] = "it solves at least {share:.0%} of the puzzles"
    kind: Literal["solves"]
    share: Annotated[float, Field(gt=0, le=1)]

    def judge(self, result: Result, game: wk.Game) -> tuple[float, str, wk.Play | None]:
        """Return all points or none, and the first puzzle that was not solved."""
        missed = [play for play in result.plays if play.outcome is not wk.Outcome.SOLVED]
        share = 1 - len(missed) / len(result.plays)
        said = f"It solved {share:.1%} of {number_of(len(result.plays), 'puzzle')}; required: {self.share:.0%}."
        return float(share >= self.share - 1e-9), said, missed[0] if missed else None


class Mean(Test):
    """The mean number of guesses on a scale: all points at `full`, none at `none`."""

    requires: ClassVar[str] = "few guesses on average: all points at {full:g}, none at {none:g}"
    kind: Literal["mean"]
    full: Guesses
    none: Guesses

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.full >= self.none:
            raise ValueError(f"full, {self.full:g}, must be less than none, {self.none:g}: fewer guesses are better")
        return self

    def judge(self, result: Result, game: wk.Game) -> tuple[float, str, wk.Play | None]:
        """Return the points on the scale, and the longest play."""
        mean = result.mean(game)
        share = min(1.0, max(0.0, (self.none - mean) / (self.none - self.full)))
        said = f"It took {mean:.4f} guesses on average; all points at {self.full:g}, none at {self.none:g}."
        return share, said, max(result.plays, key=lambda play: guess_count(play, game.cap))


AnyTest = Annotated[Loads | Conforms | Legal | Solves | Mean, Field(discriminator="kind")]


def rounded(points: float) -> float:
    """Return a number of points with two decimals."""
    return round(points + 1e-9, 2)
