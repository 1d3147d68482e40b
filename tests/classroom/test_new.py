"""New assignments: what is written, what it is worth, and what is refused."""

import re
import subprocess
import sys
import tomllib

import pytest
from classroom_texts import source
from wordle_kit_plugins.classroom.assignment import read_assignment

import wordle_kit as wk
from wordle_kit import cli


@pytest.fixture(name="made")
def new_assignment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.run(["new", "assignment", "spring", "--seed", "1"]) == 0
    return tmp_path / "spring"


def test_a_new_assignment_is_on_an_invented_game_and_the_same_with_the_same_seed(made, tmp_path):
    game = wk.load_game(made / "spring.toml")
    assert len(game.answers) == 800
    assert set(game.answers) < set(game.guesses)
    assert cli.run(["new", "assignment", "again", "--seed", "1"]) == 0
    assert wk.load_game(tmp_path / "again" / "again.toml").answers == game.answers
    assert cli.run(["new", "assignment", "other", "--seed", "2"]) == 0
    assert wk.load_game(tmp_path / "other" / "other.toml").answers != game.answers


def test_the_unchanged_starter_gets_all_points_but_those_for_its_mean(made, capsys):
    assert cli.run(["grade", "spring", "spring/starter.py"]) == 1
    printed = capsys.readouterr().out
    points = {test.kind: test.points for test in read_assignment(made).definition.tests}
    assert f"FAIL  0 of {points['mean']:g}  " in printed
    assert printed.count("\nok    ") == len(points) - 1
    assert printed.endswith(f"{sum(points.values()) - points['mean']:g} of {sum(points.values()):g} points\n")


def test_the_note_says_what_known_strategies_get(made, capsys):
    note = (made / "teacher" / "NOTE.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([\w, -]+) \| [\d.]+ \| (\d+) \|$", note, re.MULTILINE))
    capsys.readouterr()
    cli.run(["grade", "spring", "spring/starter.py"])
    assert f"\n{rows['the starter, unchanged']} of 100 points" in capsys.readouterr().out
    (made / "mine.py").write_text(source("best = wk.load_strategy('entropy')\nreturn best.guess(position)"))
    text = (made / "assignment.toml").read_text(encoding="utf-8")
    (made / "assignment.toml").write_text(re.sub(r"^forbid.*\n", "", text, flags=re.MULTILINE))
    cli.run(["grade", "spring", "spring/mine.py"])
    assert f"\n{rows['entropy']} of 100 points" in capsys.readouterr().out


def test_bundled_strategies_are_forbidden_and_the_line_is_named(made, capsys):
    (made / "mine.py").write_text(source("return wk.load_strategy('entropy').guess(position)"))
    assert cli.run(["grade", "spring", "spring/mine.py"]) == 1
    assert re.search(r"line 7.*load_strategy", capsys.readouterr().out)


def test_nothing_is_overwritten_and_wrong_options_are_refused(made, capsys):
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    for arguments in (["spring"], ["new", "--game", "nonsense"], ["new", "--game", "mastermind", "--seed", "3"]):
        assert cli.run(["new", "assignment", *arguments]) == 2
    assert not (made.parent / "new").exists()
    assert before == {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_game_with_a_rule_of_ones_own_can_be_set(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "greens.py").write_text(
        "import wordle_kit as wk\n\n"
        "class Greens(wk.Rule):\n"
        "    '''How many letters are at their place.'''\n"
        "    name = 'greens'\n\n"
        "    def n_codes(self, length):\n        return length + 1\n\n"
        "    def code(self, guess, answer):\n        return sum(a == b for a, b in zip(guess, answer))\n\n"
        "    def winning_code(self, length):\n        return length\n\n"
        "    def show(self, code, length):\n        return str(code)\n\n"
        "@wk.hookimpl\ndef register_rules(register):\n    register(Greens())\n"
    )
    (tmp_path / "safe.toml").write_text(
        'name = "safe"\nalphabet = "abcd"\nlength = 3\nanswers = "all"\nrule = "greens"\nmax_guesses = 12\n'
    )
    assert cli.run(["new", "assignment", "safes", "--game", "safe.toml", "--plugin", "greens.py"]) == 0
    definition = tomllib.loads((tmp_path / "safes" / "assignment.toml").read_text(encoding="utf-8"))
    assert definition["plugins"]
    capsys.readouterr()
    assert cli.run(["grade", "safes", "safes/starter.py"]) == 1
    assert "45 of 100 points" in capsys.readouterr().out
    options = "-g safes/safe.toml -p safes/greens.py -s first-consistent --answer abc"
    command = [sys.executable, "-m", "wordle_kit", "solve", *options.split()]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.stdout.endswith("solved\n")
