"""Grading small classes: kept results, limits, sandboxes, and a game with the teacher's own rule."""

import os
import signal
import subprocess
import sys
import time

import pytest
from strategies import GREENS_ONLY

from wordle_kit import cli
from wordle_kit.sandbox import levels
from wordle_kit.tournaments.store import Store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_and_gives_the_same(make, text, graded):
    submissions = {f"s{i}.py": text(f"return words[{i} % len(words)]") for i in range(2)}
    folder = make(submissions, quick=True)
    command = ["grade", folder, folder / "submissions", "--output", folder / "killed", "--workers", "1"]
    process = subprocess.Popen([sys.executable, "-m", "wordle_kit", *map(str, command), "--sandbox", "plain"])
    while len(list((folder / "killed" / "kept").glob("*.json"))) < 1:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = {path: path.stat().st_mtime_ns for path in (folder / "killed" / "kept").glob("*.json")}
    assert not (folder / "killed" / "grades.csv").exists()
    killed = graded(folder, "killed")
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert killed.table() == graded(folder, "fresh").table()


@pytest.mark.slow
def test_one_that_is_given_up_is_shown_where_it_failed(make, text, graded):
    folder = make({"ada.py": text("if position.turn > 1: time.sleep(60)\nreturn words[0]")}, quick=True)
    written = graded(folder)
    assert written.table().splitlines()[1].endswith(",timed out")
    assert "timed out: took more than 1 s, at guess 2" in written.output("ada", 1)
    for number in (2, 3):
        assert written.output("ada", number).endswith("shown above, under 'every guess is legal, public puzzles'.")


@pytest.mark.slow
def test_finished_plays_are_not_played_again(make, text, graded):
    folder = make({"ada.py": text()}, quick=True)
    first = graded(folder)
    with Store(first.out / "store.sqlite") as store:
        played = [(store.read(number).seconds, number) for number, _, _ in store.runs()]
    (folder / "submissions" / "bob.py").write_text(text("return words[-1]"))
    graded(folder)
    with Store(first.out / "store.sqlite") as store:
        assert [(store.read(number).seconds, number) for _, number in played] == played
        assert len(store.runs()) == len(played) + 1
    assert first.results("bob")["score"] > 0


SYLLABLES = """
name = "syllables"
alphabet = ["ka", "ki", "ku", "sha", "shi", "shu", "ta", "ti", "tu", "na", "ni", "nu"]
length = 2
answers = "all"
rule = "greens-only"
max_guesses = 30
"""


@pytest.mark.slow
def test_a_game_of_syllables_with_a_rule_of_the_teachers_own(make, text, graded, monkeypatch, capfd):
    folder = make(
        {"ada.py": text(), "bob.py": text("return words[20]")},
        quick=True,
        replace={'"tiny.toml"': '"syllables.toml"\nplugins = ["greens.py"]'},
    )
    (folder / "syllables.toml").write_text(SYLLABLES)
    (folder / "greens.py").write_text(GREENS_ONLY)
    written = graded(folder)
    assert written.scores("ada")[:3] == [1, 4, 8]
    *_, fault, again = written.output("bob", 1).splitlines()
    assert "IndexError" in fault
    assert again.startswith("See it again: wordle-kit solve -g syllables.toml -p bob.py -p greens.py -s mine --answer ")
    assert again.endswith(" --deadline 1")
    monkeypatch.chdir(folder)
    (folder / "bob.py").write_text(text("return words[20]"))
    words = again.split()
    assert cli.run(words[words.index("solve") :]) == 1
    assert capfd.readouterr().out.splitlines()[-1] == fault


@pytest.mark.slow
def test_the_command_stops_a_submission_at_the_same_limit_as_the_assignment(make, text, graded, monkeypatch, capfd):
    body = "print('x' * 3000)\nreturn position.rng.choice(words)"
    folder = make(
        {"ada.py": text(body, stochastic=True)},
        quick=True,
        replace={"start = 20.0": "start = 20.0\nprinted = 1000"},
    )
    written = graded(folder)
    assert written.table().splitlines()[1].endswith(",crashed")
    monkeypatch.chdir(folder)
    (folder / "ada.py").write_text(text(body, stochastic=True))
    fault, again, limits = written.output("ada", 1).splitlines()[-3:]
    assert fault.startswith("crashed: printed more than 1,000 bytes, at guess 1")
    assert written.page("ada").count(fault) == 1
    assert again.endswith(" --deadline 1")
    assert limits.endswith(
        "On Linux, add this to see it stopped again: --isolate --limit processes=16 --limit printed=1000"
    )
    words = f"{again} {limits.rpartition(': ')[2]}".split()
    assert cli.run(words[words.index("solve") :]) == 1
    assert fault in capfd.readouterr().out.splitlines()
    assert written.output("ada", 5).endswith("The fault is shown above, under 'every guess is legal, public puzzles'.")


@pytest.mark.slow
def test_without_a_sandbox_nothing_is_graded_unless_the_teacher_agrees(make, text, graded, monkeypatch, capfd):
    monkeypatch.setattr(levels, "bubblewrap_problem", lambda: "it is not here")
    folder = make({"ada.py": text()}, quick=True)
    monkeypatch.setattr(levels, "_changes_user", lambda paths: False)
    command = ["grade", str(folder), str(folder / "submissions"), "--output", str(folder / "out")]
    assert cli.run(command) == 2
    said = capfd.readouterr().err
    assert said.startswith("wordle-kit: no sandbox: it is not here; without one, submissions can read ")
    assert said.endswith("; the level plain accepts that (--sandbox)\n")
    assert not (folder / "out").exists()
    for accepted in ("plain", "none"):
        graded(folder, accepted, "--sandbox", accepted)
        assert "sandbox" not in "".join(capfd.readouterr())


@pytest.mark.slow
def test_without_a_sandbox_but_with_another_user_the_grades_say_so(make, text, graded, monkeypatch, capfd):
    monkeypatch.setattr(levels, "bubblewrap_problem", lambda: "it is not here")
    folder = make({"ada.py": text()}, quick=True)
    monkeypatch.setattr("wordle_kit.classroom.grade.check_out_of_sight", lambda paths, isolation, programs: None)
    graded(folder, "out", "--sandbox", "auto")
    said = capfd.readouterr()
    assert said.out.endswith("\nPlayed with no sandbox, so less is stopped: it is not here.\n")
    assert said.err.splitlines()[0] == "wordle-kit: no sandbox, so less is stopped: it is not here"
