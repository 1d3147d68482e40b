"""Strategies that live in another process: any strategy of a plugin, isolated, and any program that speaks JSON."""

import hashlib
import os
import shlex
import shutil
import threading
from abc import abstractmethod
from collections.abc import Callable
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, PrivateAttr

from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.isolation.limits import Isolation, Limits
from wordle_kit.isolation.process import LONGEST_MESSAGE, Allowance, Process
from wordle_kit.isolation.protocol import (
    LONGEST_FACTS,
    VERSION,
    NoGuess,
    ProtocolError,
    answer_of,
    game_message,
    position_message,
    printable,
)
from wordle_kit.isolation.sandbox import PYTHON, level
from wordle_kit.isolation.shared import kernel_folders, shared_table
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy, written


class Remote(Strategy):
    """A strategy whose guesses come from another process, which is started when it is first asked in a game.

    The process is kept until another game or strategy is played in this thread; one that died is started again.
    """

    _isolation: Isolation = PrivateAttr(default_factory=lambda: Isolation(sandbox="plain"))
    _deadline: float = PrivateAttr(default=10.0)

    def under(self, isolation: Isolation) -> Self:
        """Return this strategy in a sandbox and under limits."""
        twin = self.model_copy()
        twin._isolation = isolation
        return twin

    def timed(self, seconds: float) -> Self:
        """Return this strategy with so many seconds for a decision."""
        twin = self.model_copy()
        twin._deadline = seconds
        return twin

    @property
    def limits(self) -> Limits:
        """The limits of its processes."""
        return self._isolation.limits

    @property
    def inner(self) -> Strategy | None:
        """The strategy that is isolated, where this process knows it."""
        return None

    def fingerprint(self) -> str:
        """Return a text of what can change its guesses, beside its version and parameters."""
        return f"{level(self._isolation)}|{self._isolation.limits.model_dump_json()}|{self.source()}"

    @abstractmethod
    def source(self) -> str:
        """Return a hash of the program, as far as it is known."""

    @abstractmethod
    def start(self, game: Game, allowance: Allowance) -> Process:
        """Return its process, ready to play a game. Raises NoGuess where it does not get there."""

    def ready(self, game: Game) -> None:
        """Start its process, unless it is ready for this game already. Raises NoGuess where it does not get there."""
        _talk(self, game)

    def guess(self, position: Position) -> str:
        """Return the other process's guess. Raises NoGuess, having ended the process, where it gives none."""
        talk = _talk(self, position.game)
        answer = talk.ask(position, self._deadline)
        if "error" in answer:
            outcome = "illegal guess" if answer.get("outcome") == "illegal guess" else "crashed"
            raise NoGuess(printable(answer["error"], LONGEST_MESSAGE), outcome)
        guess: str = answer["guess"]
        return guess

    def _begun(self, process: Process, game: Game) -> dict[str, Any]:
        """Tell a process the game, and return that it is ready. Raises NoGuess where it is not."""
        answer = process.ask(game_message(game), self._isolation.limits.start)
        if answer.get("type") == "unable":
            process.fail(f"cannot play {game.name}: {answer.get('problem')!s:.300}")
        if answer.get("type") != "ready" or answer.get("protocol") != VERSION:
            process.fail(f"did not say that it is ready for version {VERSION} of the protocol")
        return answer


class PluginFile(BaseModel):
    """A plugin's file as it was when it was read."""

    model_config = ConfigDict(frozen=True)

    path: str
    text: bytes

    @property
    def digest(self) -> str:
        """A hash of its text."""
        return hashlib.sha256(self.text).hexdigest()


class Isolated(Remote):
    """A strategy of a plugin, in a process that loads the plugin itself."""

    registered: str
    facts: dict[str, Any]
    """What the other process said about the strategy: see `facts_of`."""
    changed: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it
    """The parameters that are not as registered."""
    plugins: tuple[str, ...] = ()
    file: PluginFile | None = None
    """The plugin's file, where only the other process loads it."""
    trusted: Strategy | None = None
    """The strategy itself, where this process has loaded its plugin too."""

    @property
    def name(self) -> str:  # type: ignore[override]  # it is another class's
        """The name of the strategy that is isolated."""
        return str(self.facts["name"])

    @property
    def version(self) -> str:  # type: ignore[override]
        """Its version."""
        return str(self.facts["version"])

    @property
    def stochastic(self) -> bool:  # type: ignore[override]
        """Whether it is random."""
        return bool(self.facts["stochastic"])

    @property
    def by_name_only(self) -> bool:  # type: ignore[override]
        """Whether it takes part only where it is named."""
        return bool(self.facts.get("by_name_only"))

    @property
    def spec(self) -> str:
        """What it is registered as, with the parameters that are not as registered."""
        changed = [f"{key}={written(value)}" for key, value in self.changed.items()]
        return f"{self.registered}({', '.join(changed)})" if changed else self.registered

    @property
    def strategies(self) -> dict[str, Strategy]:
        """No strategies that could be changed here: those of the strategy that is isolated are isolated with it."""
        return {}

    @property
    def inner(self) -> Strategy | None:
        """The strategy itself, where this process has loaded its plugin too."""
        return self.trusted

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the strategy that is isolated."""
        return dict(self.facts["parameters"])

    def with_parameters(self, parameters: dict[str, Any]) -> "Isolated":
        """Return it with some parameters changed. Raises StrategyError for those that it does not take."""
        from wordle_kit.isolation.child import facts_of
        from wordle_kit.lookup import configured

        changed = self.changed | parameters
        if self.trusted is not None:
            trusted = configured(self.trusted, parameters)
            twin = self.model_copy(update={"changed": changed, "trusted": trusted, "facts": facts_of(trusted)})
        else:
            twin = self.model_copy(update={"changed": changed})
            twin = twin.model_copy(update={"facts": twin.answered(lambda process: twin.loaded(process, 0))})
        return twin

    def problem_with(self, game: Game) -> str | None:
        """Return why it cannot play a game."""
        if self.trusted is not None:
            return self.trusted.problem_with(game)
        if self.facts["any_game"]:
            return None

        def asked(process: Process) -> str | None:
            self.loaded(process, 0)
            return process.ask(game_message(game), self._isolation.limits.start).get("problem")

        problem = self.answered(asked)
        return None if problem is None else printable(str(problem), LONGEST_MESSAGE)

    def source(self) -> str:
        """Return which strategy it is, and a hash of the plugin's file."""
        return f"{self.registered}|{'' if self.file is None else self.file.digest}"

    def start(self, game: Game, allowance: Allowance) -> Process:
        """Return a process that has loaded the strategy and knows the game."""
        process = self.process(shared_table(game), allowance)
        self.loaded(process, game.memory)
        if self._begun(process, game).get("fingerprint") != game.fingerprint:
            process.fail(f"its {game.name} is another game; is the rule {game.rule.name} the same there?")
        return process

    def process(self, table: int | None = None, allowance: Allowance | None = None) -> Process:
        """Return a process that has loaded nothing yet; `table` is the descriptor of a feedback table for it."""
        given = [] if table is None else [table]
        program = [PYTHON, "-P", "-m", "wordle_kit.isolation.child", *map(str, given)]
        reads = [name for name in self.plugins if Path(name).is_file()]
        return Process(program, reads, self._isolation, given, allowance)

    def loaded(self, process: Process, memory: int) -> dict[str, Any]:
        """Have the strategy loaded, and return its facts. Raises NoGuess where it cannot be."""
        setup = self.setup(self.registered, self.changed, memory)
        answer = process.ask(setup, self._isolation.limits.start, LONGEST_FACTS)
        if "strategy" not in answer:
            process.fail(str(answer.get("problem")))
        return dict(answer["strategy"])

    def setup(self, strategy: str | None, changed: dict[str, Any], memory: int) -> dict[str, Any]:
        """Return the message that says what to load: a strategy, or None to be told what there is."""
        return {
            "type": "setup",
            "plugins": self.plugins,
            "file": None if self.file is None else {"path": self.file.path, "bytes": self.file.text.hex()},
            "strategy": strategy,
            "parameters": changed,
            "memory": memory,
            "kernels": kernel_folders() if memory else {},
        }

    def answered(self, ask: Callable[[Process], Any]) -> Any:
        """Return what a process that is started for this answers. Raises StrategyError where it does not."""
        process = self.process()
        try:
            return ask(process)
        except NoGuess as none:
            raise StrategyError(f"{self.registered}: {none.what}") from none
        finally:
            process.close()


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


class _Talk:
    """The conversation with a process about one game."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._number = 0
        self._shown: dict[int, str] = {}

    def ask(self, position: Position, seconds: float) -> dict[str, Any]:
        self._number += 1
        answer = self.process.ask(position_message(position, self._number, self._shown), seconds)
        try:
            return answer_of(answer, self._number)
        except ProtocolError as error:
            self.process.fail(str(error))


_mine = threading.local()
"""Of each thread: the process that it talked to last."""


_tidying: set[int] = set()
"""This process, once it ends what it started as it ends itself; forked ones begin anew."""


def _talk(strategy: Remote, game: Game) -> _Talk:
    about = (os.getpid(), strategy, game, game.memory)
    if getattr(_mine, "about", None) != about:
        end_last()
        _mine.about, _mine.allowance, _mine.talk = about, Allowance(strategy.limits.cpu), None
    if _mine.talk is None or not _mine.talk.process.is_open:
        _mine.talk = _Talk(strategy.start(game, _mine.allowance))
        if os.getpid() not in _tidying:
            _tidying.add(os.getpid())
            Finalize(None, end_last, exitpriority=10)
    talk: _Talk = _mine.talk
    return talk


def end_last() -> None:
    """End the process that this thread talked to last."""
    talk = getattr(_mine, "talk", None)
    vars(_mine).clear()
    if talk is not None:
        talk.process.close()
