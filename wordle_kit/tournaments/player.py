"""How a strategy is asked: `start` gets it ready, and only in `attempt` does its code make a guess."""

import signal
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary

from wordle_kit.deadline import Deadline, DeadlinePassed
from wordle_kit.errors import MachineError, RuleError
from wordle_kit.faults import blamed_line, send_traceback
from wordle_kit.game.game import Game
from wordle_kit.machine import shortage
from wordle_kit.pool import own_file
from wordle_kit.programs.program import Program
from wordle_kit.programs.protocol import ProgramError
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import line
from wordle_kit.tournaments.runs import Outcome

IN_PREPARE = "prepare: "
"""How a failure's message begins if the strategy failed to prepare for the game."""

NOT_ASKED = "it was not asked any more: "
"""How a failure's message begins if the strategy was not asked for the guess."""

LONGEST_MESSAGE = 300
"""The most characters that are kept of a strategy's own message."""

PREPARING = 60.0
"""The seconds that a strategy may take to prepare for a game."""

FREE_TABLES = 3
"""The number of feedback tables that the engine may compute in one decision without counting the time."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a strategy gave no valid guess, which ends its play."""

    outcome: Outcome
    message: str
    died: bool = False
    """Whether it is a program that has ended."""
    short: bool = False
    """Whether the machine ran out of memory or another resource."""

    @property
    def is_unsure(self) -> bool:
        """Whether the machine may have caused the failure, so that another attempt may succeed."""
        return self.died or self.short or self.outcome is Outcome.TIMED_OUT

    def at(self, turn: int) -> "Failure":
        """Return the failure with a message that names the guess."""
        return replace(self, message=f"{self.message}, at guess {turn}")


class NoGuess(Exception):  # noqa: N818 - a result, not an error
    """Raised if a strategy cannot get ready for a game."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def start(strategy: Strategy, game: Game, deadline: float) -> None:
    """Get a strategy ready to decide in a game: start its program, or have it prepare, once per process.

    A program is told the `deadline`, the seconds for each decision, towards which this time does not count. Raises
    NoGuess if it cannot get ready.
    """
    if isinstance(strategy, Program):
        try:
            strategy.start(game, deadline)
        except ProgramError as error:
            raise NoGuess(failure_of(error)) from None
        return
    known = PREPARED.setdefault(game, [])
    done = next((one for one in known if same(one[0], strategy)), None)
    if done is None:
        done = strategy, _prepared(strategy, game)
        known.append(done)
    if done[1] is not None:
        raise NoGuess(done[1])


def _prepared(strategy: Strategy, game: Game) -> Failure | None:
    """Have a strategy prepare for a game. Return the failure if it could not, or None."""
    limit = Deadline(PREPARING, own_file())
    try:
        return limit.call(partial(prepared, strategy), game, free_codes(game))[0]
    except DeadlinePassed:
        return Failure(Outcome.TIMED_OUT, f"{IN_PREPARE}took more than {PREPARING:g} s")
    finally:
        limit.restore()


def failure_of(error: ProgramError) -> Failure:
    """Return why a program gave no guess."""
    outcome = Outcome.TIMED_OUT if error.is_late else Outcome.ILLEGAL if error.is_illegal else Outcome.CRASHED
    return Failure(outcome, line(str(error), 3 * LONGEST_MESSAGE), died=error.died)


PREPARED: WeakKeyDictionary[Game, list[tuple[Strategy, Failure | None]]] = WeakKeyDictionary()
"""The strategies that this process has prepared for each game, with the failure of those that could not."""


def same(one: Strategy, other: Strategy) -> bool:
    """Return whether two strategies are equal.

    If an author's `__eq__` raises, they are equal only as the same object.
    """
    try:
        return one is other or bool(one == other)
    except Exception:
        return False


def free_codes(game: Game) -> int:
    """Return how many feedback codes the engine may compute in one decision without counting the time."""
    return FREE_TABLES * len(game.answers) * len(game.guesses) * game.boards


# The code of strategies


def attempt(strategy: Strategy, position: Position) -> str | Failure:
    """Return a strategy's guess, or a Failure if it gave none. The code of strategies runs only in here."""
    try:
        guess = strategy.guess(position)
        if isinstance(guess, str):
            return str.__str__(guess)  # a plain string, even if a subclass of str overrides its methods
        shown = line(repr(guess), LONGEST_MESSAGE)
        missing = " (missing `return`?)" if guess is None else ""
        return Failure(Outcome.ILLEGAL, f"returned {shown}, not a word{missing}")
    except (DeadlinePassed, MachineError, RuleError):  # not the strategy's fault
        raise
    except ProgramError as error:
        return failure_of(error)
    except BaseException as error:
        return _crash(error, strategy)


def prepared(strategy: Strategy, game: Game) -> Failure | None:
    """Have a strategy prepare for a game. Return the failure if it could not, or None."""
    try:
        strategy.prepare(game)
    except (DeadlinePassed, MachineError, RuleError):  # not the strategy's fault
        raise
    except BaseException as error:
        failure = _crash(error, strategy)
        return replace(failure, message=f"{IN_PREPARE}{failure.message}")
    return None


def _crash(error: BaseException, strategy: Strategy) -> Failure:
    """Return the failure of a strategy that raised an exception, and send the traceback to listeners.

    A TimeoutError means that something the strategy waited for did not answer in time.
    """
    if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        raise error  # the user pressed Ctrl-C; worker processes ignore it, so there the strategy itself raised it
    send_traceback(error)
    outcome = Outcome.TIMED_OUT if isinstance(error, TimeoutError) else Outcome.CRASHED
    return Failure(outcome, _described(error, type(strategy)), short=shortage(error) is not None)


def _described(error: BaseException, strategy: type) -> str:
    """Return an exception of a strategy as one line that names the line of the author's code."""
    try:
        kind = line(type.__getattribute__(type(error), "__qualname__"), LONGEST_MESSAGE)
        text = line(str.__str__(str(error)), LONGEST_MESSAGE)
        blamed = blamed_line(error, [base.__module__ for base in type.__getattribute__(strategy, "__mro__")])
        where = f" ({Path(blamed).name})" if blamed else ""
        return line(f"{kind}: {text}{where}" if text else f"{kind}{where}", 3 * LONGEST_MESSAGE)
    except DeadlinePassed:
        raise
    except BaseException:
        return "an exception that cannot be described"
