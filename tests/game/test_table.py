"""The table of all feedback: the same codes whether it is kept whole or computed in blocks."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk

FIELDS = {
    "name": "toy",
    "alphabet": "abcd",
    "length": 4,
    "answers": ["abcd", "aabb", "dcba", "bbbb", "cadb"],
    "guesses": "all",
}
ANSWERS, GUESSES = 5, 256
MEMORIES = {"one guess a block": 1, "blocks of 50": 1000, "whole": 2**20}
RULES = ["wordle", "wordle-uncounted", "wordle-left-to-right", "case-aware", "mastermind"]

subsets = st.tuples(
    st.lists(st.integers(0, ANSWERS - 1), min_size=1, unique=True),
    st.none() | st.lists(st.integers(0, GUESSES - 1), max_size=60),
)


def toy(rule="wordle", memory="whole"):
    return wk.load_game(FIELDS | {"rule": rule}).replace(memory=MEMORIES[memory])


def ids(numbers):
    return np.array(numbers, dtype=np.int32)


def pairwise(game, answers, guesses):
    """Return the rule's codes, with a row for each answer and a column for each guess."""
    return [
        [game.rule.code(tuple(game.guesses[guess]), tuple(game.answers[answer])) for guess in guesses]
        for answer in answers
    ]


def put_together(table, answers, guesses):
    """Return the codes of all blocks side by side, one row per answer."""
    columns = [codes[rows] for _, codes, rows in table.blocks(answers, guesses)]
    return np.hstack(columns).tolist() if columns else [[] for _ in answers]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("rule", RULES)
def test_a_column_holds_the_feedback_of_one_guess(rule, memory):
    game = toy(rule, memory)
    for answers in ([0, 1, 2, 3, 4], [3, 0]):
        for guess in (0, 100, GUESSES - 1):
            expected = [row[0] for row in pairwise(game, answers, [guess])]
            assert game.table.column(guess, ids(answers)).tolist() == expected
            assert [game.table.code(guess, answer) for answer in answers] == expected


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("rule", RULES)
def test_blocks_put_together_hold_the_feedback_of_all_guesses(rule, memory):
    game = toy(rule, memory)
    for answers in ([0, 1, 2, 3, 4], [4, 2]):
        assert put_together(game.table, ids(answers), None) == pairwise(game, answers, range(GUESSES))


@pytest.mark.parametrize("memory", MEMORIES)
@given(subsets)
@settings(deadline=None, max_examples=40)
def test_blocks_of_any_guesses_hold_their_feedback_in_their_order(memory, subset):
    game = toy(memory=memory)
    answers, guesses = subset
    expected = pairwise(game, answers, range(GUESSES) if guesses is None else guesses)
    assert put_together(game.table, ids(answers), None if guesses is None else ids(guesses)) == expected


@pytest.mark.parametrize("memory", MEMORIES)
@given(subsets)
@settings(deadline=None, max_examples=40)
def test_blocks_follow_each_other_without_gap_or_overlap(memory, subset):
    answers, guesses = subset
    n_guesses = GUESSES if guesses is None else len(guesses)
    covered = 0
    for block, codes, rows in toy(memory=memory).table.blocks(ids(answers), None if guesses is None else ids(guesses)):
        assert block.start == covered
        assert codes.shape[1] == block.stop - block.start
        assert len(rows) == len(answers)
        covered = block.stop
    assert covered == n_guesses


def test_a_table_within_its_memory_is_kept():
    table = toy(memory="whole").table
    table.prepare()
    assert table.is_dense
    (_, first, _), (_, again, _) = next(table.blocks(ids([0]))), next(table.blocks(ids([1])))
    assert first is again


def test_a_table_beyond_its_memory_is_computed_in_blocks_of_a_quarter_of_it():
    table = toy(memory="blocks of 50").table
    table.prepare()
    sizes = [codes.nbytes for _, codes, _ in table.blocks(ids(range(ANSWERS)))]
    assert not table.is_dense
    assert len(sizes) > 1
    assert max(sizes) <= 1000 / 4


def test_a_table_just_fits_its_own_size():
    game = toy()
    assert game.table.nbytes == ANSWERS * GUESSES
    assert game.replace(memory=game.table.nbytes).table.is_dense
    assert not game.replace(memory=game.table.nbytes - 1).table.is_dense


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize(
    ("rule", "length", "dtype"),
    [
        ("wordle", 5, "uint8"),
        ("wordle", 6, "uint16"),
        ("wordle", 10, "uint16"),
        ("wordle", 11, "uint32"),
        ("mastermind", 15, "uint8"),
        ("mastermind", 16, "uint16"),
    ],
)
def test_codes_have_the_smallest_type_that_holds_them(rule, length, dtype, memory):
    answers = ["a" * length, "b" * length]
    fields = {"name": "toy", "alphabet": "ab", "length": length, "answers": answers, "rule": rule}
    game = wk.load_game(fields).replace(memory=MEMORIES[memory])
    codes = game.table.column(0, ids([0, 1]))
    assert codes.dtype == game.table.dtype == dtype
    assert codes.tolist() == [game.winning_code, 0]


@pytest.mark.parametrize("memory", MEMORIES)
def test_blocks_of_all_guesses_are_read_only(memory):
    for _, codes, _ in toy(memory=memory).table.blocks(ids(range(ANSWERS))):
        with pytest.raises(ValueError, match="read-only"):
            codes[0, 0] = 1


@pytest.mark.parametrize("memory", MEMORIES)
def test_changing_a_column_does_not_change_the_table(memory):
    table = toy(memory=memory).table
    everyone = ids(range(ANSWERS))
    before = table.column(7, everyone).tolist()
    with contextlib.suppress(ValueError):  # of a read-only array
        table.column(7, everyone)[:] = 99
    assert table.column(7, everyone).tolist() == before
