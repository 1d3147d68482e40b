"""`Program`: a strategy that runs outside this process, in any language."""

import hashlib
import os
import pickle
import re
import shlex
import shutil
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Self, cast

from pydantic import PrivateAttr, field_validator

from wordle_kit.errors import StrategyError
from wordle_kit.faults import send_text
from wordle_kit.game.game import Game
from wordle_kit.hookspecs import hookimpl
from wordle_kit.identity import file_of
from wordle_kit.plugin_files import Source
from wordle_kit.programs.process import Process
from wordle_kit.programs.protocol import (
    VERSION,
    Answer,
    Guess,
    Message,
    ProgramError,
    Ready,
    game_message,
    position_message,
)
from wordle_kit.programs.sandbox import PYTHON, Limits, Sandbox
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy, per_instance
from wordle_kit.texts import kebab_case, one_line, terminal
from wordle_kit.tournaments.deadline import DEADLINE

SERVE = ("-P", "-m", "wordle_kit.programs.serve")
"""The arguments with which Python serves a file's strategy."""

SAYS_NOTHING = "it does not say why"


class Program(Strategy):
    """Let another program make the guesses, in any language: see docs/protocol.md.

    The program is started when a game begins, and kept until this thread plays another game or program. If it ends, it
    is restarted.
    """

    name: ClassVar[str] = "program"

    argv: tuple[str, ...] | str | None = None
    """The program and its arguments, as a list, or as a command line in the syntax of a shell."""
    reads: tuple[str, ...] = ()
    """Files and folders that the program reads, in addition to those in the command line."""

    _sandbox: Sandbox | None = PrivateAttr(None)
    _ready: Ready | None = PrivateAttr(None)

    @classmethod
    def serving(
        cls,
        file: Path,
        sandbox: Sandbox | None,
        *,
        allow: Iterable[str] | None = None,
        forbid: Iterable[str] = (),
        name: str | None = None,
    ) -> Self:
        """Return the program that serves the one strategy of a Python file, in a sandbox or as a plain process.

        With `allow`, the file may import only these modules, besides Python's own and wordle_kit; `forbid` lists names
        that it may not use. Messages call the file `name`.
        """
        words = [PYTHON, *SERVE, os.path.abspath(file)]  # noqa: PTH100 - links stay links
        words += [] if allow is None else [f"--allow={','.join(allow)}"]
        words += [f"--forbid={name}" for name in forbid]
        words += [] if name is None else [f"--name={name}"]
        return cls(argv=words).inside(sandbox)

    def inside(self, sandbox: Sandbox | None) -> Self:
        """Return this program in a sandbox or, for None, as a plain process."""
        twin = self.model_copy()
        twin._sandbox = sandbox
        return twin

    def with_parameters(self, parameters: dict[str, Any]) -> Self:
        """Return this program with some parameters changed, in the same sandbox."""
        return cast(Self, super().with_parameters(parameters)).inside(self._sandbox)

    @field_validator("argv", mode="before")
    @classmethod
    def _as_texts(cls, argv: object) -> object:
        return [str(word) for word in argv] if isinstance(argv, list | tuple) else argv

    @per_instance
    def by_name_only(self) -> bool:
        """Whether no program has been set, so that the strategy cannot play without parameters."""
        return self.argv is None

    @per_instance
    def stochastic(self) -> bool:
        """Whether the program says that it is random when it is asked about a game."""
        return self._ready is not None and self._ready.stochastic

    @per_instance
    def version(self) -> str:
        """Return the version that the program names when it is asked about a game."""
        return (self._ready.version if self._ready is not None else "") or "1"

    @property
    def serves(self) -> bool:
        """Whether the program is `wordle_kit.programs.serve`."""
        return not isinstance(self.argv, str) and (self.argv or ())[1:4] == SERVE

    @property
    def summary(self) -> str:
        """Empty, since programs are not asked what they do."""
        return "" if self.argv is not None else super().summary

    def problem_with(self, game: Game) -> str | None:
        """Return why the program does not start, ends before it is ready or cannot play the game, or None if it can."""
        self.stop()  # its files may have changed
        try:
            process, self._ready = self._begin(game, DEADLINE)
        except StrategyError as error:
            return str(error)
        except ProgramError as error:  # the machine may be to blame for a late answer
            return None if error.is_late else f"before it was ready, it {error}"
        process.close()
        return one_line(self._ready.problem or SAYS_NOTHING) if self._ready.type == "unable" else None

    def words(self) -> list[str]:
        """Return the command line. It begins with the full path of the program, and names files by their full paths.

        Raises StrategyError if it is missing or cannot be split into words, or if the program is not found.
        """
        if self.argv is None:
            raise StrategyError("it needs argv, the command line of a program, such as argv='node my_solver.js'")
        try:
            words = shlex.split(self.argv) if isinstance(self.argv, str) else self.argv
        except ValueError as error:
            raise StrategyError(f"argv {self.argv!r}: {str(error).lower()}") from error
        found = shutil.which(words[0]) if words else None
        if found is None:
            raise StrategyError(f"argv: there is no program {words[0] if words else ''!r}")
        # Links stay links, since an interpreter finds its packages through them.
        return [os.path.abspath(word) if os.path.isfile(word) else word for word in (found, *words[1:])]  # noqa: PTH100, PTH113

    def files(self) -> list[Path]:
        """Return the files in the command line, and others that the program reads."""
        files = [Path(word) for word in self.words()[1:] if os.path.isfile(word)]  # noqa: PTH113 - any text
        for name in self.reads:
            if not Path(name).exists():
                raise StrategyError(f"reads: there is no {name!r}")
            files += [path for path in (Path(name), *Path(name).rglob("*")) if path.is_file()]
        return list(dict.fromkeys(files))

    def identity(self) -> str:
        """Return a text that changes when the program, its arguments, its files or its limits change."""
        digest = hashlib.sha256()
        for path in self.files():
            digest.update(path.read_bytes())
        own = {str(path): path.name for path in self.files()}
        words = [own.get(word, word) for word in self.words()[1:]]
        return f"{words}|{digest.hexdigest()}|{self._sandbox}"

    def start(self, game: Game, deadline: float = DEADLINE) -> None:
        """Start the program for a game, with this deadline for each guess, unless it is already running.

        Raises ProgramError if it is not ready in time, or cannot play.
        """
        about = (os.getpid(), self, game, deadline)
        if _last.about != about or _last.process is None or not _last.process.is_open:
            end_last()
            _last.process, self._ready = self._begin(game, deadline)
            _last.about, _last.asked = about, 0
            _end_at_exit(os.getpid())
        assert self._ready is not None  # noqa: S101 - it has been started
        if self._ready.type == "unable":
            end_last()
            raise ProgramError(f"cannot play {game.name}: {self._ready.problem or SAYS_NOTHING}", died=True)
        if self._ready.error is not None:  # every guess would fail too, so a restart is useless
            raise _failed(self._ready)

    def _begin(self, game: Game, deadline: float) -> tuple[Process, Ready]:
        """Start a process, tell it the game, and return its answer. Raises ProgramError if there is none in time."""
        words, reads = self.words(), [*map(str, self.files()), *self.reads]
        message = game_message(game, deadline)
        if self.serves:
            table = game.table.stored
            message |= rule_message(game) | {"table": table and str(table), "kernels": kernel_folders(game)}
            reads += [*message["rule_files"], *([] if table is None else [str(table)])]
        process = Process(words, [words[0], *reads], self._sandbox)
        limits = Limits() if self._sandbox is None else self._sandbox.limits
        ready = process.ask(Ready.read, message, limits.start, " to be ready")
        if ready.type == "ready" and ready.protocol != VERSION:
            process.close()
            raise ProgramError(f"did not say that it is ready for version {VERSION} of the protocol", died=True)
        return process, ready

    def stop(self) -> None:
        """End the program, if this thread has started it."""
        if _last.about is not None and _last.about[1] == self:
            end_last()

    def guess(self, position: Position) -> str:
        """Return the program's guess. Raises ProgramError if it gives none; the program may then have been ended."""
        seconds = position.deadline or DEADLINE
        self.start(position.game, seconds)
        assert _last.process is not None  # noqa: S101 - it has been started
        _last.asked += 1
        asked = _last.asked
        answer = _last.process.ask(Guess.read, position_message(position, asked), seconds)
        if answer.id != asked:
            end_last()
            raise ProgramError(f"answered out of turn: {answer.id} instead of {asked}", died=True)
        if answer.error is not None:
            raise _failed(answer)
        guess: str = answer.guess  # any value is possible; the referee checks it
        return guess


def _failed(answer: Answer) -> ProgramError:
    """Return the error for an answer with an error, and send its traceback to listeners."""
    if answer.traceback is not None:
        send_text(terminal(answer.traceback))
    return ProgramError(answer.error or "", is_illegal=answer.outcome == "illegal guess")


class _Last(threading.local):
    """The process that this thread used last, and what it was asked."""

    about: tuple[int, Program, Game, float] | None = None
    process: Process | None = None
    asked = 0


_last = _Last()


def end_last() -> None:
    """End the process that this thread used last, unless another process has started it."""
    about, process = _last.about, _last.process
    vars(_last).clear()
    if process is not None and about is not None and about[0] == os.getpid():
        process.close()


@cache
def _end_at_exit(process: int) -> None:
    """End the last program when this process exits. `process` is its id, so that forked processes register again."""
    Finalize(None, end_last, exitpriority=10)


# Facts for a program that uses wordle-kit, none of which are secret


def rule_message(game: Game) -> Message:
    """Return a game's rule as a pickle, and the plugin file that defines it with the files that it imports.

    There are no such files if the rule is installed. Raises StrategyError if the rule was made at a prompt or by a
    function.
    """
    plugin, name = file_of(type(game.rule)), type(game.rule).__module__.partition(".")[0]
    modules = (
        [sys.modules[module] for module in sys.modules if module.startswith(f"{name}.")] if plugin is not None else []
    )
    files = [str(plugin)] if plugin is not None else []
    files += [str(module.__file__) for module in modules if getattr(module, "__file__", None) is not None]
    try:
        return {"rule_pickle": pickle.dumps(game.rule).hex(), "rule_files": files}
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise StrategyError(f"the rule {game.rule.name!r} cannot be sent to a program; write it in a file") from error


def kernel_folders(game: Game) -> dict[str, str]:
    """Return where numba keeps the kernels of the engine and of the game's rule, compiling them if necessary.

    Each folder is mapped to its place below the cache folder of a new process. The kernels of a rule are in a module
    `kernels` beside the module of the rule.
    """
    from numba.core.caching import _CacheLocator
    from numba.core.dispatcher import Dispatcher

    beside = f"{type(game.rule).__module__.rpartition('.')[0]}.kernels"
    folders = {}
    for module in filter(None, (load_kernels(game), sys.modules.get(beside))):
        kernel = next(value for value in vars(module).values() if isinstance(value, Dispatcher))
        folders[str(kernel.stats.cache_path)] = str(_CacheLocator.get_suitable_cache_subpath(str(module.__file__)))  # type: ignore[no-untyped-call]
    return folders


def isolated(file: Path, sandbox: Sandbox | None) -> Source:
    """Return a plugin with a program that serves a Python file and has the file's name in kebab case.

    Characters that a strategy's name may not have become hyphens.
    """
    if not file.is_file():
        raise StrategyError(f"{file}: there is no such file; a sandbox runs files, not modules")
    plugin, program = ModuleType(file.name), Program.serving(file, sandbox)
    name = re.sub(r"[^\w.:+-]+", "-", kebab_case(file.stem))
    vars(plugin)["register_strategies"] = hookimpl(lambda register: register(program, name=name))
    return Source(file.name, f"{file}, isolated", lambda: plugin)


@hookimpl
def register_strategies(register: Callable[[Strategy], None]) -> None:
    """Register the strategy that asks another program."""
    register(Program())
