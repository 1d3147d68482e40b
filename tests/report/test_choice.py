"""Which puzzles have replays: all while there is room, otherwise the hardest and those that tell strategies apart."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from wordle_kit.report.choice import hardest_first, kept_puzzles, most_different

TURNS = arrays.arrays(np.uint16, st.tuples(st.integers(1, 4), st.integers(1, 30)), elements=st.integers(1, 31))


@given(TURNS, st.integers(1, 8), st.integers(0, 10_000))
def test_no_more_is_kept_than_there_is_room_for_and_all_if_it_fits(turns, boards, most):
    kept = kept_puzzles(turns, boards, most)
    pieces = turns.astype(int).sum(axis=0) * boards
    assert kept == sorted(set(kept))
    if pieces.sum() <= most:
        assert kept == list(range(turns.shape[1]))
    else:
        assert pieces[kept].sum() <= most
        left_out = set(range(turns.shape[1])) - set(kept)
        assert all(pieces[kept].sum() + pieces[puzzle] > most for puzzle in left_out)


@given(TURNS)
def test_the_hardest_puzzles_come_first(turns):
    totals = turns.astype(int).sum(axis=0)[hardest_first(turns)]
    assert (np.diff(totals) <= 0).all()


def test_the_puzzle_on_which_two_differ_most_is_kept_though_it_is_not_hard():
    turns = np.full((2, 100), 9, dtype=np.uint16)
    turns[:, 70] = 1, 5
    assert 70 in kept_puzzles(turns, 1, 300)
    assert most_different(turns)[0] == 70
