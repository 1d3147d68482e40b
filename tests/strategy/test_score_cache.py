"""The cache, compared with a plain model of it: the entries it keeps, and those it drops."""

import threading

import numpy as np
import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.strategy.partition import ENTRY, SCORES, ScoreCache

KIB = 1024


def array(size):
    """Return a function that makes an array of this many bytes."""
    return lambda: np.full(size, size % 100, dtype=np.uint8)


def nothing():
    raise AssertionError("asked for what should be kept")


@settings(deadline=None)
@given(capacity=st.integers(0, 20 * KIB), sizes=st.lists(st.sampled_from([0, 1, 100, 1000, 3000, 8000, 30000])))
def test_it_keeps_the_entries_used_last(capacity, sizes):
    cache, model = ScoreCache(capacity), {}
    for size in sizes:  # which is its key as well
        made = []
        found = cache.get(None, size, lambda size=size, made=made: made.append(size) or array(size)())
        assert made == ([] if size in model else [size])
        assert found.tolist() == array(size)().tolist()
        model.pop(size, None)
        model[size] = ENTRY + size
        while sum(model.values()) > capacity and len(model) > 1:
            del model[next(iter(model))]
        assert (len(cache), cache.nbytes) == (len(model), sum(model.values()))
        assert cache.nbytes <= capacity or len(cache) == 1


def test_a_result_comes_back_as_the_same_array():
    cache = ScoreCache(KIB)
    first = cache.get(None, "key", array(10))
    assert cache.get(None, "key", nothing) is first


def test_the_least_recently_used_entry_is_dropped():
    cache = ScoreCache(2 * (ENTRY + 100))
    for key in ("a", "b", "a", "c"):
        cache.get(None, key, array(100))
    cache.get(None, "a", nothing)
    cache.get(None, "c", nothing)
    with pytest.raises(AssertionError, match="should be kept"):
        cache.get(None, "b", nothing)


def test_arrays_are_read_only_from_the_first_time_on():
    cache = ScoreCache(KIB)
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            cache.get(None, "key", array(10))[0] = 7


def test_a_result_larger_than_the_limit_is_still_returned():
    cache = ScoreCache(0)
    for size in (1000, 2000):
        assert cache.get(None, size, array(size)).nbytes == size
        assert len(cache) == 1


def test_nothing_is_kept_if_it_cannot_be_made():
    cache = ScoreCache(KIB)
    with pytest.raises(AssertionError, match="should be kept"):
        cache.get(None, "key", nothing)
    assert (len(cache), cache.nbytes) == (0, 0)
    assert len(cache.get(None, "key", array(10))) == 10


def test_two_threads_that_make_the_same_count_it_once():
    cache, together = ScoreCache(10**6), threading.Barrier(5)

    def make():
        together.wait()
        return np.zeros(1000)

    threads = [threading.Thread(target=cache.get, args=(None, "key", make)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(cache), cache.nbytes) == (1, 8500)


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


class Wrapped(wk.PartitionStrategy):
    """Scores by the guess of another strategy; what it prints of that one does not say which it is."""

    base: wk.Strategy = First()

    def part_cost(self, size):
        return size

    def scores(self, board, guesses):
        chosen = board.game.guess_ids[self.base.guess(wk.Position(board.game, [board] * board.game.boards))]
        ids = np.arange(len(board.game.guesses)) if guesses is None else guesses
        return np.where(ids == chosen, 0.0, 1.0)


def test_strategies_that_print_alike_do_not_get_the_scores_of_one_another():
    game = bundled("quordle")
    puzzles = wk.load_puzzles(game, 512, 0)
    both = [Wrapped(base=First()), Wrapped(base=Last())]
    assert str(vars(both[0])) == str(vars(both[1]))
    alone = [wk.tournament(game, [one], puzzles, workers=1).rows[0].total_guesses for one in both]
    assert alone[0] != alone[1]
    together = wk.tournament(game, both, puzzles, workers=2)
    assert sorted(row.total_guesses for row in together.rows) == sorted(alone)
