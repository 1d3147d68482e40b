"""Memory is worth nothing: a submission that is given one, shared by all its processes, gains no points.

No sandbox closes every channel. So this memory is a file outside of it, which every process can read and write.
"""

import csv
import math
from pathlib import Path

import pytest
from needs import needs_linux

from wordle_kit import cli

pytestmark = [needs_linux, pytest.mark.slow]

GAME = 'name = "safe"\nalphabet = "123456"\nlength = 3\nanswers = "all"\nrule = "mastermind"\n'

ASSIGNMENT = """
title = "Memory"
game = "safe.toml"
deadline = 5.0
[limits]
start = 60.0
[public]
count = 100
seed = 1
[[tests]]
kind = "mean"
points = 100
full = 1.0
none = 9.0
"""

HIDDEN = 'sample = "hidden"\n[hidden]\nfile = "hidden.txt"\n'

POINTS_PER_GUESS = 100 / 8

STRATEGY = """
from pathlib import Path
import wordle_kit as wk

class Mine(wk.Strategy):
    '''Guess the word whose parts are the smallest, where words that were hidden before count for ten.'''

    stochastic = {stochastic}

    def guess(self, position):
        words = position.board.words
        known = set()
        {remember}

        def value(word):
            parts = position.board.split(word).values()
            return sum(sum(10 if each in known else 1 for each in part) ** 2 for part in parts)

        if position.turn == 1:
            return "112"
        values = {{word: (value(word), word not in known) for word in words[:5]}}
        least = min(values.values())
        best = [word for word in values if values[word] == least]
        return {chosen}

@wk.hookimpl
def register_strategies(register):
    register(Mine())
"""

REMEMBER = """memory = Path({memory!r})
        known.update(memory.read_text().split())
        if len(words) < 3 and not known.issuperset(words):
            with memory.open("a") as file:
                file.write(" ".join(words) + "\\n")  # one of them is hidden, or both
            known.update(words)"""


def submission(memory=None, *, stochastic=False):
    """Return a submission, given a memory or not."""
    remember = REMEMBER.format(memory=str(memory)) if memory else ""
    chosen = "position.rng.choice(best)" if stochastic else "best[0]"
    return STRATEGY.format(stochastic=stochastic, remember=remember, chosen=chosen)


@pytest.fixture
def graded(tmp_path_factory):
    """Return a function that grades submissions, and returns the points of each with their standard error."""

    def graded(submissions, workers=1, hidden=()):
        folder = tmp_path_factory.mktemp("class")
        (folder / "assignment.toml").write_text(ASSIGNMENT + (HIDDEN if hidden else ""))
        (folder / "safe.toml").write_text(GAME)
        (folder / "hidden.txt").write_text("\n".join(hidden))
        (folder / "submissions").mkdir()
        for name, text in submissions.items():
            (folder / "submissions" / f"{name}.py").write_text(text)
        command = ["grade", folder, folder / "submissions", "--output", folder / "out"]
        assert cli.run([*map(str, command), "--sandbox", "plain", "--workers", str(workers)]) == 0
        rows = csv.DictReader((folder / "out" / "grades.csv").read_text().splitlines())
        return {row["name"]: (float(row["score"]), float(row["error"])) for row in rows}

    return graded


@pytest.fixture
def memory(tmp_path_factory):
    """Return a file that processes of all users can read and write."""
    folder = tmp_path_factory.mktemp("memory")
    for place in (folder, *folder.parents[:-1]):
        if place.stat().st_uid == folder.stat().st_uid and place != Path("/tmp"):
            place.chmod(place.stat().st_mode | 0o055)
    file = folder / "seen"
    file.write_text("")
    file.chmod(0o666)
    return file


def test_a_deterministic_submission_gains_nothing_by_memory_of_friends_and_of_earlier_grading(graded, memory):
    friends = {"ada": submission(memory), "bob": submission(memory), "honest": submission()}
    for workers in (1, 2):
        grades = graded(friends, workers)
        assert memory.read_text()  # it was used
        points, error = grades["honest"]
        assert error == 0  # every answer was played, so the grade is exact
        assert max(grades["ada"], grades["bob"])[0] < points + 0.3


def test_a_random_submission_gains_nothing_by_memory_of_friends_and_of_earlier_grading(graded, memory):
    friends = {name: submission(memory, stochastic=True) for name in ("ada", "bob")}
    for workers in (1, 2):
        grades = graded({**friends, "honest": submission(stochastic=True)}, workers)
        assert memory.read_text()
        points, error = grades["honest"]
        assert 0 < error <= POINTS_PER_GUESS * 0.02
        for friend in friends:
            assert grades[friend][0] < points + 4 * math.hypot(error, grades[friend][1])


def test_the_same_memory_gains_much_where_everybody_plays_the_same_secret_words(graded, memory):
    hidden = ["155", "233", "311", "366", "424", "462", "513", "615", "641", "654"]
    friends = {"ada": submission(memory), "honest": submission()}
    before = graded(friends, hidden=hidden)
    after = graded(friends, hidden=hidden)
    assert after["honest"] == before["honest"]
    assert after["ada"][0] > after["honest"][0] + 5
