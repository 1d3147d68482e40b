"""Programs in any language, used as strategies: see docs/protocol.md."""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import field_validator

from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.isolation.protocol import game_message
from wordle_kit.isolation.remote import Remote
from wordle_kit.strategy.strategy import Strategy, per_instance
from wordle_kit.texts import line
from wordle_kit.tournaments.player import LONGEST_MESSAGE, NoGuess
from wordle_kit.tournaments.runs import Outcome

if TYPE_CHECKING:
    from wordle_kit.isolation.process import Allowance, Process

SHIM = re.compile(rb'^exec "([^"]+/(?:pyenv|rbenv|nodenv))" exec ', re.MULTILINE)
"""The line of a shim that names its version manager."""

LIKE_A_FILE = re.compile(r"[^-].*(?:/|\.[A-Za-z]\w*$)")
"""Matches words of a command line that may be files, since they contain a folder or an ending."""

NOT_READY = "before it was ready, it"

LONGEST_SHIM = 4096
"""The number of bytes of a program that are searched for that line."""


class Command(Remote):
    """Make the guesses of another program, in any language: see docs/protocol.md."""

    name: ClassVar[str] = "command"

    argv: tuple[str, ...] | str | None = None
    """The program and its arguments, as a list, or as a command line in the syntax of a shell."""
    files: tuple[str, ...] = ()
    """Files and folders that the program reads, in addition to those in the command line."""

    @field_validator("argv", mode="before")
    @classmethod
    def _as_texts(cls, argv: object) -> object:
        return [str(word) for word in argv] if isinstance(argv, list | tuple) else argv

    @per_instance
    def by_name_only(self) -> bool:
        """Whether no program has been set, so that the strategy cannot play without parameters."""
        return self.argv is None

    def problem_with(self, game: Game) -> str | None:
        """Return why the program cannot be started, ends before it is ready or cannot play the game, else None."""
        try:
            _, reads = self._program()
        except StrategyError as error:
            return str(error)
        problem = _why_unable(self, game, tuple((path.stat().st_mtime_ns, path.stat().st_size) for path in reads))
        if problem is None or not problem.startswith(NOT_READY):
            return problem
        files = (word for word in self._words()[1:] if LIKE_A_FILE.match(word))
        missing = next((word for word in files if not Path(word).exists()), None)
        return problem if missing is None else f"argv: there is no file {missing!r}; {problem}"

    def with_parameters(self, parameters: dict[str, Any]) -> Strategy:
        """Return this strategy with another command line and the same limits."""
        changed = super().with_parameters(parameters)
        assert isinstance(changed, Command)  # noqa: S101 - it is of this class
        return changed.under(self._isolation)

    def source(self) -> str:
        """Return a hash of the program and of the files in its command line."""
        program, reads = self._program()
        digest = hashlib.sha256()
        for path in sorted(path for name in reads for path in (name, *name.rglob("*")) if path.is_file()):
            digest.update(f"{path}|{path.stat().st_size}|".encode() + path.read_bytes())
        return f"{program}|{digest.hexdigest()}"

    def start(self, game: Game, allowance: "Allowance") -> "Process":
        """Start the program and tell it the game."""
        process = self._process(allowance)
        self._begin(process, game)
        return process

    def _process(self, allowance: "Allowance | None" = None) -> "Process":
        from wordle_kit.isolation.process import Process

        program, reads = self._program()
        return Process(program, [*reads, *_installation(reads[0])], self._isolation, allowance=allowance)

    def _words(self) -> Sequence[str]:
        """Return the words of the command line. Raises StrategyError if it is missing or cannot be split into words."""
        if self.argv is None:
            raise StrategyError("it needs argv, the command line of a program, such as argv='node my_solver.js'")
        try:
            return shlex.split(self.argv) if isinstance(self.argv, str) else self.argv
        except ValueError as error:
            raise StrategyError(f"argv {self.argv!r}: {str(error).lower()}") from error

    def _program(self) -> tuple[list[str], list[Path]]:
        """Return the command line with full paths, and the files in it.

        Raises StrategyError if the program is not found.
        """
        words = self._words()
        found = shutil.which(words[0]) if words else None
        if found is None:
            raise StrategyError(f"argv: there is no program {words[0] if words else ''!r}")
        reads = [_behind_shim(_full(found))]
        program = [str(reads[0])]
        for word in words[1:]:
            path = _full(word)
            is_file = path.is_file()
            program.append(str(path) if is_file else word)
            reads += [path] * is_file
        for name in self.files:
            if not Path(name).exists():
                raise StrategyError(f"files: there is no {name!r}")
            reads.append(_full(name))
        return program, reads


@lru_cache(64)
def _why_unable(program: Command, game: Game, files: tuple[tuple[int, int], ...]) -> str | None:
    """Return why a program says that it cannot play a game, or how it fails before it says so, or None.

    `files` are the times and sizes of its files. They make sure that a program that has been changed is asked again.
    """
    from wordle_kit.isolation.answers import Readiness

    process = program._process()
    try:
        answer = process.query(Readiness.read, game_message(game), program.limits.start)
    except NoGuess as none:  # the machine may be to blame for a late answer
        return None if none.failure.outcome is Outcome.TIMED_OUT else f"{NOT_READY} {none}"
    finally:
        process.close()
    return line(answer.problem or "it does not say why", LONGEST_MESSAGE) if answer.type == "unable" else None


@cache
def _behind_shim(path: Path) -> Path:
    """Return the program that a shim of pyenv, rbenv or nodenv runs. If the path is not a shim, return the path.

    Raises StrategyError if the version manager finds no such program.
    """
    with path.open("rb") as file:
        shim = SHIM.search(file.read(LONGEST_SHIM)) if path.parent.name == "shims" else None
    if shim is None:
        return path
    manager = os.fsdecode(shim[1])
    asked = subprocess.run([manager, "which", path.name], capture_output=True, text=True, check=False)  # noqa: S603
    if asked.returncode or not asked.stdout.strip():
        said = " ".join(asked.stderr.split())
        raise StrategyError(f"argv: {path} is a shim, and {manager} finds no program for it: {said}")
    return _full(asked.stdout.strip())


def _installation(program: Path) -> list[Path]:
    """Return the folder of an interpreter that a version manager installed, with its libraries; else an empty list."""
    folder = program.parent.parent
    return [folder] if program.parent.name == "bin" and folder.parent.name == "versions" else []


def _full(name: str) -> Path:
    """Return the full path without `..`. Links are not resolved: an interpreter finds its packages through them."""
    return Path(os.path.abspath(name))  # noqa: PTH100
