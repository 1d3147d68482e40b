"""Sums over parts in the order of a paper or program, where the last digits of its scores count."""

from collections.abc import Sequence

import numpy as np

import wordle_kit as wk

COUNTS_AT_ONCE = 2**22
"""How many sizes or masses of parts are held at a time, so that memory does not grow with guesses times codes."""


def costs_in_order(
    board: wk.Board,
    part_cost: wk.PartCost,
    codes: Sequence[int],
    guesses: wk.Ids | None = None,
) -> wk.Floats:
    """Return the sum of `part_cost` over the parts of each guess, float64[n_guesses], added in the order of `codes`.

    With weights, `part_cost` gets the masses of parts. `board.costs` is many times as fast, but adds in an order of its
    own.
    """
    every = np.arange(len(board.game.guesses), dtype=np.int32) if guesses is None else guesses
    cost = np.zeros(len(board) + 1)  # a part of size 0 costs nothing
    if not board.game.is_weighted:
        cost[1:] = part_cost(np.arange(1, len(board) + 1, dtype=np.float64))
    sums = np.zeros(len(every))
    step = max(1, COUNTS_AT_ONCE // board.game.table.n_codes)
    for start in range(0, len(every), step):
        some, total = every[start : start + step], sums[start : start + step]
        if board.game.is_weighted:
            masses = board.part_masses(some)
            for code in codes:
                held = masses[:, code] > 0
                total[held] += part_cost(masses[held, code])
        else:
            sizes = board.part_sizes(some)
            for code in codes:
                total += cost[sizes[:, code]]
    return sums
