"""Comparisons: two strategies on identical puzzles."""

import math
import statistics
from collections import Counter
from dataclasses import dataclass
from typing import Any

from wordle_kit.errors import WordleKitError
from wordle_kit.leaderboard.metrics import counted
from wordle_kit.tournaments.store import StoredRun

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Comparison:
    """How the first strategy did against the second, puzzle by puzzle."""

    first: str
    second: str
    puzzles: int
    wins: int
    """Puzzles on which the first took fewer guesses."""
    ties: int
    losses: int
    mean_difference: float
    """The first's guesses minus the second's, on average over the puzzles: below zero the first is better."""
    interval: tuple[float, float] | None
    """A 95 % confidence interval of that mean where the puzzles are a sample; None where they are all there are."""
    differences: dict[str, int]
    """How many puzzles had which difference."""

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it."""
        return dict(vars(self))


def compare(first: StoredRun, second: StoredRun) -> Comparison:
    """Return the comparison of two runs. Raises WordleKitError unless they played the same puzzles of the same game."""
    here, there = first.facts, second.facts
    if (here.fingerprint, here.puzzles_fingerprint) != (there.fingerprint, there.puzzles_fingerprint):
        raise WordleKitError(f"{here.strategy} and {there.strategy} have not played the same puzzles of the same game")
    differences = [counted(a, here.cap) - counted(b, there.cap) for a, b in zip(first.plays, second.plays, strict=True)]
    mean = statistics.fmean(differences)
    counts = Counter(differences)
    return Comparison(
        first=here.strategy,
        second=there.strategy,
        puzzles=len(differences),
        wins=sum(d < 0 for d in differences),
        ties=counts[0],
        losses=sum(d > 0 for d in differences),
        mean_difference=mean,
        interval=_interval(differences, mean) if here.is_sample else None,
        differences={f"{d:+d}" if d else "0": counts[d] for d in sorted(counts)},
    )


def _interval(differences: list[int], mean: float) -> tuple[float, float] | None:
    """Return the normal approximation's interval; None for a single puzzle, which says nothing about others."""
    if len(differences) < 2:
        return None
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    half = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    return mean - half, mean + half
