"""A small assignment, submissions of many kinds, and the command that grades them."""

import json
import textwrap
from pathlib import Path

import pytest
from strategies import play_nothing_again

from wordle_kit import cli, testing
from wordle_kit.classroom.assignment import Legal, Loads
from wordle_kit.classroom.reports import Grade
from wordle_kit.classroom.scores import Score

GAME = 'name = "tiny"\nalphabet = "abc"\nlength = 3\nanswers = "all"\n'

ASSIGNMENT = """
title = "Tiny"
game = "tiny.toml"
starter = "starter.py"
deadline = 1.0
baselines = ["random-consistent"]

[limits]
start = 20.0
restarts = 1

[public]
count = 4
seed = 1

[[tests]]
kind = "loads"
points = 1
[[tests]]
kind = "conforms"
points = 2
[[tests]]
kind = "legal"
points = 4
sample = "public"
[[tests]]
kind = "solves"
points = 8
share = 0.9
[[tests]]
kind = "mean"
points = 16
full = 2.0
none = 4.0
[[tests]]
kind = "beats"
points = 32
strategy = "first-consistent"
[[tests]]
kind = "time"
points = 64
ms = 900.0
visibility = "hidden"
"""

QUICK = {
    '[[tests]]\nkind = "conforms"\npoints = 2\n': "",
    'starter = "starter.py"\n': "",
    **{f'kind = "{kind}"\n': f'kind = "{kind}"\nsample = "public"\n' for kind in ("solves", "mean", "beats", "time")},
}
"""Changes to the assignment that save processes, each of which takes a third of a second to start."""

STRATEGY = '''
import os
import time
import wordle_kit as wk

class Mine(wk.Strategy):
    """Guess a word."""

    version = "1"
    stochastic = {stochastic}

    def guess(self, position):
        words = position.board.words
        {body}

@wk.hookimpl
def register_strategies(register):
    register(Mine())
{after}
'''


def strategy(body="return words[0]", after="", stochastic=False):
    """Return the text of a submission whose strategy has this body."""
    return STRATEGY.format(body=textwrap.indent(body, " " * 8).strip(), after=after, stochastic=stochastic)


@pytest.fixture(scope="module", autouse=True)
def short_checks():
    """Check submissions on two puzzles, because a random strategy gets a new process for each one.

    None is played again to see whether it remembers: tests/isolation/test_secrets.py has such strategies.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "SAMPLE", 2)
        play_nothing_again(patch)
        yield


@pytest.fixture(scope="session")
def text():
    """Return the function that makes the text of a submission."""
    return strategy


@pytest.fixture(scope="session")
def make(tmp_path_factory):
    """Return a function that writes an assignment, with some of its text replaced, and these submissions.

    A quick one has no checks of a strategy's promises, no starter to compare submissions with, and plays the
    public puzzles only.
    """

    def make(submissions=None, *, quick=False, replace=()):
        folder = tmp_path_factory.mktemp("class")
        assignment = ASSIGNMENT
        for old, new in ((QUICK if quick else {}) | dict(replace)).items():
            assert old in assignment
            assignment = assignment.replace(old, new)
        (folder / "assignment.toml").write_text(assignment)
        (folder / "tiny.toml").write_text(GAME)
        (folder / "starter.py").write_text(strategy())
        (folder / "submissions").mkdir()
        for name, content in (submissions or {}).items():
            path = folder / "submissions" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return make


@pytest.fixture(scope="session")
def graded():
    """Return a function that grades a class with the command, and returns what it wrote.

    One worker grades, unless the options say otherwise: with more, submissions that fail slowly are tried twice.
    """

    def graded(folder, out="out", *options):
        command = ["grade", folder, folder / "submissions", "--output", folder / out]
        command += ["--sandbox", "plain", "--workers", 1, *options]
        assert cli.run(list(map(str, command))) == 0
        return Written(folder / out)

    return graded


class Written:
    """The folder that grading wrote."""

    def __init__(self, out: Path) -> None:
        self.out = out

    def results(self, student):
        """Return a student's results.json."""
        return json.loads((self.out / "results" / student / "results.json").read_text())

    def scores(self, student):
        """Return a student's points, in the order of the tests."""
        return [test["score"] for test in self.results(student)["tests"]]

    def output(self, student, number):
        """Return the output of a test."""
        return self.results(student)["tests"][number]["output"]

    def page(self, student):
        """Return a student's page."""
        return (self.out / "feedback" / f"{student}.md").read_text()

    def table(self):
        """Return the table of grades."""
        return (self.out / "grades.csv").read_text()


# Two tests, and grades of them


TESTS = (Loads(kind="loads", points=10), Legal(kind="legal", points=30, sample="public"))


@pytest.fixture(scope="session")
def grade():
    """Return a function that makes the grade of a student with these shares of the points of the two tests."""

    def grade(student="ada", *shares, outcome="graded"):
        pairs = zip(TESTS, shares or (1, 1), strict=True)
        scores = tuple(Score(test, test.points * share, share == 1, "As it was.") for test, share in pairs)
        return Grade(student, outcome, scores, 0.5, None)

    return grade
