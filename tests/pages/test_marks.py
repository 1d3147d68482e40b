"""The names of marks: their meanings, or their numbers."""

import wordle_kit as wk
from wordle_kit.pages.marks import mark_names


class Twice(wk.MarksRule):
    """A rule with four marks, the last without a name."""

    tile_set = "⬜🟨🟩🟦"

    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]


def test_a_mark_without_a_name_has_its_number():
    assert mark_names(Twice()) == ["absent", "present elsewhere", "correct", "mark 3"]
    assert mark_names(wk.load_game("glyphs").rule)[3:] == ["the other case is correct", "the other case is elsewhere"]


def test_a_rule_without_marks_has_no_names():
    assert mark_names(wk.load_game("mastermind").rule) == mark_names(None) == []
