"""Look two guesses ahead, within a budget of nodes.

A budget of seconds would make the guess depend on the machine and on how busy it is. A budget of nodes gives the same
guess everywhere.

Usage: wordle-kit tournament -p examples/strategies/two_ply.py -s two-ply -s "two-ply(nodes=1000)" -s most-parts
"""

import numpy as np
from pydantic import Field

import wordle_kit as wk


class TwoPly(wk.Strategy):
    """Choose the guess that takes the fewest guesses if the next one in each part makes the most parts."""

    base: wk.PartitionStrategy = wk.load_strategy("most-parts")
    """What orders the guesses. The most promising are looked at first."""

    nodes: int = Field(default=200, ge=1)
    """The number of parts that are looked at for one guess."""

    def guess(self, position):
        """Return the best guess that was looked at within the budget."""
        board, base = position.board, self.base
        if len(board) <= 2 or position.turn == 1:
            return base.guess(position)
        guesses = base.informative(position)
        scores = base.checked_scores(board, guesses).round(9)
        candidates_first = np.lexsort((~board.is_candidate(guesses), scores))
        best, least, left = None, np.inf, self.nodes
        for guess in guesses[candidates_first].tolist():
            parts = board.parts(guess)
            left -= len(parts)
            if best is not None and left < 0:
                break
            needed = sum(self.needed(board.with_part(code, part)) for code, part in parts.items())
            if needed < least:
                best, least = guess, needed
        return position.game.guesses[best]

    def needed(self, part):
        """Return how many guesses the words of a part need together, if the parts of the next guess are easy.

        Every word takes the next guess. Then a part of n words takes at least 2n - 1 guesses, and none if it is solved.
        """
        if part.is_solved or len(part) <= 2:
            return 0 if part.is_solved else 2 * len(part) - 1
        n_parts = part.costs(np.ones_like) + part.is_candidate()
        return 3 * len(part) - n_parts.max()


@wk.hookimpl
def register_strategies(register):
    """Register the strategy."""
    register(TwoPly())
