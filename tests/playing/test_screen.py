"""What a terminal shows of a game that a person plays."""

import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

import wordle_kit as wk
from wordle_kit.playing.screen import Look, SymbolState, key_rows, known_symbols, screen

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


DORDLE = bundled("dordle")


LEGEND = "[x] is in place, (x) is in the word, {} is not in it"


def lines_of(position, **look):
    """Return the lines that are shown, without colours."""
    return [line.rstrip() for line in screen(position, Look(**look)).plain.split("\n")]


def test_a_guess_has_its_feedback_once_above_the_keyboard():
    lines = lines_of(wk.Position.start(WORDLE).after("crane", "20001"))
    assert lines == [
        " 1 [c] r  a  n (e)",
        "    q  w (e) ·  t  y  u  i  o  p",
        "     ·  s  d  f  g  h  j  k  l",
        "      z  x [c] v  b  ·  m",
        LEGEND.format("·"),
    ]


def test_colours_say_nothing_that_characters_do_not():
    text = screen(wk.Position.start(WORDLE).after("crane", "20001"), Look())
    coloured = [(text.plain[span.start : span.end], span.style) for span in text.spans]
    assert coloured.count(("[c]", "black on green")) == 2
    assert coloured.count(("(e)", "black on yellow")) == 2


def test_with_colours_absent_symbols_are_dim_and_stay_readable():
    text = screen(wk.Position.start(WORDLE).after("crane", "20001"), Look(colours=True))
    dim = [text.plain[span.start : span.end].strip() for span in text.spans if span.style == "dim"]
    assert sorted(dim) == ["[x] is in place, (x) is in the word, a dim one is not in it", "a", "n", "r"]
    assert text.plain.split("\n")[1] == "    q  w (e) r  t  y  u  i  o  p"


def test_every_mark_has_a_sign_that_is_explained():
    position = wk.Position.start(GLYPHS)
    hidden, guess = next(
        (answer, word)
        for answer in GLYPHS.answers[:50]
        for word in GLYPHS.guesses[::7]
        if {"3", "4"} <= {*str(GLYPHS.feedback(word, answer))}
    )
    lines = lines_of(position.after(guess, GLYPHS.feedback(guess, hidden)), width=200)
    assert "{" in lines[0]
    assert "<" in lines[0]
    assert "{x} is the other case is correct, <x> is the other case is elsewhere" in lines[-1]


def test_an_output_without_tiles_has_only_plain_characters():
    lines = lines_of(wk.Position.start(WORDLE).after("crane", "20001"), tiles=False)
    assert lines[0] == " 1 [c] r  a  n (e)"
    assert lines[2] == "     -  s  d  f  g  h  j  k  l"
    assert all(map(str.isascii, lines))


def test_the_sign_of_an_absent_symbol_is_not_a_symbol_of_the_game():
    position = wk.Position.start(wk.load_game("mini-nerdle")).after("10-8=2", "000111")
    lines = lines_of(position, tiles=False)
    assert lines[1:3] == ["    _  _ (2) 3  4  5  6  7 (8) 9", "     +  _  *  / (=)"]
    assert lines[3] == LEGEND.format("_").replace("word", "equation")


def test_the_newest_guess_is_enough_for_an_output_that_scrolls_by():
    position = wk.Position.start(WORDLE).after("crane", "00000").after("pilot", "01010")
    assert [line[:2] for line in lines_of(position, newest_only=True)][:2] == [" 2", "  "]


def test_several_boards_are_a_table_with_as_many_columns_as_fit():
    position = wk.Position.start(DORDLE).after("crane", ["20001", "22222"])
    wide, narrow = lines_of(position), lines_of(position, width=20)
    assert wide[:2] == ["          1      (2)", " 1 crane  20001  22222"]
    assert narrow[:4] == ["          1", " 1 crane  20001", "          (2)", " 1 crane  22222"]
    assert "(1) is a solved board" in " ".join(wide)
    after = lines_of(position.after("moist", ["00000", "22222"]))
    assert after[1:3] == [" 1 crane  20001  22222", " 2 moist  00000"]


def test_eight_boards_fit_a_terminal_of_24_lines():
    game = wk.load_game("octordle")
    position = wk.Position.start(game)
    for word in game.guesses[:: len(game.guesses) // 13][:13]:
        position = position.after(word, [game.feedback(word, answer) for answer in game.answers[:80:10]])
    lines = lines_of(position, width=80)
    assert len(lines) <= 24 - 3  # the title, a message and the line that is typed
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", ["wordle", "octordle", "elements", "mastermind", "nerdle", "glyphs"])
def test_nothing_is_wider_than_a_terminal_of_40_columns(name):
    game = wk.load_game(name)
    position = wk.Position.start(game)
    for word in game.guesses[:2]:
        position = position.after(word, [game.feedback(word, game.answers[-1])] * game.boards)
    assert max(map(cell_len, lines_of(position, width=40))) <= 40


def test_an_item_has_its_values_and_an_arrow_for_each():
    game = wk.load_game("elements")
    position = wk.Position.start(game).after("iron", game.feedback("iron", "gold"))
    assert lines_of(position, width=50) == [
        " 1 iron",
        "   period 4 ↑   group 8 ↑   block d =",
        "   mass 55.845 ↑   state solid =   discovered ? =",
    ]
    assert "period 4 >" in lines_of(position, tiles=False)[1]


def test_pegs_have_no_place_in_the_guess():
    (line, *_) = lines_of(wk.Position.start(wk.load_game("mastermind")).after("1122", "1,1"))
    assert line == " 1  1  1  2  2   ⚫⚪··"


def test_an_alphabet_of_more_than_40_symbols_has_no_keyboard():
    symbols = [chr(0x4E00 + number) for number in range(41)]

    def shown(count):
        words = ["".join(symbols[:2]), "".join(symbols[2:4])]
        game = wk.load_game({"name": "signs", "alphabet": symbols[:count], "length": 2, "answers": words})
        return lines_of(wk.Position.start(game).after(words[0], "00"))

    assert len(shown(41)) == 1
    assert len(shown(40)) == 1 + 4 + 1


@pytest.mark.parametrize("symbol", ["\u202e", "\x1b"])
def test_symbols_cannot_control_a_terminal(symbol):
    game = wk.load_game({"name": "odd", "alphabet": ["a", symbol], "length": 1, "answers": "all"})
    assert symbol not in screen(wk.Position.start(game).after("a", "0"), Look()).plain
