"""The feedback of all guesses against all answers, held whole while it fits memory and computed in blocks beyond."""

from collections.abc import Iterator
from mmap import mmap

import numpy as np
import numpy.typing as npt

from wordle_kit.game.rules import Codes, Rule
from wordle_kit.game.words import Alphabet, SymbolIds

Ids = npt.NDArray[np.int32]
"""Indices of words in a game's answers or guesses."""

MEBIBYTE = 2**20
DEFAULT_MEMORY = 256 * MEBIBYTE


class FeedbackTable:
    """Codes of guesses against answers, by index.

    Up to `memory` bytes the codes of all pairs are computed once and kept, codes[n_answers, n_guesses]. A larger table
    is never held: what is asked for is computed anew, in blocks of guesses that fit a quarter of `memory`.
    """

    def __init__(
        self,
        rule: Rule,
        alphabet: Alphabet,
        answers: SymbolIds,
        guesses: SymbolIds,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self.rule = rule
        self.alphabet = alphabet
        self.answers = answers
        self.guesses = guesses
        self.n_codes = rule.n_codes(answers.shape[1])
        self.dtype = np.dtype(rule.code_dtype(answers.shape[1]))
        self.nbytes = len(answers) * len(guesses) * self.dtype.itemsize
        self.memory = memory
        self._dense: Codes | None = None

    @property
    def is_dense(self) -> bool:
        """Whether all codes fit the memory budget and are kept."""
        return self.nbytes <= self.memory

    def prepare(self) -> None:
        """Compute the codes of all pairs now, if they are to be kept."""
        if self.is_dense:
            self.whole()

    def adopt(self, data: bytes | mmap) -> None:
        """Take the codes of all pairs, as bytes, from somebody who has computed them. Raises ValueError for others."""
        self._dense = np.frombuffer(data, dtype=self.dtype).reshape(len(self.answers), len(self.guesses))

    def code(self, guess: int, answer: int) -> int:
        """Return the code of one guess against one answer."""
        if self.is_dense:
            return int(self.whole()[answer, guess])
        return int(self._compute(self.answers[answer : answer + 1], self.guesses[guess : guess + 1])[0, 0])

    def column(self, guess: int, answers: Ids) -> Codes:
        """Return the codes of one guess against some answers, codes[n]."""
        if self.is_dense:
            column: Codes = self.whole()[answers, guess]
            return column
        return self._compute(self.answers[answers], self.guesses[guess : guess + 1])[:, 0]

    def blocks(self, answers: Ids, guesses: Ids | None = None) -> Iterator[tuple[slice, Codes, Ids]]:
        """Yield codes of guesses against answers in blocks: which of the guesses, codes[m, n], and rows[len(answers)].

        Row `rows[i]` of a block's codes belongs to `answers[i]`. `guesses` are all guesses unless given.
        """
        n_guesses = len(self.guesses) if guesses is None else len(guesses)
        if self.is_dense:
            if guesses is None:
                yield slice(0, n_guesses), self.whole(), answers
            else:
                yield slice(0, n_guesses), self.whole()[answers[:, None], guesses], all_of(answers)
            return
        step = max(1, self.memory // (4 * self.dtype.itemsize * max(1, len(answers))))
        symbols = self.guesses if guesses is None else self.guesses[guesses]
        for start in range(0, n_guesses, step):
            block = slice(start, min(n_guesses, start + step))
            yield block, self._compute(self.answers[answers], symbols[block]), all_of(answers)

    def whole(self) -> Codes:
        """Return the codes of all pairs, codes[n_answers, n_guesses], computed where they are not there yet."""
        if self._dense is None:
            self._dense = self._compute(self.answers, self.guesses)
        return self._dense

    def _compute(self, answers: SymbolIds, guesses: SymbolIds) -> Codes:
        codes = self.rule.codes(answers, guesses, self.alphabet)
        codes.flags.writeable = False
        return codes


def all_of(answers: Ids) -> Ids:
    """Return 0, 1, 2, ... as many as there are answers: the rows of codes that hold these answers only."""
    return np.arange(len(answers), dtype=np.int32)
