"""Players: what decides for a strategy, in this process or in another one."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from wordle_kit.deadline import Deadline, DeadlinePassed
from wordle_kit.game.game import Game
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.outcome import IN_PREPARE, Failure, NoGuess, Outcome, prepared
from wordle_kit.workers import own_file

PREPARING = 60.0
"""Seconds that a strategy has to prepare for a game."""

TIMES = 3
"""The engine computes feedback codes outside the time of a decision: at most as many as this many tables have."""


class Player(ABC):
    """Decides for a strategy. Entrants have players, and the referee asks them.

    The answers here suit code that runs in the tournament's own processes. A strategy that runs in another process
    overrides them, since it is its own player.
    """

    @property
    @abstractmethod
    def strategy(self) -> Strategy:
        """The strategy that it decides for."""

    @property
    def is_isolated(self) -> bool:
        """Whether the code runs in another process, which measures the time of its decisions itself."""
        return False

    @property
    def known_here(self) -> Strategy | None:
        """The strategy itself, if it is isolated but this process has loaded its code too."""
        return None

    @property
    def is_untrusted(self) -> bool:
        """Whether the code never runs in a process of wordle-kit, so that nothing it does is taken on trust."""
        return self.is_isolated and self.known_here is None

    @property
    def policy(self) -> Any:
        """The policy by which its chunks are played, as in tournaments/chunks.py, or None for the plain one."""
        return None

    @property
    def restart_limit(self) -> int:
        """How many times its process may end, within a group of puzzles, and be started again."""
        return 0

    @property
    def origin(self) -> str:
        """The text shown instead of a plugin if no plugin has registered the strategy."""
        return type(self.strategy).__module__

    def is_variant_of(self, name: str, registered: Strategy) -> bool:
        """Return whether the strategy that a plugin registered under this name is of the same class as its own.

        Their parameters may differ.
        """
        return type(registered) is type(self.strategy)

    def with_deadline(self, seconds: float) -> "Player":
        """Return the player under a deadline for each decision."""
        return self

    def for_elsewhere(self) -> "Player":
        """Return the player in the form in which it plays on other machines."""
        return self

    def prepare_workers(self, game: Game) -> None:  # noqa: B027 - nothing, by default
        """Do what is needed before worker processes are started, so that they share it."""

    @abstractmethod
    def start_process(self, game: Game) -> None:
        """Get ready to decide in a game, outside the time of a decision. Raises NoGuess if that fails."""

    def end_process(self, *, for_good: bool = False) -> None:  # noqa: B027 - nothing, by default
        """End the process that this thread asked last; `for_good`, also forget what it used of its limits."""

    def processor_seconds(self) -> float | None:
        """Return the seconds of processor time that its processes have taken for decisions; None if it has none."""
        return None

    def source(self) -> str:
        """Return a text that changes whenever the program of its process changes, as far as that is known."""
        return ""

    def identity_of_process(self) -> str:
        """Return a text that names everything outside this process that can change its guesses."""
        return ""


@dataclass(frozen=True)
class LocalPlayer(Player):
    """Decides in the process of whoever asks."""

    local: Strategy

    @property
    def strategy(self) -> Strategy:
        """The strategy that it decides for."""
        return self.local

    def start_process(self, game: Game) -> None:
        """Have the strategy prepare for a game, unless this process has done so. Raises NoGuess if that fails."""
        known = PREPARED.setdefault(game, [])
        done = next((one for one in known if same(one[0], self.local)), None)
        if done is None:
            done = self.local, self._prepared(game)
            known.append(done)
        failure = done[1]
        if failure is not None:
            raise NoGuess(failure.message, failure.outcome, short=failure.short)

    def _prepared(self, game: Game) -> Failure | None:
        """Have the strategy prepare for a game, and return why it could not, or None."""
        limit = Deadline(PREPARING, own_file())
        try:
            return limit.call(partial(prepared, self.local), game, free_codes(game))[0]
        except DeadlinePassed:
            return Failure(Outcome.TIMED_OUT, f"{IN_PREPARE}took more than {PREPARING:g} s")
        finally:
            limit.restore()


PREPARED: WeakKeyDictionary[Game, list[tuple[Strategy, Failure | None]]] = WeakKeyDictionary()
"""The strategies that this process has prepared for each game, and why some could not."""


def same(one: Strategy, other: Strategy) -> bool:
    """Return whether two strategies are equal. If an author's `__eq__` fails, only the same object is equal."""
    try:
        return one is other or bool(one == other)
    except Exception:
        return False


def free_codes(game: Game) -> int:
    """Return the number of feedback codes that the engine may compute outside the time of other people's code."""
    return TIMES * len(game.answers) * len(game.guesses) * game.boards


def player_of(strategy: Strategy) -> Player:
    """Return the player of a strategy: the strategy itself if it runs in another process, else a local one."""
    return strategy if isinstance(strategy, Player) else LocalPlayer(strategy)
