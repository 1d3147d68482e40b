"""Bundled games that many tests play, loaded once in each process."""

from functools import cache

import wordle_kit as wk

bundled = cache(wk.load_game)
"""Return a bundled game by its name."""
