"""A strategy for several boards: solve one board after the other, with guesses that also help on the others.

Usage: wordle-kit tournament -g quordle --puzzles 200 -p examples/strategies/several_boards.py -s one-after-another
"""

import numpy as np
from pydantic import Field

import wordle_kit as wk


class OneAfterAnother(wk.Strategy):
    """Take the best guesses for the board with the fewest candidates, and of these the best for the other boards."""

    base: wk.PartitionStrategy = wk.load_strategy("entropy")
    """What scores the guesses on each board."""

    slack: float = Field(default=0.6, ge=0)
    """How much worse than the best score on the first board a guess may be."""

    def guess(self, position):
        """Return the guess."""
        board = position.board  # the open board with the fewest candidates
        if len(board) == 1:
            return board.words[0]
        guesses = self.base.informative(position)
        scores = self.base.checked_scores(board, guesses) - 1 / len(board) * board.is_candidate(guesses)
        good = guesses[scores <= scores.min() + self.slack]
        others = [other for other in position.open_boards if other is not board]
        total = sum((self.base.checked_scores(other, good) for other in others), scores[np.isin(guesses, good)])
        return position.game.guesses[good[np.argmin(total)]]


@wk.hookimpl
def register_strategies(register):
    """Register the strategy."""
    register(OneAfterAnother())
