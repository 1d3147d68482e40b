"""An assignment on a game and a rule of a teacher's own."""

import re
import shutil
import statistics
import subprocess
import sys

import pytest
from strategies import GREENS_ONLY

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.classroom.adopt import adopt_game
from wordle_kit.classroom.assignment import read_assignment
from wordle_kit.classroom.kinds import Mean
from wordle_kit.classroom.new import MEASURED
from wordle_kit.tournaments.puzzle_sources import draws

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")


SYLLABLES = """
name = "syllables"
title = "Two syllables"
alphabet = ["ka", "ki", "sha", "shi", "ta", "ti", "na", "ni"]
length = 2
answers = ["kaki", "../words/more.txt", 'own.txt']
guesses = "all"
rule = "greens-only"
max_guesses = 12
"""


@pytest.fixture
def mine(tmp_path):
    """Return the folder of a game and a rule of a teacher's own, with word lists inside and outside of it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "more.txt").write_text(
        "\n".join(f"{a}{b}" for a in ("sha", "ta") for b in ("ka", "ti", "na"))
    )
    (folder / "own.txt").write_text("nana\nnini\n")
    (folder / "rule.py").write_text(GREENS_ONLY)
    (folder / "my.toml").write_text(SYLLABLES)
    return folder


def new(folder, *options):
    """Make an assignment called `course` in a folder."""
    return cli.run(["new", "assignment", "course", "--dir", str(folder), *map(str, options)])


def test_an_assignment_on_your_own_game_and_rule_is_complete_in_its_folder(mine, tmp_path, capfd):
    assert new(tmp_path, "--game", mine / "my.toml", "--plugin", mine / "rule.py") == 0
    away = tmp_path / "elsewhere" / "course"
    away.parent.mkdir()
    (tmp_path / "course").rename(away)
    for folder in (mine, tmp_path / "words"):
        shutil.rmtree(folder)
    assignment = read_assignment(away)
    assert sorted(assignment.game.answers) == sorted(
        ["kaki", "nana", "nini", *(f"{a}{b}" for a in ("sha", "ta") for b in ("ka", "ti", "na"))]
    )
    assert assignment.definition.plugins == ["rule.py"]
    assert not [path for path in away.rglob("*") if path.is_file() and "{{" in path.read_text()]
    readme = (away / "README.md").read_text()
    assert "Say which symbols are correct, and nothing about the others" in readme
    play = next(line for line in readme.splitlines() if "wordle-kit solve" in line).split("`")[1]
    assert play.startswith("wordle-kit solve -g my.toml -p rule.py -p starter.py -s mine --answer ")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(away / "test_starter.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "2 passed" in ran.stdout, ran.stdout
    capfd.readouterr()
    assert cli.run(["grade", "--self", "--sandbox", "plain", str(away), str(away / "starter.py")]) in (0, 1)
    said = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in said if re.match(r"\S.* \d+ of \d+ ", line)][:4] == ["ok"] * 4


def test_a_game_that_names_its_rule_and_its_base_is_copied_with_both_and_its_rule_is_trusted(mine, tmp_path):
    (mine / "my.toml").write_text(SYLLABLES + 'plugin = "rule.py"\n')
    game = tmp_path / "shorter.toml"
    game.write_text('name = "shorter"\nbase = "mine/my.toml"\nmax_guesses = 3\n')
    basis = adopt_game(str(game))
    assert sorted(basis.files) == ["more.txt", "my.toml", "own.txt", "rule.py", "shorter.toml"]
    course = tmp_path / "course"
    course.mkdir()
    for name, text in basis.files.items():
        (course / name).write_bytes(text)
    (course / "assignment.toml").write_text(
        'title = "Course"\ngame = "shorter.toml"\npublic.count = 2\n'
        '[[tests]]\nkind = "loads"\npoints = 1\n[[tests]]\nkind = "legal"\nsample = "public"\npoints = 1\n'
    )
    shutil.rmtree(mine)
    assignment = read_assignment(course)
    assert (assignment.game.rule.name, assignment.game.max_guesses) == ("greens-only", 3)
    assert str(course / "rule.py") in assignment.plugins.trusted


def test_the_scale_of_points_follows_the_means_of_bundled_strategies(mine, tmp_path, monkeypatch):
    monkeypatch.setitem(MEASURED, "random", "minimax")  # a random strategy differs each time
    assert new(tmp_path, "--game", "mastermind") == 0
    assignment = read_assignment(tmp_path / "course")
    (scale,) = [test for test in assignment.tests if isinstance(test, Mean) and test.on == "all"]
    means = [
        [statistics.fmean(play.turns for play in wk.play(name, assignment.game, puzzles)) for name in MEASURED.values()]
        for puzzles in assignment.samples.values()
    ]
    assert 0 <= scale.full - max(map(min, means)) < 0.051
    assert 0.099 <= scale.none - max(map(max, means)) < 0.151


def test_puzzles_of_several_boards_are_draws_with_a_word_for_each(tmp_path):
    game = tmp_path / "twins.toml"
    game.write_text('name = "twins"\nalphabet = "abcd"\nlength = 2\nanswers = "all"\nboards = 2\n')
    assert new(tmp_path, "-g", game) == 0
    assignment = read_assignment(tmp_path / "course")
    assert assignment.samples["all"].for_one
    assert {len(ids) for ids in assignment.samples["all"].ids} == {2}
    text = (tmp_path / "course" / "README.md").read_text()
    assert "Each puzzle has 2 boards" in text


def test_answers_of_a_game_with_weights_count_with_their_weights_and_are_drawn_by_them(tmp_path):
    game = tmp_path / "likely.toml"
    game.write_text('name = "likely"\nalphabet = "abc"\nlength = 2\nanswers = "all"\nweights = { aa = 90, bb = 0 }\n')
    assert new(tmp_path, "-g", game) == 0
    everything = read_assignment(tmp_path / "course").samples["all"]
    weights = dict(zip(everything.game.answers, everything.weights, strict=True))
    assert weights["aa"] == 90 * weights["ab"]
    assert weights["bb"] == 0
    drawn = draws(everything.game, 1000)
    words = [word for (word,) in map(drawn.words, range(len(drawn)))]
    assert words.count("aa") > 850
    assert "bb" not in words
    assert drawn.weights is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-g", "no-such-game"], "no game is called 'no-such-game'"),
        (["-g", "{}/my.toml"], "no rule is called 'greens-only'"),
        (["-g", "{}/my.toml", "-p", "{}/gone.py"], "gone.py: there is no such file"),
        (["-g", "{}/gone.toml", "-p", "{}/rule.py"], "gone.toml: cannot be read"),
        (["-g", "mastermind", "--seed", "3"], "--seed is for inventing a game"),
        (["-p", "{}/rule.py"], "--plugin is for the rule of your own game; add --game"),
        (["-g", "mastermind", "-p", "{}/starter.py"], "starter.py: every assignment has its own file of this name"),
    ],
)
def test_an_impossible_assignment_is_refused_in_one_line(mine, tmp_path, capfd, options, said):
    (mine / "starter.py").write_text(GREENS_ONLY)
    capfd.readouterr()
    assert new(tmp_path, *(option.format(mine) for option in options)) == 2
    ran = capfd.readouterr()
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "course").exists()
