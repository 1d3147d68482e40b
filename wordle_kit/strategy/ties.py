"""Ties: which of several equal guesses is played."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from wordle_kit.game.table import Ids
from wordle_kit.strategy.board import Board

Ties = Literal["candidates-first", "likeliest-first", "list-order"]

Marks = npt.NDArray[np.bool_]

EQUAL = 1e-9
"""Probabilities that differ by at most this are equal."""


def first_of_equals(words: Ids, boards: Sequence[Board], ties: Ties, *, weighted: bool) -> int:
    """Return the guess to play out of several with the same score, given as indices in the game's order."""
    equal = np.zeros(len(boards[0].game.guesses), dtype=np.bool_)
    equal[words] = True
    return first_of_marked(equal, boards, ties, weighted=weighted)


def first_of_marked(equal: Marks, boards: Sequence[Board], ties: Ties, *, weighted: bool) -> int:
    """Return the guess to play out of those with the same score, which are marked in `equal`, bool[n_guesses].

    Words of weight 0 do not count as candidates for a strategy that is `weighted`. With weights, a guess that tells
    nothing may score as well as any other and would be repeated forever, so even `list-order` prefers a candidate.
    """
    first, game = int(equal.argmax()), boards[0].game
    if np.count_nonzero(equal) == 1:
        return first
    if ties == "list-order" and (not game.is_weighted or any(tells(board, first) for board in boards)):
        return first
    candidates = game.guess_of_answer[np.concatenate([board.candidates for board in boards])]
    preferred = candidates[equal[candidates]]
    if game.is_weighted and (weighted or ties == "likeliest-first"):
        chances = np.sum([board.chance_of(preferred) for board in boards], axis=0)
        most = chances.max(initial=0.0) - EQUAL if ties == "likeliest-first" else 0.0
        preferred = preferred[(chances > 0) & (chances >= most)]
    return int(preferred.min()) if len(preferred) else first


def tells(board: Board, guess: int) -> bool:
    """Return whether the guess with this index may be right or splits the candidates."""
    return bool(board.is_candidate()[guess]) or len(board.parts(guess)) > 1
