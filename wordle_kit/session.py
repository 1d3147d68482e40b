"""A game that somebody plays guess by guess: a person, or a player that learns."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.strategy.moves import taken_back
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.host import Host, answer_of, words_of

HELPS = {"hint": "hints", "look at the words": "looks at the words", "undo": "undos"}
"""The kinds of help that a player can have, with their plurals."""


@dataclass(frozen=True)
class Session:
    """A game between a player and a host."""

    host: Host
    position: Position
    helps: Mapping[str, int] = field(default_factory=dict)
    """How often the player has had each kind of help of HELPS."""
    gave_up: bool = False

    @classmethod
    def start(cls, game: Game, host: Host) -> "Session":
        """Return the state before the first guess."""
        return cls(host, Position.start(game))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def limit(self) -> int | None:
        """The number of guesses allowed, or None if it is unlimited, as when no word is hidden."""
        return self.game.max_guesses if self.host.hides_words else None

    @property
    def is_solved(self) -> bool:
        """Whether every board is solved."""
        return not self.position.open_boards

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: solved, out of guesses, or given up."""
        return self.is_solved or self.gave_up or len(self.position.guess_ids) == self.limit

    @property
    def is_stuck(self) -> bool:
        """Whether hard mode allows no further guess. Requirements of several boards may contradict each other."""
        allowed = self.position.allowed
        return not self.is_over and allowed is not None and set(allowed.tolist()) <= set(self.position.guess_ids)

    @property
    def answers(self) -> tuple[str, ...]:
        """The word of each board, to be shown when the game is over."""
        return words_of(self.host, self.position)

    @property
    def revealed(self) -> str:
        """The words of the boards as the end of a sentence, to be shown when the game is over."""
        answers = self.answers
        several = len(answers) > 1
        were = "may still be" if not self.host.hides_words else "were" if several else "was"
        return f"the {self.game.nouns[0]}{'s' * several} {were} {', '.join(answers)}"

    def read(self, text: str) -> int:
        """Return the index of the guess in a text. Raises GameError, which says why, if the game refuses it."""
        self._check_not_over()
        word = self.game.alphabet.join(self.game.word(text))
        problem = self.position.allows(word)
        if problem is not None:
            raise GameError(problem)
        guess = self.game.guess_ids[word]
        if guess in self.position.guess_ids:
            raise GameError(f"{word!r} was guessed before; guess another word")
        return guess

    def guess(self, text: str) -> "Session":
        """Return the state after a guess. Raises GameError, which says why, if the game refuses it."""
        return self.after(self.read(text))

    def after(self, guess: int) -> "Session":
        """Return the state after a guess that `read` has returned."""
        return replace(self, position=self.position.after(guess, answer_of(self.host, self.position, guess)))

    def undo(self) -> "Session":
        """Return the state before the last guess. Raises GameError if there is none."""
        return replace(self, position=taken_back(self.position)).helped("undo")

    def helped(self, kind: str) -> "Session":
        """Return the state after the player has had a kind of help."""
        return replace(self, helps={**self.helps, kind: self.helps.get(kind, 0) + 1})

    def give_up(self) -> "Session":
        """Return the state after the player has given up."""
        self._check_not_over()
        return replace(self, gave_up=True)

    def _check_not_over(self) -> None:
        if self.is_over:
            raise GameError("the game is over")
