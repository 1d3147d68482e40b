"""Baseline strategies, which only filter: they guess the first candidate or a random one."""

from collections.abc import Callable

import wordle_kit as wk


class RandomConsistent(wk.Strategy):
    """Guess a word that may still be the answer, chosen uniformly at random.

    Liu, "Using Wordle for Learning to Design and Compare Strategies" (2022), section II.B: Strategy Hard-Mode.
    """

    stochastic = True

    def guess(self, position: wk.Position) -> str:
        """Return a random candidate; on several boards, one of the board with the fewest candidates."""
        return position.rng.choice(position.board.words)


class FirstConsistent(wk.Strategy):
    """Guess the first word, in the game's order, that may still be the answer.

    This is the filter strategy of Shkodi et al., and the first program that most people write.
    """

    def guess(self, position: wk.Position) -> str:
        """Return the first candidate; on several boards, that of the board with the fewest candidates."""
        return position.board.words[0]


@wk.hookimpl
def register_strategies(register: Callable[..., None]) -> None:
    """Register the strategies."""
    register(RandomConsistent())
    register(FirstConsistent())
