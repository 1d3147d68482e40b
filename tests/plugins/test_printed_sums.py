"""Sums of part costs in a given order, compared with sums by hand to the last digit."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins import partition

import wordle_kit as wk

LETTERS = wk.load_game({"name": "letters", "alphabet": "abc", "length": 3, "answers": "all"})
COSTS = {"entropy": lambda size: size * np.log2(size), "thirds": lambda size: 1 / (3 * size)}


@settings(deadline=None, max_examples=40)
@given(
    candidates=st.sets(st.integers(0, 26), min_size=1),
    guesses=st.none() | st.lists(st.integers(0, 26), max_size=5),
    part_cost=st.sampled_from(list(COSTS.values())),
    codes=st.permutations(range(27)),
    all_at_once=st.booleans(),
    weights=st.none() | st.just([0.0, 1.0, 2.5] * 9),
)
def test_costs_are_added_one_after_the_other_in_the_order_of_the_codes(
    candidates, guesses, part_cost, codes, all_at_once, weights
):
    board = wk.Board(LETTERS.replace(weights=weights), np.array(sorted(candidates), dtype=np.int32))
    ids = None if guesses is None else np.array(guesses, dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "COUNTS_AT_ONCE", 2**22 if all_at_once else 1)
        sums = partition.costs_in_order(board, part_cost, codes, ids)
    words = LETTERS.guesses if guesses is None else [LETTERS.guesses[i] for i in guesses]
    assert len(sums) == len(words)
    for found, guess in zip(sums.tolist(), words, strict=True):
        sizes = Counter()
        for answer, weight in zip(board.words, board.weights.tolist(), strict=True):
            sizes[LETTERS.feedback(guess, answer).code] += weight
        by_hand = 0.0
        for code in codes:
            if sizes[code]:
                by_hand += float(part_cost(np.array([float(sizes[code])]))[0])
        assert found == by_hand
