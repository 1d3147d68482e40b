"""Chunks: the puzzles of a run that a worker plays at a time. They do not depend on the number of workers."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordle_kit.errors import whole
from wordle_kit.pool import own_file
from wordle_kit.strategy.partition import scores_of
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Outcome, Play
from wordle_kit.tournaments.tournament import Chance, PlannedRun

TREE = 5000
"""The most puzzles that a program plays as one tree, asked once in each position."""

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
        referee = self._referee()
        calls, seconds = referee.calls, referee.seconds
        plays = referee.play(self.puzzles, self.numbers, gives_up=self.is_first)
        spent = referee.calls - calls, referee.seconds - seconds
        return Played(plays, *spent, referee.unsure, is_hopeless=referee.is_hopeless)

    @property
    def is_first(self) -> bool:
        """Whether it is the first of its run, which is played before the others."""
        return self.number == 0

    def failed(self, outcome: Outcome, message: str, *, unsure: bool = False, is_hopeless: bool = False) -> "Played":
        """Return the result if no puzzle of it was played."""
        puzzles = self.puzzles
        plays = [Play(puzzles.words(i), (), (), outcome, None, message) for i in range(len(puzzles))]
        return Played(plays, 0, 0.0, len(plays) if unsure else 0, is_hopeless)

    def _referee(self) -> Referee:
        """Return a referee. Chunks of the same strategy share it in this process, and with it the known decisions."""
        game = self.puzzles.game
        key = (game, self.identity, self.chance, self.deadline, self.session, threading.get_ident())
        if key not in _referees:
            scores_of.cache_clear()  # the code that computes scores may have been edited in a notebook
            _referees[key] = Referee(game, self.strategy, self.chance.key, self.deadline, own_file())
        _referees.move_to_end(key)
        if len(_referees) > REFEREES_KEPT:
            _referees.popitem(last=False)
        return _referees[key]


_referees: OrderedDict[tuple[object, ...], Referee] = OrderedDict()
"""The referees that this process used most recently."""


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


def chunks_of(planned: PlannedRun, run: int, secret: str | None, finished: set[int], session: str) -> Iterator[Chunk]:
    """Yield the chunks that are not in `finished`. `run` and `secret` are the run's number and secret in the store."""
    tournament, entrant = planned.tournament, planned.entrant
    puzzles, chance = tournament.puzzles, Chance(tournament.chance.seed, secret)
    size, everything = _size(entrant.strategy, puzzles), range(len(puzzles))
    for number, first in enumerate(everything[::size]):
        if number not in finished:
            numbers = everything[first : first + size]
            of_chunk = entrant.strategy, entrant.identity, puzzles.chosen(numbers), numbers
            yield Chunk(run, number, *of_chunk, chance, tournament.deadline, session)


def _size(strategy: Strategy, puzzles: Puzzles) -> int:
    """Return the number of puzzles that are played at a time.

    A program that is not random plays all of them at once, as a tree. If it played several chunks, it would be asked in
    one position several times, and each time learn something about which answers are in the same chunk.
    """
    usual = whole(f"{strategy.name}: chunk", strategy.chunk, 1)
    as_tree = strategy.is_program and not strategy.stochastic and len(puzzles) <= TREE
    return max(usual, len(puzzles)) if as_tree else usual
