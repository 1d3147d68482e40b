"""Sums over parts in the order of a paper or program, where the last digits of its scores count."""

from collections.abc import Sequence

import numpy as np

import wordle_kit as wk

COUNTS_AT_ONCE = 2**22
"""How many part sizes are held at a time, so that memory does not grow with guesses times codes."""


def costs_in_order(
    board: wk.Board,
    part_cost: wk.PartCost,
    codes: Sequence[int],
    guesses: wk.Ids | None = None,
) -> wk.Floats:
    """Return the sum of `part_cost` over the parts of each guess, float64[n_guesses], added in the order of `codes`.

    `board.costs` is many times as fast, but adds in an order of its own.
    """
    every = np.arange(len(board.game.guesses), dtype=np.int32) if guesses is None else guesses
    cost = np.zeros(len(board) + 1)  # a part of size 0 costs nothing
    cost[1:] = part_cost(np.arange(1, len(board) + 1, dtype=np.float64))
    sums = np.zeros(len(every))
    step = max(1, COUNTS_AT_ONCE // board.game.table.n_codes)
    for start in range(0, len(every), step):
        sizes = board.part_sizes(every[start : start + step])
        for code in codes:
            sums[start : start + step] += cost[sizes[:, code]]
    return sums
