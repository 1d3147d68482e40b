"""The columns that a leaderboard's table can have, by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wordle_kit.arguments import listed
from wordle_kit.errors import WordleKitError
from wordle_kit.leaderboard.bars import drawn
from wordle_kit.leaderboard.metrics import WEIGHTED, Row
from wordle_kit.names import unknown
from wordle_kit.tournaments.runs import RunFacts

COLUMNS: Mapping[str, tuple[str, Callable[[Row], Any]]] = {
    "strategy": ("strategy", lambda row: row.strategy),
    "version": ("version", lambda row: row.version),
    "plugin": ("plugin", lambda row: row.plugin),
    "games": ("games", lambda row: row.games),
    "solved": ("solved", lambda row: row.solved),
    "failed": ("failed", lambda row: row.failed),
    "mean": ("mean", lambda row: _mean(row)),
    "weighted_mean": ("weighted mean", lambda row: _if_weighted(row.weighted_mean, ".4f")),
    "std": ("std", lambda row: f"{row.std:.3f}"),
    "weighted_std": ("weighted std", lambda row: _if_weighted(row.weighted_std, ".3f")),
    "min": ("min", lambda row: row.min),
    "median": ("median", lambda row: f"{row.median:g}"),
    "max": ("max", lambda row: row.max),
    "total": ("total", lambda row: row.total_guesses),
    "boards": ("boards solved at", lambda row: " ".join(f"{turn:.3f}" for turn in row.boards)),
    "over_perfect": ("over perfect", lambda row: "" if row.over_perfect is None else f"+{row.over_perfect}"),
    "excellent": ("≤ 2", lambda row: f"{row.excellent:.2%}"),
    "failure": ("failure", lambda row: f"{row.failure:.2%}"),
    "weighted_failure": ("weighted failure", lambda row: _if_weighted(row.weighted_failure, ".2%")),
    "distribution": ("distribution", lambda row: _pairs(row.distribution)),
    "opener": ("opener", lambda row: row.opener),
    "opener_share": ("opener's share", lambda row: f"{row.opener_share:.2%}"),
    "openers": ("first two guesses", lambda row: ", ".join(f"{two} {share:.2%}" for two, share in row.openers.items())),
    "slowest": ("took most", lambda row: " ".join(row.slowest)),
    "decisions": ("decisions", lambda row: row.decisions),
    "ms": ("ms each", lambda row: f"{row.ms_per_decision:.3f}" if row.ms_per_decision else ""),
    "outcomes": ("outcomes", lambda row: _pairs(row.outcomes)),
}
"""The header and the cell of each column."""

BARS = "bars"
"""The column of a distribution's bars, whose header and cells depend on all rows."""

NAMES = (*COLUMNS, BARS)
"""All columns."""

ALL = "all"
"""The name that stands for all columns."""

USUAL = ("strategy", "mean", BARS, "std", "max", "failed", "opener", "ms")
"""The default columns of a table: those that fit a terminal."""

IN_FILES = (
    *("strategy", "mean", "std", "min", "median", "max", "total", "excellent", "failure"),
    *("opener", "decisions", "ms"),
)
"""The columns of a leaderboard in a file."""


BESIDE = {"mean": "weighted_mean", "failure": "weighted_failure"}
"""The weighted figures that default columns have beside them if puzzles have weights."""


def check_columns(names: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names, with `strategy` first; `all` is every column.

    Raises WordleKitError for an unknown column, naming the known ones.
    """
    names = listed(names)
    if ALL in names:
        return NAMES
    for name in names:
        if not isinstance(name, str) or name not in NAMES:
            raise WordleKitError(unknown("column", name, (*NAMES, ALL)))
    return ("strategy", *(name for name in names if name != "strategy"))


def cells(row: Row, names: Sequence[str]) -> dict[str, Any]:
    """Return the cells of a row by header."""
    return {COLUMNS[name][0]: COLUMNS[name][1](row) for name in names}


def are_weighted(rows: Sequence[Row]) -> bool:
    """Return whether rows have weighted figures."""
    return any(row.weighted_mean is not None for row in rows)


def default_columns(names: Sequence[str], rows: Sequence[Row], facts: RunFacts) -> tuple[str, ...]:
    """Return default columns for these rows: with weighted figures beside the others if the rows have them.

    Openers are left out if several first guesses were given, so that they are not the strategies' own.
    """
    if facts.host != "hidden" and facts.n_puzzles > 1:
        names = [name for name in names if name != "opener"]
    if not are_weighted(rows):
        return tuple(names)
    return tuple(each for name in names for each in (name, BESIDE.get(name)) if each is not None)


def asked_columns(names: str | Sequence[str], rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the requested columns; `all` has weighted figures only if the rows have them."""
    asked = check_columns(names)
    return asked if asked != NAMES or are_weighted(rows) else tuple(name for name in asked if name not in WEIGHTED)


def table_of(rows: Sequence[Row], names: Sequence[str], max_guesses: int) -> list[dict[str, Any]]:
    """Return the cells of all rows by header, with bars if they are among the columns."""
    heading, bars = drawn(rows, max_guesses) if BARS in names else ("", [""] * len(rows))
    table = []
    for row, bar in zip(rows, bars, strict=True):
        made: dict[str, Any] = {}
        for name in names:
            made |= {heading: bar} if name == BARS else cells(row, [name])
        table.append(made)
    return table


def _if_weighted(figure: float | None, form: str) -> str:
    return "" if figure is None else format(figure, form)


def _mean(row: Row) -> str:
    """Return the mean, with the half-width of its confidence interval if the puzzles are a sample."""
    return f"{row.mean:.4f}" + (f" ± {(row.interval[1] - row.interval[0]) / 2:.4f}" if row.interval else "")


def _pairs(counts: Mapping[str, int]) -> str:
    return " ".join(f"{name}:{count}" for name, count in counts.items())
