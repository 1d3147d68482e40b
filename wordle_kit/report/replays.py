"""Replays: every guess of a run's plays as one tree, in which plays share their first turns."""

from collections.abc import Sequence
from dataclasses import dataclass

from wordle_kit.game.game import Game
from wordle_kit.leaderboard.turns import Left, turns_of, walk
from wordle_kit.pages.packing import Numbering, varints
from wordle_kit.tournaments.runs import StoredRun


@dataclass(frozen=True)
class Replays:
    """The turns of a run's plays in depth-first order.

    A turn is at depth 1 if it is the first of a play. Its guess is 0 if it is the same as that of the previous turn
    with the same parent, otherwise the number of the word plus 1.
    """

    depths: list[int]
    guesses: list[int]
    feedback: list[int]
    """The number of each board's feedback, turn by turn."""
    left: list[int]
    """The number of remaining words on each board after the turn, 0 on a solved one; empty without a game."""
    endings: list[int]
    """The number of plays that ended before the first turn, then after each turn."""
    ended: list[int]
    """The indexes of the plays, in the order of the turns after which they ended."""

    def columns(self) -> list[bytes]:
        """Return the lists as bytes, in their order."""
        return [varints(column) for column in vars(self).values()]


def replays_of(
    run: StoredRun, kept: Sequence[int], words: Numbering, feedback: Numbering, game: Game | None = None
) -> Replays:
    """Return the replays of some plays of a run. Words and feedback are numbered in order of appearance.

    Remaining words are counted if the game is given.
    """
    start = turns_of(run, kept)
    made = Replays([], [], [], [], [len(start.ended)], list(start.ended))
    left = Left(game) if game is not None else None
    same: dict[int, str] = {}  # at each depth, the previous guess with the same parent
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
