"""Finding and loading plugins: requested plugins are loaded, and broken ones are named and left out."""

import os
import pickle
import signal
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.plugin_files import GROUPS
from wordle_kit.tables import render

INSTALLED = sorted(entry.name for group in GROUPS for entry in entry_points(group=group))

HEAD = """import wordle_kit as wk

class {kind}(wk.Strategy):
    def guess(self, position):
        return position.board.words[0]

"""
STRATEGY = HEAD + "@wk.hookimpl\ndef register_strategies(register):\n    register({kind}())\n"

RULE = """import wordle_kit as wk

class {kind}(wk.MarksRule):
    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer)]

@wk.hookimpl
def register_rules(register):
    register({kind}())
"""
GAME = """import wordle_kit as wk

@wk.hookimpl
def register_games(register):
    register({{"name": "{kind}", "alphabet": "ab", "length": 2, "answers": ["ab", "ba"]}})
"""

FORMAT = """import wordle_kit as wk

@wk.hookimpl
def register_formats(register):
    register(wk.Format("{kind}", lambda table: "".join(f"{{row}}\\n" for row in table.rows), "", ".short"))
"""
COMMAND = """import wordle_kit as wk

@wk.hookimpl
def register_commands(register):
    register("{kind}", "Say hello.", "nowhere_at_all:hello")
"""

IN_A_FRESH_PROCESS = """
import pickle, sys
import wordle_kit as wk
wk.Plugins.load([sys.argv[1]])
strategy = pickle.load(sys.stdin.buffer)
print(type(strategy).__name__, strategy.depth)
"""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a plugin file and returns its path."""

    def write(name, text=STRATEGY, kind="Hello"):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.format(kind=kind) if "{kind}" in text else text, encoding="utf-8")
        return path

    return write


def registered_by(plugins, plugin):
    return [
        name for kind in plugins.by_kind().values() for name, registered in kind.items() if registered.plugin == plugin
    ]


def failure_of(path):
    """Return the failure to load a plugin, after a look at whether everything else has gone on."""
    plugins = wk.Plugins.load([path.parent])
    assert sorted(plugins.origins) == INSTALLED
    assert "wordle" in plugins.games
    assert registered_by(plugins, path.stem) == []
    (failure,) = plugins.failures
    assert (failure.plugin, failure.origin) == (path.stem, str(path))
    assert len(str(failure).splitlines()) == 1
    return failure.error


def test_installed_plugins_load():
    plugins = wk.Plugins.load()
    assert sorted(plugins.origins) == INSTALLED
    assert plugins.failures == []
    assert plugins.strategies["entropy"].plugin == "partition"
    assert plugins.rules["wordle"].plugin == "rules"
    assert plugins.games["mastermind"].plugin == "games"


@pytest.mark.parametrize("given", ["{folder}/mine.py", "mine.py", "./mine.py", "~/mine.py"])
def test_a_file_is_a_plugin(write, monkeypatch, given):
    path = write("mine")
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("HOME", str(path.parent))
    plugins = wk.Plugins.load([path, given.format(folder=path.parent)])
    assert plugins.origins["mine"] == str(path)
    assert registered_by(plugins, "mine") == ["hello"]


def test_a_module_is_a_plugin(write, monkeypatch):
    monkeypatch.syspath_prepend(write("a_plugin_by_its_module_name").parent)
    plugins = wk.Plugins.load(["a_plugin_by_its_module_name"])
    assert registered_by(plugins, "a_plugin_by_its_module_name") == ["hello"]


@pytest.mark.parametrize("given", ["{0}", "{0.name}"])
def test_a_folder_is_full_of_plugins(write, tmp_path, monkeypatch, given):
    write("one", kind="One")
    write("two", kind="Two")
    write("_helper", "1 / 0")
    (tmp_path / "notes.txt").write_text("no plugin")
    monkeypatch.chdir(tmp_path.parent)
    plugins = wk.Plugins.load(given.format(tmp_path))
    assert plugins.failures == []
    assert sorted(plugins.origins) == sorted([*INSTALLED, "one", "two"])
    assert {"one", "two"} <= plugins.strategies.keys()


def test_plugins_of_the_environment_are_loaded_and_switched_off(write, monkeypatch):
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", f"{write('one', kind='One')},no:baselines,no:partition")
    plugins = wk.Plugins.load([write("two", kind="Two")])
    assert sorted(plugins.origins) == sorted({*INSTALLED, "one", "two"} - {"baselines", "partition"})
    assert {"one", "two"} < plugins.strategies.keys()
    assert plugins.strategies.keys().isdisjoint({"first-consistent", "entropy"})


@pytest.mark.parametrize("name", ["no_such_module", "nowhere.py", "no:such"])
def test_a_wrong_name_in_the_environment_ends_no_command(monkeypatch, run, name):
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", name)
    ran = run("--help")
    assert (ran.code, "tournament" in ran.out, ran.err.count("\n") <= 1) == (0, True, True)
    assert name.startswith("no:") or name in ran.err


def test_a_plugin_that_is_switched_off_is_not_even_imported(write):
    plugins = wk.Plugins.load([write("broken", "1 / 0"), "no:broken"])
    assert (plugins.failures, "broken" in plugins.origins) == ([], False)


def test_rules_and_games_of_a_plugin_can_be_played(write, tmp_path):
    (tmp_path / "toy.toml").write_text(
        'name = "toy"\nalphabet = "abc"\nlength = 2\nanswers = "all"\nrule = "only-greens"'
    )
    text = RULE + "\n@wk.hookimpl\ndef register_games(register):\n    register(__file__[:-7] + 'toy.toml')\n"
    plugins = wk.Plugins.load([write("mine", text, kind="OnlyGreens")])
    game = wk.load_game("toy", plugins)
    assert str(game.feedback("ab", "bb")) == "02"
    (play,) = wk.play(wk.load_strategy("first-consistent", plugins), game, ["bc"])
    assert play.outcome is wk.Outcome.SOLVED


def test_a_strategy_may_be_registered_under_another_name(write):
    text = STRATEGY.replace("register({kind}())", "register({kind}(), name='short')\n    register({kind}())")
    assert registered_by(wk.Plugins.load([write("mine", text)]), "mine") == ["short", "hello"]


FAULTS = {
    # A plugin, and what the message about it must name.
    "a syntax error": ("x = 1\ndef f(:\n", "line 2"),
    "an error at import": (
        "x = 1\n\nraise ValueError('not today\\nnor tomorrow')\n",
        "ValueError: not today nor tomorrow (faulty.py, line 3)",
    ),
    "an error deeper down": ("def f():\n    return 1 / 0\n\nf()\n", "line 2"),
    "a missing import": ("import wordle_kit\nimport no_such_module\n", "no_such_module"),
    "an end at import": ("import sys\nsys.exit('bye')\n", "bye"),
    "a failing hook": (STRATEGY.replace("register({kind}())", "1 / 0"), "line 9"),
    "an abstract strategy": (STRATEGY.replace("def guess", "def gues"), "line 9"),
    "a class": (STRATEGY.replace("{kind}())", "{kind})"), "register(Hello())"),
    "no strategy": (STRATEGY.replace("{kind}())", "7)"), "register_strategies got 7"),
    "no game": (GAME.partition("register({{")[0] + "register(7)\n", "register_games got 7"),
    "no format": (GAME.replace("games", "formats"), "wordle_kit.Format"),
    "no host": (GAME.replace("games", "hosts"), "wordle_kit.Host"),
    "no metric": (GAME.replace("games", "metrics"), "wordle_kit.Metric"),
    "an odd name": (FORMAT.replace("{kind}", "Hello There"), "'Hello There'"),
    "a command without a place": (COMMAND.replace("{kind}", "hi").replace("at_all:hello", "at_all"), "module:function"),
    "two of a name": (STRATEGY + "    register({kind}())\n", "'hello'"),
    "a misspelt hook": (STRATEGY.replace("strategies", "stratgies"), "'register_strategies'"),
    "a misspelt parameter": (STRATEGY.replace("register)", "registre)"), "registre"),
    "an unmarked hook": (STRATEGY.replace("@wk.hookimpl\n", ""), "hookimpl"),
    "nothing": ("", "hookimpl"),
}


@pytest.mark.parametrize(("text", "named"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_plugin_is_named_with_its_error_and_left_out_or_is_an_error_if_it_was_requested(write, text, named):
    path = write("faulty", text)
    assert named in failure_of(path)
    with pytest.raises(wk.PluginError) as caught:
        wk.Plugins.load([path])
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere.py", "notes.txt", "no_such_module", "no_such_package.module", "a b"])
def test_what_is_no_plugin_is_named(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("no plugin")
    with pytest.raises(wk.PluginError, match=name):
        wk.Plugins.load([name])


def test_every_broken_plugin_is_reported_and_the_others_are_loaded(write):
    for name, text in {"one": "1 / 0", "three": "", "two": "import sys\nsys.exit()"}.items():
        write(name, text)
    plugins = wk.Plugins.load([write("good").parent])
    assert [failure.plugin for failure in plugins.failures] == ["one", "three", "two"]
    assert registered_by(plugins, "good") == ["hello"]


def test_a_plugin_that_failed_loads_once_it_is_mended(write):
    failure_of(write("mine", STRATEGY + "    1 / 0\n"))
    assert registered_by(wk.Plugins.load([write("mine")]), "mine") == ["hello"]


def test_ctrl_c_while_a_plugin_loads_is_passed_on(write):
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        wk.Plugins.load([write("slow", "import signal\nsignal.raise_signal(signal.SIGINT)")])
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_message_about_an_unknown_name_names_the_plugin_that_failed(write):
    plugins = wk.Plugins.load([write("mine", "1 / 0").parent])
    with pytest.raises(wk.StrategyError, match="plugin mine"):
        wk.load_strategy("hello", plugins)


def test_two_files_of_one_name_are_a_failure_of_the_second(write):
    first = write("mine", kind="One")
    second = write("more/mine", kind="Two")
    plugins = wk.Plugins.load([first.parent, second.parent])
    (failure,) = plugins.failures
    assert failure.origin == str(second)
    assert str(first) in failure.error
    assert registered_by(plugins, "mine") == ["one"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [(STRATEGY, "Twin"), (RULE, "Twin"), (GAME, "Twin"), (FORMAT, "twin"), (COMMAND, "twin")],
    ids=["strategies", "rules", "games", "formats", "commands"],
)
def test_of_two_of_one_name_the_later_is_refused_with_both_named(write, text, kind):
    paths = [write("first", text, kind=kind), write("second", text, kind=kind)]
    plugins = wk.Plugins.load(paths[0].parent)
    (failure,) = plugins.failures
    assert [path for path in paths if str(path) not in str(failure)] == []
    assert (len(registered_by(plugins, "first")), registered_by(plugins, "second")) == (1, [])
    assert len(registered_by(wk.Plugins.load([*paths, "no:first"]), "second")) == 1


def test_of_two_packages_with_a_plugin_of_one_name_the_later_is_refused_with_both_named(tmp_path, monkeypatch):
    for package in ("one", "two"):
        facts = tmp_path / f"{package}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[wordle_kit]\nmine = plugin_of_{package}\n")
        (tmp_path / f"plugin_of_{package}.py").write_text(STRATEGY.format(kind=package.capitalize()))
    monkeypatch.syspath_prepend(tmp_path)
    plugins = wk.Plugins.load()
    (failure,) = plugins.failures
    assert "one 1.0" in failure.error
    assert failure.origin.startswith("two 1.0")
    assert registered_by(plugins, "mine") == ["one"]


def test_a_bundled_name_can_be_taken_once_its_plugin_is_off(write):
    path = write("mine", kind="Entropy")
    with pytest.raises(wk.PluginError, match="plugin partition"):
        wk.Plugins.load([path])
    assert wk.Plugins.load([path, "no:partition"]).strategies["entropy"].plugin == "mine"


def test_a_strategy_from_a_file_pickles_to_a_process_that_loads_the_file(write):
    path = write("mine", STRATEGY.replace("    def guess", "    depth: int = 2\n\n    def guess"))
    strategy = wk.load_strategy("hello(depth=3)", wk.Plugins.load([path]))
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    done = subprocess.run(
        [sys.executable, "-P", "-c", IN_A_FRESH_PROCESS, str(path)],
        input=pickle.dumps(strategy),
        capture_output=True,
        check=True,
    )
    assert done.stdout.split() == [b"Hello", b"3"]


def test_a_file_loaded_again_gives_the_same_classes(write):
    path = write("mine")
    first, again = (type(wk.Plugins.load([path]).strategies["hello"].value) for _ in range(2))
    assert first is again


def test_a_file_that_was_edited_within_a_second_gives_the_new_code(write, monkeypatch):
    """Python trusts compiled code of the same second and size, and so must not be asked for it."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    path = write("mine", kind="Hello")
    assert "hello" in wk.Plugins.load([path]).strategies
    before = path.stat()
    write("mine", kind="Jello")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    strategies = wk.Plugins.load([path]).strategies
    assert ("jello" in strategies, "hello" in strategies) == (True, False)


@pytest.mark.parametrize(
    ("what", "heavy"),
    [
        ("pass", {"numba", "numpy", "pydantic", "pluggy", "wordle_kit_plugins"}),
        ("wordle_kit.Plugins.load()", {"numba"}),
    ],
    ids=["import", "plugins"],
)
def test_importing_wordle_kit_and_loading_plugins_is_light(what, heavy):
    code = f"import sys, wordle_kit\n{what}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & {*done.stdout.split()}


def test_a_format_of_a_plugin_is_found_by_its_name_and_by_its_suffix(write):
    plugins = wk.Plugins.load([write("mine", FORMAT, kind="short")])
    assert render([{"a": 1}], plugins.find_format("short")) == "{'a': 1}\n"
    assert plugins.find_format(Path("board.SHORT")) is plugins.find_format("short")
    assert wk.Leaderboard(()).table("short", plugins=plugins) == ""


EVENTS = """import wordle_kit as wk

@wk.hookimpl
def run_finished(run):
    print("run", run.facts.strategy)

@wk.hookimpl
def tournament_finished(leaderboard):
    print("tournament", len(leaderboard.rows))
"""


def test_events_are_told_to_every_plugin_and_one_that_fails_is_a_line(write, capsys):
    broken = write("broken", EVENTS.replace("print(", "1 / 0 or print("))
    plugins = wk.Plugins.load([broken, write("mine", EVENTS)])
    game = {"name": "pairs", "alphabet": "ab", "length": 2, "answers": "all"}
    wk.tournament(game, ["minimax"], plugins=plugins, workers=1)
    out, err = capsys.readouterr()
    assert out == "run minimax\ntournament 1\n"
    assert err.count(f"({broken.name}, line 5)") == err.count("run_finished") == 1
    assert len(err.splitlines()) == 2
