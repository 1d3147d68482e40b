"""Distributions as bars, the same bars for every row of a leaderboard, so that rows can be compared."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wordle_kit.leaderboard.metrics import Row

HEIGHTS = "▁▂▃▄▅▆▇█"
NONE = "·"
"""The character for a bar without puzzles in a table."""

STEPS = 16
"""An eighth of a line's height stands for one puzzle in this many, so the highest bar stands for half of them."""

MOST_BARS = 12
"""The most bars in a table, apart from the one for failures. Neighbouring bars are merged if there are more."""


@dataclass(frozen=True)
class Bar:
    """A bar of a distribution: a number of guesses, or a label for several, and how many puzzles took it."""

    label: str
    count: int
    height: float
    """As a percentage of the highest bar of all rows."""
    is_failure: bool


def bars_of(rows: Sequence[Row], max_guesses: int) -> list[list[Bar]]:
    """Return the bars of each row: one for each allowed number of guesses, one for more guesses, and one for unsolved.

    All rows have the same bars, beginning with the fewest guesses that any puzzle took. The last two are left out if no
    row has such puzzles.
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

    All failures share the last bar, which is left out if no row has failures.
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
