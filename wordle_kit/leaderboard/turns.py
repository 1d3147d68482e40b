"""The turns of a run's plays as a tree, in which plays share their first turns, and the words left after each turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from wordle_kit.game.game import Game
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import Ids
from wordle_kit.tournaments.runs import StoredRun

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
