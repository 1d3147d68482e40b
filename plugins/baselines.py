"""Strategies that only filter: what the others are measured against; and how one board is chosen of several."""

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


class Lifted(wk.Strategy):
    """Play several boards by a strategy for one, choosing the board that it looks at.

    Every strategy that asks for `position.board` plays several boards, and is given the open one with the fewest
    candidates; here it is given that, the one with the most, or the first.
    """

    base: wk.Strategy = FirstConsistent()
    """The strategy that plays."""
    board: wk.BoardChoice = "fewest"

    by_name_only = True

    @property
    def stochastic(self) -> bool:  # type: ignore[override]
        """Whether the strategy that plays is stochastic."""
        return self.base.stochastic

    def problem_with(self, game: wk.Game) -> str | None:
        """Return what keeps the strategy from playing a game, if anything does."""
        return self.base.problem_with(game)

    def guess(self, position: wk.Position) -> str:
        """Return what the strategy guesses that is given this board."""
        return self.base.guess(position.looking_at(self.board))


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register them."""
    register(RandomConsistent())
    register(FirstConsistent())
    register(Lifted())
