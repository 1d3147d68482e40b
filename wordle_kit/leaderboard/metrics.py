"""Metrics: the figures of a run. The columns of tables, files, data frames, pages and plots all come from one list.

To add a metric, add a function at the end of this file, or register a `Metric` in a plugin.
"""

import math
import numbers
import re
import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from wordle_kit.defaults import CONFIDENCE
from wordle_kit.errors import PluginError, WordleKitError
from wordle_kit.faults import send_traceback
from wordle_kit.plugins import Registrations, error_line, note
from wordle_kit.tables import MOST_WHOLE
from wordle_kit.texts import shown
from wordle_kit.tournaments.runs import INCONSISTENT, PARAM, Outcome, Play, RunFacts, StoredRun

EXCELLENT = 2
"""Liu (2022), II.B, calls a puzzle played excellently if it was solved with at most this many guesses."""

PAIRS = 4
SLOWEST = 10

STEPS = 256
"""The number of steps of Simpson's rule: enough for six decimals of the quantile."""

T = TypeVar("T", bound=Callable[[StoredRun], Any])

Interval = tuple[float, float]
Better = Literal["lower", "higher"]
FigureKind = Literal["real", "whole", "whole or none", "text"]

NAME = re.compile(r"[a-z][a-z0-9_]*")

TAKEN = {"all", "as_dict", "bars", "facts", "figures", "game", "hard_mode", "interval_high", "interval_low", "metrics"}
TAKEN |= {
    "fingerprint",
    "host",
    "ms",
    "puzzles",
    "puzzles_fingerprint",
    "rank",
    "secret",
    "seed",
    "source",
    "total",
    "versions",
}
"""Names that a metric cannot have, since tables, rows and data frames use them for something else."""

NUMBERED = ("board_", "outcome_", "took_", PARAM)
"""Prefixes of data frame columns that have parameters, or one of several values of a figure."""


@dataclass(frozen=True)
class Metric:
    """A figure of a run, as tables, files, data frames, pages and plots show it."""

    name: str
    """The name in JSON, in data frames and for `--columns`: lower-case letters, digits and _."""
    sentence: str
    """What the figure is, in one sentence."""
    compute: Callable[[StoredRun], Any]
    """Returns the figure of a run that has at least one play: a number, a text, or None if the run has no such figure.
    """
    header: str | None = ""
    """The header of the column, by default the name with spaces. With None, tables and pages do not show the metric."""
    format: "str | Callable[[Row], Any]" = ""
    """How a cell shows the figure: a format such as `.2%`, or a function from the row to the cell."""
    better: Better | None = None
    """Whether lower or higher figures are better. None if neither is."""
    kind: FigureKind = "real"
    """The type of the figure: `real`, `whole` or `text`, or `whole or none` if it is often missing."""
    column: str = ""
    """The name for `--columns`, if it differs from `name`."""
    after: str = ""
    """The column after which this one stands in tables. By default, it is the last."""
    is_optional: bool = False
    """Whether a missing figure is left out. If no row of a table has the figure, the table has no column for it."""
    prefix: str = ""
    """For a metric with a list of values: the prefix of its data frame columns, such as `took_` in `took_1`."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise WordleKitError(f"a metric is called {shown(self.name)}; use lower-case letters, digits and _")
        if self.name in TAKEN or self.name.startswith(NUMBERED):
            raise WordleKitError(f"a metric cannot be called {self.name!r}, which tables use for something else")
        if not callable(self.compute):
            raise WordleKitError(f"metric {self.name}: compute is {shown(self.compute)}; give a function of a run")
        if self.better not in (None, *get_args(Better)):
            raise WordleKitError(f"metric {self.name}: better is {shown(self.better)}; write 'lower', 'higher' or None")
        if self.kind not in get_args(FigureKind):
            raise WordleKitError(f"metric {self.name}: kind is {shown(self.kind)}; write one of {get_args(FigureKind)}")
        object.__setattr__(self, "column", self.column or self.name)
        object.__setattr__(self, "header", self.name.replace("_", " ") if self.header == "" else self.header)

    def of(self, run: StoredRun) -> Any:
        """Return the figure of a run, or None if the code of a plugin's metric fails. A failure is reported once."""
        return self._guarded(lambda: self._checked(self.compute(run)))

    def cell(self, row: "Row") -> Any:
        """Return the cell of a row: formatted text, or the plain number or text if the metric has no format."""
        figure = row.figures.get(self.name)
        if callable(self.format):
            made = self.format
            return self._guarded(lambda: made(row))
        spec = self.format
        if not spec:
            return figure
        return "" if figure is None else self._guarded(lambda: format(figure, spec))

    def sort_key(self, row: "Row") -> float | str | None:
        """Return the value by which a page sorts rows. None comes last in both directions."""
        figure: float | str | None = row.figures.get(self.name)
        return figure

    def columns(self, figure: Any) -> dict[str, Any]:
        """Return a figure as the columns of a data frame."""
        return {self.name: figure}

    def _checked(self, figure: Any) -> Any:
        """Return a figure as a plain value. Raises PluginError if it does not have the type that `kind` says."""
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
        """Return what `call` returns, or None if the code of a plugin fails."""
        try:
            return call()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) or self in METRICS:
                raise
            if self not in _reported:
                _reported.add(self)
                send_traceback(error)
                said = error_line(error, getattr(self.compute, "__module__", None) or "")
                note(f"metric {self.name}: {said}; it is shown as empty")
            return None


_reported: set[Metric] = set()
"""The metrics whose failures have been reported."""


@dataclass(frozen=True)
class Several(Metric):
    """A metric whose figure has several values: a list, or a dictionary by name."""

    between: str = " "
    """The text between the values when they are written as one text."""
    spread: Callable[[Any], dict[str, Any]] | None = None
    """Returns the values as columns of a data frame. With None, they are numbered columns or one text."""
    sorted_by: "Callable[[Row], float | str | None] | None" = None
    """Returns the value by which a page sorts rows, if it is not the cell."""

    def sort_key(self, row: "Row") -> float | str | None:
        """Return the value by which a page sorts rows."""
        return self.sorted_by(row) if self.sorted_by is not None else str(self.cell(row))

    def columns(self, figure: Any) -> dict[str, Any]:
        """Return the values as columns of a data frame. The columns of a list are numbered."""
        if self.spread is not None:
            return self.spread(figure)
        if not self.prefix:
            return {self.name: self.between.join(figure)}
        named = figure.items() if isinstance(figure, Mapping) else enumerate(figure, start=1)
        return {f"{self.prefix}{name}".replace(" ", "_"): value for name, value in named}

    def _checked(self, figure: Any) -> Any:
        return figure


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

    def as_dict(self) -> dict[str, Any]:
        """Return the row as a value that can be written as JSON. It leaves out optional figures that it does not have.

        After the figures come the strategy's parameters and the digest of its source.
        """
        shown = ((metric, self.figures[metric.name]) for metric in self.metrics)
        figures = {metric.name: figure for metric, figure in shown if figure is not None or not metric.is_optional}
        return figures | self.facts.param_columns | {"source": self.facts.source}


def row_of(
    run: StoredRun,
    metrics: Sequence[Metric] | None = None,
    confidence: float = CONFIDENCE,
    names: Collection[str] | None = None,
) -> Row:
    """Return the row of a run that has at least one play. `metrics` are those that it shows, by default the bundled.

    The bundled figures are computed even if they are not shown, since ranking and notes need them. `names` are the
    metrics to compute, by default all.
    """
    shown = METRICS if metrics is None else tuple(metrics)
    every = {metric.name: metric for metric in (*shown, *METRICS)}
    run = replace(run, confidence=confidence)
    figures = {name: metric.of(run) for name, metric in every.items() if names is None or name in names}
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


def first_pairs(plays: Iterable[Play]) -> list[tuple[str, int]]:
    """Return the pairs of first two guesses, each with the number of plays that have it, the most frequent first."""
    pairs = Counter(" ".join(play.guesses[:2]) for play in plays if len(play.guesses) > 1)
    return sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))


def ranked_by(facts: RunFacts) -> Literal["mean", "weighted_mean"]:
    """Return the figure by which strategies are ranked.

    It is the weighted mean if the puzzles are all answers of a game with weights. In a list of puzzles, every puzzle
    counts once.
    """
    return "weighted_mean" if facts.is_all and facts.weights is not None else "mean"


RANKING = ("strategy", "mean", "failed", "weighted_mean", "weighted_failure")
"""The metrics that `place_of` needs."""


def place_of(row: Row) -> tuple[float, float, str]:
    """Return the key that sorts rows, the best first: by mean guesses, failures and name."""
    if ranked_by(row.facts) == "weighted_mean" and row.weighted_mean is not None and row.weighted_failure is not None:
        return row.weighted_mean, row.weighted_failure, row.strategy
    return row.mean, row.failed, row.strategy


def mean_by_weight(weights: Sequence[float], values: Sequence[float]) -> float:
    """Return the sum of the values, each times its weight, divided by the sum of the weights, not all of them 0."""
    parts = (weight * value for weight, value in zip(weights, values, strict=True))
    return math.fsum(parts) / math.fsum(weights)


class Positions:
    """The positions that plays reached, by number. Equal positions have the same number. The start is number 0."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str, tuple[str, ...]], int] = {}
        self.steps: list[tuple[int, str, tuple[str, ...]]] = []
        """How each position from number 1 on was reached: the number of the position before, the guess and its
        feedback.
        """

    def reached_by(self, play: Play) -> list[int]:
        """Return the number of the position before each guess of a play, and then that of the position at its end."""
        return self._along(play.guesses, play.feedback)

    def decisions(self, plays: Iterable[Play]) -> dict[int, str]:
        """Return the guess made in each position that plays reached, by the position's number.

        Positions at the end of a play get no number. They are most of all, and would fill the memory for a whole class.
        """
        made: dict[int, str] = {}
        for play in plays:
            made.update(zip(self._along(play.guesses[:-1], play.feedback), play.guesses, strict=False))
        return made

    def _along(self, guesses: Sequence[str], feedback: Sequence[tuple[str, ...]]) -> list[int]:
        """Return the numbers of the start and of the position after each guess."""
        numbers = [0]
        for guess, seen in zip(guesses, feedback, strict=False):
            after = (numbers[-1], guess, seen)
            if after not in self._numbers:
                self.steps.append(after)
                self._numbers[after] = len(self.steps)
            numbers.append(self._numbers[after])
        return numbers


# Confidence intervals


def check_confidence(confidence: object) -> None:
    """Raise WordleKitError unless intervals can have this confidence level."""
    if isinstance(confidence, bool) or not isinstance(confidence, numbers.Real) or not 0.5 <= float(confidence) < 1:
        given = f"{confidence:g}" if isinstance(confidence, float) else shown(confidence)
        raise WordleKitError(f"confidence is {given}; give a number from 0.5 up to, but not including, 1")


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


# The bundled metrics, in the order of JSON and data frames. Each is a function, whose docstring is its sentence.

_bundled: list[Metric] = []


def _metric(header: str | None = "", made: type[Metric] = Metric, **fields: Any) -> Callable[[T], T]:
    """Return a decorator that adds a metric. The metric is named like the function, without the underscore."""

    def add(compute: T) -> T:
        _bundled.append(made(compute.__name__[1:], str(compute.__doc__), compute, header, **fields))
        return compute

    return add


@_metric(kind="text")
def _strategy(run: StoredRun) -> str:
    """The strategy's name, with the parameters that differ from those registered."""
    return run.facts.strategy


@_metric(kind="text")
def _version(run: StoredRun) -> str:
    """The strategy's version."""
    return run.facts.version


@_metric(kind="text")
def _plugin(run: StoredRun) -> str:
    """The plugin that the strategy comes from."""
    return run.facts.plugin


@_metric(kind="whole")
def _games(run: StoredRun) -> int:
    """The number of puzzles played."""
    return len(run.plays)


@_metric(kind="whole", better="higher")
def _solved(run: StoredRun) -> int:
    """The number of puzzles solved within the guesses that the game allows."""
    return sum(play.outcome is Outcome.SOLVED for play in run.plays)


@_metric(kind="whole", better="lower")
def _failed(run: StoredRun) -> int:
    """The number of puzzles not solved within the guesses that the game allows."""
    return len(run.plays) - _solved(run)


@_metric("total", kind="whole", better="lower", column="total", after="max")
def _total_guesses(run: StoredRun) -> int:
    """The sum of the guesses."""
    return sum(run.taken)


def _mean_cell(row: Row) -> str:
    """Return the mean, with the half-width of its confidence interval if the puzzles are a sample."""
    return f"{row.mean:.4f}" + (f" ± {(row.interval[1] - row.interval[0]) / 2:.4f}" if row.interval else "")


@_metric(format=_mean_cell, better="lower")
def _mean(run: StoredRun) -> float:
    """The mean number of guesses."""
    return sum(run.taken) / len(run.plays)


@_metric(
    None,
    made=Several,
    spread=lambda interval: dict(zip(("interval_low", "interval_high"), interval or (None, None), strict=True)),
)
def _interval(run: StoredRun) -> Interval | None:
    """The confidence interval of the mean, if the puzzles are a random sample that the strategy could play."""
    if not (run.facts.is_sample and works(run)):
        return None
    return interval_of_mean(run.taken, run.facts.population, run.confidence)


@_metric(format=".3f", better="lower")
def _std(run: StoredRun) -> float:
    """The standard deviation of the guesses, with divisor n."""
    n = len(run.plays)
    return math.sqrt(max(0.0, sum(taken * taken for taken in run.taken) / n - (sum(run.taken) / n) ** 2))


@_metric(kind="whole", better="lower")
def _min(run: StoredRun) -> int:
    """The fewest guesses."""
    return min(run.taken)


@_metric(format="g", better="lower")
def _median(run: StoredRun) -> float:
    """The median of the guesses."""
    return statistics.median(run.taken)


@_metric(kind="whole", better="lower")
def _max(run: StoredRun) -> int:
    """The most guesses."""
    return max(run.taken)


@_metric(format="+d", kind="whole or none", better="lower")
def _over_perfect(run: StoredRun) -> int | None:
    """The total of guesses minus that of perfect play, if that is known and all answers were played."""
    perfect = perfect_total(run.facts.fingerprint) if run.facts.is_all else None
    return None if perfect is None else sum(run.taken) - perfect


@_metric(
    "boards solved at",
    format=lambda row: " ".join(f"{turn:.3f}" for turn in row.boards),
    made=Several,
    better="lower",
    after="total",
    prefix="board_",
    sorted_by=lambda row: row.boards[0] if row.boards else None,
)
def _boards(run: StoredRun) -> list[float]:
    """The mean number of guesses to solve the first board (whichever it is), the second, and so on."""
    in_order = [turns_in_order(play, run.facts.cap) for play in run.plays]
    return [sum(turns) / len(run.plays) for turns in zip(*in_order, strict=True)]


@_metric(f"≤ {EXCELLENT}", format=".2%", better="higher")
def _excellent(run: StoredRun) -> float:
    """The share of puzzles solved with at most two guesses that the game allows, from 0 to 1."""
    return sum(taken <= min(EXCELLENT, run.facts.max_guesses) for taken in run.taken) / len(run.plays)


@_metric(format=".2%", better="lower")
def _failure(run: StoredRun) -> float:
    """The share of puzzles not solved within the guesses that the game allows, from 0 to 1."""
    return 1 - _solved(run) / len(run.plays)


@_metric(
    format=lambda row: _pairs(row.distribution),
    made=Several,
    kind="whole",
    prefix="took_",
    sorted_by=lambda row: row.mean,
)
def _distribution(run: StoredRun) -> dict[str, int]:
    """The number of puzzles for each number of guesses, and of those that were never solved."""
    counts = Counter(play.turns for play in run.plays if play.turns is not None)
    unsolved = sum(play.turns is None for play in run.plays)
    numbered = {str(turns): counts[turns] for turns in sorted(counts)}
    return numbered | ({"unsolved": unsolved} if unsolved else {})


@_metric(kind="text")
def _opener(run: StoredRun) -> str | None:
    """The most frequent first guess."""
    # Of equally frequent openers, the first in the alphabet.
    openers = Counter(play.guesses[0] for play in run.plays if play.guesses)
    return min(openers, key=lambda word: (-openers[word], word), default=None)


@_metric("opener's share", format=".2%")
def _opener_share(run: StoredRun) -> float:
    """The share of puzzles that began with the most frequent first guess, from 0 to 1."""
    opener = _opener(run)
    return sum(play.guesses[:1] == (opener,) for play in run.plays) / len(run.plays)


@_metric(
    "first two guesses",
    format=lambda row: ", ".join(f"{two} {share:.2%}" for two, share in row.openers.items()),
    made=Several,
    kind="text",
    between=", ",
    sorted_by=lambda row: max(row.openers.values(), default=None),
)
def _openers(run: StoredRun) -> dict[str, float]:
    """The four most frequent pairs of first guesses, with their share of the puzzles."""
    return {pair: count / len(run.plays) for pair, count in first_pairs(run.plays)[:PAIRS]}


@_metric("took most", made=Several, format=lambda row: " ".join(row.slowest), kind="text")
def _slowest(run: StoredRun) -> list[str]:
    """Up to ten hidden words that took the most guesses."""
    most = max(run.taken)
    slow = [", ".join(play.puzzle) for play, taken in zip(run.plays, run.taken, strict=True) if taken == most]
    return slow[:SLOWEST]


@_metric(kind="whole")
def _decisions(run: StoredRun) -> int:
    """The number of different positions decided; a stochastic strategy decides each of its guesses separately."""
    if run.facts.stochastic:  # counted so that it does not depend on workers and chunks
        return sum(len(play.guesses) + play.outcome.is_fault for play in run.plays)
    positions = Positions()
    decided: set[int] = set()
    for play in run.plays:
        reached = positions.reached_by(play)
        decided.update(reached if play.outcome.is_fault else reached[:-1])
    return len(decided)


@_metric(
    "ms each",
    format=lambda row: f"{row.ms_per_decision:.3f}" if row.ms_per_decision else "",
    better="lower",
    column="ms",
)
def _ms_per_decision(run: StoredRun) -> float:
    """Milliseconds per decision on the machine that played."""
    return 1000 * run.seconds / run.calls if run.calls else 0.0


@_metric(
    format=lambda row: _pairs(row.outcomes),
    made=Several,
    kind="whole",
    prefix="outcome_",
    sorted_by=lambda row: sum(row.outcomes.values()),
)
def _outcomes(run: StoredRun) -> dict[str, int]:
    """The number of plays for each outcome, except solved ones, and of those that are inconsistent."""
    outcomes = Counter(play.outcome.value for play in run.plays if play.outcome is not Outcome.SOLVED)
    outcomes.update(INCONSISTENT for play in run.plays if play.is_inconsistent)
    return dict(sorted(outcomes.items()))


@_metric(None, kind="text")
def _problem(run: StoredRun) -> str:
    """The message of the first play that ended because of an error of the strategy, or else is inconsistent."""
    faults = (play for play in run.plays if play.outcome.is_fault)
    first = next(faults, None) or next((play for play in run.plays if play.is_inconsistent), None)
    return f"{', '.join(first.puzzle)}: {first.message}" if first is not None else ""


@_metric(format=".4f", better="lower", after="mean", is_optional=True)
def _weighted_mean(run: StoredRun) -> float | None:
    """The mean in which each puzzle counts with its weight, if puzzles have weights."""
    return None if run.facts.weights is None else mean_by_weight(run.facts.weights, run.taken)


@_metric(format=".3f", better="lower", after="std", is_optional=True)
def _weighted_std(run: StoredRun) -> float | None:
    """The standard deviation of the guesses in which each puzzle counts with its weight."""
    weights = run.facts.weights
    if weights is None:
        return None
    mean = mean_by_weight(weights, run.taken)
    return math.sqrt(mean_by_weight(weights, [(taken - mean) ** 2 for taken in run.taken]))


@_metric(format=".2%", better="lower", after="failure", is_optional=True)
def _weighted_failure(run: StoredRun) -> float | None:
    """The share of the puzzles' weight that was not solved within the guesses that the game allows, from 0 to 1."""
    unsolved = [play.outcome is not Outcome.SOLVED for play in run.plays]
    return None if run.facts.weights is None else mean_by_weight(run.facts.weights, unsolved)


def _pairs(counts: Mapping[str, Any]) -> str:
    return " ".join(f"{name}:{count}" for name, count in counts.items())


METRICS: tuple[Metric, ...] = tuple(_bundled)
"""The bundled metrics, in the order of JSON and data frames."""
