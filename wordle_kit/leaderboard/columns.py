"""The columns of metrics in tables and on pages, and distributions drawn as bars."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wordle_kit.arguments import listed
from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.leaderboard.metrics import METRICS, Metric, Row, ranked_by
from wordle_kit.texts import line
from wordle_kit.tournaments.runs import RunFacts

BARS = "bars"
"""The column of a distribution's bars, whose header and cells depend on all rows."""

ALL = "all"
"""The name that stands for all columns."""

USUAL = ("strategy", "mean", BARS, "std", "max", "failed", "opener", "ms")
"""The default columns of a table: those that fit a terminal. The metrics of plugins follow them."""

IN_FILES = (
    *("strategy", "mean", "std", "min", "median", "max", "total", "excellent", "failure"),
    *("opener", "decisions", "ms"),
)
"""The default columns of a leaderboard in a file."""

ON_PAGES = (
    *("strategy", "mean", "weighted_mean", "distribution", "std", "median", "max", "failed"),
    *("over_perfect", "opener", "ms"),
)
"""The default columns of a page."""

BESIDE = {"mean": "weighted_mean", "failure": "weighted_failure"}
"""The weighted figure that follows each of these default columns if puzzles have weights."""

WEIGHTED_FIRST = (
    "Strategies are ranked by the weighted mean, in which each answer counts with its weight: the number of guesses to "
    "expect. In the other figures, each answer counts once."
)
WEIGHTED_BESIDE = (
    "In weighted figures, each puzzle counts with the weight of its answer. In the others, by which strategies are "
    "ranked, it counts once."
)

HEIGHTS = "▁▂▃▄▅▆▇█"
NONE = "·"
"""The character for a bar without puzzles in a table."""

STEPS = 16
"""An eighth of a line's height stands for a sixteenth of the puzzles, so the highest bar stands for half of them."""

MOST_BARS = 12
"""The most bars in a table, apart from the one for failures. Neighbouring bars are merged if there are more."""


def columns_of(metrics: Sequence[Metric] = METRICS) -> dict[str, Metric]:
    """Return the metrics that have a column, by its name, from left to right.

    If two have the same column, take the first.
    """
    columns: dict[str, Metric] = {}
    for metric in metrics:
        if metric.header is not None:
            columns.setdefault(metric.column, metric)
    order = [name for name, metric in columns.items() if not metric.after]
    return {name: columns[name] for name in _with(order, [metric for metric in metrics if metric.after])}


def _with(names: Sequence[str], metrics: Sequence[Metric]) -> list[str]:
    """Return names of columns with those of these metrics added, each after the column that it follows or last."""
    order = list(names)
    for metric in metrics:
        if metric.header is not None and metric.column not in order:
            order.insert(order.index(metric.after) + 1 if metric.after in order else len(order), metric.column)
    return order


def check_columns(names: str | Sequence[str], metrics: Sequence[Metric] = METRICS) -> tuple[str, ...]:
    """Return the names of columns, with `strategy` first; `all` stands for every column.

    Raises WordleKitError for an unknown column, and names the known ones.
    """
    names = listed(names)
    known = (*columns_of(metrics), BARS)
    if ALL in names:
        return known
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise WordleKitError(unknown("column", name, (*known, ALL)))
    return tuple(name for name in dict.fromkeys(("strategy", *names)) if name in known)


def columns_in(rows: Sequence[Row]) -> dict[str, Metric]:
    """Return the metrics that have a column, by its name, without optional ones that none of these rows has."""
    return {
        name: metric
        for name, metric in columns_of(rows[0].metrics if rows else METRICS).items()
        if not metric.is_optional or any(row.figures[metric.name] is not None for row in rows)
    }


def further_columns(rows: Sequence[Row]) -> list[Metric]:
    """Return the metrics of plugins that default tables show too."""
    return [metric for metric in columns_in(rows).values() if metric not in METRICS]


def cells(row: Row, names: Sequence[str]) -> dict[str, Any]:
    """Return the cells of a row by header."""
    columns = columns_of(row.metrics)
    return {_header(columns[name]): columns[name].cell(row) for name in names}


def are_weighted(rows: Sequence[Row]) -> bool:
    """Return whether the rows have weighted figures."""
    return any(row.weighted_mean is not None for row in rows)


def default_columns(names: Sequence[str], rows: Sequence[Row], facts: RunFacts) -> tuple[str, ...]:
    """Return the default columns for these rows, including those of plugins.

    If the rows have weighted figures, these follow the others. If the host hides no words and several games were
    played, the column of openers is left out, since the first guesses were given.
    """
    if not facts.hides_words and facts.n_puzzles > 1:
        names = [name for name in names if name != "opener"]
    if are_weighted(rows):
        names = [each for name in names for each in (name, BESIDE.get(name)) if each is not None]
    known = (*columns_of(rows[0].metrics if rows else METRICS), BARS)
    return tuple(_with([name for name in names if name in known], further_columns(rows)))


def asked_columns(names: str | Sequence[str], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the requested columns. With `all`, optional figures have a column only if a row has them."""
    metrics = rows[0].metrics if rows else METRICS
    return (*columns_in(rows), BARS) if ALL in listed(names) else check_columns(names, metrics)


def table_of(rows: Sequence[Row], names: Sequence[str], max_guesses: int) -> list[dict[str, Any]]:
    """Return the cells of all rows by header, with bars if they are among the columns."""
    heading, bars = drawn(rows, max_guesses) if BARS in names else ("", [""] * len(rows))
    columns = columns_of(rows[0].metrics if rows else METRICS)
    table = []
    for row, bar in zip(rows, bars, strict=True):
        made: dict[str, Any] = {}
        for name in names:
            header = heading if name == BARS else _header(columns[name])
            shown = header if header not in made else f"{header} ({name})"  # a plugin may have taken the header
            made[shown] = bar if name == BARS else columns[name].cell(row)
        table.append(made)
    return table


def _header(metric: Metric) -> str:
    return line(str(metric.header))


def weighted_note(facts: RunFacts) -> str:
    """Return a note that says how to read weighted figures, or an empty text if there are none."""
    if facts.weights is None:
        return ""
    return WEIGHTED_FIRST if ranked_by(facts) == "weighted_mean" else WEIGHTED_BESIDE


@dataclass(frozen=True)
class Bar:
    """A bar of a distribution: the number of puzzles that took a number of guesses, or took what its label says."""

    label: str
    count: int
    height: float
    """The height as a percentage of the highest bar of all rows."""
    is_failure: bool


def bars_of(rows: Sequence[Row], max_guesses: int) -> list[list[Bar]]:
    """Return the bars of each row: one for each allowed number of guesses, one for more guesses, and one for unsolved.

    All rows have the same bars. The first bar is for the fewest guesses that any puzzle took. The bar for more guesses
    and the bar for unsolved puzzles are left out if no row has such puzzles.
    """
    counts = [_counts(row, max_guesses) for row in rows]
    labels = [str(turns) for turns in range(min((row.min for row in rows), default=1), max_guesses + 1)]
    late = [label for label in (f"{max_guesses + 1}+", "unsolved") if any(count.get(label) for count in counts)]
    top = max((n for count in counts for n in count.values()), default=0)
    return [
        [
            Bar(label, count.get(label, 0), 100 * count.get(label, 0) / top if top else 0.0, label in late)
            for label in (*labels, *late)
        ]
        for count in counts
    ]


def _counts(row: Row, max_guesses: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for turns, count in row.distribution.items():
        late = turns.isdigit() and int(turns) > max_guesses
        label = f"{max_guesses + 1}+" if late else turns
        counts[label] = counts.get(label, 0) + count
    return counts


def drawn(rows: Sequence[Row], max_guesses: int) -> tuple[str, list[str]]:
    """Return the heading of the bars in a table, and the bars of each row, one character per bar.

    The last bar is for all failures. It is left out if no row has failures.
    """
    every = bars_of(rows, max_guesses)
    if not every:
        return "", []
    allowed = [bar.label for bar in every[0] if not bar.is_failure]
    width = math.ceil(len(allowed) / MOST_BARS) or 1
    failed = any(bar.is_failure for bar in every[0])
    counts = []
    for bars in every:
        solved = [bar.count for bar in bars if not bar.is_failure]
        together = [sum(solved[at : at + width]) for at in range(0, len(solved), width)]
        counts.append(together + ([sum(bar.count for bar in bars if bar.is_failure)] if failed else []))
    heading = f"{allowed[0]}-{allowed[-1]}" if allowed else str(max_guesses + 1)
    heading += "+" if failed else ""
    return heading, ["".join(_block(count / sum(row)) for count in row) for row in counts]


def _block(share: float) -> str:
    return HEIGHTS[min(math.ceil(share * STEPS), len(HEIGHTS)) - 1] if share else NONE
