"""A small assignment, submissions, and the command that grades them."""

import csv

import pytest
from classroom_texts import SMALLEST, source

from wordle_kit import cli

GAME = 'name = "tiny"\nalphabet = "abc"\nlength = 3\nanswers = "all"\n'

ASSIGNMENT = """
title = "Tiny"
game = "tiny.toml"
starter = "starter.py"
forbid = ["load_strategy"]
deadline = 1.0

[[tests]]
kind = "loads"
points = 1
[[tests]]
kind = "conforms"
points = 2
[[tests]]
kind = "legal"
points = 4
[[tests]]
kind = "solves"
points = 8
share = 0.9
[[tests]]
kind = "mean"
points = 16
full = 2.0
none = 4.0
"""


@pytest.fixture
def course(tmp_path):
    """Return a folder with an assignment and, beside it, with submissions: ada's is as good as the starter."""
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "tiny.toml").write_text(GAME)
    (tmp_path / "class" / "assignment.toml").write_text(ASSIGNMENT)
    (tmp_path / "class" / "starter.py").write_text(source())
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "ada.py").write_text(source(SMALLEST))
    return tmp_path


@pytest.fixture
def hand_in(course):
    """Return a function that adds submissions, given by the names of their files."""

    def hand_in(**texts):
        for name, text in texts.items():
            path = course / "work" / name.replace("_ipynb", ".ipynb")
            path = path if path.suffix else path.with_suffix(".py")
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    return hand_in


@pytest.fixture
def grade(course):
    """Return a function that grades the class without a sandbox, and returns the rows of grades.csv by name."""

    def grade(*arguments, code=0, sandbox=("--no-sandbox",)):
        out = course / "out"
        where = ["grade", course / "class", course / "work", "-o", out, *sandbox, *arguments]
        assert cli.run(list(map(str, where))) == code
        if code:
            return {}
        with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
            return {row["name"]: row for row in csv.DictReader(file)}

    return grade
