"""Bundled games that many tests play, loaded once in each process."""

from functools import cache

import wordle_kit as wk

bundled = cache(wk.load_game)
"""Return a bundled game by its name."""


class AvoidAbsent(wk.MarksRule):
    """Marks without counts, and a hard mode that forbids absent symbols and nothing else. One method says so."""

    def marks(self, guess, answer):
        return [2 if g == a else int(g in answer) for g, a in zip(guess, answer, strict=True)]

    def hard_mode_problem(self, guess, earlier, code):
        marks = self.digits(code, len(earlier))
        used = {symbol for symbol, mark in zip(earlier, marks, strict=True) if not mark}.intersection(guess)
        return f"must not use {min(used)!r}" if used else None
