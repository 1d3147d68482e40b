"""The kernels for few candidates against slow twins: not even the last digit of a sum differs."""

from collections import Counter
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordle_kit.strategy.costs import MOST_IN_PARTITION, MOST_IN_SEQUENCE
from wordle_kit.strategy.few_kernels import WIDTH, costs_of_partitions, costs_of_sequences, costs_of_three
from wordle_kit.strategy.kernels import partition_costs


def costs_by_hand(codes, rows, cost, largest):
    """Return the sum, or the largest, of the costs of the parts of each guess."""
    parts = [Counter(codes[row][guess] for row in rows).values() for guess in range(len(codes[0]))]
    return [total([cost[size] for size in sizes], largest) for sizes in parts]


def total(costs, largest):
    """Return the largest of some costs, or their sum, added one after the other."""
    # Since Python 3.12, `sum` makes up for what is rounded away.
    return max(costs) if largest else reduce(add, costs)


def drawn(seed, n, n_guesses, n_codes, kind):
    """Return codes, some of their rows, and a cost for each size."""
    dice = np.random.default_rng(seed)
    codes = dice.integers(n_codes, size=(n + 2, n_guesses)).astype(kind)
    rows = dice.choice(n + 2, n, replace=False).astype(np.int32)
    return codes, rows, np.concatenate([[0.0], dice.normal(size=n)])


@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, MOST_IN_SEQUENCE),
    n_guesses=st.sampled_from([1, 2, 17, WIDTH - 1, WIDTH, WIDTH + 3]),
    codes_and_type=st.sampled_from([(1, np.uint8), (2, np.uint8), (5, np.uint8), (243, np.uint8), (729, np.uint16)]),
)
def test_few_candidates_cost_what_their_parts_cost(largest, seed, n, n_guesses, codes_and_type):
    codes, rows, cost = drawn(seed, n, n_guesses, *codes_and_type)
    out = np.full(n_guesses, np.nan)
    costs_of_sequences(codes, rows, cost, largest, out)
    assert out.tolist() == costs_by_hand(codes.tolist(), rows.tolist(), cost.tolist(), largest)


@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 3), n_codes=st.integers(1, 4))
def test_three_candidates_cost_what_their_parts_cost(largest, seed, n, n_codes):
    codes, rows, cost = drawn(seed, n, 40, n_codes, np.uint8)
    out = np.full(40, np.nan)
    costs_of_three(codes, rows, np.ones(n, np.int32), cost, largest, out)
    assert out.tolist() == pytest.approx(costs_by_hand(codes.tolist(), rows.tolist(), cost.tolist(), largest))


@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, MOST_IN_PARTITION),
    n_guesses=st.sampled_from([1, 2, 17, WIDTH - 1, WIDTH, WIDTH + 3]),
    codes_and_type=st.sampled_from([(1, np.uint8), (2, np.uint8), (5, np.uint8), (243, np.uint8), (729, np.uint16)]),
)
def test_each_set_of_few_candidates_has_a_cost_of_its_own(largest, seed, n, n_guesses, codes_and_type):
    codes, rows, _ = drawn(seed, n, n_guesses, *codes_and_type)
    cost = np.concatenate([[0.0], np.random.default_rng(seed).normal(size=2**n - 1)])
    by_hand = []
    for guess in range(n_guesses):
        sets = {}
        for i, row in enumerate(rows.tolist()):
            sets[codes[row, guess]] = sets.get(codes[row, guess], 0) + 2**i
        by_hand.append(total([cost[part] for part in sets.values()], largest))
    out = np.full(n_guesses, np.nan)
    costs_of_partitions(codes, rows, cost, largest, out)
    assert out.tolist() == by_hand
    units = 2 ** np.arange(n, dtype=np.int32)
    partition_costs(codes, rows, units, cost, codes_and_type[0], largest, out)
    assert out.tolist() == by_hand
