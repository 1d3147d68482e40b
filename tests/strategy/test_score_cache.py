"""The cache, compared with a plain model of it: the entries it keeps, and those it drops."""

import numpy as np
import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit.strategy.partition import SCORES, ScoreCache

KIB = 1024


def array(size):
    """Return a function that makes an array of this many bytes."""
    return lambda: np.full(size, size % 100, dtype=np.uint8)


def nothing():
    raise AssertionError("asked for what should be kept")


def test_a_result_comes_back_as_the_same_array():
    cache = ScoreCache(KIB)
    first = cache.get(None, "key", array(10))
    assert cache.get(None, "key", nothing) is first


# What strategies keep in it


class Noted(wk.PartitionStrategy):
    """Notes each board on which it scores all guesses."""

    combine: str = "sum"

    def part_cost(self, size):
        return size * size

    def scores(self, board, guesses):
        scored.append((self.combine, len(board)))
        return super().scores(board, guesses)


scored = []


@pytest.mark.parametrize("combine", ["sum", "min"])
def test_scores_are_found_again_by_strategy_and_candidates(combine):
    start = wk.Position.start(bundled("quordle"))
    later = start.after("crane", ["00000"] * 4)
    one, other = Noted(combine=combine), Noted(combine=combine)
    SCORES.clear()
    scored.clear()
    for strategy in (one, other):
        guesses = [[strategy.guess(position) for position in (start, later, start.copy())] for _ in range(2)]
        assert guesses[0] == guesses[1]
    assert scored == [(combine, len(start.boards[0])), (combine, len(later.boards[0]))] * 2


class First(wk.Strategy):
    name = "formula-a"

    def guess(self, position):
        return position.board.words[0]


class Last(First):
    name = "formula-b"

    def guess(self, position):
        return position.board.words[-1]


First.__repr__ = Last.__repr__ = lambda self: "Formula()"
