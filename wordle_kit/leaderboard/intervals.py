"""Confidence intervals of a mean over all puzzles, estimated from a sample."""

import math
import statistics
from collections.abc import Sequence

CONFIDENCE = 0.95

Interval = tuple[float, float]


def interval_of_mean(values: Sequence[int]) -> Interval | None:
    """Return the 95% confidence interval of the mean, by the normal approximation.

    Return None if all values are equal, as for a single puzzle or a strategy that fails on every puzzle, since they do
    not show how far other values may vary.
    """
    if len(set(values)) < 2:
        return None
    mean = statistics.fmean(values)
    error = statistics.stdev(values) / math.sqrt(len(values))
    half = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    return mean - half, mean + half
