"""Rewards: what each guess of a game was worth. docs/environments.md has the formulas.

A longer game never gets a higher reward, since every guess gets at most 0, except the solving guess under `Solved`. A
game that ends unsolved or is left gets what the worst guesses would have got. So giving up never pays.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np
from cachetools import LRUCache
from wordle_kit_plugins.environments.values import PositionValues, values_of

import wordle_kit as wk
from wordle_kit.api import StrategyLike
from wordle_kit.errors import unknown, whole
from wordle_kit.explain import information
from wordle_kit.texts import shown

ROUNDING = 1e-9
"""Bits and shares that differ by less than this count as equal."""

REMEMBERED = 2**16
"""The number of positions for which the bits of the best guess are cached."""


class Step(NamedTuple):
    """A guess, with the positions before and after it."""

    before: wk.Position
    guess: int
    """The index of the guess."""
    after: wk.Position


class GuessWorth(NamedTuple):
    """What a guess is worth."""

    reward: float
    by: str = ""
    """How a comparison with perfect play is known: `exact search` if it is proved, else the strategy used in its place.
    """


class Reward(ABC):
    """Scores the guesses of a game, and its end if the game is not solved."""

    name: ClassVar[str]

    def check(self, game: wk.Game) -> None:  # noqa: B027 - most rewards know any game
        """Raise WordleKitError if this reward cannot be computed for a game."""

    @abstractmethod
    def score(self, step: Step) -> GuessWorth:
        """Return what a guess is worth."""

    @abstractmethod
    def unsolved(self, position: wk.Position, left: int) -> float:
        """Return what a game gets in addition if it ends unsolved in this position.

        `left` is the number of guesses left.
        """


class Solved(Reward):
    """1 for the guess that solves the game, otherwise 0."""

    name = "solved"

    def score(self, step: Step) -> GuessWorth:
        """Return 1 if the guess solved the last board, else 0."""
        return GuessWorth(0.0 if step.after.open_boards else 1.0)

    def unsolved(self, position: wk.Position, left: int) -> float:
        """Return 0."""
        return 0.0


class Guesses(Reward):
    """-1 for each guess. If a game with a limit of L guesses is not solved, it gets -(L + 1)."""

    name = "guesses"

    def score(self, step: Step) -> GuessWorth:
        """Return -1."""
        return GuessWorth(-1.0)

    def unsolved(self, position: wk.Position, left: int) -> float:
        """Return -1 for each guess left, and -1 because the game is not solved."""
        return -left - 1.0


class Information(Reward):
    """The bits that a guess is expected to give, as a share of the best guess's bits, minus 1.

    If no guess gives any bits, the share is 1 for a guess that is certain to solve a board, and 0 for others. On
    several boards, bits are added.
    """

    name = "information"

    def __init__(self) -> None:
        self._best: LRUCache[object, float] = LRUCache(REMEMBERED)

    def share(self, step: Step) -> float:
        """Return the share, from 0 to 1."""
        best = self._best_bits(step.before)
        if best < ROUNDING:
            return float(any(len(board) == 1 and may_be(board, step.guess) for board in step.before.open_boards))
        return float(expected_bits(step.before, np.array([step.guess]))[0] / best)

    def score(self, step: Step) -> GuessWorth:
        """Return the share of the guess, minus 1."""
        lost = self.share(step) - 1
        return GuessWorth(0.0 if abs(lost) < ROUNDING else lost)

    def unsolved(self, position: wk.Position, left: int) -> float:
        """Return -1 for each guess left."""
        return -float(left)

    def _best_bits(self, position: wk.Position) -> float:
        allowed = position.allowed
        key = tuple(board.key for board in position.open_boards), b"" if allowed is None else allowed.tobytes()
        best = self._best.get(key)
        if best is None:
            best = self._best[key] = float(expected_bits(position, allowed).max(initial=0.0))
        return best


class Regret(Reward):
    """Minus the regret of each guess: the guesses that it needs on average, minus those that the best guess needs.

    Where perfect play is not proved, the strategy `by` is used in its place. See `PositionValues` for the limits of the
    search.
    """

    name = "regret"

    def __init__(self, *, by: StrategyLike = "entropy", nodes: int = 2000, largest: int = 300) -> None:
        self.by = by
        self.nodes = whole("nodes", nodes, 1)
        self.largest = whole("largest", largest, 2)

    def values(self, game: wk.Game) -> PositionValues:
        """Return the values of the positions of a game. Raises WordleKitError if they cannot be computed."""
        return values_of(game, self.by, self.nodes, self.largest)

    def check(self, game: wk.Game) -> None:
        """Raise GameError for a game with several boards."""
        self.values(game)

    def score(self, step: Step) -> GuessWorth:
        """Return minus the regret of the guess."""
        regret = self.values(step.before.game).regret(step.before, step.guess)
        return GuessWorth(0.0 - regret.number, regret.by)

    def unsolved(self, position: wk.Position, left: int) -> float:
        """Return -1 for each guess left, which is the regret of a guess without information."""
        return -float(left)


REWARDS: dict[str, type[Reward]] = {each.name: each for each in (Solved, Guesses, Information, Regret)}
"""The rewards by name."""


def reward_called(reward: str | Reward) -> Reward:
    """Return the reward with this name, or a given Reward itself.

    Raises WordleKitError, which names the known rewards.
    """
    if isinstance(reward, Reward):
        return reward
    if not isinstance(reward, str):
        raise wk.WordleKitError(f"reward is {shown(reward)}; give a name or a Reward")
    if reward not in REWARDS:
        raise wk.WordleKitError(unknown("reward", reward, REWARDS))
    return REWARDS[reward]()


def expected_bits(position: wk.Position, guesses: wk.Ids | None) -> wk.Floats:
    """Return the bits that guesses (by default all) are expected to give on the open boards, float64[n_guesses]."""
    total: wk.Floats = np.sum([information(board, guesses) for board in position.open_boards], axis=0)
    return total


def may_be(board: wk.Board, guess: int) -> bool:
    """Return whether a guess may be the hidden word of a board."""
    return bool((board.candidate_guesses == guess).any())
