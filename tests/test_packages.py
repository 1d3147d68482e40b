"""Packages and their commands: with any of them switched off, or missing, everything else works."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.cli import run

ROOT = Path(__file__).parents[1]
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
PLACES = {name: place for group in GROUPS.values() for name, place in group.items()}
PACKAGES = sorted(name for name, place in PLACES.items() if name in GROUPS["wordle_kit.commands"])


@pytest.fixture
def played(tmp_path):
    """Return a command that plays a game of nine words."""
    path = tmp_path / "tiny.toml"
    path.write_text('name = "tiny"\nalphabet = "abc"\nlength = 2\nanswers = "all"\n', encoding="utf-8")
    return ["tournament", "-g", str(path), "-s", "minimax", "--workers", "1"]


def test_tables_have_the_formats_of_the_plugins_that_are_on(capfd):
    assert run(["rules", "-p", "no:formats"]) == 2
    assert "'table'" in capfd.readouterr().err


@pytest.mark.parametrize("package", PACKAGES)
def test_with_a_package_switched_off_the_rest_works(package, played, capfd):
    gone = {name for name, entry in wk.Plugins.load().commands.items() if entry.plugin == package}
    off = ["-p", f"no:{package}"]
    assert run([*off, "--help"]) == 0
    shown = set(re.findall(r"^  ([a-z-]+)  ", capfd.readouterr().out, re.MULTILINE))
    assert shown.isdisjoint(gone)
    assert {name for name in wk.Plugins.load().commands if " " not in name} - gone <= shown
    assert run([*off, *played, "--format", "csv"]) == 0
    assert "minimax" in capfd.readouterr().out


@pytest.mark.parametrize("package", PACKAGES)
def test_with_a_package_missing_one_line_says_so(package, monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, PLACES[package], None)
    assert run(["rules", "--format", "csv"]) == 0
    out, err = capfd.readouterr()
    assert "mastermind" in out
    assert PLACES[package] in err
    assert len(err.splitlines()) == 1


# Commands and formats of a plugin

HELLO = """
import wordle_kit as wk


@wk.hookimpl
def register_commands(register):
    register("hello", "Say hello.", "hello_commands:hello", panel="Greetings")
    register("new greeting", "Write a greeting.", "hello_commands:greeting")
"""
COMMANDS = '''
from typing import Annotated

import typer

import wordle_kit as wk


def hello(name: Annotated[str, typer.Argument(help="Whom to greet.")], loud: bool = False) -> None:
    """Say hello."""
    if name == "nobody":
        raise wk.WordleKitError("nobody is there; name somebody")
    print(f"hello {name}{'!' * loud}")


def greeting() -> None:
    """Write a greeting."""
    print("dear")
'''


@pytest.fixture
def hello(tmp_path, monkeypatch):
    """Return the file of a plugin with commands."""
    (tmp_path / "hello_commands.py").write_text(COMMANDS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "hello.py"
    path.write_text(HELLO, encoding="utf-8")
    return path


@pytest.fixture
def called(hello, capfd):
    def called(*words):
        code = run(["-p", str(hello), *words])
        return (code, *capfd.readouterr())

    return called


def test_a_command_of_a_plugin_is_in_the_help_in_its_panel(called):
    code, out, err = called("--help")
    assert (code, err) == (0, "")
    assert re.search(r"^Greetings:\n  hello +Say hello$", out, re.MULTILINE)


def test_a_command_of_a_plugin_runs_and_its_mistakes_are_shown_like_ours(called):
    assert called("hello", "you", "--loud") == (0, "hello you!\n", "")
    assert called("hello", "nobody") == (2, "", "wordle-kit: nobody is there; name somebody\n")
    assert called("hello")[0] == 2
    assert "--lood" in called("hello", "--lood", "you")[2]
    assert "Say hello." in called("hello", "--help")[1]
    assert called("new", "greeting") == (0, "dear\n", "")


def test_a_command_may_be_in_the_file_of_its_plugin(called, hello):
    hello.write_text(COMMANDS + HELLO.replace('"hello_commands:', '__name__ + ":'), encoding="utf-8")
    assert called("hello", "you") == (0, "hello you\n", "")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("hello_commands:hello", "hello_commands:hallo", "hello_commands:hallo"),
        ('"hello"', '"tournament"', "'tournament'"),
    ],
)
def test_a_mistake_about_a_command_is_one_line(called, hello, old, new, named):
    hello.write_text(HELLO.replace(old, new), encoding="utf-8")
    code, _, err = called("hello", "you")
    assert (code, len(err.splitlines())) == (2, 1)
    assert named in err


def test_a_broken_plugin_is_reported_once_and_stops_nothing(hello, capfd, monkeypatch):
    hello.write_text(HELLO + "\n1 / 0\n", encoding="utf-8")
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(hello))
    for command in (["--help"], ["rules"]):
        assert run(command) == 0
        err = capfd.readouterr().err
        assert len(err.splitlines()) == 1
        assert str(hello) in err


FORMAT = """
import wordle_kit as wk


@wk.hookimpl
def register_formats(register):
    register(wk.Format("short", lambda table: "".join(f"{len(row)} cells\\n" for row in table.rows)))
"""


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_a_format_of_a_plugin_is_a_value_of_format(tmp_path, capfd, before):
    path = tmp_path / "brief.py"
    path.write_text(FORMAT, encoding="utf-8")
    words = ["rules", "--format", "short"]
    assert run(["-p", str(path), *words] if before else [*words, "-p", str(path)]) == 0
    assert set(capfd.readouterr().out.splitlines()) == {"4 cells"}
    path.write_text(FORMAT.replace('"".join(', "list("), encoding="utf-8")
    assert run([*words, "-p", str(path)]) == 2
    assert "'short'" in capfd.readouterr().err
