"""Comparisons of strategies on identical puzzles, in pairs, and whether their difference is more than luck."""

import itertools
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wordle_kit import tables
from wordle_kit.errors import WordleKitError
from wordle_kit.leaderboard.significance import Interval, holm, interval_of_mean, mean_by_weight, sign_flip_p_value
from wordle_kit.tournaments.runs import CONFIDENCE, RunFacts, StoredRun, turns_in_order

if TYPE_CHECKING:
    import pandas


FIGURES: dict[str, tables.ColumnKind] = {
    **dict.fromkeys(("first", "second"), "text"),
    **dict.fromkeys(("puzzles", "boards_solved", "wins", "ties", "losses"), "whole"),
    **dict.fromkeys(("mean_first", "mean_second", "mean_difference"), "real"),
    **dict.fromkeys(("interval_low", "interval_high", "p_value", "p_adjusted", "weighted_difference"), "real"),
}
"""The columns of a comparison's data frame, which are followed by the number of puzzles with each difference."""


@dataclass(frozen=True)
class Difference:
    """The difference between two strategies' numbers of guesses, puzzle by puzzle."""

    wins: int
    """The number of puzzles on which the first strategy took fewer guesses."""
    ties: int
    losses: int
    mean_first: float
    mean_second: float
    mean_difference: float
    """The mean of the first strategy minus that of the second. If it is negative, the first is better."""
    interval: Interval | None
    """The confidence interval of the mean difference, or None.

    It exists only if the puzzles are a random sample that both strategies could play. A strategy compared with itself
    has none, since that difference is exact.
    """
    p_value: float | None
    """The p-value of the paired permutation test if there is an interval, else None: the probability of a difference at
    least as large if the strategies were equally good.
    """
    differences: dict[str, int]
    """The number of puzzles with each difference."""


@dataclass(frozen=True)
class Comparison(Difference):
    """A comparison of two strategies by the number of guesses that they take to finish and to solve each board."""

    first: str
    second: str
    puzzles: int
    boards: tuple[Difference, ...]
    """On several boards: the comparison of the guesses to solve the first board (whichever it is), the second, and so
    on.
    """
    weighted_difference: float | None
    """The mean difference by weight, or None if all puzzles count equally."""
    p_adjusted: float | None
    """The p-value adjusted by Holm's method for the number of comparisons that were made together."""

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as a value that can be written as JSON."""
        return {"first": self.first, "second": self.second, "puzzles": self.puzzles} | asdict(self)

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show."""
        return tables.render(comparison_rows(self), "html")

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a pandas data frame: a row for all boards and, on several, one per number of solved boards.

        Needs the extra `pandas`.
        """
        return tables.to_pandas(columns_of_comparisons([self]))


def compare(first: StoredRun, second: StoredRun, confidence: float = CONFIDENCE) -> Comparison:
    """Return the comparison of two runs. The runs may be of different games or modes.

    Raises WordleKitError unless both played the same hidden words in the same order.
    """
    here, there = first.facts, second.facts
    names = _distinct_names(here, there)
    if here.fingerprint == there.fingerprint:
        are_same = here.puzzles_fingerprint == there.puzzles_fingerprint
    else:
        words = [[play.puzzle for play in run.plays] for run in (first, second)]
        are_same = here.hides_words and there.hides_words and words[0] == words[1]
    if not are_same:
        raise WordleKitError(f"{names[0]} and {names[1]} have not played the same puzzles")
    weighted_difference = None
    if here.weights is not None and here.weights == there.weights:
        weighted_difference = mean_by_weight(here.weights, _differences(first.guess_counts, second.guess_counts))
    is_itself = (here.strategy, here.fingerprint) == (there.strategy, there.fingerprint)
    is_estimate = here.is_sample and not is_itself and first.works and second.works
    differ = partial(_difference, population=here.population, confidence=confidence if is_estimate else None)
    by_board = (zip(*(turns_in_order(play, here.cap) for play in run.plays), strict=True) for run in (first, second))
    total = differ(first.guess_counts, second.guess_counts)
    return Comparison(
        **vars(total),
        first=names[0],
        second=names[1],
        puzzles=len(first.plays),
        boards=tuple(itertools.starmap(differ, zip(*by_board, strict=True))) if here.boards > 1 else (),
        weighted_difference=weighted_difference,
        p_adjusted=total.p_value,
    )


def _distinct_names(first: RunFacts, second: RunFacts) -> tuple[str, str]:
    """Return the names of the strategies of two runs, with the game and the mode if the runs differ in them."""
    other_game, other_mode = first.game != second.game, first.hard_mode != second.hard_mode
    here, there = (
        facts.strategy
        + f", {facts.game}" * other_game
        + (", hard mode" if facts.hard_mode else ", not hard") * other_mode
        for facts in (first, second)
    )
    return here, there


def compare_pairs(
    pairs: Iterable[tuple[StoredRun, StoredRun]], confidence: float = CONFIDENCE
) -> tuple[Comparison, ...]:
    """Return the comparison of each pair of runs, with p-values adjusted for their number.

    Raises WordleKitError if the puzzles of a pair differ.
    """
    found = [compare(*pair, confidence) for pair in pairs]
    adjusted = iter(holm([each.p_value for each in found if each.p_value is not None]))
    return tuple(each if each.p_value is None else replace(each, p_adjusted=next(adjusted)) for each in found)


def columns_of_comparisons(comparisons: Sequence[Comparison]) -> tables.Columns:
    """Return comparisons as the columns of a data frame, with the rows of one comparison after another.

    Only the row for all boards has the adjusted p-value and the difference by weight.
    """
    rows: list[dict[str, Any]] = []
    kinds = dict[str, tables.ColumnKind]()
    for each in comparisons:
        for number, part in enumerate((each, *each.boards)):
            low, high = part.interval or (None, None)
            counts = {f"difference_{by}": count for by, count in part.differences.items()}
            rows.append(
                {"first": each.first, "second": each.second, "puzzles": each.puzzles, "boards_solved": number or None}
                | vars(part)
                | {"interval_low": low, "interval_high": high}
                | counts
            )
            kinds |= dict.fromkeys(counts, "whole")
    return tables.columns_of(rows, FIGURES | tables.sorted_by_number(kinds))


def comparison_rows(*comparisons: Comparison) -> list[dict[str, Any]]:
    """Return comparisons as rows of texts: one row each or, on several boards, one per number of solved boards.

    Figures that no comparison has are omitted.
    """
    rows = []
    for each in comparisons:
        parts = each.boards or (each,)
        for number, part in enumerate(parts, start=1):
            half = "" if part.interval is None else f" ± {(part.interval[1] - part.interval[0]) / 2:.4f}"
            cells: dict[str, Any] = {
                "first": each.first,
                "second": each.second,
                **({"solved": number} if each.boards else {}),
                **{name: getattr(part, name) for name in ("wins", "ties", "losses")},
                "difference": f"{part.mean_difference:+z.4f}{half}",
            }
            if each.weighted_difference is not None:
                cells["by weight"] = f"{each.weighted_difference:+z.4f}"
            if any(other.p_value is not None for other in comparisons):
                is_whole = number == len(parts)  # solving the last board ends the game
                p_value = each.p_adjusted if is_whole else None
                cells["p"] = "" if p_value is None else "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"
            rows.append(cells)
    return rows


def _difference(
    first: Sequence[int], second: Sequence[int], population: int | None, confidence: float | None
) -> Difference:
    """Return the difference in guesses, with an interval and a p-value unless `confidence` is None."""
    differences = _differences(first, second)
    counts = Counter(differences)
    return Difference(
        wins=sum(difference < 0 for difference in differences),
        ties=counts[0],
        losses=sum(difference > 0 for difference in differences),
        mean_first=statistics.fmean(first),
        mean_second=statistics.fmean(second),
        mean_difference=statistics.fmean(differences),
        interval=None if confidence is None else interval_of_mean(differences, population, confidence),
        p_value=None if confidence is None or len(differences) < 2 else sign_flip_p_value(differences),
        differences={f"{d:+d}" if d else "0": counts[d] for d in sorted(counts)},
    )


def _differences(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return the first strategy's guesses minus the second's, puzzle by puzzle."""
    return [mine - theirs for mine, theirs in zip(first, second, strict=True)]
