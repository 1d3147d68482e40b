"""Replays: every guess of a run's plays as one tree, in which plays share the turns that they begin with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from wordle_kit.game.game import Game
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import Ids
from wordle_kit.report.packing import Numbering, varints
from wordle_kit.tournaments.store import StoredRun

Seen = tuple[str, ...]
"""What each board answered a guess; nothing where the board was solved before."""


@dataclass
class Turn:
    """A guess and its feedback, the turns that followed in some play, and the plays that ended here."""

    followed_by: dict[tuple[str, Seen], "Turn"] = field(default_factory=dict)
    ended: list[int] = field(default_factory=list)
    """The places of the plays among those that are kept."""


@dataclass(frozen=True)
class Replays:
    """The turns of a run's plays from the first to the last, each before those that followed it.

    A turn is at depth 1 if it is the first of a play. Its guess is 0 if it is that of the turn before it among those
    that follow the same turn, otherwise the number of the word plus 1.
    """

    depths: list[int]
    guesses: list[int]
    feedback: list[int]
    """The number of each board's feedback, turn by turn."""
    left: list[int]
    """The words left on each board after the turn, 0 on a solved one; nothing without a game to count them."""
    endings: list[int]
    """How many plays ended before the first turn, then after each turn."""
    ended: list[int]
    """The places of the plays in the order of the turns after which they ended."""

    def columns(self) -> list[bytes]:
        """Return the lists as bytes, in their order."""
        return [varints(column) for column in vars(self).values()]


def turns_of(run: StoredRun, kept: Sequence[int]) -> Turn:
    """Return the start of the tree of some plays of a run, given by their places in it."""
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


def replays_of(
    run: StoredRun, kept: Sequence[int], words: Numbering, feedback: Numbering, game: Game | None = None
) -> Replays:
    """Return the replays of some plays of a run; their words and feedback are numbered as they come up.

    The words left are counted if the game is given.
    """
    start = turns_of(run, kept)
    made = Replays([], [], [], [], [len(start.ended)], list(start.ended))
    left = Left(game) if game is not None else None
    same: dict[int, str] = {}  # the guess before, at each depth, among those that follow the same turn
    for depth, guess, seen, turn in walk(start):
        made.depths.append(depth)
        made.guesses.append(0 if same.get(depth) == guess else words[guess] + 1)
        made.feedback.extend(feedback[text] for text in seen)
        made.endings.append(len(turn.ended))
        made.ended.extend(turn.ended)
        if left is not None:
            made.left.extend(left.after(depth, guess, seen))
        same[depth] = guess
        same.pop(depth + 1, None)
    return made


def walk(start: Turn) -> Iterator[tuple[int, str, Seen, Turn]]:
    """Yield depth, guess, feedback and turn, each turn before those that followed it, the same guess side by side."""
    waiting = [(1, *made, turn) for made, turn in _together(start)]
    while waiting:
        depth, guess, seen, turn = waiting.pop()
        yield depth, guess, seen, turn
        waiting += [(depth + 1, *made, later) for made, later in _together(turn)]


def _together(turn: Turn) -> list[tuple[tuple[str, Seen], Turn]]:
    """Return what followed a turn, the last first, with turns of the same guess side by side."""
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
        """Return the words left on each board, 0 on one that is solved."""
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
