"""What works without what only Linux has: tournaments, checks and grading, in Pythons that lack it."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="takes away what Linux has"),
]

LESS = """
import multiprocessing.popen_spawn_posix, multiprocessing.resource_tracker, os, pathlib, shutil, signal, subprocess
import sys, tempfile

for module in ("resource", "fcntl", "pwd", "grp", "termios", "tty"):
    sys.modules[module] = None
for name in ("fork", "forkpty", "O_DIRECTORY", "O_NOFOLLOW", "sched_getaffinity", "pidfd_open"):
    delattr(os, name)
for name in ("SIGALRM", "setitimer", "getitimer", "ITIMER_REAL", "SIGHUP"):
    delattr(signal, name)
"""

PLUGIN = """
import time
import wordle_kit as wk

class Hanging(wk.Strategy):
    def guess(self, position):
        while position.turn > 1:
            time.sleep(0.1)
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Hanging())
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in Python without these things, and returns what it prints."""
    (tmp_path / "sitecustomize.py").write_text(LESS)
    (tmp_path / "plugin.py").write_text(PLUGIN)
    (tmp_path / "first.py").write_text(
        PLUGIN.replace("Hanging", "First").replace("while position.turn > 1", "if False")
    )

    def run(*arguments, code=0):
        environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
        command = [sys.executable, "-m", "wordle_kit", *map(str, arguments)]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, timeout=300)
        assert done.returncode == code, done.stderr.decode()
        return done.stdout.decode("cp1252")

    return run


def test_a_tournament_is_played_and_a_strategy_that_hangs_is_ended(run, tmp_path):
    plugins = ["-p", "plugin.py", "-p", "first.py", "-s", "hanging", "-s", "first", "-s", "entropy"]
    how = ["--puzzles", "3", "--deadline", "10", "--format", "json"]
    out = run("tournament", "-g", "mastermind", *plugins, *how, code=1)  # since one strategy failed always
    assert {row["strategy"]: row["failed"] for row in json.loads(out)["rows"]} == {
        "first": 0,
        "entropy": 0,
        "hanging": 3,
    }


def test_a_game_is_solved_and_tables_are_shown(run):
    assert "solved" in run("solve", "-g", "mastermind", "--answer", "1234", "-s", "first", "-p", "first.py")
    assert "first" in run("check", "first.py")


def test_an_assignment_is_written_and_ones_own_file_is_graded(run, tmp_path):
    run("new", "assignment", "words", "-g", "mastermind")
    (starter,) = (tmp_path / "words").glob("*.py")
    assert "15 of 15" in run("grade", "words", starter, code=1)  # which says that points are missing
