"""The figures of a leaderboard's row as a page shows and sorts them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wordle_kit.leaderboard.columns import COLUMNS, are_weighted, cells
from wordle_kit.leaderboard.metrics import WEIGHTED, Row
from wordle_kit.texts import line

USUAL = (
    *("strategy", "mean", "weighted_mean", "distribution", "std", "median", "max", "failed"),
    *("over_perfect", "opener", "ms"),
)
"""The columns that a page shows by default."""

ORDER = (*USUAL, *(name for name in COLUMNS if name not in USUAL))
"""All columns, from left to right."""

SORTED_BY: Mapping[str, Callable[[Row], float | str | None]] = {
    "mean": lambda row: row.mean,
    "weighted_mean": lambda row: row.weighted_mean,
    "std": lambda row: row.std,
    "weighted_std": lambda row: row.weighted_std,
    "median": lambda row: row.median,
    "boards": lambda row: row.boards[0] if row.boards else None,
    "over_perfect": lambda row: row.over_perfect,
    "excellent": lambda row: row.excellent,
    "failure": lambda row: row.failure,
    "weighted_failure": lambda row: row.weighted_failure,
    "distribution": lambda row: row.mean,
    "opener_share": lambda row: row.opener_share,
    "openers": lambda row: max(row.openers.values(), default=None),
    "ms": lambda row: row.ms_per_decision,
    "outcomes": lambda row: sum(row.outcomes.values()),
}
"""The sort keys of columns whose cells are not plain numbers. None comes last in both directions."""


@dataclass(frozen=True)
class Cell:
    """A cell of the leaderboard: its text and its sort key."""

    column: str
    text: str
    value: str
    is_number: bool


def columns_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the columns of a page from left to right; weighted figures only if the rows have them."""
    return tuple(name for name in ORDER if name not in WEIGHTED or are_weighted(rows))


def cells_of(row: Row, columns: Sequence[str] = ORDER) -> list[Cell]:
    """Return a row's cells, one per column, from left to right."""
    made = []
    for name, text in zip(columns, cells(row, columns).values(), strict=True):
        value = SORTED_BY[name](row) if name in SORTED_BY else text
        shown = "" if text is None else line(str(text))
        made.append(Cell(name, shown, "" if value is None else line(str(value)), isinstance(value, int | float)))
    return made
