"""A game that a person plays, as a value: every move returns the game after it."""

from dataclasses import dataclass, replace

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.host import Adversary, Host


@dataclass(frozen=True)
class Session:
    """A game between a player and a host, with the games before each guess, so that guesses can be taken back."""

    host: Host
    position: Position
    earlier: tuple[Position, ...] = ()
    hints: int = 0
    """How many hints the player has had."""
    taken_back: int = 0
    """How many guesses the player has taken back."""
    gave_up: bool = False

    @classmethod
    def start(cls, game: Game, host: Host) -> "Session":
        """Return the game before the first guess."""
        return cls(host, Position.start(game))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def limit(self) -> int | None:
        """The number of guesses that the game allows, or None against the adversary, which allows any number."""
        return None if isinstance(self.host, Adversary) else self.game.max_guesses

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
        """Whether hard mode, whose demands on several boards may contradict each other, allows no further guess."""
        allowed = self.position.allowed
        return not self.is_over and allowed is not None and set(allowed.tolist()) <= set(self.position.guess_ids)

    @property
    def answers(self) -> tuple[str, ...]:
        """The word of each board, which is shown once the game is over."""
        return self.host.words(self.position)

    def guess(self, text: str) -> "Session":
        """Return the game after a guess. Raises GameError, saying why, for a guess that the game refuses."""
        self._check_not_over()
        word = self.game.alphabet.join(self.game.word(text))
        problem = self.position.allows(word)
        if problem is not None:
            raise GameError(problem)
        if word in self.position.guesses:
            raise GameError(f"{word!r} was guessed before; guess another word")
        guess = self.game.guess_ids[word]
        position = self.position.after(guess, self.host.answer(self.position, guess))
        return replace(self, position=position, earlier=(*self.earlier, self.position))

    def undo(self) -> "Session":
        """Return the game before the last guess. Raises GameError if there is none."""
        if not self.earlier:
            raise GameError("there is no guess to take back")
        *earlier, position = self.earlier
        return replace(self, position=position, earlier=tuple(earlier), taken_back=self.taken_back + 1)

    def hinted(self) -> "Session":
        """Return the game after a hint."""
        self._check_not_over()
        return replace(self, hints=self.hints + 1)

    def give_up(self) -> "Session":
        """Return the game as the player leaves it."""
        self._check_not_over()
        return replace(self, gave_up=True)

    def _check_not_over(self) -> None:
        if self.is_over:
            raise GameError("the game is over")
