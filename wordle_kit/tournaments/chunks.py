"""Chunks: the puzzles that one strategy plays in a worker at a time."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wordle_kit.errors import WordleKitError
from wordle_kit.strategy.partition import SCORES
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chance import Chance
from wordle_kit.tournaments.entrants import portable_identity
from wordle_kit.tournaments.player import PREPARED
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Play
from wordle_kit.workers import own_file

REFEREES_KEPT = 4


@dataclass(frozen=True)
class Chunk:
    """A chunk of puzzles for one strategy to play."""

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


@dataclass(frozen=True)
class Played:
    """The result of a chunk: its plays, the number of times the strategy was asked, and the seconds it thought."""

    plays: Sequence[Play]
    calls: int
    seconds: float
    unsure: int
    """The number of plays that ended in a failure whose `is_unsure` is true."""


def play_chunk(chunk: Chunk) -> Played:
    """Play a chunk and return its result. It runs in a worker."""
    referee = kept_referee(chunk)
    calls, seconds = referee.calls, referee.seconds
    plays = referee.play(chunk.puzzles, chunk.numbers)
    return Played(plays, referee.calls - calls, referee.seconds - seconds, referee.unsure)


def kept_referee(chunk: Chunk) -> Referee:
    """Return a referee for a chunk. Chunks of the same strategy share it in this process, and its decisions."""
    key = (chunk.puzzles.game, chunk.identity, chunk.chance, chunk.deadline, chunk.session, threading.get_ident())
    if key not in _referees:
        if not any(chunk.session in known for known in _referees):
            PREPARED.clear()  # the code that prepares may have been edited in a notebook
        SCORES.clear()  # the code that computes scores may have been edited in a notebook
        _referees[key] = Referee(chunk.puzzles.game, chunk.strategy, chunk.chance.key, chunk.deadline, own_file())
    _referees.move_to_end(key)
    if len(_referees) > REFEREES_KEPT:
        _referees.popitem(last=False)
    return _referees[key]


_referees: OrderedDict[tuple[object, ...], Referee] = OrderedDict()
"""The referees that this process used most recently."""


def play_chunk_elsewhere(identities: Mapping[int, str], chunk: Chunk) -> Played:
    """Play a chunk on another machine. `identities` has the portable identity of each run's strategy.

    Raises WordleKitError if the strategy on that machine is not the same.
    """
    if chunk.identity not in _same_here:
        if portable_identity(chunk.strategy) != identities[chunk.run]:
            raise WordleKitError(
                f"{chunk.strategy.name} is not the same there: its code, a module that it imports or a file among its "
                "parameters differs"
            )
        _same_here.add(chunk.identity)
    return play_chunk(chunk)


_same_here: set[str] = set()
"""The identities of strategies sent from another machine that have been found to be the same here."""
