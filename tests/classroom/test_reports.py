"""What the teacher sees of the class: statistics, and a page."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordle_kit import cli
from wordle_kit.classroom.reports import histogram, summary


@given(st.lists(st.floats(0, 100), max_size=50))
def test_the_histogram_has_everyone_once(points):
    bins = histogram(points, 100)
    assert len(bins) == 10
    assert sum(row["students"] for row in bins) == len(points)


def test_statistics_show_how_points_are_spread_and_the_tests_most_failed(grade):
    grades = [grade("ada"), grade("bob", 1, 0), grade("eve", 1, 0.5), grade("zoe", 0, 0, outcome="does not load")]
    made = summary(grades, "Words <b>")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in made.splitlines() if line.startswith("|")]
    figures = dict(zip(rows[0], rows[2], strict=True))
    assert {name: float(figures[name]) for name in ("students", "mean", "median", "min", "max")} == {
        "students": 4,
        "mean": 18.75,
        "median": 17.5,
        "min": 0,
        "max": 40,
    }
    assert [row[:4] for row in rows if row[0] in ("every guess is legal, public puzzles", "the submission loads")] == [
        ["every guess is legal, public puzzles", "2", "1", "1"],
        ["the submission loads", "1", "0", "3"],
    ]
    assert [row[0] for row in rows if len(row) == 3 and row[1] == "1"] == ["0 to 4", "8 to 12", "24 to 28", "36 to 40"]
    assert ["graded", "3"] in rows
    assert "<b>" not in made
    assert summary([], "Nobody")


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
