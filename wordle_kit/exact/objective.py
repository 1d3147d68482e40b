"""What perfect play is to make least: the total of guesses, the worst case, or the answers solved too late."""

import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from wordle_kit.arguments import whole
from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.names import shown

LONGEST = 64
"""Guesses that are counted to; whoever needs more is as late as can be."""

LARGEST_TOTAL = 2**36
"""Weights are scaled to integers that add up to no more than this, so that costs are exact sums."""

LARGEST_COST = 2**60
"""What no cost is above, late answers included."""

DECIMALS = 9
"""Decimals up to which weights are made whole numbers."""


@dataclass(frozen=True)
class Objective:
    """An objective: its kind, and for `within` how many guesses are in time."""

    kind: Literal["mean", "worst", "within"]
    within: int | None = None
    at_most: int | None = None
    """With `mean`: guesses within which every answer must be solved, if any number will not do."""

    @classmethod
    def read(cls, text: str, at_most: int | None = None) -> "Objective":
        """Return the objective that a text names: mean, worst or within-K. Raises GameError for another text."""
        if not isinstance(text, str):
            raise GameError(f"objective is {shown(text)}; give mean, worst or within-K, say within-4")
        match = re.fullmatch(r"(mean|worst)|within-([1-9]\d{0,1})", text.strip())
        if match is None:
            raise GameError(f"{text!r} is no objective; choose mean, worst or within-K, say within-4")
        if at_most is not None:
            whole("at_most", at_most)
        if at_most is not None and (match[1] != "mean" or not 1 <= at_most <= LONGEST):
            raise GameError(f"at most {at_most} guesses: give 1 to {LONGEST}, with the objective mean")
        if match[2]:
            return cls("within", int(match[2]))
        return cls("worst") if match[1] == "worst" else cls("mean", at_most=at_most)

    def limit(self, n: int) -> int | None:
        """Return how many guesses are counted of n candidates, or None where their number does not matter."""
        return min(n, LONGEST) if self.kind == "worst" else self.within or self.at_most

    @property
    def weighs_late(self) -> bool:
        """Whether late answers count by their weights, and not each the same."""
        return self.kind == "within"

    def __str__(self) -> str:
        return f"within-{self.within}" if self.kind == "within" else self.kind


def scaled_weights(game: Game, objective: Objective) -> tuple[npt.NDArray[np.int64], float]:
    """Return the weights of all answers as integers, int64[n_answers], and what they were multiplied by.

    Without weights each is 1. Weights of few decimals are exact; others are scaled to add up to 2**36 and rounded, or
    to less where costs with late answers would not fit 64 bits. Raises GameError for a weight below 0, and
    for one so small that it would count as 0.
    """
    if game.weights is None:
        return np.ones(len(game.answers), dtype=np.int64), 1.0
    weights = np.array(game.weights, dtype=np.float64)
    if not np.isfinite(weights).all() or weights.min() < 0 or weights.sum() <= 0:
        raise GameError(f"{game.name}: perfect play needs weights that are 0 or more, and not all 0")
    largest, n = float(LARGEST_TOTAL), len(weights)
    if objective.weighs_late:
        largest = math.sqrt(LARGEST_COST / (4 * n))
    elif objective.limit(n) is not None:
        largest = min(largest, LARGEST_COST / (4 * n * n))
    for decimals in range(DECIMALS + 1):
        whole = np.rint(weights * 10.0**decimals)
        if whole.sum() <= largest and (whole / 10.0**decimals == weights).all():
            return whole.astype(np.int64), 10.0**decimals
    scale = largest / weights.sum()
    scaled = np.rint(weights * scale).astype(np.int64)
    if ((scaled == 0) & (weights > 0)).any():
        least = weights[weights > 0].min()
        raise GameError(f"{game.name}: a weight of {least:g} is too small beside their sum of {weights.sum():g}; use 0")
    return scaled, float(scale)
