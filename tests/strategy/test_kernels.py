"""The kernel of partition strategies against a slow twin, whatever the codes, their type and the candidates."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.strategy.kernels import TILE, partition_costs

often = settings(deadline=None, max_examples=100)
CANDIDATES = {"one": 1, "two": 2, "three": 3, "four": 4, "more": 15}


def costs_by_hand(codes, rows, cost, largest):
    """Return the sum, or the largest, of the costs of the parts of each guess."""
    parts = [Counter(codes[row][guess] for row in rows).values() for guess in range(len(codes[0]))]
    return [(max if largest else sum)(cost[size] for size in sizes) for sizes in parts]


@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
@pytest.mark.parametrize("n", CANDIDATES.values(), ids=CANDIDATES)
@often
@given(
    seed=st.integers(0, 2**32),
    n_guesses=st.sampled_from([1, 2, 7, TILE - 1, TILE, TILE + 1, 2 * TILE + 3]),
    codes_and_type=st.sampled_from([(1, np.uint8), (2, np.uint8), (3, np.uint8), (243, np.uint8), (729, np.uint16)]),
)
def test_the_cost_of_a_guess_is_that_of_its_parts(n, largest, seed, n_guesses, codes_and_type):
    n_codes, kind = codes_and_type
    dice = np.random.default_rng(seed)
    codes = dice.integers(n_codes, size=(n + 5, n_guesses)).astype(kind)
    rows = dice.choice(n + 5, n, replace=False).astype(np.int32)
    cost = np.concatenate([[0.0], dice.normal(size=n)])
    out = np.full(n_guesses, np.nan)
    partition_costs(codes, rows, cost, n_codes, largest, out)
    assert out.tolist() == pytest.approx(costs_by_hand(codes.tolist(), rows.tolist(), cost.tolist(), largest))


@pytest.mark.parametrize("over_parts", ["sum", "max"])
@pytest.mark.parametrize("length", [3, 6], ids=["uint8", "uint16"])
@pytest.mark.parametrize("n", CANDIDATES.values(), ids=CANDIDATES)
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32), n_groups=st.integers(1, 4))
def test_codes_of_one_group_are_one_part(n, length, over_parts, seed, n_groups):
    game = wk.load_game({"name": "pairs", "alphabet": "ab", "length": length, "answers": "all"})
    dice = np.random.default_rng(seed)
    groups = dice.integers(n_groups, size=game.table.n_codes)
    candidates = np.sort(dice.choice(len(game.answers), min(n, len(game.answers)), replace=False)).astype(np.int32)
    board = wk.Board(game, candidates)
    cost = dice.normal(size=len(board) + 1)
    found = board.costs(lambda sizes: cost[sizes.astype(int)], over_parts=over_parts, groups=groups)
    codes = [[groups[game.feedback(guess, word).code] for guess in game.guesses] for word in board.words]
    assert found.tolist() == pytest.approx(costs_by_hand(codes, range(len(board)), cost, over_parts == "max"))
