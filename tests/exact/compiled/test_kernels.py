"""Each kernel does what a slow readable twin does."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.exact.compiled import kernels, transposition_table
from wordle_kit_plugins.exact.compiled.guesses import keep_allowed
from wordle_kit_plugins.exact.memory import hard_mode_of
from wordle_kit_plugins.exact.objective import ideal_costs

import wordle_kit as wk

some = settings(max_examples=40, deadline=None)


@st.composite
def matrices(draw):
    """Draw codes[n, width], and some of the rows."""
    dice = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, width = draw(st.integers(1, 40)), draw(st.sampled_from([1, 7, 1023, 1500]))
    codes = dice.integers(0, draw(st.sampled_from([2, 9, 250])), (n, width)).astype(np.uint8)
    rows = dice.choice(n, draw(st.integers(1, n)), replace=False).astype(np.int32)
    return codes, rows


def partitions_of(codes, rows):
    """Return the sizes of the parts that each guess makes, by code."""
    return [Counter(column.tolist()) for column in codes[rows].T]


def matrix(codes, rows):
    """Return some rows of codes as kernels take them."""
    return kernels.Matrix(codes.ravel(), 0, codes.shape[1], rows)


def scratch(dtype=np.uint8):
    """Return memory that kernels write to."""
    return np.zeros(kernels.BLOCK, dtype=dtype)


@some
@given(matrices())
def test_bounds_of_parts_end_the_scan_only_if_no_better_guess_follows(drawn):
    codes, rows = drawn
    order = np.argsort([-len(parts) for parts in partitions_of(codes, np.arange(len(codes)))], kind="stable")
    codes = np.ascontiguousarray(codes[:, order])
    at_most = np.array([len(parts) for parts in partitions_of(codes, np.arange(len(codes)))], dtype=np.int32)
    most, _ = kernels.most_parts(matrix(codes, rows), at_most, scratch(), scratch())
    assert most == max(len(parts) for parts in partitions_of(codes, rows))


@some
@given(matrices())
def test_parts_and_pairs_left_together_are_counted(drawn):
    codes, rows = drawn
    split = partitions_of(codes, rows)
    size = min(codes.shape[1], kernels.BLOCK)
    parts, pairs = scratch()[:size], scratch(np.uint16)[:size]
    kernels.count_parts(matrix(codes, rows), 0, parts, pairs, scratch()[:size])
    assert parts.tolist() == [len(sizes) for sizes in split][:size]
    assert pairs.tolist() == [sum(m * (m - 1) // 2 for m in sizes.values()) for sizes in split][:size]
    seen = np.zeros(256, dtype=np.int64)
    assert kernels.parts_of(matrix(codes, rows), 0, seen) == len(split[0])
    assert not seen.any()
    none = np.zeros(0, dtype=np.int32)
    most, column = kernels.most_parts(matrix(codes, rows), none, scratch(), scratch())
    assert most == max(map(len, split)) == len(split[column])


@some
@given(matrices())
def test_equal_partitions_have_equal_hashes_and_others_do_not(drawn):
    codes, rows = drawn
    size = min(codes.shape[1], kernels.BLOCK)
    hashes = scratch(np.uint64)[:size]
    kernels.hash_partitions(matrix(codes, rows), 0, scratch()[:size], hashes)
    labels = [tuple(column.index(code) for code in column) for column in codes[rows, :size].T.tolist()]
    assert len(set(labels)) == len(set(hashes.tolist())) == len(set(zip(labels, hashes.tolist(), strict=True)))


@some
@given(matrices())
def test_costs_of_parts_are_added_up(drawn):
    codes, rows = drawn
    width = codes.shape[1]
    ideal = ideal_costs(len(rows), 256, None, 0)[-1]
    costs, squares, parts = np.zeros(width, np.int64), np.zeros(width, np.int32), np.zeros(width, np.int32)
    kernels.costs_of_parts(matrix(codes, rows), ideal, 256, costs, squares, parts)
    split = partitions_of(codes, rows)
    assert costs.tolist() == [sum(ideal[m] for m in parts.values()) for parts in split]
    assert squares.tolist() == [sum(m * m for m in parts.values()) for parts in split]
    assert parts.tolist() == [len(parts) for parts in split]
    weights = np.arange(len(rows), 0, -1)
    seen = np.zeros(256, dtype=np.int64)
    saved, square, many = kernels.saved_by_parts(matrix(codes, rows), 0, weights, seen)
    firsts = {code: weights[i] for i, code in reversed(list(enumerate(codes[rows, 0].tolist())))}
    assert (saved, square, many) == (sum(firsts.values()), squares[0], parts[0])


def test_the_table_keeps_results_and_drops_the_smallest_set_of_a_full_bucket():
    table = transposition_table.new_table(transposition_table.BUCKET * transposition_table.ENTRY.itemsize)
    hashes = [(np.uint64(4 * i), np.uint64(i + 9)) for i in range(5)]
    for size, (first, second) in zip((7, 5, 8, 9, 6), hashes, strict=True):
        transposition_table.keep(table, first, second, size, 2 * size, True, size - 1)
    found = [transposition_table.find(table, first, second) for first, second in hashes]
    assert found[1] == transposition_table.UNKNOWN
    for size, slot in zip((7, 8, 9, 6), (found[0], *found[2:]), strict=True):
        assert transposition_table.cost_at(table, slot) == 2 * size
        assert transposition_table.guess_at(table, slot) == size - 1
        assert transposition_table.size_at(table, slot) == size
        assert transposition_table.is_exact(table, slot)


def test_a_lower_bound_is_raised_and_an_exact_cost_stays():
    table = transposition_table.new_table(2**12)
    one = (np.uint64(3), np.uint64(5))
    for cost in (8, 9, 7):
        transposition_table.keep(table, *one, 4, cost, False, -1)
    assert transposition_table.cost_at(table, transposition_table.find(table, *one)) == 9
    transposition_table.keep(table, *one, 4, 10, True, 2)
    transposition_table.keep(table, *one, 4, 99, False, -1)
    assert transposition_table.cost_at(table, transposition_table.find(table, *one)) == 10


@pytest.mark.parametrize("rule", ["wordle", "wordle-uncounted"])
def test_hard_mode_allows_the_guesses_that_the_rule_allows(rule):
    words = ["aabbc", "abcab", "bacca", "ccbaa", "aaabb", "cabba", "bbbca", "accab"]
    plugins = wk.Plugins.load()
    game = wk.load_game("wordle").replace(
        answers=words,
        guesses=words,
        rule=plugins.rules[rule].value,
        hard_mode=True,
    )
    everything = np.arange(len(words), dtype=np.int32)
    hard = hard_mode_of(game, everything)
    for guess in range(len(words)):
        for code in set(game.table.column(guess, everything).tolist()):
            kept = np.zeros(len(words), dtype=np.int32)
            n = keep_allowed(hard, guess, code, everything, kept)
            assert kept[:n].tolist() == np.flatnonzero(game.allowed_after(guess, code)).tolist()
