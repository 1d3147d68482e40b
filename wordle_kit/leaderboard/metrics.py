"""Metrics: the figures of a run. The columns of tables, files, data frames, pages and plots all come from one list.

To add a metric, add a function to this file, or register a `Metric` in a plugin.
"""

import math
import numbers
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, get_args

from wordle_kit.defaults import CONFIDENCE
from wordle_kit.errors import PluginError, WordleKitError
from wordle_kit.faults import error_line, note
from wordle_kit.registry import Registrations
from wordle_kit.texts import shown
from wordle_kit.tournaments.runs import Outcome, Play, RunFacts, StoredRun

EXCELLENT = 2
"""Liu (2022), II.B, calls a puzzle played excellently if it was solved with at most this many guesses."""

SLOWEST = 10

STEPS = 256
"""The number of steps of Simpson's rule: enough for six decimals of the quantile."""

Interval = tuple[float, float]
Better = Literal["lower", "higher"]
FigureKind = Literal["real", "whole", "text"]

NAME = re.compile(r"(?!board_|outcome_|took_|param_)[a-z][a-z0-9_]*")
"""Matches names of metrics. Data frames use these prefixes for columns that are one of several."""

TAKEN = {"all", "as_dict", "bars", "facts", "figures", "interval", "metrics", "rank", "game", "hard_mode", "puzzles"}
TAKEN |= {"host", "fingerprint", "puzzles_fingerprint", "seed", "secret", "source", "versions", "total", "ms"}
"""Names that a metric cannot have, since tables, rows and data frames use them for something else."""


@dataclass(frozen=True)
class Metric:
    """A figure of a run, as tables, files, data frames, pages and plots show it."""

    name: str
    """The name in JSON, in data frames and for `--columns`: lower-case letters, digits and _."""
    sentence: str
    """What the figure is, in one sentence."""
    compute: Callable[[StoredRun], Any]
    """Returns the figure of a run that has at least one play: a number or a text, a dictionary of them if the metric
    has a `prefix`, or None if the run has no such figure.
    """
    header: str | None = ""
    """The header of the column, by default the name with spaces. With None, tables and pages do not show the metric."""
    format: "str | Callable[[Row], Any]" = ""
    """How a cell shows the figure: a format such as `.2%`, or a function from the row to the cell."""
    better: Better | None = None
    """Whether lower or higher figures are better. None if neither is."""
    kind: FigureKind = "real"
    """The type of the figure, or of the values of a dictionary: `real`, `whole` or `text`."""
    column: str = ""
    """The name for `--columns`, if it differs from `name`."""
    is_optional: bool = False
    """Whether a missing figure is left out. If no row of a table has the figure, the table has no column for it."""
    prefix: str = ""
    """For a metric whose figure is a dictionary: the prefix of its data frame columns, such as `took_` in `took_1`."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name) or self.name in TAKEN:
            said = "use lower-case letters, digits and _, and no name that tables use for something else"
            raise WordleKitError(f"a metric cannot be called {self.name!r}; {said}")
        for field, known in (("better", (None, *get_args(Better))), ("kind", get_args(FigureKind))):
            if getattr(self, field) not in known:
                raise WordleKitError(f"metric {self.name}: {field} is {getattr(self, field)!r}; write one of {known}")
        object.__setattr__(self, "column", self.column or self.name)
        object.__setattr__(self, "header", self.name.replace("_", " ") if self.header == "" else self.header)

    def of(self, run: StoredRun) -> Any:
        """Return the figure of a run, or None if the metric fails. A failure is reported once."""
        return self._guarded(lambda: self._plain(self.compute(run)))

    def cell(self, row: "Row") -> Any:
        """Return the cell of a row: formatted text, or the plain number or text if the metric has no format."""
        figure, how = row.figures.get(self.name), self.format
        if callable(how):
            return self._guarded(lambda: how(row))
        if isinstance(figure, dict):
            return " ".join(f"{name}:{value}" for name, value in figure.items())
        return figure if not how else "" if figure is None else self._guarded(lambda: format(figure, how))

    def columns(self, figure: Any) -> dict[str, Any]:
        """Return a figure as columns of a data frame: one, or one for each value of a dictionary."""
        if not self.prefix:
            return {self.name: figure}
        return {f"{self.prefix}{name}".replace(" ", "_"): value for name, value in (figure or {}).items()}

    def _plain(self, figure: Any) -> Any:
        """Return a figure, which numpy may have made, as a plain value or a dictionary of plain values."""
        if self.prefix and figure is not None:
            return {str(name): self._value(value) for name, value in figure.items()}
        return self._value(figure)

    def _value(self, value: Any) -> Any:
        """Return a plain value. Raises PluginError if it does not have the type that `kind` says."""
        if value is None:
            return None
        if self.kind == "text" and isinstance(value, str):
            return str(value)
        if self.kind != "text" and isinstance(value, numbers.Integral):
            return int(value)
        if self.kind == "real" and isinstance(value, numbers.Real) and math.isfinite(value):
            return float(value)
        raise PluginError(f"returned {shown(value)}, and its kind is {self.kind!r}")

    def _guarded(self, call: Callable[[], Any]) -> Any:
        """Return what `call` returns, or None if it fails."""
        try:
            return call()
        except Exception as error:
            if self not in _reported:
                _reported.add(self)
                said = error_line(error, getattr(self.compute, "__module__", None) or "")
                note(f"metric {self.name}: {said}; it is shown as empty")
            return None


_reported: set[Metric] = set()
"""The metrics whose failures have been reported."""


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
        """Return the row as a value that can be written as JSON. It leaves out optional figures that it does not have.

        After the figures come the strategy's parameters and the digest of its source.
        """
        shown = ((metric, self.figures[metric.name]) for metric in self.metrics)
        figures = {metric.name: figure for metric, figure in shown if figure is not None or not metric.is_optional}
        return figures | self.facts.param_columns | {"source": self.facts.source}


def row_of(run: StoredRun, metrics: Sequence[Metric] | None = None, confidence: float = CONFIDENCE) -> Row:
    """Return the row of a run that has at least one play. `metrics` are those that it shows, by default the bundled.

    The bundled figures are computed even if they are not shown, since ranking and notes need them.
    """
    shown = METRICS if metrics is None else tuple(metrics)
    every = {metric.name: metric for metric in (*shown, *METRICS)}
    run = replace(run, confidence=confidence)
    figures = {name: metric.of(run) for name, metric in every.items()}
    return Row(figures, shown, run.facts)


def metrics_of(plugins: Registrations) -> tuple[Metric, ...]:
    """Return the metrics that plugins registered."""
    return tuple(entry.value for entry in plugins.metrics.values())


def works(run: StoredRun) -> bool:
    """Return whether a strategy was able to play, so that its figures say how well it plays."""
    return not all(play.outcome.is_fault for play in run.plays)


def turns_in_order(play: Play, cap: int) -> list[int]:
    """Return the turn that solved each board, earliest first. An unsolved board counts as one more than the cap."""
    return sorted(cap + 1 if turn is None else turn for turn in play.board_turns)


def ranked_by(facts: RunFacts) -> Literal["mean", "weighted_mean"]:
    """Return the figure by which strategies are ranked.

    It is the weighted mean if the puzzles are all answers of a game with weights. In a list of puzzles, every puzzle
    counts once.
    """
    return "weighted_mean" if facts.is_all and facts.weights is not None else "mean"


def place_of(row: Row) -> tuple[float, float, str]:
    """Return the key that sorts rows, the best first: by mean guesses, failures and name."""
    if ranked_by(row.facts) == "weighted_mean" and row.weighted_mean is not None and row.weighted_failure is not None:
        return row.weighted_mean, row.weighted_failure, row.strategy
    return row.mean, row.failed, row.strategy


def mean_by_weight(weights: Sequence[float], values: Sequence[float]) -> float:
    """Return the sum of the values, each times its weight, divided by the sum of the weights, not all of them 0."""
    parts = (weight * value for weight, value in zip(weights, values, strict=True))
    return math.fsum(parts) / math.fsum(weights)


# Confidence intervals


def check_confidence(confidence: object) -> None:
    """Raise WordleKitError unless intervals can have this confidence level."""
    if not isinstance(confidence, numbers.Real) or not 0.5 <= confidence < 1:
        raise WordleKitError(f"confidence is {shown(confidence)}; give a number from 0.5 up to, but not including, 1")


def in_percent(confidence: float) -> str:
    """Return a confidence level as people write it, such as `95%` or `99.9%`."""
    return f"{100 * confidence:.6g}%"


def interval_of_mean(
    values: Sequence[int], population: int | None = None, confidence: float = CONFIDENCE
) -> Interval | None:
    """Return the confidence interval of the mean of a sample, or None for fewer than two values.

    `population` is the number of puzzles from which the sample was drawn without replacement, or None if its puzzles
    were drawn independently of each other.

    If all values are equal, they do not show how far other values may vary. The interval is then computed as if one
    puzzle had taken one guess more, which is the least deviation that a sample of this size can have otherwise.
    """
    n = len(values)
    if n < 2:
        return None
    total, squares = sum(values), sum(value * value for value in values)
    mean = total / n
    deviation = math.sqrt((n * squares - total * total) / (n * (n - 1)))
    half = half_width_per_deviation(n, population, confidence) * max(deviation, least_deviation(n))
    return mean - half, mean + half


def half_width_per_deviation(n: int, population: int | None, confidence: float = CONFIDENCE) -> float:
    """Return the half-width of the interval for a sample of two or more, divided by its standard deviation.

    It is the half-width by Student's t distribution, times the finite-population correction: the square root of the
    share of the population that is not in the sample (Cochran, "Sampling Techniques", section 2.8).
    """
    unknown = 1.0 if population is None else 1 - n / population
    return quantile_of_t(n - 1, confidence) * math.sqrt(unknown / n)


def least_deviation(n: int) -> float:
    """Return the least standard deviation, with divisor n - 1, of n integers that are not all equal."""
    return 1 / math.sqrt(n)


@lru_cache(16)
def quantile_of_t(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Return the t for which a variable with Student's distribution lies between -t and t with this probability.

    With t = sqrt(freedom) * tan(angle), the density is proportional to cos(angle) ** (freedom - 1). It falls as the
    angle grows. So Newton's method never overshoots if it starts below the solution. It starts from the quantile of the
    normal distribution, which is below the solution.
    """
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)

    def density(angle: float) -> float:
        # For small angles, log1p keeps digits that the cosine would lose.
        return 2 * scale * math.exp((freedom - 1) / 2 * math.log1p(-(math.sin(angle) ** 2)))

    angle = math.atan(statistics.NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(freedom))
    while True:
        heights = [density(angle * step / STEPS) for step in range(STEPS + 1)]
        inner = 4 * math.fsum(heights[1:-1:2]) + 2 * math.fsum(heights[2:-1:2])
        within = (heights[0] + inner + heights[-1]) * angle / STEPS / 3
        step = (confidence - within) / density(angle)
        angle += step
        if step <= 1e-9 * angle:  # rounding may make the step negative
            return math.sqrt(freedom) * math.tan(angle)


# Perfect play: the least total of guesses over all answers of a game, if a file in data/trees proves it


@cache
def perfect_total(fingerprint: str) -> int | None:
    """Return the least total of guesses for the game with this fingerprint, or None if none has been proved."""
    file = proved_tree(fingerprint)
    return None if file is None else int(_header_of(file)["total"])


@cache
def proved_tree(fingerprint: str) -> Path | None:
    """Return the file of a proved tree for the game with this fingerprint, or None if there is none."""
    from wordle_kit_data import FOLDER

    files = sorted((FOLDER / "trees").glob("*.txt"))
    return next((file for file in files if _header_of(file)["fingerprint"] == fingerprint), None)


def _header_of(file: Path) -> dict[str, str]:
    with file.open(encoding="utf-8") as lines:
        return tree_header(lines)


def tree_header(lines: Iterable[str]) -> dict[str, str]:
    """Return what the header of a tree's file says: the values of its first lines, which look like `# key: value`."""
    header = (line[2:].strip().partition(": ") for line in takewhile(lambda line: line.startswith("# "), lines))
    return {key: value for key, colon, value in header if colon}


# What several metrics have in common


def _share(run: StoredRun, counts: Iterable[int]) -> float:
    return sum(counts) / len(run.plays)


def _solved(run: StoredRun) -> int:
    return sum(play.outcome is Outcome.SOLVED for play in run.plays)


def _std(run: StoredRun) -> float:
    n = len(run.plays)
    return math.sqrt(max(0.0, sum(taken * taken for taken in run.taken) / n - (sum(run.taken) / n) ** 2))


def _interval(run: StoredRun) -> Interval | tuple[None, None]:
    known = run.facts.is_sample and works(run)
    return (interval_of_mean(run.taken, run.facts.population, run.confidence) if known else None) or (None, None)


def _weighted(run: StoredRun, values: Sequence[float]) -> float | None:
    return None if run.facts.weights is None else mean_by_weight(run.facts.weights, values)


def _mean_cell(row: Row) -> str:
    """Return the mean, with the half-width of its confidence interval if the puzzles are a sample."""
    return f"{row.mean:.4f}" + (f" ± {(row.interval_high - row.interval_low) / 2:.4f}" if row.interval else "")


def _over_perfect(run: StoredRun) -> int | None:
    perfect = perfect_total(run.facts.fingerprint) if run.facts.is_all else None
    return None if perfect is None else sum(run.taken) - perfect


def _boards(run: StoredRun) -> dict[str, float]:
    in_order = [turns_in_order(play, run.facts.cap) for play in run.plays]
    return {str(n): sum(turns) / len(run.plays) for n, turns in enumerate(zip(*in_order, strict=True), start=1)}


def _distribution(run: StoredRun) -> dict[str, int]:
    counts = Counter(play.turns for play in run.plays if play.turns is not None)
    unsolved = sum(play.turns is None for play in run.plays)
    return {str(turns): counts[turns] for turns in sorted(counts)} | ({"unsolved": unsolved} if unsolved else {})


def _opener(run: StoredRun) -> str | None:
    """Return the most frequent first guess: of equally frequent ones, the first in the alphabet."""
    openers = Counter(play.guesses[0] for play in run.plays if play.guesses)
    return min(openers, key=lambda word: (-openers[word], word), default=None)


def _opener_share(run: StoredRun) -> float:
    opener = _opener(run)
    return _share(run, (play.guesses[:1] == (opener,) for play in run.plays))


def _slowest(run: StoredRun) -> str:
    most = max(run.taken)
    slow = [", ".join(play.puzzle) for play, taken in zip(run.plays, run.taken, strict=True) if taken == most]
    return ("; " if run.facts.boards > 1 else " ").join(slow[:SLOWEST])


def _decisions(run: StoredRun) -> int:
    if run.facts.stochastic:  # counted so that it does not depend on workers and chunks
        return sum(len(play.guesses) + play.outcome.is_fault for play in run.plays)
    numbers: dict[tuple[int, str, tuple[str, ...]], int] = {}  # of each position, by the one before, guess and feedback
    decided = set()
    for play in run.plays:
        at = 0
        for guess, seen in zip(play.guesses, play.feedback, strict=True):
            decided.add(at)
            at = numbers.setdefault((at, guess, seen), len(numbers) + 1)
        if play.outcome.is_fault:
            decided.add(at)
    return len(decided)


def _outcomes(run: StoredRun) -> dict[str, int]:
    outcomes = Counter(play.outcome.value for play in run.plays if play.outcome is not Outcome.SOLVED)
    return dict(sorted(outcomes.items()))


def _problem(run: StoredRun) -> str:
    faults = (play for play in run.plays if play.outcome.is_fault)
    first = next(faults, None)
    return f"{', '.join(first.puzzle)}: {first.message}" if first is not None else ""


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
        "mean", "The mean number of guesses.", lambda run: _share(run, run.taken), format=_mean_cell, better="lower"
    ),
    Metric(
        "weighted_mean",
        "The mean in which each puzzle counts with its weight, if puzzles have weights.",
        lambda run: _weighted(run, run.taken),
        format=".4f",
        better="lower",
        is_optional=True,
    ),
    Metric(
        "interval_low",
        "The lower end of the confidence interval of the mean, if the puzzles are a random sample.",
        lambda run: _interval(run)[0],
        None,
    ),
    Metric("interval_high", "The upper end of that interval.", lambda run: _interval(run)[1], None),
    Metric("std", "The standard deviation of the guesses, with divisor n.", _std, format=".3f", better="lower"),
    Metric("min", "The fewest guesses.", lambda run: min(run.taken), kind="whole", better="lower"),
    Metric(
        "median", "The median of the guesses.", lambda run: statistics.median(run.taken), format="g", better="lower"
    ),
    Metric("max", "The most guesses.", lambda run: max(run.taken), kind="whole", better="lower"),
    Metric(
        "total_guesses",
        "The sum of the guesses.",
        lambda run: sum(run.taken),
        "total",
        kind="whole",
        better="lower",
        column="total",
    ),
    Metric(
        "boards",
        "The mean number of guesses to solve the first board (whichever it is), the second, and so on.",
        _boards,
        "boards solved at",
        lambda row: " ".join(f"{turn:.3f}" for turn in row.boards.values()),
        better="lower",
        prefix="board_",
    ),
    Metric(
        "over_perfect",
        "The total of guesses minus that of perfect play, if that is known and all answers were played.",
        _over_perfect,
        format="+d",
        kind="whole",
        better="lower",
    ),
    Metric(
        "excellent",
        "The share of puzzles solved with at most two guesses that the game allows, from 0 to 1.",
        lambda run: _share(run, (taken <= min(EXCELLENT, run.facts.max_guesses) for taken in run.taken)),
        f"≤ {EXCELLENT}",
        ".2%",
        "higher",
    ),
    Metric(
        "solved",
        "The number of puzzles solved within the guesses that the game allows.",
        _solved,
        kind="whole",
        better="higher",
    ),
    Metric(
        "failed",
        "The number of puzzles not solved within the guesses that the game allows.",
        lambda run: len(run.plays) - _solved(run),
        kind="whole",
        better="lower",
    ),
    Metric(
        "failure",
        "The share of puzzles not solved within the guesses that the game allows, from 0 to 1.",
        lambda run: 1 - _solved(run) / len(run.plays),
        format=".2%",
        better="lower",
    ),
    Metric(
        "weighted_failure",
        "The share of the puzzles' weight that was not solved within the guesses that the game allows, from 0 to 1.",
        lambda run: _weighted(run, [play.outcome is not Outcome.SOLVED for play in run.plays]),
        format=".2%",
        better="lower",
        is_optional=True,
    ),
    Metric(
        "distribution",
        "The number of puzzles for each number of guesses, and of those that were never solved.",
        _distribution,
        kind="whole",
        prefix="took_",
    ),
    Metric("opener", "The most frequent first guess.", _opener, kind="text"),
    Metric(
        "opener_share",
        "The share of puzzles that began with the most frequent first guess, from 0 to 1.",
        _opener_share,
        "opener's share",
        ".2%",
    ),
    Metric("slowest", "Up to ten hidden words that took the most guesses.", _slowest, "took most", kind="text"),
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
        "lower",
        column="ms",
    ),
    Metric(
        "outcomes",
        "The number of plays for each outcome, except solved ones.",
        _outcomes,
        kind="whole",
        prefix="outcome_",
    ),
    Metric(
        "problem",
        "The message of the first play that ended because of an error of the strategy.",
        _problem,
        None,
        kind="text",
    ),
)
"""The bundled metrics, in the order of tables, JSON and data frames."""
