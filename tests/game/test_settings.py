"""Game files that build on other games, and those that name the plugin with their rule."""

from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.cli import run

RULE = """import wordle_kit as wk

class {name}(wk.MarksRule):
    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer)]

@wk.hookimpl
def register_rules(register):
    register({name}())
"""
LETTERS = {"name": "letters", "alphabet": "abc", "length": 2, "answers": ["ab", "ba"], "guesses": ["cc"]}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a file in an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def custom(write):
    """Return the file of a game whose folder has its rule."""
    write("custom/rule.py", RULE.format(name="GreensOnly"))
    return write(
        "custom/game.toml",
        'name = "custom"\nbase = "mastermind"\nlength = 2\nrule = "greens-only"\nplugin = "rule.py"\n',
    )


def wrong(game):
    """Return the message about a game that cannot be loaded."""
    with pytest.raises(wk.GameError) as caught:
        wk.load_game(game)
    return str(caught.value)


def test_a_game_inherits_from_its_base_the_settings_that_it_does_not_have(write):
    game = wk.load_game(write("short.toml", 'name = "short"\nbase = "wordle"\nmax_guesses = 4\n'))
    wordle = wk.load_game("wordle")
    assert (game.answers, game.guesses, game.max_guesses) == (wordle.answers, wordle.guesses, 4)
    assert (game.name, game.title) == ("short", "short")


def test_a_game_file_can_build_on_another_with_words_in_its_own_folder(write):
    write("lists/words.txt", "ab\nba\n")
    write("lists/first.toml", 'name = "first"\nalphabet = "abc"\nlength = 2\nanswers = "words.txt"\n')
    write("second.toml", 'name = "second"\nbase = "lists/first.toml"\nguesses = ["cc"]\n')
    third = wk.load_game(write("other/third.toml", 'name = "third"\nbase = "../second.toml"\nboards = 2\n'))
    assert (third.answers, third.guesses, third.boards) == (("ab", "ba"), ("ab", "ba", "cc"), 2)


def test_fields_in_python_can_build_on_a_game():
    assert wk.load_game({"name": "hard", "base": "mastermind", "hard_mode": True}).hard_mode


def test_only_the_resolved_settings_count(write):
    write("first.toml", 'name = "first"\nalphabet = "abc"\nlength = 2\nanswers = ["ab", "ba"]\nmax_guesses = 3\n')
    path = write("second.toml", 'name = "second"\nbase = "first.toml"\nguesses = ["cc"]\nmax_guesses = 6\n')
    assert wk.load_game(path).fingerprint == wk.load_game(LETTERS).fingerprint


def test_a_name_is_never_taken_over(write):
    assert wrong(write("mine.toml", 'base = "wordle"\n')) == f"{Path.cwd() / 'mine.toml'}: name: is missing"


def test_a_circle_of_bases_is_an_error_that_names_each(write):
    write("a.toml", 'name = "a"\nbase = "b.toml"\n')
    write("b.toml", 'name = "b"\nbase = "a.toml"\n')
    assert wrong("a.toml") == (
        "a.toml: base: a.toml builds on b.toml, which builds on a.toml; remove base from one of them"
    )


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        ('"wordel"', "base: no game is called 'wordel'; did you mean 'wordle'?"),
        ('"none.toml"', "base: none.toml: cannot be read: No such file or directory"),
        ('"a\\u0000.toml"', "base: "),
        ("3", "base is 3; give the name of a game or the path of its file"),
        ('["wordle"]', "base is ['wordle']; give the name of a game or the path of its file"),
    ],
)
def test_a_wrong_base_is_named(write, base, problem):
    write("mine.toml", f'name = "mine"\nbase = {base}\n')
    assert wrong("mine.toml").startswith(f"mine.toml: {problem}")


def test_the_plugin_of_a_game_gives_its_rule_after_a_line_that_names_its_file(custom, capfd):
    game = wk.load_game(custom)
    assert str(game.feedback("12", "13")) == "20"
    assert capfd.readouterr().err == f"wordle-kit: {custom} loads the plugin {custom.with_name('rule.py')}\n"


def test_the_plugin_of_a_base_is_relative_to_the_base(write, custom):
    assert wk.load_game(write("more.toml", 'name = "more"\nbase = "custom/game.toml"\n')).rule.name == "greens-only"


def test_rules_of_two_games_may_have_the_same_file_name_and_no_other_game_gets_them(write, custom):
    write("other/rule.py", RULE.format(name="OtherGreens"))
    other = write("other/game.toml", 'name = "o"\nbase = "mastermind"\nrule = "other-greens"\nplugin = "rule.py"\n')
    assert [wk.load_game(path).rule.name for path in (custom, other)] == ["greens-only", "other-greens"]
    assert "no rule is called 'greens-only'" in wrong({**LETTERS, "rule": "greens-only"})


def test_a_plugin_that_is_loaded_already_is_not_announced(custom, capfd):
    plugins = wk.Plugins.load([custom.with_name("rule.py")])
    assert wk.load_game(custom, plugins).rule is plugins.rules["greens-only"].value
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("rule.py", "raise RuntimeError('no luck')\n", "line 1: RuntimeError: no luck"),
        ("rule.txt", "", "it is not a Python file; its name must end in .py"),
        ("none.py", None, "there is no such file"),
        ("rules.py", RULE.format(name="Mine"), "its name is taken by the one from wordle-kit"),
    ],
)
def test_a_plugin_of_a_game_that_cannot_be_loaded_is_an_error(write, name, text, problem):
    if text is not None:
        write(name, text)
    write("mine.toml", f'name = "mine"\nbase = "mastermind"\nplugin = "{name}"\n')
    said = wrong("mine.toml")
    assert said.startswith("mine.toml: plugin ")
    assert problem in said


def test_a_custom_game_travels_as_one_folder_that_every_command_can_use(custom, capsys):
    assert run(["solve", "-g", str(custom), "--answer", "11", "-s", "first-consistent"]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith("solved\n")
    assert shown.err == f"wordle-kit: {custom} loads the plugin {custom.with_name('rule.py')}\n"
