"""The entropy of Fetterman (2022), made for several boards; with his rule and order of words, game for game as his."""

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

import wordle_kit as wk

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]

SURE = -100.0
"""What a word scores that is the only candidate of a board: so little that it is played at once."""


class GreedyEntropy(wk.PartitionStrategy):
    """Guess so that as few bits as possible are expected to be missing; of equals the first in the game's order.

    Fetterman (2022), section 3, and for several boards 5: the sum method (`combine=sum`) and Vern's gambit
    (`combine=min`). His figures come out with the rule wordle-left-to-right and the lists in his language's hash order.
    """

    ties: Literal["candidates-first", "list-order"] = "list-order"

    def part_cost(self, size: Floats) -> Floats:
        """Return size times the bits still missing in a part of that size."""
        return size * np.log2(size)

    def finish(self, cost: Floats, board: wk.Board, guesses: Ids | None) -> Floats:
        """Return bits per candidate, and -100 for a word that is the only candidate."""
        bits = cost / len(board)
        return np.where(board.is_candidate(guesses), SURE, bits) if len(board) == 1 else bits


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategy."""
    register(GreedyEntropy())
