"""Moves as people type them."""

import pytest

import wordle_kit as wk
from wordle_kit.strategy.moves import example, read_move


@pytest.fixture(scope="module")
def wordle():
    return wk.load_game("wordle")


@pytest.fixture(scope="module")
def dordle():
    return wk.load_game("dordle")


@pytest.mark.parametrize("text", ["soare=00120", "soare 00120", "soare  BBYGB", "SOARE = bbygb", "soare ⬛⬛🟨🟩⬛"])
def test_feedback_is_read_as_digits_letters_and_tiles(wordle, text):
    position = wk.Position.start(wordle).after(*read_move(wordle, text))
    assert (position.guesses, str(position.board.feedback[0])) == (("soare",), "00120")


@pytest.mark.parametrize("text", ["soare=00120/00210", "soare 00120 00210", "soare BBYGB / BBGYB"])
def test_every_board_has_its_own_feedback(dordle, text):
    position = wk.Position.start(dordle).after(*read_move(dordle, text))
    assert [str(board.feedback[0]) for board in position.boards] == ["00120", "00210"]


def test_a_solved_board_needs_no_feedback(dordle):
    position = wk.Position.start(dordle).after(*read_move(dordle, "crane=22222/00202"))
    assert position.after(*read_move(dordle, "slate - 22222")).open_boards == ()


def test_feedback_may_have_spaces_and_words_equals_signs():
    game = wk.load_game({"name": "signs", "alphabet": "=<", "length": 2, "answers": "all", "rule": "mastermind"})
    assert read_move(game, "=<=1, 0") == ("=<", ("1, 0",))
    assert read_move(game, "== 0,0") == ("==", ("0,0",))


def test_examples_are_moves_that_can_be_read():
    game = wk.load_game("mini-nerdle")
    assert example(game, " ") == "42/6=7 000020"
    assert read_move(game, example(game, " ")) == read_move(game, example(game)) == ("42/6=7", ("000020",))


@pytest.mark.parametrize("move", ["soare=00120", "soare=00120/00000/00000"])
def test_each_board_must_have_feedback(dordle, move):
    with pytest.raises(wk.GameError, match=r"2.*10200.*10200"):
        read_move(dordle, move)
