"""Plays as columns of data frames, as lines of text and as a tree; and the number of words left after each guess."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from wordle_kit.files import replacing
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import Ids
from wordle_kit.tables import ColumnKind, Columns, Values
from wordle_kit.texts import cell
from wordle_kit.tournaments.runs import StoredRun

PLAYS: dict[str, ColumnKind] = {
    "strategy": "word",
    "puzzle": "count",
    "answer": "word",
    "board": "count",
    "turn": "count",
    "guess": "word",
    "feedback": "word",
    "left": "count",
    "outcome": "word",
    "weight": "real",
}
"""The columns of plays. Only plays on several boards have `board`, and only puzzles with weights have `weight`."""


def of_plays(runs: Iterable[StoredRun], game: Game | None = None) -> Columns:
    """Return plays as columns: a row for each guess of each play and, on several boards, for each unsolved board.

    The runs are read one at a time. The words left are counted only if the game is given. If puzzles have weights, the
    rows have them too.
    """
    made: dict[str, list[Any]] = {name: [] for name in PLAYS}
    add = [values.append for values in made.values()]
    boards, weights = 1, None
    for run in runs:
        boards, weights = run.facts.boards, run.facts.weights
        counted = words_left(run, game) if game is not None else None
        for number, play in enumerate(run.plays):
            puzzle, weight = number + 1, 0.0 if weights is None else weights[number]
            for at, (word, seen) in enumerate(zip(play.guesses, play.feedback, strict=True)):
                for place, shown in enumerate(seen):
                    if shown:
                        left = None if counted is None else counted[number][at][place]
                        values = (run.facts.strategy, puzzle, play.puzzle[place], place + 1, at + 1, word, shown, left)
                        for append, value in zip(add, (*values, play.outcome.value, weight), strict=True):
                            append(value)
    absent = {"board": boards == 1, "weight": weights is None}
    return {name: Values(kind, made[name]) for name, kind in PLAYS.items() if not absent.get(name)}


TRANSCRIPT = ("strategy", "answers", "turns", "guesses", "outcome")
"""The header of transcripts."""


def write_transcripts(path: Path, runs: Iterable[StoredRun]) -> None:
    """Write one line per play, separated by tabs: strategy, answers, the turn that solved each board, guesses, outcome.

    Commas separate words. `-` stands for a board that was not solved. Raises WordleKitError if the file cannot be
    written.
    """
    with replacing(path) as file, io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerow(TRANSCRIPT)
        for run in runs:
            for play in run.plays:
                turns = ("-" if turn is None else str(turn) for turn in play.board_turns)
                words = (",".join(part) for part in (play.puzzle, turns, play.guesses))
                writer.writerow((cell(run.facts.strategy), *words, play.outcome.value))


Seen = tuple[str, ...]
"""The feedback of each board on a guess. It is empty for a board that was solved before."""


@dataclass
class Turn:
    """A node of the tree of plays: the turns that follow the same guesses and feedback, and the plays that end here."""

    followed_by: dict[tuple[str, Seen], "Turn"] = field(default_factory=dict)
    ended: list[int] = field(default_factory=list)
    """The positions of these plays among the plays in the tree."""


def turns_of(run: StoredRun, kept: Sequence[int]) -> Turn:
    """Return the root of a tree of some plays of a run. `kept` are the numbers of these plays in the run."""
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
    """Yield the depth, guess, feedback and turn of each node: parents before children, and equal guesses together."""
    waiting = [(1, *made, turn) for made, turn in _together(start)]
    while waiting:
        depth, guess, seen, turn = waiting.pop()
        yield depth, guess, seen, turn
        waiting += [(depth + 1, *made, later) for made, later in _together(turn)]


def _together(turn: Turn) -> list[tuple[tuple[str, Seen], Turn]]:
    """Return the turns that follow a turn, in reverse order, with equal guesses together."""
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
        self._candidates: list[list[Ids]] = [[everything] * game.boards]  # by depth, for each board
        self._codes: dict[int, tuple[str, list[Codes]]] = {}  # by depth: last guess, and its codes for candidates

    def after(self, depth: int, guess: str, seen: Seen) -> list[int]:
        """Return the number of words left on each board. It is 0 on a solved board."""
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
    """Return the number of words left on each board after each guess of each play. It is 0 on a solved board."""
    counts: list[list[list[int]]] = [[] for _ in run.plays]
    left = Left(game)
    path: list[list[int]] = []
    for depth, guess, seen, turn in walk(turns_of(run, range(len(run.plays)))):
        path[depth - 1 :] = [left.after(depth, guess, seen)]
        for place in turn.ended:
            counts[place] = list(path)
    return counts
