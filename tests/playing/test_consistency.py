"""Feedback that fits no word: where the last word was lost, and the nearest that fits."""

import itertools

import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.strategy.moves import Assistance, explained_loss, nearest_mend

WORDLE = bundled("wordle")
DORDLE = bundled("dordle")
TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"})


def after(game, *moves):
    """Return the state after moves."""
    state = Assistance.start(game)
    for move in moves:
        state = state.add(move)
    return state


def test_feedback_that_fits_no_word_names_the_guess_and_the_nearest_that_fits():
    with pytest.raises(wk.GameError) as caught:
        after(WORDLE, "crane 01100", "stair 02222")
    assert str(caught.value) == (
        "no word fits: the last 65 words were lost at guess 2, stair 02222; the nearest feedback that fits is "
        "stair 01122 (guess 2, 1 word)"
    )


def test_on_several_boards_the_one_that_lost_its_words_is_named():
    with pytest.raises(wk.GameError, match="no word fits on board 2: the last"):
        after(DORDLE, "crane 01100/22221")


def mend_by_trying_all(game, guesses, codes):
    """Return the least change of one feedback after which an answer fits, by trying every code of every guess."""
    best = None
    for turn, code in itertools.product(range(len(guesses)), range(game.rule.n_codes(game.length))):
        changed = [*codes[:turn], code, *codes[turn + 1 :]]
        fits = [
            word
            for word in game.answers
            if all(game.feedback(guess, word).code == seen for guess, seen in zip(guesses, changed, strict=True))
        ]
        if fits:
            distance = sum(a != b for a, b in zip(str(game.show(code)), str(game.show(codes[turn])), strict=True))
            rank = (distance, -turn, -len(fits), code)
            best = min(best or (rank, turn + 1, code, len(fits)), (rank, turn + 1, code, len(fits)))
    return best


@given(st.data())
@settings(deadline=None, max_examples=25)
def test_the_nearest_feedback_is_that_of_a_search_of_all(data):
    guesses = data.draw(st.lists(st.sampled_from(TINY.guesses), min_size=1, max_size=3, unique=True))
    position = wk.Position.start(TINY)
    hidden = data.draw(st.sampled_from(TINY.answers))
    for guess in guesses[:-1]:
        if position.boards[0].is_solved:
            return
        position = position.after(guess, TINY.feedback(guess, hidden))
    code = data.draw(st.integers(0, 26))
    board, last = position.boards[0], TINY.guess_ids[guesses[-1]]
    if board.is_solved or code in board.parts(last):
        assert explained_loss(position, last, [code]) is None
        return
    codes = [*board.codes, code]
    found = nearest_mend(board, [TINY.guess_ids[guess] for guess in guesses], codes)
    rank, *wanted = mend_by_trying_all(TINY, guesses, codes)
    assert [found.turn, found.code, found.words] == wanted
    assert found.distance == rank[0]
