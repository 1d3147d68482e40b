"""`Program`: a strategy outside of this process, in any language."""

import contextlib
import hashlib
import os
import pickle
import secrets
import shlex
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, ClassVar, Self
from weakref import WeakKeyDictionary

import numpy as np
from pydantic import PrivateAttr, field_validator

from wordle_kit.defaults import DEADLINE
from wordle_kit.errors import StrategyError
from wordle_kit.faults import send_text
from wordle_kit.game.game import Game
from wordle_kit.game.table import FeedbackTable, cache_folder
from wordle_kit.hookspecs import hookimpl
from wordle_kit.identity import file_of
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
from wordle_kit.texts import kebab_case, line, terminal

SERVE = ("-P", "-m", "wordle_kit.programs.serve")
"""The arguments with which Python serves the strategy of a file."""

SAYS_NOTHING = "it does not say why"

TABLES_KEPT = 8
"""The number of files with feedback tables that are kept for later commands, each of at most 256 MB by default."""


class Program(Strategy):
    """Make the guesses of another program, in any language: see docs/protocol.md.

    The program is started when a game begins, and kept until this thread plays another game or program. One that has
    ended is started again.
    """

    name: ClassVar[str] = "program"
    is_program: ClassVar[bool] = True

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

        With `allow`, the file may import only these modules, besides Python's own and wordle_kit; `forbid` are names
        that it may not use. Messages call the file `name`.
        """
        words = [PYTHON, *SERVE, os.path.abspath(file)]  # noqa: PTH100 - links stay links
        words += [] if allow is None else [f"--allow={','.join(allow)}"]
        words += [f"--forbid={each}" for each in forbid]
        words += [] if name is None else [f"--name={name}"]
        return cls(argv=words).inside(sandbox)

    def inside(self, sandbox: Sandbox | None) -> Self:
        """Return this program in a sandbox or, for None, as a plain process."""
        twin = self.model_copy()
        twin._sandbox = sandbox
        return twin

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
        """Whether the program says that it is random. It says so when it is asked about a game."""
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
        """Empty: what other people's programs do is not asked here."""
        return "" if self.argv is not None else super().summary

    def problem_with(self, game: Game) -> str | None:
        """Return why the program cannot be started, ends before it is ready or cannot play the game, else None."""
        self.stop()  # its files may have changed
        try:
            process, self._ready = self._begin(game, DEADLINE)
        except StrategyError as error:
            return str(error)
        except ProgramError as error:  # the machine may be to blame for a late answer
            return None if error.is_late else f"before it was ready, it {error}"
        process.close()
        return line(self._ready.problem or SAYS_NOTHING) if self._ready.type == "unable" else None

    def words(self) -> list[str]:
        """Return the command line. It begins with the full path of the program, and names files by their full paths.

        Raises StrategyError if it is missing, cannot be split into words, or the program is not found.
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
        """Return the files in the command line, and those that the program reads besides."""
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
        """Start the program for a game, with so many seconds for a guess, unless it runs already.

        Raises ProgramError if it is not ready in time, or cannot play.
        """
        about = (os.getpid(), self, game, deadline)
        if _mine.about != about or _mine.process is None or not _mine.process.is_open:
            end_last()
            _mine.process, self._ready = self._begin(game, deadline)
            _mine.about, _mine.asked = about, 0
            _end_at_exit(os.getpid())
        assert self._ready is not None  # noqa: S101 - it has been started
        if self._ready.type == "unable":
            end_last()
            raise ProgramError(f"cannot play {game.name}: {self._ready.problem or SAYS_NOTHING}", died=True)
        if self._ready.error is not None:  # so would every guess be; it need not be started again
            raise _failed(self._ready)

    def _begin(self, game: Game, deadline: float) -> tuple[Process, Ready]:
        """Start a process, tell it the game, and return its answer. Raises ProgramError if there is none in time."""
        words, reads = self.words(), [*map(str, self.files()), *self.reads]
        message = game_message(game, deadline)
        if self.serves:
            more = rule_message(game) | {"table": shared_table(game), "kernels": kernel_folders(game)}
            message |= more
            reads += [*more["rule_files"], *filter(None, [more["table"]])]
        process = Process(words, [words[0], *reads], self._sandbox)
        limits = Limits() if self._sandbox is None else self._sandbox.limits
        ready = process.ask(Ready.read, message, limits.start, " to be ready")
        if ready.type == "ready" and ready.protocol != VERSION:
            process.close()
            raise ProgramError(f"did not say that it is ready for version {VERSION} of the protocol", died=True)
        return process, ready

    def stop(self) -> None:
        """End the program, if this thread has started it."""
        if _mine.about is not None and _mine.about[1] == self:
            end_last()

    def guess(self, position: Position) -> str:
        """Return the guess of the program. Raises ProgramError if it gives none; then it may have been ended."""
        seconds = position.deadline or DEADLINE
        self.start(position.game, seconds)
        assert _mine.process is not None  # noqa: S101 - it has been started
        _mine.asked += 1
        asked = _mine.asked
        answer = _mine.process.ask(Guess.read, position_message(position, asked), seconds)
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


class _Mine(threading.local):
    """The process that this thread used last, and what it was asked."""

    about: tuple[int, Program, Game, float] | None = None
    process: Process | None = None
    asked = 0


_mine = _Mine()


def end_last() -> None:
    """End the process that this thread used last, unless another process has started it."""
    about, process = _mine.about, _mine.process
    vars(_mine).clear()
    if process is not None and about is not None and about[0] == os.getpid():
        process.close()


@cache
def _end_at_exit(process: int) -> None:
    """End the last program when this process exits. The id `process` makes forked processes register again."""
    Finalize(None, end_last, exitpriority=10)


# What is computed once and shared with every process: neither is a secret


_tables: "WeakKeyDictionary[FeedbackTable, str | None]" = WeakKeyDictionary()


def shared_table(game: Game) -> str | None:
    """Return the path of a file with a game's feedback codes, which programs map into memory.

    The file is in the user's cache, named after its content, for later commands too. If nothing can be written there,
    or the codes are not kept, return None: then each program computes them. The kernels of the game are compiled
    before, so that no program has to compile them.
    """
    load_kernels(game)
    place = cache_folder()
    if place is None or not game.table.is_dense:
        return None
    path = _tables.get(game.table)
    if path is None or not Path(path).exists():
        path = _tables[game.table] = _written(place, game)
    return path


def _written(place: Path, game: Game) -> str | None:
    """Write a game's feedback codes below a folder, unless they are there, and return the path if that is possible."""
    codes = game.table.whole()
    path = place.absolute() / "codes" / f"{hashlib.sha256(codes.data).hexdigest()[:32]}.npy"
    with contextlib.suppress(OSError, ValueError):  # it is missing or damaged
        if np.array_equal(np.load(path, mmap_mode="r"), codes):
            return str(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(secrets.token_hex())
        with new.open("xb") as file:
            np.save(file, codes)
        new.chmod(0o644)  # root's programs become other users
        new.replace(path)
        for old in sorted(path.parent.iterdir(), key=os.path.getmtime)[:-TABLES_KEPT]:
            old.unlink()
    except OSError:
        return None
    return str(path)


def rule_message(game: Game) -> Message:
    """Return a game's rule as Python's pickle, and the plugin's file that has it with the files that it imports.

    There are no such files if the rule is installed. Raises StrategyError if the rule was typed or made by a function.
    """
    plugin, name = file_of(type(game.rule)), type(game.rule).__module__.partition(".")[0]
    modules = [sys.modules[each] for each in sys.modules if each.startswith(f"{name}.")] if plugin is not None else []
    files = [str(plugin)] if plugin is not None else []
    files += [str(module.__file__) for module in modules if getattr(module, "__file__", None) is not None]
    try:
        return {"rule_pickle": pickle.dumps(game.rule).hex(), "rule_files": files}
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise StrategyError(f"the rule {game.rule.name!r} cannot be sent to a program; write it in a file") from error


def kernel_folders(game: Game) -> dict[str, str]:
    """Return where numba keeps the kernels of the engine and of the game's rule, compiled if they were not.

    Each folder comes with its place below the cache of a new process. Rules have theirs in a module `kernels` beside
    their own.
    """
    from numba.core.caching import _CacheLocator
    from numba.core.dispatcher import Dispatcher

    beside = f"{type(game.rule).__module__.rpartition('.')[0]}.kernels"
    folders = {}
    for module in filter(None, (load_kernels(game), sys.modules.get(beside))):
        kernel = next(value for value in vars(module).values() if isinstance(value, Dispatcher))
        folders[str(kernel.stats.cache_path)] = str(_CacheLocator.get_suitable_cache_subpath(str(module.__file__)))  # type: ignore[no-untyped-call]
    return folders


def isolated_files(files: Sequence[str | Path], sandbox: Sandbox | None) -> dict[str, Program]:
    """Return the programs that serve some Python files, by the names of the files in kebab case."""
    found: dict[str, Any] = {}
    for file in map(Path, files):
        if not file.is_file():
            raise StrategyError(f"{file}: there is no such file; a sandbox runs files, not modules")
        found[kebab_case(file.stem)] = Program.serving(file, sandbox)
    return found


@hookimpl
def register_strategies(register: Callable[[Strategy], None]) -> None:
    """Register the strategy that asks another program."""
    register(Program())
