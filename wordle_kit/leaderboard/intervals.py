"""Confidence intervals: where the mean over all puzzles lies, as far as a sample can tell."""

import math
import statistics
from collections.abc import Sequence

CONFIDENCE = 0.95

Interval = tuple[float, float]


def interval_of_mean(values: Sequence[int]) -> Interval | None:
    """Return the interval that has the mean of what was sampled with 95 % confidence, by the normal approximation.

    None where all values are the same, as those of a strategy that fails on every puzzle, or of a single puzzle: they
    do not say how far others may be from them.
    """
    if len(set(values)) < 2:
        return None
    mean = statistics.fmean(values)
    error = statistics.stdev(values) / math.sqrt(len(values))
    half = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    return mean - half, mean + half
