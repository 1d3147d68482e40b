"""Native kernels that bound what a set of candidates costs by one guess: how many parts guesses make of it.

A matrix of codes lies in one flat array: row r begins at `mat + r * width` and has the codes of the listed guesses
against one answer. `rows` picks the candidates. For up to 255 candidates, pairs of rows are compared, many guesses at
once; beyond that, parts are counted guess by guess.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Codes = npt.NDArray[np.unsignedinteger]
Int64s = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Int = Any
"""An integer inside compiled code, where it is an int64; type checkers know no better."""

BLOCK = 1024
"""Guesses handled at once, so that what is counted of them stays in the fastest cache."""

TILE = 16
"""Guesses whose parts are counted together, so that their counts stay in the fastest cache for Wordle."""

MOST_PAIRED = 255
"""Beyond this many candidates the number of parts does not fit a byte."""


@njit(cache=True, nogil=True)
def fill_fresh(codes: Codes, mat: Int, width: Int, rows: Int32s, j: Int, start: Int, fresh: Bytes) -> None:
    """Set fresh[g] to 1 where candidate j's code of a guess differs from those of all candidates before it, else 0.

    `rows` are those of the set alone, `start` the first guess of the block and len(fresh) its size.
    """
    size = len(fresh)
    base = mat + start
    at = base + rows[j] * width
    mine = codes[at : at + size]
    fresh[:] = 1
    i = 0
    while i + 4 <= j:
        at0 = base + rows[i] * width
        at1 = base + rows[i + 1] * width
        at2 = base + rows[i + 2] * width
        at3 = base + rows[i + 3] * width
        c0 = codes[at0 : at0 + size]
        c1 = codes[at1 : at1 + size]
        c2 = codes[at2 : at2 + size]
        c3 = codes[at3 : at3 + size]
        for g in range(size):
            fresh[g] &= (
                np.uint8(mine[g] != c0[g])
                & np.uint8(mine[g] != c1[g])
                & np.uint8(mine[g] != c2[g])
                & np.uint8(mine[g] != c3[g])
            )
        i += 4
    while i < j:
        at0 = base + rows[i] * width
        c0 = codes[at0 : at0 + size]
        for g in range(size):
            fresh[g] &= np.uint8(mine[g] != c0[g])
        i += 1


@njit(cache=True, nogil=True)
def count_parts(codes: Codes, mat: Int, width: Int, rows: Int32s, start: Int, parts: Bytes, fresh: Bytes) -> None:
    """Fill parts[g] with how many parts each guess of a block from `start` makes of up to 255 candidates."""
    parts[:] = 1
    for j in range(1, len(rows)):
        fill_fresh(codes, mat, width, rows, j, start, fresh)
        for g in range(len(parts)):
            parts[g] += fresh[g]


@njit(cache=True, nogil=True)
def most_parts(
    codes: Codes, mat: Int, width: Int, rows: Int32s, at_most: Int32s, parts: Bytes, fresh: Bytes
) -> tuple[Int, Int]:
    """Return the most parts that a guess makes of up to 255 candidates, and the first such guess's column.

    Ends early at a guess that tells all candidates apart, and where `at_most` says that no better guess follows: it is
    empty, or bounds the parts of each guess and falls from the second block on. `parts` and `fresh` are scratch,
    uint8[BLOCK].
    """
    best = 0
    column = 0
    n = len(rows)
    for start in range(0, width, BLOCK):
        if start and len(at_most) and at_most[start] <= best:
            break
        size = min(BLOCK, width - start)
        count_parts(codes, mat, width, rows, start, parts[:size], fresh[:size])
        top = np.uint8(0)
        for g in range(size):
            top = max(top, parts[g])
        if top > best:
            best = int(top)
            for g in range(size):
                if parts[g] == top:
                    column = start + g
                    break
            if best == n:
                break
    return best, column


@njit(cache=True, nogil=True)
def parts_of(codes: Codes, mat: Int, width: Int, rows: Int32s, column: Int, seen: Int64s) -> Int:
    """Return how many parts one guess makes. `seen` is scratch, int64[n_codes] of zeros, and left so."""
    parts = 0
    for row in rows:
        code = codes[mat + row * width + column]
        parts += 1 - seen[code]
        seen[code] = 1
    for row in rows:
        seen[codes[mat + row * width + column]] = 0
    return parts


@njit(cache=True, nogil=True)
def cost_of_parts(
    codes: Codes, mat: Int, width: Int, rows: Int32s, column: Int, ideal: Int64s, seen: Int64s
) -> tuple[Int, Int, Int]:
    """Return the sum of ideal[size] over the parts of one guess, that of the squares of sizes, and how many parts.

    `seen` is scratch, int64[n_codes] of zeros, and left so.
    """
    for row in rows:
        seen[codes[mat + row * width + column]] += 1
    cost = 0
    squares = 0
    parts = 0
    for row in rows:
        code = codes[mat + row * width + column]
        size = seen[code]
        if size:
            cost += ideal[size]
            squares += size * size
            parts += 1
            seen[code] = 0
    return cost, squares, parts


@njit(cache=True, nogil=True)
def costs_of_parts(
    codes: Codes,
    mat: Int,
    width: Int,
    rows: Int32s,
    ideal: Int64s,
    n_codes: Int,
    costs: Int64s,
    squares: Int32s,
    parts: Int32s,
) -> None:
    """Fill for all guesses what `cost_of_parts` returns for one, a tile of guesses at a time."""
    counts = np.zeros(TILE * n_codes, dtype=np.int32)
    for start in range(0, width, TILE):
        size = min(TILE, width - start)
        for row in rows:
            at = mat + row * width + start
            tile = codes[at : at + size]
            for g in range(size):
                counts[g * n_codes + tile[g]] += 1
        cost = costs[start : start + size]
        square = squares[start : start + size]
        part = parts[start : start + size]
        cost[:] = 0
        square[:] = 0
        part[:] = 0
        for row in rows:
            at = mat + row * width + start
            tile = codes[at : at + size]
            for g in range(size):
                count = counts[g * n_codes + tile[g]]
                if count:
                    counts[g * n_codes + tile[g]] = 0
                    cost[g] += ideal[count]
                    square[g] += count * count
                    part[g] += 1


@njit(cache=True, nogil=True)
def saved_by_parts(
    codes: Codes, mat: Int, width: Int, rows: Int32s, column: Int, weights: Int64s, seen: Int64s
) -> tuple[Int, Int, Int]:
    """Return the sum over parts of the first candidate's weight, the sum of squared sizes, and how many parts.

    weights[n] are those of the candidates, falling. `seen` is scratch, int64[n_codes] of zeros, and left so.
    """
    saved = 0
    parts = 0
    for i in range(len(rows)):
        code = codes[mat + rows[i] * width + column]
        if not seen[code]:
            saved += weights[i]
            parts += 1
        seen[code] += 1
    squares = 0
    for row in rows:
        code = codes[mat + row * width + column]
        squares += seen[code] * seen[code]
        seen[code] = 0
    return saved, squares, parts


@njit(cache=True, nogil=True)
def count_pairs(codes: Codes, mat: Int, width: Int, rows: Int32s, start: Int, same: npt.NDArray[np.uint16]) -> None:
    """Fill same[g] with how many pairs of up to 255 candidates each guess of a block from `start` leaves together."""
    size = len(same)
    base = mat + start
    same[:] = 0
    for j in range(1, len(rows)):
        at = base + rows[j] * width
        mine = codes[at : at + size]
        i = 0
        while i + 4 <= j:
            at0 = base + rows[i] * width
            at1 = base + rows[i + 1] * width
            at2 = base + rows[i + 2] * width
            at3 = base + rows[i + 3] * width
            c0 = codes[at0 : at0 + size]
            c1 = codes[at1 : at1 + size]
            c2 = codes[at2 : at2 + size]
            c3 = codes[at3 : at3 + size]
            for g in range(size):
                same[g] += (
                    np.uint8(mine[g] == c0[g])
                    + np.uint8(mine[g] == c1[g])
                    + np.uint8(mine[g] == c2[g])
                    + np.uint8(mine[g] == c3[g])
                )
            i += 4
        while i < j:
            at0 = base + rows[i] * width
            c0 = codes[at0 : at0 + size]
            for g in range(size):
                same[g] += np.uint8(mine[g] == c0[g])
            i += 1


@njit(cache=True, nogil=True)
def hash_partitions(
    codes: Codes, mat: Int, width: Int, rows: Int32s, start: Int, label: Bytes, hashes: npt.NDArray[np.uint64]
) -> None:
    """Fill hashes[g] with a hash of how each guess of a block from `start` parts up to 255 candidates.

    A candidate's label is the first candidate with the same code, so equal partitions have equal hashes. `label` is
    scratch as long as `hashes`.
    """
    size = len(hashes)
    base = mat + start
    hashes[:] = 0
    for j in range(1, len(rows)):
        at = base + rows[j] * width
        mine = codes[at : at + size]
        label[:] = np.uint8(j)
        for i in range(j - 1, -1, -1):
            first = np.uint8(i)
            at0 = base + rows[i] * width
            c0 = codes[at0 : at0 + size]
            for g in range(size):
                label[g] = first if mine[g] == c0[g] else label[g]
        for g in range(size):
            mixed = (hashes[g] + np.uint64(label[g]) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            hashes[g] = mixed ^ (mixed >> np.uint64(29))
