"""The native kernels that count parts, or add up their masses, while codes are computed."""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.compiled_code import find_folder
from wordle_kit.strategy.few_kernels import Codes, Floats, Ids

find_folder(__file__)

NARROW = 32
"""Guesses per tile: half a cache line or a whole one if codes are counted in 16 bits."""


@njit(cache=True, nogil=True)
def count_codes(codes: Codes, counts: Ids, narrow: npt.NDArray[np.uint16]) -> None:
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
def add_weights(codes: Codes, weights: Floats, sums: Floats) -> None:
    """Add to sums[n_guesses, n_codes] the weights[n] of the rows of codes[n, n_guesses] that have each code."""
    n, n_guesses = codes.shape
    for start in range(0, n_guesses, NARROW):
        width = min(NARROW, n_guesses - start)
        for row in range(n):
            tile = codes[row, start : start + width]
            weight = weights[row]
            for g in range(width):
                sums[start + g, tile[g]] += weight


@njit(cache=True, nogil=True)
def collect_sums(sums: Floats, start: int, masses: Floats, owners: Ids) -> tuple[int, int]:
    """Collect the masses above 0 in sums[n_guesses, n_codes] from guess `start` on, as collect_masses does."""
    n_guesses, n_codes = sums.shape
    room = np.uint64(len(masses) - n_codes - 1)
    found = np.uint64(0)
    while start < n_guesses and found <= room:
        for mass in sums[start]:
            masses[found] = mass
            owners[found] = start
            found += np.uint64(mass != 0.0)
        start += 1
    return start, int(found)


@njit(cache=True, nogil=True)
def costs_of_counts(counts: Ids, cost: Floats, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the sum, or the largest, of cost[size] over the parts in counts[n_guesses, n_codes]."""
    for g in range(len(counts)):
        total = -np.inf if largest else 0.0
        for size in counts[g]:
            if not largest:
                total += cost[size]
            elif size and cost[size] > total:
                total = cost[size]
        out[g] = total
