"""The table of the feedback on all guesses against all answers.

It is kept whole if it fits in memory, and otherwise computed in blocks. For rules without a fast `codes`, large tables
are kept on disk.
"""

import contextlib
import hashlib
import math
import os
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wordle_kit._version import __version__
from wordle_kit.errors import GameError, WordleKitError, blaming_the_machine
from wordle_kit.files import replacing
from wordle_kit.game.checked_rules import check_sample, checked_codes
from wordle_kit.game.rules import Codes, Rule
from wordle_kit.game.words import Alphabet, SymbolIds, evenly_spaced, frozen
from wordle_kit.identity import object_text

Ids = npt.NDArray[np.int32]
"""Indices of words among a game's answers or guesses."""

Floats = npt.NDArray[np.float64]
"""Costs, scores or weights."""

DEFAULT_MEMORY = 256 * 2**20
"""The bytes that a table may take if the game does not set a limit."""

LARGE = 200_000
"""The least number of codes in a large table."""

AT_A_TIME = 2**18
"""The approximate number of codes of a whole table that are computed at a time."""

MEASURED = 0.3
"""The seconds for which codes are computed to measure how long all take: long enough to notice a busy machine."""

BLOCK = 2**22
"""The approximate size of a computed block in bytes. Its codes stay in the cache until they are counted."""

NARROWEST_BLOCK, WIDEST_BLOCK = 256, 4096
"""The least and the most guesses in a block. A table that may take only little memory has smaller blocks."""

FEW, ROWS = 64, 32
"""If less than one guess in FEW is needed, codes are picked one by one, otherwise from ROWS rows at a time."""

CHECKED_WORDS = 64
"""The number of guesses and of answers whose codes are computed to check the rule of a table that is not kept."""

CACHE_VARIABLE = "WORDLE_KIT_CACHE"
"""The environment variable that names the folder of stored tables. If it is empty, nothing is stored."""

Progress = Callable[[int, int], None]
"""A function called with the number of answers whose codes are computed, and the number of all answers."""


def cache_folder() -> Path | None:
    """Return the folder of stored tables, which need not exist, or None if nothing is stored."""
    given = os.environ.get(CACHE_VARIABLE)
    if given is not None:
        return Path(given) if given else None
    import platformdirs

    return platformdirs.user_cache_path("wordle-kit", appauthor=False)


class FeedbackTable:
    """The codes of guesses against answers, by index. Answers are rows, and guesses are columns.

    If the codes of all pairs fit in `memory` bytes, they are computed once and kept, codes[n_answers, n_guesses].
    Otherwise they are computed each time, in blocks of guesses that fit in a quarter of `memory`. An array of codes is
    either read-only or a copy that the caller may change.
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
        self.shape = len(answers), len(guesses)
        self.nbytes = len(answers) * len(guesses) * self.dtype.itemsize
        self.memory = memory
        self.is_dense = self.nbytes <= memory
        """Whether all codes fit in `memory` and are kept."""
        self.is_slow = self.is_dense and type(rule).codes is Rule.codes and math.prod(self.shape) >= LARGE
        """Whether the kept codes take long to compute, and are therefore stored on disk."""
        self._dense: Codes | None = None
        self._is_checked = False

    def prepare(self, progress: Progress | None = None) -> None:
        """Compute the codes of all pairs now if they will be kept, unless they are stored on disk.

        `progress` is called several times meanwhile. Raises RuleError if the rule breaks a promise.
        """
        if self.is_dense:
            self.whole(progress)
        else:
            self._check_rule()

    def adopt(self, codes: Codes) -> None:
        """Use the codes of all pairs, codes[n_answers, n_guesses], which another process has computed."""
        self._dense = np.asarray(codes)  # the base class, since views of memory maps are slow

    def code(self, guess: int, answer: int) -> int:
        """Return the code of one guess against one answer."""
        if self.is_dense:
            return self.whole().item(answer, guess)
        return int(self.codes_of(self.answers[answer : answer + 1], self.guesses[guess : guess + 1])[0, 0])

    def column(self, guess: int, answers: Ids | None = None) -> Codes:
        """Return the codes of one guess against some answers, by default all, codes[n_answers]."""
        if self.is_dense:
            column: Codes = self.whole()[slice(None) if answers is None else answers, guess]
            return column
        hidden = self.answers if answers is None else self.answers[answers]
        return self.codes_of(hidden, self.guesses[guess : guess + 1])[:, 0]

    def codes(self, answers: Ids | None = None, guesses: Ids | None = None) -> Codes:
        """Return the codes of some guesses against some answers, by default all, codes[n_answers, n_guesses]."""
        hidden = all_rows(self.answers) if answers is None else answers
        made = np.empty((len(hidden), len(self.guesses) if guesses is None else len(guesses)), dtype=self.dtype)
        for block, codes, rows in self.blocks(hidden, guesses):
            made[:, block] = codes[rows]
        return made

    def codes_of(self, answers: SymbolIds, guesses: SymbolIds) -> Codes:
        """Return the codes of any words, given as indices of symbols: codes[n_answers, n_guesses].

        Raises RuleError if the rule breaks a promise.
        """
        if not self.is_dense:
            self._check_rule()
        with blaming_the_machine():
            return frozen(checked_codes(self.rule, answers, guesses, self.alphabet))

    def blocks(self, answers: Ids, guesses: Ids | None = None) -> Iterator[tuple[slice, Codes, Ids]]:
        """Return an iterator over blocks of guesses: a slice of the guesses, their codes[m, n], and rows[len(answers)].

        Row `rows[i]` of the block's codes belongs to `answers[i]`. By default, `guesses` are all guesses.
        """
        if not self.is_dense:
            return self._computed_blocks(answers, guesses)
        if guesses is None:
            return iter([(slice(0, len(self.guesses)), self.whole(), answers)])
        return iter([(slice(0, len(guesses)), frozen(self._picked(answers, guesses)), all_rows(answers))])

    def _picked(self, answers: Ids, guesses: Ids) -> Codes:
        """Return a copy of the kept codes of some guesses, codes[n_answers, n_guesses]."""
        whole = self.whole()
        if FEW * len(guesses) < len(self.guesses):
            few: Codes = whole[answers[:, None], guesses]
            return few
        codes = np.empty((len(answers), len(guesses)), dtype=self.dtype)
        for start in range(0, len(answers), ROWS):  # faster if there are many guesses, since rows stay in the cache
            codes[start : start + ROWS] = whole[answers[start : start + ROWS]].take(guesses, axis=1)
        return codes

    def _computed_blocks(self, answers: Ids, guesses: Ids | None) -> Iterator[tuple[slice, Codes, Ids]]:
        symbols = self.guesses if guesses is None else self.guesses[guesses]
        of_guess = self.dtype.itemsize * max(1, len(answers))
        wanted = min(WIDEST_BLOCK, max(NARROWEST_BLOCK, BLOCK // of_guess))
        step = max(1, min(wanted, self.memory // (4 * of_guess)))
        for start in range(0, len(symbols), step):
            block = slice(start, min(len(symbols), start + step))
            yield block, self.codes_of(self.answers[answers], symbols[block]), all_rows(answers)

    def whole(self, progress: Progress | None = None) -> Codes:
        """Return the codes of all pairs, codes[n_answers, n_guesses], computing them first if necessary.

        `progress` is called while they are computed. Raises GameError if they do not fit in `memory`.
        """
        if self._dense is None:
            if not self.is_dense:
                have, need = (math.ceil(size / 2**20) for size in (self.memory, self.nbytes))
                raise GameError(
                    f"all feedback codes take {need:,} MB, and the table may take {have:,}; use codes, column or "
                    "blocks, or give it more memory"
                )
            with blaming_the_machine():
                self._dense = frozen(self._found_or_computed(progress))
        return self._dense

    def _check_rule(self) -> None:
        """Check once, for some words, that answers win and that `codes` agrees with `code`. No single block shows this.

        Raises RuleError if the rule breaks a promise.
        """
        if self._is_checked:
            return
        answers, others = (words[evenly_spaced(len(words), CHECKED_WORDS)] for words in (self.answers, self.guesses))
        guesses = frozen(np.asfortranarray(np.unique(np.concatenate([answers, others]), axis=0)))
        with blaming_the_machine():
            codes = checked_codes(self.rule, answers, guesses, self.alphabet, complete=True)
            check_sample(self.rule, codes, answers, guesses, self.alphabet)
        self._is_checked = True

    @cached_property
    def seconds(self) -> float:
        """The approximate time, in seconds, to compute the codes of all pairs."""
        next(self._parts())  # loads the kernels first
        start, answers = time.perf_counter(), 0
        for some in self._parts():
            answers += len(some)
            taken = time.perf_counter() - start
            if taken > MEASURED:
                break
        return taken * len(self.answers) / answers

    def _parts(self) -> Iterator[Codes]:
        """Yield the codes of some answers at a time, codes[n_answers, n_guesses], in the order of the answers.

        Raises RuleError if the rule breaks a promise.
        """
        step = max(1, AT_A_TIME // max(1, len(self.guesses)))
        for start in range(0, len(self.answers), step):
            answers = self.answers[start : start + step]
            yield checked_codes(self.rule, answers, self.guesses, self.alphabet, complete=True)

    def _found_or_computed(self, progress: Progress | None) -> Codes:
        """Return codes[n_answers, n_guesses], from the disk if they are stored there.

        Computed codes are checked before they are stored. Raises RuleError if the rule breaks a promise.
        """
        path = self._path()
        codes = None if path is None else self._found(path)
        if codes is not None:
            return codes
        codes, done = np.empty(self.shape, dtype=self.dtype), 0
        for part in self._parts():
            codes[done : done + len(part)] = part
            done += len(part)
            if progress is not None:
                progress(done, len(codes))
        check_sample(self.rule, codes, self.answers, self.guesses, self.alphabet)
        if path is not None:
            with contextlib.suppress(WordleKitError), replacing(path, make_folder=True) as file:
                np.save(file, codes)
        return codes

    def _path(self) -> Path | None:
        """Return the file for the codes, or None if they are quick to compute, or the rule cannot be compared."""
        source, folder = object_text(self.rule) if self.is_slow else None, cache_folder()
        if source is None or folder is None:
            return None
        facts = (__version__, source, self.n_codes, self.alphabet.symbols, self.alphabet.separator, self.shape)
        digest = hashlib.sha256(repr(facts).encode() + self.answers.tobytes() + self.guesses.tobytes())
        return folder / f"table-{digest.hexdigest()[:32]}.npy"

    @property
    def stored(self) -> Path | None:
        """The file of the codes, or None if they are not stored."""
        path = self._path()
        return path if path is not None and path.is_file() else None

    def _found(self, path: Path) -> Codes | None:
        """Return the stored codes if they can be read and the codes of one answer agree with the rule, else None."""
        try:
            codes: Codes = np.load(path)
        except (OSError, ValueError, EOFError):
            return None
        return codes if np.array_equal(codes[:1], self.codes_of(self.answers[:1], self.guesses)) else None


def all_rows(answers: Ids | SymbolIds) -> Ids:
    """Return 0, 1, 2, ..., the rows of these answers in an array with the codes of only these answers."""
    return frozen(np.arange(len(answers), dtype=np.int32))
