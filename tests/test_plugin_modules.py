"""Plugins of several files: each has the modules of its own folder, wherever it runs, and no others."""

import pickle
import re
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
    return wk.Plugins.load(files, **given)


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


def test_modules_may_import_each_other_and_their_classes_reach_workers(write):
    write("one.py", "import two\nSTEP = 1\ndef place(): return two.PLACE + STEP")
    write("two.py", "import one\nPLACE = 1")
    write("pieces.py", PLUGIN.format(kind="Mine", imports="import one", place="one.place()", inside="pass"))
    plugins = load(write("mine.py", "from pieces import Mine, register_strategies"))
    strategy = plugins.find_strategy("mine")
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    board = wk.tournament(GAME, ["mine"], ["ac"], plugins=plugins, workers=2)
    assert [(play.guesses, play.message) for play in board.plays("mine")] == [(("ac",), "")]


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
    write("helpers.py", text)
    file = plugin("mine.py", "import helpers", "helpers.PLACE")
    with pytest.raises(wk.PluginError, match=re.escape("(helpers.py, line 1)")):
        load(file)
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


def test_a_file_without_its_suffix_is_named_with_it(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("alone.py")
    with pytest.raises(wk.PluginError, match=r"alone\.py"):
        load("alone")
