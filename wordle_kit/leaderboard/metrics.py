"""Metrics: the figures of a run. Every column of tables, files, data frames, pages and plots derives from one list.

To add a metric, add it to METRICS, or register it from a plugin.
"""

import json
import math
import numbers
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from wordle_kit.errors import PluginError, WordleKitError
from wordle_kit.faults import send_traceback
from wordle_kit.names import shown
from wordle_kit.plugin_sources import announce, error_line
from wordle_kit.registration import Registrations
from wordle_kit.tournaments.outcome import INCONSISTENT, Outcome, Play
from wordle_kit.tournaments.runs import RunFacts, StoredRun

EXCELLENT = 2
"""Liu (2022), II.B, calls a puzzle played excellently if it was solved with at most this many guesses."""

PAIRS = 4
SLOWEST = 10

CONFIDENCE = 0.95

STEPS = 256
"""The number of steps of Simpson's rule: enough for six decimals of the quantile."""

Interval = tuple[float, float]
Better = Literal["lower", "higher"]
Kind = Literal["real", "whole", "whole or none", "text"]

NAME = re.compile(r"[a-z][a-z0-9_]*")

TAKEN = {"all", "as_dict", "bars", "figures", "game", "hard_mode", "interval_high", "interval_low", "metrics", "ms"}
TAKEN |= {"puzzles", "total"}
"""Names that tables, rows and data frames use for something else."""

NUMBERED = ("board_", "outcome_", "took_")
"""How the columns of data frames begin that a figure with several values has."""

MOST_WHOLE = 2**63 - 1
"""The greatest whole number that data frames can hold."""


@dataclass(frozen=True)
class Metric:
    """A figure of a run, as tables, files, data frames, pages and plots show it."""

    name: str
    """Its name in JSON, in data frames and for `--columns`: lower-case letters, digits and _."""
    sentence: str
    """What the figure is, in one sentence."""
    compute: Callable[[StoredRun], Any]
    """Returns the figure of a run, which has at least one play: a number or a text, or None if it has none."""
    header: str | None = ""
    """The header of its column, by default the name with spaces. None: tables and pages do not show it."""
    format: "str | Callable[[Row], Any]" = ""
    """How a cell shows the figure: a format such as `.2%`, or a function from the row to the cell."""
    better: Better | None = None
    """Whether lower or higher figures are better, or None if neither is."""
    kind: Kind = "real"
    """What the figure is: `real`, `whole` or `text`, or `whole or none` if it is often missing."""
    column: str = ""
    """Its name for `--columns`, if it has another one there."""
    after: str = ""
    """The column that it follows in tables; by default it is the last."""
    is_optional: bool = False
    """Whether rows without the figure leave it out, and tables in which no row has it."""
    is_open: bool = False
    """Whether the columns of a data frame that it has depend on the runs."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise WordleKitError(f"a metric is called {shown(self.name)}; use lower-case letters, digits and _")
        if self.name in TAKEN or self.name.startswith(NUMBERED):
            raise WordleKitError(f"a metric cannot be called {self.name!r}, which tables use for something else")
        if not callable(self.compute):
            raise WordleKitError(f"metric {self.name}: compute is {shown(self.compute)}; give a function of a run")
        if self.better not in (None, *get_args(Better)):
            raise WordleKitError(f"metric {self.name}: better is {shown(self.better)}; write 'lower', 'higher' or None")
        if self.kind not in get_args(Kind):
            raise WordleKitError(f"metric {self.name}: kind is {shown(self.kind)}; write one of {get_args(Kind)}")
        object.__setattr__(self, "column", self.column or self.name)
        object.__setattr__(self, "header", self.name.replace("_", " ") if self.header == "" else self.header)

    def of(self, run: StoredRun) -> Any:
        """Return the figure of a run, or None if a plugin's metric fails, which is reported once."""
        return self._guarded(lambda: self._checked(self.compute(run)))

    def cell(self, row: "Row") -> Any:
        """Return the cell of a row: a text, or a plain number or text as it is."""
        figure = row.figures.get(self.name)
        if callable(self.format):
            made = self.format
            return self._guarded(lambda: made(row))
        spec = self.format
        if not spec:
            return figure
        return "" if figure is None else self._guarded(lambda: format(figure, spec))

    def sort_key(self, row: "Row") -> float | str | None:
        """Return the figure by which a page sorts rows; None comes last in both directions."""
        figure: float | str | None = row.figures.get(self.name)
        return figure

    def text(self, figure: Any) -> Any:
        """Return a figure as a cell of CSV."""
        return figure

    def columns(self, figure: Any) -> dict[str, Any]:
        """Return a figure as the columns of a data frame."""
        return {self.name: figure}

    def _checked(self, figure: Any) -> Any:
        """Return a figure as a plain value. Raises PluginError if it is not of the metric's kind."""
        if figure is None:
            return None
        if self.kind == "text" and isinstance(figure, str):
            return str.__str__(figure)
        if self.kind != "text" and isinstance(figure, numbers.Integral) and abs(int(figure)) <= MOST_WHOLE:
            return int(figure)
        if self.kind == "real" and isinstance(figure, numbers.Real) and math.isfinite(figure):
            return float(figure)
        raise PluginError(f"returned {shown(figure)}, and its kind is {self.kind!r}")

    def _guarded(self, call: Callable[[], Any]) -> Any:
        """Return what a call returns, or None if a plugin's code fails."""
        try:
            return call()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) or self in METRICS:
                raise
            if self not in _reported:
                _reported.add(self)
                send_traceback(error)
                said = error_line(error, getattr(self.compute, "__module__", None) or "")
                announce(f"metric {self.name}: {said}; it is shown as empty")
            return None


_reported: set[Metric] = set()
"""The metrics whose failures were reported."""


@dataclass(frozen=True)
class Several(Metric):
    """A figure that has several values, such as a distribution."""

    spread: Callable[[Any], dict[str, Any]] = dict
    """Returns the values as columns of a data frame."""
    written: Callable[[Any], str] = str
    """Returns the values as a cell of CSV."""
    sorted_by: "Callable[[Row], float | str | None] | None" = None
    """Returns the figure by which a page sorts rows, if it is not the cell."""

    def sort_key(self, row: "Row") -> float | str | None:
        """Return the figure by which a page sorts rows."""
        return self.sorted_by(row) if self.sorted_by is not None else str(self.cell(row))

    def text(self, figure: Any) -> Any:
        """Return the values as a cell of CSV."""
        return self.written(figure)

    def columns(self, figure: Any) -> dict[str, Any]:
        """Return the values as columns of a data frame."""
        return self.spread(figure)

    def _checked(self, figure: Any) -> Any:
        return figure


@dataclass(frozen=True)
class Row:
    """One strategy's figures over all puzzles: `row.mean` is the figure of the metric that is called `mean`."""

    figures: Mapping[str, Any]
    metrics: tuple[Metric, ...]

    def __getattr__(self, name: str) -> Any:
        figures = vars(self).get("figures", {})  # it has none while it is copied
        if name not in figures:
            raise AttributeError(f"a row has no figure {name!r}")
        return figures[name]

    def as_dict(self) -> dict[str, Any]:
        """Return the row as a value for JSON, without optional figures that it does not have."""
        optional = {metric.name for metric in self.metrics if metric.is_optional}
        return {name: figure for name, figure in self.figures.items() if figure is not None or name not in optional}


def row_of(run: StoredRun, metrics: Sequence[Metric] = ()) -> Row:
    """Return the row of a run, which must have at least one play, with these metrics after the bundled ones."""
    every = all_metrics(metrics)
    return Row({metric.name: metric.of(run) for metric in every}, every)


def all_metrics(others: Iterable[Metric] = ()) -> tuple[Metric, ...]:
    """Return the bundled metrics and the others, one of each name."""
    by_name: dict[str, Metric] = {}
    for metric in (*METRICS, *others):
        by_name.setdefault(metric.name, metric)
    return tuple(by_name.values())


def metrics_of(plugins: Registrations) -> tuple[Metric, ...]:
    """Return the metrics that plugins registered."""
    return tuple(entry.value for entry in plugins.metrics.values())


def works(run: StoredRun) -> bool:
    """Return whether a strategy could play, so that its figures say how well it plays."""
    return not all(play.outcome.is_fault for play in run.plays)


def turns_in_order(play: Play, cap: int) -> list[int]:
    """Return the guesses that solved the boards, earliest first; one more than the cap for an unsolved board."""
    return sorted(cap + 1 if turn is None else turn for turn in play.board_turns)


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


@dataclass(frozen=True)
class Weighted:
    """The weights of puzzles, not all of them 0."""

    weights: Sequence[float]

    def mean(self, values: Sequence[float]) -> float:
        """Return the sum of the values, each times its weight, divided by the sum of the weights."""
        parts = (weight * value for weight, value in zip(self.weights, values, strict=True))
        return math.fsum(parts) / math.fsum(self.weights)

    def std(self, values: Sequence[float]) -> float:
        """Return the square root of the weighted mean of the squared deviations from the weighted mean."""
        mean = self.mean(values)
        return math.sqrt(self.mean([(value - mean) ** 2 for value in values]))


class Positions:
    """The positions reached so far, by number: a position has the same number in every play. The start is number 0."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str, tuple[str, ...]], int] = {}

    def reached_by(self, play: Play) -> list[int]:
        """Return the number of the position before each guess of a play, and of the one after its last guess."""
        numbers = [0]
        for guess, feedback in zip(play.guesses, play.feedback, strict=True):
            after = (numbers[-1], guess, feedback)
            numbers.append(self._numbers.setdefault(after, len(self._numbers) + 1))
        return numbers

    def decisions(self, plays: Iterable[Play]) -> dict[int, str]:
        """Return the guess made in each position that plays reached, by the position's number."""
        made: dict[int, str] = {}
        for play in plays:
            made.update(zip(self.reached_by(play), play.guesses, strict=False))  # the last position has no guess
        return made


# Confidence intervals


def interval_of_mean(values: Sequence[int], population: int | None = None) -> Interval | None:
    """Return the 95% confidence interval of the mean of a sample, or None for fewer than two values.

    `population` is the number of puzzles from which those of the sample were drawn without replacement, or None if they
    were drawn independently of each other. Equal values do not show how far other values may vary. They get the least
    deviation that a sample of their size can show otherwise, in which one puzzle took one guess more.
    """
    n = len(values)
    if n < 2:
        return None
    total, squares = sum(values), sum(value * value for value in values)
    mean = total / n
    deviation = math.sqrt((n * squares - total * total) / (n * (n - 1)))
    half = half_width_per_deviation(n, population) * max(deviation, least_deviation(n))
    return mean - half, mean + half


def half_width_per_deviation(n: int, population: int | None) -> float:
    """Return the half-width of the interval for a sample of two or more, divided by its standard deviation.

    It is that of Student's t distribution, times the square root of the share of the population that is not in the
    sample: the finite-population correction (Cochran, "Sampling Techniques", section 2.8).
    """
    unknown = 1.0 if population is None else 1 - n / population
    return quantile_of_t(n - 1) * math.sqrt(unknown / n)


def least_deviation(n: int) -> float:
    """Return the least standard deviation, with divisor n - 1, of n integers that are not all equal."""
    return 1 / math.sqrt(n)


@lru_cache(16)
def quantile_of_t(freedom: int) -> float:
    """Return t, so that a variable of Student's distribution is within -t and t with 95% probability.

    With t = sqrt(freedom) * tan(angle), the density is proportional to cos(angle) ** (freedom - 1). So the probability
    of the angles from 0 on grows ever more slowly. Newton's method therefore never overshoots if it starts below the
    solution. The quantile of the normal distribution is below it.
    """
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)

    def density(angle: float) -> float:
        # log1p keeps digits of small angles that the cosine loses
        return 2 * scale * math.exp((freedom - 1) / 2 * math.log1p(-(math.sin(angle) ** 2)))

    angle = math.atan(statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) / math.sqrt(freedom))
    while True:
        heights = [density(angle * step / STEPS) for step in range(STEPS + 1)]
        inner = 4 * math.fsum(heights[1:-1:2]) + 2 * math.fsum(heights[2:-1:2])
        within = (heights[0] + inner + heights[-1]) * angle / STEPS / 3
        step = (CONFIDENCE - within) / density(angle)
        angle += step
        if step <= 1e-9 * angle:  # or below 0, by rounding
            return math.sqrt(freedom) * math.tan(angle)


# Perfect play: the least total of guesses over all answers of a game, where the files in data/trees prove one


@cache
def perfect_total(fingerprint: str) -> int | None:
    """Return the least total of guesses for the game with this fingerprint, or None if none is proved."""
    file = proved_tree(fingerprint)
    return None if file is None else int(_fields(file)["total"])


@cache
def proved_tree(fingerprint: str) -> Path | None:
    """Return the file of a proved tree for the game with this fingerprint, or None if there is none."""
    from wordle_kit_data import FOLDER

    for file in sorted((FOLDER / "trees").glob("*.json")):  # to parse all of them takes longer than to search them
        if fingerprint in _text(file) and _fields(file)["fingerprint"] == fingerprint:
            return file
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise WordleKitError(f"{file}: {error}") from error


def _fields(file: Path) -> dict[str, str]:
    try:
        fields: dict[str, str] = json.loads(_text(file))
    except ValueError as error:
        raise WordleKitError(f"{file}: {error}") from error
    return fields


# What the bundled metrics compute and show


def _failure(run: StoredRun) -> float:
    return 1 - _solved(run) / len(run.plays)


def _solved(run: StoredRun) -> int:
    return sum(play.outcome is Outcome.SOLVED for play in run.plays)


def _interval(run: StoredRun) -> Interval | None:
    return interval_of_mean(run.taken, run.facts.population) if run.facts.is_sample and works(run) else None


def _std(run: StoredRun) -> float:
    n = len(run.plays)
    return math.sqrt(max(0.0, sum(taken * taken for taken in run.taken) / n - (sum(run.taken) / n) ** 2))


def _over_perfect(run: StoredRun) -> int | None:
    perfect = perfect_total(run.facts.fingerprint) if run.facts.is_all else None
    return None if perfect is None else sum(run.taken) - perfect


def _boards(run: StoredRun) -> list[float]:
    in_order = [turns_in_order(play, run.facts.cap) for play in run.plays]
    return [sum(turns) / len(run.plays) for turns in zip(*in_order, strict=True)]


def _excellent(run: StoredRun) -> float:
    return sum(taken <= min(EXCELLENT, run.facts.max_guesses) for taken in run.taken) / len(run.plays)


def _distribution(run: StoredRun) -> dict[str, int]:
    counts = Counter(play.turns for play in run.plays if play.turns is not None)
    unsolved = sum(play.turns is None for play in run.plays)
    numbered = {str(turns): counts[turns] for turns in sorted(counts)}
    return numbered | ({"unsolved": unsolved} if unsolved else {})


def _opener(run: StoredRun) -> tuple[str | None, float]:
    """Return the most frequent first guess and its share; the first in the alphabet if there are several."""
    openers = Counter(play.guesses[0] for play in run.plays if play.guesses)
    opener = min(openers, key=lambda word: (-openers[word], word)) if openers else None
    return opener, openers[opener] / len(run.plays) if opener else 0.0


def _openers(run: StoredRun) -> dict[str, float]:
    pairs = Counter(" ".join(play.guesses[:2]) for play in run.plays if len(play.guesses) > 1)
    frequent = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:PAIRS]
    return {pair: pairs[pair] / len(run.plays) for pair in frequent}


def _slowest(run: StoredRun) -> list[str]:
    most = max(run.taken)
    slow = (play for play, taken in zip(run.plays, run.taken, strict=True) if taken == most)
    return [", ".join(play.puzzle) for play, _ in zip(slow, range(SLOWEST), strict=False)]


def _decisions(run: StoredRun) -> int:
    """Return the number of different decisions in the plays, which does not depend on workers and chunks."""
    if run.facts.stochastic:
        return sum(len(play.guesses) + play.outcome.is_fault for play in run.plays)
    positions = Positions()
    decided: set[int] = set()
    for play in run.plays:
        reached = positions.reached_by(play)
        decided.update(reached if play.outcome.is_fault else reached[:-1])
    return len(decided)


def _outcomes(run: StoredRun) -> dict[str, int]:
    outcomes = Counter(play.outcome.value for play in run.plays if play.outcome is not Outcome.SOLVED)
    outcomes.update(INCONSISTENT for play in run.plays if play.is_inconsistent)
    return dict(sorted(outcomes.items()))


def _problem(run: StoredRun) -> str:
    faults = (play for play in run.plays if play.outcome.is_fault)
    first = next(faults, None) or next((play for play in run.plays if play.is_inconsistent), None)
    return f"{', '.join(first.puzzle)}: {first.message}" if first is not None else ""


def _weighted(figure: Callable[[Weighted, StoredRun], float]) -> Callable[[StoredRun], float | None]:
    """Return a metric of puzzles with weights, which is None if all count the same."""
    return lambda run: None if run.facts.weights is None else figure(Weighted(run.facts.weights), run)


def _mean_cell(row: Row) -> str:
    """Return the mean, with the half-width of its confidence interval if the puzzles are a sample."""
    return f"{row.mean:.4f}" + (f" ± {(row.interval[1] - row.interval[0]) / 2:.4f}" if row.interval else "")


def _pairs(counts: Mapping[str, Any]) -> str:
    return " ".join(f"{name}:{count}" for name, count in counts.items())


def _spaced(values: Iterable[Any] | None) -> str:
    return " ".join(map(str, values or ()))


METRICS: tuple[Metric, ...] = (
    Metric(
        "strategy",
        "The strategy's name, with the parameters that differ from those registered.",
        lambda run: run.facts.strategy,
        kind="text",
    ),
    Metric("version", "The strategy's version.", lambda run: run.facts.version, kind="text"),
    Metric("plugin", "The plugin that the strategy comes from.", lambda run: run.facts.plugin, kind="text"),
    Metric("games", "The number of puzzles played.", lambda run: len(run.plays), kind="whole"),
    Metric(
        "solved",
        "The number of puzzles solved within the guesses that the game allows.",
        _solved,
        kind="whole",
        better="higher",
    ),
    Metric(
        "failed",
        "The number of all other puzzles.",
        lambda run: len(run.plays) - _solved(run),
        kind="whole",
        better="lower",
    ),
    Metric(
        "total_guesses",
        "The sum of the guesses.",
        lambda run: sum(run.taken),
        "total",
        kind="whole",
        better="lower",
        column="total",
        after="max",
    ),
    Metric(
        "mean",
        "The mean number of guesses.",
        lambda run: sum(run.taken) / len(run.plays),
        format=_mean_cell,
        better="lower",
    ),
    Several(
        "interval",
        "The 95% confidence interval of the mean, if the puzzles are a random sample that the strategy could play.",
        _interval,
        None,
        spread=lambda interval: dict(zip(("interval_low", "interval_high"), interval or (None, None), strict=True)),
        written=_spaced,
    ),
    Metric("std", "The standard deviation of the guesses, with divisor n.", _std, format=".3f", better="lower"),
    Metric("min", "The fewest guesses.", lambda run: min(run.taken), kind="whole", better="lower"),
    Metric(
        "median", "The median of the guesses.", lambda run: statistics.median(run.taken), format="g", better="lower"
    ),
    Metric("max", "The most guesses.", lambda run: max(run.taken), kind="whole", better="lower"),
    Metric(
        "over_perfect",
        "The total of guesses minus that of perfect play, if that is known and all answers were played.",
        _over_perfect,
        format="+d",
        kind="whole or none",
        better="lower",
    ),
    Several(
        "boards",
        "The mean number of guesses to solve the first board (whichever it is), the second, and so on.",
        _boards,
        "boards solved at",
        format=lambda row: " ".join(f"{turn:.3f}" for turn in row.boards),
        better="lower",
        after="total",
        spread=lambda boards: {f"board_{number}": turns for number, turns in enumerate(boards, start=1)},
        written=_spaced,
        sorted_by=lambda row: row.boards[0] if row.boards else None,
        is_open=True,
    ),
    Metric(
        "excellent",
        "The share of puzzles solved with at most two guesses that the game allows, from 0 to 1.",
        _excellent,
        f"≤ {EXCELLENT}",
        ".2%",
        better="higher",
    ),
    Metric(
        "failure",
        "The share of puzzles not solved within the guesses that the game allows, from 0 to 1.",
        _failure,
        format=".2%",
        better="lower",
    ),
    Several(
        "distribution",
        "The number of puzzles for each number of guesses, and of those that were never solved.",
        _distribution,
        format=lambda row: _pairs(row.distribution),
        kind="whole",
        spread=lambda counts: {f"took_{turns}": count for turns, count in counts.items()},
        written=_pairs,
        sorted_by=lambda row: row.mean,
        is_open=True,
    ),
    Metric("opener", "The most frequent first guess.", lambda run: _opener(run)[0], kind="text"),
    Metric(
        "opener_share",
        "The share of puzzles that began with it, from 0 to 1.",
        lambda run: _opener(run)[1],
        "opener's share",
        ".2%",
    ),
    Several(
        "openers",
        "The four most frequent pairs of first guesses, with their share of the puzzles.",
        _openers,
        "first two guesses",
        lambda row: ", ".join(f"{two} {share:.2%}" for two, share in row.openers.items()),
        kind="text",
        spread=lambda pairs: {"openers": ", ".join(pairs)},
        written=lambda pairs: ", ".join(f"{pair}:{share}" for pair, share in pairs.items()),
        sorted_by=lambda row: max(row.openers.values(), default=None),
    ),
    Several(
        "slowest",
        "Up to ten hidden words that took the most guesses.",
        _slowest,
        "took most",
        lambda row: " ".join(row.slowest),
        kind="text",
        spread=lambda words: {"slowest": " ".join(words)},
        written=_spaced,
    ),
    Metric(
        "decisions",
        "The number of different positions decided; a stochastic strategy decides each of its guesses separately.",
        _decisions,
        kind="whole",
    ),
    Metric(
        "ms_per_decision",
        "Milliseconds per decision on the machine that played.",
        lambda run: 1000 * run.seconds / run.calls if run.calls else 0.0,
        "ms each",
        lambda row: f"{row.ms_per_decision:.3f}" if row.ms_per_decision else "",
        better="lower",
        column="ms",
    ),
    Several(
        "outcomes",
        "The number of plays for each outcome, except solved ones, and of those that are inconsistent.",
        _outcomes,
        format=lambda row: _pairs(row.outcomes),
        kind="whole",
        spread=lambda counts: {f"outcome_{outcome.replace(' ', '_')}": count for outcome, count in counts.items()},
        written=_pairs,
        sorted_by=lambda row: sum(row.outcomes.values()),
        is_open=True,
    ),
    Metric(
        "problem",
        "The message of the first play that ended because of an error of the strategy, or else is inconsistent.",
        _problem,
        None,
        kind="text",
    ),
    Metric(
        "weighted_mean",
        "The mean in which each puzzle counts with its weight, if puzzles have weights.",
        _weighted(lambda weighted, run: weighted.mean(run.taken)),
        format=".4f",
        better="lower",
        after="mean",
        is_optional=True,
    ),
    Metric(
        "weighted_std",
        "The standard deviation of the guesses in which each puzzle counts with its weight.",
        _weighted(lambda weighted, run: weighted.std(run.taken)),
        format=".3f",
        better="lower",
        after="std",
        is_optional=True,
    ),
    Metric(
        "weighted_failure",
        "The share of the puzzles' weight that was not solved within the guesses that the game allows, from 0 to 1.",
        _weighted(lambda weighted, run: weighted.mean([play.outcome is not Outcome.SOLVED for play in run.plays])),
        format=".2%",
        better="lower",
        after="failure",
        is_optional=True,
    ),
)
"""The bundled metrics, in the order of JSON and data frames."""
