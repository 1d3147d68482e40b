"""Confidence intervals of a mean over all puzzles, estimated from a sample."""

import math
import statistics
from collections.abc import Sequence
from functools import lru_cache

CONFIDENCE = 0.95

STEPS = 256
"""The number of steps of Simpson's rule: enough for six decimals of the quantile."""

Interval = tuple[float, float]


def interval_of_mean(values: Sequence[int], population: int | None = None) -> Interval | None:
    """Return the 95% confidence interval of the mean of a sample, or None for fewer than two values.

    `population` is the number of puzzles from which those of the sample were drawn without replacement, or None if they
    were drawn independently of each other. Equal values do not show how far other values may vary. They get the least
    deviation that a sample of their size can show otherwise, in which one puzzle took one guess more.
    """
    n = len(values)
    if n < 2:
        return None
    total, squares = sum(values), sum(value * value for value in values)
    mean = total / n
    deviation = math.sqrt((n * squares - total * total) / (n * (n - 1)))
    half = half_width_per_deviation(n, population) * max(deviation, least_deviation(n))
    return mean - half, mean + half


def half_width_per_deviation(n: int, population: int | None) -> float:
    """Return the half-width of the interval for a sample of two or more, divided by its standard deviation.

    It is that of Student's t distribution, times the square root of the share of the population that is not in the
    sample: the finite-population correction (Cochran, "Sampling Techniques", section 2.8).
    """
    unknown = 1.0 if population is None else 1 - n / population
    return quantile_of_t(n - 1) * math.sqrt(unknown / n)


def least_deviation(n: int) -> float:
    """Return the least standard deviation, with divisor n - 1, of n integers that are not all equal."""
    return 1 / math.sqrt(n)


@lru_cache(16)
def quantile_of_t(freedom: int) -> float:
    """Return t, so that a variable of Student's distribution is within -t and t with 95% probability.

    With t = sqrt(freedom) * tan(angle), the density is proportional to cos(angle) ** (freedom - 1), so the probability
    of the angles from 0 on grows ever more slowly. Newton's method therefore never overshoots if it starts below the
    solution, as it does at the quantile of the normal distribution.
    """
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)

    def density(angle: float) -> float:
        # log1p keeps digits of small angles that the cosine loses
        return 2 * scale * math.exp((freedom - 1) / 2 * math.log1p(-(math.sin(angle) ** 2)))

    angle = math.atan(statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) / math.sqrt(freedom))
    while True:
        heights = [density(angle * step / STEPS) for step in range(STEPS + 1)]
        inner = 4 * math.fsum(heights[1:-1:2]) + 2 * math.fsum(heights[2:-1:2])
        within = (heights[0] + inner + heights[-1]) * angle / STEPS / 3
        step = (CONFIDENCE - within) / density(angle)
        angle += step
        if step <= 1e-9 * angle:  # or below 0, by rounding
            return math.sqrt(freedom) * math.tan(angle)
