"""What players read: every rule whose feedback is not the usual one is explained."""

import wordle_kit as wk
from wordle_kit.playing.wording import legend


def test_the_usual_marks_need_no_legend():
    assert legend(wk.load_game("wordle").rule) == ""


def test_other_marks_are_explained():
    assert legend(wk.load_game("glyphs").rule) == (
        "Marks: 0 absent, 1 present elsewhere, 2 correct, 3 the other case is correct, 4 the other case is elsewhere."
    )


def test_counts_are_explained_with_and_without_discs():
    for name in ("mastermind", "jotto"):
        rule = wk.load_game(name).rule
        assert "⚪" in legend(rule)
        assert legend(rule, tiles=False).isascii()
        assert "counts symbols" in legend(rule, tiles=False)
