"""`wordle-kit strategies`, `games`, `rules` and `plugins`: the lists, and the plugin that each entry comes from."""

import csv
import io
import re
from xml.etree import ElementTree as ET

import pytest

ADDITIONS = """
    import wordle_kit as wk

    class Mine(wk.Strategy):
        '''Guess the first word.

        And some more about it.
        '''

        version = "7"
        depth: int = 3

        def guess(self, position):
            return position.board.words[0]

    class Blind(wk.MarksRule):
        '''Tell nothing but the end.'''

        def marks(self, guess, answer):
            return [2 if guess == answer else 0] * len(guess)

    @wk.hookimpl
    def register_strategies(register):
        register(Mine())

    @wk.hookimpl
    def register_rules(register):
        register(Blind())

    @wk.hookimpl
    def register_games(register):
        register({"name": "dark", "title": "In the dark", "alphabet": "ab", "length": 3, "answers": ["aab", "bab"],
                  "guesses": ["aaa"], "rule": "blind", "max_guesses": 4})
    """


@pytest.fixture
def additions(write):
    """Return a plugin with a strategy, a rule and a game."""
    return write("additions.py", ADDITIONS)


def test_strategies_are_listed_with_parameters_and_plugin(listed, additions):
    rows = listed("strategies", "-p", additions)
    assert rows["entropy"]["plugin"] == "partition"
    assert "pool=guesses" in rows["entropy"]["parameters"]
    mine = {"version": "7", "parameters": "depth=3", "plugin": "additions", "what it does": "Guess the first word."}
    assert rows["mine"].items() >= mine.items()


def test_games_are_listed_with_their_sizes_and_plugin(listed, additions):
    rows = listed("games", "-p", additions)
    assert (rows["wordle"]["answers"], rows["wordle"]["guesses"], rows["wordle"]["plugin"]) == (2315, 12972, "games")
    assert rows["octordle"]["boards"] == 8
    dark = {"answers": 2, "guesses": 3, "length": 3, "rule": "blind", "plugin": "additions", "title": "In the dark"}
    assert rows["dark"].items() >= dark.items()


def test_rules_are_listed_with_their_plugin(listed, additions):
    rows = listed("rules", "-p", additions)
    assert rows["mastermind"]["plugin"] == "rules"
    assert rows["blind"].items() >= {"plugin": "additions", "what it does": "Tell nothing but the end."}.items()


def test_plugins_are_listed_with_their_origin_and_everything_they_register(listed, additions):
    rows = listed("plugins", "-p", additions, "-p", "no:rules")
    assert rows["additions"] == {"plugin": "additions", "from": str(additions), "registers": "blind, dark, mine"}
    assert "wordle_kit_plugins.partition" in rows["partition"]["from"]
    assert "rules" not in rows


def test_a_failed_plugin_is_shown_beside_those_that_load(refused, run, monkeypatch, broken, additions):
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(broken))
    ran = run("plugins", "-p", additions, "--format", "json")
    rows = {row["plugin"]: row for row in ran.json}
    assert ran.code == 1
    assert f"({broken.name}, line 3)" in rows["broken"]["registers"]
    assert rows["additions"]["registers"] == "blind, dark, mine"
    assert str(broken) in refused("plugins", "-p", broken)  # because it was named


def test_games_that_cannot_be_used_are_listed_with_the_reason(listed, write):
    source = ADDITIONS.replace("return [2 if guess == answer else 0] * len(guess)", "raise RuntimeError('no rule')")
    more = """
        register({"name": "bad", "alphabet": "ab", "length": 2, "answers": ["abc"]})
        register("/nowhere/lost.toml")
    """
    rows = listed("games", "-p", write("additions.py", source.rstrip() + more))
    assert "no rule" in rows["dark"]["title"]
    assert "'abc'" in rows["bad"]["title"]
    assert "/nowhere/lost.toml" in rows["lost"]["title"]
    assert rows["wordle"]["answers"] == 2315


@pytest.mark.parametrize("command", ["rules", "plugins"])
def test_lists_have_every_format(run, command):
    def listing(form):
        ran = run(command, "--format", form)
        assert (ran.code, ran.err) == (0, "")
        return ran.out

    names = [next(iter(row.values())) for row in run(command, "--format", "json").json]
    assert [name for name in names if name not in listing("table")] == []
    assert [line.split()[1] for line in listing("github").splitlines()[2:]] == names
    assert [next(iter(row.values())) for row in csv.DictReader(io.StringIO(listing("csv")))] == names
    assert [row[0].text.strip() for row in ET.fromstring(listing("html"))[1]] == names
    assert re.findall(r"^ (\S+) +&", listing("latex"), re.MULTILINE)[1:] == names


def test_a_pipe_in_a_message_breaks_no_markdown_table(run, write):
    path = write("failing.py", "raise TypeError('unsupported operand type(s) for |')\n")
    lines = run("plugins", "-p", path.parent, "--format", "github").out.splitlines()
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {4}
