"""Assignments: the settings of their files, and one line for every mistake in them."""

import pytest

from wordle_kit.classroom.assignment import read_assignment
from wordle_kit.errors import WordleKitError

HIDDEN = {
    "[public]": '[hidden]\nfile = "nobody-has-it.txt"\n[public]',
    "share = 0.9": 'share = 0.9\nsample = "hidden"',
}


def test_a_student_needs_no_hidden_puzzles(make):
    folder = make(replace=HIDDEN)
    assert set(read_assignment(folder, without_hidden=True).samples) == {"public", "all"}
    with pytest.raises(WordleKitError, match=r"assignment\.toml.*nobody-has-it.txt"):
        read_assignment(folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Tiny"', "title = 3", "title"),
        ('title = "Tiny"', 'tilte = "Tiny"', "title"),
        ("deadline = 1.0", "daedline = 1.0", "'daedline'"),
        ("deadline = 1.0", "deadline = 0", "deadline"),
        ("start = 20.0", "memroy = 3", "limits.memroy"),
        ("count = 4\n", "", "public"),
        ("count = 4", "count = 60", "public"),
        ("share = 0.9", "share = 1.5", "tests.4.solves.share"),
        ("share = 0.9", "shaer = 0.9\nshare = 0.9", "tests.4.solves.shaer"),
        ("none = 4.0", "", "tests.5.mean"),
        ("none = 4.0", "none = 1.0", "tests.5.mean"),
        ('kind = "time"', 'kind = "tiem"', "'tiem'"),
        ('visibility = "hidden"', 'visibility = "maybe"', "'maybe'"),
        ('kind = "loads"', 'kind = "conforms"', "promises"),
        ('kind = "loads"', 'kind = "loads"\nname = "score"', "'score'"),
        ('strategy = "first-consistent"', 'strategy = "nobody"', "'nobody'"),
        ("share = 0.9", 'share = 0.9\nsample = "hidden"', "hidden"),
        ("share = 0.9", "share = 0.9\n[hidden]\ncount = 5", "hidden.file"),
        ('game = "tiny.toml"', 'game = "tyni.toml"', "tyni.toml"),
        ('game = "tiny.toml"', 'game = "wrdle"', "'wrdle'"),
        ('title = "Tiny"', "title = ", "assignment.toml"),
        ('baselines = ["random-consistent"]', 'baselines = ["randm"]', "'randm'"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_field(make, old, new, said):
    with pytest.raises(WordleKitError) as caught:
        assert read_assignment(make(replace={old: new})).others
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
