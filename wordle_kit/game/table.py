"""The feedback of all guesses against all answers: kept whole if it fits in memory, otherwise computed in blocks.

Rules without a fast `codes` have large tables computed by all cores, and kept on disk.
"""

import contextlib
import hashlib
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cached_property, partial
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit._version import __version__
from wordle_kit.errors import GameError, MachineError, WordleKitError, blaming_the_machine
from wordle_kit.files import replacing
from wordle_kit.game.rules import Codes, Rule, check_answers, check_sample, checked_codes
from wordle_kit.game.words import Alphabet, SymbolIds, frozen, spread
from wordle_kit.identity import object_code
from wordle_kit.pool import cores

Ids = npt.NDArray[np.int32]
"""Indices of words among a game's answers or guesses."""

Floats = npt.NDArray[np.float64]
"""Costs, scores or weights."""

MEBIBYTE = 2**20

DEFAULT_MEMORY = 256 * MEBIBYTE
"""The bytes that a table may take if the game does not set a limit."""

LARGE = 1_000_000
"""A table with so many codes is kept on disk and computed by all cores if the rule does not override `codes`."""

AT_A_TIME = 2**18
"""About how many codes of a whole table are computed at a time."""

WIDEST_BLOCK = 4096
"""The most guesses in a block, so that the codes of a few hundred answers stay in the cache."""

FEW, ROWS = 64, 32
"""If less than one guess in so many is wanted, codes are picked one by one, otherwise from so many rows at a time."""

CHECKED_WORDS = 64
"""The number of guesses and of answers whose codes are computed to check the rule of a table that is not kept."""

CACHE_VARIABLE = "WORDLE_KIT_CACHE"
"""The environment variable that names the folder of stored tables. If it is empty, nothing is stored."""


Progress = Callable[[str], AbstractContextManager[Callable[[int, int], None] | None]]
"""Called with a few words when long work begins. It yields a function for the amount done and the total, or None."""

show_progress: Progress | None = None
"""Shows the progress of a table that is computed."""


def cache_folder() -> Path | None:
    """Return the folder of stored tables, which need not exist, or None if nothing is stored."""
    given = os.environ.get(CACHE_VARIABLE)
    if given is not None:
        return Path(given) if given else None
    import platformdirs

    return platformdirs.user_cache_path("wordle-kit", appauthor=False)


class FeedbackTable:
    """Codes of guesses against answers, by index: answers are rows, and guesses are columns.

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
        self.step = max(1, AT_A_TIME // max(1, len(guesses)))
        """The number of answers whose codes are computed at a time."""
        self.n_codes = rule.n_codes(answers.shape[1])
        self.dtype = np.dtype(rule.code_dtype(answers.shape[1]))
        self.shape = len(answers), len(guesses)
        self.nbytes = len(answers) * len(guesses) * self.dtype.itemsize
        self.memory = memory
        self.is_dense = self.nbytes <= memory
        """Whether all codes fit in `memory` and are kept."""
        self._dense: Codes | None = None
        self._is_checked = False

    def prepare(self) -> None:
        """Compute the codes of all pairs now if they will be kept. Raises RuleError if the rule breaks a promise."""
        if self.is_dense:
            self.whole()
        else:
            self._check_rule()

    def adopt(self, data: bytes | mmap) -> None:
        """Use the bytes of all codes, which another process computed. Raises ValueError if their number is wrong."""
        self._dense = np.frombuffer(data, dtype=self.dtype).reshape(self.shape)

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

    def row(self, answer: int, guesses: Ids | None = None) -> Codes:
        """Return the codes of some guesses, by default all, against one answer, codes[n_guesses]."""
        row: Codes = self.codes(np.array([answer], dtype=np.int32), guesses)[0]
        return row

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
        """Return an iterator over blocks of guesses: which guesses, their codes[m, n], and rows[len(answers)].

        Row `rows[i]` of the block's codes belongs to `answers[i]`. By default, `guesses` are all guesses.
        """
        if not self.is_dense:
            return self._computed_blocks(answers, guesses)
        if guesses is None:
            return iter([(slice(0, len(self.guesses)), self.whole(), answers)])
        return iter([(slice(0, len(guesses)), frozen(self._picked(answers, guesses)), all_rows(answers))])

    def _picked(self, answers: Ids, guesses: Ids) -> Codes:
        """Return the kept codes of some guesses, codes[n_answers, n_guesses], a copy."""
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
        step = max(1, min(WIDEST_BLOCK, self.memory // (4 * self.dtype.itemsize * max(1, len(answers)))))
        for start in range(0, len(symbols), step):
            block = slice(start, min(len(symbols), start + step))
            yield block, self.codes_of(self.answers[answers], symbols[block]), all_rows(answers)

    def whole(self) -> Codes:
        """Return the codes of all pairs, codes[n_answers, n_guesses], and compute them first if necessary.

        Raises GameError if they do not fit in `memory`.
        """
        if self._dense is None:
            if not self.is_dense:
                have, need = (math.ceil(size / MEBIBYTE) for size in (self.memory, self.nbytes))
                raise GameError(
                    f"all feedback codes take {need:,} MB, and the table may take {have:,}; use codes, column, row or "
                    "blocks, or give it more memory"
                )
            with blaming_the_machine():
                self._dense = frozen(self._found_or_computed())
        return self._dense

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return the codes of all pairs for `np.asarray(table)`. Raises GameError if they do not fit in `memory`."""
        codes = self.whole()
        if dtype is not None and np.dtype(dtype) != codes.dtype:
            if copy is False:
                raise ValueError(f"codes are {codes.dtype}, so an array of {np.dtype(dtype)} is a copy")
            return codes.astype(dtype)
        return codes.copy() if copy else codes

    def _check_rule(self) -> None:
        """Check once what no single block can show: that each answer wins, and that `codes` agrees with `code`.

        Raises RuleError if the rule breaks a promise.
        """
        if self._is_checked:
            return
        with blaming_the_machine():
            check_answers(self.rule, self.answers, self.alphabet)
            answers, guesses = (words[spread(len(words), CHECKED_WORDS)] for words in (self.answers, self.guesses))
            guesses = frozen(guesses.copy(order="F"))
            codes = checked_codes(self.rule, answers, guesses, self.alphabet)
            check_sample(self.rule, codes, answers, guesses, self.alphabet)
        self._is_checked = True

    @cached_property
    def seconds(self) -> float:
        """About how many seconds it takes to compute the codes of all pairs on one core."""
        self.rows(0)  # loads the kernels first
        start = time.perf_counter()
        some = self.rows(0)
        return (time.perf_counter() - start) * len(self.answers) / len(some)

    def rows(self, start: int) -> Codes:
        """Return the codes of the next `step` answers from `start` on, codes[n_answers, n_guesses].

        Raises RuleError if the rule breaks a promise.
        """
        return checked_codes(self.rule, self.answers[start:][: self.step], self.guesses, self.alphabet, complete=True)

    def _found_or_computed(self) -> Codes:
        """Return codes[n_answers, n_guesses], from the disk if they are stored there.

        Computed codes are checked before they are stored. Raises RuleError if the rule breaks a promise.
        """
        is_slow = type(self.rule).codes is Rule.codes and math.prod(self.shape) >= LARGE
        path = self._path() if is_slow else None
        codes = None if path is None else self._found(path)
        if codes is not None:
            return codes
        codes = np.empty(self.shape, dtype=self.dtype)
        with show_progress("computing feedback") if show_progress else contextlib.nullcontext() as progress:
            for start, part in self._parts() if is_slow and cores() > 1 else self._one_by_one():
                codes[start : start + len(part)] = part
                if progress is not None:
                    progress(start + len(part), len(codes))
        check_sample(self.rule, codes, self.answers, self.guesses, self.alphabet)
        if path is not None:
            with contextlib.suppress(OSError, WordleKitError), replacing(path, make_folder=True) as file:
                np.save(file, codes)
        return codes

    def _path(self) -> Path | None:
        """Return the file in which the codes are stored, or None if a part of the rule cannot be compared."""
        source, folder = object_code(self.rule), cache_folder()
        if source is None or folder is None:
            return None
        facts = (__version__, source, self.n_codes, self.alphabet.symbols, self.alphabet.separator, self.shape)
        digest = hashlib.sha256(repr(facts).encode() + self.answers.tobytes() + self.guesses.tobytes())
        return folder / f"table-{digest.hexdigest()[:32]}.npy"

    def _found(self, path: Path) -> Codes | None:
        """Return the stored codes if they can be read and those of one answer agree with the rule, else None."""
        try:
            codes: Codes = np.load(path)
        except (OSError, ValueError, EOFError):
            return None
        is_right = (codes.shape, codes.dtype) == (self.shape, self.dtype)
        first = self.codes_of(self.answers[:1], self.guesses)
        return codes if is_right and np.array_equal(codes[:1], first) else None

    def _one_by_one(self) -> Iterator[tuple[int, Codes]]:
        """Yield the codes of some answers at a time, with the index of the first answer."""
        return ((start, self.rows(start)) for start in range(0, len(self.answers), self.step))

    def _parts(self) -> Iterator[tuple[int, Codes]]:
        """Yield the same as they are computed by a process for each core."""
        from wordle_kit.pool import Died, Pool, can_fork, in_order  # importing it takes time

        if not can_fork():
            yield from self._one_by_one()
            return
        tasks = [partial(_rows, start) for start in range(0, len(self.answers), self.step)]
        global _computed
        _computed = self
        with Pool(cores()) as pool:
            for task, codes in pool.run(in_order(tasks)):
                if isinstance(codes, Died):
                    raise MachineError(f"the feedback table was not computed: {codes.how}; free memory")
                yield task.args[0], codes


_computed: FeedbackTable
"""The table whose rows are being computed. Workers inherit it by forking, so no rule is pickled."""


def _rows(start: int) -> Codes:
    return _computed.rows(start)


def all_rows(answers: Ids | SymbolIds) -> Ids:
    """Return 0, 1, 2, ..., the rows of these answers in codes that have no other answers."""
    return frozen(np.arange(len(answers), dtype=np.int32))
