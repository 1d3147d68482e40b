"""Statistics of a class."""

import json

from hypothesis import given
from hypothesis import strategies as st

from wordle_kit.classroom.summary import histogram, summary


@given(st.lists(st.floats(0, 100), max_size=50))
def test_the_histogram_has_everyone_once(points):
    bins = histogram(points, 100)
    assert len(bins) == 10
    assert sum(count for _, count in bins) == len(points)


def test_statistics_show_how_points_are_spread_and_the_tests_most_failed(grade):
    grades = [grade("ada"), grade("bob", 1, 0), grade("eve", 1, 0.5), grade("zoe", 0, 0, outcome="does not load")]
    made = summary(grades, "Words <b>")
    facts = json.loads(made["statistics.json"])
    assert (facts["students"], facts["mean"], facts["median"], facts["min"], facts["max"]) == (4, 18.75, 17.5, 0, 40)
    assert [(row["test"], row["failed"], row["in part"], row["passed"]) for row in facts["tests"]] == [
        ("every guess is legal, public puzzles", 2, 1, 1),
        ("the submission loads", 1, 0, 3),
    ]
    counts = {row["points"]: row["students"] for row in facts["histogram"]}
    assert {label: count for label, count in counts.items() if count} == {
        "0 to 4": 1,
        "8 to 12": 1,
        "24 to 28": 1,
        "36 to 40": 1,
    }
    assert facts["outcomes"] == {"graded": 3, "does not load": 1}
    assert "<b>" not in made["statistics.md"]
    assert summary([], "Nobody")["statistics.json"]
