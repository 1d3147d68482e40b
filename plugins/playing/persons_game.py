"""A game that a person plays: guesses can be taken back, and the player may get help or give up."""

from dataclasses import dataclass, replace
from typing import Self

import wordle_kit as wk
from wordle_kit.session import Session


@dataclass(frozen=True)
class PersonsGame(Session):
    """A game between a person and a host."""

    earlier: tuple[wk.Position, ...] = ()
    """The positions before each guess."""
    had_help: bool = False
    """Whether the player got a hint, looked at the remaining words, or took a guess back."""
    gave_up: bool = False

    @property
    def limit(self) -> int | None:
        """The number of guesses allowed, or None if unlimited, as when no word is hidden."""
        return self.game.max_guesses if self.host.hides_words else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: solved, out of guesses, or given up."""
        return self.gave_up or self.is_solved or len(self.position.guess_ids) == self.limit

    def guess(self, text: str) -> Self:
        """Return the game after a guess. Raises GameError, which says why, if it is not allowed."""
        return replace(self.after(self.read(text)), earlier=(*self.earlier, self.position))

    def undo(self) -> Self:
        """Return the game before the last guess. Raises GameError if there is none."""
        if not self.earlier:
            raise wk.GameError("there is no guess to take back")
        return replace(self, position=self.earlier[-1], earlier=self.earlier[:-1], had_help=True)
