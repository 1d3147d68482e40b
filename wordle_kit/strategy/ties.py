"""Ties: which of several equal guesses is played."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from wordle_kit.game.table import Ids
from wordle_kit.strategy.board import Board

Ties = Literal["candidates-first", "likeliest-first", "list-order"]

EQUAL = 1e-9
"""Probabilities that differ by at most this are equal."""


def first_of_equals(words: Ids, boards: Sequence[Board], ties: Ties, *, weighted: bool) -> int:
    """Return the guess to play out of several with the same score, given as indices in the game's order.

    Words of weight 0 do not count as candidates for a strategy that is `weighted`. With weights, a guess that tells
    nothing may score as well as any other and would be repeated forever, so even `list-order` prefers a candidate.
    """
    first = int(words[0])
    if len(words) == 1:
        return first
    game = boards[0].game
    if ties == "list-order" and (not game.is_weighted or any(tells(board, first) for board in boards)):
        return first
    if game.is_weighted and (weighted or ties == "likeliest-first"):
        chances = np.sum([board.chance_of(words) for board in boards], axis=0)
        possible = chances > 0
        if ties == "likeliest-first":
            possible &= chances >= chances.max() - EQUAL
    else:
        possible = np.logical_or.reduce([board.is_candidate(words) for board in boards])
    return int(words[possible][0]) if possible.any() else first


def tells(board: Board, guess: int) -> bool:
    """Return whether the guess with this index may be right or splits the candidates."""
    return bool(board.is_candidate()[guess]) or len(board.parts(guess)) > 1
