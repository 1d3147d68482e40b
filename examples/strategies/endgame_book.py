"""A book of endgames: with few candidates left, play perfectly. Each endgame is solved once for each game.

Usage: wordle-kit tournament -p examples/strategies/endgame_book.py -s endgame-book -s most-parts
"""

from functools import lru_cache

import numpy as np
from pydantic import Field

import wordle_kit as wk


class EndgameBook(wk.Strategy):
    """Play like `base`, but perfectly once there are few candidates."""

    base: wk.PartitionStrategy = wk.load_strategy("most-parts")
    few: int = Field(default=10, ge=2, le=20)
    """The greatest number of candidates for which the book has a guess."""

    def guess(self, position):
        """Return the guess of the book if it has one."""
        board = position.board
        if len(board) > self.few or position.allowed is not None:  # the book knows no hard mode
            return self.base.guess(position)
        _, guess = best_play(position.game, tuple(board.candidates.tolist()))
        return position.game.guesses[guess]


@lru_cache(200_000)
def best_play(game, candidates):
    """Return how many guesses all candidates need together, and the index of the first guess.

    After a guess, a part of n words takes at least 2n - 1 guesses, and none if the guess was right. The guesses with
    the most parts come first, so that this bound soon ends the loop.
    """
    ids = np.array(candidates, dtype=np.int32)
    own = game.guess_of_answer[ids]
    if len(candidates) <= 2:
        return 2 * len(candidates) - 1, int(own[0])
    codes = game.table.whole()[ids]
    n_parts = 1 + (np.diff(np.sort(codes, axis=0), axis=0) != 0).sum(axis=0)
    most = n_parts + np.isin(np.arange(len(n_parts)), own)
    least, best = np.inf, -1
    for guess in np.argsort(-most, kind="stable").tolist():
        if n_parts[guess] == 1 or 3 * len(candidates) - most[guess] >= least:
            break  # no later guess can need fewer
        total = len(candidates)
        for code in np.unique(codes[:, guess]):
            if code != game.winning_code:
                total += best_play(game, tuple(ids[codes[:, guess] == code].tolist()))[0]
            if total >= least:
                break
        if total < least:
            least, best = total, guess
    return least, best


@wk.hookimpl
def register_strategies(register):
    """Register the strategy."""
    register(EndgameBook())
