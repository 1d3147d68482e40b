"""Finding and loading plugins: requested plugins are loaded, and broken ones are named and left out."""

import os
import pickle
import signal
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import wordle_kit as wk
from wordle_kit import faults
from wordle_kit import plugin_sources as loader

INSTALLED = sorted(entry.name for entry in entry_points(group="wordle_kit"))

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
    register(wk.Format("{kind}", lambda rows, notes: "".join(f"{{row}}\\n" for row in rows)))
"""
COMMAND = """import wordle_kit as wk

@wk.hookimpl
def register_commands(register):
    register("{kind}", "Say hello.", "nowhere_at_all:hello")
"""

IN_A_FRESH_PROCESS = """
import pickle, sys
import wordle_kit as wk
wk.Plugins.load([sys.argv[1]], strict=True)
strategy = pickle.load(sys.stdin.buffer)
print(type(strategy).__name__, strategy.depth)
"""


@pytest.fixture(autouse=True)
def nothing_in_the_environment(monkeypatch):
    monkeypatch.delenv(loader.ENVIRONMENT, raising=False)


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
    plugins = wk.Plugins.load([path])
    assert sorted(plugins.origins) == INSTALLED
    assert "wordle" in plugins.games
    assert registered_by(plugins, path.stem) == []
    (failure,) = plugins.failures
    assert failure.plugin == path.stem
    assert failure.origin == str(path)
    assert len(str(failure).splitlines()) == 1
    return failure


def test_installed_plugins_load():
    plugins = wk.Plugins.load(strict=True)
    assert sorted(plugins.origins) == INSTALLED
    assert plugins.failures == []
    assert plugins.strategies["entropy"].plugin == "partition"
    assert plugins.rules["wordle"].plugin == "rules"
    assert plugins.games["mastermind"].plugin == "games"


def test_a_file_is_a_plugin(write):
    path = write("mine")
    plugins = wk.Plugins.load([path])
    assert plugins.failures == []
    assert plugins.origins["mine"] == str(path)
    assert registered_by(plugins, "mine") == ["hello"]


def test_a_file_may_be_given_as_text_relative_to_here(write, monkeypatch):
    path = write("mine")
    monkeypatch.chdir(path.parent)
    for text in ("mine.py", "./mine.py", str(path)):
        assert wk.Plugins.load([text]).origins["mine"] == str(path)


def test_a_file_may_be_given_from_home(write, monkeypatch):
    path = write("mine")
    monkeypatch.setenv("HOME", str(path.parent))
    assert wk.Plugins.load(["~/mine.py"]).origins["mine"] == str(path)


def test_a_file_given_twice_is_loaded_once(write):
    path = write("mine")
    assert registered_by(wk.Plugins.load([path, str(path)], strict=True), "mine") == ["hello"]


def test_a_module_is_a_plugin(write, monkeypatch):
    monkeypatch.syspath_prepend(write("a_plugin_by_its_module_name").parent)
    plugins = wk.Plugins.load(["a_plugin_by_its_module_name"], strict=True)
    assert registered_by(plugins, "a_plugin_by_its_module_name") == ["hello"]


def test_a_folder_is_full_of_plugins(write, tmp_path):
    write("one", kind="One")
    write("two", kind="Two")
    write("_helper", "1 / 0")
    (tmp_path / "notes.txt").write_text("no plugin")
    plugins = wk.Plugins.load(folders=[tmp_path])
    assert plugins.failures == []
    assert registered_by(plugins, "one") == ["one"]
    assert registered_by(plugins, "two") == ["two"]
    assert sorted(plugins.origins) == sorted([*INSTALLED, "one", "two"])


def test_a_folder_may_be_given_from_home(write, tmp_path, monkeypatch):
    write("mine")
    monkeypatch.setenv("HOME", str(tmp_path.parent))
    assert "mine" in wk.Plugins.load(folders=[f"~/{tmp_path.name}"]).origins


def test_a_folder_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(wk.PluginError, match="nowhere: is not a folder of plugins"):
        wk.Plugins.load(folders=[tmp_path / "nowhere"])


def test_plugins_of_the_environment_are_loaded(write, monkeypatch):
    paths = [write("one", kind="One"), write("two", kind="Two")]
    monkeypatch.setenv(loader.ENVIRONMENT, ",".join(map(str, paths)))
    plugins = wk.Plugins.load([write("three", kind="Three")], strict=True)
    assert {"one", "two", "three"} < plugins.strategies.keys()


def test_the_environment_may_switch_plugins_off(monkeypatch):
    monkeypatch.setenv(loader.ENVIRONMENT, "no:baselines,no:partition")
    assert sorted(wk.Plugins.load().origins) == sorted({*INSTALLED} - {"baselines", "partition"})


def test_an_installed_plugin_can_be_switched_off():
    plugins = wk.Plugins.load(["no:baselines"])
    assert "baselines" not in plugins.origins
    assert "first-consistent" not in plugins.strategies
    assert "entropy" in plugins.strategies


def test_a_file_can_be_switched_off(write):
    plugins = wk.Plugins.load([write("mine"), "no:mine"])
    assert "mine" not in plugins.origins
    assert "hello" not in plugins.strategies


def test_a_broken_plugin_that_is_switched_off_is_not_even_imported(write):
    assert wk.Plugins.load([write("broken", "1 / 0"), "no:broken"]).failures == []


def test_switching_off_an_unknown_plugin_is_an_error_with_a_suggestion():
    with pytest.raises(wk.PluginError, match="no plugin is called 'baseline'; did you mean 'baselines'"):
        wk.Plugins.load(["no:baseline"])


def test_rules_and_games_of_a_plugin_can_be_played(write, tmp_path):
    (tmp_path / "toy.toml").write_text(
        'name = "toy"\nalphabet = "abc"\nlength = 2\nanswers = "all"\nrule = "only-greens"'
    )
    text = RULE + "\n@wk.hookimpl\ndef register_games(register):\n    register(__file__[:-7] + 'toy.toml')\n"
    plugins = wk.Plugins.load([write("mine", text, kind="OnlyGreens")], strict=True)
    game = wk.load_game("toy", plugins)
    assert str(game.feedback("ab", "bb")) == "02"
    (play,) = wk.play(wk.load_strategy("first-consistent", plugins), game, ["bc"])
    assert play.outcome is wk.Outcome.SOLVED


def test_a_strategy_may_be_registered_under_another_name(write):
    text = STRATEGY.replace("register({kind}())", "register({kind}(), name='short')\n    register({kind}())")
    assert registered_by(wk.Plugins.load([write("mine", text)], strict=True), "mine") == ["short", "hello"]


# the mistake: the plugin, the line at fault, and the message
FAULTS = {
    "a syntax error": ("x = 1\ndef f(:\n", 2, ["SyntaxError", "invalid syntax"]),
    "an error at import": ("x = 1\n\nraise ValueError('not today\\nnor tomorrow')\n", 3, ["ValueError: not today"]),
    "an error deeper down": ("def f():\n    return 1 / 0\n\nf()\n", 2, ["ZeroDivisionError: division by zero"]),
    "a missing import": ("import wordle_kit\nimport no_such_module\n", 2, ["'no_such_module'"]),
    "an end at import": ("import sys\nsys.exit('bye')\n", 2, ["SystemExit: bye"]),
    "a failing hook": (STRATEGY.replace("register({kind}())", "1 / 0"), 9, ["ZeroDivisionError"]),
    "an abstract strategy": (STRATEGY.replace("def guess", "def gues"), 9, ["StrategyError", "Hello", "guess"]),
    "a class": (
        STRATEGY.replace("{kind}())", "{kind})"),
        9,
        ["register_strategies", "is not a strategy", "register(Hello())"],
    ),
    "not a strategy": (STRATEGY.replace("{kind}())", "7)"), 9, ["register_strategies got 7", "instance of a Strategy"]),
    "no rule": (RULE.replace("{kind}())", "{kind})"), 9, ["register_rules got", "is not a rule", "instance of a Rule"]),
    "no game": (GAME.partition("register({{")[0] + "register(7)\n", 5, ["register_games got 7", "path of a TOML file"]),
    "two of a name": (STRATEGY + "    register({kind}())\n", 10, ["registers 'hello' twice"]),
    "a misspelt hook": (
        STRATEGY.replace("strategies", "stratgies"),
        7,
        ["'register_stratgies'", "'register_strategies'"],
    ),
    "a misspelt parameter": (STRATEGY.replace("register)", "registre)"), None, ["registre"]),
    "no hooks": (HEAD, None, ["it has no hooks", "@wordle_kit.hookimpl", "register_strategies"]),
    "no format": (GAME.replace("games", "formats"), 5, ["register_formats got {'name'", "wordle_kit.Format"]),
    "an odd name": (FORMAT.replace("{kind}", "Hello There"), 5, ["register_formats got the name 'Hello There'"]),
    "no metric": (GAME.replace("games", "metrics"), 5, ["register_metrics got {'name'", "wordle_kit.Metric"]),
    "no host": (GAME.replace("games", "hosts"), 5, ["register_hosts got {'name'", "wordle_kit.Host"]),
    "a command without a place": (
        COMMAND.replace("{kind}", "hi").replace("at_all:hello", "at_all"),
        5,
        ["module:function"],
    ),
    "a command of three words": (COMMAND.replace("{kind}", "new game show"), 5, ["the name 'new game show'"]),
    "an unmarked hook": (STRATEGY.replace("@wk.hookimpl\n", ""), None, ["it has no hooks"]),
    "nothing": ("", None, ["it has no hooks"]),
}
FAULT = pytest.mark.parametrize(("text", "line", "said"), FAULTS.values(), ids=FAULTS.keys())


@FAULT
def test_a_faulty_plugin_is_named_with_its_error_and_left_out(write, text, line, said):
    failure = failure_of(write("faulty", text))
    for fragment in said:
        assert fragment in failure.error


@pytest.mark.parametrize(
    ("text", "line"),
    [(text, line) for text, line, _ in FAULTS.values() if line],
    ids=[fault for fault, (_, line, _) in FAULTS.items() if line],
)
def test_the_line_at_fault_is_named(write, text, line):
    assert f"line {line}: " in failure_of(write("faulty", text)).error


@FAULT
def test_a_faulty_plugin_is_an_error_on_request(write, text, line, said):
    path = write("faulty", text)
    with pytest.raises(wk.PluginError) as caught:
        wk.Plugins.load([path], strict=True)
    assert str(caught.value).startswith(f"plugin faulty ({path}): ")
    assert said[-1] in str(caught.value)


def test_the_hint_for_a_class_can_be_pasted(write):
    failure = failure_of(write("faulty", FAULTS["a class"][0]))
    assert "register register" not in failure.error


def test_an_error_without_a_readable_message_is_only_a_failure(write):
    text = "class Mute(Exception):\n    def __str__(self):\n        raise ValueError('no words')\n\nraise Mute\n"
    assert "Mute" in failure_of(write("faulty", text)).error


def test_a_file_with_null_bytes_is_named(write):
    assert "faulty.py" in failure_of(write("faulty", "x = 1\0\n")).error


def test_a_file_that_is_missing_is_an_error(tmp_path):
    with pytest.raises(wk.PluginError, match=r"nowhere\.py: there is no such file"):
        wk.Plugins.load([tmp_path / "nowhere.py"])


def test_a_file_that_is_not_python_is_a_failure(tmp_path):
    (tmp_path / "notes.txt").write_text("no plugin")
    assert "must end in .py" in failure_of(tmp_path / "notes.txt").error


@pytest.mark.parametrize("name", ["no_such_module", "no_such_package.module", "a b"])
def test_a_module_that_is_missing_is_an_error(name):
    with pytest.raises(wk.PluginError, match=f"plugin {name}: there is no such module"):
        wk.Plugins.load([name])


def test_a_plugin_installed_beside_the_engine_has_its_line_named(write, tmp_path, monkeypatch):
    """A folder wordle_kit_mine beside wordle_kit, as in site-packages, is not the engine."""
    monkeypatch.setattr(faults, "ENGINE_FOLDER", tmp_path / "wordle_kit")
    assert "line 2: ZeroDivisionError" in failure_of(write("wordle_kit_mine", "x = 1\nx / 0\n")).error


def test_plugins_after_a_broken_one_are_loaded(write):
    plugins = wk.Plugins.load([write("a_broken", "1 / 0"), write("b_good")])
    assert [failure.plugin for failure in plugins.failures] == ["a_broken"]
    assert registered_by(plugins, "b_good") == ["hello"]


def test_every_broken_plugin_is_reported(write):
    plugins = wk.Plugins.load([write("one", "1 / 0"), write("two", "import sys\nsys.exit()"), write("three", "")])
    assert [failure.plugin for failure in plugins.failures] == ["one", "two", "three"]


def test_nothing_of_a_plugin_that_fails_halfway_is_kept(write):
    path = write("faulty", STRATEGY + "    1 / 0\n")
    failure_of(path)
    assert "hello" not in wk.Plugins.load([path]).strategies


def test_a_plugin_that_failed_loads_once_it_is_mended(write):
    failure_of(write("mine", "1 / 0\n"))
    assert registered_by(wk.Plugins.load([write("mine")], strict=True), "mine") == ["hello"]


def test_ctrl_c_while_a_plugin_loads_is_passed_on(write):
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        wk.Plugins.load([write("slow", "import signal\nsignal.raise_signal(signal.SIGINT)")])
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "SystemExit"])
def test_a_plugin_that_exits_is_a_failure(write, error):
    assert f"line 1: {error}" in failure_of(write("mine", f"raise {error}")).error
    assert f"line 10: {error}" in failure_of(write("mine", STRATEGY + f"    raise {error}\n")).error


def test_a_message_about_an_unknown_name_names_the_plugin_that_failed(write):
    plugins = wk.Plugins.load([write("mine", "1 / 0")])
    with pytest.raises(wk.StrategyError, match=r"'hello'.*plugin mine .*line 1: ZeroDivisionError"):
        wk.load_strategy("hello", plugins)


def test_two_files_of_one_name_are_a_failure_of_the_second(write):
    first = write("mine", kind="One")
    second = write("more/mine", kind="Two")
    plugins = wk.Plugins.load([first, second])
    (failure,) = plugins.failures
    assert failure.origin == str(second)
    assert str(first) in failure.error
    assert registered_by(plugins, "mine") == ["one"]


def test_a_file_of_the_name_of_one_that_failed_is_loaded(write):
    plugins = wk.Plugins.load([write("mine", STRATEGY + "    1 / 0\n"), write("more/mine")])
    assert len(plugins.failures) == 1
    assert registered_by(plugins, "mine") == ["hello"]


@pytest.mark.parametrize(
    ("text", "kinds", "name"),
    [
        (STRATEGY, "strategies", "'twin'"),
        (RULE, "rules", "'twin'"),
        (GAME, "games", "'Twin'"),
        (FORMAT, "formats", "'twin'"),
        (COMMAND, "commands", "'twin'"),
    ],
    ids=["strategies", "rules", "games", "formats", "commands"],
)
def test_two_of_one_name_are_an_error_that_names_both_plugins(write, text, kinds, name):
    kind = "twin" if text in (FORMAT, COMMAND) else "Twin"
    paths = [write("first", text, kind=kind), write("second", text, kind=kind)]
    with pytest.raises(wk.PluginError) as caught:
        wk.Plugins.load(paths)
    message = str(caught.value)
    for fragment in [f"two {kinds} are called {name}", "plugin first", "plugin second", *map(str, paths)]:
        assert fragment in message
    assert "no:first" in message


def test_of_two_of_one_name_one_can_be_switched_off(write):
    paths = [write("first", kind="Twin"), write("second", kind="Twin")]
    plugins = wk.Plugins.load([*paths, "no:first"], strict=True)
    assert plugins.strategies["twin"].plugin == "second"


def test_a_bundled_name_cannot_be_taken(write):
    with pytest.raises(wk.PluginError, match="two strategies are called 'entropy': plugin partition has one"):
        wk.Plugins.load([write("mine", kind="Entropy")])


def test_a_bundled_name_can_be_taken_once_its_plugin_is_off(write):
    plugins = wk.Plugins.load([write("mine", kind="Entropy"), "no:partition"], strict=True)
    assert plugins.strategies["entropy"].plugin == "mine"


def test_a_strategy_from_a_file_pickles(write):
    plugins = wk.Plugins.load([write("mine")], strict=True)
    strategy = plugins.strategies["hello"].value
    assert pickle.loads(pickle.dumps(strategy)) == strategy


def test_a_strategy_from_a_file_pickles_to_a_process_that_loads_the_file(write):
    path = write("mine", STRATEGY.replace("    def guess", "    depth: int = 2\n\n    def guess"))
    strategy = wk.load_strategy("hello(depth=3)", wk.Plugins.load([path], strict=True))
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


def test_a_file_that_was_edited_gives_the_new_code(write):
    assert "hello" in wk.Plugins.load([write("mine")]).strategies
    plugins = wk.Plugins.load([write("mine", kind="GoodEvening")])
    assert "good-evening" in plugins.strategies
    assert "hello" not in plugins.strategies


def test_a_file_that_was_edited_within_a_second_gives_the_new_code(write, monkeypatch):
    """Python trusts compiled code of the same second and size, and so must not be asked for it."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    path = write("mine", kind="Hello")
    assert "hello" in wk.Plugins.load([path]).strategies
    before = path.stat()
    write("mine", kind="Jello")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "jello" in wk.Plugins.load([path]).strategies


@pytest.mark.parametrize(
    "what",
    [
        "wordle_kit.Plugins.load()",
        "from wordle_kit.cli import run; run(['plugins']); run(['strategies']); run(['games']); run(['rules'])",
    ],
    ids=["loading", "listing"],
)
def test_plugins_do_not_load_the_compiler(what):
    code = f"import sys, wordle_kit\n{what}\nsys.exit('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_wordle_kit_loads_neither_compiler_nor_plugins():
    code = "import sys, wordle_kit\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert not {"numba", "numpy", "pydantic", "pluggy", "wordle_kit_plugins"} & set(done.stdout.split())


def test_metrics_hosts_and_formats_are_kept_by_name(write):
    plugins = wk.Plugins.load([write("mine", FORMAT, kind="short")], strict=True)
    assert plugins.formats["short"].value.write([{"a": 1}], []) == "{'a': 1}\n"
    assert plugins.formats["short"].plugin == "mine"


def test_a_hook_of_another_version_is_accepted_if_it_is_optional(write):
    text = STRATEGY + "\n\n@wk.hookimpl(optionalhook=True)\ndef register_dreams(register):\n    1 / 0\n"
    assert registered_by(wk.Plugins.load([write("mine", text)], strict=True), "mine") == ["hello"]


EVENTS = """import wordle_kit as wk

@wk.hookimpl
def run_finished(run):
    print("run", run)

@wk.hookimpl
def tournament_finished(leaderboard):
    print("tournament", leaderboard)
"""


def test_events_are_told_to_every_plugin_that_has_them(write, capsys):
    plugins = wk.Plugins.load([write("mine", EVENTS)], strict=True)
    plugins.announce_event("run_finished", run=7)
    plugins.announce_event("tournament_finished", leaderboard=8)
    assert capsys.readouterr() == ("run 7\ntournament 8\n", "")


@pytest.mark.parametrize("mistake", ["1 / 0", "raise SystemExit", "raise KeyboardInterrupt"])
def test_an_event_that_fails_is_one_line_and_the_others_are_told(write, capsys, mistake):
    broken = write("broken", EVENTS.replace('print("run", run)', mistake))
    plugins = wk.Plugins.load([broken, write("mine", EVENTS)], strict=True)
    plugins.announce_event("run_finished", run=7)
    out, err = capsys.readouterr()
    assert out == "run 7\n"
    assert err.startswith(f"wordle-kit: plugin broken: run_finished failed: {broken}, line 5: ")
    assert len(err.splitlines()) == 1
