"""The rows of a leaderboard: the figures of each strategy, and how strategies are ranked by them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from wordle_kit.leaderboard.metric import Metric
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.leaderboard.significance import Interval
from wordle_kit.tournaments.runs import CONFIDENCE, RunFacts, StoredRun


@dataclass(frozen=True)
class Row:
    """The figures of one strategy over all puzzles: `row.mean` is the figure of the metric named `mean`."""

    figures: Mapping[str, Any]
    metrics: tuple[Metric, ...]
    """The metrics that tables and files show."""
    facts: RunFacts
    """The game, the puzzles and the strategy."""

    def __getattr__(self, name: str) -> Any:
        figures = vars(self).get("figures", {})  # copying creates a row without figures first
        if name not in figures:
            raise AttributeError(f"a row has no figure {name!r}")
        return figures[name]

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the mean, or None if there is none."""
        return None if self.interval_low is None else (self.interval_low, self.interval_high)

    def as_dict(self) -> dict[str, Any]:
        """Return the row as a value that can be written as JSON, without missing optional figures.

        After the figures come the strategy's parameters and the digest of its source.
        """
        shown = ((metric, self.figures[metric.name]) for metric in self.metrics)
        figures = {metric.name: figure for metric, figure in shown if figure is not None or not metric.is_optional}
        return figures | self.facts.param_columns | {"source": self.facts.source}


def measure(run: StoredRun, metrics: Sequence[Metric] = METRICS, confidence: float = CONFIDENCE) -> Row:
    """Return the row of a run that has at least one play, by default with only the engine's metrics."""
    run = replace(run, confidence=confidence)
    return Row({metric.name: metric.of(run) for metric in metrics}, tuple(metrics), run.facts)


def ranked_by(facts: RunFacts) -> Literal["mean", "weighted_mean"]:
    """Return the figure by which strategies are ranked.

    It is the weighted mean if the puzzles are all answers of a game with weights. In a list of puzzles, every puzzle
    counts once.
    """
    return "weighted_mean" if facts.is_all and facts.weights is not None else "mean"


def ranking_key(row: Row) -> tuple[float, float, str]:
    """Return the key that sorts rows, the best first: by mean guesses, failures and name."""
    if ranked_by(row.facts) == "weighted_mean":
        return row.weighted_mean, row.weighted_failure, row.strategy
    return row.mean, row.failed, row.strategy
