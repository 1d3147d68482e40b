"""Costs of guesses in a game whose table is not kept: parts are counted while codes are computed, not afterwards."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from wordle_kit.engine import cores
from wordle_kit.game.table import FeedbackTable, Floats, Ids

SIDE = 2048
"""The numbers of answers and guesses whose codes are computed at a time and stay in the cache until they are counted.
"""

MANY = 512
"""With fewer candidates than this, it takes longer to add up the counts of all codes than to count the codes."""


def can_count(table: FeedbackTable, n_candidates: int) -> bool:
    """Return whether counting by code is faster than counting the codes of all candidates in a block."""
    return not table.is_dense and n_candidates >= max(MANY, table.n_codes // 2)


def counted_costs(
    table: FeedbackTable,
    candidates: Ids,
    guesses: Ids | None,
    cost: Floats,
    groups: npt.NDArray[np.integer] | None = None,
    *,
    largest: bool = False,
) -> Floats:
    """Return the sum, or the largest, of cost[size] over the parts of each guess, float64[n_guesses].

    `cost` is float64[n_candidates + 1], and `groups`, int[n_codes], merges the parts of all codes in a group. Each core
    takes a block of guesses at a time. Its codes and counts take at most a quarter of the table's memory.
    """
    from wordle_kit.strategy.kernels import NARROW, costs_of_counts, count_codes

    answers = table.answers[candidates]
    symbols = table.guesses if guesses is None else table.guesses[guesses]
    merged = None if groups is None else groups.astype(np.uint32)
    n_parts = table.n_codes if merged is None else int(merged.max()) + 1
    height = min(SIDE, len(answers))
    for_each_guess = height * (table.dtype.itemsize if merged is None else 4) + 4 * n_parts
    width = max(1, min(SIDE, table.memory // (4 * for_each_guess)))
    out = np.empty(len(symbols))

    def fill(start: int) -> None:
        block = symbols[start : start + width]
        counts = np.zeros((len(block), n_parts), dtype=np.int32)
        narrow = np.zeros((NARROW, n_parts), dtype=np.uint16)
        for first in range(0, len(answers), height):
            codes = table.codes_of(answers[first : first + height], block)
            count_codes(codes if merged is None else merged[codes], counts, narrow)
        costs_of_counts(counts, cost, largest, out[start : start + width])

    starts = range(0, len(symbols), width)
    with ThreadPoolExecutor(min(cores(), len(starts))) as threads:
        for _ in threads.map(fill, starts):
            pass
    return out
