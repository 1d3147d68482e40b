"""Grading small classes, from the folder of submissions to points and feedback, and what is not played again."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from markdown_it import MarkdownIt
from needs import needs_linux
from strategies import GREENS_ONLY

from wordle_kit import cli
from wordle_kit.classroom.assignment import read_assignment
from wordle_kit.classroom.grade import grade_self
from wordle_kit.sandbox import levels
from wordle_kit.tournaments.store import Store

pytestmark = needs_linux

MARKS = '"<script>alert(1)</script>|\\x1b[31m\\u202e=cmd()\\ud800"'


@pytest.fixture(scope="module")
def klass(make, text):
    """Return the folder of a class of four: one is good, one crashes, and two do not load."""
    crashes = text(f"raise ValueError({MARKS})")
    return make({"ada.py": text(), "bob.py": crashes, "eve.py": "def guess(:", "nia.txt": "def guess"}, quick=True)


@pytest.fixture(scope="module")
def written(klass, graded):
    return graded(klass)


def test_only_the_teacher_can_open_the_results(written):
    assert written.out.stat().st_mode & 0o777 == 0o700


def test_everyone_has_a_row_with_the_points_of_all_tests_and_the_outcome(written):
    rows = {row["name"]: row for row in csv.DictReader(written.table().splitlines())}
    assert {name: (float(row["score"]) > 1, row["outcome"]) for name, row in rows.items()} == {
        "ada": (True, "graded"),
        "bob": (False, "crashed"),
        "eve": (False, "does not load"),
        "nia": (False, "does not load"),
    }
    assert written.scores("ada")[:3] == [1, 4, 8]
    assert written.scores("bob") == [1, 0, 0, 0, 0, 0]
    for name, row in rows.items():
        assert float(row["score"]) == written.results(name)["score"] == sum(written.scores(name))


def test_each_student_is_told_what_to_mend(written):
    for student, said in {"bob": "ValueError", "eve": "eve.py, line 1", "nia": "nia.txt"}.items():
        assert said in written.page(student)
        assert said in written.output(student, student == "bob")


def test_the_command_on_the_page_shows_the_fault_again(written, klass, monkeypatch, capfd):
    *_, fault, again = written.output("bob", 1).splitlines()
    monkeypatch.chdir(klass / "submissions")
    words = again.replace("tiny.toml", "../tiny.toml").split()
    assert cli.run(words[words.index("solve") :]) == 1
    assert capfd.readouterr().out.splitlines()[-1] == fault


def test_text_of_students_is_only_shown(written):
    for path in written.out.rglob("*"):
        if path.suffix in (".md", ".csv", ".json") and path.parent.name != "kept":
            shown = path.read_text(encoding="utf-8")
            assert all(line.isprintable() for line in shown.split("\n")), path
            if path.suffix == ".md":
                kinds = {token.type for token in MarkdownIt("commonmark").enable("table").parse(shown)}
                assert not kinds & {"html_block", "html_inline"}, path
    assert "<script>" in written.output("bob", 1)


def test_hidden_results_are_not_on_the_page(written):
    results, page = written.results("ada"), written.page("ada")
    assert [test["name"] in page for test in results["tests"]] == [True] * 5 + [False]
    assert results["tests"][5]["visibility"] == "hidden"


def test_results_are_as_gradescope_wants_them(written):
    results = written.results("ada")
    assert {"score", "output", "visibility", "stdout_visibility", "execution_time"} < set(results)
    for test in results["tests"]:
        assert set(test) == {"score", "max_score", "name", "status", "output", "visibility"}
        assert test["status"] in ("passed", "failed")
    assert [(entry["name"], entry["order"]) for entry in results["leaderboard"]] == [
        ("mean guesses", "asc"),
        ("solved", "desc"),
    ]
    assert written.results("eve")["leaderboard"] == []


def test_the_leaderboard_and_the_teachers_page_have_everyone_who_played(written):
    board = json.loads((written.out / "leaderboard.json").read_text())
    names = [row["strategy"] for row in board["rows"]]
    assert set(names) == {"ada", "bob", "(first-consistent)", "(random-consistent)"}
    assert [row["mean"] for row in board["rows"]] == sorted(row["mean"] for row in board["rows"])
    page = (written.out / "teacher.html").read_text(encoding="utf-8")
    assert re.findall(r'<th scope="row" data-column="strategy"[^>]*><bdi>([^<]*)<', page) == names


def test_the_plays_can_be_read_from_the_store(written, capfd):
    assert cli.run(["leaderboard", "--store", str(written.out / "store.sqlite")]) == 0
    assert "ada" in capfd.readouterr().out


def test_students_see_the_same_points_at_home(written, klass):
    for student in ("ada", "bob", "eve"):
        mine = grade_self(read_assignment(klass), klass / "submissions" / f"{student}.py", None)
        assert [score.points for score in mine.scores] == written.scores(student)[: len(mine.scores)]


def test_the_command_shows_students_their_own_grade(klass, capfd):
    command = ["grade", "--self", str(klass), str(klass / "submissions" / "eve.py"), "--sandbox", "plain"]
    assert cli.run(command) == 1
    assert "eve.py, line 1" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gone.py", "-o", "new", "--sandbox", "plain"], "gone.py"),
        (["submissions"], "--output"),
        (["submissions", "-o", "new", "--workers", "0"], "--workers"),
        (["submissions", "-o", "new", "--regrade", "zoe", "--sandbox", "plain"], "'zoe'"),
        (["tiny.toml", "--self"], "tiny.toml"),
    ],
)
def test_mistakes_on_the_command_line_are_named(klass, monkeypatch, capfd, arguments, said):
    monkeypatch.chdir(klass)
    assert cli.run(["grade", "assignment.toml", *arguments]) == 2
    assert said in capfd.readouterr().err
    assert not (klass / "new").exists()


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
    assert "1,000 bytes" in fault
    words = f"{again} {limits.rpartition(': ')[2]}".split()
    assert cli.run(words[words.index("solve") :]) == 1
    assert fault in capfd.readouterr().out.splitlines()


@pytest.mark.slow
def test_without_a_sandbox_nothing_is_graded_unless_the_teacher_agrees(make, text, graded, monkeypatch, capfd):
    monkeypatch.setattr(levels, "bubblewrap_problem", lambda: "it is not here")
    folder = make({"ada.py": text()}, quick=True)
    monkeypatch.setattr(levels, "_changes_user", lambda paths: False)
    command = ["grade", str(folder), str(folder / "submissions"), "--output", str(folder / "out")]
    assert cli.run(command) == 2
    assert "--sandbox" in capfd.readouterr().err
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
    assert "it is not here" in said.out
    assert "it is not here" in said.err
