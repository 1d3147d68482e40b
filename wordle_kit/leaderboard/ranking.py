"""The figures by which strategies are ranked: the mean, or the weighted mean if answers have weights."""

from typing import Literal

from wordle_kit.leaderboard.metrics import Row
from wordle_kit.tournaments.runs import RunFacts

WEIGHTED_FIRST = (
    "Strategies are ranked by the weighted mean, in which each answer counts with its weight: the number of guesses to "
    "expect. In the other figures, each answer counts once."
)
WEIGHTED_BESIDE = (
    "In weighted figures, each puzzle counts with the weight of its answer. In the others, by which strategies are "
    "ranked, it counts once."
)


def ranked_by(facts: RunFacts) -> Literal["mean", "weighted_mean"]:
    """Return the figure by which strategies are ranked: the weighted mean if every answer with its weight was played.

    A list of puzzles was chosen, so each of them counts once.
    """
    return "weighted_mean" if facts.is_all and facts.weights is not None else "mean"


def place_of(row: Row, facts: RunFacts) -> tuple[float, float, str]:
    """Return the key that sorts rows, the best first: mean guesses, failures and name."""
    if ranked_by(facts) == "weighted_mean" and row.weighted_mean is not None and row.weighted_failure is not None:
        return row.weighted_mean, row.weighted_failure, row.strategy
    return row.mean, row.failed, row.strategy


def weighted_note(facts: RunFacts) -> str:
    """Return a note that says how to read weighted figures, or an empty text if there are none."""
    if facts.weights is None:
        return ""
    return WEIGHTED_FIRST if ranked_by(facts) == "weighted_mean" else WEIGHTED_BESIDE
