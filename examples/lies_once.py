"""A host that lies once: its second answer is for another word than the hidden one, and it has to stick to that lie."""

from dataclasses import dataclass
from typing import ClassVar

import wordle_kit as wk


@dataclass(frozen=True)
class LiesOnce(wk.Host):
    """Hide a word, and answer one guess as if another word were hidden."""

    name: ClassVar[str] = "lies-once"

    turn: int = 2
    """The guess that gets the lie."""

    def answer(self, position: wk.Position, guess: int) -> tuple[int, ...]:
        """Return the feedback of the word that each board pretends to hide."""
        game = position.game
        return tuple(
            game.winning_code if board.is_solved else game.table.code(guess, self.pretended(position, board, answer))
            for board, answer in zip(position.boards, self.answers, strict=True)
        )

    def words(self, position: wk.Position) -> tuple[str, ...]:
        """Return the words that it pretended to hide in the end."""
        game, boards = position.game, zip(position.boards, self.answers, strict=True)
        return tuple(game.answers[self.pretended(position, board, answer)] for board, answer in boards)

    def pretended(self, position: wk.Position, board: wk.Board, answer: int) -> int:
        """Return the hidden word, unless this is the turn to lie or an earlier lie rules that word out."""
        others = [int(each) for each in board.candidates if each != answer]
        is_ruled_out = len(others) == len(board.candidates)
        lies = position.turn == self.turn and not board.is_solved
        return others[0] if others and (is_ruled_out or lies) else answer


@wk.hookimpl
def register_hosts(register):
    """Register the host."""
    register(LiesOnce())
