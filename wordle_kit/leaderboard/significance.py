"""Statistics: confidence intervals of means, and whether a difference is more than luck."""

import math
import numbers
import statistics
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import WordleKitError
from wordle_kit.game.table import Floats
from wordle_kit.texts import short_repr
from wordle_kit.tournaments.runs import CONFIDENCE

Interval = tuple[float, float]

STEPS = 256
"""The number of steps of Simpson's rule: enough for six decimals of the quantile."""


def mean_by_weight(weights: Sequence[float], values: Sequence[float]) -> float:
    """Return the weighted mean of the values. Not all weights may be 0."""
    parts = (weight * value for weight, value in zip(weights, values, strict=True))
    return math.fsum(parts) / math.fsum(weights)


# Confidence intervals


def check_confidence(confidence: object) -> None:
    """Raise WordleKitError unless intervals can have this confidence level."""
    if not isinstance(confidence, numbers.Real) or not 0.5 <= float(confidence) < 1:
        raise WordleKitError(
            f"confidence is {short_repr(confidence)}; give a number from 0.5 up to, but not including, 1"
        )


def in_percent(confidence: float) -> str:
    """Return a confidence level as a percentage, such as `95%` or `99.9%`."""
    return f"{100 * confidence:.6g}%"


def interval_of_mean(
    values: Sequence[int], population: int | None = None, confidence: float = CONFIDENCE
) -> Interval | None:
    """Return the confidence interval of the mean of a sample, or None for fewer than two values.

    Its half-width is that of Student's t distribution, times the finite-population correction: the square root of the
    share of the population that is not in the sample (Cochran, "Sampling Techniques", section 2.8).

    `population` is the number of puzzles from which the sample was drawn without replacement, or None if its puzzles
    were drawn independently of each other.

    If all values are equal, they do not show how much others may vary. The interval is then computed as if one puzzle
    had taken one guess more, the least deviation that is otherwise possible for a sample of this size.
    """
    n = len(values)
    if n < 2:
        return None
    total, squares = sum(values), sum(value * value for value in values)
    mean = total / n
    deviation = math.sqrt((n * squares - total * total) / (n * (n - 1)))
    least = 1 / math.sqrt(n)  # the least deviation of n whole numbers that are not all equal
    unknown = 1.0 if population is None else 1 - n / population
    half = quantile_of_t(n - 1, confidence) * math.sqrt(unknown / n) * max(deviation, least)
    return mean - half, mean + half


@lru_cache(16)
def quantile_of_t(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Return the t for which a variable with Student's distribution lies between -t and t with this probability.

    With t = sqrt(freedom) * tan(angle), the density is proportional to cos(angle) ** (freedom - 1), which falls as the
    angle grows. So Newton's method never overshoots if it starts below the solution, as it does here, from the quantile
    of the normal distribution.
    """
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)

    def density(angle: float) -> float:
        # For small angles, log1p keeps digits that the cosine would lose.
        return 2 * scale * math.exp((freedom - 1) / 2 * math.log1p(-(math.sin(angle) ** 2)))

    angle = math.atan(statistics.NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(freedom))
    while True:
        heights = [density(angle * step / STEPS) for step in range(STEPS + 1)]
        inner = 4 * math.fsum(heights[1:-1:2]) + 2 * math.fsum(heights[2:-1:2])
        within = (heights[0] + inner + heights[-1]) * angle / STEPS / 3
        step = (confidence - within) / density(angle)
        angle += step
        if step <= 1e-9 * angle:  # rounding may make the step negative
            return math.sqrt(freedom) * math.tan(angle)


# P-values


def sign_flip_p_value(differences: Sequence[int] | npt.NDArray[np.integer]) -> float:
    """Return the two-sided p-value of the paired permutation test, by counting all permutations.

    `differences` are the first strategy's guesses minus the second's, puzzle by puzzle. If the strategies were equally
    good, each difference could equally have the opposite sign. The p-value is the share of all choices of signs whose
    sum is at least as far from 0 as the observed sum. Since differences are whole numbers, the choices can be counted
    by their sums, without random numbers. (Fisher, "The Design of Experiments", 1935, section 21.)
    """
    apart = np.asarray(differences, dtype=np.int64)
    counts = np.bincount(np.abs(apart))
    shares = np.ones(1)  # the share of all choices, by the sum of the sizes that have a plus sign
    for size in range(1, len(counts)):
        if counts[size]:
            plus = np.zeros(size * counts[size] + 1)
            plus[::size] = _binomial(int(counts[size]))
            shares = np.convolve(shares, plus)
    sums = 2 * np.arange(len(shares)) - (len(shares) - 1)
    return min(1.0, float(shares[np.abs(sums) >= abs(apart.sum())].sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's method, in the same order.

    Call a difference significant if its adjusted p-value is at most 0.05. If in fact nothing differs, the probability
    of calling any difference significant is at most 5%. (Holm, "A simple sequentially rejective multiple test
    procedure", 1979.)
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


@lru_cache(1000)
def _binomial(count: int) -> Floats:
    """Return the probabilities of 0, 1, ..., `count` heads in `count` tosses of a coin, float64[count + 1]."""
    ways = [math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in range(count + 1)]
    return np.exp(np.array(ways) - count * math.log(2))
