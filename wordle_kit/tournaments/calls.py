"""Calls of a strategy's code, each of which results in a guess or a Failure."""

import signal
from dataclasses import dataclass, replace

from wordle_kit.errors import MachineError, RuleError, shortage
from wordle_kit.faults import error_line, send_traceback
from wordle_kit.game.game import Game
from wordle_kit.programs.protocol import ProgramError
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import one_line, short_repr
from wordle_kit.tournaments.deadline import DeadlinePassed
from wordle_kit.tournaments.runs import Outcome

IN_PREPARE = "prepare: "
"""The start of a failure's message if the strategy failed to prepare for the game."""

LONGEST_MESSAGE = 300
"""The maximum number of characters kept from a strategy's own message."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a strategy gave no valid guess, which ends its play."""

    outcome: Outcome
    message: str
    died: bool = False
    """Whether the strategy is a program that has ended."""
    short: bool = False
    """Whether the machine ran out of memory or another resource."""

    @property
    def is_unsure(self) -> bool:
        """Whether the machine may have caused the failure, so that another attempt may succeed."""
        return self.died or self.short or self.outcome in (Outcome.TIMED_OUT, Outcome.NOT_ASKED)

    def at(self, turn: int) -> "Failure":
        """Return this failure with the number of the guess added to its message."""
        return replace(self, message=f"{self.message}, at guess {turn}")


def call_guess(strategy: Strategy, position: Position) -> str | Failure:
    """Return a strategy's guess, or a Failure if it gave none. All calls of `Strategy.guess` are made here."""
    try:
        guess = strategy.guess(position)
    except (DeadlinePassed, MachineError, RuleError):  # not the strategy's fault
        raise
    except ProgramError as error:
        return failure_of_program(error)
    except BaseException as error:
        return _failure_of_error(error, strategy)
    if isinstance(guess, str):
        return guess
    missing = " (missing `return`?)" if guess is None else ""
    return Failure(Outcome.ILLEGAL, f"returned {short_repr(guess, LONGEST_MESSAGE)}, not a word{missing}")


def call_prepare(strategy: Strategy, game: Game) -> Failure | None:
    """Have a strategy prepare for a game. Return the failure if it does not succeed, or None."""
    try:
        strategy.prepare(game)
    except (DeadlinePassed, MachineError, RuleError):  # not the strategy's fault
        raise
    except BaseException as error:
        failure = _failure_of_error(error, strategy)
        return replace(failure, message=f"{IN_PREPARE}{failure.message}")
    return None


def failure_of_program(error: ProgramError) -> Failure:
    """Return the failure of a program that gave no guess."""
    outcome = Outcome.TIMED_OUT if error.is_late else Outcome.ILLEGAL if error.is_illegal else Outcome.CRASHED
    return Failure(outcome, one_line(str(error), 3 * LONGEST_MESSAGE), died=error.died)


def _failure_of_error(error: BaseException, strategy: Strategy) -> Failure:
    """Return the failure of a strategy that raised an exception.

    The message names the line of the author's code. A TimeoutError means that something the strategy waited for did not
    answer in time.
    """
    # Workers ignore Ctrl-C, so in a worker it is the strategy that has raised a KeyboardInterrupt.
    if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        raise error  # the user pressed Ctrl-C
    send_traceback(error)
    outcome = Outcome.TIMED_OUT if isinstance(error, TimeoutError) else Outcome.CRASHED
    return Failure(outcome, error_line(error, type(strategy).__module__), short=shortage(error) is not None)
