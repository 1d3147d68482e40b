"""Supervision: the policy for strategies that may remember what they should not know.

Each begins in a new process, and is asked once in each position. Some puzzles are played again, to find guesses that
depend on more than the position. Guesses that were late while others were running are asked for again alone.
"""

import itertools
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wordle_kit.deadline import Budget
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chunks import Chunk, Played, Policy, kept_referee, new_referee, played_by
from wordle_kit.tournaments.player import player_of
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import TimedReferee
from wordle_kit.tournaments.runs import REPEATED, Outcome, Play, Skipped

TREE = 5000
"""The most puzzles that an untrusted deterministic strategy plays as one tree, asked once in each position."""

UNREPEATED = "could not be played again: "
"""The beginning of a play's message if there was not enough time to play it again."""

MOST_LATE = 2
"""How many guesses may be late when a strategy is asked alone, before its first guesses count."""

CUT_SHORT = "there was no time left to play it again alone"

REPEATED_PUZZLES, REPEATED_BY_CHANCE = 16, 4
"""The number of puzzles of a chunk that are played again; a random strategy needs a process for each."""

TRIES = 2
"""How many times a puzzle is played again before a missing guess counts, since a busy machine can cause one."""


@dataclass(frozen=True)
class Supervision(Policy):
    """Plays a trusted strategy like the plain policy, and an untrusted one so that memory gains it nothing."""

    seconds: float = math.inf
    """The time for each puzzle, on average over a chunk."""
    spent: str = ""
    """What is said of plays for which there was no time left."""
    one_process: bool = False
    """Whether a random strategy plays a chunk in one process, since memory of these puzzles tells it nothing."""
    repeats: bool = True
    """Whether an untrusted strategy plays some puzzles of a chunk again."""
    most_late: float = math.inf
    """How many of its decisions may be late. Then it is not asked any more."""
    most_in_a_row: float = math.inf
    """How many of its decisions may be late one after another. Then it is not asked any more."""
    before: Sequence[Play] = ()
    """Earlier plays of the chunk. Their guesses count, and are not asked for again."""

    def chunk_size(self, strategy: Strategy, puzzles: Puzzles) -> int:
        """Return the number of puzzles that are played at a time, in one process if the strategy is untrusted.

        Chunks share nothing. An untrusted deterministic strategy that played several would be asked in one position
        several times. Each time, it would learn something about which answers are in the same chunk.
        """
        as_tree = player_of(strategy).is_untrusted and not strategy.stochastic and len(puzzles) <= TREE
        return max(strategy.chunk, len(puzzles)) if as_tree else strategy.chunk

    def play(self, chunk: Chunk) -> Played:
        """Play a chunk, with some puzzles again if the strategy is untrusted. The time is that of the processor."""
        began = time.monotonic()
        budget = Budget(self.seconds * len(chunk.puzzles), self.spent)
        referee = self._referee(chunk, budget)
        referee.recall(self.before, chunk.numbers)
        before = referee.player.processor_seconds()
        played = played_by(referee, chunk)
        after = referee.player.processor_seconds()
        if before is not None and after is not None:  # others that keep the machine busy take none of this time
            played = replace(played, seconds=max(0.0, after - before))
        if self.repeats and chunk.player.is_untrusted:

            def again(some: Sequence[int]) -> list[Play]:
                numbers = [chunk.numbers[i] for i in some]
                return self._referee(chunk, budget).play(chunk.puzzles.some(some), numbers)

            key = f"{chunk.chance.key}|{chunk.number}"
            played = replace(played, plays=confirm(played.plays, again, chunk.strategy.stochastic, key))
        return replace(played, lasted=time.monotonic() - began)

    def _referee(self, chunk: Chunk, budget: Budget) -> TimedReferee:
        """Return the referee of a chunk. Untrusted code may remember anything, so it gets a new referee and process."""
        if chunk.player.is_untrusted:
            chunk.player.end_process(for_good=True)
            referee = new_referee(chunk, TimedReferee)
            referee.begins_afresh = not self.one_process
        else:
            referee = kept_referee(chunk, TimedReferee)
        referee.budget, referee.most_late, referee.most_in_a_row = budget, self.most_late, self.most_in_a_row
        return referee

    def is_delayed(self, played: Played) -> bool:
        """Return whether a decision timed out, perhaps because others kept the machine busy."""
        return any(play.outcome is Outcome.TIMED_OUT for play in played.plays)

    def settle(self, chunk: Chunk, delayed: Played, seconds: float, play_alone: Callable[[Chunk], Played]) -> Played:
        """Ask a strategy alone for the guesses that timed out while others were running, and return the result.

        The guesses that it gave in time count, so being late on purpose gains nothing. The second result counts if it
        is complete.

        This ends at the second guess that is late again, so that strategies that always time out delay a tournament
        only a little. It takes at most `seconds`, the time for all such chunks, and what remains of the chunk's budget.
        Only processor time was taken from the budget, since others may have kept the strategy waiting.
        """
        size = len(chunk.puzzles)
        seconds = min(seconds, self.seconds * size - delayed.seconds)
        if seconds <= 0:
            return delayed
        policy = replace(self, seconds=seconds / size, spent=CUT_SHORT, before=delayed.plays, most_late=MOST_LATE)
        alone = play_alone(replace(chunk, policy=policy))
        if any(map(is_unplayed, alone.plays)):
            return delayed
        return replace(alone, calls=delayed.calls + alone.calls, seconds=delayed.seconds + alone.seconds)


def is_unplayed(play: Play) -> bool:
    """Return whether a play did not reach its end because the time budget was spent."""
    return play.skipped is Skipped.NO_TIME


def is_unrepeated(play: Play) -> bool:
    """Return whether there was too little time to play a puzzle again, to see if the guesses would be the same."""
    return not play.outcome.is_fault and play.message.startswith(UNREPEATED)


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
    return [compared(play, different[i]) if i in different else play for i, play in enumerate(plays)]


def compared(play: Play, other: Play) -> Play:
    """Return a play. If the guesses in another play of the puzzle were others, a message says so."""
    if play.guesses == other.guesses:
        return play
    differs = _differs(play, other)
    return replace(play, message=REPEATED + _difference(play, other) if differs else UNREPEATED + other.message)


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
