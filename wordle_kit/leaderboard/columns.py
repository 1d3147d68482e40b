"""The columns of metrics in tables and on pages, and distributions drawn as bars."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wordle_kit.errors import WordleKitError, listed, unknown
from wordle_kit.leaderboard.metrics import METRICS, Metric, Row, ranked_by
from wordle_kit.texts import line
from wordle_kit.tournaments.runs import RunFacts

BARS = "bars"
"""The column of a distribution's bars, whose header and cells depend on all rows."""

ALL = "all"
"""The name that stands for all columns."""

USUAL = ("strategy", "mean", "weighted_mean", BARS, "std", "max", "failed", "opener", "ms")
"""The default columns of tables and pages: those that fit a terminal. The metrics of plugins follow them."""

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


def columns_by_name(metrics: Sequence[Metric]) -> dict[str, Metric]:
    """Return the metrics that have a column, by its name, from left to right.

    If two have the same column, take the first.
    """
    columns: dict[str, Metric] = {}
    for metric in metrics:
        if metric.header is not None:
            columns.setdefault(metric.column, metric)
    return columns


def columns_in(rows: Sequence[Row]) -> dict[str, Metric]:
    """Return the metrics that have a column, by its name, without optional ones that none of these rows has."""
    return {
        name: metric
        for name, metric in columns_by_name(rows[0].metrics if rows else METRICS).items()
        if not metric.is_optional or any(row.figures[metric.name] is not None for row in rows)
    }


def check_columns(names: str | Sequence[str], metrics: Sequence[Metric] = METRICS) -> None:
    """Raise WordleKitError for an unknown column, and name the known ones."""
    known = (*columns_by_name(metrics), BARS, ALL)
    for name in listed(names):
        if name not in known:
            raise WordleKitError(unknown("column", name, known))


def asked_columns(names: str | Sequence[str], rows: Sequence[Row]) -> list[str]:
    """Return the requested columns, with `strategy` first; `all` stands for every column.

    Raises WordleKitError for an unknown column.
    """
    check_columns(names, rows[0].metrics if rows else METRICS)
    chosen = listed(names)
    return [*columns_in(rows), BARS] if ALL in chosen else list(dict.fromkeys(("strategy", *chosen)))


def default_columns(rows: Sequence[Row]) -> list[str]:
    """Return the default columns for these rows, including those of plugins.

    The weighted mean takes the place of the standard deviation. If the host hides no words and several games were
    played, the column of openers is left out, since the first guesses were given.
    """
    columns = columns_in(rows)
    given = any(not row.facts.hides_words and row.facts.n_puzzles > 1 for row in rows)
    left_out = {"opener": given, "std": "weighted_mean" in columns}
    usual = [name for name in USUAL if name in (BARS, *columns) and not left_out.get(name)]
    return usual + [name for name, metric in columns.items() if metric not in METRICS]


def table_of(rows: Sequence[Row], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the cells of all rows by header, with bars if they are among the columns."""
    heading, bars = drawn(rows) if BARS in names else ("", [""] * len(rows))
    columns = columns_by_name(rows[0].metrics if rows else METRICS)
    headers: dict[str, str] = {}
    for name in names:
        header = heading if name == BARS else line(str(columns[name].header))
        headers[f"{header} ({name})" if header in headers else header] = name  # a plugin may have taken the header
    return [
        {header: bar if name == BARS else columns[name].cell(row) for header, name in headers.items()}
        for row, bar in zip(rows, bars, strict=True)
    ]


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


def bars_of(rows: Sequence[Row]) -> list[list[Bar]]:
    """Return the bars of each row: one for each allowed number of guesses, one for more guesses, and one for unsolved.

    All rows have the same bars. The first bar is for the fewest guesses that any puzzle took. The bar for more guesses
    and the bar for unsolved puzzles are left out if no row has such puzzles.
    """
    if not rows:
        return []
    allowed = rows[0].facts.max_guesses
    more = f"{allowed + 1}+"
    counts = [Counter[str]() for _ in rows]
    for row, count in zip(rows, counts, strict=True):
        for turns, n in row.distribution.items():
            count[more if turns.isdigit() and int(turns) > allowed else turns] += n
    late = [label for label in (more, "unsolved") if any(label in count for count in counts)]
    labels = [*map(str, range(min(row.min for row in rows), allowed + 1)), *late]
    top = max(n for count in counts for n in count.values())
    return [[Bar(label, count[label], 100 * count[label] / top, label in late) for label in labels] for count in counts]


def drawn(rows: Sequence[Row]) -> tuple[str, list[str]]:
    """Return the heading of the bars in a table, and the bars of each row, one character per bar.

    The last bar is for all failures. It is left out if no row has failures.
    """
    every = bars_of(rows)
    if not every:
        return BARS, []
    allowed = [bar.label for bar in every[0] if not bar.is_failure]
    failed = len(allowed) < len(every[0])
    heading = f"{allowed[0]}-{allowed[-1]}" if allowed else str(rows[0].facts.max_guesses + 1)
    texts = []
    for row, bars in zip(rows, every, strict=True):
        counts = [bar.count for bar in bars[: len(allowed)]] + [sum(bar.count for bar in bars[len(allowed) :])] * failed
        texts.append("".join(_block(count / row.games) for count in counts))
    return heading + "+" * failed, texts


def _block(share: float) -> str:
    return HEIGHTS[min(math.ceil(share * STEPS), len(HEIGHTS)) - 1] if share else NONE
