"""What a terminal shows of a game that a person plays."""

import pytest
from games import bundled
from wordle_kit_plugins.playing.boards import boards_of, meaning

import wordle_kit as wk

WORDLE = bundled("wordle")
DORDLE = bundled("dordle")


def lines_of(position, width=80, **look):
    """Return the lines that are shown, without colours."""
    return [line.rstrip() for line in boards_of(position, width, **look).plain.split("\n")]


def test_signs_say_what_colours_say():
    made = boards_of(wk.Position.start(WORDLE).after("crane", "20001"))
    assert made.plain == " 1 [c] r  a  n (e)"
    assert [span.style for span in made.spans] == ["black on green", *["white on grey35"] * 3, "black on yellow"]
    assert "(x) or 1 present" in meaning(WORDLE, digits=True)
    assert meaning(WORDLE) == "Marks: x absent, (x) present elsewhere, [x] correct."


def test_several_boards_are_a_table_with_as_many_columns_as_fit():
    position = wk.Position.start(DORDLE).after("crane", ["20001", "22222"])
    wide, narrow = lines_of(position), lines_of(position, width=20)
    assert wide == ["          1      (2)", " 1 crane  20001  22222"]
    assert narrow == ["          1", " 1 crane  20001", "          (2)", " 1 crane  22222"]
    assert "(1) is a solved board" in meaning(DORDLE)
    after = lines_of(position.after("moist", ["00000", "22222"]))
    assert after[1:3] == [" 1 crane  20001  22222", " 2 moist  00000"]


@pytest.mark.parametrize("symbol", ["\u202e", "\x1b"])
def test_symbols_cannot_control_a_terminal(symbol):
    game = wk.load_game({"name": "odd", "alphabet": ["a", symbol], "length": 1, "answers": "all"})
    assert symbol not in boards_of(wk.Position.start(game).after("a", "0")).plain
