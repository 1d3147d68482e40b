"""Help with a puzzle that is played elsewhere, as a value: the guesses and the feedback so far."""

from collections.abc import Sequence
from dataclasses import dataclass

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.playing.consistency import explained_loss
from wordle_kit.strategy.moves import read_move
from wordle_kit.strategy.position import Position

SOLVED = "-"
"""The sign in place of the feedback on a solved board."""


@dataclass(frozen=True)
class Assistance:
    """A player's guesses and their feedback, with the position before each guess."""

    position: Position
    earlier: tuple[Position, ...] = ()

    @classmethod
    def start(cls, game: Game) -> "Assistance":
        """Return the state before the first guess."""
        return cls(Position.start(game))

    def add(self, text: str) -> "Assistance":
        """Return the state after a move such as `crane 01100`, with a `/` between several boards.

        Raises GameError for text that cannot be read, and like `after`.
        """
        return self.after(*read_move(self.position.game, text, " "))

    def after(self, guess: str, seen: Sequence[str]) -> "Assistance":
        """Return the state after a guess got this feedback, a text for each board.

        Raises GameError for a guess that the game refuses, and for feedback that fits no word, naming the nearest that
        does.
        """
        position, game = self.position, self.position.game
        if not position.open_boards:
            raise GameError("the puzzle is solved")
        word = game.alphabet.join(game.word(guess))
        problem = position.allows(word)
        if problem is not None:
            raise GameError(problem)
        codes = [
            game.winning_code if board.is_solved else _code(game, number, one)
            for number, (board, one) in enumerate(zip(position.boards, seen, strict=True), start=1)
        ]
        lost = explained_loss(position, game.guess_ids[word], codes)
        if lost is not None:
            raise GameError(lost)
        return Assistance(position.after(word, codes), (*self.earlier, position))

    def undo(self) -> "Assistance":
        """Return the state before the last guess. Raises GameError if there is none."""
        if not self.earlier:
            raise GameError("there is no guess to take back")
        return Assistance(self.earlier[-1], self.earlier[:-1])


def _code(game: Game, number: int, text: str) -> int:
    """Return the code of the feedback on an open board, counted from 1. Raises GameError for other text."""
    try:
        return game.read_feedback(text).code
    except GameError:
        if text == SOLVED and game.boards > 1:
            raise GameError(f"{text!r} is for a solved board; write the feedback on board {number}") from None
        raise
