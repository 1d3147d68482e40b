"""The native kernels of the cost engine: they find the parts of every guess and add up what the parts cost.

To choose a guess in Wordle, the candidates are split by the codes of each of 12,972 guesses. Codes are stored by
answer, as codes[n_answers, n_guesses], so the codes of a candidate against neighbouring guesses are neighbours in
memory. Every kernel uses this in the same way: it takes a tile of guesses at a time, goes through the candidates, and
for each candidate through the guesses of the tile. The numbers that it keeps for a tile fit the processor's caches.

The kernels differ in what they keep for a guess, because no way is fast for all numbers of candidates. For few
candidates, comparing the codes of each two is faster than counting. For many in a game whose table is not kept, codes
are counted as soon as they are computed. In a game with weights the parts have masses, and there are too many different
masses to ask for the cost of each one beforehand.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.compiled_code import find_folder
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import Floats, Ids

find_folder(__file__)

Counts = npt.NDArray[np.integer]

WIDE = 1024
"""Guesses per tile if their codes are compared: the few numbers of each guess stay in the fastest cache."""

TILE = 64
"""Guesses per tile if their parts are counted. For Wordle's 243 codes, 64 x 243 counts of 16 bits take 31 kB."""


@njit(cache=True, nogil=True)
def costs_of_sequences(codes: Codes, rows: Ids, cost: Floats, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of the parts of at most 15 candidates.

    codes[n_answers, n_guesses] are the feedback codes and rows[n] the rows of the candidates. A part of s candidates
    costs cost[s]. The result is the sum of the costs of the parts or, with `largest`, the largest one.

    The sizes of a guess's parts, in the order of the parts' first candidates, are a sequence that adds up to n. There
    are only 2**(n - 1) sequences, so their totals are computed beforehand and a guess looks up its own. A sequence is
    written as 16 bits: after each part, the bit of the number of candidates so far. For example, 4 candidates in parts
    of 3 and 1 have the bits 3 and 4. To find the bits, codes are compared in pairs. Comparing needs no count to be read
    from memory and written back, so the compiler uses one instruction for many guesses.
    """
    n, n_guesses = len(rows), codes.shape[1]
    totals = totals_of_sequences(n, cost, largest)
    so_far, after, sequence = np.empty(WIDE, np.uint16), np.empty(WIDE, np.uint16), np.empty(WIDE, np.uint16)
    in_earlier = np.empty((n, WIDE), np.uint16)
    for start in range(0, n_guesses, WIDE):
        width = min(WIDE, n_guesses - start)
        so_far[:], sequence[:], in_earlier[:] = 1, 0, 0
        for i in range(n):
            own = codes[rows[i], start : start + width]
            for g in range(width):
                after[g] = np.uint16(so_far[g] + so_far[g])
            for j in range(i + 1, n):
                other, known = codes[rows[j], start : start + width], in_earlier[j]
                for g in range(width):
                    same = np.uint16(0xFFFF) if own[g] == other[g] else np.uint16(0)
                    after[g] += after[g] & same
                    known[g] |= same
            known = in_earlier[i]
            for g in range(width):
                so_far[g] = np.uint16((after[g] & ~known[g]) | (so_far[g] & known[g]))
                sequence[g] |= so_far[g]
        block = out[start : start + width]
        for g in range(width):
            block[g] = totals[sequence[g] >> 1]


@njit(cache=True, nogil=True)
def totals_of_sequences(n: int, cost: Floats, largest: bool) -> Floats:
    """Return the sum, or the largest, of cost[size] over the parts of each sequence, float64[2**n].

    Bit i of an index means that a part ends with candidate i. To each sequence that ends with candidate `before`, a
    last part up to candidate `end` is added, so costs are added in the order of the parts.
    """
    totals = np.empty(1 << n)
    totals[0] = -np.inf if largest else 0.0
    for end in range(n):
        for before in range(-1, end):
            last = cost[end - before]
            fewer = totals[1 << before : 2 << before] if before >= 0 else totals[:1]
            more = totals[(1 << end) + (1 << before) :] if before >= 0 else totals[1 << end :]
            for i in range(len(fewer)):
                more[i] = max(fewer[i], last) if largest else fewer[i] + last
    return totals


@njit(cache=True, nogil=True)
def costs_of_counts(counts: Counts, cost: Floats, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of the parts whose sizes are in counts[n_guesses, n_codes].

    A code that no candidate has must cost nothing: cost[0] is 0, or -inf with `largest`.
    """
    for g in range(len(counts)):
        total = cost[0]
        for size in counts[g]:
            total = max(total, cost[size]) if largest else total + cost[size]
        out[g] = total


@njit(cache=True, nogil=True)
def costs_of_parts(codes: Codes, rows: Ids, units: Ids, cost: Floats, sums: Counts, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of the parts of any number of candidates.

    A part costs cost[s], where s is the sum of its candidates' units[n]. If all units are 1, s is the size of the part.
    If they are powers of two, s is a set of candidates with a bit for each, and every set can have a cost of its own.

    For each tile there are two passes. The first adds up the units of each part in sums[TILE, n_codes], which is zero
    before and after. The second reads the sum of each part at the part's first candidate and sets it to zero. At the
    other candidates of the part it reads zero, which must cost nothing: cost[0] is 0, or -inf with `largest`. Costs are
    therefore added in the order of the parts' first candidates. If there are more candidates than codes, it is faster
    to read the sums of all codes, and costs are added in the order of the codes.
    """
    n_guesses = codes.shape[1]
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        add_to_parts(codes, rows, units, start, width, sums)
        total = out[start : start + width]
        if len(rows) > sums.shape[1]:
            costs_of_counts(sums[:width], cost, largest, total)
            sums[:] = 0
            continue
        total[:] = cost[0]
        for row in rows:
            tile = codes[row, start : start + width]
            for g in range(width):
                of_part = cost[sums[g, tile[g]]]
                sums[g, tile[g]] = 0
                total[g] = max(total[g], of_part) if largest else total[g] + of_part


@njit(cache=True, nogil=True)
def add_to_parts(codes: Codes, rows: Ids, units: Any, start: int, width: int, sums: Any) -> None:
    """Add units[n] of the candidates to sums[width, n_codes] at their codes, for the guesses from `start` on."""
    for i in range(len(rows)):
        tile = codes[rows[i], start : start + width]
        unit = units[i]
        for g in range(width):
            sums[g, tile[g]] += unit


@njit(cache=True, nogil=True)
def count_codes(codes: Codes, units: Any, sums: Any) -> None:
    """Add units[n] of the candidates to sums[n_guesses, n_codes], given their codes[n, n_guesses].

    If the table is not kept, codes are computed for some thousand candidates and guesses at a time and are still in the
    cache when this kernel reads them. All codes of a guess are never stored at once. So the sums of all guesses of a
    block wait until the last candidates have been added. The units are 1 to count, or the candidates' weights.
    """
    n_guesses = codes.shape[1]
    rows = np.arange(len(codes)).astype(np.int32)
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        add_to_parts(codes, rows, units, start, width, sums[start : start + width])


@njit(cache=True, nogil=True)
def collect_masses(
    codes: Codes, rows: Ids, weights: Floats, sums: Floats, start: int, masses: Floats, owners: Ids
) -> tuple[int, int]:
    """Collect the masses of the parts of guesses from `start` on, and return the next guess and how many there are.

    The mass of a part is the sum of its candidates' weights[n], each above 0. Only the strategy knows what a mass
    costs, and asking it is slow, so masses[k] are collected until there are enough to ask about all of them at once.
    Each belongs to the guess owners[k]. Both arrays need room for the parts of a tile and one mass more.

    The two passes are those of `costs_of_parts`; sums[TILE, n_codes] is zero before and after. The second one writes a
    mass for every candidate and keeps it if it is not zero, which takes less time than a branch.
    """
    n_guesses, n_codes = codes.shape[1], sums.shape[1]
    room = np.uint64(len(masses) - TILE * min(len(rows), n_codes) - 1)
    found = np.uint64(0)
    while start < n_guesses and found <= room:
        width = min(TILE, n_guesses - start)
        add_to_parts(codes, rows, weights, start, width, sums)
        for row in rows:
            tile = codes[row, start : start + width]
            for g in range(width):
                mass = sums[g, tile[g]]
                sums[g, tile[g]] = 0.0
                masses[found] = mass
                owners[found] = start + g
                found += np.uint64(mass != 0.0)
        start += width
    return start, int(found)


@njit(cache=True, nogil=True)
def collect_sums(sums: Floats, start: int, masses: Floats, owners: Ids) -> tuple[int, int]:
    """Collect the masses above 0 in sums[n_guesses, n_codes] from guess `start` on, as `collect_masses` does."""
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
def add_costs(costs: Floats, owners: Ids, largest: bool, out: Floats) -> bool:
    """Add costs[k] to out[owners[k]] or, with `largest`, keep the larger of the two. Return whether any cost is nan."""
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
    for array in (codes, rows, units, weights):
        array.flags.writeable = False  # as those of a table
    costs_of_sequences(codes, rows, np.zeros(2), False, out)
    for counts in (np.uint16, np.uint32):
        costs_of_parts(codes, rows, units, np.zeros(2), np.zeros((TILE, 1), counts), False, out)
    if weighted:
        masses, owners = np.empty(TILE + 1), np.empty(TILE + 1, np.int32)
        collect_masses(codes, rows, weights, np.zeros((TILE, 1)), 0, masses, owners)
        add_costs(masses[:1], owners[:1], False, out)
        sums_of_first(codes, rows, weights, 1, out)
