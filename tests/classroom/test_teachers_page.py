"""The page of the class leaderboard, which tells the teacher not to show it to students."""

import json
import re
import sys

import pytest

from wordle_kit import cli

NOTHING = "this is not Python"


def names_of(page):
    """Return the strategies of a page in the order of its rows."""
    return re.findall(r'<th scope="row" data-column="strategy"[^>]*><bdi>([^<]*)<', page)


@pytest.mark.slow
def test_it_has_the_rows_of_the_class_leaderboard_and_names_its_readers(make, graded, text, capsys):
    folder = make({"ada.py": text("return words[-1]"), "bob.py": text(), "eve.py": NOTHING}, quick=True)
    written = graded(folder)
    assert "teacher.html shows the hidden puzzles; do not give it to students" in capsys.readouterr().err
    page = (written.out / "teacher.html").read_text(encoding="utf-8")
    rows = json.loads((written.out / "leaderboard.json").read_text())["rows"]
    assert names_of(page) == [row["strategy"] for row in rows]
    assert set(names_of(page)) == {"ada", "bob", "(first-consistent)", "(random-consistent)"}
    assert "Do not give it to students" in page
    assert "wordle-kit grade" in page
    assert "wordle-kit tournament" not in page


@pytest.mark.slow
def test_a_student_with_the_name_of_a_baseline_has_a_row_of_their_own(make, graded, text):
    written = graded(make({"first-consistent.py": text("return words[-1]")}, quick=True))
    page = (written.out / "teacher.html").read_text(encoding="utf-8")
    assert {"first-consistent", "(first-consistent)"} < set(names_of(page))


def test_without_the_library_for_pages_it_is_left_out_and_the_class_is_graded(make, graded, text, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    written = graded(make({"ada.py": text("return words[-1]")}, quick=True))
    assert "teacher.html is left out: the page of a leaderboard: jinja2 is not installed" in capsys.readouterr().err
    assert (written.out / "grades.csv").is_file()
    assert not (written.out / "teacher.html").exists()


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
