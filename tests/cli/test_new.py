"""`wordle-kit new`: a starting point that already works."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_strategy_and_its_test_are_written_and_the_next_steps_shown(run, here):
    ran = run("new", "strategy", "my-idea")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Wrote my_idea.py and test_my_idea.py. Next:",
        "  wordle-kit check my_idea.py",
        "  wordle-kit tournament -p my_idea.py",
    ]
    assert sorted(path.name for path in here.iterdir()) == ["my_idea.py", "test_my_idea.py"]


def test_a_new_strategy_passes_the_check(run):
    run("new", "strategy", "my-idea")
    ran = run("check", "my_idea.py")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "my-idea")


def test_a_new_strategy_plays(run, tiny):
    run("new", "strategy", "my-idea")
    row = run("tournament", "-g", tiny, "-p", "my_idea.py", "-s", "my-idea", "--format", "json").rows["my-idea"]
    assert (row["solved"], row["failed"]) == (9, 0)


@pytest.mark.slow
def test_the_test_of_a_new_strategy_passes(run, here):
    run("new", "strategy", "my-idea")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", here, "test_my_idea.py"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout


@pytest.mark.slow
def test_the_test_of_a_strategy_that_was_broken_fails(run, here):
    run("new", "strategy", "my-idea")
    Path("my_idea.py").write_text(Path("my_idea.py").read_text().replace("return max(words", "return 2 * max(words"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", here, "test_my_idea.py"]
    done = subprocess.run([*command, "-k", "legal"], capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 1
    assert "is not among the guesses" in done.stdout or "letters; words of" in done.stdout


def test_both_files_go_into_the_folder_that_is_given(run, here):
    assert run("new", "strategy", "my-idea", "--dir", "deep/down").code == 0
    assert sorted(path.name for path in (here / "deep" / "down").iterdir()) == ["my_idea.py", "test_my_idea.py"]


@pytest.mark.parametrize(
    ("name", "file"), [("MyIdea", "my_idea.py"), ("my_idea", "my_idea.py"), ("my idea", "my_idea.py"), ("x", "x.py")]
)
def test_a_name_may_be_written_as_people_write_names(run, here, name, file):
    run("new", "strategy", name)
    assert (here / file).is_file()
    assert file.removesuffix(".py").replace("_", "-") in run("strategies", "-p", file).out


@pytest.mark.parametrize("name", ["my-idea", "a-b", "idea-2", "a-good-idea", "counter", "strategy", "position", "wk"])
def test_the_strategy_has_the_name_that_was_given_and_plays(run, tiny, name):
    file = name.replace("-", "_") + ".py"
    run("new", "strategy", name)
    rows = run("tournament", "-g", tiny, "-p", file, "-s", name, "--workers", "1", "--format", "json").rows
    assert rows[name]["solved"] == 9


@pytest.mark.parametrize("present", ["my_idea.py", "test_my_idea.py"])
def test_a_file_that_is_there_is_never_overwritten(refused, here, present):
    (here / present).write_text("precious")
    assert f"{present} already exists; choose another name or folder" in refused("new", "strategy", "my-idea")
    assert [path.name for path in here.iterdir()] == [present]
    assert (here / present).read_text() == "precious"


@pytest.mark.parametrize("name", ["", " ", "-", "_", "2fast", "class", "../escape", "a/b", "a.b", "idée", "a;b", "{x}"])
def test_an_impossible_name_is_quoted(refused, here, name):
    assert f"{name!r} is not a valid name; use letters, digits and -" in refused("new", "strategy", "--", name)
    assert list(here.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(refused, here):
    (here / "file").write_text("")
    assert f"{Path('file', 'folder', 'my_idea.py')}: cannot be written" in refused(
        "new", "strategy", "my-idea", "--dir", "file/folder"
    )


def test_new_alone_shows_its_help_and_no_complaint(run):
    ran = run("new")
    assert "strategy" in ran.out
    assert ran.err == ""


def pytest_in(folder, *arguments, **environment):
    """Return what a run of pytest in a folder printed. It has to pass."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")} | environment
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, *arguments]
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_rule_is_written_with_a_game_and_passes_the_check(run, here):
    ran = run("new", "rule", "my-rule")
    assert ran.out.splitlines() == [
        "Wrote my_rule.py and test_my_rule.py. Next:",
        "  wordle-kit check my_rule.py",
        "  wordle-kit tournament -p my_rule.py -g my-rule-game -s entropy -s minimax",
    ]
    assert run("check", "my_rule.py").code == 0
    command = ["tournament", "-p", "my_rule.py", "-g", "my-rule-game", "-s", "minimax", "--workers", "1", "--format"]
    assert run(*command, "json").rows["minimax"]["solved"] == 256


@pytest.mark.slow
def test_the_test_of_a_new_rule_passes(run, here):
    run("new", "rule", "Places")
    assert "5 passed" in pytest_in(here, "test_places.py")


def test_a_rule_that_is_there_already_is_named(refused):
    assert "'mastermind' is already a rule of the plugin 'rules'" in refused("new", "rule", "mastermind")


def test_a_package_is_written_with_everything_to_share_it(run, here):
    ran = run("new", "plugin", "my-strategies")
    assert ran.out.splitlines()[-3:] == ["  cd my-strategies", "  tox", "  pip install ."]
    assert {str(path.relative_to(here)) for path in here.rglob("*") if path.is_file()} == {
        f"my-strategies/{name}"
        for name in (
            ".gitignore",
            "LICENSE",
            "README.md",
            "pyproject.toml",
            "src/my_strategies/__init__.py",
            "src/my_strategies/strategy.py",
            "tests/test_my_strategies.py",
            "tox.ini",
        )
    }
    written = {
        path.name: path.read_text(encoding="utf-8") for path in (here / "my-strategies").rglob("*.*") if path.is_file()
    }
    assert "{" not in written["pyproject.toml"]
    assert ("hookimpl" in written["__init__.py"], "hookimpl" in written["strategy.py"]) == (True, False)


@pytest.mark.slow
def test_a_new_package_can_be_installed_and_its_tests_pass(run, here):
    run("new", "plugin", "my-strategies")
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", "installed"]
    subprocess.run([*install, "./my-strategies"], check=True, timeout=120)
    assert "7 passed" in pytest_in(here / "my-strategies", PYTHONPATH=str(here / "installed"))
