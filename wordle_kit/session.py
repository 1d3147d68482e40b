"""A game played guess by guess, by a person or a learning agent."""

from dataclasses import dataclass, replace
from typing import Self

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.host import Host, answer_of, words_of


@dataclass(frozen=True)
class Session:
    """A game between a player and a host."""

    host: Host
    position: Position

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.position.game

    @property
    def is_solved(self) -> bool:
        """Whether every board is solved."""
        return not self.position.open_boards

    @property
    def is_stuck(self) -> bool:
        """Whether hard mode allows no further guess. Requirements of several boards may contradict each other."""
        allowed = self.position.allowed
        return not self.is_solved and allowed is not None and set(allowed.tolist()) <= set(self.position.guess_ids)

    @property
    def answers(self) -> tuple[str, ...]:
        """The word of each board, to show when the game is over."""
        return words_of(self.host, self.position)

    @property
    def revealed(self) -> str:
        """The words of the boards as the end of a sentence to show when the game is over."""
        answers = self.answers
        several = len(answers) > 1
        were = "may still be" if not self.host.hides_words else "were" if several else "was"
        return f"the {self.game.nouns[0]}{'s' * several} {were} {', '.join(answers)}"

    def read(self, text: str) -> int:
        """Return the index of the guess in a text. Raises GameError, which says why, if it is not allowed."""
        word = self.game.spelling(text)
        problem = self.position.problem_with(word)
        if problem is not None:
            raise GameError(problem)
        guess = self.game.guess_index[word]
        if guess in self.position.guess_ids:
            raise GameError(f"{word!r} was guessed before; guess another word")
        return guess

    def after(self, guess: int) -> Self:
        """Return the state after a guess that `read` returned."""
        return replace(self, position=self.position.after(guess, answer_of(self.host, self.position, guess)))
