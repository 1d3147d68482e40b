"""Assignments as TOML files: the game, the puzzles, the limits, and the tests with their points."""

import math
import statistics
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from wordle_kit.api import load_game, load_puzzles, load_strategy
from wordle_kit.arguments import problem_in
from wordle_kit.classroom.draws import Draws, GradingPolicy, draws
from wordle_kit.code_rules import CodeRules
from wordle_kit.deadline import Allotment
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.isolation.supervision import TREE
from wordle_kit.plugins import Plugins
from wordle_kit.sandbox.limits import Count, Limits
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import StoredRun, counted
from wordle_kit.tournaments.tournament import Tournament

# Tests


Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]
"""When a student may see a test, in Gradescope's terms."""

SampleName = Literal["all", "public", "hidden"]
"""Puzzles that a test is about.

`all` has each answer once; random strategies, and all strategies in large games, get draws of their own instead.
`public` has the puzzles that students try at home. `hidden` has the teacher's own, if there are any.
"""

Points = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
Guesses = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]


def _name(text: str) -> str:
    if not text.isidentifier():
        raise ValueError(f"{text!r} is not a name such as numpy")
    return text


Name = Annotated[str, AfterValidator(_name)]
"""A name in Python."""


class Settings(BaseModel):
    """The base of all parts of an assignment file: no setting is ignored, and no value is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


OWN_COLUMNS = {"name", "rank", "score", "error", "of", "remarks", "outcome"}
"""The columns of the table of grades, other than those of tests."""


class Test(Settings):
    """A test: its name, its points, and when students may see it."""

    requires: ClassVar[str]
    """What the test requires, with the names of settings in braces."""

    name: str = ""
    points: Points
    visibility: Visibility | None = None

    @property
    def on(self) -> SampleName:
        """The sample that the test is about. A test without a sample counts as public."""
        return self.sample if isinstance(self, SampledTest) else "public"

    @property
    def seen(self) -> Visibility:
        """When a student may see the test; by default immediately, unless it is about hidden puzzles."""
        return self.visibility or ("after_published" if self.on == "hidden" else "visible")

    @property
    def title(self) -> str:
        """Its name, or a sentence that says what it requires."""
        return self.name or self.asks() + (f", {self.on} puzzles" if isinstance(self, SampledTest) else "")

    @property
    def label(self) -> str:
        """Its name, or its kind with its settings: short enough for the header of a table."""
        own = [value for key, value in self if key not in Test.model_fields and key != "kind"]
        settings = [
            f"{value:g}" if isinstance(value, float) else str(value) for value in own if value and value != "all"
        ]
        return self.name or " ".join([dict(self)["kind"], *settings])

    def asks(self) -> str:
        """Return what the test requires."""
        return self.requires.format_map(dict(self))


class Loads(Test):
    """The submission loads and can play the game."""

    requires: ClassVar[str] = "the submission loads"

    kind: Literal["loads"]


class Conforms(Test):
    """The strategy keeps the promises of a strategy on the game of the assignment."""

    requires: ClassVar[str] = "it keeps the promises of a strategy"

    kind: Literal["conforms"]


class SampledTest(Test):
    """A test about plays of a sample."""

    sample: SampleName = "all"


class Legal(SampledTest):
    """No play ended by an illegal guess, a crash or a decision that took too long."""

    requires: ClassVar[str] = "every guess is legal"

    kind: Literal["legal"]


class Reproducible(SampledTest):
    """The strategy makes the same guesses when some puzzles are played again in a new process."""

    requires: ClassVar[str] = "it makes the same guesses when it is asked again"

    kind: Literal["reproducible"]


class Solves(SampledTest):
    """The strategy solves at least a share of the puzzles within the guesses that the game allows."""

    requires: ClassVar[str] = "it solves at least {share:.0%} of the puzzles"

    kind: Literal["solves"]
    share: Annotated[float, Field(gt=0, le=1)]


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
    """The mean is below that of another strategy: all points if by a margin, none if not at all, or in proportion."""

    requires: ClassVar[str] = "it beats {strategy}: all points at {margin:g} guesses fewer on average"

    kind: Literal["beats"]
    strategy: str
    margin: Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)] = 0.1


class Time(SampledTest):
    """A decision takes at most this many milliseconds of processor time on average, on the machine that grades."""

    requires: ClassVar[str] = "a decision takes at most {ms:g} ms on average"

    kind: Literal["time"]
    ms: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


AnyTest = Annotated[Loads | Conforms | Legal | Reproducible | Solves | Mean | Beats | Time, Field(discriminator="kind")]


# Assignments


ERROR = 0.02
"""The standard error, in guesses, of a mean over draws."""

USUAL_DRAWS = 2000
"""The number of draws for a strategy that has not played yet."""

FEWEST_DRAWS, MOST_DRAWS = 1000, 10_000
"""The bounds of the number of draws for a strategy that has played the public puzzles."""

FEWEST_IN_TIME = 100
"""The least number of draws for a slow strategy. It has to play them even if it has too little time."""


class Sample(Settings):
    """Puzzles: a number drawn with a seed, or those in a file."""

    count: Annotated[int, Field(ge=1)] | None = None
    file: str | None = None
    seed: int = 0

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.count is None) == (self.file is None):
            raise ValueError("give either count, with a seed, or file")
        return self


class ClassLimits(Limits):
    """Limits of a submission. It may start fewer processes, because they take time from other submissions."""

    processes: Count = 16


class Hidden(Settings):
    """The teacher's own puzzles, in a file that students do not have."""

    file: str


class AssignmentDefinition(Settings):
    """The settings of an assignment file; docs/classroom.md explains each one."""

    title: Annotated[str, Field(min_length=1)]
    game: str
    plugins: list[str] = Field([])
    """The teacher's own files with rules. They are trusted: they run in the process that grades."""
    starter: str | None = None
    """The file that students begin with, so that those who do not change it are not listed as look-alikes."""
    allow: list[Name] = Field(["numpy"])
    """The modules that a submission may import besides Python's own and wordle_kit."""
    forbid: list[Name] = Field([])
    """Names that a submission may not use."""
    deadline: Annotated[float, Field(gt=0, le=3600)] = 10.0
    budget: Annotated[float, Field(gt=0, le=1e6)] = 300.0
    """Seconds that a submission has in total: to load, for the checks of `conforms`, and for all its plays."""
    baselines: list[str] = Field([])
    limits: ClassLimits = ClassLimits()
    public: Sample
    hidden: Hidden | None = None
    tests: Annotated[list[AnyTest], Field(min_length=1)]

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        titles = [test.title for test in self.tests]
        for number, title in enumerate(titles, start=1):
            if title in titles[: number - 1]:
                raise ValueError(f"tests: two are called {title!r}; give one of them a name of its own")
        labels = [test.label for test in self.tests]
        for label in labels:
            if label in OWN_COLUMNS:
                raise ValueError(f"tests: {label!r} is another column of the table of grades; choose another name")
            if labels.count(label) > 1:
                raise ValueError(f"tests: two are shown as {label!r} in tables; give one of them a name of its own")
        return self


@dataclass(frozen=True)
class Assignment:
    """An assignment with its game, its puzzles and the trusted plugins, ready for grading."""

    path: Path
    definition: AssignmentDefinition
    plugins: Plugins
    game: Game
    samples: dict[SampleName, Puzzles]
    """The puzzles of each sample, the public one first. Where these are draws, each strategy gets draws of its own."""

    @property
    def folder(self) -> Path:
        """The folder to which the paths in it are relative."""
        return self.path.parent

    @property
    def rules(self) -> CodeRules:
        """What the code of a submission may import and name."""
        return CodeRules(tuple(self.definition.allow), tuple(self.definition.forbid))

    @property
    def tests(self) -> list[AnyTest]:
        """The tests that can be graded with the available samples."""
        return [test for test in self.definition.tests if test.on in self.samples]

    @cached_property
    def others(self) -> dict[str, Entrant]:
        """The baselines and the strategies to beat, by their names in the file."""
        named = [*self.definition.baselines, *(test.strategy for test in self.tests if isinstance(test, Beats))]
        others = {}
        for spec in dict.fromkeys(named):
            try:
                strategy = load_strategy(spec, self.plugins)
                if (problem := strategy.problem_with(self.game)) is not None:
                    raise WordleKitError(f"{spec} cannot play {self.game.name}: {problem}")
            except WordleKitError as error:
                raise WordleKitError(f"{self.path}: {error}") from error
            others[spec] = Entrant(spec, strategy, "baseline")
        return others

    @property
    def time_for_checks(self) -> Allotment:
        """The time for loading a submission and for the checks of `conforms`: a third of the budget."""
        seconds = self.definition.budget / 3
        return Allotment(seconds, f"the {seconds:.4g} s that a submission has for its checks were spent")

    def time_for_plays(self, sample: SampleName, used: float) -> Allotment:
        """Return the time for a submission to play a sample, if it took `used` seconds before it began to play.

        The remaining time is divided equally among the puzzles of all samples, so one sample cannot use another's time.
        """
        budget = self.definition.budget
        part = len(self.samples[sample]) / sum(map(len, self.samples.values()))
        seconds = max(0.0, budget - used) * part
        return Allotment(seconds, f"its share of the {budget:.6g} s that a submission has was spent")

    def puzzles_for(self, sample: SampleName, entrant: Entrant, tried: StoredRun | None, seconds: float) -> Puzzles:
        """Return the puzzles of a sample for one entrant, which may be draws of its own.

        The number of draws makes the standard error of the mean at most ERROR, estimated from the plays of the public
        puzzles, `tried`. There are fewer if the strategy is too slow to play them within this many seconds. The draws
        do not affect their own number, so luck cannot either.
        """
        puzzles = self.samples[sample]
        is_random = entrant.strategy.stochastic and entrant.player.is_untrusted
        if not (isinstance(puzzles, Draws) or (sample == "all" and is_random)):
            return puzzles
        count, affordable = USUAL_DRAWS, math.inf
        if tried is not None and len(tried.plays) > 1:
            spread = statistics.stdev(counted(play, tried.facts.cap) for play in tried.plays)
            count = min(max(math.ceil((_at_most(spread, len(tried.plays)) / ERROR) ** 2), FEWEST_DRAWS), MOST_DRAWS)
            affordable = seconds * len(tried.plays) / (2 * tried.seconds) if tried.seconds else math.inf
        count = int(min(count, max(affordable, FEWEST_IN_TIME)))
        return draws(self.game, count, f"{entrant.label} {entrant.identity}")

    def is_repeated(self, sample: SampleName) -> bool:
        """Return whether a test is about plays of a sample that are repeated."""
        return any(isinstance(test, Reproducible) and test.on == sample for test in self.tests)

    def shows_differences(self, strategy: Strategy) -> bool:
        """Return whether a strategy plays the public puzzles a second time, with all others, in a new process."""
        return "all" in self.samples and not (isinstance(self.samples["all"], Draws) or strategy.stochastic)

    def tournament(
        self, sample: SampleName, entrant: Entrant, used: float | None = None, tried: StoredRun | None = None
    ) -> Tournament:
        """Return the tournament of one entrant on a sample. Its time is not limited if `used` is None."""
        time = Allotment(math.inf, "") if used is None else self.time_for_plays(sample, used)
        puzzles = self.puzzles_for(sample, entrant, tried, time.seconds)
        is_known = sample == "public"  # to students, so that memory tells a program no more than its author
        policy = GradingPolicy(
            time.seconds / len(puzzles),
            time.reason,
            one_process=is_known or isinstance(puzzles, Draws),
            repeats=self.is_repeated(sample) or (is_known and not self.shows_differences(entrant.strategy)),
        )
        return Tournament(self.game, puzzles, (entrant,), deadline=self.definition.deadline, policy=policy)


def read_assignment(path: Path, *, without_hidden: bool = False) -> Assignment:
    """Return the assignment in a TOML file, or in the file `assignment.toml` of a folder.

    Raises WordleKitError, naming the file and the field. With `without_hidden` the hidden puzzles are not read.
    """
    path = path / "assignment.toml" if path.is_dir() else path
    definition = _definition(path)
    folder = path.parent
    plugins = Plugins.load([str((folder / name).resolve()) for name in definition.plugins], strict=True)
    here = folder / definition.game
    named = here if here.suffix == ".toml" else definition.game
    plugins = plugins.for_game(named)
    game = load_game(named, plugins)
    samples: dict[SampleName, Puzzles] = {"public": _puzzles(game, definition.public, path, "public")}
    if any(test.on == "all" for test in definition.tests):
        whole = game.boards == 1 and len(game.answers) <= TREE
        samples["all"] = load_puzzles(game) if whole else draws(game, USUAL_DRAWS)
    if definition.hidden is not None and not without_hidden:
        samples["hidden"] = _puzzles(game, Sample(file=definition.hidden.file), path, "hidden")
    assignment = Assignment(path, definition, plugins, game, samples)
    if not assignment.tests:
        raise WordleKitError(f"{path}: tests: all are about hidden puzzles; add one about others")
    if not without_hidden and len(assignment.tests) < len(definition.tests):
        raise WordleKitError(f"{path}: hidden: a test uses hidden puzzles; name their file")
    return assignment


def _at_most(spread: float, n: int) -> float:
    """Return an upper bound of the true standard deviation, given that of a sample of size n.

    It is the upper end of the 95% confidence interval by the chi-squared distribution. The distribution's quantile is
    approximated as by Wilson and Hilferty (1931).
    """
    part = 2 / (9 * (n - 1))
    quantile = statistics.NormalDist().inv_cdf(0.025)
    return spread / math.sqrt(max(1 - part + quantile * math.sqrt(part), 0.1) ** 3)


def _definition(path: Path) -> AssignmentDefinition:
    try:
        fields: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        return AssignmentDefinition.model_validate(fields)
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        raise WordleKitError(f"{path}: {problem_in(error, AssignmentDefinition.model_fields)}") from error
    except (ValueError, RecursionError) as error:
        raise WordleKitError(f"{path}: is not valid TOML: {error}") from error


def _puzzles(game: Game, sample: Sample, path: Path, field: SampleName) -> Puzzles:
    try:
        source = sample.count if sample.file is None else path.parent / sample.file
        drawn = sample.file is not None and game.is_weighted  # then likely answers are there more often
        return load_puzzles(game, source, sample.seed, is_sample=drawn)
    except WordleKitError as error:
        raise WordleKitError(f"{path}: {field}: {error}") from error
