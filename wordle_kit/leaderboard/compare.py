"""Comparisons: two strategies on identical puzzles."""

import dataclasses
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wordle_kit import notebook, tables
from wordle_kit.errors import WordleKitError
from wordle_kit.leaderboard.metrics import Interval, Weighted, interval_of_mean, turns_in_order, works
from wordle_kit.tournaments.runs import RunFacts, StoredRun

if TYPE_CHECKING:
    import pandas
    import polars


COLUMNS: dict[str, tables.Kind] = {
    "first": "text",
    "second": "text",
    "puzzles": "whole",
    "boards_solved": "whole or none",
    "wins": "whole",
    "ties": "whole",
    "losses": "whole",
    "mean_first": "real",
    "mean_second": "real",
    "mean_difference": "real",
    "interval_low": "real",
    "interval_high": "real",
}
"""The columns that the data frame of a comparison always has."""


@dataclass(frozen=True)
class HeadToHead:
    """The guesses that two strategies took, puzzle by puzzle."""

    wins: float
    """The number of puzzles on which the first strategy took fewer guesses; by weight, their share from 0 to 1."""
    ties: float
    losses: float
    mean_first: float
    mean_second: float
    mean_difference: float
    """The mean of the first strategy's guesses minus the second's; below zero, the first is better."""


@dataclass(frozen=True)
class Difference(HeadToHead):
    """The difference between the guesses that two strategies took, if all puzzles count the same."""

    interval: Interval | None
    """The 95% confidence interval of the mean; None unless the puzzles are a random sample that both could play.

    The difference between a strategy and itself is exact, too.
    """
    differences: dict[str, int]
    """The number of puzzles with each difference."""


@dataclass(frozen=True)
class Comparison(Difference):
    """The first strategy against the second: the guesses to finish, and to solve each board on the way."""

    first: str
    second: str
    puzzles: int
    boards: tuple[Difference, ...]
    """With several boards, the guesses to solve the first of them (whichever it is), then the second, and so on."""
    weighted: HeadToHead | None
    """The same figures by weight; None if all puzzles count the same."""

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as a value for JSON; it has `weighted` only if puzzles have weights."""
        made = dataclasses.asdict(self)
        names = {name: made.pop(name) for name in ("first", "second", "puzzles")}
        if self.weighted is None:
            del made["weighted"]
        return names | made

    def columns(self) -> tables.Columns:
        """Return the columns of a data frame: a row for all boards and, with several, one for each number solved."""
        value = self.as_dict()
        names = {name: value[name] for name in ("first", "second", "puzzles")}
        rows = []
        for number, each in enumerate((value, *value["boards"])):
            low, high = each["interval"] or (None, None)
            row = names | {"boards_solved": number or None, "interval_low": low, "interval_high": high}
            row |= {name: figure for name, figure in each.items() if name in COLUMNS and name not in names}
            rows.append(row | {f"difference_{by}": count for by, count in each["differences"].items()})
        weighted = {f"weighted_{name}": figure for name, figure in value.get("weighted", {}).items()}
        rows[0] |= weighted
        counts: dict[str, tables.Kind] = dict.fromkeys(
            (name for row in rows for name in row if name.startswith("difference_")), "whole"
        )
        return tables.columns_of(rows, COLUMNS | tables.in_order(counts) | dict.fromkeys(weighted, "real"))

    def _repr_html_(self) -> str:
        """Return the form that notebooks show."""
        return notebook.table(rows_of(self))

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a pandas data frame: a row for all boards, then one per solved board. Needs the extra `pandas`."""
        return tables.to_pandas(self.columns())

    def to_polars(self) -> "polars.DataFrame":
        """Return a polars data frame: a row for all boards, then one per solved board. Needs the extra `polars`."""
        return tables.to_polars(self.columns())


def compare(first: StoredRun, second: StoredRun) -> Comparison:
    """Return the comparison of two runs. Raises WordleKitError unless they played the same puzzles of the same game."""
    here, there = first.facts, second.facts
    if (here.fingerprint, here.puzzles_fingerprint) != (there.fingerprint, there.puzzles_fingerprint):
        raise WordleKitError(f"{here.strategy} and {there.strategy} have not played the same puzzles of the same game")
    weighted = None
    if here.weights is not None:
        mean = Weighted(here.weights).mean
        weighted = _head_to_head(first.taken, second.taken, mean, mean)
    is_estimate = here.is_sample and here.strategy != there.strategy and works(first) and works(second)
    boards = []
    if here.boards > 1:
        for mine, other in zip(_by_board(first), _by_board(second), strict=True):
            boards.append(_difference(mine, other, here, is_estimate))
    return Comparison(
        **vars(_difference(first.taken, second.taken, here, is_estimate)),
        first=here.strategy,
        second=there.strategy,
        puzzles=len(first.plays),
        boards=tuple(boards),
        weighted=weighted,
    )


def rows_of(comparison: Comparison) -> list[dict[str, Any]]:
    """Return a comparison as rows of a table: one, or with several boards one for each number of solved boards."""
    names = {"first": comparison.first, "second": comparison.second, "puzzles": comparison.puzzles}
    if comparison.boards:
        return [names | {"boards solved": i} | _cells(each) for i, each in enumerate(comparison.boards, start=1)]
    cells, weighted = _cells(comparison), comparison.weighted
    if weighted is not None:
        differences = cells.pop("differences")  # the last column
        cells["weighted difference"] = signed(weighted.mean_difference)
        cells |= {f"{each} by weight": f"{getattr(weighted, each):.2%}" for each in ("wins", "ties", "losses")}
        cells["differences"] = differences
    return [names | cells]


def signed(difference: float) -> str:
    """Return a difference of means with its sign and four decimals; a difference that rounds to 0 is +0.0000."""
    return f"{round(difference, 4) + 0.0:+.4f}"


def _by_board(run: StoredRun) -> Iterator[Sequence[int]]:
    """Yield the guesses that all plays took to solve the first board, then the second, and so on."""
    return zip(*(turns_in_order(play, run.facts.cap) for play in run.plays), strict=True)


def _difference(first: Sequence[int], second: Sequence[int], facts: RunFacts, is_estimate: bool) -> Difference:
    differences = [one - other for one, other in zip(first, second, strict=True)]
    counts = Counter(differences)
    return Difference(
        **vars(_head_to_head(first, second, sum, statistics.fmean)),
        interval=interval_of_mean(differences, facts.population) if is_estimate else None,
        differences={f"{d:+d}" if d else "0": counts[d] for d in sorted(counts)},
    )


def _head_to_head(
    first: Sequence[int], second: Sequence[int], count: Callable[[list[bool]], float], mean: Callable[..., float]
) -> HeadToHead:
    differences = [one - other for one, other in zip(first, second, strict=True)]
    wins, ties = [d < 0 for d in differences], [d == 0 for d in differences]
    losses = [d > 0 for d in differences]
    return HeadToHead(count(wins), count(ties), count(losses), mean(first), mean(second), mean(differences))


def _cells(difference: Difference) -> dict[str, Any]:
    """Return the cells of a difference in a table."""
    interval = difference.interval
    return {
        "wins": difference.wins,
        "ties": difference.ties,
        "losses": difference.losses,
        "mean of first": f"{difference.mean_first:.4f}",
        "mean of second": f"{difference.mean_second:.4f}",
        "mean difference": signed(difference.mean_difference),
        **({"interval": " to ".join(map(signed, interval))} if interval else {}),
        "differences": ", ".join(f"{key}: {count}" for key, count in difference.differences.items()),
    }
