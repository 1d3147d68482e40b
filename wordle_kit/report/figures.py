"""The figures of a leaderboard's row as a page shows and sorts them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wordle_kit.leaderboard.columns import COLUMNS, cells
from wordle_kit.leaderboard.metrics import Row
from wordle_kit.texts import line

USUAL = ("strategy", "mean", "distribution", "std", "median", "max", "failed", "over_perfect", "opener", "ms")
"""The columns of a page until its reader chooses others."""

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
"""What sorts a column whose cells are not numbers by themselves. None comes last, in either direction."""


@dataclass(frozen=True)
class Cell:
    """A cell of the leaderboard: its text and what sorts it."""

    column: str
    text: str
    value: str
    is_number: bool


@dataclass(frozen=True)
class Bar:
    """A bar of a distribution: a number of guesses, or what stands for several, and how many puzzles took it."""

    label: str
    count: int
    height: float
    """In per cent of the highest bar of the page."""
    is_failure: bool


def cells_of(row: Row) -> list[Cell]:
    """Return a row's cells, one a column, from left to right."""
    made = []
    for name, text in zip(ORDER, cells(row, ORDER).values(), strict=True):
        value = SORTED_BY[name](row) if name in SORTED_BY else text
        shown = "" if text is None else line(str(text))
        made.append(Cell(name, shown, "" if value is None else line(str(value)), isinstance(value, int | float)))
    return made


def bars_of(rows: Sequence[Row], max_guesses: int) -> list[list[Bar]]:
    """Return the bars of each row: a bar for each number of guesses that is allowed, those after, and unsolved.

    All rows have the same bars, from the fewest guesses that any puzzle took. The last two are there if any row has
    such puzzles.
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
