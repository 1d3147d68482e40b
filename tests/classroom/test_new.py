"""New assignments, on invented games and on games that exist, can be graded and say what is true."""

import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from needs import needs_linux
from strategies import GREENS_ONLY

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.classroom.assignment import Beats, Mean, read_assignment
from wordle_kit.classroom.draws import Draws, draws
from wordle_kit.classroom.grade import grade_self
from wordle_kit.classroom.new import MEASURED, adopt_game, invented_words, known_points
from wordle_kit.classroom.scale import expectations, measured_points
from wordle_kit.sandbox.levels import bubblewrap_problem
from wordle_kit.temporary import remove
from wordle_kit.tournaments.runner import play_tournaments
from wordle_kit.tournaments.store import Store

pytestmark = needs_linux

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the folder of a new assignment."""
    folder = tmp_path_factory.mktemp("new")
    assert cli.run(["new", "assignment", "spring-words", "--dir", str(folder), "--seed", "7"]) == 0
    return folder / "spring-words"


@pytest.mark.slow
def test_it_has_all_files_that_students_and_the_teacher_need(made):
    assert sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()) == [
        *("README.md", "answers.txt", "assignment.toml", "guesses.txt", "spring-words.toml", "starter.py"),
        *("teacher/NOTE.md", "teacher/run_autograder", "teacher/setup.sh"),
        "test_starter.py",
    ]
    assert not [path for path in made.rglob("*") if path.is_file() and "{{" in path.read_text()]
    students = [path for path in made.iterdir() if path.is_file()]
    assert not [path for path in students if "seed 7" in path.read_text()]
    assignment = read_assignment(made)
    assert sum(test.points for test in assignment.tests) == 100
    assert len(assignment.game.answers) == 800
    assert {*assignment.game.answers} <= {*invented_words(7)[1]}


def test_the_same_seed_makes_the_same_words():
    assert invented_words(7) == invented_words(7)
    assert not {*invented_words(7)[1]} & {*invented_words(8)[1]}


@pytest.mark.slow
def test_students_can_run_the_test_of_the_starter(made):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(made / "test_starter.py")]
    without_caches = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # `made` is shared with tests that list its files
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, env=without_caches)
    assert ran.returncode == 0, ran.stdout
    assert "2 passed" in ran.stdout


def script(made, name, root, **environment):
    """Run one of the scripts for Gradescope on a folder like /autograder."""
    command = ["sh", str(made / "teacher" / name)]
    ran = subprocess.run(
        command, env=os.environ | {"AUTOGRADER_ROOT": str(root)} | environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran


PLAYED_ONCE = """
from wordle_kit import cli
from wordle_kit.isolation import supervision
supervision.REPEATED_PUZZLES = 0
cli.main()
"""
"""wordle-kit, except that no puzzle is played again to see whether a strategy remembers anything."""


@pytest.mark.slow
def test_the_autograder_grades_one_submission_and_leaves_the_results(made, tmp_path):
    root = tmp_path / "autograder"
    (root / "submission").mkdir(parents=True)
    (root / "submission" / "my_solver.py").write_text((made / "starter.py").read_text())
    (root / "submission" / "notes.txt").write_text("I did it alone")
    subprocess.run(["cp", "-r", made, root / "source"], check=True)
    kit = tmp_path / "bin" / "wordle-kit"
    kit.parent.mkdir()
    # Without a sandbox it would refuse, unless it is run by root and Python can be read by all.
    accepted = "" if bubblewrap_problem() is None else " --sandbox plain"
    kit.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{PLAYED_ONCE}" "$@"{accepted}\n')
    kit.chmod(0o755)
    assert os.access(made / "teacher" / "run_autograder", os.X_OK)
    script(made, "run_autograder", root, PATH=f"{kit.parent}:{os.environ['PATH']}")
    results = json.loads((root / "results" / "results.json").read_text())
    assert [test["status"] for test in results["tests"][:4]] == ["passed"] * 4
    assert 0 < results["score"] < 100
    assert not (root / "source" / "teacher" / "NOTE.md").stat().st_mode & 0o077


WHEEL = {
    "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "METADATA": "Metadata-Version: 2.1\nName: wordle-kit\nVersion: 0.1.0\n",
    "entry_points.txt": "[console_scripts]\nwordle-kit = wordle_kit.__main__:main\n",
    "RECORD": "",
}

BACKEND = """
from pathlib import Path
from shutil import copy

def build_wheel(folder, settings=None, metadata=None):
    return Path(copy(Path(__file__).parent / "made.whl", Path(folder) / "wordle_kit-0.1.0-py3-none-any.whl")).name
"""


def wheel(path):
    """Write a wheel of wordle-kit as it is in this checkout."""
    with zipfile.ZipFile(path, "w") as packed:
        for package, source in (("wordle_kit", "wordle_kit"), ("wordle_kit_plugins", "plugins")):
            for file in (ROOT / source).rglob("*"):
                if file.suffix in (".py", ".pyi", ".txt"):
                    packed.write(file, f"{package}/{file.relative_to(ROOT / source)}")
        for name, text in WHEEL.items():
            packed.writestr(f"wordle_kit-0.1.0.dist-info/{name}", text)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return the folder of an environment, which the first test makes, since installing pip takes most of the time."""
    return tmp_path_factory.mktemp("environment") / "home"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["wheel", "folder"])
def test_the_setup_installs_the_files_beside_the_assignment_into_an_empty_environment(
    made, home, tmp_path, form, monkeypatch
):
    for installed in home.glob("lib/*/site-packages/*"):
        if not installed.name.startswith(("pip", "setuptools")):
            remove(installed) if installed.is_dir() else installed.unlink()
    root, programs = tmp_path / "autograder", tmp_path / "programs"
    source = root / "source"
    source.mkdir(parents=True)
    if form == "wheel":
        wheel(source / "wordle_kit-0.1.0-py3-none-any.whl")
    else:  # its build needs nothing, since there may be no network here
        (source / "wordle-kit").mkdir()
        wheel(source / "wordle-kit" / "made.whl")
        (source / "wordle-kit" / "backend.py").write_text(BACKEND)
        system = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        (source / "wordle-kit" / "pyproject.toml").write_text(system)
    programs.mkdir()
    said = tmp_path / "said"
    (programs / "apt-get").write_text(f'#!/bin/sh\necho apt-get "$@" >> {said}\n')
    (programs / "apt-get").chmod(0o755)
    (programs / "python3").symlink_to(sys.executable)
    places = {"WORDLE_KIT_HOME": str(home), "WORDLE_KIT_BIN": str(tmp_path / "bin")}
    offline = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_COMPILE": "1"}
    script(made, "setup.sh", root, PATH=f"{programs}:{os.environ['PATH']}", **places, **offline)
    assert "bubblewrap" in said.read_text()
    (installed,) = home.glob("lib/*/site-packages")
    assert (installed / "wordle_kit" / "cli" / "__init__.py").is_file()
    # Its dependencies are borrowed from here, without a download.
    (installed / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    monkeypatch.chdir(tmp_path)
    command = [str(tmp_path / "bin" / "wordle-kit"), "--version"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (0, f"wordle-kit {wk.__version__}\n"), ran.stderr


# Assignments on a game and a rule of a teacher's own


SYLLABLES = """
name = "syllables"
title = "Two syllables"
alphabet = ["ka", "ki", "sha", "shi", "ta", "ti", "na", "ni"]
length = 2
answers = ["kaki", "../words/more.txt", 'own.txt']
guesses = "all"
rule = "greens-only"
max_guesses = 12
"""


@pytest.fixture
def mine(tmp_path):
    """Return the folder of a game and a rule of a teacher's own, with word lists inside and outside of it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "more.txt").write_text(
        "\n".join(f"{a}{b}" for a in ("sha", "ta") for b in ("ka", "ti", "na"))
    )
    (folder / "own.txt").write_text("nana\nnini\n")
    (folder / "rule.py").write_text(GREENS_ONLY)
    (folder / "my.toml").write_text(SYLLABLES)
    return folder


def new(folder, *options):
    """Make an assignment called `course` in a folder."""
    return cli.run(["new", "assignment", "course", "--dir", str(folder), *map(str, options)])


@pytest.mark.slow
def test_an_assignment_on_your_own_game_and_rule_is_complete_in_its_folder(mine, tmp_path, capfd):
    assert new(tmp_path, "--game", mine / "my.toml", "--plugin", mine / "rule.py") == 0
    away = tmp_path / "elsewhere" / "course"
    away.parent.mkdir()
    (tmp_path / "course").rename(away)
    for folder in (mine, tmp_path / "words"):
        shutil.rmtree(folder)
    assignment = read_assignment(away)
    assert sorted(assignment.game.answers) == sorted(
        ["kaki", "nana", "nini", *(f"{a}{b}" for a in ("sha", "ta") for b in ("ka", "ti", "na"))]
    )
    assert assignment.definition.plugins == ["rule.py"]
    assert not [path for path in away.rglob("*") if path.is_file() and "{{" in path.read_text()]
    readme = (away / "README.md").read_text()
    assert "Say which symbols are correct, and nothing about the others" in readme
    play = next(line for line in readme.splitlines() if "wordle-kit solve" in line).split("`")[1]
    assert play.startswith("wordle-kit solve -g my.toml -p rule.py -p starter.py -s mine --answer ")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(away / "test_starter.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "2 passed" in ran.stdout, ran.stdout
    capfd.readouterr()
    assert cli.run(["grade", "--self", "--sandbox", "plain", str(away), str(away / "starter.py")]) in (0, 1)
    said = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in said if re.match(r"\S.* \d+ of \d+ ", line)][:4] == ["ok"] * 4


def test_a_game_that_names_its_rule_and_its_base_is_copied_with_both_and_its_rule_is_trusted(mine, tmp_path):
    (mine / "my.toml").write_text(SYLLABLES + 'plugin = "rule.py"\n')
    game = tmp_path / "shorter.toml"
    game.write_text('name = "shorter"\nbase = "mine/my.toml"\nmax_guesses = 3\n')
    basis = adopt_game(str(game))
    assert sorted(basis.files) == ["more.txt", "my.toml", "own.txt", "rule.py", "shorter.toml"]
    course = tmp_path / "course"
    course.mkdir()
    for name, text in basis.files.items():
        (course / name).write_bytes(text)
    (course / "assignment.toml").write_text(
        'title = "Course"\ngame = "shorter.toml"\npublic.count = 2\n'
        '[[tests]]\nkind = "loads"\npoints = 1\n[[tests]]\nkind = "legal"\nsample = "public"\npoints = 1\n'
    )
    shutil.rmtree(mine)
    assignment = read_assignment(course)
    assert (assignment.game.rule.name, assignment.game.max_guesses) == ("greens-only", 3)
    assert str(course / "rule.py") in assignment.plugins.trusted


@pytest.mark.slow
def test_the_starter_gets_nothing_for_the_mean_and_entropy_gets_all(tmp_path):
    assert new(tmp_path, "--game", "mastermind") == 0
    assignment = read_assignment(tmp_path / "course")
    (scale,) = [test for test in assignment.tests if isinstance(test, Mean)]
    (beats,) = [test for test in assignment.tests if isinstance(test, Beats)]
    means = {
        key: statistics.fmean(play.turns for play in wk.play(name, assignment.game))
        for key, name in MEASURED.items()
        if key != "random"
    }
    (expected,) = expectations(assignment).values()
    with Store() as store:
        (run,) = play_tournaments([expected], store, workers=1)
        means["random"] = statistics.fmean(store.read(run).taken)  # as those who are graded have to beat
    assert 0 <= scale.full - min(means.values()) < 0.051
    assert 0 <= means["starter"] - scale.none < 0.01
    assert beats.margin == max(0.05, math.floor((means["random"] - min(means.values())) * 100) / 100)
    assert "Warning" not in (tmp_path / "course" / "teacher" / "NOTE.md").read_text()


@pytest.mark.slow
def test_the_note_says_what_known_strategies_get_and_warns_of_a_generous_assignment(made, tmp_path):
    note = (made / "teacher" / "NOTE.md").read_text()
    points = dict(re.findall(r"^\| ([\w, -]+) \| (\d+) \|$", note, re.MULTILINE))
    assert list(points) == ["the starter, unchanged", "random-consistent", "first-consistent", "entropy"]
    assert points["the starter, unchanged"] == points["first-consistent"] == "35"
    assert 35 < int(points["random-consistent"]) < 80
    assert points["entropy"] == "100"
    assignment = read_assignment(made)
    assert measured_points(assignment, {"entropy": assignment.others["entropy"]}) == {"entropy": 100}
    assert "Warning" not in note
    shutil.copytree(made, tmp_path / "generous")
    file = tmp_path / "generous" / "assignment.toml"
    file.write_text(file.read_text().replace('kind = "loads"\npoints = 5', 'kind = "loads"\npoints = 50'))
    table = known_points(tmp_path / "generous")
    assert "| the starter, unchanged | 80 |" in table
    assert "Warning" in table


@pytest.mark.slow
def test_puzzles_of_several_boards_are_draws_with_a_word_for_each(tmp_path):
    game = tmp_path / "twins.toml"
    game.write_text('name = "twins"\nalphabet = "abcd"\nlength = 2\nanswers = "all"\nboards = 2\n')
    assert new(tmp_path, "-g", game) == 0
    assignment = read_assignment(tmp_path / "course")
    assert isinstance(assignment.samples["all"], Draws)
    assert {len(ids) for ids in assignment.samples["all"].ids} == {2}


@pytest.mark.slow
def test_answers_of_a_game_with_weights_count_with_their_weights_and_are_drawn_by_them(tmp_path):
    game = tmp_path / "likely.toml"
    game.write_text('name = "likely"\nalphabet = "abc"\nlength = 2\nanswers = "all"\nweights = { aa = 90, bb = 0 }\n')
    assert new(tmp_path, "-g", game) == 0
    everything = read_assignment(tmp_path / "course").samples["all"]
    weights = dict(zip(everything.game.answers, everything.weights, strict=True))
    assert weights["aa"] == 90 * weights["ab"]
    assert weights["bb"] == 0
    drawn = draws(everything.game, 1000)
    words = [word for (word,) in map(drawn.words, range(len(drawn)))]
    assert words.count("aa") > 850
    assert "bb" not in words
    assert drawn.weights is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-g", "no-such-game"], "'no-such-game'"),
        (["-g", "{}/my.toml"], "'greens-only'"),
        (["-g", "{}/my.toml", "-p", "{}/gone.py"], "gone.py"),
        (["-g", "{}/gone.toml", "-p", "{}/rule.py"], "gone.toml"),
        (["-g", "mastermind", "--seed", "3"], "--seed"),
        (["-p", "{}/rule.py"], "--plugin"),
        (["-g", "mastermind", "-p", "{}/starter.py"], "starter.py"),
    ],
)
def test_an_impossible_assignment_is_refused_in_one_line(mine, tmp_path, capfd, options, said):
    (mine / "starter.py").write_text(GREENS_ONLY)
    capfd.readouterr()
    assert new(tmp_path, *(option.format(mine) for option in options)) == 2
    ran = capfd.readouterr()
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "course").exists()


# What students get


@pytest.fixture
def tiny(tmp_path):
    """Return a function that makes an assignment on a small game, with these options, and returns its folder."""

    def tiny(*options):
        game = tmp_path / "tiny.toml"
        game.write_text('name = "tiny"\nalphabet = "abc"\nlength = 2\nanswers = "all"\n')
        assert new(tmp_path, "-g", game, *options) == 0
        return tmp_path / "course"

    return tiny


def test_an_assignment_on_a_game_of_your_own_has_what_students_and_the_teacher_need(tiny, tmp_path, capfd):
    course = tiny()
    assert not [path for path in course.rglob("*") if path.is_file() and "{{" in path.read_text()]
    assert {path.name for path in (course / "teacher").iterdir()} == {"NOTE.md", "run_autograder", "setup.sh"}
    assignment = read_assignment(course)
    assert sum(test.points for test in assignment.tests) == 100
    assert len(assignment.game.answers) == 9
    assert grade_self(assignment, course / "starter.py", None).outcome == "graded"
    capfd.readouterr()
    assert new(tmp_path, "-g", tmp_path / "tiny.toml") == 2
    assert "course" in capfd.readouterr().err
