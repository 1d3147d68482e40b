"""A new assignment: complete, playable by students, and ready for an autograder."""

import json
import os
import subprocess
import sys

import pytest

from wordle_kit import cli
from wordle_kit.classroom.assignment import read_assignment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the folder of a new assignment."""
    folder = tmp_path_factory.mktemp("new")
    assert cli.run(["new", "assignment", "spring-words", "--dir", str(folder), "--seed", "7"]) == 0
    return folder / "spring-words"


def test_it_has_what_students_and_the_teacher_need(made):
    assert sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()) == [
        *("README.md", "answers.txt", "assignment.toml", "guesses.txt", "spring-words.toml", "starter.py"),
        *("teacher/NOTE.md", "teacher/hidden.txt", "teacher/run_autograder", "teacher/setup.sh", "test_starter.py"),
    ]
    assert not [path for path in made.rglob("*") if path.is_file() and "{{" in path.read_text()]
    students = [path for path in made.iterdir() if path.is_file()]
    assert not [path for path in students if "seed 7" in path.read_text()]
    assignment = read_assignment(made)
    assert sum(test.points for test in assignment.tests) == 100
    assert len(assignment.game.answers) == 800


def test_the_same_seed_makes_the_same_and_another_another(made, tmp_path):
    for seed in ("7", "8"):
        cli.run(["new", "assignment", "spring-words", "--dir", str(tmp_path / seed), "--seed", seed])
    for file in ("answers.txt", "assignment.toml", "teacher/hidden.txt"):
        assert (tmp_path / "7" / "spring-words" / file).read_text() == (made / file).read_text()
        assert (
            file == "assignment.toml"
            or (tmp_path / "8" / "spring-words" / file).read_text() != (made / file).read_text()
        )


def test_students_can_run_the_test_of_the_starter(made):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(made / "test_starter.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout
    assert "2 passed" in ran.stdout


@pytest.mark.parametrize(("name", "said"), [("Spring Words", "cannot name"), ("spring-words", "is there already")])
def test_a_name_that_cannot_be_is_refused(made, name, said, capfd):
    assert cli.run(["new", "assignment", name, "--dir", str(made.parent)]) == 2
    assert said in capfd.readouterr().err


def script(made, name, root, **environment):
    """Run one of the scripts for Gradescope on a folder like /autograder."""
    command = ["sh", str(made / "teacher" / name)]
    ran = subprocess.run(
        command, env=os.environ | {"AUTOGRADER_ROOT": str(root)} | environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran


def test_the_autograder_grades_one_submission_and_leaves_the_results(made, tmp_path):
    root = tmp_path / "autograder"
    (root / "submission").mkdir(parents=True)
    (root / "submission" / "my_solver.py").write_text((made / "starter.py").read_text())
    (root / "submission" / "notes.txt").write_text("I did it alone")
    subprocess.run(["cp", "-r", made, root / "source"], check=True)
    kit = tmp_path / "bin" / "wordle-kit"
    kit.parent.mkdir()
    kit.write_text(f'#!/bin/sh\nexec {sys.executable} -m wordle_kit "$@"\n')
    kit.chmod(0o755)
    assert os.access(made / "teacher" / "run_autograder", os.X_OK)
    script(made, "run_autograder", root, PATH=f"{kit.parent}:{os.environ['PATH']}")
    results = json.loads((root / "results" / "results.json").read_text())
    assert [test["status"] for test in results["tests"][:4]] == ["passed"] * 4
    assert 0 < results["score"] < 100
    assert not (root / "source" / "teacher" / "hidden.txt").stat().st_mode & 0o077


def test_the_setup_installs_the_wheel_beside_the_assignment(made, tmp_path):
    root, said = tmp_path / "autograder", tmp_path / "said"
    (root / "source").mkdir(parents=True)
    (root / "source" / "wordle_kit-1-py3-none-any.whl").touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    pip = f'#!/bin/sh\necho pip "$@" >> {said}\n'
    fake_venv = (
        f'echo python3 "$@" >> {said}; mkdir -p "$3/bin"; '
        f"printf '%s' '{pip}' > \"$3/bin/pip\"; chmod +x \"$3/bin/pip\"\n"
    )
    for name, body in (("apt-get", f'echo apt-get "$@" >> {said}\n'), ("python3", fake_venv)):
        (programs / name).write_text(f"#!/bin/sh\n{body}")
        (programs / name).chmod(0o755)
    home = tmp_path / "home"
    path = f"{programs}:{os.environ['PATH']}"
    script(made, "setup.sh", root, PATH=path, WORDLE_KIT_HOME=str(home), WORDLE_KIT_BIN=str(programs))
    assert said.read_text().splitlines() == [
        "apt-get update",
        "apt-get install -y bubblewrap python3 python3-venv",
        f"python3 -m venv {home}",
        f"pip install {root}/source/wordle_kit-1-py3-none-any.whl",
    ]
    assert (programs / "wordle-kit").readlink() == home / "bin" / "wordle-kit"
