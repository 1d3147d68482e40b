"""Assignments as TOML files: the game, the puzzles, the limits, and the tests with their points."""

import tomllib
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from wordle_kit.api import load_game, load_puzzles, load_strategy
from wordle_kit.arguments import problem_in
from wordle_kit.classroom.kinds import AnyTest, Beats, SampleName, Settings
from wordle_kit.deadline import Allotment
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.isolation.limits import Limits
from wordle_kit.plugins import Plugins
from wordle_kit.tournaments.chance import check_secret
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles

UNGUESSABLE = 2**64
"""The smallest seed that may draw hidden puzzles: nobody can try all smaller ones."""


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


class AssignmentDefinition(Settings):
    """The settings of an assignment file; docs/classroom.md explains each one."""

    title: Annotated[str, Field(min_length=1)]
    game: str
    plugins: list[str] = Field([])
    """The teacher's own files with rules. They are trusted: they run in the process that grades."""
    starter: str | None = None
    """The file that students begin with, so that those who do not change it are not listed as look-alikes."""
    secret: str | None = None
    """The teacher's own file with the secret for random numbers, to get the same grades in any folder of results."""
    deadline: Annotated[float, Field(gt=0, le=3600)] = 10.0
    budget: Annotated[float, Field(gt=0, le=1e6)] = 300.0
    """Seconds that a submission has in total: to load, for the checks of `conforms`, and for all its plays."""
    due: datetime | None = None
    late: Annotated[float, Field(ge=0, le=1e6)] = 0.0
    """Points that each day of lateness costs."""
    times: str | None = None
    roster: str | None = None
    overrides: str | None = None
    baselines: list[str] = Field([])
    limits: Limits = Limits()
    public: Sample
    hidden: Sample | None = None
    tests: Annotated[list[AnyTest], Field(min_length=1)]

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        titles = [test.title for test in self.tests]
        for number, title in enumerate(titles, start=1):
            if title in titles[: number - 1]:
                raise ValueError(f"tests: two are called {title!r}; give one of them a name of its own")
        if self.times is not None and not self.late:
            raise ValueError("times: also needs late, the points that each day costs; give both")
        return self


@dataclass(frozen=True)
class Assignment:
    """An assignment with its game, its puzzles and the trusted plugins, ready for grading."""

    path: Path
    definition: AssignmentDefinition
    plugins: Plugins
    game: Game
    samples: dict[SampleName, Puzzles]

    @property
    def folder(self) -> Path:
        """The folder to which the paths in it are relative."""
        return self.path.parent

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
                problem = strategy.problem_with(self.game)
            except WordleKitError as error:
                raise WordleKitError(f"{self.path}: {error}") from error
            if problem is not None:
                raise WordleKitError(f"{self.path}: {spec} cannot play {self.game.name}: {problem}")
            others[spec] = Entrant(spec, strategy, "baseline")
        return others

    @cached_property
    def secret(self) -> str | None:
        """The secret in the file that the assignment names, or None if it names none.

        Raises WordleKitError if the file cannot be read or has no valid secret.
        """
        if self.definition.secret is None:
            return None
        path = self.folder / self.definition.secret
        try:
            return check_secret(path.read_text(encoding="utf-8").strip())
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text"
            raise WordleKitError(f"{self.path}: secret: {path} cannot be read: {why}") from error
        except WordleKitError as error:
            raise WordleKitError(f"{path}: {error}") from error

    @property
    def time_for_checks(self) -> Allotment:
        """The time for loading a submission and for the checks of `conforms`: a third of the budget."""
        seconds = self.definition.budget / 3
        return Allotment(seconds, f"the {seconds:.4g} s that a submission has for its checks were spent")

    def time_for_plays(self, sample: SampleName, used: float) -> Allotment:
        """Return the time of a submission for its plays of a sample, having used some seconds before it plays.

        The remaining time is divided among all puzzles, so that the time of one sample does not affect another.
        """
        budget = self.definition.budget
        part = len(self.samples[sample]) / sum(len(puzzles) for puzzles in self.samples.values())
        seconds = max(0.0, budget - used) * part
        return Allotment(seconds, f"its share of the {budget:.6g} s that a submission has was spent")


def read_assignment(path: Path, *, public_only: bool = False) -> Assignment:
    """Return the assignment in a TOML file, or in the file `assignment.toml` of a folder.

    Raises WordleKitError, naming the file and the field. With `public_only` the hidden puzzles are not read.
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
    if definition.hidden is not None and not public_only:
        samples["hidden"] = _puzzles(game, definition.hidden, path, "hidden")
    assignment = Assignment(path, definition, plugins, game, samples)
    if not assignment.tests or (not public_only and len(assignment.tests) < len(definition.tests)):
        which = "public" if public_only else "hidden"
        problem = "no test uses public puzzles; add one" if public_only else "a test uses hidden puzzles; add them"
        raise WordleKitError(f"{path}: {which}: {problem}")
    return assignment


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
    if field == "hidden" and sample.count is not None and sample.seed < UNGUESSABLE:
        raise WordleKitError(
            f"{path}: hidden.seed: {sample.seed} can be found by trying, and so can the hidden puzzles; give one that "
            'python3 -c "import secrets; print(secrets.randbits(128))" prints, or a file'
        )
    try:
        source = sample.count if sample.file is None else path.parent / sample.file
        drawn = sample.file is not None and game.is_weighted  # then likely answers are there more often
        return load_puzzles(game, source, sample.seed, is_sample=drawn)
    except WordleKitError as error:
        raise WordleKitError(f"{path}: {field}: {error}") from error
