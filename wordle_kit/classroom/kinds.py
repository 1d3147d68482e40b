"""The kinds of tests that an assignment can have: what each requires, its points, and when students may see it."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]
"""When a student may see a test, in Gradescope's terms."""

SampleName = Literal["all", "public", "hidden"]
"""Puzzles that a test is about.

All of the game: each answer once, or, for random strategies and large games, draws of a submission's own. The public
ones, which students try at home. The teacher's hidden ones, if there are any.
"""

Points = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
Guesses = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]


class Settings(BaseModel):
    """The base of all parts of an assignment file: no setting is ignored, and no value is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Test(Settings):
    """A test: its name, its points, and when students may see it."""

    sampled: ClassVar[bool] = False
    """Whether the test is about plays of a sample of puzzles."""

    name: str = ""
    points: Points
    visibility: Visibility | None = None

    @property
    def on(self) -> SampleName:
        """The sample that the test is about. A test without a sample counts as public."""
        return "public"

    @property
    def seen(self) -> Visibility:
        """When a student may see the test; by default immediately, unless it is about hidden puzzles."""
        return self.visibility or ("after_published" if self.on == "hidden" else "visible")

    @property
    def title(self) -> str:
        """Its name, or a sentence that says what it requires."""
        return self.name or (f"{self.asks()}, {self.on} puzzles" if self.sampled else self.asks())

    def asks(self) -> str:
        """Return what the test requires."""
        raise NotImplementedError


class Loads(Test):
    """The submission loads and can play the game."""

    kind: Literal["loads"]

    def asks(self) -> str:
        """Return what the test requires."""
        return "the submission loads"


class Conforms(Test):
    """The strategy keeps the promises of a strategy on the game of the assignment."""

    kind: Literal["conforms"]

    def asks(self) -> str:
        """Return what the test requires."""
        return "it keeps the promises of a strategy"


class SampledTest(Test):
    """A test about plays of a sample."""

    sampled: ClassVar[bool] = True

    sample: SampleName = "all"

    @property
    def on(self) -> SampleName:
        """The sample that the test is about."""
        return self.sample


class Legal(SampledTest):
    """No play ended by an illegal guess, a crash or a decision that took too long."""

    kind: Literal["legal"]

    def asks(self) -> str:
        """Return what the test requires."""
        return "every guess is legal"


class Reproducible(SampledTest):
    """The strategy makes the same guesses when some puzzles are played again in a new process."""

    kind: Literal["reproducible"]

    def asks(self) -> str:
        """Return what the test requires."""
        return "it makes the same guesses when it is asked again"


class Solves(SampledTest):
    """The strategy solves at least a share of the puzzles within the guesses that the game allows."""

    kind: Literal["solves"]
    share: Annotated[float, Field(gt=0, le=1)]

    def asks(self) -> str:
        """Return what the test requires."""
        return f"it solves at least {self.share:.0%} of the puzzles"


class Mean(SampledTest):
    """The mean number of guesses is at most a limit, or on a scale: all points at `full`, none at `none`."""

    kind: Literal["mean"]
    at_most: Guesses | None = None
    full: Guesses | None = None
    none: Guesses | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        scale = self.full is not None and self.none is not None
        if (self.at_most is not None) == scale or (self.full is None) != (self.none is None):
            raise ValueError("give either at_most, or full and none")
        if self.full is not None and self.none is not None and self.full >= self.none:
            raise ValueError(f"full, {self.full:g}, must be less than none, {self.none:g}: fewer guesses are better")
        return self

    def asks(self) -> str:
        """Return what the test requires."""
        if self.at_most is not None:
            return f"it takes at most {self.at_most:g} guesses on average"
        return f"few guesses on average: all points at {self.full:g}, none at {self.none:g}"


class Beats(SampledTest):
    """The mean is below that of another strategy, by at least a margin."""

    kind: Literal["beats"]
    strategy: str
    margin: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 0.0

    def asks(self) -> str:
        """Return what the test requires."""
        return f"it beats {self.strategy}" + (f" by {self.margin:g} guesses on average" if self.margin else "")


class Time(SampledTest):
    """A decision takes at most this many milliseconds of processor time on average, on the machine that grades."""

    kind: Literal["time"]
    ms: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]

    def asks(self) -> str:
        """Return what the test requires."""
        return f"a decision takes at most {self.ms:g} ms on average"


AnyTest = Annotated[Loads | Conforms | Legal | Reproducible | Solves | Mean | Beats | Time, Field(discriminator="kind")]
