"""Chunks: the puzzles that one strategy plays in a worker at a time."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from wordle_kit.pool import own_file
from wordle_kit.strategy.partition import scores_of
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chance import Chance
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Play

REFEREES_KEPT = 4


@dataclass(frozen=True)
class Chunk:
    """A chunk of puzzles for one strategy to play. A worker calls it."""

    run: int
    number: int
    strategy: Strategy
    identity: str
    puzzles: Puzzles
    numbers: Sequence[int]
    """The number of each puzzle in the run, counted from 0."""
    chance: Chance
    deadline: float
    session: str
    """Identifies the call of `play_tournaments` that made the chunk. Decisions from earlier calls are not reused."""

    def __call__(self) -> "Played":
        """Play the puzzles and return the result."""
        referee = kept_referee(self)
        calls, seconds = referee.calls, referee.seconds
        plays = referee.play(self.puzzles, self.numbers, gives_up=self.is_first)
        spent = referee.calls - calls, referee.seconds - seconds
        return Played(plays, *spent, referee.unsure, is_hopeless=referee.is_hopeless)

    @property
    def is_first(self) -> bool:
        """Whether it is the first of its run, which is played before the others."""
        return self.number == 0


@dataclass(frozen=True)
class Played:
    """The result of a chunk: its plays, the number of times the strategy was asked, and the seconds it thought."""

    plays: Sequence[Play]
    calls: int
    seconds: float
    unsure: int
    """The number of plays that ended in a failure whose `is_unsure` is true."""
    is_hopeless: bool = False
    """Whether the strategy was late so often that the rest of the run is not played."""


def kept_referee(chunk: Chunk) -> Referee:
    """Return a referee for a chunk. Chunks of the same strategy share it in this process, and its decisions."""
    key = (chunk.puzzles.game, chunk.identity, chunk.chance, chunk.deadline, chunk.session, threading.get_ident())
    if key not in _referees:
        scores_of.cache_clear()  # the code that computes scores may have been edited in a notebook
        _referees[key] = Referee(chunk.puzzles.game, chunk.strategy, chunk.chance.key, chunk.deadline, own_file())
    _referees.move_to_end(key)
    if len(_referees) > REFEREES_KEPT:
        _referees.popitem(last=False)
    return _referees[key]


_referees: OrderedDict[tuple[object, ...], Referee] = OrderedDict()
"""The referees that this process used most recently."""
