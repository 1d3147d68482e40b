"""The estimators of Tyl (2023), which estimate from the parts of a guess how many guesses will follow it."""

from abc import abstractmethod
from collections.abc import Callable

import numpy as np

import wordle_kit as wk

LEAST_INFORMATION = 1e-12
"""Bits that a guess without information may seem to give because of rounding errors."""


class Estimator(wk.PartitionStrategy):
    """Play the guess with the lowest estimated number of guesses to the end, counting the guess itself.

    A guess wins immediately with probability q, which is 1/n if it is one of the n candidates and 0 otherwise. The
    estimate is q + (1 - q) e, where e is the estimate if the guess does not win. A guess that gives no information is
    never made. In a game with weights, q is the probability of the word, and masses replace sizes.
    """

    ties: wk.Ties = "list-order"

    @abstractmethod
    def guesses_needed(self, cost: wk.Floats, board: wk.Board) -> wk.Floats:
        """Return e, the estimated number of guesses if this guess does not win, float64[n_guesses]."""

    def finish(self, cost: wk.Floats, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the estimates."""
        wins = board.chance_of(guesses)
        if board.weights.max() == board.mass:  # only one word can win, and logarithms are 0
            return 2 - wins
        with np.errstate(divide="ignore"):
            needed = self.guesses_needed(cost, board)
        return wins + (1 - wins) * needed


class StatisticalEstimator(Estimator):
    """Choose the guess with the fewest further guesses, estimated from the expected number of candidates left.

    Tyl (2023), "Faster Wordle Estimators": if a guess is expected to leave a of n candidates, the estimate e is 1 + ln
    n / ln(n / a).

    In a game with weights, n / a is replaced by the quotient of the mass of the candidates and the mass expected to
    remain, and ln n by the logarithm of the quotient for a guess that separates all candidates.
    """

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size squared. The sum over the parts is n times the expected number of candidates left."""
        return size * size

    def guesses_needed(self, cost: wk.Floats, board: wk.Board) -> wk.Floats:
        """Return e, from the factor by which each guess reduces the candidates."""
        squared = board.mass * board.mass
        factor = np.log(squared / cost)
        number = np.log(squared / np.sum(board.weights * board.weights))
        needed: wk.Floats = 1 + number / np.where(factor > LEAST_INFORMATION, factor, 0.0)
        return needed


class EntropicEstimator(Estimator):
    """Choose the guess with the fewest further guesses, estimated from the expected information.

    Tyl (2023), "Faster Wordle Estimators": if a guess is expected to yield H of the log2 n missing bits, the estimate e
    is 1 + log2 n / H. In a game with weights, the entropy of the candidates replaces log2 n.
    """

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size times its logarithm."""
        return size * np.log2(size)

    def guesses_needed(self, cost: wk.Floats, board: wk.Board) -> wk.Floats:
        """Return e, from the expected bits of each guess."""
        known = np.log2(board.mass)
        weights = board.weights[board.weights > 0]
        missing = known - np.sum(weights * np.log2(weights)) / board.mass
        bits = known - cost / board.mass
        needed: wk.Floats = 1 + missing / np.where(bits > LEAST_INFORMATION, bits, 0.0)
        return needed


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register both estimators."""
    register(StatisticalEstimator())
    register(EntropicEstimator())
