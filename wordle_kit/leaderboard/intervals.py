"""Confidence intervals: where the mean over all puzzles lies, as far as a sample can tell."""

import math
import statistics
from collections.abc import Sequence

CONFIDENCE = 0.95

Interval = tuple[float, float]


def interval_of_mean(values: Sequence[int]) -> Interval | None:
    """Return the interval that has the mean of what was sampled with 95 % confidence, by the normal approximation.

    None for a single value, which says nothing about others.
    """
    if len(values) < 2:
        return None
    mean = statistics.fmean(values)
    error = statistics.stdev(values) / math.sqrt(len(values))
    half = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    return mean - half, mean + half
