"""A formula of one's own for the cost of a part. The engine scores every guess with it.

Usage: wordle-kit tournament -p examples/strategies/own_cost.py -s guesses-to-come -s entropy
"""

import numpy as np

import wordle_kit as wk


class GuessesToCome(wk.PartitionStrategy):
    """Choose the guess with the fewest further guesses, by a formula for how many a part takes."""

    growth: float = 0.26
    """How many more guesses a word needs if it is one of e times (2.718 times) as many."""

    def part_cost(self, size):
        """Return the guesses that parts of these sizes need for all their words together, float64[n].

        A single word needs one guess, two words need three. In larger parts, the average grows with the logarithm.
        """
        return size * (1 + np.minimum((size - 1) / 2, 0.5 + self.growth * np.log(size / 2)))

    def finish(self, cost, board, guesses):
        """Return the average over all words. A guess that is right itself saves the guess that its part would need."""
        return (cost - board.is_candidate(guesses)) / len(board)


@wk.hookimpl
def register_strategies(register):
    """Register the strategy."""
    register(GuessesToCome())
