"""Everyone is graded: a broken or dishonest submission changes its own result and no other."""

import csv
import io
import json
import os

import pytest
from needs import needs_linux

from wordle_kit.temporary import remove

pytestmark = [needs_linux, pytest.mark.slow]

PATIENT = {"deadline = 1.0": "deadline = 20.0", "ms = 900.0": "ms = 9e6"}

LIAR = """
import json, os, time

FACTS = {"registered": "liar", "name": "liar", "version": "1", "stochastic": False, "by_name_only": False,
         "parameters": {}, "any_game": True}
DEEP = []
for _ in range(399):
    DEEP = [DEEP]
LINE = json.dumps(LIE).encode() + b"\\n"

for number in range(3, 100):
    try:
        if os.readlink(f"/proc/self/fd/{number}").startswith("pipe:"):
            os.write(number, LINE)
    except OSError:
        pass
time.sleep(60)
"""

LIES = {
    "l-failures": '{"failures": [[]]}',
    "l-deep": '{"strategies": [FACTS | {"parameters": {"x": DEEP}}]}',
    "l-surrogate": '{"strategies": [FACTS | {"parameters": {"x": chr(0xd800)}}]}',
    "l-nothing": "[]",
}

SCRATCH = """
    import os
    here = os.getcwd()
    for _ in range(1500):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
    os.chdir(here)
"""

MARKS = '"<script>alert(1)</script>|\\x1b[31m\\u202e=cmd()\\ud800"'

NOTEBOOK = {"cell_type": "code", "source": "", "outputs": []}


@pytest.fixture(scope="module")
def klass(make, text):
    """Return the folder of a class with every kind of submission that once ended the grading of all."""
    odd = text("return words[0]").replace(
        "    version =", "    x: object = DEEP\n    y: str = '\\ud800'\n    version ="
    )
    entropy = text().replace("class Mine", "class Entropy").replace("Mine()", "Entropy()")
    folder = make(
        {
            "ada.py": text(),
            "odd.py": odd.replace("class Mine", "DEEP = []\nfor _ in range(230):\n    DEEP = [DEEP]\n\nclass Mine"),
            "entropy.py": entropy,
            "marks.py": text(f"raise ValueError({MARKS})"),
            "half.py": text("return '\\ud800aa'"),
            "scratch.py": text(after=SCRATCH),
            "twin.py": text(),
            "Twin.zip": b"",
            "nia.txt": "def guess",
            "grades.csv": "x",
            "zoe.ipynb": json.dumps({"cells": [NOTEBOOK | {"source": "%matplotlib inline\n" + text()}]}),
            **{f"{name}.py": LIAR.replace("LIE", lie) for name, lie in LIES.items()},
        },
        quick=True,
        replace=PATIENT,
    )
    submissions = folder / "submissions"
    os.mkfifo(submissions / "pipe.zip")
    (submissions / "link.py").symlink_to("nothing")
    (submissions / "deep").mkdir()
    here = os.open(submissions / "deep", os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        here, before = os.open("d", os.O_RDONLY, dir_fd=here), here
        os.close(before)
    os.close(here)
    yield folder
    remove(submissions / "deep")


@pytest.fixture(scope="module")
def written(klass, graded):
    return graded(klass, "out", "--workers", "2")


def rows(written):
    return {row["name"]: row for row in csv.DictReader(io.StringIO(written.table()))}


def test_everyone_has_a_row(written):
    outcomes = {name: row["outcome"] for name, row in rows(written).items()}
    assert outcomes == {
        **dict.fromkeys(["ada", "odd", "scratch", "zoe", "Twin"], "graded"),
        "marks": "crashed",
        "half": "illegal guess",
        **dict.fromkeys([*LIES, "entropy", "nia", "pipe", "link", "deep"], "does not load"),
    }


def test_an_honest_submission_gets_the_same_points_as_alone(written, make, text, graded):
    alone = graded(make({"ada.py": text()}, quick=True, replace=PATIENT))
    assert alone.scores("ada") == written.scores("ada")
    assert sum(alone.scores("ada")) > 0
    assert written.scores("zoe") == written.scores("odd") == written.scores("scratch") == written.scores("ada")


def test_points_have_two_decimals_and_no_lost_points_are_negative(make, text, graded):
    replaced = PATIENT | {"full = 2.0\nnone = 4.0": "full = 1.7\nnone = 4.4", "points = 32": "points = 33.333"}
    written = graded(make({"ada.py": text()}, quick=True, replace=replaced))
    results = written.results("ada")
    points = [results["score"], *(test["score"] for test in results["tests"])]
    assert points == [round(point, 2) for point in points]
    assert 0 < results["tests"][3]["score"] < 16
    (row,) = rows(written).values()
    assert float(row["score"]) == results["score"]
