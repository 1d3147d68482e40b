"""Strategies that only filter: what the others are measured against."""

from collections.abc import Callable

import wordle_kit as wk


class RandomConsistent(wk.Strategy):
    """Guess any word that may still be the answer, each as likely as the other.

    Liu, "Using Wordle for Learning to Design and Compare Strategies" (2022), section II.B: Strategy Hard-Mode.
    """

    stochastic = True

    def guess(self, position: wk.Position) -> str:
        """Return a random candidate of the board, on several boards of the one with the fewest candidates."""
        return position.rng.choice(position.board.words)


class FirstConsistent(wk.Strategy):
    """Guess the first word, in the game's order, that may still be the answer.

    The simple filter strategy of Shkodi et al., and the first program that most people write.
    """

    def guess(self, position: wk.Position) -> str:
        """Return the first candidate of the board, on several boards of the one with the fewest candidates."""
        return position.board.words[0]


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategies that only filter."""
    register(RandomConsistent())
    register(FirstConsistent())
