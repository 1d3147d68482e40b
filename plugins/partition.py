"""The textbook heuristics: score a guess by the sizes of the parts into which it splits the candidates."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import wordle_kit as wk

Floats = npt.NDArray[np.float64]


class Entropy(wk.PartitionStrategy):
    """Guess so that as few bits as possible are expected to be missing afterwards.

    Shannon's entropy of the feedback is greatest where this is least; for Mastermind: Neuwirth, "Some strategies for
    Mastermind" (1982).
    """

    def part_cost(self, size: Floats) -> Floats:
        """Return size times the bits still missing in a part of that size."""
        return size * np.log2(size)


class ExpectedSize(wk.PartitionStrategy):
    """Guess so that as few candidates as possible are expected to be left.

    Irving, "Towards an optimum Mastermind strategy" (1978-79).
    """

    def part_cost(self, size: Floats) -> Floats:
        """Return size times size."""
        return size * size


class Minimax(wk.PartitionStrategy):
    """Guess so that the largest part is as small as possible.

    Knuth, "The computer as Master Mind" (1976-77).
    """

    over_parts = "max"

    def part_cost(self, size: Floats) -> Floats:
        """Return the size."""
        return size


class MostParts(wk.PartitionStrategy):
    """Guess so that there are as many different parts as possible.

    Kooi, "Yet another Mastermind strategy" (2005).
    """

    more_is_better = True  # the number of parts, for each candidate

    def part_cost(self, size: Floats) -> Floats:
        """Return minus one for every part."""
        return -np.ones_like(size)


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the textbook heuristics."""
    for strategy in (Entropy(), ExpectedSize(), Minimax(), MostParts()):
        register(strategy)
