"""Help with a puzzle that is played elsewhere: what fits, what does not, and what to guess."""

import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit.strategy.moves import Assistance

WORDLE = bundled("wordle")
DORDLE = bundled("dordle")
TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"})


def after(game, *moves):
    """Return the state after moves."""
    state = Assistance.start(game)
    for move in moves:
        state = state.add(move)
    return state


# Moves


def test_moves_narrow_the_words_down_and_can_be_taken_back():
    state = after(WORDLE, "crane 01100", "moist=BYBBG")
    assert state.position.guesses == ("crane", "moist")
    assert state.undo().position.guesses == ("crane",)
    assert len(state.position.boards[0]) < len(state.undo().position.boards[0])
    with pytest.raises(wk.GameError, match="no guess to take back"):
        Assistance.start(WORDLE).undo()


def test_a_solved_puzzle_takes_no_further_guess():
    with pytest.raises(wk.GameError, match="the puzzle is solved"):
        after(WORDLE, "crane 22222", "crate 00000")


def test_hard_mode_refuses_guesses_that_could_not_have_been_made():
    with pytest.raises(wk.GameError, match="not allowed in hard mode"):
        after(WORDLE.replace(hard_mode=True), "crane 20000", "moist 00000")


def test_a_dash_is_refused_on_a_board_that_is_not_solved():
    assert after(DORDLE, "crane 22222/00000", "moist -/02000").position.boards[0].is_solved
    with pytest.raises(wk.GameError, match="'-' is for a solved board; write the feedback on board 2"):
        after(DORDLE, "crane 22222/-")


@pytest.mark.parametrize(
    ("move", "problem"),
    [
        ("crane", "^write a guess and its feedback, as in aahed 00000$"),
        ("crane 0110", "'0110' is not feedback"),
        ("qqqqq 00000", "'qqqqq' is not among the guesses"),
    ],
)
def test_an_impossible_move_is_named(move, problem):
    with pytest.raises(wk.GameError, match=problem):
        after(WORDLE, move)
