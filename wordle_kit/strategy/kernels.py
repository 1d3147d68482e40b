"""The native kernels of the cost engine: they find the parts of every guess and add up the costs of the parts.

To choose a guess in Wordle, a strategy splits the candidates by the codes of each of 12,972 guesses. Codes are stored
by answer, as codes[n_answers, n_guesses]: the codes of a candidate against neighbouring guesses are next to each other
in memory. So every kernel takes a tile of guesses at a time and loops over the candidates and, for each candidate, over
the guesses of the tile. The numbers that a kernel keeps for a tile fit in the processor's caches.

The kernels differ in what they keep for each guess, because no method is fast for all numbers of candidates. For few
candidates, comparing codes in pairs is faster than counting. With weights, there are too many different masses to ask
for the cost of each in advance.
"""

import os
import pickle
from collections.abc import Callable
from functools import cache, wraps
from tempfile import TemporaryDirectory
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import njit
from numba.core.caching import CompileResultCacheImpl, IndexDataCacheFile

from wordle_kit.game.rules import Codes
from wordle_kit.game.table import Floats, Ids


@cache
def prepare_numba() -> None:
    """Make numba recompile kernels that it cannot read, and use a temporary folder if no other is writable.

    Call this before the first kernel of a module.
    """
    for name, nothing in (("load", lambda: None), ("_load_index", dict)):
        setattr(IndexDataCacheFile, name, _mended(getattr(IndexDataCacheFile, name), nothing))
    try:
        CompileResultCacheImpl(prepare_numba.__wrapped__)  # type: ignore[no-untyped-call]
    except RuntimeError:  # neither the source's folder nor the user's is writable
        os.environ["NUMBA_CACHE_DIR"] = _temporary().name
        numba.config.reload_config()  # type: ignore[no-untyped-call]


def _mended(read: Callable[..., Any], nothing: Callable[[], Any]) -> Callable[..., Any]:
    @wraps(read)
    def mended(*arguments: Any) -> Any:
        try:
            return read(*arguments)
        except (EOFError, ValueError, pickle.UnpicklingError):  # the disk was full, or the machine crashed
            return nothing()

    return mended


@cache
def _temporary() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="wordle-kit-")  # removed when this process exits


prepare_numba()

Counts = npt.NDArray[np.integer]

WIDE = 1024
"""The number of guesses per tile when codes are compared. The few numbers kept for each stay in the fastest cache."""

TILE = 64
"""The number of guesses per tile when parts are counted. For Wordle, 64 x 243 counts of 16 bits take 31 kB."""


@njit(cache=True, nogil=True)
def costs_of_sequences(codes: Codes, rows: Ids, cost: Floats, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of guesses for at most 15 candidates.

    codes[n_answers, n_guesses] are the feedback codes, and rows[n] are the rows of the candidates. A part of s
    candidates costs cost[s]. The cost of a guess is the sum of its parts' costs or, with `largest`, the largest of
    them.

    The sizes of a guess's parts, in the order of the parts' first candidates, are a sequence that adds up to n. There
    are only 2**(n - 1) such sequences. Their totals are computed first, and each guess looks up its total. A sequence
    is written as 16 bits: each part sets the bit whose number is the count of candidates up to the end of the part. For
    example, 4 candidates in parts of 3 and 1 set the bits 3 and 4. To find the bits, codes are compared in pairs. Since
    a comparison need not read a count from memory and write it back, the compiler can use one instruction for many
    guesses.
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
    """Return the sum, or the maximum, of cost[size] over the parts of each sequence, float64[2**n].

    Bit i of an index means that a part ends with candidate i. A sequence is made from the one that ends with candidate
    `before` by adding a last part up to candidate `end`. So costs are added in the order of the parts.
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
def costs_of_parts(codes: Codes, rows: Ids, units: Ids, cost: Floats, sums: Counts, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of guesses for any number of candidates.

    A part costs cost[s], where s is the sum of its candidates' units[n]. If all units are 1, s is the size of the part.
    If the units are powers of two, s is a set of candidates with one bit each, so every set can have a different cost.

    Each tile takes two passes. The first adds up the units of each part in sums[TILE, n_codes], which is zero before
    and after. The second loops over the candidates. At the first candidate of a part, it reads the sum of the part and
    sets it to zero. At the other candidates of the part, it reads zero, which must cost nothing: cost[0] is 0, or -inf
    with `largest`. So costs are added in the order of the parts' first candidates. If there are more candidates than
    codes, the second pass loops over the codes instead, which is faster, and costs are added in the order of the codes.
    """
    n_guesses = codes.shape[1]
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        add_to_parts(codes, rows, units, start, width, sums)
        total = out[start : start + width]
        if len(rows) > sums.shape[1]:
            for g in range(width):
                total[g] = cost[0]
                for size in sums[g]:
                    total[g] = max(total[g], cost[size]) if largest else total[g] + cost[size]
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
    """Add units[n] of the candidates to sums[width, n_codes], at the codes of the `width` guesses from `start` on."""
    for i in range(len(rows)):
        tile = codes[rows[i], start : start + width]
        unit = units[i]
        for g in range(width):
            sums[g, tile[g]] += unit


@njit(cache=True, nogil=True)
def count_codes(codes: Codes, rows: Ids, units: Any, sums: Any) -> None:
    """Add the units[n] of the candidates in rows[n] of the codes to sums[n_guesses, n_codes].

    The units are all 1, to count candidates, or the candidates' weights. The sums must be zero at first.
    """
    n_guesses = codes.shape[1]
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        add_to_parts(codes, rows, units, start, width, sums[start : start + width])


@njit(cache=True, nogil=True)
def collect_masses(
    codes: Codes, rows: Ids, weights: Floats, sums: Floats, start: int, masses: Floats, owners: Ids
) -> tuple[int, int]:
    """Collect the masses of the parts of guesses from `start` on; return the next guess and the number of masses.

    The mass of a part is the sum of its candidates' weights[n], each above 0. Only the strategy knows what a mass
    costs, and asking it is slow, so masses[k] are collected until there are enough to ask about all at once.
    Mass k belongs to the guess owners[k]. Both arrays need room for the parts of a tile and one more mass.

    The two passes are the same as in `costs_of_parts`, and sums[TILE, n_codes] is zero before and after. The second
    pass writes a mass for every candidate and then moves on only if the mass is not zero. This is faster than a branch.
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
def add_costs(costs: Floats, owners: Ids, largest: bool, out: Floats) -> None:
    """Add costs[k] to out[owners[k]] or, with `largest`, keep the larger value."""
    for i in range(len(costs)):
        if not largest:
            out[owners[i]] += costs[i]
        elif costs[i] > out[owners[i]]:
            out[owners[i]] = costs[i]


@njit(cache=True, nogil=True)
def sums_of_first(codes: Codes, rows: Ids, values: Floats, n_codes: int, out: Floats) -> None:
    """Fill out[n_guesses] with the sum, over the parts of each guess, of values[n] at the part's first candidate."""
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


def compile_for(dtype: np.dtype[Any], weighted: bool) -> None:
    """Compile the kernels for a type of codes, or load them from numba's cache.

    With `weighted`, include the kernels for masses.
    """
    codes, rows = np.zeros((1, 1), dtype), np.zeros(1, np.int32)
    units, weights, out = np.ones(1, np.int32), np.ones(1), np.empty(1)
    for array in (codes, rows, units, weights):
        array.flags.writeable = False  # like the codes of a table
    costs_of_sequences(codes, rows, np.zeros(2), False, out)
    count_codes(codes, rows, units, np.zeros((1, 1), np.int32))
    for counts in (np.uint16, np.uint32):
        costs_of_parts(codes, rows, units, np.zeros(2), np.zeros((TILE, 1), counts), False, out)
    if weighted:
        masses, owners = np.empty(TILE + 1), np.empty(TILE + 1, np.int32)
        collect_masses(codes, rows, weights, np.zeros((TILE, 1)), 0, masses, owners)
        add_costs(masses[:1], owners[:1], False, out)
        count_codes(codes, rows, weights, np.zeros((1, 1)))
        sums_of_first(codes, rows, weights, 1, out)
