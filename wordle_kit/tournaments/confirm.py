"""Plays some puzzles again in a new process, which remembers nothing, to find strategies that carry over memory."""

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from wordle_kit.tournaments.outcome import Outcome, Play

PUZZLES, PUZZLES_BY_CHANCE = 16, 4
"""The number of puzzles of a chunk that are played again; a random strategy needs a process for each."""

TRIES = 2
"""How many times a puzzle is played again before a difference counts, since a busy machine can cause one."""

FAULTS = (Outcome.ILLEGAL, Outcome.CRASHED, Outcome.TIMED_OUT)


def confirm(
    plays: Sequence[Play], again: Callable[[Sequence[int]], Sequence[Play]], stochastic: bool, key: str
) -> list[Play]:
    """Return the plays of a chunk unchanged, or as inconsistent if some of them differ when played again.

    `again` plays the puzzles with the given indices in a new process. `key`, a secret, determines which ones. They are
    played like any others, so that the strategy cannot tell that it is asked again.
    """
    whole = [i for i, play in enumerate(plays) if play.outcome not in FAULTS]
    some = random.Random(key).sample(whole, min(len(whole), PUZZLES_BY_CHANCE if stochastic else PUZZLES))
    different: list[tuple[bool, str, str]] = []
    for _ in range(TRIES):
        pairs = [(i, plays[i], other) for i, other in zip(some, again(some) if some else [], strict=True)]
        found = [(i, play, other) for i, play, other in pairs if play.guesses != other.guesses]
        if not found:
            return list(plays)
        different = [
            (other.outcome in FAULTS, ", ".join(play.puzzle), _difference(play, other)) for _, play, other in found
        ]
        if not all(failed for failed, *_ in different):
            break
        some = [i for i, *_ in found]
    _, words, what = min(different)
    message = f"played again in a new process, {words}: it {what}; a guess must follow from the position alone"
    return [
        play if play.outcome in FAULTS else replace(play, outcome=Outcome.INCONSISTENT, turns=None, message=message)
        for play in plays
    ]


def _difference(play: Play, other: Play) -> str:
    """Return what a strategy did differently when it played a puzzle again."""
    pairs = enumerate(itertools.zip_longest(play.guesses, other.guesses), start=1)
    turn, guess, instead = next((turn, *pair) for turn, pair in pairs if pair[0] != pair[1])
    if instead is None:
        return f"gave no guess {turn} ({other.outcome}: {other.message}), after guessing {guess!r} before"
    return f"guessed {instead!r} after guessing {guess!r} before, at guess {turn}"
