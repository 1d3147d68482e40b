"""Crowds: small sets of candidates that no guess separates. Two guesses never solve a crowd.

If a guess leaves a whole crowd of a set together, two more guesses do not solve the rest. So three guesses do not solve
a set if every possible first guess leaves some crowd of the set together.

For each crowd, the guesses that leave it together are stored as bits. If the bits of a set's crowds cover all guesses,
three guesses are not enough for the set. If the known crowds do not cover some guess, a new crowd is looked for. It
then helps with all other sets that contain it.

Hard mode allows fewer guesses. So everything that is ruled out without hard mode is also ruled out with it.
"""

import numpy as np
from wordle_kit_plugins.exact.compiled.kernels import (
    BLOCK,
    MOST_PAIRED,
    Bits,
    Int32s,
    Int64s,
    Matrix,
    count_missing,
    cover_parts,
    first_missing,
    is_separated,
    shrink,
    words_for,
)
from wordle_kit_plugins.exact.memory import Memory

GUESSES_LEFT = 3
"""The number of guesses that crowds can prove to be too few."""

SAMPLE = 14
"""The number of candidates that are drawn from a large part to look for a crowd. A crowd among more takes longer to
shrink.
"""
TRIES = 5
"""How many samples are drawn before the whole part is examined."""


class Crowds:
    """The crowds found so far among the candidates of a search, stored in at most `most_bytes` bytes."""

    def __init__(self, memory: Memory, n_codes: int, most_bytes: int) -> None:
        self.memory = memory
        self.n_codes = n_codes
        self.n_guesses = memory.matrix.shape[1]
        self.most = max(1, most_bytes // (8 * words_for(self.n_guesses)))
        self.count = 0
        self._together: Bits = np.zeros((min(64, self.most), words_for(self.n_guesses)), dtype=np.uint64)
        self._first = np.zeros(len(self._together), dtype=np.int64)
        self._random = np.random.default_rng(4)
        self._scratch = np.zeros((2, BLOCK), dtype=np.uint8)

    def rule_out(self, column: int) -> bool:
        """Return whether it is proved that a first guess leaves a part that three more guesses do not solve.

        If it returns False, nothing is proved. Raises SearchStopped.
        """
        parts = self.memory.split(self.memory.everything, column)
        covers = np.zeros((self.n_codes, self._together.shape[1]), dtype=np.uint64)
        codes = self.memory.matrix.reshape(-1)
        cover_parts(self._together, self._first, self.count, codes, self.n_guesses, column, covers)
        promising = sorted(parts, key=lambda code: (count_missing(covers[code], self.n_guesses), -len(parts[code])))
        return any(self._is_too_hard(parts[code], covers[code]) for code in promising)

    def _is_too_hard(self, members: Int64s, cover: Bits) -> bool:
        """Return whether three guesses do not solve a set.

        `cover` has the guesses that are known to leave a crowd together.
        """
        guess = first_missing(cover, self.n_guesses)
        while guess >= 0:
            self.memory.check_stopped()
            largest_first = sorted(self.memory.split(members, guess).values(), key=len, reverse=True)
            crowd = self._find_crowd([part.astype(np.int32) for part in largest_first if len(part) > 2])
            if crowd is None:
                return False
            cover |= self._add(crowd)
            guess = first_missing(cover, self.n_guesses)
        return True

    def _add(self, crowd: Int32s) -> Bits:
        """Shrink a crowd, store it if there is room, and return the guesses that leave it together."""
        smallest, bits = shrink(self._matrix(crowd), *self._scratch)
        if self.count < self.most:
            if self.count == len(self._first):
                more = min(self.count, self.most - self.count)
                self._together = np.concatenate([self._together, np.zeros_like(self._together[:more])])
                self._first = np.concatenate([self._first, np.zeros_like(self._first[:more])])
            self._together[self.count] = bits
            self._first[self.count] = smallest[0]
            self.count += 1
        return bits

    def _find_crowd(self, parts: list[Int32s]) -> Int32s | None:
        """Return a crowd in one of these sets, preferably an early one, or None if no crowd was found."""
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
        return Matrix(self.memory.matrix.reshape(-1), 0, self.n_guesses, rows)
