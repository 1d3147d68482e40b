"""Packages: with any of them switched off, or missing, everything else works."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import wordle_kit as wk

ROOT = Path(__file__).parents[1]
ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
PACKAGES = sorted(name for name, place in ENTRY_POINTS["wordle_kit"].items() if place.startswith("wordle_kit."))

GAME = 'name = "tiny"\nalphabet = "abc"\nlength = 2\nanswers = "all"\n'

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {package!r} or name.startswith({package!r} + "."):
            raise ModuleNotFoundError(f"no module named {{name}}", name=name)

sys.meta_path.insert(0, Missing())
from wordle_kit.cli import run
for command in {commands!r}:
    code = run(command)
    assert code == 0, (command, code)
"""


def commands_of(package):
    """Return what a package registers, by `wordle-kit plugins`."""
    return {name for name, entry in wk.Plugins.load().commands.items() if entry.plugin == package}


def test_the_entry_points_are_in_the_order_of_their_names():
    assert list(ENTRY_POINTS["wordle_kit"]) == sorted(ENTRY_POINTS["wordle_kit"])


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_hidden_words_answer_without_the_plugin_of_hosts(game, tmp_path, monkeypatch, capfd):
    from wordle_kit.cli import run

    monkeypatch.setenv("WORDLE_KIT_STORE", str(tmp_path / "results.sqlite"))
    command = ["tournament", "-p", "no:hosts", "-g", str(game), "-s", "minimax"]
    assert run(command) == 0
    assert run([*command, "--host", "adversary"]) == 2
    assert "no host is called 'adversary'" in capfd.readouterr().err


def test_tables_show_the_metrics_of_the_plugins_that_are_on(game, tmp_path, monkeypatch, capfd):
    from wordle_kit.cli import run

    monkeypatch.setenv("WORDLE_KIT_STORE", str(tmp_path / "results.sqlite"))
    command = ["tournament", "-g", str(game), "-s", "minimax"]
    assert run([*command, "--format", "markdown"]) == 0
    assert "mean" in capfd.readouterr().out.splitlines()[0]
    assert run([*command, "--format", "markdown", "-p", "no:metrics"]) == 0
    assert "mean" not in capfd.readouterr().out.splitlines()[0]
    assert run([*command, "--columns", "mean", "-p", "no:metrics"]) == 2
    assert "no column is called 'mean'; there are: all, bars" in capfd.readouterr().err


def test_tables_have_the_formats_of_the_plugins_that_are_on(capfd):
    from wordle_kit.cli import run

    assert run(["rules", "-p", "no:formats"]) == 2
    assert "no format is called 'table'; there are: none" in capfd.readouterr().err


@pytest.mark.parametrize("package", PACKAGES)
def test_with_a_package_switched_off_the_rest_works(package, game, tmp_path, monkeypatch, capfd):
    from wordle_kit.cli import run

    gone = commands_of(package)
    assert gone, "it registers nothing"
    monkeypatch.setenv("WORDLE_KIT_STORE", str(tmp_path / "results.sqlite"))
    off = ["-p", f"no:{package}"]
    assert run([*off, "--help"]) == 0
    shown = set(re.findall(r"^  ([a-z-]+)  ", capfd.readouterr().out, re.MULTILINE))
    assert {"tournament", "strategies"} <= shown
    assert shown.isdisjoint(gone)
    assert {name for name in wk.Plugins.load().commands if " " not in name} - gone <= shown
    assert run([*off, "tournament", "--help"]) == 0
    help_of_tournament = capfd.readouterr().out
    assert [name for name in gone if name.startswith("tournament ") and name.split()[1] in help_of_tournament] == []
    assert run([*off, "tournament", "-g", str(game), "-s", "entropy", "--workers", "1", "--csv"]) == 0
    assert capfd.readouterr().out.splitlines()[1].startswith("tiny,False,all 9 answers,entropy,")


OTHERS = [["solve", "-g", "GAME", "--answer", "ab"], ["strategies"], ["games", "--json"]]
"""Commands of which one is run without each package, in turn. All packages are looked for in the same way."""


@pytest.mark.parametrize("package", PACKAGES)
def test_without_a_package_the_core_works_and_one_line_says_that_it_is_missing(package, game, tmp_path):
    commands = [
        ["--help"],
        ["tournament", "-g", "GAME", "-s", "entropy", "--workers", "1", "--csv"],
        ["leaderboard"],
        OTHERS[PACKAGES.index(package) % len(OTHERS)],
    ]
    commands = [[str(game) if word == "GAME" else word for word in command] for command in commands]
    script = WITHOUT.format(package=ENTRY_POINTS["wordle_kit"][package], commands=commands)
    ran = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "WORDLE_KIT_STORE": str(tmp_path / "results.sqlite")},
        check=False,
    )
    assert (ran.returncode, "Traceback" in ran.stderr) == (0, False), ran.stderr
    assert f"left out: plugin {package} (" in ran.stderr
    assert ENTRY_POINTS["wordle_kit"][package] in ran.stderr


def test_a_package_that_does_not_exist_cannot_be_switched_off(capfd):
    from wordle_kit.cli import run

    assert run(["-p", "no:classrom", "--help"]) == 2
    assert "no plugin is called 'classrom'; did you mean 'classroom'?" in capfd.readouterr().err


HELLO = """
import wordle_kit as wk


@wk.hookimpl
def register_commands(register):
    register("hello", "Say hello.", "hello_commands:hello", panel="Greetings")
    register("new greeting", "Write a greeting.", "hello_commands:greeting")
    register("rules --polite", "Say please.", "hello_commands:polite")
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


def polite(polite: bool = False) -> None:
    pass
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
    from wordle_kit.cli import run

    def called(*words):
        code = run(["-p", str(hello), *words])
        return (code, *capfd.readouterr())

    return called


def test_a_command_of_a_plugin_is_in_the_help_in_its_panel(called):
    code, out, err = called("--help")
    assert (code, err) == (0, "")
    assert re.search(r"^Greetings:\n  hello +Say hello$", out, re.MULTILINE)
    assert out.index("Greetings:") < out.index("See what there is:")


def test_a_command_of_a_plugin_runs_and_its_mistakes_are_shown_like_ours(called):
    assert called("hello", "you", "--loud") == (0, "hello you!\n", "")
    assert called("hello", "nobody") == (2, "", "wordle-kit: nobody is there; name somebody\n")
    assert called("hello")[0] == 2
    assert called("hello", "--lood", "you")[2].endswith("see wordle-kit hello --help\n")
    assert "Say hello." in called("hello", "--help")[1]


def test_a_plugin_adds_a_command_to_a_group_and_an_option_to_a_command(called):
    assert called("new", "greeting") == (0, "dear\n", "")
    assert "--polite" in called("rules", "--help")[1]
    assert called("rules", "--polite")[0] == 0


def test_a_command_may_be_in_the_file_of_its_plugin(called, hello):
    hello.write_text(COMMANDS + HELLO.replace('"hello_commands:', '__name__ + ":'), encoding="utf-8")
    assert called("hello", "you") == (0, "hello you\n", "")


def test_a_command_of_a_plugin_is_suggested_for_a_similar_name_as_those_of_the_core_are(called):
    suggests = "'tournament'" in called("tournamet")[2]  # the oldest Typer suggests nothing
    assert ("'hello'" in called("helo")[2]) is suggests


def test_a_command_whose_function_is_missing_is_one_line(called, hello):
    hello.write_text(HELLO.replace("hello_commands:hello", "hello_commands:hallo"), encoding="utf-8")
    code, _, err = called("hello", "you")
    assert code == 2
    assert re.fullmatch(r"wordle-kit: plugin hello: command hello: hello_commands:hallo: .*\n", err)


def test_a_missing_function_of_an_added_option_does_not_stop_the_command(called, hello):
    hello.write_text(HELLO.replace("hello_commands:polite", "hello_commands:rude"), encoding="utf-8")
    code, out, err = called("rules", "--csv")
    assert (code, out.partition(",")[0]) == (0, "rule")
    assert re.match(r"wordle-kit: left out: plugin hello: command rules --polite: hello_commands:rude: .*\n", err)


def test_a_plugin_cannot_take_the_name_of_a_command(called, hello):
    hello.write_text(HELLO.replace('"hello"', '"grade"'), encoding="utf-8")
    code, _, err = called("--help")
    assert code == 2
    assert "two commands are called 'grade': plugin classroom has one" in err


def test_a_broken_plugin_is_reported_once_and_stops_nothing(hello, capfd, monkeypatch):
    from wordle_kit.cli import run

    hello.write_text(HELLO + "\n1 / 0\n", encoding="utf-8")
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(hello))
    for command in (["--help"], ["rules"], ["grade", "--help"]):
        assert run(command) == 0
        err = capfd.readouterr().err
        assert len(err.splitlines()) == 1
        assert "left out: plugin hello" in err
        assert "ZeroDivisionError" in err


def test_help_does_not_import_plugins_without_commands(capfd):
    code = "import sys\nfrom wordle_kit.cli import run\nrun(['--help'])\nsys.exit('wordle_kit_plugins' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=False).returncode == 0


FORMAT = """
import wordle_kit as wk


@wk.hookimpl
def register_formats(register):
    register(wk.Format("short", lambda rows, notes: "".join(f"{len(row)} cells\\n" for row in rows)))
"""


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_a_format_of_a_plugin_is_a_value_of_format(tmp_path, capfd, before):
    from wordle_kit.cli import run

    path = tmp_path / "brief.py"
    path.write_text(FORMAT, encoding="utf-8")
    words = ["rules", "--format", "short"]
    assert run(["-p", str(path), *words] if before else [*words, "-p", str(path)]) == 0
    assert set(capfd.readouterr().out.splitlines()) == {"4 cells"}
    assert run(["rules", "--format", "shorter"]) == 2
    assert "no format is called 'shorter'" in capfd.readouterr().err


def test_a_format_that_returns_no_text_is_one_line(tmp_path, capfd):
    from wordle_kit.cli import run

    path = tmp_path / "brief.py"
    path.write_text(FORMAT.replace('"".join(', "list("), encoding="utf-8")
    assert run(["rules", "--format", "short", "-p", str(path)]) == 2
    assert "wordle-kit: format short returned ['4 cells" in capfd.readouterr().err
