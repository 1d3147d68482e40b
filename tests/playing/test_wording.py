"""What players read: every rule whose feedback is not the usual one is explained."""

import wordle_kit as wk
from wordle_kit.playing.wording import legend, mark_names


class Twice(wk.MarksRule):
    """A rule with four marks, the last without a name."""

    tile_set = "⬜🟨🟩🟦"
    letters = "BYGC"

    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]


def test_the_usual_marks_need_no_legend():
    assert legend(wk.load_game("wordle").rule) == ""


def test_marks_have_their_meaning_or_their_number():
    assert legend(wk.load_game("glyphs").rule) == (
        "Marks: 0 absent, 1 present elsewhere, 2 correct, 3 the other case is correct, 4 the other case is elsewhere."
    )
    assert mark_names(Twice()) == ["absent", "present elsewhere", "correct", "mark 3"]


def test_counts_are_explained_with_and_without_discs():
    for name in ("mastermind", "jotto"):
        rule = wk.load_game(name).rule
        assert "⚪" in legend(rule)
        assert legend(rule, tiles=False).isascii()
        assert "counts symbols" in legend(rule, tiles=False)
