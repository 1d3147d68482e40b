"""Faults of the machine: nobody gets a grade because of one, and none is stored."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_bubblewrap, needs_linux

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.classroom import examine
from wordle_kit.isolation.plugin_file import PluginFile

pytestmark = [needs_linux, pytest.mark.slow]

LEVELS = ["plain", pytest.param("required", id="bubblewrap", marks=needs_bubblewrap)]

RULE = '''
from pathlib import Path
import wordle_kit as wk

RIGHT, WRONG = Path(__file__).with_name({named}).read_text().split()

class GreensOnly(wk.MarksRule):
    """Say which symbols are in the right place."""

    def marks(self, guess, answer):
        return [int(RIGHT) if g == a else int(WRONG) for g, a in zip(guess, answer)]

@wk.hookimpl
def register_rules(register):
    register(GreensOnly())
'''

OWN_RULE = {'game = "tiny.toml"\n': 'game = "tiny.toml"\nplugins = ["greens.py"]\n'}
"""Changes to the assignment that give it a rule of its own."""


@pytest.fixture
def klass(make, text):
    """Return the folder of a small class whose assignment has a rule of its own, with a data file."""
    folder = make({"ada.py": text(), "bob.py": text("return words[-1]")}, quick=True, replace=OWN_RULE)
    with (folder / "tiny.toml").open("a") as game:
        game.write('rule = "greens-only"\nmax_guesses = 12\n')
    (folder / "greens.py").write_text(RULE.format(named="'marks.txt'"))
    (folder / "marks.txt").write_text("2 0\n")
    return folder


def run(folder, *options, path=None):
    """Run the command in a new process whose files nobody else can read."""
    command = [sys.executable, "-m", "wordle_kit", "grade", folder, folder / "submissions", "--output", folder / "out"]
    environment = os.environ | ({"PATH": f"{path}:{os.environ['PATH']}"} if path else {})
    line = [*map(str, command), "--workers", "1", *options]
    return subprocess.run(line, env=environment, capture_output=True, text=True, umask=0o077, timeout=300)


def outcomes(folder):
    rows = (folder / "out" / "grades.csv").read_text().splitlines()
    return {row.split(",")[0]: row.rpartition(",")[2] for row in rows[1:]}


@pytest.mark.parametrize("sandbox", LEVELS)
def test_a_folder_that_only_its_owner_can_read_gives_the_same_grades(klass, sandbox):
    subprocess.run(["chmod", "-R", "go-rwx", str(klass)], check=True)
    ran = run(klass, "--sandbox", sandbox)
    assert ran.returncode == 0, ran.stderr
    assert outcomes(klass) == {"ada": "graded", "bob": "graded"}
    private = (klass / "out" / "grades.csv").read_text()
    subprocess.run(["chmod", "-R", "go+rX", str(klass)], check=True)
    shutil.rmtree(klass / "out")
    assert run(klass, "--sandbox", sandbox).returncode == 0
    without_time = {line.rpartition(",")[0] for line in private.splitlines()}
    assert without_time == {line.rpartition(",")[0] for line in (klass / "out" / "grades.csv").read_text().splitlines()}


def stored(folder):
    """Return how many results of examinations the folder of results has, and whether it has plays or grades."""
    out = folder / "out"
    return len(list(out.glob("kept/*"))), (out / "grades.csv").exists(), (out / "feedback").exists()


def test_a_rule_that_strategies_cannot_read_stops_everything_and_once_mended_counts_for_nobody(klass):
    (klass / "greens.py").write_text(RULE.format(named="'marks' + '.txt'"))  # so that it does not come along
    ran = run(klass, "--sandbox", "plain")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "greens.py" in ran.stderr
    assert stored(klass) == (0, False, False)
    (klass / "greens.py").write_text(RULE.format(named="'marks.txt'"))
    assert run(klass, "--sandbox", "plain").returncode == 0
    assert outcomes(klass) == {"ada": "graded", "bob": "graded"}


BROKEN = """#!/bin/sh
# bubblewrap, which fails from a certain start of a strategy on
case "$*" in *supervisor.py*)
    echo x >> {count}
    if [ $(wc -l < {count}) -gt {works} ]; then echo "bwrap: no more namespaces" >&2; exit 1; fi
esac
exec {real} "$@"
"""


@needs_bubblewrap
def test_a_sandbox_that_does_not_start_is_never_a_result(klass, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text(BROKEN.format(count=tmp_path / "count", works=7, real=shutil.which("bwrap")))
    fake.chmod(0o755)
    ran = run(klass, "--sandbox", "required", path=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "bwrap: no more namespaces" in ran.stderr
    assert stored(klass)[1:] == (False, False)
    assert run(klass, "--sandbox", "required").returncode == 0
    assert outcomes(klass) == {"ada": "graded", "bob": "graded"}


def test_a_starter_that_crashes_is_named_before_anyone_is_graded(make, text, capfd):
    folder = make({"ada.py": text()})
    (folder / "starter.py").write_text(text("raise NotImplementedError('your part')"))
    command = ["grade", folder, folder / "submissions", "--output", folder / "out", "--sandbox", "plain"]
    assert cli.run(list(map(str, command))) == 2
    assert "starter" in capfd.readouterr().err
    assert stored(folder) == (0, False, False)


GAME = {"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"}


def test_edited_data_of_a_rule_have_a_submission_examined_again(klass):
    examiner = examine.Examiner(wk.load_game(GAME), (str(klass / "greens.py"),), 1.0, False, None, None)
    before = examiner.key("ada")
    (klass / "marks.txt").write_text("0 2\n")
    assert examiner.key("ada") != before
    assert PluginFile.read(Path(klass / "greens.py")).beside == {"marks.txt": b"0 2\n"}
