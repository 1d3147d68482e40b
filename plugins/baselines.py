"""Baseline strategies that only filter, and one that chooses the board for another strategy."""

from collections.abc import Callable

import wordle_kit as wk


class RandomConsistent(wk.Strategy):
    """Guess any word that may still be the answer, all equally likely.

    Liu, "Using Wordle for Learning to Design and Compare Strategies" (2022), section II.B: Strategy Hard-Mode.
    """

    stochastic = True

    def guess(self, position: wk.Position) -> str:
        """Return a random candidate. On several boards, it is one of the board with the fewest candidates."""
        return position.rng.choice(position.board.words)


class FirstConsistent(wk.Strategy):
    """Guess the first word, in the game's order, that may still be the answer.

    This is the filter strategy of Shkodi et al., and the first program that most people write.
    """

    def guess(self, position: wk.Position) -> str:
        """Return the first candidate. On several boards, it is that of the board with the fewest candidates."""
        return position.board.words[0]


class Lifted(wk.Strategy):
    """Play several boards with a strategy for one, and choose the board that it looks at.

    By default, the property `position.board` is the open board with the fewest candidates. This strategy sets it to
    that board, to the board with the most candidates, or to the first, and then lets `base` guess.
    """

    base: wk.Strategy = FirstConsistent()
    """The strategy that guesses."""
    board: wk.BoardChoice = "fewest"
    """The board that `base` looks at."""

    by_name_only = True

    @wk.per_instance
    def stochastic(self) -> bool:
        """Whether the base is stochastic."""
        return self.base.stochastic

    def problem_with(self, game: wk.Game) -> str | None:
        """Return why the base cannot play a game, or None if it can."""
        return self.base.problem_with(game)

    def guess(self, position: wk.Position) -> str:
        """Return the guess of the base."""
        return self.base.guess(position.looking_at(self.board))


@wk.hookimpl
def register_strategies(register: Callable[..., None]) -> None:
    """Register the strategies."""
    register(RandomConsistent())
    register(FirstConsistent())
    register(Lifted())
