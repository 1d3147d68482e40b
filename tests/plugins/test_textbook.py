"""The textbook heuristics that let rounding decide, against slow twins; the others are those of known totals."""

import math
from collections import Counter

import pytest
from wordle_kit_plugins.partition import Entropy, EntropyAsPrinted, last_place_first

import wordle_kit as wk

GUESSES = [[], ["soare"], ["salet"], ["crane", "built"]]


def after(guesses):
    """The board of wordle after some guesses, with proxy hidden."""
    position = wk.Position.start(wk.load_game("wordle"))
    for guess in guesses:
        position = position.after(guess, position.game.feedback(guess, "proxy"))
    assert len(position.board) > 4
    return position.board


def bits_by_hand(board, guess):
    """The terms p log2 p of the parts, added up by the marks of the last place, then of the one before, and so on."""
    sizes = Counter(str(board.game.feedback(guess, answer)) for answer in board.words)
    total = 0.0
    for marks in sorted(sizes, key=lambda marks: ["021".index(mark) for mark in reversed(marks)]):
        share = sizes[marks] / len(board)
        total += share * math.log2(share)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("guesses", GUESSES, ids=str)
def test_the_bits_are_added_up_in_order_to_the_last_digit(guesses):
    board = after(guesses)
    scores = EntropyAsPrinted().scores(board, None)
    for guess in range(0, len(board.game.guesses), 1997 if len(board) > 500 else 101):
        assert scores[guess] == bits_by_hand(board, board.game.guesses[guess])


@pytest.mark.parametrize("guesses", GUESSES[1:], ids=str)
def test_apart_from_rounding_it_scores_like_entropy(guesses):
    board = after(guesses)
    missing = Entropy().scores(board, None)
    assert EntropyAsPrinted().scores(board, None) + math.log2(len(board)) == pytest.approx(missing, abs=1e-9)


@pytest.mark.parametrize("game", ["wordle", "mastermind"])
def test_every_code_comes_once(game):
    loaded = wk.load_game(game)
    assert sorted(last_place_first(loaded)) == list(range(loaded.table.n_codes))


def test_the_last_place_counts_most_and_a_correct_symbol_comes_before_a_present_one():
    game = wk.load_game({"name": "two", "alphabet": "ab", "length": 2, "answers": "all"})
    marks = [str(game.feedback_of(code)) for code in last_place_first(game)]
    assert marks == ["00", "20", "10", "02", "22", "12", "01", "21", "11"]
