"""The examination of a submission before it plays: it has a time budget and cannot harm other submissions."""

import os

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit.classroom.examine import Examined, Examiner, examine_all
from wordle_kit.deadline import Allotment
from wordle_kit.isolation.plugin_file import PluginFile

pytestmark = needs_linux


@pytest.mark.slow
def test_a_submission_has_a_time_budget_and_a_larger_one_completes_its_grade(make, text, graded):
    few = {
        'starter = "starter.py"\n': "",
        "count = 4": "count = 2",
        "deadline = 1.0": "deadline = 20.0\nbudget = 0.3",
    }
    submissions = {
        "slow.py": text("import time\nif position.turn == 1: time.sleep(0.2)\nreturn words[0]"),
        "torn.py": "def",
    }
    folder = make(submissions, replace=few)
    spent = graded(folder)
    assert "0.1 s" in spent.output("slow", 1)
    assert "0.3 s" in spent.output("slow", 2)
    for said in (spent.page("slow"), spent.results("slow")["output"]):
        assert "0.1 s" in said
        assert "0.3 s" in said
    assert "0.3 s" not in spent.page("torn")
    assert spent.table().splitlines()[1].endswith(",timed out")
    before = {path: path.stat().st_mtime_ns for path in (spent.out / "kept").glob("*.json")}
    file = folder / "assignment.toml"
    file.write_text(file.read_text().replace("budget = 0.3", "budget = 100.0"))
    more = graded(folder)
    assert more.table().splitlines()[1].endswith(",graded")
    assert more.scores("slow")[:4] == [1, 2, 4, 8]
    assert "spent" not in more.page("slow")
    assert len([path for path in before if path.stat().st_mtime_ns == before[path]]) == len(before) - 1


class Killed:
    """An examiner that one of the submissions ends."""

    is_walled_off = False

    def key(self, digest):
        return digest

    def examine(self, file):
        if file.name == "killer.py":
            os._exit(1)
        return Examined(registered=file.name)

    def may_be_delayed(self, examined):
        return False


def test_a_submission_that_kills_its_examiner_harms_no_other(tmp_path):
    files = {name: (tmp_path / f"{name}.py", name) for name in ("ada", "killer", "bob", "eve")}
    for path, _ in files.values():
        path.touch()
    found = examine_all(Killed(), files, tmp_path, 2)
    assert {student: one.problem for student, one in found.items()} == {
        **dict.fromkeys(["ada", "bob", "eve"], ""),
        "killer": "it ended the process that graded it",
    }
    assert examine_all(Killed(), files, tmp_path, 2) == found


LIAR = """
import json, os, time

FACTS = {"registered": "liar", "name": "liar", "version": "1", "stochastic": False, "by_name_only": False,
         "parameters": {}, "any_game": True}
CONTENTS = {"type": "plugin", "strategies": [FACTS], "others": [], "failures": []}
for number in range(3, 100):
    try:
        if os.readlink(f"/proc/self/fd/{number}").startswith("pipe:"):
            os.write(number, json.dumps(CONTENTS).encode() + b"\\n")
    except OSError:
        pass
time.sleep(60)
"""


@pytest.mark.slow
def test_a_submission_that_writes_the_answer_itself_does_not_load(tmp_path):
    (tmp_path / "liar.py").write_text(LIAR)
    game = wk.load_game({"name": "letters", "alphabet": "abc", "length": 3, "answers": "all"})
    isolation = wk.Isolation(sandbox="plain", limits=wk.Limits(start=5))
    examiner = Examiner(game, (), 1.0, checks=False, isolation=isolation, time=Allotment(60.0, "it took long"))
    problem = examiner.examine(PluginFile.read(tmp_path / "liar.py")).problem
    assert problem
