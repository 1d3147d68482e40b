"""Crowds rule out exactly the guesses after which three more cannot solve all words. Their kernels are tested too."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.exact.compiled import kernels
from wordle_kit_plugins.exact.crowds import Crowds
from wordle_kit_plugins.exact.objective import Objective
from wordle_kit_plugins.exact.search import Search

import wordle_kit as wk
from wordle_kit.game.words import Alphabet
from wordle_kit.plugins import default_plugins

some = settings(max_examples=30, deadline=None)


@st.composite
def hard_games(draw):
    """Draw a game of up to 20 answers and few further guesses that tell little, so that many guesses are needed."""
    word = st.text("abcdefghijkl", min_size=2, max_size=2)
    words = draw(st.lists(word, min_size=6, max_size=20, unique=True))
    return wk.Game(
        name="hard",
        alphabet=Alphabet("abcdefghijkl"),
        answers=words[: draw(st.integers(5, len(words)))],
        guesses=sorted(words),
        rule=default_plugins().rules[draw(st.sampled_from(["wordle", "mastermind"]))].value,
    )


def searched(game):
    """Return a search of all candidates of a game."""
    return Search(game, np.arange(len(game.answers), dtype=np.int32), objective=Objective("worst"))


def is_solved(codes, winning, members, left):
    """Return whether every candidate of a set can be solved in the guesses left, by trying everything."""
    if left == 0 or len(members) <= 1:
        return len(members) <= left
    for column in codes.T:
        parts = [members[column[members] == code] for code in np.unique(column[members])]
        if len(parts) > 1 and all(column[p[0]] == winning or is_solved(codes, winning, p, left - 1) for p in parts):
            return True
    return False


@pytest.mark.slow
@some
@given(hard_games(), st.integers(0, 2**20))
def test_a_first_guess_is_ruled_out_if_three_more_do_not_solve_what_it_leaves(game, memory):
    search = searched(game)
    found = Crowds(search, memory % 40)
    for column in range(len(game.guesses)):
        parts = search.split(search.everything, column).values()
        solved = all(is_solved(search.matrix, game.winning_code, part, 3) for part in parts)
        assert found.rule_out(column) == (not solved)


@some
@given(hard_games(), st.data())
def test_no_guess_tells_a_crowd_apart_until_a_word_is_left_out(game, data):
    search = searched(game)
    codes = search.matrix
    rows = np.array(data.draw(st.permutations(range(len(game.answers)))), dtype=np.int32)
    scratch = np.zeros((2, kernels.BLOCK), dtype=np.uint8)

    def told_apart(rows):
        apart = any(len(set(column[rows].tolist())) == len(rows) for column in codes.T)
        assert kernels.is_separated(kernels.Matrix(codes.ravel(), 0, codes.shape[1], rows), *scratch) == apart
        return apart

    if told_apart(rows):
        return
    crowd, left = kernels.shrink(kernels.Matrix(codes.ravel(), 0, codes.shape[1], rows), *scratch)
    assert set(crowd) <= set(rows)
    assert not told_apart(crowd)
    assert all(told_apart(np.delete(crowd, i)) for i in range(len(crowd)))
    together = [len(set(column[crowd].tolist())) == 1 for column in codes.T]
    assert left.astype(bool).tolist() == together


@pytest.mark.slow
def test_no_first_guess_solves_all_answers_of_wordle_in_four():
    search = searched(wk.load_game("wordle"))
    best_first = np.argsort(search.scores(4), kind="stable").tolist()
    assert all(search.crowds.rule_out(column) for column in best_first)
