"""What perfect play minimises: the total number of guesses, or the worst case."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import wordle_kit as wk
from wordle_kit.errors import whole

LONGEST = 64
"""The largest number of guesses that is counted."""

LARGEST_TOTAL = 2**36
"""The largest sum of weights after scaling to integers, which make costs exact sums."""

LARGEST_COST = 2**60
"""An upper bound of all costs, including those of late answers."""

DECIMALS = 9
"""The most decimals with which weights can be scaled to integers exactly."""


@dataclass(frozen=True)
class Objective:
    """The objective that perfect play minimises. Raises GameError if it is invalid."""

    kind: str = "mean"
    """`mean` for the total number of guesses, or `worst` for the most guesses and then the total."""
    at_most: int | None = None
    """With `mean`, the number of guesses within which every answer must be solved, or None for no limit."""

    def __post_init__(self) -> None:
        if self.kind not in ("mean", "worst"):
            raise wk.GameError(f"{self.kind!r} is not an objective; choose mean or worst")
        if self.at_most is not None and (self.kind != "mean" or not 1 <= whole("at_most", self.at_most) <= LONGEST):
            raise wk.GameError(f"at most {self.at_most} guesses: give 1 to {LONGEST}, with the objective mean")

    def limit(self, n: int) -> int | None:
        """Return how many guesses are counted for n candidates, or None if their number does not matter.

        The worst case of n candidates is at most n guesses, or n + 1 after an opener that gives no information.
        """
        return min(n + 1, LONGEST) if self.kind == "worst" else self.at_most


def weights_of(game: wk.Game, candidates: wk.Ids) -> npt.NDArray[np.float64]:
    """Return the weight of each candidate, float64[n]. Without weights, or if all have weight 0, each weight is 1."""
    weights = np.ones(len(candidates)) if game.weights is None else np.array(game.weights)[candidates]
    return weights if weights.any() else np.ones(len(candidates))


def scaled_weights(game: wk.Game, candidates: wk.Ids, objective: Objective) -> tuple[npt.NDArray[np.int64], float]:
    """Return the weights of candidates as integers, int64[n], and the factor by which they were multiplied.

    Without weights, each integer is 1. Weights with few decimals are converted exactly. Others are scaled and rounded
    so that their sum is 2**36, or less if costs with late answers would overflow 64 bits. Raises GameError for a weight
    so small that it would become 0.
    """
    weights, n = weights_of(game, candidates), len(candidates) + 1
    largest = LARGEST_TOTAL if objective.limit(n) is None else min(LARGEST_TOTAL, LARGEST_COST / (4 * n * n))
    for decimals in range(DECIMALS + 1):
        whole = np.rint(weights * 10.0**decimals)
        if whole.sum() <= largest and (whole / 10.0**decimals == weights).all():
            return whole.astype(np.int64), 10.0**decimals
    scale = largest / float(weights.sum())
    least = float(weights[weights > 0].min())
    if np.rint(least * scale) == 0:
        raise wk.GameError(f"{game.name}: a weight of {least:g} is too small beside the others; use 0")
    return np.rint(weights * scale).astype(np.int64), scale


def ideal_costs(n: int, n_codes: int, within: int | None, late: int) -> npt.NDArray[np.int64]:
    """Return the least possible cost of sets of 0 to n candidates, int64[within + 2, n + 1].

    Guess number d solves at most (n_codes - 1)^(d - 1) candidates. Row k is for k guesses left: a candidate that needs
    more costs an additional `late`. The last row is for any number of guesses. If `within` is None, only the first and
    the last row exist.
    """
    depth = np.empty(n, dtype=np.int64)
    filled, level, capacity = 0, 1, 1
    while filled < n:
        depth[filled : filled + capacity] = level
        filled += capacity
        level += 1
        capacity = min(n, capacity * max(1, n_codes - 1))
    costs = np.zeros(((within or 0) + 2, n + 1), dtype=np.int64)
    for left in range((within or 0) + 1):
        costs[left, 1:] = np.cumsum(depth + late * (depth > left))
    costs[-1, 1:] = np.cumsum(depth)
    return costs
