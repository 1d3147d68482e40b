"""Parts that are counted while codes are computed have the costs of those counted in a table that is kept."""

import numpy as np
import pytest

import wordle_kit as wk
from wordle_kit.strategy import counting, masses
from wordle_kit.strategy.counting import can_count, counted_costs, counted_masses

MEMORIES = {"one guess a block": 1, "a few": 10_000, "all at once": 260_000}


@pytest.fixture(scope="module")
def game():
    """Return a game of 512 words, whose table has 262,144 codes and is kept."""
    return wk.load_game({"name": "threes", "alphabet": "abcdefgh", "length": 3, "answers": "all"})


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
@pytest.mark.parametrize("chosen", [False, True], ids=["all guesses", "some guesses"])
@pytest.mark.parametrize("grouped", [False, True], ids=["codes", "groups"])
def test_costs_are_those_of_the_parts(game, monkeypatch, memory, largest, chosen, grouped):
    monkeypatch.setattr(counting, "SIDE", 100)  # so that no block has all answers
    table = game.replace(memory=memory).table
    dice = np.random.default_rng(5)
    candidates = np.sort(dice.choice(512, 333, replace=False)).astype(np.int32)
    guesses = dice.permutation(512)[:90].astype(np.int32) if chosen else None
    groups = dice.integers(4, size=table.n_codes) if grouped else None
    cost = np.concatenate([[0.0], dice.normal(size=333)])
    found = counted_costs(table, candidates, guesses, cost, groups, largest=largest)
    codes = game.table.whole()[candidates][:, slice(None) if guesses is None else guesses]
    parts = [np.unique(column if groups is None else groups[column], return_counts=True)[1] for column in codes.T]
    assert found.tolist() == pytest.approx([(max if largest else sum)(cost[sizes]) for sizes in parts])


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@pytest.mark.parametrize("chosen", [False, True], ids=["all guesses", "some guesses"])
@pytest.mark.parametrize("grouped", [False, True], ids=["codes", "groups"])
def test_masses_are_those_of_the_parts(game, monkeypatch, memory, chosen, grouped):
    monkeypatch.setattr(counting, "SIDE", 100)  # so that no block has all answers
    table = game.replace(memory=memory).table
    dice = np.random.default_rng(6)
    candidates = np.sort(dice.choice(512, 333, replace=False)).astype(np.int32)
    weights = dice.random(333)
    guesses = dice.permutation(512)[:90].astype(np.int32) if chosen else np.arange(512, dtype=np.int32)
    groups = dice.integers(4, size=table.n_codes) if grouped else None
    blocks = list(counted_masses(table, candidates, weights, guesses if chosen else None, groups))
    assert [i for block, _ in blocks for i in range(block.start, block.stop)] == list(range(len(guesses)))
    codes = game.table.whole()[candidates][:, guesses]
    by_hand = [np.bincount(column if groups is None else groups[column], weights) for column in codes.T]
    found = [row for _, rows in blocks for row in rows]
    assert all(
        np.array_equal(np.trim_zeros(a, "b"), np.trim_zeros(b, "b")) for a, b in zip(found, by_hand, strict=True)
    )


@pytest.mark.parametrize("over_parts", ["sum", "max"])
def test_a_board_with_weights_has_the_same_costs_whether_the_table_is_kept_or_not(game, monkeypatch, over_parts):
    monkeypatch.setattr(masses, "MASSES", 1000)  # so that masses are collected in several rounds
    weights = np.random.default_rng(7).random(512) * (np.arange(512) % 7 > 0)
    boards = [
        wk.Position.start(game.replace(weights=weights, **{} if kept else {"memory": 100_000})).board
        for kept in (True, False)
    ]
    found = [board.costs(lambda mass: mass * np.log2(mass), over_parts=over_parts).tolist() for board in boards]
    assert found[0] == pytest.approx(found[1])
    with pytest.raises(wk.StrategyError, match="gave nan for the mass"):
        boards[1].costs(lambda mass: np.where(mass == mass.max(), np.nan, mass))


def test_a_board_of_many_candidates_counts_its_parts_if_the_table_is_not_kept(game):
    in_blocks = game.replace(memory=100_000)
    assert can_count(in_blocks.table, 512)
    assert not can_count(in_blocks.table, 511)
    assert not can_count(game.table, 512)
    costs = [wk.Position.start(each).board.costs(lambda sizes: sizes * np.log2(sizes)) for each in (game, in_blocks)]
    assert costs[0].tolist() == pytest.approx(costs[1].tolist())
