"""Chunks: the puzzles that one strategy plays in a worker at a time, and their results."""

import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wordle_kit.deadline import Allotment, Budget
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.strategy.partition import SCORES
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.chance import Chance, new_secret
from wordle_kit.tournaments.confirm import confirm
from wordle_kit.tournaments.identity import portable_identity
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.player import Player, player_of
from wordle_kit.tournaments.puzzle_sources import draws
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.workers import can_fork, own_file, pickled_by_value

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
    """The number of each of these puzzles in the run, from 0."""
    chance: Chance
    deadline: float
    tournament: str
    """The call of `play_tournament` that made the chunk. Decisions of a strategy in an earlier call are not reused."""
    budget: Allotment | None = None
    before: Sequence[Play] = ()
    """The plays of these puzzles that were made before. Their guesses count, and are not asked for again."""

    @property
    def player(self) -> Player:
        """What decides for the strategy."""
        return player_of(self.strategy)

    def anew(self) -> "Chunk":
        """Return the chunk as it is played if its worker died: draws for one run are drawn anew, and the secret."""
        if not self.puzzles.for_one:
            return self
        return replace(self, puzzles=draws(self.puzzles.game, len(self.puzzles)), chance=Chance(secret=new_secret()))


@dataclass(frozen=True)
class Played:
    """The result of a chunk: its plays, how often the strategy was asked, and how many seconds it thought.

    The seconds of an isolated strategy are those of the processor.
    """

    plays: Sequence[Play]
    calls: int
    seconds: float
    unsure: int
    """The number of plays that ended as they did because of the machine: time, memory, or a process that ended."""
    lasted: float = 0.0
    """The seconds that the whole chunk took, including the time to start processes and to play puzzles again."""


def play_chunk(chunk: Chunk) -> Played:
    """Play a chunk and return its result. Runs in a worker."""
    began = time.monotonic()
    watchdog = own_file()
    referee = _referee(chunk, watchdog)
    referee.budget = chunk.budget.started() if chunk.budget is not None else Budget()
    referee.recall(chunk.before, chunk.numbers)
    calls, seconds, before = referee.calls, referee.seconds, referee.player.processor_seconds()
    plays = referee.play(chunk.puzzles, chunk.numbers)
    calls, seconds, unsure = referee.calls - calls, referee.seconds - seconds, referee.unsure
    after = referee.player.processor_seconds()
    if before is not None and after is not None:  # others that keep the machine busy take none of this time
        seconds = max(0.0, after - before)
    if chunk.player.is_untrusted:

        def again(some: Sequence[int]) -> list[Play]:
            other = _referee(chunk, watchdog)
            other.budget = referee.budget
            return other.play(chunk.puzzles.some(some), [chunk.numbers[i] for i in some])

        plays = confirm(plays, again, chunk.strategy.stochastic, f"{chunk.chance.key}|{chunk.number}")
    return Played(plays, calls, seconds, unsure, time.monotonic() - began)


def run_of(chunk: Chunk) -> int:
    """Return the run of a chunk. The chunks of a run share decisions, so one worker plays as many as possible."""
    return chunk.run


_referees: OrderedDict[tuple[object, ...], Referee] = OrderedDict()
"""The referees that this process used last, with which the chunks of a strategy share its decisions."""


def _referee(chunk: Chunk, watchdog: Path | None) -> Referee:
    key = (chunk.puzzles.game, chunk.identity, chunk.chance, chunk.deadline, chunk.tournament, threading.get_ident())
    if chunk.player.is_untrusted:
        # Untrusted code may remember anything. A new process forgets what was in its own memory.
        chunk.player.end_process(for_good=True)
        _referees.pop(key, None)
    if key not in _referees:
        SCORES.clear()  # a notebook may have edited the code that computes scores
        _referees[key] = Referee(chunk.puzzles.game, chunk.strategy, chunk.chance.key, chunk.deadline, watchdog)
    _referees.move_to_end(key)
    if len(_referees) > REFEREES_KEPT:
        _referees.popitem(last=False)
    return _referees[key]


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


def unplayed(chunk: Chunk, outcome: Outcome, message: str, *, unsure: bool) -> Played:
    """Return the result of a chunk in which no puzzle was played."""
    puzzles = chunk.puzzles
    plays = [Play(puzzles.words(i), (), (), outcome, None, message) for i in range(len(puzzles))]
    return Played(plays, 0, 0.0, len(plays) if unsure else 0)


def pickling_problem(strategy: Strategy) -> str | None:
    """Return why a strategy cannot be sent to a worker, or None if it can."""
    try:
        pickle.loads(pickle.dumps(strategy))  # noqa: S301 - its own bytes
    except Exception as error:
        return f"cannot be sent to a worker process: {raised(error)}"
    return None


def can_be_sent(strategy: Strategy, game: Game) -> bool:
    """Return whether a worker that this process starts can get a strategy: it is forked, or the code can be pickled.

    What is typed into a notebook may refer to something that cannot, such as an open connection.
    """
    if can_fork():
        return True
    try:
        pickled_by_value((strategy, game))
    except Exception:
        return False
    return True
