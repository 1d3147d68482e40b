"""`wordle-kit tree`: trees in files, checked."""

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


def test_check_says_where_a_tree_is_wrong_and_ends_with_1(run, game, write):
    path = write("wrong.txt", TEXT.replace("BGGYB1 valve GGGGG2\n      ", ""))
    ran = run("tree", "check", path, "--game", game)
    assert (ran.code, ran.err) == (1, "")
    assert f"{path}: line 2" in ran.out
    assert "valve" in ran.out


def test_a_tree_after_some_guesses_is_checked_from_there(run, game, write):
    lines = ["# after: march BGBBB"]
    lines += [f"march BGBBB1 salet {rest}" for rest in ("GGGYB2 salve GGGGG3", "BGGYB2 valve GGGGG3", "GGGGG2")]
    path = write("late.txt", "\n".join(lines))
    assert run("tree", "check", path, "--game", game, "--json").json["total"] == 5
