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


def next_steps(run, *arguments):
    """Run `new`, and return the commands that it suggests."""
    ran = run("new", *arguments)
    assert (ran.code, ran.err) == (0, "")
    return [line.split() for line in ran.out.splitlines() if line.startswith("  ")]


def test_a_new_strategy_does_what_the_next_steps_say(run, here, tiny):
    check, tournament = next_steps(run, "strategy", "my-idea")
    assert sorted(path.name for path in here.iterdir()) == ["my_idea.py", "test_my_idea.py"]
    ran = run(*check[1:], "-g", tiny)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "my-idea")
    row = run(*tournament[1:], "-g", tiny, "-s", "my-idea", "--workers", "1", "--format", "json").rows["my-idea"]
    assert (row["solved"], row["failed"]) == (9, 0)


def test_both_files_go_into_the_folder_that_is_given(run, here):
    assert run("new", "strategy", "my-idea", "--dir", "deep/down").code == 0
    assert sorted(path.name for path in (here / "deep" / "down").iterdir()) == ["my_idea.py", "test_my_idea.py"]


@pytest.mark.parametrize(
    ("given", "file", "name"),
    [
        ("MyIdea", "my_idea.py", "my-idea"),
        ("my idea", "my_idea.py", "my-idea"),
        ("a-b", "a_b.py", "a-b"),
        ("strategy", "strategy.py", "strategy"),
    ],
)
def test_a_name_may_be_written_as_people_write_names(run, listed, given, file, name):
    run("new", "strategy", given)
    assert name in listed("strategies", "-p", file)


def test_a_rule_is_written_with_a_game_and_passes_the_check(run):
    check, tournament = next_steps(run, "rule", "my-rule")
    assert run(*check[1:]).code == 0
    assert run(*tournament[1:], "--workers", "1", "--format", "json").rows["minimax"]["solved"] == 256


def test_a_package_is_written_with_everything_to_share_it(run, here):
    run("new", "plugin", "my-strategies")
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


def pytest_in(folder, *arguments, **environment):
    """Run pytest in a folder, and return what it did."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")} | environment
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, *arguments]
    return subprocess.run(command, cwd=folder, env=clean, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.slow
def test_the_test_of_a_new_strategy_passes_until_it_is_broken(run, here):
    run("new", "strategy", "my-idea")
    done = pytest_in(here, "test_my_idea.py")
    assert done.returncode == 0, done.stdout
    Path("my_idea.py").write_text(Path("my_idea.py").read_text().replace("return max(words", "return 2 * max(words"))
    assert pytest_in(here, "test_my_idea.py", "-k", "promises").returncode == 1


@pytest.mark.slow
def test_the_test_of_a_new_rule_passes(run, here):
    run("new", "rule", "Places")
    done = pytest_in(here, "test_places.py")
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_new_package_can_be_installed_and_its_tests_pass(run, here):
    run("new", "plugin", "my-strategies")
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", "installed"]
    subprocess.run([*install, "./my-strategies"], check=True)
    done = pytest_in(here / "my-strategies", PYTHONPATH=str(here / "installed"))
    assert done.returncode == 0, done.stdout
