"""Numbers for the positions that plays reach: a position has the same number in every play that reaches it."""

from collections.abc import Iterable

from wordle_kit.tournaments.outcome import Play


class Positions:
    """The positions reached so far. The start of a game is number 0."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str, tuple[str, ...]], int] = {}

    def reached_by(self, play: Play) -> list[int]:
        """Return the number of the position before each guess of a play, and of the one after its last guess."""
        numbers = [0]
        for guess, feedback in zip(play.guesses, play.feedback, strict=True):
            after = (numbers[-1], guess, feedback)
            numbers.append(self._numbers.setdefault(after, len(self._numbers) + 1))
        return numbers

    def decisions(self, plays: Iterable[Play]) -> dict[int, str]:
        """Return the guess made in each position that plays reached, by the position's number."""
        made: dict[int, str] = {}
        for play in plays:
            made.update(zip(self.reached_by(play), play.guesses, strict=False))  # the last position has no guess
        return made
