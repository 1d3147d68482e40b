"""Whole tables: computed, in parallel if that takes long, and kept on disk if reading them back is faster."""

import hashlib
import importlib.metadata
import platform
import time
from collections.abc import Iterator
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool

import numpy as np

from wordle_kit import disk_cache
from wordle_kit._version import __version__
from wordle_kit.engine import cores, long_work
from wordle_kit.errors import RuleError, WordleKitError
from wordle_kit.game.promises import check_sample, checked_codes
from wordle_kit.game.rules import Codes, Rule
from wordle_kit.game.words import Alphabet, SymbolIds
from wordle_kit.sources import object_source
from wordle_kit.workers import Workers, can_fork

FEW = 20_000
"""With fewer codes than this, the time that they take is not estimated."""

LONG, LONGER = 0.2, 1.0
"""Seconds from which a table is kept on disk, and from which all cores compute it."""

READING = 5e-9
"""The seconds that it takes, at most, to read and check a byte of a stored table."""

SAMPLE = 4096
"""The number of guesses whose codes against one answer are computed to estimate the time and to check a table."""

QUICK, MORE_ROWS = 0.002, 32
"""If the sample takes less than this many seconds, the time for more answers is measured."""

PARTS = 200
"""The number of parts in which a table is computed in parallel."""


class WholeTable:
    """A table to compute: the codes of all guesses against all answers."""

    def __init__(self, rule: Rule, alphabet: Alphabet, answers: SymbolIds, guesses: SymbolIds) -> None:
        self.rule = rule
        self.alphabet = alphabet
        self.answers = answers
        self.guesses = guesses
        # Stored place by place and read-only, like all guesses of a game: kernels are compiled only for such arrays.
        self.sample = guesses[:SAMPLE].copy(order="F")
        self.sample.flags.writeable = False
        self.shape = len(answers), len(guesses)
        self.dtype = np.dtype(rule.code_dtype(answers.shape[1]))

    def codes(self) -> Codes:
        """Return the codes[n_answers, n_guesses], from the disk if they were kept there.

        Codes that are computed are checked before they are kept. Raises RuleError if the rule breaks a promise.
        """
        n_answers, n_guesses = self.shape
        key, seconds = None, 0.0
        if n_answers * n_guesses >= FEW:
            seconds = self._estimate()
        if seconds < max(LONG, READING * n_answers * n_guesses * self.dtype.itemsize):
            codes = self.rows(0, n_answers)
        else:
            key = self.key()
            kept = None if key is None else self._kept(key)
            if kept is not None:
                return kept
            codes = self._computed(seconds)
        check_sample(self.rule, codes, self.answers, self.guesses, self.alphabet)
        if key is not None:
            disk_cache.keep("table", key, codes.data.cast("B"))
        return codes

    def rows(self, start: int, stop: int) -> Codes:
        """Compute the codes of some answers, codes[stop - start, n_guesses]. Raises RuleError."""
        return checked_codes(self.rule, self.answers[start:stop], self.guesses, self.alphabet, complete=True)

    def key(self) -> str | None:
        """Return a text that differs if the codes can differ, or None if part of the rule cannot be compared."""
        source = object_source(self.rule)
        if source is None:
            return None
        versions = [importlib.metadata.version(name) for name in ("numba", "numpy")]
        facts = [__version__, platform.python_version(), *versions, source]
        facts.append(str(self.rule.n_codes(self.answers.shape[1])))
        facts.append(repr((self.alphabet.symbols, self.alphabet.separator, self.shape, self.dtype.str)))
        facts += [hashlib.sha256(words.tobytes()).hexdigest() for words in (self.answers, self.guesses)]
        return "|".join(facts)

    def _estimate(self) -> float:
        """Return the approximate seconds that one core takes."""
        self._sampled(slice(0, 1))  # compiles the kernels first
        seconds = self._pace(1)
        if seconds * SAMPLE < QUICK:
            seconds = min(seconds, self._pace(MORE_ROWS))
        return seconds * self.shape[0] * self.shape[1]

    def _pace(self, rows: int) -> float:
        """Return the CPU seconds per code in a sample."""
        start = time.thread_time()
        sample = self._sampled(slice(0, rows))
        return (time.thread_time() - start) / sample.size

    def _kept(self, key: str) -> Codes | None:
        """Return the stored codes if those of one answer agree with the rule."""
        content = disk_cache.recall("table", key)
        if content is None or content.nbytes != self.shape[0] * self.shape[1] * self.dtype.itemsize:
            return None
        codes: Codes = np.frombuffer(content, dtype=self.dtype).reshape(self.shape)
        middle = slice(len(codes) // 2, len(codes) // 2 + 1)
        return codes if np.array_equal(codes[middle, :SAMPLE], self._sampled(middle)) else None

    def _sampled(self, rows: slice) -> Codes:
        """Compute the codes of some answers against a sample of the guesses."""
        return checked_codes(self.rule, self.answers[rows], self.sample, self.alphabet)

    def _computed(self, seconds: float) -> Codes:
        """Compute all codes, with all cores if one core takes long, and show the progress."""
        n_answers = len(self.answers)
        step = max(1, n_answers // PARTS)
        out = np.empty(self.shape, dtype=self.dtype)
        with long_work("computing feedback") as progress:
            for done, (start, codes) in enumerate(self._parts(step, cores() if seconds >= LONGER else 1), start=1):
                out[start : start + step] = codes
                if progress is not None:
                    progress(min(done * step, n_answers), n_answers)
        return out

    def _parts(self, step: int, processes: int) -> Iterator[tuple[int, Codes]]:
        """Yield the codes of each `step` answers with the number of the first, as they are computed."""
        missing = dict.fromkeys(range(0, len(self.answers), step))
        if processes > 1 and can_fork():
            try:
                with Workers(processes, self._serve) as workers:
                    futures = {workers.submit(_rows, start, start + step): start for start in missing}
                    for future in as_completed(futures):
                        codes = future.result()
                        del missing[futures[future]]
                        yield futures[future], codes
            except RuleError:
                raise
            except (BrokenProcessPool, WordleKitError):
                pass  # the rest is computed here
        for start in missing:  # after a worker has died too
            yield start, self.rows(start, start + step)

    def _serve(self) -> None:
        """Have this worker process compute rows of this table."""
        global _served
        _served = self


_served: WholeTable
"""The table whose rows this worker process computes. It is inherited by forking, so no rule has to be pickled."""


def _rows(start: int, stop: int) -> Codes:
    return _served.rows(start, stop)
