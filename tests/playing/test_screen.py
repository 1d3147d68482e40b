"""What a terminal shows of a game that a person plays."""

import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.playing.screen import Look, SymbolState, known_symbols, screen

import wordle_kit as wk

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


DORDLE = bundled("dordle")


def lines_of(position, **look):
    """Return the lines that are shown, without colours."""
    return [line.rstrip() for line in screen(position, Look(**look)).plain.split("\n")]


def test_an_output_without_tiles_has_only_plain_characters():
    lines = lines_of(wk.Position.start(WORDLE).after("crane", "20001"), tiles=False)
    assert lines[0] == " 1 [c] r  a  n (e)"
    assert lines[2] == "     -  s  d  f  g  h  j  k  l"
    assert all(map(str.isascii, lines))


def test_several_boards_are_a_table_with_as_many_columns_as_fit():
    position = wk.Position.start(DORDLE).after("crane", ["20001", "22222"])
    wide, narrow = lines_of(position), lines_of(position, width=20)
    assert wide[:2] == ["          1      (2)", " 1 crane  20001  22222"]
    assert narrow[:4] == ["          1", " 1 crane  20001", "          (2)", " 1 crane  22222"]
    assert "(1) is a solved board" in " ".join(wide)
    after = lines_of(position.after("moist", ["00000", "22222"]))
    assert after[1:3] == [" 1 crane  20001  22222", " 2 moist  00000"]


@pytest.mark.parametrize("symbol", ["\u202e", "\x1b"])
def test_symbols_cannot_control_a_terminal(symbol):
    game = wk.load_game({"name": "odd", "alphabet": ["a", symbol], "length": 1, "answers": "all"})
    assert symbol not in screen(wk.Position.start(game).after("a", "0"), Look()).plain
