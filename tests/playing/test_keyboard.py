"""What is known of each symbol, for any alphabet and rule."""

import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.playing.keyboard import SymbolState, key_rows, known_symbols

WORDLE = bundled("wordle")
MASTERMIND = bundled("mastermind")
GLYPHS = bundled("glyphs")


def known_after(game, *moves):
    """Return what is known of the symbols that are not open after moves."""
    position = wk.Position.start(game)
    for guess, seen in moves:
        position = position.after(guess, seen)
    known = known_symbols(position.boards[0], position.guesses)
    assert list(known) == list(game.alphabet.symbols)
    return {symbol: state.name.lower() for symbol, state in known.items() if state}


def test_nothing_is_known_before_the_first_guess():
    for game in (WORDLE, MASTERMIND, GLYPHS):
        assert known_after(game) == {}


def test_marks_show_the_hints_so_far():
    assert known_after(WORDLE, ("crane", "20001")) == {
        **dict.fromkeys("ran", "absent"),
        "c": "placed",
        "e": "present",
    }


def test_the_best_that_was_ever_seen_of_a_symbol_counts():
    assert known_after(WORDLE, ("eerie", "10000"))["e"] == "present"  # its other copies are absent
    assert known_after(WORDLE, ("crane", "00001"), ("lever", "02010"))["e"] == "placed"
    assert known_after(WORDLE, ("crane", "20001"), ("occur", "01000"))["c"] == "placed"


def test_a_mark_of_the_other_case_speaks_of_the_other_symbol():
    known = known_after(GLYPHS, ("akil", "3000"))
    assert known["A"] == "placed"
    assert "a" not in known


def test_a_rule_without_marks_says_what_the_remaining_words_have_in_common():
    assert known_after(MASTERMIND, ("1122", "0,0")) == {"1": "absent", "2": "absent"}
    assert known_after(MASTERMIND, ("1111", "1,0"), ("2345", "0,0")) == {
        "1": "present",
        **dict.fromkeys("2345", "absent"),
        "6": "present",
    }
    assert known_after(MASTERMIND, ("1122", "4,0"))["1"] == "placed"


@given(st.sampled_from(WORDLE.answers), st.lists(st.sampled_from(WORDLE.guesses[::50]), min_size=1, max_size=3))
@settings(deadline=None, max_examples=60)
def test_the_state_of_each_symbol_is_true_of_the_hidden_word(hidden, guesses):
    position = wk.Position.start(WORDLE)
    for guess in guesses:
        if not position.boards[0].is_solved:
            position = position.after(guess, WORDLE.feedback(guess, hidden))
    for symbol, state in known_symbols(position.boards[0], position.guesses).items():
        if state is not SymbolState.OPEN:
            assert (symbol in hidden) == (state is not SymbolState.ABSENT)


def test_letters_stand_as_on_a_typewriter_and_other_symbols_in_their_order():
    assert key_rows(WORDLE.alphabet.symbols)[0] == list("qwertyuiop")
    assert key_rows("abcdefghijklmnopqrstuvwxyzäöüß")[2:] == [list("zxcvbnm"), list("äöüß")]
    assert key_rows(GLYPHS.alphabet.symbols) == [
        ["a", "A", "i", "I", "u", "U", "k", "K", "l", "L"],
        ["sh", "Sh"],
    ]


@pytest.mark.parametrize("game", [WORDLE, MASTERMIND, GLYPHS], ids=lambda game: game.name)
def test_every_symbol_has_one_key(game):
    keys = [symbol for row in key_rows(game.alphabet.symbols) for symbol in row]
    assert sorted(keys) == sorted(game.alphabet.symbols)
