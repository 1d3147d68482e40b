"""Players: the objects that make a strategy's decisions, in this process or in another one.

Also `attempt`, the only place where the code of a strategy makes a guess.
"""

import signal
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from wordle_kit.deadline import Deadline, DeadlinePassed
from wordle_kit.errors import MachineError, RuleError
from wordle_kit.faults import blamed_line, left_debugger, send_traceback
from wordle_kit.game.game import Game
from wordle_kit.machine import shortage
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import line
from wordle_kit.tournaments.runs import Outcome, Skipped
from wordle_kit.workers import own_file

NOT_PLAYED = "not played: "
"""How a play's message begins if the time budget was spent before the play ended."""

IN_PREPARE = "prepare: "
"""How a failure's message begins if the strategy failed to prepare for the game."""

NO_DEBUGGER = "a breakpoint, where nobody can type; use `wordle-kit solve` to stop there"
"""The message for a breakpoint in a process of a tournament."""

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


class Player(ABC):
    """Makes the decisions of a strategy. Each entrant has a player, which the referee asks for guesses.

    The default methods are right for code that runs in the tournament's own processes. A strategy that runs in another
    process is its own player and overrides them.
    """

    @property
    @abstractmethod
    def strategy(self) -> Strategy:
        """The strategy whose decisions it makes."""

    @property
    def is_isolated(self) -> bool:
        """Whether the code runs in another process. That process measures the time of decisions itself."""
        return False

    @property
    def known_here(self) -> Strategy | None:
        """The isolated strategy itself, if this process has loaded its code too."""
        return None

    @property
    def is_untrusted(self) -> bool:
        """Whether the code never runs in a process of wordle-kit, so that nothing it reports is trusted."""
        return self.is_isolated and self.known_here is None

    @property
    def policy(self) -> Any:
        """The policy for its chunks (see tournaments/chunks.py), or None for the plain one."""
        return None

    @property
    def restart_limit(self) -> int:
        """How many times its process may end and be restarted within a group of puzzles."""
        return 0

    @property
    def origin(self) -> str:
        """The text to show in place of a plugin if no plugin has registered the strategy."""
        return type(self.strategy).__module__

    def is_variant_of(self, name: str, registered: Strategy) -> bool:
        """Return whether the strategy that a plugin registered under this name has the same class as this one.

        The parameters may differ.
        """
        return type(registered) is type(self.strategy)

    def with_deadline(self, seconds: float) -> "Player":
        """Return the player with this deadline for each decision."""
        return self

    def for_elsewhere(self) -> "Player":
        """Return the player in the form that is sent to other machines."""
        return self

    def prepare_workers(self, game: Game) -> None:  # noqa: B027 - nothing, by default
        """Prepare what worker processes can share. It is called before they are started."""

    @abstractmethod
    def start_process(self, game: Game) -> None:
        """Get ready to decide in a game, which does not count towards a decision. Raises NoGuess if that fails."""

    def end_process(self, *, for_good: bool = False) -> None:  # noqa: B027 - nothing, by default
        """End the process that this thread asked last. `for_good` also forgets how much of its limits it has used."""

    def processor_seconds(self) -> float | None:
        """Return the seconds of processor time that its processes took for decisions, or None if it has no process."""
        return None

    def source(self) -> str:
        """Return a text that changes when the program of its process changes, as far as this can be known."""
        return ""

    def identity_of_process(self) -> str:
        """Return a text that identifies everything outside this process that can change its guesses."""
        return ""


@dataclass(frozen=True)
class LocalPlayer(Player):
    """Makes decisions in the process that asks for them."""

    local: Strategy

    @property
    def strategy(self) -> Strategy:
        """The strategy whose decisions it makes."""
        return self.local

    def start_process(self, game: Game) -> None:
        """Have the strategy prepare for a game, once per process. Raises NoGuess if that fails."""
        known = PREPARED.setdefault(game, [])
        done = next((one for one in known if same(one[0], self.local)), None)
        if done is None:
            done = self.local, self._prepared(game)
            known.append(done)
        failure = done[1]
        if failure is not None:
            raise NoGuess(failure.message, failure.outcome, short=failure.short)

    def _prepared(self, game: Game) -> Failure | None:
        """Have the strategy prepare for a game. Return the failure if it could not, or None."""
        limit = Deadline(PREPARING, own_file())
        try:
            return limit.call(partial(prepared, self.local), game, free_codes(game))[0]
        except DeadlinePassed:
            return Failure(Outcome.TIMED_OUT, f"{IN_PREPARE}took more than {PREPARING:g} s")
        finally:
            limit.restore()


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


def player_of(strategy: Strategy) -> Player:
    """Return the player of a strategy: the strategy itself if it runs in another process, else a LocalPlayer."""
    return strategy if isinstance(strategy, Player) else LocalPlayer(strategy)


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
