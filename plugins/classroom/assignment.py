"""Assignments as TOML files: the game, what submissions may use, their time, and the tests with their points."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from wordle_kit.api import load_game
from wordle_kit.errors import WordleKitError, problem_in
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins
from wordle_kit.programs.sandbox import Limits
from wordle_kit.tournaments.chunks import TREE

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


class Test(Settings):
    """A test with its points."""

    requires: ClassVar[str]
    """What the test requires, with the names of settings in braces."""

    kind: str
    points: Points

    @property
    def title(self) -> str:
        """A sentence that says what it requires."""
        return self.requires.format_map(dict(self))


class Loads(Test):
    """The submission loads and can play the game."""

    requires: ClassVar[str] = "the submission loads"
    kind: Literal["loads"]


class Conforms(Test):
    """Every guess is a text, and the guesses are the same in a new process."""

    requires: ClassVar[str] = "it makes the same guesses when it is asked again, each a text"
    kind: Literal["conforms"]


class Legal(Test):
    """No play ended by an illegal guess, a crash or a decision that took too long."""

    requires: ClassVar[str] = "every guess is legal and in time"
    kind: Literal["legal"]


class Solves(Test):
    """The strategy solves at least a share of the puzzles within the guesses that the game allows."""

    requires: ClassVar[str] = "it solves at least {share:.0%} of the puzzles"
    kind: Literal["solves"]
    share: Annotated[float, Field(gt=0, le=1)]


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


AnyTest = Annotated[Loads | Conforms | Legal | Solves | Mean, Field(discriminator="kind")]


class ClassLimits(Limits):
    """The limits of a submission."""

    processes: Annotated[int, Field(ge=1, le=10**9)] = 32


class Definition(Settings):
    """The settings of an assignment file; docs/classroom.md explains each one."""

    title: Annotated[str, Field(min_length=1)]
    game: str
    plugins: list[str] = Field([])
    """The teacher's own files with rules. They are trusted: they run in the process that grades."""
    starter: str
    """The file that students begin with. It is played before anyone is graded."""
    allow: list[Name] = Field(["numpy"])
    """The modules that a submission may import besides Python's own and wordle_kit."""
    forbid: list[Name] = Field([])
    """Names that a submission may not use."""
    deadline: Annotated[float, Field(gt=0, le=3600)] = 10.0
    """Seconds for each guess."""
    budget: Annotated[float, Field(gt=0, le=1e6)] = 300.0
    """Seconds for all guesses of a submission."""
    limits: ClassLimits = ClassLimits()
    tests: Annotated[list[AnyTest], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_kind_once(self) -> Self:
        kinds = [test.kind for test in self.tests]
        for kind in kinds:
            if kinds.count(kind) > 1:
                raise ValueError(f"tests: there are two of the kind {kind}; keep one")
        return self


@dataclass(frozen=True)
class Assignment:
    """An assignment with its game, ready for grading."""

    path: Path
    definition: Definition
    game: Game

    @property
    def folder(self) -> Path:
        """The folder to which the paths in it are relative."""
        return self.path.parent

    @property
    def plugins(self) -> list[Path]:
        """The teacher's files with rules."""
        return [(self.folder / name).resolve() for name in self.definition.plugins]

    @property
    def starter(self) -> Path:
        """The file that students begin with."""
        return self.folder / self.definition.starter

    @property
    def most(self) -> float:
        """The sum of all points."""
        return sum(test.points for test in self.definition.tests)

    @property
    def has_tree(self) -> bool:
        """Whether a strategy that is not random plays every answer; otherwise everyone plays draws."""
        return self.game.boards == 1 and len(self.game.answers) <= TREE


def read_assignment(path: Path) -> Assignment:
    """Return the assignment in a TOML file or in its folder. Raises WordleKitError, which names what is wrong."""
    file = path / "assignment.toml" if path.is_dir() else path
    try:
        definition = Definition.model_validate(tomllib.loads(file.read_text(encoding="utf-8-sig")))
    except ValidationError as error:
        raise WordleKitError(f"{file}: {problem_in(error, Definition.model_fields)}") from error
    except (OSError, ValueError) as error:
        why = error.strerror or error if isinstance(error, OSError) else error
        raise WordleKitError(f"{file}: cannot be read: {why}") from error
    folder = file.parent
    plugins = Plugins.load([str((folder / name).resolve()) for name in definition.plugins], strict=True)
    named = folder / definition.game
    game = load_game(str(named) if named.is_file() else definition.game, plugins)
    made = Assignment(file, definition, game)
    if not made.starter.is_file():
        raise WordleKitError(f"{file}: starter: there is no file {definition.starter!r}")
    return made
