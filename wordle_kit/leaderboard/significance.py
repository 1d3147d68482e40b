"""Significance: whether strategies differ by more than the luck of the draw, on a sample of puzzles that all played."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wordle_kit.game.table import Floats


def sign_flip_p_value(differences: Sequence[int] | npt.NDArray[np.integer]) -> float:
    """Return the two-sided p-value of the paired permutation test, by counting all permutations.

    `differences` are those between the guesses of two strategies, puzzle by puzzle. If the strategies were equally
    good, each difference could as well have the other sign. The p-value is the share of all choices of signs with a sum
    at least as far from 0 as the one observed. Differences are whole numbers, so the choices can be counted by their
    sums: no random numbers are drawn. (Fisher, "The Design of Experiments", 1935, section 21.)
    """
    apart = np.asarray(differences, dtype=np.int64)
    counts = np.bincount(np.abs(apart))
    shares = np.ones(1)  # the share of the choices by how much of the total size has a plus sign
    for size in range(1, len(counts)):
        if counts[size]:
            plus = np.zeros(size * counts[size] + 1)
            plus[::size] = _binomial(int(counts[size]))
            shares = np.convolve(shares, plus)
    sums = 2 * np.arange(len(shares)) - (len(shares) - 1)
    return min(1.0, float(shares[np.abs(sums) >= abs(apart.sum())].sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's method, in the same order.

    If those of at most 0.05 are called significant, the chance to call any difference significant where there is none
    is at most 5%. (Holm, "A simple sequentially rejective multiple test procedure", 1979.)
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


@lru_cache(1000)
def _binomial(count: int) -> Floats:
    """Return the probabilities of 0 to `count` heads in as many tosses of a coin, float64[count + 1]."""
    ways = [math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in range(count + 1)]
    return np.exp(np.array(ways) - count * math.log(2))
