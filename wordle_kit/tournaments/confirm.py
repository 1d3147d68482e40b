"""Plays some puzzles again in a new process, to find strategies whose guesses depend on more than the position."""

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from wordle_kit.tournaments.outcome import UNREPEATED, Outcome, Play

PUZZLES, PUZZLES_BY_CHANCE = 16, 4
"""The number of puzzles of a chunk that are played again; a random strategy needs a process for each."""

TRIES = 2
"""How many times a puzzle is played again before a missing guess counts, since a busy machine can cause one."""

AGAIN = "played again in a new process, it "
"""The beginning of the message of a play that differs when it is played again."""

INCONSISTENT = "inconsistent"
"""The word for such plays and for their strategies."""


def confirm(
    plays: Sequence[Play], again: Callable[[Sequence[int]], Sequence[Play]], stochastic: bool, key: str
) -> list[Play]:
    """Return the plays of a chunk as they were played, with a message in those that differ when played again.

    There is another message in those that made the same guesses until time ran out: they prove nothing.

    `again` plays the puzzles with the given indices in a new process. `key`, a secret, determines which ones. They are
    played like any others. A strategy that remembers its guesses can repeat them, and is not found.
    """
    whole = [i for i, play in enumerate(plays) if not play.outcome.is_fault]
    some = random.Random(key).sample(whole, min(len(whole), PUZZLES_BY_CHANCE if stochastic else PUZZLES))
    different: dict[int, Play] = {}
    for _ in range(TRIES):
        others = zip(some, again(some) if some else [], strict=True)
        different = {i: other for i, other in others if plays[i].guesses != other.guesses}
        if not all(other.outcome.is_fault for other in different.values()):
            break
        some = list(different)
    messages = {
        i: AGAIN + _difference(plays[i], other) if _differs(plays[i], other) else UNREPEATED + other.message
        for i, other in different.items()
    }
    return [replace(play, message=messages[i]) if i in messages else play for i, play in enumerate(plays)]


def is_unrepeated(play: Play) -> bool:
    """Return whether there was not enough time to play it again, so that nobody knows whether it would differ."""
    return not play.outcome.is_fault and play.message.startswith(UNREPEATED)


def is_inconsistent(play: Play) -> bool:
    """Return whether a play differed when it was played again. It counts as it was played first."""
    return not play.outcome.is_fault and play.message.startswith(AGAIN)


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
