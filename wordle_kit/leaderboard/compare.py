"""Comparisons: strategies on identical puzzles, in pairs, and whether their difference is more than luck."""

import itertools
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from wordle_kit import tables
from wordle_kit.defaults import CONFIDENCE
from wordle_kit.errors import WordleKitError
from wordle_kit.leaderboard.metrics import mean_by_weight, turns_in_order, works
from wordle_kit.leaderboard.significance import Interval, holm, interval_of_mean, sign_flip_p_value
from wordle_kit.tournaments.runs import RunFacts, StoredRun

if TYPE_CHECKING:
    import pandas
    import polars


FIGURES: dict[str, tables.ColumnKind] = {
    **dict.fromkeys(("first", "second"), "text"),
    **dict.fromkeys(("puzzles", "boards_solved", "wins", "ties", "losses"), "whole"),
    **dict.fromkeys(("mean_first", "mean_second", "mean_difference"), "real"),
    **dict.fromkeys(("interval_low", "interval_high", "p_value", "p_adjusted"), "real"),
}
"""The columns that the data frame of a comparison always has."""


@dataclass(frozen=True)
class HeadToHead:
    """The guesses that two strategies took, puzzle by puzzle."""

    wins: float
    """The number of puzzles on which the first strategy took fewer guesses. By weight, it is their share, from 0 to 1.
    """
    ties: float
    losses: float
    mean_first: float
    mean_second: float
    mean_difference: float
    """The mean of the first strategy's guesses minus that of the second's. If it is below zero, the first is better."""


@dataclass(frozen=True)
class Difference(HeadToHead):
    """The difference between the guesses of two strategies, if all puzzles count the same."""

    interval: Interval | None
    """The confidence interval of the mean difference, or None.

    There is one only if the puzzles are a random sample that both strategies could play. A strategy compared with
    itself has none either, since the difference is exact.
    """
    p_value: float | None
    """The p-value of the paired permutation test if there is an interval, else None: the probability of a difference at
    least as large if the strategies were equally good.
    """
    differences: dict[str, int]
    """The number of puzzles with each difference."""


@dataclass(frozen=True)
class Comparison(Difference):
    """The first strategy against the second: the guesses to finish, and the guesses to solve each board."""

    first: str
    second: str
    puzzles: int
    boards: tuple[Difference, ...]
    """On several boards: the comparison of the guesses to solve the first board (whichever it is), the second, and so
    on.
    """
    weighted: HeadToHead | None
    """The same figures by weight, or None if all puzzles count the same."""
    facts: tuple[RunFacts, RunFacts] = field(compare=False, repr=False)
    """The game, the puzzles and the strategy of both runs."""

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as a value that can be written as JSON.

        It has `weighted` only if puzzles have weights.
        """
        played = {"first": self.first, "second": self.second, "puzzles": self.puzzles}
        boards = [dict(vars(each)) for each in self.boards]
        weighted = {} if self.weighted is None else {"weighted": dict(vars(self.weighted))}
        figures = {name: figure for name, figure in vars(self).items() if name not in ("weighted", "facts")}
        return played | figures | {"boards": boards} | weighted

    def columns(self) -> tables.Columns:
        """Return the columns of a data frame: a row for all boards and, on several, one per number of solved boards."""
        return columns_of_comparisons([self])

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show."""
        return tables.render(rows_of(self), "html")

    def to_pandas(self) -> "pandas.DataFrame":
        """Return these columns as a pandas data frame. Needs the extra `pandas`."""
        return tables.to_pandas(self.columns())

    def to_polars(self) -> "polars.DataFrame":
        """Return these columns as a polars data frame. Needs the extra `polars`."""
        return tables.to_polars(self.columns())


def compare(first: StoredRun, second: StoredRun, confidence: float = CONFIDENCE) -> Comparison:
    """Return the comparison of two runs. The runs may be of different games or modes.

    Raises WordleKitError unless both played the same hidden words in the same order.
    """
    here, there = first.facts, second.facts
    names = _told_apart(here, there)
    if here.fingerprint == there.fingerprint:
        are_same = here.puzzles_fingerprint == there.puzzles_fingerprint
    else:
        words = [[play.puzzle for play in run.plays] for run in (first, second)]
        are_same = here.hides_words and there.hides_words and words[0] == words[1]
    if not are_same:
        raise WordleKitError(f"{names[0]} and {names[1]} have not played the same puzzles")
    weighted = None
    if here.weights is not None and here.weights == there.weights:
        mean = partial(mean_by_weight, here.weights)
        weighted = _head_to_head(first.taken, second.taken, mean, mean)
    is_itself = (here.strategy, here.fingerprint) == (there.strategy, there.fingerprint)
    is_estimate = here.is_sample and not is_itself and works(first) and works(second)
    differ = partial(_difference, population=here.population, confidence=confidence if is_estimate else None)
    by_board = (zip(*(turns_in_order(play, here.cap) for play in run.plays), strict=True) for run in (first, second))
    return Comparison(
        **vars(differ(first.taken, second.taken)),
        first=names[0],
        second=names[1],
        puzzles=len(first.plays),
        boards=tuple(itertools.starmap(differ, zip(*by_board, strict=True))) if here.boards > 1 else (),
        weighted=weighted,
        facts=(here, there),
    )


def _told_apart(first: RunFacts, second: RunFacts) -> tuple[str, str]:
    """Return the names of the strategies of two runs, with the game and the mode if the runs differ in them."""
    other_game, other_mode = first.game != second.game, first.hard_mode != second.hard_mode
    mode = {True: "hard mode", False: "not hard"}
    here, there = (
        ", ".join([facts.strategy, *[facts.game] * other_game, *[mode[facts.hard_mode]] * other_mode])
        for facts in (first, second)
    )
    return here, there


def compare_all(runs: Sequence[StoredRun], confidence: float = CONFIDENCE) -> tuple[Comparison, ...]:
    """Return the comparison of each run with each later one. Raises WordleKitError if the puzzles differ."""
    pairs = itertools.combinations(runs, 2)
    return tuple(compare(first, second, confidence) for first, second in pairs)


def adjusted(comparisons: Sequence[Comparison]) -> list[float | None]:
    """Return the p-values of comparisons, adjusted for their number by Holm's method, or None where there is none."""
    known = iter(holm([each.p_value for each in comparisons if each.p_value is not None]))
    return [None if each.p_value is None else next(known) for each in comparisons]


def columns_of_comparisons(comparisons: Sequence[Comparison]) -> tables.Columns:
    """Return comparisons as the columns of a data frame, with the rows of each.

    Only the row for all boards has the adjusted p-value and figures by weight.
    """
    rows: list[dict[str, Any]] = []
    differences, weighted = dict[str, tables.ColumnKind](), dict[str, tables.ColumnKind]()
    for each, p_adjusted in zip(comparisons, adjusted(comparisons), strict=True):
        by_weight = {
            f"weighted_{name}": figure for name, figure in (vars(each.weighted) if each.weighted else {}).items()
        }
        for number, part in enumerate((each, *each.boards)):
            low, high = part.interval or (None, None)
            counts = {f"difference_{by}": count for by, count in part.differences.items()}
            played = {"first": each.first, "second": each.second, "puzzles": each.puzzles}
            played |= {"boards_solved": number or None, "interval_low": low, "interval_high": high}
            rows.append(vars(part) | played | counts | ({} if number else by_weight | {"p_adjusted": p_adjusted}))
            differences |= dict.fromkeys(counts, "whole")
        weighted |= dict.fromkeys(by_weight, "real")
    return tables.columns_of(rows, FIGURES | tables.in_order(differences) | weighted)


def rows_of(*comparisons: Comparison) -> list[dict[str, Any]]:
    """Return comparisons as rows of texts: one row each or, on several boards, one per number of solved boards.

    A figure that none of the comparisons has is left out.
    """
    rows = []
    for each, p_value in zip(comparisons, adjusted(comparisons), strict=True):
        parts = each.boards or (each,)
        for number, part in enumerate(parts, start=1):
            half = "" if part.interval is None else f" ± {(part.interval[1] - part.interval[0]) / 2:.4f}"
            cells: dict[str, Any] = {
                "first": each.first,
                "second": each.second,
                **({"solved": number} if each.boards else {}),
                **{name: getattr(part, name) for name in ("wins", "ties", "losses")},
                "difference": signed(part.mean_difference) + half,
            }
            if each.weighted is not None:
                cells["by weight"] = signed(each.weighted.mean_difference)
            if any(other.p_value is not None for other in comparisons):
                is_whole = number == len(parts)  # solving the last board ends the game
                cells["p"] = shown_p(p_value) if is_whole and p_value is not None else ""
            rows.append(cells)
    return rows


def shown_p(p_value: float) -> str:
    """Return a p-value with four decimals, or `<0.0001` if it is smaller."""
    return "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"


def signed(difference: float) -> str:
    """Return a difference of means with its sign and four decimals. One that rounds to 0 is +0.0000."""
    return f"{round(difference, 4) + 0.0:+.4f}"


def _difference(
    first: Sequence[int], second: Sequence[int], population: int | None, confidence: float | None
) -> Difference:
    """Return the difference of guesses, with an interval and a p-value unless `confidence` is None."""
    differences = [one - other for one, other in zip(first, second, strict=True)]
    counts = Counter(differences)
    return Difference(
        **vars(_head_to_head(first, second, sum, statistics.fmean)),
        interval=None if confidence is None else interval_of_mean(differences, population, confidence),
        p_value=None if confidence is None or len(differences) < 2 else sign_flip_p_value(differences),
        differences={f"{d:+d}" if d else "0": counts[d] for d in sorted(counts)},
    )


def _head_to_head(
    first: Sequence[int], second: Sequence[int], count: Callable[[list[bool]], float], mean: Callable[..., float]
) -> HeadToHead:
    differences = [one - other for one, other in zip(first, second, strict=True)]
    won, tied, lost = [d < 0 for d in differences], [d == 0 for d in differences], [d > 0 for d in differences]
    return HeadToHead(count(won), count(tied), count(lost), mean(first), mean(second), mean(differences))
