"""Strategies that run in another process. The process is started when it is needed and kept while it is used."""

import os
import threading
from abc import abstractmethod
from functools import cache, partial
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Self

from pydantic import PrivateAttr

from wordle_kit.faults import send_text
from wordle_kit.game.game import Game
from wordle_kit.isolation.protocol import VERSION, game_message, position_message
from wordle_kit.sandbox.limits import Confinement, Limits
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import line, terminal
from wordle_kit.tournaments.player import LONGEST_MESSAGE, NoGuess, Player
from wordle_kit.tournaments.runs import Outcome

if TYPE_CHECKING:  # every command loads this file: one registered strategy is such a program
    from wordle_kit.isolation.answers import Guess, Readiness
    from wordle_kit.isolation.process import Allowance, Process
    from wordle_kit.isolation.supervision import Supervision


class Remote(Strategy, Player):
    """A strategy that runs in another process. It is also its own player.

    The process is started when it is first asked in a game. It is kept until this thread plays another game or
    strategy. A process that died is started again.
    """

    _isolation: Confinement = PrivateAttr(default_factory=lambda: Confinement(sandbox="plain"))
    _deadline: float = PrivateAttr(default=10.0)

    @property
    def strategy(self) -> Self:
        """The strategy itself."""
        return self

    def under(self, isolation: Confinement) -> Self:
        """Return this strategy with the sandbox and the limits of `isolation`."""
        twin = self.model_copy()
        twin._isolation = isolation
        return twin

    def with_deadline(self, seconds: float) -> Self:
        """Return this strategy with this many seconds for a decision."""
        twin = self.model_copy()
        twin._deadline = seconds
        return twin

    def for_elsewhere(self) -> Self:
        """Return this strategy for use on other machines, which must have the same sandbox as this machine."""
        from wordle_kit.sandbox.levels import settled

        return self.under(settled(self._isolation))

    @property
    def is_isolated(self) -> bool:
        """Whether its code runs in another process: always."""
        return True

    @property
    def policy(self) -> "Supervision":
        """The policy by which its chunks are played."""
        from wordle_kit.isolation.supervision import Supervision

        return Supervision()

    @property
    def restart_limit(self) -> int:
        """How many times its process may end and be restarted within a group of puzzles."""
        return self.limits.restarts

    @property
    def limits(self) -> Limits:
        """The limits of its processes."""
        return self._isolation.limits

    def prepare_workers(self, game: Game) -> None:
        """Do nothing, since worker processes share nothing that a program needs."""

    def end_process(self, *, for_good: bool = False) -> None:
        """End its process, with everything that the process remembers. The next question starts a new one."""
        if for_good:
            end_last()
        elif (process := self._own_process()) is not None:
            process.close()

    def processor_seconds(self) -> float:
        """Return the seconds of processor time that its processes in this thread took for decisions."""
        process = self._own_process()
        return 0.0 if process is None else process.thought

    def _own_process(self) -> "Process | None":
        """Return its process in this thread, even if it has ended, or None if there was none."""
        is_mine = _mine.about is not None and _mine.about[:2] == (os.getpid(), self)
        return _mine.process if is_mine else None

    def identity_of_process(self) -> str:
        """Return a text of everything that can change its guesses, except its version and parameters."""
        from wordle_kit.sandbox.levels import level

        return f"{level(self._isolation)}|{self._isolation.limits.model_dump_json()}|{self.source()}"

    @abstractmethod
    def source(self) -> str:
        """Return a text that changes when the program changes, as far as this can be known."""

    @abstractmethod
    def start(self, game: Game, allowance: "Allowance") -> "Process":
        """Start its process and prepare it for a game. Raises NoGuess if that fails."""

    def start_process(self, game: Game) -> None:
        """Start its process, if it is not ready for this game yet. Raises NoGuess if that fails."""
        _process_for(self, game)

    def guess(self, position: Position) -> str:
        """Return the guess of the other process. Raises NoGuess if there is none; then the process has been ended."""
        from wordle_kit.isolation.answers import Guess

        process = _process_for(self, position.game)
        _mine.asked += 1
        question = position_message(position, _mine.asked, _mine.shown)
        seconds = self._deadline + self.engine_seconds(position)
        answer = process.query(partial(Guess.answering, _mine.asked), question, seconds)
        if answer.error is not None:
            raise _failed(answer, Outcome.ILLEGAL if answer.outcome == Outcome.ILLEGAL else Outcome.CRASHED)
        guess: str = answer.guess  # any value is possible; the referee checks it
        return guess

    def engine_seconds(self, position: Position) -> float:
        """Return how many seconds the engine's work on this decision may take in the other process."""
        return 0.0

    def _begin(self, process: "Process", game: Game) -> "Readiness":
        """Tell a process the game, and return its answer. Raises NoGuess if it is not ready."""
        from wordle_kit.isolation.answers import Readiness

        message, doing = game_message(game, self._deadline), " to be ready"
        answer = process.query(Readiness.read, message, self.limits.start, doing=doing)
        if answer.error is not None:
            process.close()
            raise _failed(answer, Outcome.CRASHED)
        if answer.type == "unable":
            process.fail(f"cannot play {game.name}: {line(answer.problem or 'it does not say why')}")
        if answer.protocol != VERSION:
            process.fail(f"did not say that it is ready for version {VERSION} of the protocol")
        return answer


def _failed(answer: "Guess | Readiness", outcome: Outcome) -> NoGuess:
    """Return the NoGuess for an answer with an error, and send the error's traceback to listeners."""
    if answer.traceback is not None:
        send_text(terminal(answer.traceback))
    return NoGuess(line(answer.error or "", LONGEST_MESSAGE), outcome)


class _Mine(threading.local):
    """The process that this thread used last, and what it was asked."""

    about: tuple[int, Remote, Game, int] | None = None
    """The id of this process, the strategy, the game and the game's memory limit."""
    allowance: "Allowance"
    process: "Process | None" = None
    unprepared: NoGuess | None = None
    """Why the strategy could not prepare for the game, or None. If it could not, its process is not started again."""
    asked: int
    """The number of the last question."""
    shown: dict[int, str]
    """The texts of the codes that were sent, by code."""


_mine = _Mine()


def _process_for(strategy: Remote, game: Game) -> "Process":
    """Return a process of a strategy that is ready for a game. It is started if necessary."""
    from wordle_kit.isolation.process import Allowance

    about = (os.getpid(), strategy, game, game.memory)
    if _mine.about != about:
        end_last()
        _mine.about, _mine.allowance = about, Allowance(strategy.limits.cpu)
    if _mine.unprepared is not None:
        raise _mine.unprepared.with_traceback(None)
    if _mine.process is None or not _mine.process.is_open:
        try:
            process = strategy.start(game, _mine.allowance)
        except NoGuess as none:
            _mine.unprepared = none if not none.failure.is_unsure else None
            raise
        _use(process)
        return process
    return _mine.process


def _use(process: "Process") -> None:
    """Have this thread ask a process from now on, which is ready."""
    _mine.process, _mine.asked, _mine.shown = process, 0, {}
    process.get_ready()
    _end_at_exit(os.getpid())


def take_over(process: "Process", strategy: Remote, game: Game) -> None:
    """Have this thread ask a process for a strategy's guesses in a game, for which it is ready."""
    end_last()
    _mine.about, _mine.allowance = (os.getpid(), strategy, game, game.memory), process.allowance
    _use(process)


def is_in_use(process: "Process") -> bool:
    """Return whether this thread asks a process."""
    return _mine.process is process


@cache
def _end_at_exit(process: int) -> None:
    """End the last strategy's process when this process exits.

    The id `process` makes forked processes register again.
    """
    Finalize(None, end_last, exitpriority=10)


def end_last() -> None:
    """End the process that this thread used last."""
    process = _mine.process
    vars(_mine).clear()
    if process is not None:
        process.close()
