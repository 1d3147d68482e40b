"""The kinds of tests that an assignment can have: what each asks for, its points, and who may see it when."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]
"""When a student may see a test, in Gradescope's words."""

SampleName = Literal["public", "hidden"]

Points = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
Guesses = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]


class Settings(BaseModel):
    """What all parts of an assignment's file share: nothing is ignored, nothing converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Test(Settings):
    """A test: what it is called, what it is worth, and who sees it when."""

    sampled: ClassVar[bool] = False
    """Whether it is about plays of a sample of puzzles."""

    name: str = ""
    points: Points
    visibility: Visibility | None = None

    @property
    def on(self) -> SampleName:
        """The sample that it is about. What needs none can be seen by everyone."""
        return "public"

    @property
    def seen(self) -> Visibility:
        """When a student may see it: at once if it is public, or else once grades are published."""
        return self.visibility or ("visible" if self.on == "public" else "after_published")

    @property
    def title(self) -> str:
        """Its name, or a sentence that says what it asks for."""
        return self.name or (f"{self.asks()}, {self.on} puzzles" if self.sampled else self.asks())

    def asks(self) -> str:
        """Return what it asks for."""
        raise NotImplementedError


class Loads(Test):
    """The submission can be loaded and can play the game."""

    kind: Literal["loads"]

    def asks(self) -> str:
        """Return what it asks for."""
        return "the submission loads"


class Conforms(Test):
    """It keeps the promises of a strategy, on the game of the assignment."""

    kind: Literal["conforms"]

    def asks(self) -> str:
        """Return what it asks for."""
        return "it keeps the promises of a strategy"


class SampledTest(Test):
    """A test that is about plays of a sample."""

    sampled: ClassVar[bool] = True

    sample: SampleName = "hidden"

    @property
    def on(self) -> SampleName:
        """The sample that it is about."""
        return self.sample


class Legal(SampledTest):
    """No play ended by an illegal guess, a crash or a decision that took too long."""

    kind: Literal["legal"]

    def asks(self) -> str:
        """Return what it asks for."""
        return "every guess is legal"


class Solves(SampledTest):
    """It solves at least a share of the puzzles, with the guesses that the game allows."""

    kind: Literal["solves"]
    share: Annotated[float, Field(gt=0, le=1)]

    def asks(self) -> str:
        """Return what it asks for."""
        return f"it solves at least {self.share:.0%} of the puzzles"


class Mean(SampledTest):
    """The mean number of guesses is at most this, or on a scale: all points at `full`, none at `none`."""

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
        """Return what it asks for."""
        if self.at_most is not None:
            return f"it takes at most {self.at_most:g} guesses on average"
        return f"few guesses on average: all points at {self.full:g}, none at {self.none:g}"


class Beats(SampledTest):
    """Its mean is below that of another strategy, by more than nothing and by at least a margin."""

    kind: Literal["beats"]
    strategy: str
    margin: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 0.0

    def asks(self) -> str:
        """Return what it asks for."""
        return f"it beats {self.strategy}" + (f" by {self.margin:g} guesses on average" if self.margin else "")


class Time(SampledTest):
    """A decision takes at most so many milliseconds on average, on the machine that grades."""

    kind: Literal["time"]
    ms: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]

    def asks(self) -> str:
        """Return what it asks for."""
        return f"a decision takes at most {self.ms:g} ms on average"


AnyTest = Annotated[Loads | Conforms | Legal | Solves | Mean | Beats | Time, Field(discriminator="kind")]
