"""Rewards: what each guess of a game was worth. docs/environments.md has the formulas.

A longer game never gets a higher reward, since every guess gets at most 0, except the solving guess under `Solved`. A
game that is abandoned or ends unsolved gets the reward of the worst possible guesses, so giving up never pays.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from cachetools import LRUCache
from wordle_kit_plugins.environments.values import PositionValues, values_of

import wordle_kit as wk
from wordle_kit.api import StrategyLike
from wordle_kit.errors import unknown, whole

ROUNDING = 1e-9
"""Bits and shares that differ by less are considered equal."""

REMEMBERED = 2**16
"""The number of positions for which the bits of the best guess are cached."""


class Reward(ABC):
    """A reward, which scores the guesses of a game, and its end if the game is not solved."""

    name: ClassVar[str]

    @abstractmethod
    def score(self, before: wk.Position, guess: int, after: wk.Position) -> float:
        """Return what a guess is worth, given its index and the positions before and after it."""

    def unsolved(self, left: int) -> float:
        """Return the additional score of a game that ends unsolved. By default, it is -1 for each guess left."""
        return -float(left)


class Solved(Reward):
    """A reward of 1 for the guess that solves the game, and of 0 for all others."""

    name = "solved"

    def score(self, before: wk.Position, guess: int, after: wk.Position) -> float:
        """Return 1 if the guess solved the last board, else 0."""
        return 0.0 if after.open_boards else 1.0

    def unsolved(self, left: int) -> float:
        """Return 0."""
        return 0.0


class Guesses(Reward):
    """A reward of -1 for each guess. An unsolved game with a limit of L guesses gets -(L + 1)."""

    name = "guesses"

    def score(self, before: wk.Position, guess: int, after: wk.Position) -> float:
        """Return -1."""
        return -1.0

    def unsolved(self, left: int) -> float:
        """Return -1 for each guess left, and another -1 for not solving the game."""
        return -left - 1.0


class Information(Reward):
    """The expected bits of each guess as a share of the best guess's bits, minus 1.

    If no guess gives any bits, the share is 1 for a guess that is certain to solve a board and 0 for others. Bits are
    summed over boards.
    """

    name = "information"

    def __init__(self) -> None:
        self._best: LRUCache[object, float] = LRUCache(REMEMBERED)

    def score(self, before: wk.Position, guess: int, after: wk.Position) -> float:
        """Return the expected bits of the guess as a share of the best guess's bits, minus 1."""
        best = self._best_bits(before)
        if best < ROUNDING:
            share = float(any(board.candidate_guesses.tolist() == [guess] for board in before.open_boards))
        else:
            share = float(expected_bits(before, np.array([guess]))[0] / best)
        return 0.0 if abs(share - 1) < ROUNDING else share - 1

    def _best_bits(self, position: wk.Position) -> float:
        allowed = position.allowed
        key = tuple(board.key for board in position.open_boards), b"" if allowed is None else allowed.tobytes()
        best = self._best.get(key)
        if best is None:
            best = self._best[key] = float(expected_bits(position, allowed).max(initial=0.0))
        return best


class Regret(Reward):
    """The negated regret of each guess. Regret is how many more guesses are needed on average than with the best guess.

    Where perfect play is not proved, the strategy `by` replaces it. See `PositionValues` for the limits of the search.
    """

    name = "regret"

    def __init__(self, *, by: StrategyLike = "entropy", nodes: int = 2000, largest: int = 300) -> None:
        self.by = by
        self.nodes = whole("nodes", nodes, 1)
        self.largest = whole("largest", largest, 2)

    def values(self, game: wk.Game) -> PositionValues:
        """Return the values of the positions of a game. Raises WordleKitError if they cannot be computed."""
        return values_of(game, self.by, self.nodes, self.largest)

    def score(self, before: wk.Position, guess: int, after: wk.Position) -> float:
        """Return the negated regret of the guess."""
        return 0.0 - self.values(before.game).regret(before, guess).number


REWARDS: dict[str, type[Reward]] = {each.name: each for each in (Solved, Guesses, Information, Regret)}
"""The rewards by name."""


def reward_called(reward: str | Reward) -> Reward:
    """Return the reward with this name, or a given Reward itself.

    Raises WordleKitError, which lists the known rewards.
    """
    if isinstance(reward, Reward):
        return reward
    if reward not in REWARDS:
        raise wk.WordleKitError(unknown("reward", reward, REWARDS))
    return REWARDS[reward]()


def expected_bits(position: wk.Position, guesses: wk.Ids | None) -> wk.Floats:
    """Return the expected bits of guesses (by default all) on the open boards, float64[n_guesses]."""
    total = np.zeros(len(position.game.guesses) if guesses is None else len(guesses))
    for board in position.open_boards:
        total += np.log2(board.mass) - board.costs(lambda mass: mass * np.log2(mass), guesses) / board.mass
    return total
