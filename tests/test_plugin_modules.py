"""Plugins of several files: each has the modules of its own folder, wherever it runs, and no others."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.isolation.plugin_file import PluginFile
from wordle_kit.plugin_modules import finding_files, read_modules
from wordle_kit.tournaments.entrants import identity_of
from wordle_kit.workers import Workers

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
    ("imports", "place"),
    [
        ("import helpers", "helpers.PLACE"),
        ("import helpers as other", "other.PLACE"),
        ("from helpers import PLACE", "PLACE"),
        ("from . import helpers", "helpers.PLACE"),
        ("from .helpers import PLACE", "PLACE"),
        ("import lib.deep", "lib.deep.PLACE"),
        ("import lib.deep as deep", "deep.PLACE"),
        ("from lib import deep", "deep.PLACE"),
        ("from lib import PLACE", "PLACE"),
        ("from bare.deep import PLACE", "PLACE"),
    ],
)
def test_a_file_imports_the_modules_and_packages_of_its_folder(write, plugin, imports, place):
    write("helpers.py", "PLACE = 3")
    write("lib/__init__.py", "from .deep import PLACE")
    write("lib/deep.py", "import helpers\nfrom lib import more\nPLACE = helpers.PLACE + more.NOTHING")
    write("lib/more.py", "NOTHING = 0")
    write("bare/deep.py", "PLACE = 3")
    assert opener(load(plugin("mine.py", imports, place)), "mine") == "ad"


def test_a_module_may_be_imported_when_a_guess_is_made(write, plugin):
    write("helpers.py", "PLACE = 3")
    assert opener(load(plugin("mine.py", "", "helpers.PLACE", inside="import helpers")), "mine") == "ad"


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


@pytest.mark.parametrize("name", ["random", "numpy", "wordle_kit"])
def test_installed_modules_are_never_shadowed_and_a_line_says_so(write, plugin, name, capsys):
    shadow = write(f"{name}.py", "raise ValueError('shadowed')")
    file = plugin("mine.py", f"import {name}", "0")
    assert opener(load(file), "mine") == "aa"
    line = f"wordle-kit: {file} imports the installed {name}, not {shadow}; rename the file if you mean it\n"
    assert capsys.readouterr().err == line


def test_a_package_imports_what_it_likes_beside_its_own_modules_of_the_same_name(write, plugin, capsys):
    write("mine/types.py", "PLACE = 2")
    file = plugin("mine/__init__.py", "import types\nfrom .types import PLACE\nfrom mine import types as own", "PLACE")
    plugins = load(file)
    assert opener(plugins, "mine") == "ac"
    assert (plugins.origins["mine"], capsys.readouterr().err) == (str(file), "")


def test_a_module_that_is_not_there_is_an_error_with_its_line(plugin):
    file = plugin("mine.py", "import helpers", "0")
    (failure,) = wk.Plugins.load([file]).failures
    assert failure.error == f"{file}, line 3: ModuleNotFoundError: No module named 'helpers'"


@pytest.mark.parametrize(
    ("text", "said"), [("PLACE = 1 / 0", "line 1: ZeroDivisionError"), ("def f(:", "line 1: SyntaxError")]
)
def test_a_mistake_in_a_module_is_named_with_its_line_and_can_be_mended(write, plugin, text, said):
    helpers, file = write("helpers.py", text), plugin("mine.py", "import helpers", "helpers.PLACE")
    (failure,) = wk.Plugins.load([file]).failures
    assert failure.error.startswith(f"{helpers}, {said}")
    write("helpers.py", "PLACE = 1")
    assert opener(load(file), "mine") == "ab"


@pytest.mark.parametrize("edited", ["helpers.py", "lib/deep.py"])
def test_an_edit_of_a_module_makes_another_strategy_and_is_loaded_at_once(write, plugin, edited):
    write("helpers.py", "PLACE = 1")
    write("lib/deep.py", "PLACE = 1")
    write("unused.py")
    file = plugin("mine.py", "import helpers", "min(helpers.PLACE, deep.PLACE)", inside="from lib import deep")
    first = load(file).find_strategy("mine")
    write("unused.py", "PLACE = 3")
    assert type(load(file).find_strategy("mine")) is type(first)
    write(edited, "PLACE = 0")
    second = load(file).find_strategy("mine")
    assert identity_of(first)[0] != identity_of(second)[0]
    start = wk.Position.start(wk.load_game(GAME))
    assert (first.guess(start), second.guess(start)) == ("ab", "aa")


def test_stored_results_are_not_those_of_a_module_before_it_was_edited(write, plugin, tmp_path):
    file = plugin("mine.py", "import helpers", "helpers.PLACE % len(position.board)")
    means, played = [], []
    for place in (0, 5, 5, 0):
        write("helpers.py", f"PLACE = {place}")
        done = []
        how = {"plugins": load(file), "workers": 1, "store": tmp_path / "store.sqlite"}
        board = wk.tournament(GAME, ["mine"], progress=lambda *now, done=done: done.append(now), **how)
        means.append(board.rows[0].mean)
        played.append(len(done) > 1)
    assert means[0] == means[3] != means[1] == means[2]
    assert played == [True, True, False, False]


def guess_of(strategy):
    return strategy.guess(wk.Position.start(wk.load_game(GAME)))


def test_new_processes_find_the_modules(write, plugin):
    write("helpers.py", "import wordle_kit as wk\nclass Base(wk.Strategy):\n    place: int = 3\n")
    text = "from helpers import Base\nclass Third(Base):\n    def guess(self, position):\n        import later\n"
    write("later.py", "PLACE = 0")
    file = write(
        "third.py",
        text
        + "        return position.board.words[self.place + later.PLACE]\n"
        + "import wordle_kit as wk\n@wk.hookimpl\ndef register_strategies(register):\n    register(Third())\n",
    )
    strategy = load(file).find_strategy("third")
    with Workers(1, afresh=(finding_files(),)) as workers:
        assert workers.submit(guess_of, strategy).result() == "ad"


@pytest.mark.slow
def test_an_isolated_plugin_gets_its_modules_and_their_data(write, plugin, monkeypatch):
    play_nothing_again(monkeypatch)
    write("one/lib/__init__.py", "from .deep import PLACE")
    write("one/lib/deep.py", "from pathlib import Path\nPLACE = int(Path(__file__).with_name('n.txt').read_text())")
    write("one/lib/n.txt", "1")
    write("two/two/lib.py", "PLACE = 0")
    files = [
        plugin("one/one.py", "import lib", "lib.PLACE % len(position.board)"),
        plugin("two/two/__init__.py", "from .lib import PLACE", "PLACE"),
    ]
    plugins = load(*files, isolation=wk.Isolation())
    board = wk.tournament(GAME, ["one", "two"], ["aa"], plugins=plugins, workers=1)
    assert {row.strategy: board.plays(row.strategy)[0].guesses[0] for row in board.rows} == {"one": "ab", "two": "aa"}


def test_what_an_isolated_plugin_gets_is_part_of_its_identity(write, plugin):
    write("lib/deep.py", "OPENERS = 'n.txt'")
    write("lib/n.txt", "1")
    file = plugin("mine.py", "from lib import deep", "0")
    before = PluginFile.read(file)
    assert sorted(before.beside) == ["lib/deep.py", "lib/n.txt"]
    digests = {before.digest}
    for name in ("lib/deep.py", "lib/n.txt"):
        write(name, "OPENERS = 'n.txt'  # edited")
        digests.add(PluginFile.read(file).digest)
    assert len(digests) == 3


def test_an_isolated_plugin_does_not_get_another_plugin_or_a_link(write, plugin, tmp_path):
    other = plugin("other.py", "", "0")
    file = plugin("mine.py", "import other", "0")
    assert load(file).strategies
    with pytest.raises(wk.PluginError, match=f"imports {other}, which is a plugin itself; an isolated plugin does not"):
        load(file, isolation=wk.Isolation(sandbox="plain"))
    other.unlink()
    other.symlink_to(write("elsewhere/secret.py", "PLACE = 1"))
    with pytest.raises(wk.PluginError, match=f"imports {other}, which is a link; an isolated plugin does not get it"):
        load(file, isolation=wk.Isolation(sandbox="plain"))


def test_a_package_in_the_current_folder_is_found_by_its_name(write, plugin, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write("mystrats/helpers.py", "PLACE = 2")
    file = plugin("mystrats/__init__.py", "from mystrats.helpers import PLACE", "PLACE")
    for name in ("mystrats", "./mystrats", Path("mystrats"), file):
        plugins = load(name)
        assert (plugins.origins["mystrats"], opener(plugins, "mystrats")) == (str(file), "ac")
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", "mystrats")
    assert opener(load(), "mystrats") == "ac"
    assert cli.run(["check", "mystrats", "-g", "abc.toml"]) == 2  # it is found; the game is not
    assert "abc.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("alone", "there is no such module; for the file, give alone.py"),
        ("full", "the folder has no __init__.py; add one, name a file in the folder, or load all"),
        (".", "the folder has no __init__.py; add one, name a file in the folder, or load all its files with"),
        ("./full", "the folder has no __init__.py; add one, name a file in the folder, or load all"),
        ("nothing", "there is no such module, nor a package in this folder; for a file, give its path with .py"),
    ],
)
def test_a_name_that_is_no_package_says_how(write, tmp_path, monkeypatch, name, said):
    monkeypatch.chdir(tmp_path)
    write("alone.py")
    write("full/some.py")
    with pytest.raises(wk.PluginError, match=f"plugin .*{name.removeprefix('./')}: {said}"):
        load(name)


def test_a_rule_in_a_module_brings_its_plugin_to_a_game(write):
    write(
        "rules.py",
        "import wordle_kit as wk\nclass Twin(wk.MarksRule):\n    def marks(self, g, a):\n"
        + " " * 8
        + "return [2 * (x == y) for x, y in zip(g, a)]\n",
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


def test_a_module_that_is_too_large_is_not_read(write, plugin, monkeypatch):
    monkeypatch.setattr("wordle_kit.plugin_modules.LARGEST", 5)
    file, large = plugin("mine.py", "import helpers", "0"), write("helpers.py", "PLACE = 1")
    with pytest.raises(wk.PluginError, match=f"{large}: has more than 0 MB; a module must be smaller"):
        read_modules(file, file.read_bytes())


def test_the_command_line_plays_with_modules(write, plugin, tmp_path):
    write("helpers.py", "PLACE = 0")
    file = plugin("mine.py", "import helpers", "helpers.PLACE")
    write("pairs.toml", 'name = "pairs"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')
    line = ["solve", "-p", file, "-s", "mine", "-g", tmp_path / "pairs.toml", "--answer", "bb"]
    done = subprocess.run(
        [sys.executable, "-m", "wordle_kit", *map(str, line)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "aa" in done.stdout
