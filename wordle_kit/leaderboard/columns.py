"""The columns of a leaderboard's table with their cells, and the columns of its data frame."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from wordle_kit.errors import WordleKitError, listed, unknown
from wordle_kit.leaderboard.metric import Metric
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.leaderboard.rows import Row
from wordle_kit.tables import Column, ColumnKind, Columns, column_of, columns_of, sorted_by_number
from wordle_kit.texts import one_line
from wordle_kit.tournaments.runs import ORIGIN

PLAYED: dict[str, ColumnKind] = {"game": "text", "hard_mode": "truth", "puzzles": "text"}
"""The first columns of a data frame."""

BARS = "bars"
"""The column with bars of the distribution, whose header and cells depend on all rows."""

ALL = "all"
"""The name that selects all columns."""

HEIGHTS = "▁▂▃▄▅▆▇█"
NONE = "·"
"""The character for a bar without puzzles."""

STEPS = 16
"""An eighth of a line's height is a sixteenth of the puzzles, so the highest bar means half of them or more."""


def check_columns(names: str | Sequence[str], metrics: Sequence[Metric] = METRICS) -> None:
    """Raise WordleKitError, which names the known columns, for an unknown one."""
    known = (*(metric.name for metric in metrics if metric.header is not None), BARS, ALL)
    for name in listed(names):
        if name not in known:
            raise WordleKitError(unknown("column", name, known))


def table_rows(
    rows: Sequence[Row], names: str | Sequence[str] | None = None, has_bars: bool = True
) -> list[dict[str, Any]]:
    """Return the cells of all rows by header.

    `names` are the columns after `strategy`, or `all`. Without names, the default columns are returned, with bars or
    without. Raises WordleKitError for an unknown column.
    """
    if not rows:
        return []
    metrics = {metric.name: metric for metric in rows[0].metrics if metric.header is not None}
    every = {
        name: metric
        for name, metric in metrics.items()
        if not metric.is_optional or any(row.figures[name] is not None for row in rows)
    }
    if names is None:
        columns = [name for name in _default_columns(every) if name != BARS or has_bars]
    else:
        check_columns(names, rows[0].metrics)
        columns = [*every, BARS] if ALL in listed(names) else list(dict.fromkeys(("strategy", *listed(names))))
    heading, bars = bars_of(rows)
    table: list[dict[str, Any]] = [{} for _ in rows]
    for name in columns:
        header = heading if name == BARS else one_line(str(metrics[name].header))
        header = f"{header} ({name})" if header in table[0] else header  # a plugin may have taken the header
        for cells, row, bar in zip(table, rows, bars, strict=True):
            cells[header] = bar if name == BARS else metrics[name].cell(row)
    return table


def _default_columns(columns: Mapping[str, Metric]) -> list[str]:
    """Return the columns that tables show by default, with bars after the means.

    The weighted mean replaces the standard deviation.
    """
    has_weights = "weighted_mean" in columns
    chosen = [name for name, metric in columns.items() if metric.by_default and not (has_weights and name == "std")]
    chosen.insert(2 + has_weights, BARS)
    return chosen


def frame_columns(rows: Sequence[Row]) -> Columns:
    """Return rows as the columns of a data frame: what was played, figures, parameters, and where figures come from."""
    columns = {name: Column(kind, [getattr(row.facts, name) for row in rows]) for name, kind in PLAYED.items()}
    for metric in rows[0].metrics if rows else ():
        figures = [row.figures[metric.name] for row in rows]
        if metric.prefix:
            parts = [
                {f"{metric.prefix}{name}".replace(" ", "_"): value for name, value in (figure or {}).items()}
                for figure in figures
            ]
            names = {name for part in parts for name in part}
            kinds = {name: column_of([part[name] for part in parts if name in part]).kind for name in names}
            columns |= columns_of(parts, sorted_by_number(kinds))
        elif any(figure is not None for figure in figures):
            columns[metric.name] = column_of(figures)
        elif not metric.is_optional:
            columns[metric.name] = Column("real", figures)
    others = [row.facts.param_columns | row.facts.origin for row in rows]
    parameters = sorted({name for row in rows for name in row.facts.param_columns})
    return columns | {name: column_of([other.get(name) for other in others]) for name in (*parameters, *ORIGIN)}


def bars_of(rows: Sequence[Row]) -> tuple[str, list[str]]:
    """Return the heading of the bars in a table, and the bars of each row, one character per bar.

    There is a bar for each allowed number of guesses, from the fewest that any puzzle took, and one for all failures
    if any row has them.
    """
    allowed = rows[0].facts.max_guesses
    counts = [Counter[int]() for _ in rows]
    for row, count in zip(rows, counts, strict=True):
        for turns, puzzles in row.distribution.items():
            count[min(int(turns), allowed + 1) if turns.isdigit() else allowed + 1] += puzzles
    first, last = min(map(min, counts)), allowed + any(allowed + 1 in count for count in counts)
    heading = f"{first}-{allowed}" if first <= allowed else str(first)
    texts = [
        "".join(_block(count[turns] / row.games) for turns in range(first, last + 1))
        for row, count in zip(rows, counts, strict=True)
    ]
    return heading + "+" * (last > allowed), texts


def _block(share: float) -> str:
    return HEIGHTS[min(math.ceil(share * STEPS), len(HEIGHTS)) - 1] if share else NONE
