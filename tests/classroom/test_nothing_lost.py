"""Grading writes only its own files, and no text that a student hands in stops the grading of others."""

from pathlib import Path

import pytest

from wordle_kit import cli

STRATEGY = """
import wordle_kit as wk

class {name}(wk.Strategy):
    '''A strategy.'''

    def guess(self, position):
        {body}

@wk.hookimpl
def register_strategies(register):
    register({name}())
"""
FIRST = "return position.board.words[0]"
LONG = "".join(f"elif len(position.board) == {i}: return position.board.words[0]\n        " for i in range(400))[2:]
DEEP = f"if position.{'game.' * 900}answers: pass\n        {FIRST}"

ASSIGNMENT = """
title = "Small"
game = "small.toml"

[public]
count = 3
seed = 1

[[tests]]
kind = "loads"
points = 1

[[tests]]
kind = "solves"
share = 1.0
points = 2
"""


@pytest.fixture
def course(tmp_path):
    """Return a folder with an assignment of a few words, and with submissions beside it."""
    (tmp_path / "small.toml").write_text("name = 'small'\nalphabet = 'abc'\nlength = 2\nanswers = 'all'\n")
    (tmp_path / "assignment.toml").write_text(ASSIGNMENT)
    (tmp_path / "submissions").mkdir()
    (tmp_path / "submissions" / "ada.py").write_text(STRATEGY.format(name="Ada", body=FIRST))
    return tmp_path


def grade(course, submissions, out):
    """Grade without a sandbox, and return the exit code."""
    where = [course / "assignment.toml", submissions, "-o", out, "--sandbox", "plain", "--workers", "1"]
    return cli.run(["grade", *map(str, where)])


def points(out):
    """Return the points of each student."""
    rows = [line.split(",") for line in (out / "grades.csv").read_text(encoding="utf-8").splitlines()]
    return {row[0]: row[rows[0].index("score")] for row in rows[1:]}


def files_in(folder):
    """Return the contents of all files in a folder by their paths."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("submissions", "out"),
    [(".", "out"), ("submissions", "submissions"), ("submissions", "submissions/out"), ("submissions", ".")],
)
@pytest.mark.parametrize("in_folders", [False, True])
def test_results_are_never_written_among_the_submissions_nor_around_them(
    course, monkeypatch, capsys, submissions, out, in_folders
):
    if in_folders:
        (course / "submissions" / "bob").mkdir()
        (course / "submissions" / "bob" / "report.txt").write_text("mine")
    monkeypatch.chdir(course)
    before = files_in(course)
    assert grade(course, Path(submissions), Path(out)) == 2
    assert "--output" in capsys.readouterr().err
    assert files_in(course) == before


def test_a_link_to_the_submissions_does_not_hide_them(course, monkeypatch):
    (course / "link").symlink_to("submissions")
    before = files_in(course)
    assert grade(course, course / "link", course / "submissions" / "out") == 2
    assert grade(course, course / "submissions", course / "link" / "out") == 2
    assert files_in(course) == before


def test_files_that_grading_did_not_write_stay_as_they_are_when_students_come_change_and_go(course):
    out = course / "out"
    own = [out / "submissions/zoe/notes.txt", out / "submissions/ada/report.txt", out / "feedback/zoe.md", out / "x.py"]
    for path in own:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    handed_in = files_in(course / "submissions")
    assert grade(course, course / "submissions", out) == 0
    assert files_in(course / "submissions") == handed_in
    (course / "submissions" / "ada.py").unlink()
    (course / "submissions" / "bob.py").write_text(STRATEGY.format(name="Bob", body=FIRST))
    assert grade(course, course / "submissions", out) == 0
    assert points(out) == {"bob": "3.0"}
    assert {path.read_text() for path in own} == {"mine"}


def test_a_class_gets_its_points_whatever_text_others_hand_in(course):
    texts = {
        "long": STRATEGY.format(name="Long", body=LONG + FIRST).encode(),
        "deep": STRATEGY.format(name="Deep", body=DEEP).encode() + f"if wk.{'a.' * 900}b: pass\n".encode(),
        "nested": b"register_strategies = " + b"-" * 100_000 + b"1\n",
        "brackets": b"register_strategies = " + b"(" * 3000 + b")" * 3000,
        "wide": STRATEGY.format(name="Wide", body=FIRST).encode("utf-16"),
        "nothing": b"\0register_strategies",
        "big": b"# register_strategies" + b"x" * 10 * 2**20,
    }
    for name, text in texts.items():
        (course / "submissions" / f"{name}.py").write_bytes(text)
    (course / "submissions" / "book.ipynb").write_bytes(b"[" * 100_000)
    out = course / "out"
    for _ in range(2):
        assert grade(course, course / "submissions", out) == 0
        given = points(out)
        assert given.keys() == {"ada", "book", *texts}
        assert (given["ada"], given["long"]) == ("3.0", "3.0")
