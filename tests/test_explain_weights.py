"""Chances and expected figures by weight, compared with sums over the answers one by one."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, small_games

import wordle_kit as wk
from wordle_kit.explain import explanation, likeliest, measured, ranked, split_rows, split_summary


@st.composite
def boards(draw):
    """Draw boards of games whose answers have whole weights, some of them 0."""
    position = draw(positions(small_games(symbols=[4], lengths=[1, 2, 3])))
    game, board = position.game, position.board
    n = len(game.answers)
    weights = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any))
    return wk.Board(game.replace(weights=weights), board.candidates, board.codes)


def chances_of(board):
    """Return the chance of each candidate by its weight, or equal ones if no candidate has a weight."""
    weights = dict(zip(board.game.answers, board.game.weights, strict=True))
    total = sum(weights[word] for word in board.words)
    return {word: weights[word] / total if total else 1 / len(board) for word in board.words}


def left_after(board, guess, answer):
    """Return the candidates that get the same feedback as this answer."""
    game = board.game
    return [word for word in board.words if game.feedback(guess, word) == game.feedback(guess, answer)]


@given(board=boards(), choice=st.integers(0, 100))
def test_expected_figures_are_sums_over_the_answers_by_their_chances(board, choice):
    game, chances = board.game, chances_of(board)
    guess = game.guesses[choice % len(game.guesses)]
    size = sum(chance * len(left_after(board, guess, word)) for word, chance in chances.items())
    masses = {word: sum(chances[other] for other in left_after(board, guess, word)) for word in chances}
    bits = sum(chance * -math.log2(masses[word]) for word, chance in chances.items() if chance)
    summary = split_summary(split_rows(board, guess))
    (row,) = measured(wk.Position(game, [board], ()), np.array([game.guess_ids[guess]], dtype=np.int32))
    assert (summary["expected_size"], summary["expected_bits"]) == pytest.approx((size, bits), abs=1e-9)
    assert (row["expected size"], row["bits"]) == pytest.approx((size, bits), abs=1e-9)
    if game.is_weighted:
        assert row["chance"] == pytest.approx(chances.get(guess, 0))


@given(board=boards(), choice=st.integers(0, 100))
def test_the_likeliest_parts_and_words_come_first(board, choice):
    chances = chances_of(board)
    rows = split_rows(board, board.game.guesses[choice % len(board.game.guesses)])
    for row in rows:
        assert row["share"] == pytest.approx(sum(chances[word] for word in row["words"]), abs=1e-12)
        assert (row["bits"] is None) == (row["share"] == 0)
        assert [chances[word] for word in row["words"]] == sorted((chances[w] for w in row["words"]), reverse=True)
    assert [row["share"] for row in rows] == sorted((row["share"] for row in rows), reverse=True)
    assert [chance for _, chance in likeliest(board)] == pytest.approx(sorted(chances.values(), reverse=True))


@settings(max_examples=20)
@given(board=boards(), spec=st.sampled_from(["entropy", "entropy(ties=likeliest-first)", "minimax", "expected-size"]))
def test_the_best_opener_is_the_guess_that_the_strategy_makes(board, spec):
    position, strategy = wk.Position(board.game, [board], ()), wk.load_strategy(spec)
    if len(board) > 1:
        assert ranked(position, strategy, 1)[0]["word"] == strategy.guess(position)


GAME = wk.load_game({"name": "few", "alphabet": "abcd", "length": 3, "answers": ["abc", "bcd", "cda", "dab", "add"]})


def figures(game):
    """Return everything that is shown about the guess `abc` and about first guesses."""
    position, entropy = wk.Position.start(game), wk.load_strategy("entropy")
    guesses = np.arange(len(game.guesses), dtype=np.int32)
    shown = (split_rows(position.board, "abc"), measured(position, guesses))
    return *shown, ranked(position, entropy, 5), explanation(position, entropy, "abc")


def test_equal_weights_change_nothing_that_is_shown():
    assert repr(figures(GAME.replace(weights=[3.0] * 5))) == repr(figures(GAME))


def test_if_one_answer_has_all_the_weight_no_guess_tells_anything():
    game = GAME.replace(weights=[0, 0, 1, 0, 0])
    summary = split_summary(rows := split_rows(wk.Position.start(game).board, "abc"))
    assert (summary["expected_bits"], rows[0]["share"], rows[0]["words"][0]) == (0, 1, "bcd")
    assert summary["expected_size"] == rows[0]["size"]
