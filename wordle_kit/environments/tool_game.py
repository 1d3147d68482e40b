"""A game whose guesses are calls of a tool, in the form of TRL's `environment_factory`."""

from collections.abc import Sequence
from typing import Any

from wordle_kit.api import GameLike, PuzzlesLike
from wordle_kit.environments.text_game import TextGame


class ToolGame:
    """A text game in the form that `GRPOTrainer(environment_factory=...)` of TRL accepts. TRL need not be installed.

    The arguments are those of `TextGame`. TRL calls `reset` with the fields of a row of the data set, and `get_reward`
    at the end. It offers every other public method to the model as a tool, so `guess` is the only one.
    """

    def __init__(self, game: GameLike = "wordle", puzzles: PuzzlesLike = None, **settings: Any) -> None:
        self._text = TextGame(game, puzzles, **settings)

    def reset(self, puzzle: int | str | Sequence[str] | None = None, **row: Any) -> str:
        """Start a game and return the rules and the state, which TRL adds to the prompt.

        `puzzle` is the number of a puzzle, or its hidden words. By default, one is drawn. Other fields are ignored.
        """
        return self._text.reset(puzzle)

    def guess(self, word: str) -> str:
        """
        Guess the hidden word.

        Args:
            word: The word to guess.

        Returns:
            The feedback on the guess, or why it was refused, and how many guesses are left.

        """
        return "The game is over." if self._text.is_over else self._text.guess(word)

    def get_reward(self) -> float:
        """Return what the game was worth. An unfinished game counts as unsolved."""
        return self._text.reward()
