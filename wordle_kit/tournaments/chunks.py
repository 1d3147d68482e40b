"""Chunks: the puzzles that one strategy plays in a worker at a time, and the policy by which it plays them."""

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
from wordle_kit.tournaments.outcome import Play
from wordle_kit.tournaments.player import PREPARED, Player, player_of
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
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
    """The number of each of these puzzles in the run, from 0."""
    chance: Chance
    deadline: float
    session: str
    """The call of `play_tournaments` that made the chunk. Decisions of a strategy in an earlier call are not reused."""
    policy: "Policy"

    @property
    def player(self) -> Player:
        """What decides for the strategy."""
        return player_of(self.strategy)


@dataclass(frozen=True)
class Played:
    """The result of a chunk: its plays, how often the strategy was asked, and how many seconds it thought.

    The seconds of an isolated strategy are those of the processor.
    """

    plays: Sequence[Play]
    calls: int
    seconds: float
    unsure: int
    """The number of plays whose `Failure.is_unsure`."""
    lasted: float = 0.0
    """The seconds that the whole chunk took, if its policy measures them."""


class Policy:
    """How the chunks of a run are played, and what is played again. This one trusts the strategy.

    Others are for code that may remember what it should not know, or that shares the machine with such code. Workers
    get the policy with each chunk.
    """

    def chunk_size(self, strategy: Strategy, puzzles: Puzzles) -> int:
        """Return the number of puzzles that are played at a time."""
        return whole(f"{strategy.name}: chunk", strategy.chunk, 1)

    def is_stale(self, play: Play) -> bool:
        """Return whether a stored play no longer counts, so that its chunk is played again."""
        return False

    def play(self, chunk: Chunk) -> Played:
        """Play a chunk and return its result. Runs in a worker."""
        return played_by(kept_referee(chunk, Referee), chunk)

    def after_death(self, chunk: Chunk) -> Chunk:
        """Return what is played instead of a chunk whose worker died."""
        return chunk

    def is_delayed(self, played: Played) -> bool:
        """Return whether others that kept the machine busy may have changed a result."""
        return False

    def settle(self, chunk: Chunk, delayed: Played, seconds: float, play_alone: Callable[[Chunk], Played]) -> Played:
        """Return the result of a delayed chunk, with this many seconds to play it again alone."""
        return delayed


def play_chunk(chunk: Chunk) -> Played:
    """Play a chunk by its policy and return the result. Runs in a worker."""
    return chunk.policy.play(chunk)


def played_by(referee: Referee, chunk: Chunk) -> Played:
    """Return the result of a chunk that a referee plays."""
    calls, seconds = referee.calls, referee.seconds
    plays = referee.play(chunk.puzzles, chunk.numbers)
    return Played(plays, referee.calls - calls, referee.seconds - seconds, referee.unsure)


def new_referee(chunk: Chunk, kind: type[AnyReferee]) -> AnyReferee:
    """Return a referee of a kind for a chunk. It knows no decisions."""
    SCORES.clear()  # a notebook may have edited the code that computes scores
    return kind(chunk.puzzles.game, chunk.strategy, chunk.chance.key, chunk.deadline, own_file())


def kept_referee(chunk: Chunk, kind: type[AnyReferee]) -> AnyReferee:
    """Return the referee of a kind with which the chunks of a strategy share its decisions in this process."""
    about = (chunk.puzzles.game, chunk.identity, chunk.chance, chunk.deadline, chunk.session)
    key = (kind, *about, threading.get_ident())
    if key not in _referees:
        if not any(chunk.session in known for known in _referees):
            PREPARED.clear()  # a notebook may have edited the code that prepares
        _referees[key] = new_referee(chunk, kind)
    _referees.move_to_end(key)
    if len(_referees) > REFEREES_KEPT:
        _referees.popitem(last=False)
    found: AnyReferee = _referees[key]
    return found


_referees: OrderedDict[tuple[object, ...], Any] = OrderedDict()
"""The referees that this process used last."""


def play_chunk_elsewhere(identities: Mapping[int, str], chunk: Chunk) -> Played:
    """Play a chunk on another machine; `identities` has the portable identity of each run's strategy.

    Raises WordleKitError if the strategy is not the same there.
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
"""The identities of strategies from another machine that are the same in this process."""
