"""A game that a person plays: guesses, refusals, taking back and giving up."""

import pytest

import wordle_kit as wk
from wordle_kit.playing.session import Session
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


def test_a_guess_is_answered_and_the_game_before_it_stays_as_it_was():
    start = hiding("crane")
    after = start.guess("Brave")
    assert [str(seen) for seen in after.position.boards[0].feedback] == ["02202"]
    assert start.position.guesses == ()
    assert not after.is_over


def test_a_game_ends_when_the_word_is_guessed():
    session = hiding("crane").guess("brave").guess("crane")
    assert session.is_solved
    assert session.is_over
    with pytest.raises(wk.GameError, match="the game is over"):
        session.guess("slate")


def test_a_game_ends_after_the_guesses_that_are_allowed():
    session = hiding("slate").guess("brave").guess("crane").guess("crate")
    assert (session.is_over, session.is_solved, session.answers) == (True, False, ("slate",))


@pytest.mark.parametrize(
    ("guess", "why"),
    [
        ("zebra", "'zebra' is not among the guesses of four"),
        ("late", "'late' has 4 symbols; words of four have 5"),
        ("cräne", "'ä', which is not in the alphabet"),
        ("", "'' has 0 symbols"),
        ("brave", "'brave' was guessed before"),
    ],
)
def test_a_refused_guess_says_why_and_costs_nothing(guess, why):
    session = hiding("crane").guess("brave")
    with pytest.raises(wk.GameError, match=why):
        session.guess(guess)
    assert session.position.turn == 2


def test_hard_mode_refuses_guesses_that_ignore_hints():
    session = hiding("crane", game=FOUR.replace(hard_mode=True)).guess("brave")
    with pytest.raises(wk.GameError, match="not allowed in hard mode: place 2 must be 'r'"):
        session.guess("slate")


def test_hard_mode_on_several_boards_may_leave_no_guess():
    settings = {"name": "pairs", "alphabet": "ab", "length": 2, "answers": "all", "boards": 2, "hard_mode": True}
    session = hiding("aa", "bb", game=wk.load_game(settings))
    assert not session.is_stuck
    assert not session.guess("aa").is_stuck  # only the open board makes demands
    assert session.guess("ab").is_stuck  # a must be in the first place, and b in the second
    assert not session.guess("ab").give_up().is_stuck


def test_guesses_are_taken_back_one_by_one():
    session = hiding("slate").guess("brave").guess("crane").undo()
    assert session.position.guesses == ("brave",)
    assert session.undo().position.guesses == ()
    assert session.undo().taken_back == 2
    with pytest.raises(wk.GameError, match="no guess to take back"):
        session.undo().undo()


def test_a_game_that_is_given_up_is_over():
    session = hiding("slate").guess("brave").give_up()
    assert (session.is_over, session.is_solved, session.answers) == (True, False, ("slate",))
    with pytest.raises(wk.GameError, match="the game is over"):
        session.give_up()


def test_against_the_adversary_any_number_of_guesses_is_allowed():
    session = Session.start(FOUR, Adversary())
    assert session.limit is None
    for word in ("slate", "brave", "crate"):
        session = session.guess(word)
    assert [str(seen) for seen in session.position.boards[0].feedback] == ["00202", "02202", "22202"]
    assert not session.is_over
    assert session.answers == ("crane",)
    assert session.guess("crane").is_solved
