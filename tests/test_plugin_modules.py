"""Plugins of several files: each has the modules of its own folder, wherever it runs, and no others."""

import sys
import textwrap
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit import cli

GAME = {"name": "pairs", "alphabet": "abcd", "length": 2, "answers": "all"}

PLUGIN = """
import wordle_kit as wk
{imports}

class {kind}(wk.Strategy):
    def guess(self, position):
        {inside}
        return position.board.words[{place}]

@wk.hookimpl
def register_strategies(register):
    register({kind}())
"""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file below the folder of a test, and returns its path."""

    def write(name, text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    return write


@pytest.fixture
def plugin(write):
    """Return a function that writes a plugin with a strategy of its name, and returns its path."""

    def plugin(name, imports, place, inside="pass"):
        kind = Path(name).parent.name if name.endswith("__init__.py") else Path(name).stem
        return write(name, PLUGIN.format(kind=kind.capitalize(), imports=imports, place=place, inside=inside))

    return plugin


def opener(plugins, name):
    """Return the first guess of a strategy."""
    return plugins.find_strategy(name).guess(wk.Position.start(wk.load_game(GAME)))


def load(*files, **given):
    return wk.Plugins.load(files, strict=True, **given)


@pytest.mark.parametrize(
    ("imports", "inside", "place"),
    [
        ("import helpers", "pass", "helpers.PLACE"),
        ("import lib.deep", "pass", "lib.deep.PLACE"),
        ("from lib import PLACE", "pass", "PLACE"),
        ("from bare.deep import PLACE", "pass", "PLACE"),
    ],
)
def test_a_file_imports_the_modules_and_packages_of_its_folder(write, plugin, imports, inside, place):
    write("helpers.py", "PLACE = 3")
    write("lib/__init__.py", "from .deep import PLACE")
    write("lib/deep.py", "import helpers\nfrom lib import more\nPLACE = helpers.PLACE + more.NOTHING")
    write("lib/more.py", "NOTHING = 0")
    write("bare/deep.py", "PLACE = 3")
    assert opener(load(plugin("mine.py", imports, place, inside)), "mine") == "ad"


def test_two_plugins_do_not_get_each_others_modules(write, plugin, monkeypatch):
    for number, name in enumerate(("one", "two")):
        write(f"{name}/helpers.py", f"PLACE = {number}")
    files = [plugin(f"{name}/{name}.py", "import helpers", "helpers.PLACE") for name in ("one", "two")]
    for place in (files[0].parent, files[1].parent):
        monkeypatch.chdir(place)
        monkeypatch.setattr(sys, "path", ["", *sys.path])  # as in notebooks, and after python -m
        plugins = load(*files)
        assert [opener(plugins, name) for name in ("one", "two")] == ["aa", "ab"]
    assert "helpers" not in sys.modules


@pytest.mark.parametrize("name", ["random", "wordle_kit"])
def test_installed_modules_are_never_shadowed(write, plugin, name):
    write(f"{name}.py", "raise ValueError('shadowed')")
    assert opener(load(plugin("mine.py", f"import {name}", "0")), "mine") == "aa"


def test_a_package_imports_what_it_likes_beside_its_own_modules_of_the_same_name(write, plugin, capsys):
    write("mine/types.py", "PLACE = 2")
    file = plugin("mine/__init__.py", "import types\nfrom .types import PLACE\nfrom mine import types as own", "PLACE")
    plugins = load(file)
    assert opener(plugins, "mine") == "ac"
    assert (plugins.origins["mine"], capsys.readouterr().err) == (str(file), "")


@pytest.mark.parametrize("text", ["PLACE = 1 / 0", "def f(:"])
def test_a_mistake_in_a_module_is_named_with_its_line_and_can_be_mended(write, plugin, text):
    helpers, file = write("helpers.py", text), plugin("mine.py", "import helpers", "helpers.PLACE")
    (failure,) = wk.Plugins.load([file]).failures
    assert failure.error.startswith(f"{helpers}, line 1")
    write("helpers.py", "PLACE = 1")
    assert opener(load(file), "mine") == "ab"


def test_stored_results_are_not_those_of_a_module_before_it_was_edited(write, plugin, tmp_path):
    write("parts/more.py", "PLACE = 0")
    file = plugin(
        "mine.py", "import helpers\nfrom parts import more", "(helpers.PLACE + more.PLACE) % len(position.board)"
    )
    means, played = [], []
    for name, place in [("helpers", 0), ("helpers", 5), ("unused", 0), ("helpers", 0), ("parts/more", 5)]:
        write(f"{name}.py", f"PLACE = {place}")
        done = []
        how = {"plugins": load(file), "workers": 1, "store": tmp_path / "store.sqlite"}
        board = wk.tournament(GAME, ["mine"], progress=lambda *now, done=done: done.append(now), **how)
        means.append(board.rows[0].mean)
        played.append(len(done) > 1)
    assert means[0] == means[3] != means[1] == means[2] == means[4]
    assert played == [True, True, False, False, True]


def test_a_package_in_the_current_folder_is_found_by_its_name(write, plugin, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write("mystrats/helpers.py", "PLACE = 2")
    file = plugin("mystrats/__init__.py", "from mystrats.helpers import PLACE", "PLACE")
    for name in ("mystrats", "./mystrats", Path("mystrats"), file):
        plugins = load(name)
        assert (plugins.origins["mystrats"], opener(plugins, "mystrats")) == (str(file), "ac")
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", "mystrats")
    assert opener(load(), "mystrats") == "ac"
    monkeypatch.delenv("WORDLE_KIT_PLUGINS")
    assert cli.run(["strategies", "-p", "mystrats", "--format", "csv"]) == 0
    assert "mystrats" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "named"), [("alone", "alone.py"), ("full", "__init__.py"), (".", "--plugins-dir")])
def test_a_name_that_is_no_package_says_how(write, tmp_path, monkeypatch, name, named):
    monkeypatch.chdir(tmp_path)
    write("alone.py")
    write("full/some.py")
    with pytest.raises(wk.PluginError, match=named):
        load(name)


def test_a_rule_in_a_module_brings_its_plugin_to_a_game(write):
    write(
        "rules.py",
        """
        import wordle_kit as wk

        class Twin(wk.MarksRule):
            def marks(self, guess, answer):
                return [2 * (g == a) for g, a in zip(guess, answer)]
        """,
    )
    file = write(
        "mine.py",
        """
        import wordle_kit as wk
        from rules import Twin

        @wk.hookimpl
        def register_rules(register):
            register(Twin())
        """,
    )
    game = wk.load_game(GAME | {"rule": "twin"}, load(file))
    assert wk.Plugins.load().for_game(game).origins["mine"] == str(file)
