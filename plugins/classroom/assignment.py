"""Assignments as TOML files: the game, what submissions may use, their limits, and the tests with their points."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator
from wordle_kit_plugins.classroom.tests import AnyTest, Settings

import wordle_kit as wk
from wordle_kit.errors import problem_in
from wordle_kit.files import read_text

Name = Annotated[str, Field(pattern=r"^\w+$")]
"""A Python name."""


class ClassLimits(wk.Limits):
    """The limits of a submission."""

    processes: Annotated[int, Field(ge=1, le=10**9)] = 32


class Definition(Settings):
    """The settings of an assignment file; docs/classroom.md explains each one."""

    title: Annotated[str, Field(min_length=1)]
    game: str
    plugins: list[str] = Field([])
    """The teacher's own files with rules. They are trusted: they run in the grading process."""
    starter: str
    """The file that students start from. It is played before anyone is graded."""
    allow: list[Name] = Field(["numpy"])
    """Modules that a submission may import besides Python's own and wordle_kit."""
    forbid: list[Name] = Field([])
    """Names that a submission may not use."""
    deadline: Annotated[float, Field(gt=0, le=3600)] = 10.0
    """The number of seconds allowed for each guess."""
    budget: Annotated[float, Field(gt=0, le=1e6)] = 300.0
    """The number of seconds allowed for all guesses of a submission."""
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
    game: wk.Game

    @property
    def folder(self) -> Path:
        """The folder to which paths in the assignment file are relative."""
        return self.path.parent

    @property
    def starter(self) -> Path:
        """The file that students start from."""
        return self.folder / self.definition.starter


def read_assignment(path: Path) -> Assignment:
    """Return the assignment in a TOML file or its folder. Raises WordleKitError if it is invalid."""
    file = path / "assignment.toml" if path.is_dir() else path
    try:
        definition = Definition.model_validate(tomllib.loads(read_text(file)))
    except ValidationError as error:
        raise wk.WordleKitError(f"{file}: {problem_in(error, Definition.model_fields)}") from error
    except ValueError as error:
        raise wk.WordleKitError(f"{file}: is not TOML: {error}") from error
    plugins = wk.Plugins.load([str((file.parent / name).resolve()) for name in definition.plugins])
    named = file.parent / definition.game
    assignment = Assignment(file, definition, wk.load_game(str(named) if named.is_file() else definition.game, plugins))
    if not assignment.starter.is_file():
        raise wk.WordleKitError(f"{file}: starter: there is no file {definition.starter!r}")
    return assignment
