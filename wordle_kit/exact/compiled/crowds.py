"""Native kernels for crowds (candidates that no guess separates), and sets of guesses stored as bits."""

import numpy as np
import numpy.typing as npt

from wordle_kit.exact.compiled.decorators import compiled
from wordle_kit.exact.compiled.kernels import Bytes, Codes, Int, Int32s, Int64s, Matrix, most_parts

Bits = npt.NDArray[np.uint64]
"""A set of guesses: guess g is bit g % 64 of number g // 64."""


def words_for(n_guesses: int) -> int:
    """Return how many 64-bit numbers it takes to hold one bit per guess."""
    return (n_guesses + 63) // 64


@compiled
def is_separated(m: Matrix, parts: Bytes, fresh: Bytes) -> bool:
    """Return whether some guess gives each of up to 255 candidates a code of its own.

    `parts` and `fresh` are scratch memory, uint8[BLOCK].
    """
    most, _ = most_parts(m, np.empty(0, dtype=np.int32), parts, fresh)
    return bool(most == len(m.rows))


@compiled
def mark_together(m: Matrix, same: Bytes) -> Int:
    """Set same[g] to 1 where a guess gives all candidates the same code, else to 0. Return the number of ones."""
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
def shrink(m: Matrix, parts: Bytes, fresh: Bytes) -> tuple[Int32s, Bits]:
    """Return a minimal crowd among the candidates of a crowd, and the guesses that leave it together.

    Each step drops the candidate whose loss lets the most guesses leave the others together, as long as no guess
    separates the others.
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
            if not is_separated(Matrix(m.codes, m.start, m.width, others), parts, fresh):
                rows = others
                smaller = True
                break
    mark_together(Matrix(m.codes, m.start, m.width, rows), same)
    bits = np.zeros((m.width + 63) // 64, dtype=np.uint64)
    for g in range(m.width):
        if same[g]:
            bits[g >> 6] |= np.uint64(1) << np.uint64(g & 63)
    return rows, bits


@compiled
def cover_parts(together: Bits, first: Int64s, count: Int, codes: Codes, width: Int, column: Int, covers: Bits) -> None:
    """Fill covers[code] with the guesses that leave a crowd together, for the crowds in the part of each code.

    The crowds are those that the guess in `column` leaves together. `together` has the bits of each crowd, [n, words],
    and `first` one candidate of each.
    """
    covers[:] = 0
    for crowd in range(count):
        if (together[crowd, column >> 6] >> np.uint64(column & 63)) & np.uint64(1):
            covers[codes[first[crowd] * width + column]] |= together[crowd]


@compiled
def first_missing(cover: Bits, width: Int) -> Int:
    """Return the first guess that is not in a set of guesses, or -1."""
    for word in range(len(cover)):
        if cover[word] != ~np.uint64(0):
            for g in range(64 * word, min(64 * word + 64, width)):
                if not (cover[word] >> np.uint64(g & 63)) & np.uint64(1):
                    return g
    return -1


@compiled
def count_missing(cover: Bits, width: Int) -> Int:
    """Return the number of guesses that are not in a set of guesses."""
    count = width
    for word in cover:
        while word:
            word &= word - np.uint64(1)
            count -= 1
    return count
