"""The page of the class leaderboard, which tells the teacher not to show it to students."""

import contextlib
import io
import json
import re

import pytest

from wordle_kit import cli

NOTHING = "this is not Python"


def names_of(page):
    """Return the strategies of a page in the order of its rows."""
    return re.findall(r'<th scope="row" data-column="strategy"[^>]*><bdi>([^<]*)<', page)


@pytest.fixture(scope="module")
def written(make, graded, text):
    """Return what grading a class writes, with what it said as `said`; a student has the name of a baseline."""
    submissions = {"ada.py": text("return words[-1]"), "first-consistent.py": text(), "eve.py": NOTHING}
    with contextlib.redirect_stderr(io.StringIO()) as said:
        written = graded(make(submissions, quick=True))
    written.said = said.getvalue()
    return written


@pytest.mark.slow
def test_it_has_the_rows_of_the_class_leaderboard_and_names_its_readers(written):
    assert "teacher.html shows how everyone plays; do not give it to students" in written.said
    page = (written.out / "teacher.html").read_text(encoding="utf-8")
    rows = json.loads((written.out / "leaderboard.json").read_text())["rows"]
    assert names_of(page) == [row["strategy"] for row in rows]
    assert set(names_of(page)) == {"ada", "first-consistent", "(first-consistent)", "(random-consistent)"}
    assert "Do not give it to students" in page
    assert "wordle-kit grade" in page
    assert "wordle-kit tournament" not in page


def test_a_student_with_the_name_of_a_baseline_has_a_row_of_their_own(written):
    page = (written.out / "teacher.html").read_text(encoding="utf-8")
    assert {"first-consistent", "(first-consistent)"} < set(names_of(page))


@pytest.mark.slow
def test_an_autograder_for_one_student_writes_no_class_leaderboard(make, text):
    folder = make({"ada.py": text()}, quick=True)
    command = [
        "grade",
        folder,
        folder / "submissions" / "ada.py",
        "--one",
        "--out",
        folder / "out",
        "--sandbox",
        "plain",
    ]
    assert cli.run(list(map(str, command))) == 0
    assert (folder / "out" / "results").is_dir()
    assert not (folder / "out" / "teacher.html").exists()
