"""Chunks: the puzzles that one strategy plays in a worker at a time, and the policy that says how they are played."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from wordle_kit.arguments import whole
from wordle_kit.errors import WordleKitError
from wordle_kit.strategy.partition import SCORES
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chance import Chance
from wordle_kit.tournaments.entrants import portable_identity
from wordle_kit.tournaments.player import PREPARED, Player, player_of
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Play
from wordle_kit.workers import own_file

REFEREES_KEPT = 4

AnyReferee = TypeVar("AnyReferee", bound=Referee)


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
    policy: "Policy"

    @property
    def player(self) -> Player:
        """The player that makes the strategy's decisions."""
        return player_of(self.strategy)


@dataclass(frozen=True)
class Played:
    """The result of a chunk: its plays, the number of times the strategy was asked, and the seconds it thought.

    For an isolated strategy, the seconds are processor time.
    """

    plays: Sequence[Play]
    calls: int
    seconds: float
    unsure: int
    """The number of plays that ended in a failure whose `is_unsure` is true."""
    lasted: float = 0.0
    """The seconds that the whole chunk took, if the policy measures them."""


class Policy:
    """How the chunks of a run are played, and which of them are played again. This policy trusts the strategy.

    Subclasses are for code that may remember what it should not know, and for code that shares the machine with such
    code. Workers get the policy with each chunk.
    """

    def chunk_size(self, strategy: Strategy, puzzles: Puzzles) -> int:
        """Return the number of puzzles that are played at a time."""
        return whole(f"{strategy.name}: chunk", strategy.chunk, 1)

    def is_stale(self, play: Play) -> bool:
        """Return whether a stored play no longer counts. If so, its chunk is played again."""
        return False

    def play(self, chunk: Chunk) -> Played:
        """Play a chunk and return its result. It runs in a worker."""
        return played_by(kept_referee(chunk, Referee), chunk)

    def after_death(self, chunk: Chunk) -> Chunk:
        """Return the chunk to play instead of one whose worker died."""
        return chunk

    def is_delayed(self, played: Played) -> bool:
        """Return whether a result may be different because other strategies kept the machine busy."""
        return False

    def settle(self, chunk: Chunk, delayed: Played, seconds: float, play_alone: Callable[[Chunk], Played]) -> Played:
        """Return the final result of a delayed chunk. There are so many seconds to play it again alone."""
        return delayed


def play_chunk(chunk: Chunk) -> Played:
    """Play a chunk by its policy and return the result."""
    return chunk.policy.play(chunk)


def played_by(referee: Referee, chunk: Chunk) -> Played:
    """Return the result of a chunk, played by this referee."""
    calls, seconds = referee.calls, referee.seconds
    plays = referee.play(chunk.puzzles, chunk.numbers)
    return Played(plays, referee.calls - calls, referee.seconds - seconds, referee.unsure)


def new_referee(chunk: Chunk, kind: type[AnyReferee]) -> AnyReferee:
    """Return a referee of this class for a chunk. It has no decisions yet."""
    SCORES.clear()  # the code that computes scores may have been edited in a notebook
    return kind(chunk.puzzles.game, chunk.strategy, chunk.chance.key, chunk.deadline, own_file())


def kept_referee(chunk: Chunk, kind: type[AnyReferee]) -> AnyReferee:
    """Return a referee of this class for a chunk.

    Chunks of the same strategy share it in this process, and its decisions.
    """
    about = (chunk.puzzles.game, chunk.identity, chunk.chance, chunk.deadline, chunk.session)
    key = (kind, *about, threading.get_ident())
    if key not in _referees:
        if not any(chunk.session in known for known in _referees):
            PREPARED.clear()  # the code that prepares may have been edited in a notebook
        _referees[key] = new_referee(chunk, kind)
    _referees.move_to_end(key)
    if len(_referees) > REFEREES_KEPT:
        _referees.popitem(last=False)
    found: AnyReferee = _referees[key]
    return found


_referees: OrderedDict[tuple[object, ...], Any] = OrderedDict()
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
