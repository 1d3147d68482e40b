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
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from wordle_kit.defaults import CONFIDENCE
from wordle_kit.errors import PluginError, WordleKitError
from wordle_kit.faults import error_line, note
from wordle_kit.hookspecs import hookimpl
from wordle_kit.leaderboard.significance import Interval, interval_of_mean
from wordle_kit.registry import Registrations
from wordle_kit.texts import shown
from wordle_kit.tournaments.referee import LATE
from wordle_kit.tournaments.runs import Outcome, Play, RunFacts, StoredRun

EXCELLENT = 2
"""Liu (2022), II.B, calls a puzzle played excellently if it was solved with at most this many guesses."""

SLOWEST = 10

Better = Literal["lower", "higher"]
FigureKind = Literal["real", "whole", "text"]
Compute = TypeVar("Compute", bound=Callable[[StoredRun], Any])

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


# The bundled metrics, in the order of tables, JSON and data frames


_bundled: list[Metric] = []


def _metric(**fields: Any) -> Callable[[Compute], Compute]:
    """Return a decorator that makes a function a metric. The function's docstring is the sentence."""

    def add(compute: Compute) -> Compute:
        _bundled.append(Metric(compute.__name__.strip("_"), compute.__doc__ or "", compute, **fields))
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


def _mean_cell(row: Row) -> str:
    """Return the mean, with the half-width of its confidence interval if the puzzles are a sample."""
    return f"{row.mean:.4f}" + (f" ± {(row.interval_high - row.interval_low) / 2:.4f}" if row.interval else "")


@_metric(format=_mean_cell, better="lower")
def _mean(run: StoredRun) -> float:
    """The mean number of guesses."""
    return sum(run.taken) / len(run.plays)


@_metric(format=".4f", better="lower", is_optional=True)
def _weighted_mean(run: StoredRun) -> float | None:
    """The mean in which each puzzle counts with its weight, if puzzles have weights."""
    return None if run.facts.weights is None else mean_by_weight(run.facts.weights, run.taken)


def _interval(run: StoredRun) -> Interval | None:
    known = run.facts.is_sample and works(run)
    return interval_of_mean(run.taken, run.facts.population, run.confidence) if known else None


@_metric(header=None)
def _interval_low(run: StoredRun) -> float | None:
    """The lower end of the confidence interval of the mean, if the puzzles are a random sample."""
    return (_interval(run) or (None, None))[0]


@_metric(header=None)
def _interval_high(run: StoredRun) -> float | None:
    """The upper end of that interval."""
    return (_interval(run) or (None, None))[1]


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


@_metric(header="total", kind="whole", better="lower", column="total")
def _total_guesses(run: StoredRun) -> int:
    """The sum of the guesses."""
    return sum(run.taken)


def _boards_cell(row: Row) -> str:
    return " ".join(f"{turn:.3f}" for turn in row.boards.values())


@_metric(header="boards solved at", format=_boards_cell, better="lower", prefix="board_")
def _boards(run: StoredRun) -> dict[str, float]:
    """The mean number of guesses to solve the first board (whichever it is), the second, and so on."""
    in_order = [turns_in_order(play, run.facts.cap) for play in run.plays]
    return {str(n): sum(turns) / len(run.plays) for n, turns in enumerate(zip(*in_order, strict=True), start=1)}


@_metric(format="+d", kind="whole", better="lower")
def _over_perfect(run: StoredRun) -> int | None:
    """The total of guesses minus that of perfect play, if that is known and all answers were played."""
    perfect = perfect_total(run.facts.fingerprint) if run.facts.is_all else None
    return None if perfect is None else sum(run.taken) - perfect


@_metric(header=f"≤ {EXCELLENT}", format=".2%", better="higher")
def _excellent(run: StoredRun) -> float:
    """The share of puzzles solved with at most two guesses that the game allows, from 0 to 1."""
    return sum(taken <= min(EXCELLENT, run.facts.max_guesses) for taken in run.taken) / len(run.plays)


@_metric(kind="whole", better="higher")
def _solved(run: StoredRun) -> int:
    """The number of puzzles solved within the guesses that the game allows."""
    return sum(play.outcome is Outcome.SOLVED for play in run.plays)


@_metric(kind="whole", better="lower")
def _failed(run: StoredRun) -> int:
    """The number of puzzles not solved within the guesses that the game allows."""
    return len(run.plays) - _solved(run)


@_metric(format=".2%", better="lower")
def _failure(run: StoredRun) -> float:
    """The share of puzzles not solved within the guesses that the game allows, from 0 to 1."""
    return 1 - _solved(run) / len(run.plays)


@_metric(format=".2%", better="lower", is_optional=True)
def _weighted_failure(run: StoredRun) -> float | None:
    """The share of the puzzles' weight that was not solved within the guesses that the game allows, from 0 to 1."""
    failed = [play.outcome is not Outcome.SOLVED for play in run.plays]
    return None if run.facts.weights is None else mean_by_weight(run.facts.weights, failed)


@_metric(kind="whole", prefix="took_")
def _distribution(run: StoredRun) -> dict[str, int]:
    """The number of puzzles for each number of guesses, and of those that were never solved."""
    counts = Counter(play.turns for play in run.plays if play.turns is not None)
    unsolved = sum(play.turns is None for play in run.plays)
    return {str(turns): counts[turns] for turns in sorted(counts)} | ({"unsolved": unsolved} if unsolved else {})


@_metric(kind="text")
def _opener(run: StoredRun) -> str | None:
    """The most frequent first guess."""
    openers = Counter(play.guesses[0] for play in run.plays if play.guesses)
    return min(openers, key=lambda word: (-openers[word], word), default=None)


@_metric(header="opener's share", format=".2%")
def _opener_share(run: StoredRun) -> float:
    """The share of puzzles that began with the most frequent first guess, from 0 to 1."""
    opener = _opener(run)
    return sum(play.guesses[:1] == (opener,) for play in run.plays) / len(run.plays)


@_metric(header="took most", kind="text")
def _slowest(run: StoredRun) -> str:
    """Up to ten hidden words that took the most guesses."""
    most = max(run.taken)
    slow = [", ".join(play.puzzle) for play, taken in zip(run.plays, run.taken, strict=True) if taken == most]
    return ("; " if run.facts.boards > 1 else " ").join(slow[:SLOWEST])


@_metric(kind="whole")
def _decisions(run: StoredRun) -> int:
    """The number of different positions decided; a stochastic strategy decides each of its guesses separately."""
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


def _ms_cell(row: Row) -> str:
    return f"{row.ms_per_decision:.3f}" if row.ms_per_decision else ""


@_metric(header="ms each", format=_ms_cell, better="lower", column="ms")
def _ms_per_decision(run: StoredRun) -> float:
    """Milliseconds per decision on the machine that played."""
    return 1000 * run.seconds / run.calls if run.calls else 0.0


@_metric(kind="whole", prefix="outcome_")
def _outcomes(run: StoredRun) -> dict[str, int]:
    """The number of plays for each outcome, except solved ones."""
    outcomes = Counter(play.outcome.value for play in run.plays if play.outcome is not Outcome.SOLVED)
    return dict(sorted(outcomes.items()))


@_metric(header=None, kind="text")
def _problem(run: StoredRun) -> str:
    """The message of the first play that ended because of an error, and whether the strategy was not asked any more."""
    faults = (f"{', '.join(play.puzzle)}: {play.message}" for play in run.plays if play.outcome.is_fault)
    given_up = "; then " + LATE if any(play.message == LATE for play in run.plays) else ""
    return f"{next(faults, '')}{given_up}"


METRICS: tuple[Metric, ...] = tuple(_bundled)
"""The bundled metrics."""


@hookimpl
def register_metrics(register: Callable[[Metric], None]) -> None:
    """Register the bundled metrics."""
    for metric in METRICS:
        register(metric)
