"""What a terminal shows: nothing by colour alone, boards side by side where there is room."""

import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit.playing.screen import LEGEND, screen

WORDLE = bundled("wordle")
DORDLE = bundled("dordle")


def lines_of(position, width=80, **how):
    """Return the lines that are shown, without colours."""
    return [line.rstrip() for line in screen(position, width, **how).plain.split("\n")]


def test_a_guess_is_shown_with_tiles_and_digits_above_the_keyboard():
    lines = lines_of(wk.Position.start(WORDLE).after("crane", "20001"))
    assert lines == [
        " 1   c  r  a  n  e   🟩⬜⬜⬜🟨  20001",
        "     q  w (e) ·  t  y  u  i  o  p",
        "      ·  s  d  f  g  h  j  k  l",
        "       z  x [c] v  b  ·  m",
        LEGEND.format("·"),
    ]


def test_colours_say_nothing_that_characters_do_not():
    text = screen(wk.Position.start(WORDLE).after("crane", "20001"), 80)
    coloured = [(text.plain[span.start : span.end], span.style) for span in text.spans]
    assert (" c ", "black on green") in coloured
    assert ("[c]", "black on green") in coloured
    assert ("(e)", "black on yellow") in coloured


def test_an_output_without_tiles_has_the_digits():
    lines = lines_of(wk.Position.start(WORDLE).after("crane", "20001"), tiles=False)
    assert lines[0] == " 1   c  r  a  n  e   20001"
    assert lines[2] == "      -  s  d  f  g  h  j  k  l"
    assert all(map(str.isascii, lines))


def test_the_sign_of_an_absent_symbol_is_not_a_symbol_of_the_game():
    position = wk.Position.start(wk.load_game("mini-nerdle")).after("10-8=2", "000111")
    lines = lines_of(position, tiles=False)
    assert lines[1:3] == ["     _  _ (2) 3  4  5  6  7 (8) 9", "      +  _  *  / (=)"]
    assert lines[3] == LEGEND.format("_")


def test_the_newest_guess_is_enough_for_an_output_that_scrolls_by():
    position = wk.Position.start(WORDLE).after("crane", "00000").after("pilot", "01010")
    assert [line[:2] for line in lines_of(position, newest_only=True)][:2] == [" 2", "  "]


def test_boards_stand_side_by_side_where_there_is_room_and_below_each_other_where_not():
    position = wk.Position.start(DORDLE).after("crane", ["20001", "22222"])
    wide, narrow = lines_of(position, 100), lines_of(position, 60)
    assert wide[0].split("  ")[0] == "board 1"
    assert wide[0].endswith("board 2 solved at guess 1")
    assert narrow[0] == "board 1"
    assert "board 2 solved at guess 1" in narrow
    assert all(len(line) <= 60 for line in narrow)


def test_pegs_have_no_place_in_the_guess():
    (line, *_) = lines_of(wk.Position.start(wk.load_game("mastermind")).after("1122", "1,1"))
    assert line == " 1   1  1  2  2   ⚫⚪··  1,1"


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
    assert symbol not in screen(wk.Position.start(game).after("a", "0"), 80).plain
