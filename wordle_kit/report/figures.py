"""The figures of a leaderboard's row as a page shows and sorts them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wordle_kit.leaderboard.columns import COLUMNS, cells
from wordle_kit.leaderboard.metrics import Row
from wordle_kit.texts import line

USUAL = ("strategy", "mean", "distribution", "std", "median", "max", "failed", "over_perfect", "opener", "ms")
"""The columns that a page shows by default."""

ORDER = (*USUAL, *(name for name in COLUMNS if name not in USUAL))
"""All columns, from left to right."""

SORTED_BY: Mapping[str, Callable[[Row], float | str | None]] = {
    "mean": lambda row: row.mean,
    "std": lambda row: row.std,
    "median": lambda row: row.median,
    "boards": lambda row: row.boards[0] if row.boards else None,
    "over_perfect": lambda row: row.over_perfect,
    "excellent": lambda row: row.excellent,
    "failure": lambda row: row.failure,
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


def cells_of(row: Row) -> list[Cell]:
    """Return a row's cells, one per column, from left to right."""
    made = []
    for name, text in zip(ORDER, cells(row, ORDER).values(), strict=True):
        value = SORTED_BY[name](row) if name in SORTED_BY else text
        shown = "" if text is None else line(str(text))
        made.append(Cell(name, shown, "" if value is None else line(str(value)), isinstance(value, int | float)))
    return made
