"""Crowds: small sets of candidates that no guess separates. Two guesses never solve a crowd.

If a guess leaves a whole crowd of a set together, two more guesses cannot solve the rest. So three guesses cannot solve
a set if every possible first guess leaves some crowd of the set together.

For each crowd, the guesses that leave it together are stored as bits, in the order of `np.packbits`. If the bits of a
set's crowds cover all guesses, three guesses are not enough for the set. If they miss some guess, a new crowd is
searched for, which then helps with every other set that contains it.

Hard mode allows fewer guesses, so everything ruled out without it is also ruled out with it.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled.kernels import (
    BLOCK,
    MOST_PAIRED,
    Bytes,
    Int32s,
    Int64s,
    Matrix,
    is_separated,
    shrink,
)

if TYPE_CHECKING:
    from wordle_kit_plugins.exact.search import Search

GUESSES_LEFT = 3
"""The number of guesses that crowds can prove insufficient."""

SAMPLE = 14
"""The number of candidates drawn from a large part to look for a crowd. A crowd in a larger sample takes longer to
shrink.
"""
TRIES = 5
"""How many samples are drawn before the whole part is examined."""


class Crowds:
    """The crowds found so far among the candidates of a search, stored in at most `most_bytes` bytes."""

    def __init__(self, search: "Search", most_bytes: int) -> None:
        self.search = search
        self.n_guesses = len(search.guesses)
        self.nothing = np.packbits(np.zeros(self.n_guesses, dtype=np.bool_))
        most = max(1, most_bytes // len(self.nothing))
        self.count = 0
        self._together: Bytes = np.zeros((most, len(self.nothing)), dtype=np.uint8)
        self._first = np.zeros(most, dtype=np.int64)
        self._random = np.random.default_rng(4)
        self._scratch = np.zeros((2, BLOCK), dtype=np.uint8)

    def rule_out(self, column: int) -> bool:
        """Return whether a first guess provably leaves a part that three more guesses cannot solve.

        If it returns False, nothing is proved. Raises SearchStopped.
        """
        parts = self.search.split(self.search.everything, column)
        left = np.flatnonzero(self._together[: self.count, column >> 3] & (128 >> (column & 7)))
        codes = self.search.matrix[self._first[left], column]
        covers = {code: np.bitwise_or.reduce(self._together[left[codes == code]]) for code in np.unique(codes).tolist()}
        missing = {code: len(self._missing(cover)) for code, cover in covers.items()}
        promising = sorted(parts, key=lambda code: (missing.get(code, self.n_guesses), -len(parts[code])))
        return any(self._is_too_hard(parts[code], covers.get(code, self.nothing)) for code in promising)

    def _missing(self, cover: Bytes) -> npt.NDArray[np.intp]:
        """Return the guesses that are not in a set of guesses."""
        return np.flatnonzero(np.unpackbits(cover, count=self.n_guesses) == 0)

    def _is_too_hard(self, members: Int64s, cover: Bytes) -> bool:
        """Return whether three guesses cannot solve a set.

        `cover` has the guesses known to leave a crowd together.
        """
        while len(missing := self._missing(cover)):
            self.search.check_stopped()
            largest_first = sorted(self.search.split(members, int(missing[0])).values(), key=len, reverse=True)
            crowd = self._find_crowd([part.astype(np.int32) for part in largest_first if len(part) > 2])
            if crowd is None:
                return False
            cover = cover | self._add(crowd)
        return True

    def _add(self, crowd: Int32s) -> Bytes:
        """Shrink a crowd, store it if there is room, and return the guesses that leave it together."""
        smallest, together = shrink(self._matrix(crowd), *self._scratch)
        bits = np.packbits(together)
        if self.count < len(self._first):
            self._together[self.count] = bits
            self._first[self.count] = smallest[0]
            self.count += 1
        return bits

    def _find_crowd(self, parts: list[Int32s]) -> Int32s | None:
        """Return a crowd in one of these sets, preferably an early one, or None if none was found."""
        for part in parts:
            for _ in range(TRIES if len(part) > SAMPLE else 1):
                some = self._random.choice(part, SAMPLE, replace=False) if len(part) > SAMPLE else part
                if not self._is_separated(some):
                    return some
        whole = (part[:MOST_PAIRED] for part in parts if len(part) > SAMPLE)
        return next((part for part in whole if not self._is_separated(part)), None)

    def _is_separated(self, rows: Int32s) -> bool:
        return bool(is_separated(self._matrix(rows), *self._scratch))

    def _matrix(self, rows: Int32s) -> Matrix:
        return Matrix(self.search.matrix.reshape(-1), 0, self.n_guesses, rows)
