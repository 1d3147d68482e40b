"""The entropy of Fetterman (2022), made for several boards; with his rule and order of words, game for game as his."""

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

import wordle_kit as wk

Floats = npt.NDArray[np.float64]


class GreedyEntropy(wk.PartitionStrategy):
    """Guess so that as few bits as possible are expected to be missing; of equals the first in the game's order.

    Fetterman (2022), section 3, and for several boards 5: the sum method (`combine=sum`) and Vern's gambit
    (`combine=min`). A word that is sure to solve a board, to which he gives -100, goes first in every partition
    strategy. His figures come out with the rule wordle-left-to-right and the lists in his language's hash order.
    """

    ties: Literal["candidates-first", "list-order"] = "list-order"

    def part_cost(self, size: Floats) -> Floats:
        """Return size times the bits still missing in a part of that size."""
        return size * np.log2(size)


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategy."""
    register(GreedyEntropy())
