"""Native kernels that count the parts into which guesses split a set of candidates.

The number of parts gives a lower bound of the set's cost. A matrix has a row per candidate and a column per guess. For
up to 255 candidates, the kernels compare pairs of rows: one instruction then compares the codes of many guesses, and
the counts fit in a byte. Larger sets have too many pairs, so the candidates of each code are counted in a table.

The last kernels are about crowds: candidates that no guess separates.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled import compiled

import wordle_kit as wk

Int64s = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Int = Any
"""An integer in compiled code, an int64, which type checkers cannot know."""

BLOCK = 1024
"""Guesses per block, whose counts fit in the L1 cache."""

TILE = 16
"""Guesses per tile. For Wordle, the counts of all their parts fit in the L1 cache."""

MOST_PAIRED = 255
"""The most candidates for which the number of parts fits in a byte."""


class Matrix(NamedTuple):
    """The codes of the listed guesses against some candidates, in one flat array.

    Row r begins at `start + r * width` and has the codes of the `width` guesses against one answer. `rows` lists the
    rows of the candidates.
    """

    codes: wk.Codes
    start: Int
    width: Int
    rows: Int32s


@compiled
def fill_same(m: Matrix, j: Int, first: Int, same: Bytes) -> None:
    """Fill same[g] with the number of candidates before candidate j to which guess g gives the same code as to j.

    The block of guesses begins at `first` and has len(same) guesses. The search spends most of its time here. Comparing
    four rows at a time reads and writes each count only once for all four.
    """
    codes, width, rows = m.codes, m.width, m.rows
    size = len(same)
    base = m.start + first
    at = base + rows[j] * width
    mine = codes[at : at + size]
    same[:] = 0
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


@compiled
def count_parts(m: Matrix, first: Int, parts: Bytes, pairs: npt.NDArray[np.uint16], same: Bytes) -> None:
    """Fill parts[g] with the number of parts into which each guess of a block splits up to 255 candidates.

    A candidate begins a part if no candidate before it has its code. Unless `pairs` is empty, pairs[g] becomes the
    number of pairs of candidates with the same code. `same` is scratch memory as long as `parts`.
    """
    parts[:] = 1
    pairs[:] = 0
    for j in range(1, len(m.rows)):
        fill_same(m, j, first, same)
        for g in range(len(parts)):
            parts[g] += np.uint8(same[g] == 0)
        for g in range(len(pairs)):
            pairs[g] += same[g]


@compiled
def most_parts(m: Matrix, at_most: Int32s, parts: Bytes, counts: Bytes) -> tuple[Int, Int]:
    """Return the largest number of parts into which a guess splits up to 255 candidates, and the first such column.

    `at_most` is empty, or has an upper bound of the number of parts of each guess, in descending order from the second
    block on. The scan ends at a guess that separates all candidates, or where `at_most` shows that no better guess
    follows. `parts` and `counts` are scratch memory, uint8[BLOCK].
    """
    best = 0
    column = 0
    n = len(m.rows)
    pairs = np.empty(0, dtype=np.uint16)  # not counted
    for first in range(0, m.width, BLOCK):
        if first and len(at_most) and at_most[first] <= best:
            break
        size = min(BLOCK, m.width - first)
        count_parts(m, first, parts[:size], pairs, counts[:size])
        top = np.uint8(0)
        for g in range(size):
            top = max(top, parts[g])
        if top > best:
            best = int(top)
            for g in range(size):
                if parts[g] == top:
                    column = first + g
                    break
            if best == n:
                break
    return best, column


@compiled
def parts_of(m: Matrix, column: Int, seen: Int64s) -> Int:
    """Return the number of parts of one guess, counted in a table of codes.

    For a single guess, this is faster than comparing pairs of rows. `seen` is scratch memory, int64[n_codes], zero
    before and after.
    """
    codes, width = m.codes, m.width
    base = m.start + column
    parts = 0
    for row in m.rows:
        code = codes[base + row * width]
        parts += 1 - seen[code]
        seen[code] = 1
    for row in m.rows:
        seen[codes[base + row * width]] = 0
    return parts


@compiled
def costs_of_parts(m: Matrix, ideal: Int64s, n_codes: Int, costs: Int64s, squares: Int32s, parts: Int32s) -> None:
    """Fill in, for each guess, the sum of ideal[size] over its parts, the sum of squared sizes, and their number.

    Guesses are counted a tile at a time, reading the codes of a tile row by row, as they are stored.
    """
    codes, width = m.codes, m.width
    counts = np.zeros(TILE * n_codes, dtype=np.int32)
    for first in range(0, width, TILE):
        size = min(TILE, width - first)
        for row in m.rows:
            at = m.start + row * width + first
            tile = codes[at : at + size]
            for g in range(size):
                counts[g * n_codes + tile[g]] += 1
        cost = costs[first : first + size]
        square = squares[first : first + size]
        part = parts[first : first + size]
        cost[:] = 0
        square[:] = 0
        part[:] = 0
        for row in m.rows:
            at = m.start + row * width + first
            tile = codes[at : at + size]
            for g in range(size):
                count = counts[g * n_codes + tile[g]]
                if count:
                    counts[g * n_codes + tile[g]] = 0
                    cost[g] += ideal[count]
                    square[g] += count * count
                    part[g] += 1


@compiled
def saved_by_parts(m: Matrix, column: Int, weights: Int64s, seen: Int64s) -> tuple[Int, Int, Int]:
    """Return the sum of the parts' greatest weights, the sum of squared sizes, and the number of parts.

    The greatest weight matters because the heaviest candidate of a part can be guessed first. `weights` are those of
    the candidates in descending order, so a part's first candidate is its heaviest. `seen` is scratch memory,
    int64[n_codes], zero before and after.
    """
    codes, width, rows = m.codes, m.width, m.rows
    base = m.start + column
    saved = 0
    parts = 0
    for i in range(len(rows)):
        code = codes[base + rows[i] * width]
        if not seen[code]:
            saved += weights[i]
            parts += 1
        seen[code] += 1
    squares = 0
    for row in rows:
        code = codes[base + row * width]
        squares += seen[code] * seen[code]
        seen[code] = 0
    return saved, squares, parts


@compiled
def hash_partitions(m: Matrix, first: Int, label: Bytes, hashes: npt.NDArray[np.uint64]) -> None:
    """Fill hashes[g] with a hash of the partition into which each guess of a block splits up to 255 candidates.

    Of several guesses with the same partition, only one is worth trying. A candidate's label is the first candidate
    with the same code, so equal partitions have equal labels and hashes. `label` is scratch memory as long as `hashes`.
    """
    codes, width, rows = m.codes, m.width, m.rows
    size = len(hashes)
    base = m.start + first
    hashes[:] = 0
    for j in range(1, len(rows)):
        at = base + rows[j] * width
        mine = codes[at : at + size]
        label[:] = np.uint8(j)
        for i in range(j - 1, -1, -1):
            earlier = np.uint8(i)
            at0 = base + rows[i] * width
            c0 = codes[at0 : at0 + size]
            for g in range(size):
                label[g] = earlier if mine[g] == c0[g] else label[g]
        for g in range(size):
            mixed = (hashes[g] + np.uint64(label[g]) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            hashes[g] = mixed ^ (mixed >> np.uint64(29))


@compiled
def is_separated(m: Matrix, parts: Bytes, counts: Bytes) -> bool:
    """Return whether some guess gives each of up to 255 candidates a different code.

    `parts` and `counts` are scratch memory, uint8[BLOCK].
    """
    most, _ = most_parts(m, np.empty(0, dtype=np.int32), parts, counts)
    return bool(most == len(m.rows))


@compiled
def mark_together(m: Matrix, same: Bytes) -> Int:
    """Set same[g] to 1 if guess g gives all candidates the same code, else to 0. Return the number of ones."""
    codes, width, rows = m.codes, m.width, m.rows
    same[:] = 1
    at = m.start + rows[0] * width
    first = codes[at : at + width]
    for i in range(1, len(rows)):
        at = m.start + rows[i] * width
        other = codes[at : at + width]
        for g in range(len(same)):
            same[g] &= np.uint8(first[g] == other[g])
    count = 0
    for g in range(len(same)):
        count += same[g]
    return count


@compiled
def shrink(m: Matrix, parts: Bytes, counts: Bytes) -> tuple[Int32s, Bytes]:
    """Return a minimal crowd within a crowd, and whether each guess leaves it together, uint8[width].

    A smaller crowd is contained in more sets, and more guesses leave it together. As long as the rest is a crowd too,
    each step drops the candidate without which the most guesses leave the others together.
    """
    rows = m.rows
    same = np.empty(m.width, dtype=np.uint8)
    smaller = True
    while smaller:
        smaller = False
        gained = np.zeros(len(rows), dtype=np.int64)
        for i in range(len(rows)):
            others = np.concatenate((rows[:i], rows[i + 1 :]))
            gained[i] = -mark_together(Matrix(m.codes, m.start, m.width, others), same)
        for dropped in np.argsort(gained, kind="mergesort"):
            others = np.concatenate((rows[:dropped], rows[dropped + 1 :]))
            if not is_separated(Matrix(m.codes, m.start, m.width, others), parts, counts):
                rows = others
                smaller = True
                break
    mark_together(Matrix(m.codes, m.start, m.width, rows), same)
    return rows, same
