"""Moves as people type them."""

import pytest

import wordle_kit as wk
from wordle_kit.strategy.moves import example, read_move


@pytest.mark.parametrize(
    ("name", "text", "feedback"),
    [
        ("wordle", "soare=00120", ["00120"]),
        ("wordle", "soare  BBYGB", ["00120"]),
        ("wordle", "SOARE = bbygb", ["00120"]),
        ("wordle", "soare ⬛⬛🟨🟩⬛", ["00120"]),
        ("dordle", "soare=00120/00210", ["00120", "00210"]),
        ("dordle", "soare 00120 00210", ["00120", "00210"]),
        ("dordle", "soare BBYGB / BBGYB", ["00120", "00210"]),
    ],
)
def test_a_move_is_a_guess_and_the_feedback_on_each_board(name, text, feedback):
    game = wk.load_game(name)
    position = wk.Position.start(game).after(*read_move(game, text))
    assert position.guesses == ("soare",)
    assert [str(board.feedback[0]) for board in position.boards] == feedback


def test_a_solved_board_needs_no_feedback():
    dordle = wk.load_game("dordle")
    position = wk.Position.start(dordle).after(*read_move(dordle, "crane=22222/00202"))
    assert position.after(*read_move(dordle, "slate - 22222")).open_boards == ()


def test_feedback_may_have_spaces_and_words_equals_signs():
    game = wk.load_game({"name": "signs", "alphabet": "=<", "length": 2, "answers": "all", "rule": "mastermind"})
    assert read_move(game, "=<=1, 0") == ("=<", ("1, 0",))
    assert read_move(game, "== 0,0") == ("==", ("0,0",))


@pytest.mark.parametrize(("name", "text"), [("mini-nerdle", "10-1=9"), ("wordle", "soare="), ("dordle", "soare=00120")])
def test_a_move_that_lacks_something_is_refused_with_an_example_that_can_be_read(name, text):
    game = wk.load_game(name)
    with pytest.raises(wk.GameError) as refused:
        read_move(game, text)
    assert example(game) in str(refused.value)
    wk.Position.start(game).after(*read_move(game, example(game)))
