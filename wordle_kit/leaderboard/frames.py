"""Leaderboards, comparisons and plays as columns, for data frames and Parquet files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import numpy as np

from wordle_kit.dataframes import AnyKind, Columns, Kind, Values
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import Ids
from wordle_kit.leaderboard.metrics import Metric, Row
from wordle_kit.tournaments.runs import RunFacts, StoredRun


class Ranked(Protocol):
    """The part of a leaderboard that data frames need."""

    @property
    def facts(self) -> Sequence[RunFacts]:
        """The facts of the tournament; between strategies, they differ only in the strategy."""

    @property
    def rows(self) -> Sequence[Row]:
        """A row for each strategy."""


PLAYED: dict[str, Kind] = {"game": "text", "hard_mode": "truth", "puzzles": "text"}
"""The first columns of a leaderboard's data frame."""

COMPARISON: dict[str, Kind] = {
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


PLAYS: dict[str, AnyKind] = {
    "strategy": "word",
    "puzzle": "count",
    "answer": "word",
    "board": "count",
    "turn": "count",
    "guess": "word",
    "feedback": "word",
    "left": "count or none",
    "outcome": "word",
    "weight": "real",
}
"""The columns of plays. Only several boards have `board`, and only puzzles with weights `weight`."""


def of_leaderboards(boards: Iterable[Ranked]) -> Columns:
    """Return leaderboards as columns, with a row for each strategy of each leaderboard.

    The columns of figures with any number of values come last.
    """
    rows: list[dict[str, Any]] = []
    closed: dict[str, Kind] = dict(PLAYED)
    opened: dict[Metric, dict[str, Kind]] = {}
    for board in boards:
        played = {name: getattr(board.facts[0], name) for name in PLAYED}
        for row in board.rows:
            rows.append(dict(played))
            figures = row.as_dict()
            for metric in row.metrics:
                if metric.name in figures:
                    values = metric.columns(figures[metric.name])
                    kinds = opened.setdefault(metric, {}) if metric.is_open else closed
                    kinds |= dict.fromkeys(values, metric.kind)
                    rows[-1] |= values
    return _columns(rows, closed | {name: kind for kinds in opened.values() for name, kind in _in_order(kinds)})


def of_comparison(comparison: Mapping[str, Any]) -> Columns:
    """Return a comparison as columns: a row for all boards and, with several, one for each number of solved boards."""
    names = {name: comparison[name] for name in ("first", "second", "puzzles")}
    rows = []
    for number, each in enumerate((comparison, *comparison["boards"])):
        low, high = each["interval"] or (None, None)
        made = names | {"boards_solved": number or None, "interval_low": low, "interval_high": high}
        made |= {name: value for name, value in each.items() if name in COMPARISON and name not in names}
        rows.append(made | {f"difference_{by}": count for by, count in each["differences"].items()})
    if "weighted" in comparison:
        rows[0] |= {f"weighted_{name}": value for name, value in comparison["weighted"].items()}
    by_difference: dict[str, Kind] = {name: "whole" for row in rows for name in row if name.startswith("difference_")}
    weighted: dict[str, Kind] = {f"weighted_{name}": "real" for name in comparison.get("weighted", ())}
    return _columns(rows, COMPARISON | dict(_in_order(by_difference)) | weighted)


def of_plays(runs: Iterable[StoredRun], game: Game | None = None) -> Columns:
    """Return plays as columns: a row for each guess of each play, and with several boards for each unsolved one.

    The runs are read one at a time. The remaining words are counted if the game is given; otherwise they are missing.
    If puzzles have weights, so do the rows.
    """
    rows: dict[str, list[Any]] = {name: [] for name in PLAYS}
    add = [values.append for values in rows.values()]
    boards, weights = 1, None
    for run in runs:
        boards, weights = run.facts.boards, run.facts.weights
        counted = words_left(run, game) if game is not None else None
        for number, play in enumerate(run.plays):
            puzzle, weight = number + 1, None if weights is None else weights[number]
            for at, (word, seen) in enumerate(zip(play.guesses, play.feedback, strict=True)):
                for place, shown in enumerate(seen):
                    if shown:
                        left = None if counted is None else counted[number][at][place]
                        values = (run.facts.strategy, puzzle, play.puzzle[place], place + 1, at + 1, word, shown, left)
                        for append, value in zip(add, (*values, play.outcome.value, weight), strict=True):
                            append(value)
    absent = {"board": boards == 1, "weight": weights is None}
    return {name: Values(kind, rows[name]) for name, kind in PLAYS.items() if not absent.get(name)}


Seen = tuple[str, ...]
"""The feedback of each board on a guess, empty for a board solved before."""


@dataclass
class Turn:
    """The turns that follow a guess and its feedback in some play, and the plays that end there."""

    followed_by: dict[tuple[str, Seen], "Turn"] = field(default_factory=dict)
    ended: list[int] = field(default_factory=list)
    """The places of the plays among those in the tree."""


def turns_of(run: StoredRun, kept: Sequence[int]) -> Turn:
    """Return the root of a tree of some plays of a run, given by their places in the run."""
    start = Turn()
    for place, puzzle in enumerate(kept):
        play = run.plays[puzzle]
        turn = start
        for made in zip(play.guesses, play.feedback, strict=True):
            if made not in turn.followed_by:
                turn.followed_by[made] = Turn()
            turn = turn.followed_by[made]
        turn.ended.append(place)
    return start


def walk(start: Turn) -> Iterator[tuple[int, str, Seen, Turn]]:
    """Yield depth, guess, feedback and turn, each turn before those that follow it, equal guesses side by side."""
    waiting = [(1, *made, turn) for made, turn in _together(start)]
    while waiting:
        depth, guess, seen, turn = waiting.pop()
        yield depth, guess, seen, turn
        waiting += [(depth + 1, *made, later) for made, later in _together(turn)]


def _together(turn: Turn) -> list[tuple[tuple[str, Seen], Turn]]:
    """Return the turns that follow a turn, last first, with equal guesses side by side."""
    if len(turn.followed_by) < 2:
        return list(turn.followed_by.items())
    first = {guess: number for number, (guess, _) in reversed(list(enumerate(turn.followed_by)))}
    return sorted(turn.followed_by.items(), key=lambda made: first[made[0][0]], reverse=True)


class Left:
    """Counts the words left after each turn of a walk."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._code = cache(lambda text: game.rule.read(text, game.length))
        everything = np.arange(len(game.answers), dtype=np.int32)
        self._candidates: list[list[Ids]] = [[everything] * game.boards]  # by depth, of each board
        self._codes: dict[int, tuple[str, list[Codes]]] = {}  # the last guess at each depth, and what candidates answer

    def after(self, depth: int, guess: str, seen: Seen) -> list[int]:
        """Return the number of words left on each board; 0 on a solved one."""
        before = self._candidates[depth - 1]
        if self._codes.get(depth, ("",))[0] != guess:
            number = self.game.guess_ids[guess]
            self._codes[depth] = (guess, [self.game.table.column(number, candidates) for candidates in before])
        self._codes.pop(depth + 1, None)
        candidates = []
        for ids, codes, text in zip(before, self._codes[depth][1], seen, strict=True):
            code = self._code(text) if text else self.game.winning_code
            candidates.append(ids[:0] if code == self.game.winning_code else ids[codes == code])
        self._candidates[depth:] = [candidates]
        return [len(ids) for ids in candidates]


def words_left(run: StoredRun, game: Game) -> list[list[list[int]]]:
    """Return the number of words left on each board after each guess of each play; 0 on a solved board."""
    counts: list[list[list[int]]] = [[] for _ in run.plays]
    left = Left(game)
    path: list[list[int]] = []
    for depth, guess, seen, turn in walk(turns_of(run, range(len(run.plays)))):
        path[depth - 1 :] = [left.after(depth, guess, seen)]
        for place in turn.ended:
            counts[place] = list(path)
    return counts


def _in_order(kinds: Mapping[str, Kind]) -> list[tuple[str, Kind]]:
    """Return numbered columns in the order of their numbers, such as `took_2`, and then the others in their own."""

    def order(column: tuple[str, Kind]) -> tuple[bool, int, str]:
        rest = column[0].partition("_")[2]
        return (False, int(rest), "") if rest.lstrip("+-").isdigit() else (True, 0, rest)

    return sorted(kinds.items(), key=order)


def _columns(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, Kind]) -> Columns:
    """Return rows as columns. A number of puzzles that a row lacks is 0; any other value is None."""
    made: dict[str, Values] = {}
    for name, kind in kinds.items():
        values = [row.get(name, 0 if kind == "whole" else None) for row in rows]
        made[name] = Values("whole or none" if kind == "whole" and None in values else kind, values)
    return made
