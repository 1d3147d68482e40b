"""What the teacher sees of the class: changes since the last grading, statistics, and a page."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordle_kit import cli
from wordle_kit.classroom.reports import changes, grades_csv, histogram, summary


def test_changes_name_the_score_and_the_tests_that_differ(grade):
    before = grades_csv([grade("ada", 1, 0.5), grade("bob"), grade("eve")])
    after = grades_csv([grade("ada"), grade("bob"), grade("zoe", 0, 0, outcome="does not load")])
    assert changes(before, after, {"ada", "bob"}) == [
        {"name": "eve", "before": "40.0", "now": "", "why": "no longer graded"},
        {"name": "ada", "before": "25.0", "now": "40.0", "why": "new file; legal public 15.0 -> 30.0"},
        {"name": "zoe", "before": "", "now": "0.0", "why": "new"},
    ]
    assert changes(before, before) == []


@given(st.lists(st.floats(0, 100), max_size=50))
def test_the_histogram_has_everyone_once(points):
    bins = histogram(points, 100)
    assert len(bins) == 10
    assert sum(row["students"] for row in bins) == len(points)


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


@pytest.mark.slow
def test_a_student_with_the_name_of_a_baseline_has_a_row_of_their_own(make, graded, text):
    written = graded(make({"ada.py": text("return words[-1]"), "first-consistent.py": text()}, quick=True))
    rows = json.loads((written.out / "leaderboard.json").read_text())["rows"]
    names = {row["strategy"] for row in rows}
    assert names == {"ada", "first-consistent", "(first-consistent)", "(random-consistent)"}


@pytest.mark.slow
def test_an_autograder_for_one_student_writes_no_class_leaderboard(make, text):
    folder = make({"ada.py": text()}, quick=True)
    command = ["grade", folder, folder / "submissions" / "ada.py", "--one", "-o", folder / "out", "--sandbox", "plain"]
    assert cli.run(list(map(str, command))) == 0
    assert (folder / "out" / "results").is_dir()
    assert not (folder / "out" / "teacher.html").exists()
