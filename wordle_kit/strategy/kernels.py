"""The native kernels of partition strategies: the cost of each guess, from the sizes or the masses of its parts."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.compiled_code import find_folder
from wordle_kit.strategy.few_kernels import (
    Codes,
    Floats,
    Ids,
    costs_of_partitions,
    costs_of_sequences,
    costs_of_three,
)

find_folder(__file__)

Sets = npt.NDArray[np.uint32]
"""Sets of candidates, a bit for each."""

Slots = npt.NDArray[np.uint64]
"""Two numbers of 32 bits each."""

TILE = 64
"""Guesses per tile: a row of a tile is one cache line, and for Wordle the counts of a tile stay in the cache."""

SLOTS = 2**14
"""Slots of the hash table of sets."""

KNOWN_SETS = 2**13
"""With more sets than this in the hash table, no further tiles are collected."""


@njit(cache=True, nogil=True)
def costs_of_growing_parts(codes: Codes, rows: Ids, cost: Floats, sizes: Codes, out: Floats) -> bool:
    """Fill out[n_guesses] with the sum of the costs of the parts of each guess, in one pass.

    codes[n_answers, n_guesses] are the feedback codes and rows[n] the rows of the candidates. cost[n + 1] has the cost
    of a part by its size; cost[0] is 0. What a part costs more is added whenever it grows by a candidate. `sizes` has a
    row for each guess of a tile and a column for each code, all zero before and after. Four candidates are taken at a
    time, so that a total is read and written once for all four.

    Return False, with nothing filled, if costs rise as well as fall with the size, or are infinite: then a sum could
    pass through values so large that small ones are rounded away.
    """
    more = np.empty(len(cost) - 1)
    rises = falls = True
    for size in range(len(more)):
        more[size] = cost[size + 1] - cost[size]
        rises &= more[size] >= 0
        falls &= more[size] <= 0
    if not (rises or falls):
        return False
    n, n_guesses = len(rows), codes.shape[1]
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        total = out[start : start + width]
        total[:] = 0.0
        for i in range(0, n - 3, 4):
            first, second = codes[rows[i], start : start + width], codes[rows[i + 1], start : start + width]
            third, fourth = codes[rows[i + 2], start : start + width], codes[rows[i + 3], start : start + width]
            for g in range(width):
                a = sizes[g, first[g]]
                sizes[g, first[g]] = a + 1
                b = sizes[g, second[g]]
                sizes[g, second[g]] = b + 1
                c = sizes[g, third[g]]
                sizes[g, third[g]] = c + 1
                d = sizes[g, fourth[g]]
                sizes[g, fourth[g]] = d + 1
                total[g] += more[a] + more[b] + more[c] + more[d]
        for i in range(n - n % 4, n):
            tile = codes[rows[i], start : start + width]
            for g in range(width):
                a = sizes[g, tile[g]]
                sizes[g, tile[g]] = a + 1
                total[g] += more[a]
        if sizes.shape[1] <= 16 * n:
            sizes[:] = 0
        else:
            for row in rows:
                tile = codes[row, start : start + width]
                for g in range(width):
                    sizes[g, tile[g]] = 0
    return True


@njit(cache=True, nogil=True)
def partition_costs(
    codes: Codes, rows: Ids, units: Ids, cost: Floats, n_codes: int, largest: bool, out: Floats
) -> None:
    """Fill out[n_guesses] with the sum, or the largest, of the costs of the parts of each guess.

    codes[n_answers, n_guesses] are the feedback codes and rows[n] the rows of the candidates. The cost of a part is
    cost[s], where s is the sum of its candidates' units[n], at least 1 each, and cost[0] is 0. The second pass counts
    each part once, at its first candidate, and resets its sum for the next tile.
    """
    n, n_guesses = len(rows), codes.shape[1]
    if 0 < n <= 3:
        costs_of_three(codes, rows, units, cost, largest, out)
        return
    sums = np.zeros((min(TILE, n_guesses), n_codes), dtype=np.int32)
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        for i in range(n):
            tile = codes[rows[i], start : start + width]
            unit = units[i]
            for g in range(width):
                sums[g, tile[g]] += unit
        total = out[start : start + width]
        total[:] = -np.inf if largest else 0.0
        for row in rows:
            tile = codes[row, start : start + width]
            for g in range(width):
                size = sums[g, tile[g]]
                sums[g, tile[g]] = 0
                if not largest:
                    total[g] += cost[size]
                elif size and cost[size] > total[g]:
                    total[g] = cost[size]


@njit(cache=True, nogil=True)
def collect_sets(
    codes: Codes, rows: Ids, start: int, sets: Sets, parts: Slots, slots: Slots, known: Sets, n_known: int
) -> tuple[int, int, int]:
    """Collect the parts of guesses from `start` on; return the next guess, how many there are, and how many sets.

    A part is a set of at most 32 candidates, a bit for each. parts[k] holds a guess and, in the lower half, the number
    of the part's set in `known`. The first n_known sets are there already; slots[SLOTS] finds them. `parts` needs room
    for TILE guesses and one part more, and `known` for TILE guesses. sets[TILE, n_codes] is zero before and after.
    A part is written for every candidate, and kept if it is the first of its part, which is faster than a branch.
    """
    n, n_guesses = len(rows), codes.shape[1]
    room = np.uint64(len(parts) - TILE * n - 1)
    found = np.uint64(0)
    while start < n_guesses and found <= room and n_known <= KNOWN_SETS:
        width = min(TILE, n_guesses - start)
        for i in range(n):
            tile = codes[rows[i], start : start + width]
            bit = np.uint32(1) << np.uint32(i)
            for g in range(width):
                sets[g, tile[g]] |= bit
        first = found
        for row in rows:
            tile = codes[row, start : start + width]
            guess = np.uint64(start) << np.uint64(32)
            for g in range(width):
                part = sets[g, tile[g]]
                sets[g, tile[g]] = 0
                parts[found] = guess | np.uint64(part)
                guess += np.uint64(1) << np.uint64(32)
                found += np.uint64(part != 0)
        n_known = number_sets(parts[first:found], slots, known, n_known)
        start += width
    return start, int(found), n_known


@njit(cache=True, nogil=True)
def number_sets(parts: Slots, slots: Slots, known: Sets, n_known: int) -> int:
    """Replace the set in the lower half of each part by its number, and return how many sets there are.

    A slot of the hash table holds a set, in the lower half, and its number; a free slot is 0. A set is in the first
    slot that was free from its hash on.
    """
    lower, half = np.uint64(2**32 - 1), np.uint64(32)
    for k in range(len(parts)):
        part = parts[k] & lower
        at = part * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(50)  # a multiplicative hash of 14 bits
        while slots[at] & lower != part:
            if slots[at] == 0:
                slots[at] = np.uint64(n_known) << half | part
                known[n_known] = part
                n_known += 1
            else:
                at = (at + np.uint64(1)) % np.uint64(SLOTS)
        parts[k] = parts[k] >> half << half | slots[at] >> half
    return n_known


@njit(cache=True, nogil=True)
def masses_of_sets(sets: Sets, weights: Floats) -> Floats:
    """Return the sum of the weights of the candidates in each set, float64[n_sets]."""
    masses = np.zeros(len(sets))
    for i in range(len(weights)):
        weight = weights[i]
        for k in range(len(sets)):
            masses[k] += weight * (sets[k] >> np.uint32(i) & np.uint32(1))
    return masses


@njit(cache=True, nogil=True)
def add_costs_of_sets(parts: Slots, costs: Floats, largest: bool, out: Floats) -> None:
    """Add the cost of each part's set to out[n_guesses] at the part's guess, or replace a smaller one there."""
    for part in parts:
        guess, cost = part >> np.uint64(32), costs[part & np.uint64(2**32 - 1)]
        if not largest:
            out[guess] += cost
        elif cost > out[guess]:
            out[guess] = cost


@njit(cache=True, nogil=True)
def collect_masses(
    codes: Codes, rows: Ids, weights: Floats, start: int, sums: Floats, firsts: Codes, masses: Floats, owners: Ids
) -> tuple[int, int]:
    """Collect the masses of the parts of guesses from `start` on, and return the next guess and how many there are.

    The mass of a part is the sum of its candidates' weights[n], each above 0. masses[k] belongs to the guess owners[k].
    Both arrays need room for the parts of a tile and one mass more. A guess's masses come in the order of the first
    candidates of its parts: firsts[parts + 1, width] keeps the codes of those, and needs room for one more than a guess
    can have. sums[width, n_codes] is zero before and after; its width is that of the tiles. Both loops write more than
    is kept, which takes less time than a branch.
    """
    n_guesses, most = codes.shape[1], len(sums)
    n_parts = np.zeros(most, np.uint32)
    room = np.uint64(len(masses) - most * (len(firsts) - 1) - 1)
    found = np.uint64(0)
    while start < n_guesses and found <= room:
        width = min(most, n_guesses - start)
        n_parts[:] = 0
        for i in range(len(rows)):
            tile = codes[rows[i], start : start + width]
            weight = weights[i]
            for g in range(width):
                code = tile[g]
                mass = sums[g, code]
                sums[g, code] = mass + weight
                firsts[n_parts[g], g] = code
                n_parts[g] += np.uint32(mass == 0.0)
        for part in range(n_parts.max()):
            for g in range(width):
                code = firsts[part, g]
                masses[found] = sums[g, code]
                owners[found] = start + g
                sums[g, code] = 0.0
                found += np.uint64(part < n_parts[g])
        start += width
    return start, int(found)


@njit(cache=True, nogil=True)
def add_costs(costs: Floats, owners: Ids, largest: bool, out: Floats) -> bool:
    """Add each cost to out[n_guesses] at its owner, or replace a smaller one there. Return whether any cost is nan."""
    any_nan = False
    for i in range(len(costs)):
        any_nan |= np.isnan(costs[i])
        if not largest:
            out[owners[i]] += costs[i]
        elif costs[i] > out[owners[i]]:
            out[owners[i]] = costs[i]
    return any_nan


@njit(cache=True, nogil=True)
def sums_of_first(codes: Codes, rows: Ids, values: Floats, n_codes: int, out: Floats) -> None:
    """Fill out[n_guesses] with the sum, over the parts of each guess, of values[n] of the part's first candidate."""
    n_guesses = codes.shape[1]
    seen = np.zeros((TILE, n_codes), dtype=np.bool_)
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        total = out[start : start + width]
        total[:] = 0.0
        seen[:] = False
        for i in range(len(rows)):
            tile = codes[rows[i], start : start + width]
            value = values[i]
            for g in range(width):
                total[g] += 0.0 if seen[g, tile[g]] else value
                seen[g, tile[g]] = True


@cache
def compiled(dtype: np.dtype[Any], weighted: bool) -> None:
    """Compile the kernels for a type of codes, or load them from numba's cache: for masses too, or for sizes alone."""
    codes, rows = np.zeros((1, 1), dtype), np.zeros(1, np.int32)
    units, weights, out = np.ones(1, np.int32), np.ones(1), np.empty(1)
    for array in (codes, rows, units):
        array.flags.writeable = False  # as those of a table
    partition_costs(codes, rows, units, np.zeros(2), 1, False, out)
    for counts in (np.uint8, np.uint16):
        costs_of_growing_parts(codes, rows, np.zeros(2), np.zeros((1, 1), counts), out)
    costs_of_sequences(codes, rows, np.zeros(2), False, out)
    if weighted:
        costs_of_partitions(codes, rows, np.zeros(2), False, out)
        masses, owners = np.empty(TILE + 1), np.empty(TILE + 1, np.int32)
        weights.flags.writeable = False
        collect_masses(codes, rows, weights, 0, np.zeros((TILE, 1)), np.zeros((2, TILE), dtype), masses, owners)
        add_costs(masses[:1], owners[:1], False, out)
        sets, parts, known = np.zeros((TILE, 1), np.uint32), np.zeros(TILE + 1, np.uint64), np.zeros(TILE, np.uint32)
        collect_sets(codes, rows, 0, sets, parts, np.zeros(SLOTS, np.uint64), known, 0)
        masses_of_sets(known[:1], weights)
        add_costs_of_sets(parts[:1], out, False, out)
        sums_of_first(codes, rows, weights, 1, out)
