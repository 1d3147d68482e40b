"""Chunks: the puzzles that one strategy plays in a worker at a time, and their results.

Some puzzles of untrusted strategies are played again, to find guesses that depend on more than the position.
"""

import itertools
import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wordle_kit.deadline import Allotment, Budget
from wordle_kit.errors import WordleKitError
from wordle_kit.strategy.partition import SCORES
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chance import Chance, new_secret
from wordle_kit.tournaments.entrants import portable_identity
from wordle_kit.tournaments.outcome import REPEATED, UNREPEATED, Outcome, Play
from wordle_kit.tournaments.player import PREPARED, Player, player_of
from wordle_kit.tournaments.puzzles import Puzzles, draws
from wordle_kit.tournaments.referee import Referee
from wordle_kit.workers import own_file

REFEREES_KEPT = 4

REPEATED_PUZZLES, REPEATED_BY_CHANCE = 16, 4
"""The number of puzzles of a chunk that are played again; a random strategy needs a process for each."""

TRIES = 2
"""How many times a puzzle is played again before a missing guess counts, since a busy machine can cause one."""


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
        """Return the chunk to play if its worker died. Draws for one run are replaced by new ones with a new secret."""
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
    """The number of plays whose `Failure.is_unsure`."""
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
        if not any(chunk.tournament in known for known in _referees):
            PREPARED.clear()  # or the code that prepares
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


def confirm(
    plays: Sequence[Play], again: Callable[[Sequence[int]], Sequence[Play]], stochastic: bool, key: str
) -> list[Play]:
    """Return the plays of a chunk, some with a message that says what happened when they were played again.

    One message means that the guesses differed. Another means that they were the same until time ran out, which proves
    nothing.

    `again` plays the puzzles with the given indices in a new process, like any others. `key`, a secret, determines
    which ones. A strategy that remembers its guesses can repeat them, and is not found.
    """
    whole = [i for i, play in enumerate(plays) if not play.outcome.is_fault]
    some = random.Random(key).sample(whole, min(len(whole), REPEATED_BY_CHANCE if stochastic else REPEATED_PUZZLES))
    different: dict[int, Play] = {}
    for _ in range(TRIES):
        others = zip(some, again(some) if some else [], strict=True)
        different = {i: other for i, other in others if plays[i].guesses != other.guesses}
        if not all(other.outcome.is_fault for other in different.values()):
            break
        some = list(different)
    messages = {
        i: REPEATED + _difference(plays[i], other) if _differs(plays[i], other) else UNREPEATED + other.message
        for i, other in different.items()
    }
    return [replace(play, message=messages[i]) if i in messages else play for i, play in enumerate(plays)]


def _differs(play: Play, other: Play) -> bool:
    """Return whether the second play differs. If time ran out in it, only the guesses before that count."""
    made = len(other.guesses) if other.outcome is Outcome.TIMED_OUT else None
    return play.guesses[:made] != other.guesses


def _difference(play: Play, other: Play) -> str:
    """Return what a strategy did differently when it played a puzzle again."""
    pairs = enumerate(itertools.zip_longest(play.guesses, other.guesses), start=1)
    turn, guess, instead = next((turn, *pair) for turn, pair in pairs if pair[0] != pair[1])
    if instead is None:
        return f"gave no guess {turn} ({other.outcome}: {other.message}), after guessing {guess!r} before"
    return f"guessed {instead!r} after guessing {guess!r} before, at guess {turn}"
