"""A program in any language as a strategy: see docs/protocol.md."""

import hashlib
import os
import shlex
import shutil
from pathlib import Path
from typing import Any, ClassVar

from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.isolation.process import Allowance, Process
from wordle_kit.isolation.remote import Remote
from wordle_kit.strategy.strategy import Strategy


class Command(Remote):
    """Guess what another program guesses, in any language: see docs/protocol.md."""

    name: ClassVar[str] = "command"

    argv: str | None = None
    """The command line, as a shell would read it."""
    files: tuple[str, ...] = ()
    """Files and folders that the program reads, beside those in its command line."""

    @property
    def by_name_only(self) -> bool:  # type: ignore[override]
        """Whether it has no program, and so is no strategy yet."""
        return self.argv is None

    def problem_with(self, game: Game) -> str | None:
        """Return why there is no such program."""
        try:
            self._program()
        except StrategyError as error:
            return str(error)
        return None

    def with_parameters(self, parameters: dict[str, Any]) -> Strategy:
        """Return it with another command line, under the same limits."""
        changed = super().with_parameters(parameters)
        assert isinstance(changed, Command)  # noqa: S101 - it is of this class
        return changed.under(self._isolation)

    def source(self) -> str:
        """Return a hash of the program and of the files that are named in its command line."""
        program, reads = self._program()
        digest = hashlib.sha256()
        for path in sorted(path for name in reads for path in (name, *name.rglob("*")) if path.is_file()):
            digest.update(f"{path}|{path.stat().st_size}|".encode() + path.read_bytes())
        return f"{program}|{digest.hexdigest()}"

    def start(self, game: Game, allowance: Allowance) -> Process:
        """Return the program, which knows the game."""
        program, reads = self._program()
        process = Process(program, reads, self._isolation, allowance=allowance)
        self._begun(process, game)
        return process

    def _program(self) -> tuple[list[str], list[Path]]:
        """Return the command line with full paths, and the files in it. Raises StrategyError where there is none."""
        if self.argv is None:
            raise StrategyError("it needs argv, the command line of a program, such as argv='node my_solver.js'")
        try:
            words = shlex.split(self.argv)
        except ValueError as error:
            raise StrategyError(f"argv {self.argv!r}: {str(error).lower()}") from error
        found = shutil.which(words[0]) if words else None
        if found is None:
            raise StrategyError(f"argv: there is no program {words[0] if words else ''!r}")
        reads = [_full(found)]
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


def _full(name: str) -> Path:
    """Return a full path, without `..`, but with links as they are: an interpreter finds its packages by them."""
    return Path(os.path.abspath(name))  # noqa: PTH100
