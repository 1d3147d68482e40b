"""Draws: puzzles that only one submission plays, and the policy by which those who are graded play."""

import hashlib
import random
from dataclasses import dataclass, replace
from functools import cached_property

from wordle_kit.game.game import Game
from wordle_kit.isolation.supervision import UNREPEATED, Supervision, is_unplayed
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chunks import Chunk
from wordle_kit.tournaments.player import NOT_PLAYED
from wordle_kit.tournaments.puzzles import Drawing, Puzzles
from wordle_kit.tournaments.referee import always_late
from wordle_kit.tournaments.runs import Play

MOST_IN_A_ROW = 4
"""How many decisions of a submission may be late one after another. Each takes the whole deadline of a class."""


@dataclass(frozen=True)
class Draws(Puzzles):
    """Puzzles for a single run: drawn with replacement, independent of each other, and from no seed.

    Nothing that a strategy remembers of other puzzles says anything about them.
    """

    player: str = ""
    """Whoever plays them."""

    @cached_property
    def population(self) -> None:
        """None, since they are drawn with replacement."""

    @cached_property
    def fingerprint(self) -> str:
        """A hash of their number and of whoever plays them: 16 hexadecimal digits.

        It does not depend on the words. So a run is found again, and what is left of it is played on new draws.
        """
        return hashlib.sha256(repr((len(self), self.player)).encode()).hexdigest()[:16]


def draws(game: Game, count: int, player: str = "") -> Draws:
    """Return puzzles for a single run, drawn from the system's source of random numbers.

    Answers are drawn in proportion to their weights, if the game has any. Nobody can predict or repeat the draws.
    """
    drawing = Drawing(game.answer_weights.tolist(), random.SystemRandom())
    ids = tuple(drawing.draw(game.boards, repeats=False) for _ in range(count))
    return Draws(game, ids, f"{count:,} draws of its own", is_sample=True, player=player)


@dataclass(frozen=True)
class GradingPolicy(Supervision):
    """Supervises everyone who is graded, with a budget of time. Draws are played and stored as a whole."""

    most_in_a_row: float = MOST_IN_A_ROW

    def chunk_size(self, strategy: Strategy, puzzles: Puzzles) -> int:
        """Return the number of puzzles that are played at a time: of draws, all."""
        usual = super().chunk_size(strategy, puzzles)
        return max(usual, len(puzzles)) if isinstance(puzzles, Draws) else usual

    def is_stale(self, play: Play) -> bool:
        """Return whether time ran out in a play, or before it was repeated, and the budget has changed since."""
        if not (is_unplayed(play) or play.message.startswith(UNREPEATED + NOT_PLAYED)):
            return False
        said = play.message.removeprefix(UNREPEATED).removeprefix(NOT_PLAYED)
        return said not in (self.spent, always_late(self.most_in_a_row))

    def after_death(self, chunk: Chunk) -> Chunk:
        """Return the chunk to play after a worker died. Drawn puzzles are drawn anew."""
        old = chunk.puzzles
        return replace(chunk, puzzles=draws(old.game, len(old), old.player)) if isinstance(old, Draws) else chunk
