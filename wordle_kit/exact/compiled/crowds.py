"""Native kernels of crowds: candidates that no guess tells apart, and sets of guesses as bits."""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.compiled.kernels import Bytes, Codes, Int, Int32s, Int64s, most_parts

Bits = npt.NDArray[np.uint64]
"""A set of guesses, guess g as bit g % 64 of number g // 64."""


def words_for(n_guesses: int) -> int:
    """Return how many numbers of 64 bits hold a bit for each guess."""
    return (n_guesses + 63) // 64


@njit(cache=True, nogil=True)
def tells_apart(codes: Codes, width: Int, rows: Int32s, parts: Bytes, fresh: Bytes) -> bool:
    """Return whether one guess tells up to 255 candidates apart. `parts` and `fresh` are scratch, uint8[BLOCK]."""
    most, _ = most_parts(codes, 0, width, rows, np.empty(0, dtype=np.int32), parts, fresh)
    return bool(most == len(rows))


@njit(cache=True, nogil=True)
def leave_together(codes: Codes, width: Int, rows: Int32s, same: Bytes) -> Int:
    """Set same[g] to 1 where a guess gets one code from all candidates, else to 0, and return how many guesses do."""
    same[:] = 1
    first = codes[rows[0] * width : rows[0] * width + width]
    for i in range(1, len(rows)):
        other = codes[rows[i] * width : rows[i] * width + width]
        for g in range(len(same)):
            same[g] &= np.uint8(first[g] == other[g])
    count = 0
    for g in range(len(same)):
        count += same[g]
    return count


@njit(cache=True, nogil=True)
def shrunk(codes: Codes, width: Int, rows: Int32s, parts: Bytes, fresh: Bytes) -> tuple[Int32s, Bits]:
    """Return a crowd among the candidates of one, from which none can be left out, and which guesses leave it together.

    Each time the candidate is left out without which most guesses leave the others together.
    """
    same = np.empty(width, dtype=np.uint8)
    smaller = True
    while smaller:
        smaller = False
        gained = np.zeros(len(rows), dtype=np.int64)
        for i in range(len(rows)):
            gained[i] = -leave_together(codes, width, np.concatenate((rows[:i], rows[i + 1 :])), same)
        for i in np.argsort(gained, kind="mergesort"):
            others = np.concatenate((rows[:i], rows[i + 1 :]))
            if not tells_apart(codes, width, others, parts, fresh):
                rows = others
                smaller = True
                break
    leave_together(codes, width, rows, same)
    bits = np.zeros((width + 63) // 64, dtype=np.uint64)
    for g in range(width):
        if same[g]:
            bits[g >> 6] |= np.uint64(1) << np.uint64(g & 63)
    return rows, bits


@njit(cache=True, nogil=True)
def cover_parts(together: Bits, first: Int64s, count: Int, codes: Codes, width: Int, column: Int, covers: Bits) -> None:
    """Fill covers[code] with all guesses that leave a crowd together which a guess leaves in the part of that code.

    Crowds are given by their bits, [n, words], and by one candidate of each.
    """
    covers[:] = 0
    for crowd in range(count):
        if (together[crowd, column >> 6] >> np.uint64(column & 63)) & np.uint64(1):
            covers[codes[first[crowd] * width + column]] |= together[crowd]


@njit(cache=True, nogil=True)
def first_open(cover: Bits, width: Int) -> Int:
    """Return the first guess that a set of guesses lacks, or -1."""
    for word in range(len(cover)):
        if cover[word] != ~np.uint64(0):
            for g in range(64 * word, min(64 * word + 64, width)):
                if not (cover[word] >> np.uint64(g & 63)) & np.uint64(1):
                    return g
    return -1


@njit(cache=True, nogil=True)
def count_open(cover: Bits, width: Int) -> Int:
    """Return how many guesses a set of guesses lacks."""
    count = width
    for word in cover:
        while word:
            word &= word - np.uint64(1)
            count -= 1
    return count
