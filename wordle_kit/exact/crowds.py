"""Crowds: small sets of candidates of which no guess tells all apart, so that two guesses never solve them.

A guess that leaves a whole crowd together leaves a set that two further guesses do not solve. So three guesses do not
solve a set if, whatever the first of them, some crowd of the set stays together. Of each crowd the guesses that leave
it together are kept as bits: a set is beyond three guesses once the bits of its crowds cover all guesses. Crowds are
looked for where the known ones leave a guess uncovered, and every one found serves all other sets that have it.

With hard mode fewer guesses are allowed, so what is ruled out without it is ruled out with it.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.kernels import BLOCK, MOST_PAIRED, Bytes, Codes, Int, Int32s, Int64s, most_parts

if TYPE_CHECKING:
    from wordle_kit.exact.search import Members, Search

Bits = npt.NDArray[np.uint64]
"""A set of guesses, guess g as bit g % 64 of number g // 64."""

GUESSES_LEFT = 3
"""Guesses for which crowds tell that a set is not solved."""

SAMPLE = 14
"""Candidates of a large part among which a crowd is looked for first: larger ones take longer to shrink."""
TRIES = 5
"""How often so many are drawn before the whole part is looked at."""


class Crowds:
    """The crowds found so far among the candidates of a search, at most so many bytes of them."""

    def __init__(self, search: "Search", memory: int) -> None:
        self.search = search
        self.n_guesses = search.matrix.shape[1]
        self.most = max(1, memory // (8 * words_for(self.n_guesses)))
        self.count = 0
        self._together: Bits = np.zeros((min(64, self.most), words_for(self.n_guesses)), dtype=np.uint64)
        self._first = np.zeros(len(self._together), dtype=np.int64)
        self._random = np.random.default_rng(4)
        self._scratch = np.zeros((2, BLOCK), dtype=np.uint8)

    @property
    def nbytes(self) -> int:
        """The bytes of what is kept."""
        return self._together.nbytes + self._first.nbytes

    @property
    def _codes(self) -> Codes:
        return self.search.matrix.reshape(-1)

    def rule_out(self, column: int) -> bool:
        """Return whether a first guess leaves a part that is proved to be beyond three more guesses.

        False says nothing. Raises Stopped where the search was asked to stop.
        """
        parts = self.search.split(self.search.everything, column)
        covers = np.zeros((self.search.game.table.n_codes, self._together.shape[1]), dtype=np.uint64)
        cover_parts(self._together, self._first, self.count, self._codes, self.n_guesses, column, covers)
        promising = sorted(parts, key=lambda code: (count_open(covers[code], self.n_guesses), -len(parts[code])))
        return any(self._is_beyond(parts[code], covers[code]) for code in promising)

    def _is_beyond(self, members: "Members", cover: Bits) -> bool:
        """Return whether three guesses do not solve a set, of which `cover` has the guesses known to leave a crowd."""
        guess = first_open(cover, self.n_guesses)
        while guess >= 0:
            self.search.check_stopped()
            sizes = sorted(self.search.split(members, guess).values(), key=len, reverse=True)
            parts = [part.astype(np.int32) for part in sizes if len(part) > 2]
            found = self._crowd_in(parts)
            if found is None:
                return False
            cover |= self._keep(found)
            guess = first_open(cover, self.n_guesses)
        return True

    def _keep(self, found: Int32s) -> Bits:
        """Shrink a crowd, keep it while there is room, and return the guesses that leave it together."""
        crowd, bits = shrunk(self._codes, self.n_guesses, found, *self._scratch)
        if self.count < self.most:
            if self.count == len(self._first):
                more = min(self.count, self.most - self.count)
                self._together = np.concatenate([self._together, np.zeros_like(self._together[:more])])
                self._first = np.concatenate([self._first, np.zeros_like(self._first[:more])])
            self._together[self.count] = bits
            self._first[self.count] = crowd[0]
            self.count += 1
        return bits

    def _crowd_in(self, parts: list[Int32s]) -> Int32s | None:
        """Return a crowd in one of some sets, the first ones preferred, or None where none was found."""
        for part in parts:
            for _ in range(TRIES if len(part) > SAMPLE else 1):
                some = self._random.choice(part, SAMPLE, replace=False) if len(part) > SAMPLE else part
                if not self._is_told_apart(some):
                    return some
        whole = (part[:MOST_PAIRED] for part in parts if len(part) > SAMPLE)
        return next((part for part in whole if not self._is_told_apart(part)), None)

    def _is_told_apart(self, rows: Int32s) -> bool:
        return bool(tells_apart(self._codes, self.n_guesses, rows, *self._scratch))


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
