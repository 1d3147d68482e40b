"""The estimators of Tyl (2023): how many guesses are still needed after a guess, from its parts alone."""

from abc import abstractmethod
from collections.abc import Callable

import numpy as np

import wordle_kit as wk


class Estimator(wk.PartitionStrategy):
    """Play the guess with the fewest estimated guesses, itself included.

    A guess wins immediately with probability q, which is 1/n for one of the n candidates and otherwise 0. The estimate
    is q + (1 - q) e. A guess that tells nothing is never made.
    """

    ties: wk.Ties = "list-order"

    @abstractmethod
    def guesses_needed(self, cost: wk.Floats, n: int) -> wk.Floats:
        """Return e, the estimated number of guesses if this one does not win, float64[n_guesses]."""

    def finish(self, cost: wk.Floats, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the estimates."""
        n = len(board)
        wins = board.is_candidate(guesses) / n
        if n == 1:  # where logarithms say nothing: the candidate wins, any other guess puts it off
            return 2 - wins
        with np.errstate(divide="ignore"):
            needed = self.guesses_needed(cost, n)
        return wins + (1 - wins) * needed


class StatisticalEstimator(Estimator):
    """Guess so that the expected number of candidates left promises the fewest further guesses.

    Tyl (2023), "Faster Wordle Estimators": if a of n candidates are expected to be left, e = 1 + ln n / ln(n / a).
    """

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return size times size: the sum is n times the expected number left."""
        return size * size

    def guesses_needed(self, cost: wk.Floats, n: int) -> wk.Floats:
        """Return e by the factor that each guess takes off."""
        needed: wk.Floats = 1 + np.log(n) / np.log(n * n / cost)
        return needed


class EntropicEstimator(Estimator):
    """Guess so that the expected number of bits promises the fewest further guesses.

    Tyl (2023), "Faster Wordle Estimators": if H of log2 n bits are expected, e = 1 + log2 n / H.
    """

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return size times its logarithm."""
        return size * np.log2(size)

    def guesses_needed(self, cost: wk.Floats, n: int) -> wk.Floats:
        """Return e by the bits that each guess gives."""
        bits = np.log2(n) - cost / n
        needed: wk.Floats = 1 + np.log2(n) / np.where(bits > 1e-12, bits, 0.0)
        return needed


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register both estimators."""
    register(StatisticalEstimator())
    register(EntropicEstimator())
