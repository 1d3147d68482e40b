"""A strategy for games in which some answers are likelier, which estimates how many guesses each part needs."""

from collections.abc import Callable

import numpy as np

import wordle_kit as wk


class ExpectedGuesses(wk.PartitionStrategy):
    """Choose the guess with the fewest expected further guesses, assuming sqrt(1 + H) for H missing bits.

    H is the entropy of the candidates in a part, according to their weights. The score of a guess is 1, for the guess
    itself, plus the mean of sqrt(1 + H) over its parts, weighted by their probabilities. The part in which the guess is
    the answer adds nothing. So the score balances the chance of being right against the information. docs/priors.md
    compares sqrt(1 + H) with the number of guesses actually needed.
    """

    def prepare(self, game: wk.Game) -> None:
        """Compile the kernel of a game with weights."""
        super().prepare(game)
        if game.is_weighted:
            self.scores(wk.Position.start(game).board, np.zeros(1, dtype=np.int32))

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the expected number of guesses for a part of equally likely candidates, multiplied by its size."""
        cost: wk.Floats = size * np.sqrt(1 + np.log2(size))
        return cost

    def finish(self, cost: wk.Floats, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the expected number of guesses if all candidates are equally likely.

        The winning part, of size 1, costs nothing.
        """
        return 1 + (cost - board.is_candidate(guesses)) / len(board)

    def scores(self, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the expected number of guesses, including this one."""
        if not board.game.is_weighted:
            return super().scores(board, guesses)
        from wordle_kit_plugins.kernels import weighted_guesses

        table = board.game.table
        n_guesses = len(board.game.guesses) if guesses is None else len(guesses)
        out = np.empty(n_guesses)
        for block, codes, rows in table.blocks(board.candidates, guesses):
            weighted_guesses(codes, rows, board.weights, board.game.winning_code, table.n_codes, out[block])
        return 1 + out / board.mass


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategy."""
    register(ExpectedGuesses())
