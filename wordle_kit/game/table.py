"""The feedback of all guesses against all answers: kept whole if it fits in memory, otherwise computed in blocks."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, lru_cache
from mmap import mmap
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from wordle_kit.engine import engine_work
from wordle_kit.game.promises import check_answers, check_sample, checked_codes
from wordle_kit.game.rules import Codes, Rule
from wordle_kit.game.words import Alphabet, SymbolIds

Ids = npt.NDArray[np.int32]
"""Indices of words among a game's answers or guesses."""

Floats = npt.NDArray[np.float64]
"""Costs or scores of guesses."""

Array = TypeVar("Array", bound=npt.NDArray[Any])

MEBIBYTE = 2**20
FEW = 1000
"""With fewer codes than this, computing them does not stop the clock of a decision."""

NO_WORK = nullcontext()
"""The context of work that is not worth stopping a clock for."""

TRIED = 64
"""The number of guesses and of answers that measure the pace of a rule."""

WIDEST = 4096
"""Guesses in a block, at most, so that the codes of a few hundred answers stay in the cache."""

DEFAULT_MEMORY = 256 * MEBIBYTE


class FeedbackTable:
    """Codes of guesses against answers, by index.

    Up to `memory` bytes the codes of all pairs are computed once and kept, codes[n_answers, n_guesses]. A larger table
    is never kept: its codes are computed each time, in blocks of guesses that fit in a quarter of `memory`.
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
        self.is_dense = self.nbytes <= memory
        """Whether all codes fit the memory budget and are kept."""
        self._dense: Codes | None = None
        self._is_checked = False

    def prepare(self) -> None:
        """Compute the codes of all pairs now if they are kept. Raises RuleError if the rule breaks a promise."""
        if self.is_dense:
            self.whole()
        else:
            self._check_rule()

    def adopt(self, data: bytes | mmap) -> None:
        """Use the codes of all pairs, as bytes, that another process computed. Raises ValueError for a wrong size."""
        self._dense = np.frombuffer(data, dtype=self.dtype).reshape(len(self.answers), len(self.guesses))

    def code(self, guess: int, answer: int) -> int:
        """Return the code of one guess against one answer."""
        if self.is_dense:
            return (self._dense if self._dense is not None else self.whole()).item(answer, guess)
        return int(self.codes_of(self.answers[answer : answer + 1], self.guesses[guess : guess + 1])[0, 0])

    def column(self, guess: int, answers: Ids) -> Codes:
        """Return the codes of one guess against some answers, codes[n]."""
        if self.is_dense:
            column: Codes = (self._dense if self._dense is not None else self.whole())[answers, guess]
            return column
        with self.computing(len(answers), 1):
            return self.codes_of(self.answers[answers], self.guesses[guess : guess + 1])[:, 0]

    def codes_of(self, answers: SymbolIds, guesses: SymbolIds) -> Codes:
        """Compute the codes of words, given as indices of symbols: codes[n_answers, n_guesses].

        Raises RuleError if the rule breaks a promise.
        """
        if not self.is_dense:
            self._check_rule()
        return _read_only(checked_codes(self.rule, answers, guesses, self.alphabet))

    def blocks(self, answers: Ids, guesses: Ids | None = None) -> Iterator[tuple[slice, Codes, Ids]]:
        """Return an iterator over blocks of codes: which of the guesses, codes[m, n], and rows[len(answers)].

        Row `rows[i]` of a block's codes belongs to `answers[i]`. `guesses` are all guesses unless given.
        """
        if not self.is_dense:
            return self._computed_blocks(answers, guesses)
        if guesses is None:
            return iter([(slice(0, len(self.guesses)), self.whole(), answers)])
        codes = _read_only(self.whole()[answers[:, None], guesses])
        return iter([(slice(0, len(guesses)), codes, all_of(answers))])

    def _computed_blocks(self, answers: Ids, guesses: Ids | None) -> Iterator[tuple[slice, Codes, Ids]]:
        symbols = self.guesses if guesses is None else self.guesses[guesses]
        step = max(1, min(WIDEST, self.memory // (4 * self.dtype.itemsize * max(1, len(answers)))))
        for start in range(0, len(symbols), step):
            block = slice(start, min(len(symbols), start + step))
            with self.computing(len(answers), block.stop - block.start):
                codes = self.codes_of(self.answers[answers], symbols[block])
            yield block, codes, all_of(answers)

    def whole(self) -> Codes:
        """Compute the codes of all pairs if they are not there yet, and return them, codes[n_answers, n_guesses]."""
        if self._dense is None:
            with engine_work():
                from wordle_kit.game.computing import WholeTable

                self._dense = _read_only(WholeTable(self.rule, self.alphabet, self.answers, self.guesses).codes())
        return self._dense

    def _check_rule(self) -> None:
        """Check, before the first codes are used, what cannot be seen in a block: that each answer wins, and a sample.

        Raises RuleError if the rule breaks a promise.
        """
        if self._is_checked:
            return
        with engine_work():
            check_answers(self.rule, self.answers, self.alphabet)
            answers, guesses = _spread(self.answers, TRIED), _read_only(_spread(self.guesses, TRIED).copy(order="F"))
            codes = checked_codes(self.rule, answers, guesses, self.alphabet)
            check_sample(self.rule, codes, answers, guesses, self.alphabet)
        self._is_checked = True

    def computing(self, n_answers: int, n_guesses: int) -> AbstractContextManager[None]:
        """Return a context for the engine's work if the codes of this many words must be computed."""
        if self.is_dense or n_answers * n_guesses < FEW:
            return NO_WORK
        return engine_work(n_answers * n_guesses)

    @cached_property
    def pace(self) -> float:
        """The approximate seconds that it takes to compute a code."""
        answers, guesses = self.answers[:TRIED], self.guesses[:TRIED]
        self.codes_of(answers[:1], guesses[:1])  # compiles the kernels first
        start = time.perf_counter()
        self.codes_of(answers, guesses)
        return (time.perf_counter() - start) / (len(answers) * len(guesses))


def all_of(answers: Ids) -> Ids:
    """Return 0, 1, 2, ..., one for each answer: their rows in codes of these answers only."""
    return _first(len(answers))


@lru_cache(64)
def _first(count: int) -> Ids:
    return _read_only(np.arange(count, dtype=np.int32))


def _read_only(array: Array) -> Array:
    """Return an array, made read-only like all arrays of a table, so that kernels are compiled for one kind only."""
    array.setflags(write=False)
    return array


def _spread(words: SymbolIds, count: int) -> SymbolIds:
    """Return `count` evenly spaced words, or all if there are fewer."""
    return words[np.arange(min(count, len(words))) * len(words) // min(count, len(words))]
