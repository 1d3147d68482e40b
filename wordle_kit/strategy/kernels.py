"""The native kernel of partition strategies: the cost of each guess, from the sizes of its parts."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.compiled_code import find_folder

find_folder(__file__)

TILE = 64
"""Guesses per tile: a row of a tile is one cache line, and for Wordle the counts of a tile stay in the cache."""

NARROW = 32
"""Guesses per tile when codes are counted in 16 bits: half a cache line or a whole one."""


@njit(cache=True, nogil=True)
def partition_costs(
    codes: npt.NDArray[np.unsignedinteger],
    rows: npt.NDArray[np.int32],
    cost: npt.NDArray[np.float64],
    n_codes: int,
    largest: bool,
    out: npt.NDArray[np.float64],
) -> None:
    """Fill out[n_guesses] with the sum, or the largest, of cost[size] over the parts of each guess.

    codes[n_answers, n_guesses] are the feedback codes, rows[n] the rows of the candidates, and cost[0] is 0. The
    second pass counts each part once, at its first candidate, and resets its count for the next tile. With at most
    three candidates, the number of pairs that a guess tells apart determines its parts, so nothing is counted.
    """
    n_guesses = codes.shape[1]
    n = len(rows)
    if 0 < n <= 3:
        by_pairs = np.zeros(4)  # by how many pairs are told apart: none; two, where one stands alone; all three
        by_pairs[0] = cost[n]
        by_pairs[2] = max(cost[1], cost[n - 1]) if largest else cost[1] + cost[n - 1]
        by_pairs[3] = cost[1] if largest else 3 * cost[1]
        first, second, third = codes[rows[0]], codes[rows[n // 2]], codes[rows[n - 1]]
        for g in range(n_guesses):
            apart = int(first[g] != second[g]) + int(first[g] != third[g]) + int(second[g] != third[g])
            out[g] = by_pairs[apart]
        return
    counts = np.zeros((TILE, n_codes), dtype=np.int32)
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        for row in rows:
            tile = codes[row, start : start + width]
            for g in range(width):
                counts[g, tile[g]] += 1
        total = out[start : start + width]
        total[:] = -np.inf if largest else 0.0
        for row in rows:
            tile = codes[row, start : start + width]
            for g in range(width):
                size = counts[g, tile[g]]
                counts[g, tile[g]] = 0
                if not largest:
                    total[g] += cost[size]
                elif size and cost[size] > total[g]:
                    total[g] = cost[size]


@njit(cache=True, nogil=True)
def count_codes(
    codes: npt.NDArray[np.unsignedinteger], counts: npt.NDArray[np.int32], narrow: npt.NDArray[np.uint16]
) -> None:
    """Add to counts[n_guesses, n_codes] how often each code occurs in codes[n, n_guesses], with n below 65,536.

    narrow[NARROW, n_codes] is zero before and after. It counts a few guesses at a time and stays in the cache.
    """
    n, n_guesses = codes.shape
    for start in range(0, n_guesses, NARROW):
        width = min(NARROW, n_guesses - start)
        for row in range(n):
            tile = codes[row, start : start + width]
            for g in range(width):
                narrow[g, tile[g]] += np.uint16(1)
        for g in range(width):
            total = counts[start + g]
            for code in range(len(total)):
                total[code] += narrow[g, code]
                narrow[g, code] = 0


@njit(cache=True, nogil=True)
def costs_of_counts(
    counts: npt.NDArray[np.int32], cost: npt.NDArray[np.float64], largest: bool, out: npt.NDArray[np.float64]
) -> None:
    """Fill out[n_guesses] with the sum, or the largest, of cost[size] over the parts in counts[n_guesses, n_codes]."""
    for g in range(len(counts)):
        total = -np.inf if largest else 0.0
        for size in counts[g]:
            if not largest:
                total += cost[size]
            elif size and cost[size] > total:
                total = cost[size]
        out[g] = total


@cache
def compiled(dtype: np.dtype[Any]) -> None:
    """Compile the kernel for a type of codes, or load it from numba's cache."""
    codes, rows = np.zeros((1, 1), dtype), np.zeros(1, np.int32)
    for array in (codes, rows):
        array.flags.writeable = False  # as those of a table
    partition_costs(codes, rows, np.zeros(2), 1, False, np.empty(1))
