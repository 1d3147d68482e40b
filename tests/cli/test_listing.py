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

FAILING = {
    "raises": ("\nraise RuntimeError('no luck today')\n", "line 2: RuntimeError: no luck today"),
    "exits": ("\nraise SystemExit(3)\n", "line 2: SystemExit: 3"),
    "has a syntax error": ("\n\ndef guess(:\n", "line 3: SyntaxError"),
    "imports nothing": ("\nimport no_such_module\n", "line 2: ModuleNotFoundError: No module named 'no_such_module'"),
    "raises in its hook": (
        "import wordle_kit as wk\n@wk.hookimpl\ndef register_strategies(register):\n    register(1 / 0)\n",
        "line 4: ZeroDivisionError",
    ),
    "registers a class": (
        "import wordle_kit as wk\nclass Mine(wk.Strategy): pass\n"
        "@wk.hookimpl\ndef register_strategies(register): register(Mine)\n",
        "which is not a strategy; register(Mine())",
    ),
    "misspells its hook": (
        "import wordle_kit as wk\n\n@wk.hookimpl\ndef register_strategy(register): pass\n",
        "line 3: no hook is called 'register_strategy'; did you mean 'register_strategies'?",
    ),
    "has no hook": ("import wordle_kit as wk\n", "it has no hooks; mark a function with @wordle_kit.hookimpl"),
    "gives a name that is not text": (
        "import wordle_kit as wk\nclass Mine(wk.Strategy):\n    def guess(self, position): return 'a'\n"
        "@wk.hookimpl\ndef register_strategies(register): register(Mine(), name=5)\n",
        "5",
    ),
}


@pytest.fixture
def additions(write):
    """Return a plugin with a strategy, a rule and a game."""
    return write("additions.py", ADDITIONS)


def test_strategies_are_listed_with_parameters_and_plugin(listed, additions):
    rows = listed("strategies", "-p", additions)
    assert rows["entropy"]["plugin"] == "partition"
    assert "pool=guesses" in rows["entropy"]["parameters"]
    assert rows["mine"] == {
        "strategy": "mine",
        "aliases": "",
        "version": "7",
        "parameters": "depth=3",
        "plugin": "additions",
        "what it does": "Guess the first word.",
    }


def test_games_are_listed_with_their_sizes_and_plugin(listed, additions):
    rows = listed("games", "-p", additions)
    assert (rows["wordle"]["answers"], rows["wordle"]["guesses"], rows["wordle"]["plugin"]) == (2315, 12972, "games")
    assert rows["octordle"]["boards"] == 8
    assert rows["dark"] == {
        "game": "dark",
        "boards": 1,
        "guesses allowed": 4,
        "answers": 2,
        "guesses": 3,
        "length": 3,
        "rule": "blind",
        "plugin": "additions",
        "title": "In the dark",
    }


def test_rules_are_listed_with_their_plugin(listed, additions):
    rows = listed("rules", "-p", additions)
    assert rows["mastermind"]["plugin"] == "rules"
    assert rows["blind"] == {
        "rule": "blind",
        "version": "1",
        "plugin": "additions",
        "what it does": "Tell nothing but the end.",
    }


def test_plugins_are_listed_with_their_origin_and_everything_they_register(listed, additions):
    rows = listed("plugins", "-p", additions)
    assert rows["additions"] == {"plugin": "additions", "from": str(additions), "registers": "blind, dark, mine"}
    assert rows["baselines"]["registers"] == "first-consistent, lifted, random-consistent"
    assert rows["partition"]["from"].startswith("wordle-kit ")
    assert rows["partition"]["from"].endswith(": wordle_kit_plugins.partition")


def test_a_plugin_that_is_switched_off_is_gone(listed):
    assert "rules" not in listed("plugins", "-p", "no:rules")


@pytest.mark.parametrize(("source", "error"), FAILING.values(), ids=FAILING)
def test_plugins_shows_one_that_failed_with_name_file_line_and_error(listed, monkeypatch, write, source, error):
    path = write("failing.py", source)
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(path))
    row = listed("plugins")["failing"]
    assert (row["plugin"], row["from"]) == ("failing", str(path))
    assert row["registers"].startswith("FAILED: ")
    assert error in row["registers"]


def test_a_failed_plugin_is_shown_beside_those_that_load(listed, monkeypatch, broken, additions):
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(broken))
    rows = listed("plugins", "-p", additions)
    assert rows["broken"]["registers"] == f"FAILED: {broken}, line 3: RuntimeError: no luck today"
    assert rows["additions"]["registers"] == "blind, dark, mine"


def test_a_plugin_file_that_is_not_there_is_named(refused, tmp_path):
    path = tmp_path / "nowhere.py"
    assert f"plugin {path}: there is no such file" in refused("plugins", "-p", path)


@pytest.mark.parametrize("command", ["strategies", "games", "rules", "plugins"])
def test_with_strict_a_plugin_that_fails_ends_the_list(refused, broken, command):
    assert f"{broken}, line 3: RuntimeError: no luck today" in refused(command, "-p", broken, "--strict")


@pytest.mark.parametrize("command", ["strategies", "games", "rules"])
def test_a_plugin_that_fails_is_reported_beside_the_list(run, broken, command):
    ran = run(command, "--plugins-dir", broken.parent)
    assert ran.code == 0
    assert ran.err.startswith("wordle-kit: left out: plugin broken ")
    assert ran.err.count("\n") == 1


def test_a_plugin_that_was_named_and_fails_is_listed_and_the_exit_code_says_so(run, broken):
    ran = run("plugins", "-p", broken)
    assert ran.code == 2
    assert "FAILED:" in ran.out


@pytest.mark.parametrize("command", ["strategies", "games", "rules"])
def test_a_plugin_that_was_named_and_fails_ends_the_command(refused, broken, command):
    assert f"{broken}, line 3: RuntimeError: no luck today" in refused(command, "-p", broken)


def test_a_game_that_cannot_be_used_is_listed_with_the_reason(listed, write):
    source = """
        import wordle_kit as wk

        @wk.hookimpl
        def register_games(register):
            register({"name": "bad", "alphabet": "ab", "length": 2, "answers": ["abc"]})
            register("/nowhere/lost.toml")
        """
    rows = listed("games", "-p", write("hopeless.py", source))
    assert rows["bad"]["title"].startswith("cannot be used: game 'bad': answers: entry 1: 'abc'")
    assert rows["lost"]["title"].startswith("cannot be used: /nowhere/lost.toml: cannot be read")
    assert rows["wordle"]["answers"] == 2315


def test_a_game_whose_rule_raises_is_listed_and_so_are_the_others(listed, write):
    source = ADDITIONS.replace("return [2 if guess == answer else 0] * len(guess)", "raise RuntimeError('no rule')")
    rows = listed("games", "-p", write("additions.py", source))
    assert "RuntimeError: no rule" in rows["dark"]["title"]
    assert rows["wordle"]["answers"] == 2315


@pytest.mark.parametrize("command", ["strategies", "rules", "plugins"])
def test_lists_have_every_format(run, command):
    def listing(form):
        ran = run(command, "--format", form)
        assert (ran.code, ran.err) == (0, "")
        return ran.out

    names = [next(iter(row.values())) for row in run(command, "--format", "json").json]
    if command == "rules":  # the tables of the others are lists, whose entries take several lines
        assert [line.split()[0] for line in listing("table").splitlines()[2:]] == names
    assert [line.split()[1] for line in listing("markdown").splitlines()[2:]] == names
    assert [next(iter(row.values())) for row in csv.DictReader(io.StringIO(listing("csv")))] == names
    assert [row[0].text.strip() for row in ET.fromstring(listing("html"))[1]] == names
    assert re.findall(r"^ (\S+) +&", listing("latex"), re.MULTILINE)[1:] == names


def test_a_pipe_in_a_message_breaks_no_markdown_table(run, write):
    path = write("failing.py", "raise TypeError('unsupported operand type(s) for |')\n")
    lines = run("plugins", "-p", path, "--format", "markdown").out.splitlines()
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {4}


def test_output_of_a_plugin_is_not_in_the_list(run, write):
    path = write("additions.py", ADDITIONS + "\n    print('hello')\n")
    assert "mine" in {row["strategy"] for row in run("strategies", "-p", path, "--format", "json").json}


@pytest.mark.parametrize("command", ["strategies", "games", "rules", "plugins"])
def test_an_unknown_format_is_named_with_those_there_are(refused, command):
    assert "'yaml'; there are: csv, html, json, latex, markdown, table" in refused(command, "--format", "yaml")


@pytest.mark.parametrize("command", ["strategies", "games", "rules", "plugins"])
def test_an_unknown_plugin_to_switch_off_is_named_with_a_suggestion(refused, command):
    assert "'partitoin'; did you mean 'partition'?" in refused(command, "-p", "no:partitoin")


def test_the_list_of_plugins_fits_100_columns_and_has_everything(run, listed, write):
    write("broken.py", "import wordle_kit as wk\n" + "no_such_name_" * 7)
    lines = run("plugins").out.splitlines()
    assert max(map(len, lines)) <= 100
    shown = " ".join(" ".join(lines).split())
    for name, row in listed("plugins").items():
        assert f"{name} {row['from']} {row['registers']}" in shown
