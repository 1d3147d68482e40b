"""The state of a game that a person plays, and the text to share."""

from dataclasses import replace

import pytest
from rich.cells import cell_len
from wordle_kit_plugins.playing.boards import share_text
from wordle_kit_plugins.playing.persons_game import PersonsGame

import wordle_kit as wk
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
    host = HiddenWords(tuple(game.answer_index[word] for word in words))
    return PersonsGame(host, wk.Position.start(game))


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


def test_a_game_ends_after_the_guesses_that_are_allowed():
    session = hiding("slate").guess("brave").guess("crane").guess("crate")
    assert (session.is_over, session.is_solved, session.answers) == (True, False, ("slate",))


@pytest.mark.parametrize(
    ("guess", "why"),
    [
        ("zebra", "'zebra'"),
        ("late", "'late'"),
        ("cräne", "'ä'"),
        ("brave", "'brave'"),
    ],
)
def test_a_refused_guess_says_why_and_costs_nothing(guess, why):
    session = hiding("crane").guess("brave")
    with pytest.raises(wk.GameError, match=why):
        session.guess(guess)
    assert session.position.turn == 2


def test_hard_mode_refuses_guesses_that_ignore_hints():
    session = hiding("crane", game=FOUR.replace(hard_mode=True)).guess("brave")
    with pytest.raises(wk.GameError, match=r"2.*r"):
        session.guess("slate")


def test_hard_mode_on_several_boards_may_leave_no_guess():
    settings = {"name": "pairs", "alphabet": "ab", "length": 2, "answers": "all", "boards": 2, "hard_mode": True}
    session = hiding("aa", "bb", game=wk.load_game(settings))
    assert not session.is_stuck
    assert not session.guess("aa").is_stuck  # only the open board makes demands
    assert session.guess("ab").is_stuck  # a must be in the first place, and b in the second


def test_guesses_are_taken_back_one_by_one():
    session = hiding("slate").guess("brave").guess("crane").undo()
    assert session.position.guesses == ("brave",)
    assert session.undo().position.guesses == ()
    assert session.had_help
    with pytest.raises(wk.GameError, match="no guess to take back"):
        session.undo().undo()


def test_a_game_that_is_given_up_is_over():
    session = replace(hiding("slate").guess("brave"), gave_up=True)
    assert (session.is_over, session.is_solved, session.answers) == (True, False, ("slate",))


def test_against_the_adversary_any_number_of_guesses_is_allowed():
    session = PersonsGame(Adversary(), wk.Position.start(FOUR))
    assert session.limit is None
    for word in ("slate", "brave", "crate"):
        session = session.guess(word)
    assert [str(seen) for seen in session.position.boards[0].feedback] == ["00202", "02202", "22202"]
    assert not session.is_over
    assert session.answers == ("crane",)
    assert session.guess("crane").is_solved


def test_shared_text_has_the_tiles_and_no_word():
    text = share_text(hiding("crane").guess("brave").guess("crane"), "--seed 7")
    assert text == "wordle-kit four 2/3, --seed 7\n⬜🟩🟩⬜🟩\n🟩🟩🟩🟩🟩"


def test_an_output_without_tiles_shares_the_digits():
    session = hiding("crane", "slate", game=FOUR.replace(boards=2)).guess("crane").guess("slate")
    assert share_text(session, tiles=False).splitlines()[1:] == ["22222  00202", "       22222"]


def test_shared_text_says_whether_the_player_had_help_and_the_mode():
    undone = hiding("crane").guess("slate").undo().guess("crane")
    assert share_text(undone).splitlines()[0] == "wordle-kit four 1/3, with help"
    hard = hiding("crane", game=FOUR.replace(hard_mode=True)).guess("crane")
    assert share_text(hard).splitlines()[0] == "wordle-kit four in hard mode 1/3"


def test_boards_are_shared_side_by_side_and_a_solved_one_is_blank():
    text = share_text(hiding("crane", "slate", game=FOUR.replace(boards=2)).guess("crane").guess("slate"))
    assert text.splitlines()[1:] == ["🟩🟩🟩🟩🟩  ⬜⬜🟩⬜🟩", "            🟩🟩🟩🟩🟩"]


def test_a_game_against_the_adversary_is_shared_as_one():
    session = replace(PersonsGame(Adversary(), wk.Position.start(FOUR)).guess("brave"), gave_up=True)
    assert share_text(session).splitlines()[0] == "wordle-kit four against the adversary X"


def test_eight_boards_are_shared_within_40_columns():
    words = list(FOUR.answers) * 2
    session = hiding(*words, game=FOUR.replace(boards=8, max_guesses=13))
    for word in FOUR.answers:
        session = session.guess(word)
    head, *rows = share_text(session).splitlines()
    assert head == "wordle-kit four 4/13"
    assert max(map(cell_len, rows)) <= 40
    assert sum(row.count("🟩🟩🟩🟩🟩") for row in rows) == 8
