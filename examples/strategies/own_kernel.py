"""A numba kernel of one's own, for a score that depends on more than the sizes of parts.

Usage: wordle-kit tournament -p examples/strategies/own_kernel.py -s greens-and-parts -s most-parts
"""

import numba
import numpy as np

import wordle_kit as wk


class GreensAndParts(wk.PartitionStrategy):
    """Choose the guess that makes many parts and settles many places."""

    greens: float = 0.5
    """How many parts a place that is expected to be known is worth, as a share of the parts that there could be."""

    def prepare(self, game):
        """Compile the kernel before the first guess, because that takes longer than some deadlines."""
        super().prepare(game)
        self.scores(wk.Position.start(game).board, np.zeros(1, dtype=np.int32))

    def part_cost(self, size):
        """Return -1 for each part, so that the cost of a guess is minus the number of its parts."""
        return -np.ones_like(size)

    def finish(self, cost, board, guesses):
        """Return the cost less the value of the places, float64[n_guesses]."""
        game = board.game
        places = np.array(
            [str(game.feedback_of(code)).count("2") for code in range(game.table.n_codes)], dtype=np.float64
        )
        value = self.greens * min(len(board), game.table.n_codes) * places / (game.length * len(board))
        blocks = game.table.blocks(board.candidates, guesses)
        return cost - np.concatenate([add_up(codes, rows, value) for _, codes, rows in blocks])


@numba.njit(cache=True)
def add_up(codes, rows, value):
    """Return the sum of the values of the codes in each column, float64[n_guesses].

    `codes` is [n_answers, n_guesses], and `rows` are the rows that count. The inner loop runs along a row, because a
    row lies in one piece in memory.
    """
    total = np.zeros(codes.shape[1])
    for row in rows:
        for guess in range(codes.shape[1]):
            total[guess] += value[codes[row, guess]]
    return total


@wk.hookimpl
def register_strategies(register):
    """Register the strategy."""
    register(GreensAndParts())
