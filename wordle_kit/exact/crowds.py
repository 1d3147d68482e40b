"""Crowds: small sets of candidates of which no guess tells all apart, so that two guesses never solve them.

A guess that leaves a whole crowd together leaves a set that two further guesses do not solve. So three guesses do not
solve a set if, whatever the first of them, some crowd of the set stays together. Of each crowd the guesses that leave
it together are kept as bits: a set is beyond three guesses once the bits of its crowds cover all guesses. Crowds are
looked for where the known ones leave a guess uncovered, and every one found serves all other sets that have it.

With hard mode fewer guesses are allowed, so what is ruled out without it is ruled out with it.
"""

from typing import TYPE_CHECKING

import numpy as np

from wordle_kit.exact.compiled.crowds import (
    Bits,
    count_open,
    cover_parts,
    first_open,
    shrunk,
    tells_apart,
    words_for,
)
from wordle_kit.exact.compiled.kernels import BLOCK, MOST_PAIRED, Codes, Int32s

if TYPE_CHECKING:
    from wordle_kit.exact.search import Members, Search

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
