"""`wordle-kit tree`: trees in files, checked and written in other formats."""

import pytest

GAME = """
name = "few"
alphabet = "abcdefghijklmnopqrstuvwxyz"
length = 5
answers = ["salet", "salve", "valve"]
guesses = ["march"]
order = "as-listed"
"""
TEXT = """\
salet BGGYB1 valve GGGGG2
      GGGYB1 salve GGGGG2
      GGGGG1
"""


@pytest.fixture
def game(write):
    """Return the file of a game of three answers."""
    return write("few.toml", GAME)


@pytest.fixture
def tree(write):
    """Return the file of a tree for it."""
    return write("few.txt", TEXT)


def test_check_shows_the_figures_of_a_tree(run, game, tree):
    ran = run("tree", "check", tree, "--game", game, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json == {
        "game": "few",
        "opener": "salet",
        "answers": 3,
        "total": 5,
        "mean": 5 / 3,
        "depth": 2,
        "distribution": {"1": 1, "2": 2},
    }
    table = run("tree", "check", tree, "--game", game).out.splitlines()
    assert table[0].split() == ["game", "opener", "answers", "total", "mean", "depth", "distribution"]
    assert table[2].split() == ["few", "salet", "3", "5", "1.6667", "2", "1:1", "2:2"]


def test_check_says_where_a_tree_is_wrong_and_ends_with_1(run, game, write):
    path = write("wrong.txt", TEXT.replace("BGGYB1 valve GGGGG2\n      ", ""))
    problem = f"{path}: line 2: after salet BGGYB no guess for the answer valve"
    ran = run("tree", "check", path, "--game", game)
    assert (ran.code, ran.out, ran.err) == (1, f"{problem}\n", "")
    ran = run("tree", "check", path, "--game", game, "--format", "json")
    assert (ran.code, ran.json) == (1, {"problem": problem})


def test_show_writes_each_format_and_reads_it_back(run, refused, game, tree, tmp_path):
    assert run("tree", "show", tree, "--game", game).out == TEXT
    written = run("tree", "show", tree, "--game", game, "--format", "json").out
    out = tmp_path / "few.json"
    assert run("tree", "show", tree, "--game", game, "--format", "json", "--output", out).out == ""
    assert out.read_text(encoding="utf-8") == written
    assert run("tree", "show", out, "--game", game, "--format", "text").out == TEXT
    assert run("tree", "show", out, "--game", game, "--format", "dot").out.startswith('digraph "few" {')
    assert "wrong" not in refused("tree", "show", tree, "--game", game, "--output", tmp_path / "no" / "folder")


def test_a_wrong_tree_is_not_shown(refused, game, write):
    path = write("wrong.txt", TEXT.replace("valve", "vulva"))
    assert "line 1: 'vulva' is not among the guesses of few" in refused("tree", "show", path, "--game", game)


def test_a_tree_after_some_guesses_is_checked_from_there(run, game, write):
    path = write("late.txt", "march BGBBB1 salet GGGYB2 salve GGGGG3\n                   BGGYB2 valve GGGGG3\n")
    after = ("--after", "march=02000")
    assert "line 2: no line for the answer salet" in run("tree", "check", path, "--game", game, *after).out
    path.write_text(path.read_text() + "march BGBBB1 salet GGGGG2\n")
    assert run("tree", "check", path, "--game", game, *after, "--format", "json").json["total"] == 5
    hard = run("tree", "check", path, "--game", game, "--hard", *after, "--format", "json")
    assert hard.json["total"] == 5


def test_optimal_and_tree_check_count_from_the_same_guess(run, tmp_path, write):
    game = write("few.toml", 'name = "few"\nalphabet = "abc"\nlength = 2\nanswers = "all"\n')
    out = tmp_path / "t.json"
    (found,) = run(
        *("optimal", "-g", game, "--after", "aa=20", "--output", out, "--format", "json"),
        *("--checkpoint", tmp_path / "searches.sqlite"),
    ).json
    checked = run("tree", "check", out, "-g", game, "--format", "json").json
    assert checked["after"] == "aa=20"
    assert (checked["total"], checked["mean"], checked["depth"]) == (found["total"], found["mean"], found["worst"])
    assert "aa=20" in run("tree", "check", out, "-g", game).out
