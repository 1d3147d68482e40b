"""Hard mode as data, so that a page can enforce it without the code of a rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import PuzzleError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.pages.html import Numbering, varints

MAX_PAIRS = 50_000_000
"""Pairs of guesses, on all boards of a page, for which a page can say whether hard mode allows one after the other."""


@dataclass(frozen=True)
class LaterGuesses:
    """What a guess demands of later guesses on a board: each guess has the number of its demand."""

    demands: list[Any]
    """For rules with marks: the places and symbols that are settled, and the symbols to use with their counts."""
    masks: bytes
    """For other rules: for each demand a bit for every guess, 1 if it is allowed, the highest bit of a byte first."""
    columns: list[bytes]
    """For each board the number of the demand of each guess, as varints."""


def hard_mode_of(game: Game, codes: Sequence[npt.NDArray[Any]]) -> LaterGuesses:
    """Return what hard mode demands after each guess on each board, given the codes of all guesses on each board.

    Raises PuzzleError if that is too much for a page.
    """
    rule = game.rule
    if isinstance(rule, MarksRule) and _is_usual(rule):
        return _by_obligations(game, rule, codes)
    pairs = len(game.guesses) ** 2 * len(codes)
    if pairs > MAX_PAIRS:
        raise PuzzleError(
            f"hard mode with the rule {rule.name!r} depends on {pairs:,} pairs of guesses; a page can hold "
            f"{MAX_PAIRS:,}, so use fewer words, boards or puzzles, or play without hard mode"
        )
    return _by_masks(game, codes)


def _is_usual(rule: MarksRule) -> bool:
    """Return whether hard mode follows from the obligations of each guess, as MarksRule defines it."""
    kind = type(rule)
    return all(getattr(kind, name) is getattr(MarksRule, name) for name in ("hard_mode_problem", "hard_mode_mask"))


def _by_obligations(game: Game, rule: MarksRule, codes: Sequence[npt.NDArray[Any]]) -> LaterGuesses:
    words = [game.alphabet.split(word) for word in game.guesses]
    numbers: dict[Any, int] = {}
    columns = []
    for board in codes:
        column = []
        for word, code in zip(words, board.tolist(), strict=True):
            placed, counts = rule.obligations(word, code)
            demand = (tuple(sorted(placed.items())), tuple(sorted(counts.items())))
            column.append(numbers.setdefault(demand, len(numbers)))
        columns.append(varints(column))
    return LaterGuesses([[list(placed), list(counts)] for placed, counts in numbers], b"", columns)


def _by_masks(game: Game, codes: Sequence[npt.NDArray[Any]]) -> LaterGuesses:
    masks = Numbering()
    columns = [
        varints(
            masks[np.packbits(game.allowed_after(guess, code)).tobytes().hex()]
            for guess, code in enumerate(board.tolist())
        )
        for board in codes
    ]
    return LaterGuesses([], bytes.fromhex("".join(masks)), columns)
