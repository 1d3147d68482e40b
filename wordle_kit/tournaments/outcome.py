"""Outcomes: how the play of a puzzle ended.

Also `attempt`, the only place where the code of a strategy makes a guess.
"""

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from pathlib import Path

from wordle_kit import notebook
from wordle_kit.deadline import DeadlinePassed
from wordle_kit.engine import shortage
from wordle_kit.errors import MachineError, RuleError
from wordle_kit.faults import blamed_line, left_debugger, send_traceback
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import line

NOT_PLAYED = "not played: "
"""How a play's message begins if the time budget was spent before the play ended."""

REPEATED = "played again in a new process, it "
"""How a play's message begins if the play differed when it was played again."""

INCONSISTENT = "inconsistent"
"""What plays that differed are called, and the strategies that played them."""

IN_PREPARE = "prepare: "
"""How a failure's message begins if the strategy failed to prepare for the game."""

NO_DEBUGGER = "a breakpoint, where nobody can type; use `wordle-kit solve` to stop there"
"""The message for a breakpoint in a process of a tournament."""

LONGEST_MESSAGE = 300
"""The most characters that are kept of a strategy's own message."""


class Outcome(StrEnum):
    """How the play of a puzzle ended."""

    SOLVED = "solved"
    """Solved within the guesses that the game allows."""
    OUT_OF_GUESSES = "out of guesses"
    """Not solved within the guesses that the game allows; `turns` says whether it was solved later."""
    ILLEGAL = "illegal guess"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"

    @property
    def is_fault(self) -> bool:
        """Whether the outcome shows that a strategy does not work, rather than how well it plays."""
        return self in (Outcome.ILLEGAL, Outcome.CRASHED, Outcome.TIMED_OUT)


class Skipped(Enum):
    """Why a strategy was skipped, which means that it was not asked for its next guess."""

    NO_TIME = "no time"
    """The time budget was spent."""
    NO_RESTARTS = "no restarts"
    """The process of the strategy had ended too often."""


@dataclass(frozen=True, slots=True)
class Play:
    """One puzzle, played: the hidden words, guesses and feedback, how the play ended, and what went wrong."""

    puzzle: tuple[str, ...]
    """The hidden word of each board."""
    guesses: tuple[str, ...]
    feedback: tuple[tuple[str, ...], ...]
    """The feedback on each guess, one text per board as `str()` of a Feedback writes it. Solved boards have empty
    texts.
    """
    outcome: Outcome
    turns: int | None
    """The number of the guess that solved the puzzle, even if the game no longer allowed it. None if it was not solved.
    """
    message: str = ""
    skipped: Skipped | None = field(default=None, compare=False)
    """Why the strategy was skipped, or None if it was asked for every guess."""
    notes: Mapping[str, float] = field(default_factory=dict, compare=False)
    """The numbers that the strategy noted, such as the calls of a language model: see `Position.note`."""

    @property
    def board_turns(self) -> tuple[int | None, ...]:
        """The number of the guess that solved each board, or None for a board that was not solved."""
        if len(self.puzzle) == 1:
            return (self.turns,)
        turns: dict[str, int] = {}
        for turn, guess in enumerate(self.guesses, start=1):
            turns.setdefault(guess, turn)
        return tuple(turns.get(word) for word in self.puzzle)

    @property
    def is_inconsistent(self) -> bool:
        """Whether the play differed when it was played again. The first play is the one that counts."""
        return not self.outcome.is_fault and self.message.startswith(REPEATED)

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show."""
        headers = [f"{number}. {word}" for number, word in enumerate(self.puzzle, start=1)]
        if len(headers) == 1:
            headers = [f"hidden: {word}" for word in self.puzzle]
        rows = []
        for turn, (guess, seen) in enumerate(zip(self.guesses, self.feedback, strict=True), start=1):
            shown = [notebook.tiles(guess, text) for text in seen]
            rows.append({"turn": turn, "guess": guess} | dict(zip(headers, shown, strict=True)))
        return notebook.table(rows, [f"{self.outcome}: {self.message}" if self.message else self.outcome])


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a strategy gave no valid guess, which ends its play."""

    outcome: Outcome
    message: str
    printed: str = ""
    """The last lines that the process of an isolated strategy printed."""
    died: bool = False
    """Whether the process of an isolated strategy has ended."""
    short: bool = False
    """Whether the machine ran out of memory or another resource."""
    skipped: Skipped | None = None
    """Why the strategy was skipped, or None if it was asked."""

    @property
    def is_unsure(self) -> bool:
        """Whether the machine may have caused the failure, so that another attempt may succeed."""
        return self.died or self.short or self.outcome is Outcome.TIMED_OUT

    def at(self, turn: int) -> "Failure":
        """Return the failure with a message that names the guess and contains what the process printed."""
        printed = f"; it printed: {self.printed}" if self.printed else ""
        return replace(self, message=f"{self.message}, at guess {turn}{printed}")


class NoGuess(Exception):  # noqa: N818 - a result, not an error
    """Raised by an isolated strategy whose process did not return a guess."""

    def __init__(
        self,
        what: str,
        outcome: Outcome = Outcome.CRASHED,
        *,
        printed: str = "",
        died: bool = False,
        short: bool = False,
    ) -> None:
        super().__init__(f"{what}; it printed: {printed}" if printed else what)
        self.what = what
        """What the process did instead."""
        self.failure = Failure(outcome, line(what), line(printed), died, short)


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
    except NoGuess as none:
        return none.failure
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
    stops = isinstance(error, KeyboardInterrupt) or left_debugger(error)
    if stops and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
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
        if left_debugger(error):
            return f"{NO_DEBUGGER}{where}"
        return line(f"{kind}: {text}{where}" if text else f"{kind}{where}", 3 * LONGEST_MESSAGE)
    except DeadlinePassed:
        raise
    except BaseException:
        return "an exception that cannot be described"
