"""Figures in which each puzzle counts with its weight."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Weighted:
    """The weights of puzzles, not all of them 0."""

    weights: Sequence[float]

    def mean(self, values: Sequence[float]) -> float:
        """Return the sum of the values, each times its weight, divided by the sum of the weights."""
        parts = (weight * value for weight, value in zip(self.weights, values, strict=True))
        return math.fsum(parts) / math.fsum(self.weights)

    def std(self, values: Sequence[float]) -> float:
        """Return the square root of the weighted mean of the squared deviations from the weighted mean."""
        mean = self.mean(values)
        return math.sqrt(self.mean([(value - mean) ** 2 for value in values]))
