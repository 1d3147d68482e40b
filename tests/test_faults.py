"""The line to blame for an exception, and the whole traceback on request."""

import json

import numpy as np
import pytest
from wordle_kit_plugins.partition import Entropy

import wordle_kit as wk
from wordle_kit import cli

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"})


def message_of(error):
    """Return the message of a play by a strategy with this body."""

    class Faulty(wk.Strategy):
        def guess(self, position):
            return error(position)

    (play,) = wk.play(Faulty(), GAME, ["ab"])
    assert play.outcome is wk.Outcome.CRASHED
    return play.message


@pytest.mark.parametrize(
    "error",
    [
        lambda position: json.loads("{"),
        lambda position: np.zeros(3).reshape(2, 2),
        lambda position: np.linalg.inv(np.zeros((2, 2))),
        lambda position: position.after("zz", "00"),
        lambda position: position.board.split("zz"),
        lambda position: wk.load_strategy("nobody"),
        lambda position: Entropy(pool="moon"),
        lambda position: [][0],
    ],
)
def test_the_line_of_the_author_is_to_blame(error):
    assert f"(test_faults.py, line {error.__code__.co_firstlineno})" in message_of(error)


def test_an_error_in_a_method_that_the_engine_calls_is_blamed_on_the_author():
    class Faulty(wk.PartitionStrategy):
        def part_cost(self, size):
            return json.loads("{")

    (play,) = wk.play(Faulty(), GAME, ["ab"])
    assert f"(test_faults.py, line {Faulty.part_cost.__code__.co_firstlineno + 1})" in play.message


def test_a_class_that_was_typed_in_is_to_blame():
    names = {"wk": wk, "__name__": "__main__"}
    text = "class Typed(wk.Strategy):\n    def guess(self, position):\n        return 1 / 0\n"
    exec(compile(text, "<ipython-input-3>", "exec"), names)
    (play,) = wk.play(names["Typed"], GAME, ["ab"])
    assert "(<ipython-input-3>, line 3)" in play.message


def test_a_plugin_is_named_with_its_own_line_and_not_with_that_of_a_library(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import json\n\njson.loads('{')\n")
    with pytest.raises(wk.PluginError, match=r"JSONDecodeError: .* \(mine.py, line 3\)"):
        wk.Plugins.load([path])


PLUGIN = """import json
import wordle_kit as wk

class Mine(wk.Strategy):
    def guess(self, position):
        return json.loads("{")

@wk.hookimpl
def register_strategies(register):
    register(Mine())
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Return a plugin whose strategy raises in a library."""
    monkeypatch.setenv("WORDLE_KIT_STORE", str(tmp_path / "store.sqlite"))
    path = tmp_path / "mine.py"
    path.write_text(PLUGIN)
    return path


@pytest.fixture
def small(tmp_path):
    """Return the file of a small game."""
    path = tmp_path / "small.toml"
    path.write_text('name = "small"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')
    return path


@pytest.fixture
def shown_by(capfd):
    """Return a function that runs a command in this process, and returns what it and its workers wrote as errors."""

    def shown_by(*arguments):
        capfd.readouterr()
        cli.run(list(map(str, arguments)))
        return capfd.readouterr().err

    return shown_by


@pytest.mark.parametrize(
    "command",
    [
        "check {plugin} -g {small}",
        "solve -p {plugin} -s mine -g {small} -a ab",
        pytest.param("solve -p {plugin} -s mine -g {small} -a ab --isolate --no-sandbox", marks=pytest.mark.slow),
    ],
    ids=["check", "solve", "isolated"],
)
def test_traceback_shows_the_whole(plugin, small, shown_by, command):
    whole = shown_by(*command.format(plugin=plugin, small=small).split(), "--traceback")
    assert whole.count("Traceback (most recent call last)") == 1
    assert 'mine.py", line 6, in guess' in whole


def test_without_traceback_there_is_none(plugin, small, shown_by):
    assert "Traceback" not in shown_by("solve", "-p", plugin, "-s", "mine", "-g", small, "-a", "ab")
