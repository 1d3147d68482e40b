"""Choose the puzzles with replays on a page, if replays of all would make it too large."""

import numpy as np
import numpy.typing as npt

Turns = npt.NDArray[np.uint16]
"""The number of guesses that counts for each play, turns[n_strategies, n_puzzles]."""

MOST_FEEDBACK = 2_000_000
"""The replays of a page have at most about this much feedback, one for each guess and board: about 4 MB when packed."""

OF_A_PAIR = 20
"""The page lists this many puzzles on which two strategies differ most."""


def kept_puzzles(turns: Turns, boards: int, most: int = MOST_FEEDBACK) -> list[int]:
    """Return the puzzles to keep replays of, in ascending order: all, or as many as have `most` pieces of feedback.

    Half of the space is for the hardest puzzles, the rest for those on which some pair of strategies differs most, and
    then for the next hardest.
    """
    pieces = turns.sum(axis=0, dtype=np.int64) * boards
    if pieces.sum() <= most:
        return list(range(turns.shape[1]))
    hardest = hardest_first(turns)
    room = np.cumsum(pieces[hardest])
    chosen = dict.fromkeys(hardest[room <= most // 2].tolist())
    spent = int(pieces[list(chosen)].sum())
    for puzzle in (*most_different(turns), *hardest.tolist()):
        if puzzle not in chosen and spent + pieces[puzzle] <= most:
            chosen[puzzle] = None
            spent += int(pieces[puzzle])
    return sorted(chosen)


def hardest_first(turns: Turns) -> npt.NDArray[np.intp]:
    """Return the puzzles in descending order of the guesses that all strategies took together."""
    return np.argsort(-turns.sum(axis=0, dtype=np.int64), kind="stable")


def most_different(turns: Turns) -> list[int]:
    """Return the puzzles on which pairs differ most: the first of each pair, then the second of each, and so on."""
    signed = turns.astype(np.int64)
    lists = []
    for first in range(len(signed)):
        for second in range(first):
            apart = np.abs(signed[first] - signed[second])
            lists.append(np.argsort(-apart, kind="stable")[:OF_A_PAIR].tolist())
    return [puzzle for rank in zip(*lists, strict=True) for puzzle in rank]
