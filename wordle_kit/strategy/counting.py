"""Costs of guesses in a game whose table is not kept: parts are counted while codes are computed, not afterwards."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from wordle_kit.engine import cores
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import FeedbackTable, Floats, Ids

Groups = npt.NDArray[np.integer] | None
"""A group from 0 up for each code, int[n_codes], or None if each code is its own."""

Pieces = Iterator[tuple[slice, Codes]]
"""Some of the candidates at a time, and the codes of a block of guesses against them."""

SIDE = 2048
"""The numbers of answers and guesses whose codes are computed at a time and stay in the cache until they are counted.
"""

MANY = 512
"""With fewer candidates than this, it takes longer to add up the counts of all codes than to count the codes."""


def can_count(table: FeedbackTable, n_candidates: int) -> bool:
    """Return whether counting by code is faster than counting the codes of all candidates in a block."""
    return not table.is_dense and n_candidates >= max(MANY, table.n_codes // 2)


def counted_costs(
    table: FeedbackTable, candidates: Ids, guesses: Ids | None, cost: Floats, groups: Groups, *, largest: bool
) -> Floats:
    """Return the sum, or the largest, of cost[size] over the parts of each guess, float64[n_guesses].

    `cost` is float64[n_candidates + 1], and `groups`, int[n_codes], merges the parts of all codes in a group.
    """
    from wordle_kit.strategy.counting_kernels import NARROW, costs_of_counts, count_codes

    def costs(width: int, n_parts: int, pieces: Pieces) -> Floats:
        counts = np.zeros((width, n_parts), dtype=np.int32)
        narrow = np.zeros((NARROW, n_parts), dtype=np.uint16)
        for _, codes in pieces:
            count_codes(codes, counts, narrow)
        out = np.empty(width)
        costs_of_counts(counts, cost, largest, out)
        return out

    return np.concatenate([found for _, found in _in_blocks(table, candidates, guesses, groups, 4, costs)])


def counted_masses(
    table: FeedbackTable, candidates: Ids, weights: Floats, guesses: Ids | None, groups: Groups
) -> Iterator[tuple[slice, Floats]]:
    """Yield the masses of the parts of guesses in blocks: which of the guesses, and float64[n, n_parts], by code."""
    from wordle_kit.strategy.counting_kernels import add_weights

    def masses(width: int, n_parts: int, pieces: Pieces) -> Floats:
        sums = np.zeros((width, n_parts))
        for rows, codes in pieces:
            add_weights(codes, weights[rows], sums)
        return sums

    yield from _in_blocks(table, candidates, guesses, groups, 8, masses)


def _in_blocks(
    table: FeedbackTable,
    candidates: Ids,
    guesses: Ids | None,
    groups: Groups,
    itemsize: int,
    count: Callable[[int, int, Pieces], Floats],
) -> Iterator[tuple[slice, Floats]]:
    """Yield blocks of guesses, and what `count` returns for the number of guesses and of parts, and the codes.

    Each core takes a block at a time. The codes of a block, and items of this size for all parts, take at most a
    quarter of the table's memory.
    """
    answers = table.answers[candidates]
    symbols = table.guesses if guesses is None else table.guesses[guesses]
    merged = None if groups is None else groups.astype(np.uint32)
    n_parts = table.n_codes if merged is None else int(merged.max()) + 1
    height = min(SIDE, len(answers))
    for_each_guess = height * (table.dtype.itemsize if merged is None else 4) + itemsize * n_parts
    width = max(1, min(SIDE, table.memory // (4 * for_each_guess)))
    blocks = [slice(start, min(start + width, len(symbols))) for start in range(0, len(symbols), width)]

    def pieces(block: slice) -> Pieces:
        for start in range(0, len(answers), height):
            rows = slice(start, start + height)
            codes = table.codes_of(answers[rows], symbols[block])
            yield rows, codes if merged is None else merged[codes]

    def counted(block: slice) -> Floats:
        return count(block.stop - block.start, n_parts, pieces(block))

    at_a_time = min(cores(), len(blocks))
    with ThreadPoolExecutor(at_a_time) as threads:
        for first in range(0, len(blocks), at_a_time):
            some = blocks[first : first + at_a_time]
            yield from zip(some, threads.map(counted, some), strict=True)
