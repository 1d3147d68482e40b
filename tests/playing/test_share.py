"""The result of a game, to share: it shows no word."""

import wordle_kit as wk
from wordle_kit.playing.session import Session
from wordle_kit.playing.share import share_text
from wordle_kit.tournaments.host import Adversary, HiddenWords

FOUR = wk.load_game(
    {
        "name": "four",
        "alphabet": "abcdefghijklmnopqrstuvwxyz",
        "length": 5,
        "answers": ["brave", "crane", "crate", "slate"],
        "max_guesses": 3,
    }
)


def hiding(*words, game=FOUR):
    """Return a game that hides words, before the first guess."""
    return Session.start(game, HiddenWords(tuple(game.answer_ids[word] for word in words)))


def test_shared_text_has_the_tiles_and_no_word():
    text = share_text(hiding("crane").guess("brave").guess("crane"), "--seed 7")
    assert text == "wordle-kit four 2/3, --seed 7\n⬜🟩🟩⬜🟩\n🟩🟩🟩🟩🟩"


def test_an_output_without_tiles_shares_the_digits():
    session = hiding("crane", "slate", game=FOUR.replace(boards=2)).guess("crane").guess("slate")
    assert share_text(session, tiles=False).splitlines()[1:] == ["22222  00202", "       22222"]


def test_shared_text_says_which_help_was_used():
    session = hiding("crane").hinted().guess("slate").undo().guess("brave").give_up()
    assert share_text(session).splitlines()[0] == "wordle-kit four X/3, 1 hint, 1 undo"
    hard = hiding("crane", game=FOUR.replace(hard_mode=True)).hinted().hinted().guess("crane")
    assert share_text(hard).splitlines()[0] == "wordle-kit four in hard mode 1/3, 2 hints"


def test_boards_are_shared_side_by_side_and_a_solved_one_is_blank():
    text = share_text(hiding("crane", "slate", game=FOUR.replace(boards=2)).guess("crane").guess("slate"))
    assert text.splitlines()[1:] == ["🟩🟩🟩🟩🟩  ⬜⬜🟩⬜🟩", "            🟩🟩🟩🟩🟩"]


def test_a_game_against_the_adversary_is_shared_as_one():
    session = Session.start(FOUR, Adversary()).guess("brave").give_up()
    assert share_text(session).splitlines()[0] == "wordle-kit four against the adversary X"
