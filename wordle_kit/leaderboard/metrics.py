"""Metrics: the figures of one strategy's plays, which are a row of a leaderboard."""

import math
import statistics
from collections import Counter
from dataclasses import dataclass
from typing import Any

from wordle_kit.leaderboard.intervals import Interval, interval_of_mean
from wordle_kit.leaderboard.perfect import perfect_total
from wordle_kit.leaderboard.positions import Positions
from wordle_kit.leaderboard.weighted import Weighted
from wordle_kit.tournaments.confirm import FAULTS, INCONSISTENT, is_inconsistent
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.runs import StoredRun

EXCELLENT = 2
"""Liu (2022), II.B, calls a puzzle played excellently if it was solved with at most this many guesses."""

WEIGHTED = ("weighted_mean", "weighted_std", "weighted_failure")
"""The figures of a row in which each puzzle counts with its weight."""

PAIRS = 4
SLOWEST = 10


@dataclass(frozen=True)
class Row:
    """One strategy's figures, over all puzzles. An unsolved puzzle counts with one guess more than the cap."""

    strategy: str
    version: str
    plugin: str
    games: int
    solved: int
    """Puzzles solved within the guesses that the game allows."""
    failed: int
    """All other puzzles."""
    total_guesses: int
    mean: float
    interval: Interval | None
    """The 95% confidence interval of the mean; None unless the puzzles are a random sample that it could play."""
    std: float
    """The standard deviation of the guesses over these puzzles (divided by n, not n - 1)."""
    min: int
    median: float
    max: int
    over_perfect: int | None
    """The total of guesses minus that of perfect play; None unless that is known and all answers were played."""
    boards: list[float]
    """The mean guesses to solve the first board (whichever it is), the second, and so on to the last."""
    excellent: float
    """The share of puzzles solved with at most two guesses that the game allows, from 0 to 1."""
    failure: float
    """The share of puzzles not solved within the guesses that the game allows, from 0 to 1."""
    distribution: dict[str, int]
    """The number of puzzles for each number of guesses, and under `unsolved` those that were never solved."""
    opener: str | None
    """The most frequent first guess."""
    opener_share: float
    """The share of puzzles that began with it, from 0 to 1."""
    openers: dict[str, float]
    """The four most frequent pairs of first guesses, with their share of the puzzles."""
    slowest: list[str]
    """Up to ten hidden words that took the most guesses."""
    decisions: int
    """The number of different positions decided; a stochastic strategy decides each of its guesses separately."""
    ms_per_decision: float
    """Milliseconds per decision on the machine that played."""
    outcomes: dict[str, int]
    """The number of plays for each outcome, except solved ones, and of those that are `inconsistent`."""
    problem: str
    """The message of the first play that ended because of an error of the strategy, or else is inconsistent."""
    weighted_mean: float | None
    """The mean in which each puzzle counts with its weight; None, like the next two, if all count the same."""
    weighted_std: float | None
    """The standard deviation of the guesses in which each puzzle counts with its weight."""
    weighted_failure: float | None
    """The share of the puzzles' weight that was not solved within the guesses that the game allows, from 0 to 1."""

    def as_dict(self) -> dict[str, Any]:
        """Return the row as a value for JSON; it has weighted figures only if puzzles have weights."""
        return {name: value for name, value in vars(self).items() if name not in WEIGHTED or value is not None}


def row_of(run: StoredRun) -> Row:
    """Return the row of a run, which must have at least one play."""
    facts, plays = run.facts, run.plays
    guesses = [counted(play, facts.cap) for play in plays]
    perfect = perfect_total(facts.fingerprint)
    in_order = [turns_in_order(play, facts.cap) for play in plays]
    solved = sum(play.outcome is Outcome.SOLVED for play in plays)
    total = sum(guesses)
    openers = Counter(play.guesses[0] for play in plays if play.guesses)
    outcomes = Counter(play.outcome.value for play in plays if play.outcome is not Outcome.SOLVED)
    outcomes.update(INCONSISTENT for play in plays if is_inconsistent(play))
    faults = [play for play in plays if play.outcome in FAULTS] or list(filter(is_inconsistent, plays))
    opener = min(openers, key=lambda word: (-openers[word], word)) if openers else None
    pairs = Counter(" ".join(play.guesses[:2]) for play in plays if len(play.guesses) > 1)
    frequent = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:PAIRS]
    most = max(guesses)
    weighted = None if facts.weights is None else Weighted(facts.weights)
    return Row(
        strategy=facts.strategy,
        version=facts.version,
        plugin=facts.plugin,
        games=len(plays),
        solved=solved,
        failed=len(plays) - solved,
        total_guesses=total,
        mean=total / len(plays),
        interval=interval_of_mean(guesses, facts.population) if facts.is_sample and works(run) else None,
        std=math.sqrt(max(0.0, sum(g * g for g in guesses) / len(plays) - (total / len(plays)) ** 2)),
        min=min(guesses),
        median=statistics.median(guesses),
        max=most,
        over_perfect=total - perfect if facts.is_all and perfect is not None else None,
        boards=[sum(turns) / len(plays) for turns in zip(*in_order, strict=True)],
        excellent=sum(taken <= min(EXCELLENT, facts.max_guesses) for taken in guesses) / len(plays),
        failure=1 - solved / len(plays),
        distribution=_distribution(plays),
        opener=opener,
        opener_share=openers[opener] / len(plays) if opener else 0.0,
        openers={pair: pairs[pair] / len(plays) for pair in frequent},
        slowest=[", ".join(play.puzzle) for play in plays if counted(play, facts.cap) == most][:SLOWEST],
        decisions=_decisions(run),
        ms_per_decision=1000 * run.seconds / run.calls if run.calls else 0.0,
        outcomes=dict(sorted(outcomes.items())),
        problem=f"{', '.join(faults[0].puzzle)}: {faults[0].message}" if faults else "",
        weighted_mean=None if weighted is None else weighted.mean(guesses),
        weighted_std=None if weighted is None else weighted.std(guesses),
        weighted_failure=None if weighted is None else weighted.mean([p.outcome is not Outcome.SOLVED for p in plays]),
    )


def works(run: StoredRun) -> bool:
    """Return whether a strategy could play, so that its figures say how well it plays."""
    return any(play.outcome not in FAULTS for play in run.plays)


def counted(play: Play, cap: int) -> int:
    """Return the number of guesses that a play counts as: those it took, or one more than the cap if unsolved."""
    return cap + 1 if play.turns is None else play.turns


def turns_in_order(play: Play, cap: int) -> list[int]:
    """Return the guesses that solved the boards, earliest first; one more than the cap for an unsolved board."""
    return sorted(cap + 1 if turn is None else turn for turn in play.board_turns)


def _distribution(plays: tuple[Play, ...]) -> dict[str, int]:
    counts = Counter(play.turns for play in plays if play.turns is not None)
    unsolved = sum(play.turns is None for play in plays)
    numbered = {str(turns): counts[turns] for turns in sorted(counts)}
    return numbered | ({"unsolved": unsolved} if unsolved else {})


def _decisions(run: StoredRun) -> int:
    """Return the number of different decisions in the plays, which does not depend on workers and chunks."""
    if run.facts.stochastic:
        return sum(len(play.guesses) + (play.outcome in FAULTS) for play in run.plays)
    positions = Positions()
    decided: set[int] = set()
    for play in run.plays:
        reached = positions.reached_by(play)
        decided.update(reached if play.outcome in FAULTS else reached[:-1])
    return len(decided)
