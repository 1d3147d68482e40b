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

    For a strategy that is `weighted`, words of weight 0 do not count as candidates, and a guess that only tells these
    from the others tells nothing. With weights, a guess that tells nothing may score as well as any other, so even
    `list-order` prefers a candidate.
    """
    first, game = int(equal.argmax()), boards[0].game
    if np.count_nonzero(equal) == 1:
        return first
    if ties == "list-order" and not game.is_weighted:
        return first
    if ties == "list-order" and any(tells(board, first, by_mass=weighted) for board in boards):
        return first
    candidates = game.guess_of_answer[np.concatenate([board.candidates for board in boards])]
    preferred = candidates[equal[candidates]]
    if game.is_weighted and (weighted or ties == "likeliest-first"):
        chances = np.sum([board.chance_of(preferred) for board in boards], axis=0)
        most = chances.max(initial=0.0) - EQUAL if ties == "likeliest-first" else 0.0
        preferred = preferred[(chances > 0) & (chances >= most)]
    return int(preferred.min()) if len(preferred) else first


def tells(board: Board, guess: int, *, by_mass: bool) -> bool:
    """Return whether the guess with this index may be right or splits the candidates.

    With `by_mass`, candidates of weight 0 are left out, unless all have weight 0.
    """
    candidates = board.candidates[board.weights > 0] if by_mass else board.candidates
    if (board.game.guess_of_answer[candidates] == guess).any():
        return True
    codes = board.game.table.column(guess, candidates)
    return bool((codes != codes[0]).any())


def tell(boards: Sequence[Board], guesses: Ids, *, by_mass: bool) -> Marks:
    """Return which of these guesses tell something on one of the boards, as `tells` does, bool[n_guesses]."""
    found = np.zeros(len(guesses), dtype=np.bool_)
    for board in boards:
        found |= board.chance_of(guesses) > 0 if by_mass else board.is_candidate(guesses)
        found |= board.costs(np.ones_like, guesses, weighted=by_mass) > 1
    return found
