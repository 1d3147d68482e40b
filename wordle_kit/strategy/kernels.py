"""The native kernels of the cost engine: they find the parts of every guess and add up the costs of the parts.

To choose a guess in Wordle, a strategy splits the candidates by the codes of each of 12,972 guesses. Codes are stored
by answer, as codes[n_answers, n_guesses]: the codes of a candidate against neighbouring guesses are next to each other
in memory. So every kernel takes a tile of guesses at a time and loops over the candidates and, for each candidate, over
the guesses of the tile. The numbers that a kernel keeps for a tile fit in the processor's caches.

Without weights, the cost of each size of a part is known in advance. With weights, there are too many different masses
for that, so other kernels collect masses to ask about.
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

TILE = 64
"""The number of guesses per tile when parts are counted. For Wordle, 64 x 243 counts of 16 bits take 31 kB."""


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
    count_codes(codes, rows, units, np.zeros((1, 1), np.int32))
    for counts in (np.uint16, np.uint32):
        costs_of_parts(codes, rows, units, np.zeros(2), np.zeros((TILE, 1), counts), False, out)
    if weighted:
        masses, owners = np.empty(TILE + 1), np.empty(TILE + 1, np.int32)
        collect_masses(codes, rows, weights, np.zeros((TILE, 1)), 0, masses, owners)
        add_costs(masses[:1], owners[:1], False, out)
        count_codes(codes, rows, weights, np.zeros((1, 1)))
        sums_of_first(codes, rows, weights, 1, out)
