"""The metrics of the engine. The columns of tables, files, data frames, pages and plots all come from them.

To add a metric, add a function to this file and a line to `METRICS`, or register a `Metric` in a plugin.
"""

import math
import statistics
from collections import Counter
from typing import TYPE_CHECKING

from wordle_kit.leaderboard.metric import Metric
from wordle_kit.leaderboard.significance import Interval, interval_of_mean, mean_by_weight
from wordle_kit.registry import Registry
from wordle_kit.tournaments.runs import Outcome, StoredRun, turns_in_order
from wordle_kit.trees import perfect_total

if TYPE_CHECKING:
    from wordle_kit.leaderboard.rows import Row

EXCELLENT = 2
"""Liu (2022), II.B, calls a puzzle played excellently if it was solved in at most this many guesses."""

SLOWEST = 10


def _strategy(run: StoredRun) -> str:
    """The strategy's name, with the parameters that differ from those registered."""
    return run.facts.strategy


def _version(run: StoredRun) -> str:
    """The strategy's version."""
    return run.facts.version


def _plugin(run: StoredRun) -> str:
    """The plugin that the strategy comes from."""
    return run.facts.plugin


def _games(run: StoredRun) -> int:
    """The number of puzzles played."""
    return len(run.plays)


def _mean_cell(row: "Row") -> str:
    """Return the mean, with the half-width of its confidence interval if the puzzles are a sample."""
    return f"{row.mean:.4f}" + (f" ± {(row.interval_high - row.interval_low) / 2:.4f}" if row.interval else "")


def _mean(run: StoredRun) -> float:
    """The mean number of guesses."""
    return sum(run.guess_counts) / len(run.plays)


def _weighted_mean(run: StoredRun) -> float | None:
    """The mean weighted by the puzzles' weights, if they have any."""
    return None if run.facts.weights is None else mean_by_weight(run.facts.weights, run.guess_counts)


def _interval(run: StoredRun) -> Interval | None:
    known = run.facts.is_sample and run.works
    return interval_of_mean(run.guess_counts, run.facts.population, run.confidence) if known else None


def _interval_low(run: StoredRun) -> float | None:
    """The lower end of the confidence interval of the mean, if the puzzles are a random sample."""
    return (_interval(run) or (None, None))[0]


def _interval_high(run: StoredRun) -> float | None:
    """The upper end of the confidence interval of the mean, if the puzzles are a random sample."""
    return (_interval(run) or (None, None))[1]


def _std(run: StoredRun) -> float:
    """The standard deviation of the guesses, with divisor n."""
    n = len(run.plays)
    return math.sqrt(max(0.0, sum(taken * taken for taken in run.guess_counts) / n - (sum(run.guess_counts) / n) ** 2))


def _min(run: StoredRun) -> int:
    """The fewest guesses."""
    return min(run.guess_counts)


def _median(run: StoredRun) -> float:
    """The median of the guesses."""
    return float(statistics.median(run.guess_counts))


def _max(run: StoredRun) -> int:
    """The most guesses."""
    return max(run.guess_counts)


def _total_guesses(run: StoredRun) -> int:
    """The sum of the guesses."""
    return sum(run.guess_counts)


def _boards_cell(row: "Row") -> str:
    return " ".join(f"{turn:.3f}" for turn in row.boards.values())


def _boards(run: StoredRun) -> dict[str, float]:
    """The mean number of guesses to solve the first board (whichever it is), the second, and so on."""
    in_order = [turns_in_order(play, run.facts.cap) for play in run.plays]
    return {str(n): sum(turns) / len(run.plays) for n, turns in enumerate(zip(*in_order, strict=True), start=1)}


def _over_perfect(run: StoredRun) -> int | None:
    """The total number of guesses minus that of perfect play, if that is known and all answers were played."""
    perfect = perfect_total(run.facts.fingerprint) if run.facts.is_all else None
    return None if perfect is None else sum(run.guess_counts) - perfect


def _excellent(run: StoredRun) -> float:
    """The share of puzzles solved in at most two guesses that the game allows, from 0 to 1."""
    return sum(taken <= min(EXCELLENT, run.facts.max_guesses) for taken in run.guess_counts) / len(run.plays)


def _solved(run: StoredRun) -> int:
    """The number of puzzles solved within the guesses that the game allows."""
    return sum(play.outcome is Outcome.SOLVED for play in run.plays)


def _failed(run: StoredRun) -> int:
    """The number of puzzles not solved within the guesses that the game allows."""
    return len(run.plays) - _solved(run)


def _failure(run: StoredRun) -> float:
    """The share of puzzles not solved within the guesses that the game allows, from 0 to 1."""
    return 1 - _solved(run) / len(run.plays)


def _weighted_failure(run: StoredRun) -> float | None:
    """The share, by weight, of puzzles not solved within the guesses that the game allows, from 0 to 1."""
    failed = [play.outcome is not Outcome.SOLVED for play in run.plays]
    return None if run.facts.weights is None else mean_by_weight(run.facts.weights, failed)


def _distribution(run: StoredRun) -> dict[str, int]:
    """The number of puzzles for each number of guesses, and of those that were never solved."""
    counts = Counter(play.turns for play in run.plays if play.turns is not None)
    unsolved = sum(play.turns is None for play in run.plays)
    return {str(turns): counts[turns] for turns in sorted(counts)} | ({"unsolved": unsolved} if unsolved else {})


def _opener(run: StoredRun) -> str | None:
    """The most frequent first guess."""
    openers = Counter(play.guesses[0] for play in run.plays if play.guesses)
    return min(openers, key=lambda word: (-openers[word], word), default=None)


def _opener_share(run: StoredRun) -> float:
    """The share of puzzles that began with the most frequent first guess, from 0 to 1."""
    opener = _opener(run)
    return sum(play.guesses[:1] == (opener,) for play in run.plays) / len(run.plays)


def _slowest(run: StoredRun) -> str:
    """The hidden words of the puzzles that took the most guesses, up to ten."""
    most = max(run.guess_counts)
    slow = [", ".join(play.puzzle) for play, taken in zip(run.plays, run.guess_counts, strict=True) if taken == most]
    return ("; " if run.facts.boards > 1 else " ").join(slow[:SLOWEST])


def _decisions(run: StoredRun) -> int:
    """The number of different positions decided; a stochastic strategy decides each of its guesses separately."""
    before = [  # the guesses and feedback before each decision
        (play.guesses[:turn], play.feedback[:turn])
        for play in run.plays
        for turn in range(len(play.guesses) + play.outcome.is_fault)
    ]
    return len(before if run.facts.stochastic else set(before))


def _ms_per_decision(run: StoredRun) -> float | None:
    """The milliseconds per decision on the machine that played. None if nothing was decided."""
    return 1000 * run.seconds / run.calls if run.calls else None


def _outcomes(run: StoredRun) -> dict[str, int]:
    """The number of plays for each outcome, except solved ones."""
    outcomes = Counter(play.outcome.value for play in run.plays if play.outcome is not Outcome.SOLVED)
    return dict(sorted(outcomes.items()))


def _problem(run: StoredRun) -> str:
    """The message of the first play that ended in an error, and why the strategy was not asked any more, if so."""
    faults = [play for play in run.plays if play.outcome.is_fault]
    asked = [play for play in faults if play.outcome is not Outcome.NOT_ASKED]
    first = f"{', '.join(asked[0].puzzle)}: {asked[0].message}" if asked else ""
    reason = next((play.message for play in faults if play.outcome is Outcome.NOT_ASKED), "")
    return f"{first}; then it was not asked: {reason}" if reason else first


METRICS = (
    Metric("strategy", _strategy),
    Metric("version", _version, by_default=False),
    Metric("plugin", _plugin, by_default=False),
    Metric("games", _games, by_default=False),
    Metric("mean", _mean, format=_mean_cell),
    Metric("weighted_mean", _weighted_mean, format=".4f", is_optional=True),
    Metric("interval_low", _interval_low, header=None),
    Metric("interval_high", _interval_high, header=None),
    Metric("std", _std, format=".3f"),
    Metric("min", _min, by_default=False),
    Metric("median", _median, format="g", by_default=False),
    Metric("max", _max),
    Metric("total_guesses", _total_guesses, header="total", by_default=False),
    Metric("boards", _boards, header="boards solved at", format=_boards_cell, prefix="board_", by_default=False),
    Metric("over_perfect", _over_perfect, format="+d", by_default=False),
    Metric("excellent", _excellent, header=f"≤ {EXCELLENT}", format=".2%", by_default=False),
    Metric("solved", _solved, by_default=False),
    Metric("failed", _failed),
    Metric("failure", _failure, format=".2%", by_default=False),
    Metric("weighted_failure", _weighted_failure, format=".2%", is_optional=True, by_default=False),
    Metric("distribution", _distribution, prefix="took_", by_default=False),
    Metric("opener", _opener),
    Metric("opener_share", _opener_share, header="opener's share", format=".2%", by_default=False),
    Metric("slowest", _slowest, header="took most", by_default=False),
    Metric("decisions", _decisions, by_default=False),
    Metric("ms_per_decision", _ms_per_decision, header="ms each", format=".3f"),
    Metric("outcomes", _outcomes, prefix="outcome_", by_default=False),
    Metric("problem", _problem, header=None),
)
"""The metrics of the engine, in the order of their columns."""


def metrics_of(plugins: Registry) -> tuple[Metric, ...]:
    """Return the metrics of the engine, and then those that plugins registered."""
    return (*METRICS, *(entry.value for entry in plugins.metrics.values()))
