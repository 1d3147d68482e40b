"""`wordle-kit tree`: trees in files, checked and written in other formats."""

import json

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


def test_unreadable_input_ends_with_2(refused, game, write, tmp_path):
    assert "cannot be read" in refused("tree", "check", tmp_path / "nothing", "--game", game)
    assert "line 1: 'salet' has no feedback" in refused("tree", "check", write("bad", "salet\n"), "--game", game)
    assert "no format is called" in refused("tree", "check", write("bad", "salet\n"), "--format", "pdf")
    assert "no format of trees is called" in refused("tree", "show", write("bad", "salet\n"), "--format", "pdf")


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


def test_json_names_its_game(run, tiny, write):
    tree = {"guess": "11", "next": {"00": {"guess": "22"}}}
    fields = {"kind": "wordle-kit decision tree", "version": 1, "game": str(tiny), "before": [], "total": 0}
    path = write("tree.json", json.dumps(fields | {"tree": tree}))
    assert "'11' has '1', which is not in the alphabet" in run("tree", "check", path).out
    path.write_text(json.dumps(fields | {"game": 7, "tree": tree}))
    assert "is not feedback of the rule 'wordle'" in run("tree", "check", path).out


def test_a_tree_of_a_game_that_is_not_registered_says_how_to_name_its_file(run, refused, tiny, write):
    fields = {"kind": "wordle-kit decision tree", "version": 1, "game": "tiny", "before": [], "total": 0, "tree": {}}
    path = write("tree.json", json.dumps(fields))
    line = f"{path}: is a tree of 'tiny', which is not a registered game; name its file with --game FILE"
    assert line in refused("tree", "check", path)
    assert "--game FILE" not in run("tree", "check", path, "--game", tiny).err


def test_a_tree_after_some_guesses_is_checked_from_there(run, game, write):
    path = write("late.txt", "march BGBBB1 salet GGGYB2 salve GGGGG3\n                   BGGYB2 valve GGGGG3\n")
    after = ("--after", "march=02000")
    assert "line 2: no line for the answer salet" in run("tree", "check", path, "--game", game, *after).out
    path.write_text(path.read_text() + "march BGBBB1 salet GGGGG2\n")
    assert run("tree", "check", path, "--game", game, *after, "--format", "json").json["total"] == 5
    hard = run("tree", "check", path, "--game", game, "--hard", *after, "--format", "json")
    assert hard.json["total"] == 5


def test_tree_alone_shows_its_commands(run):
    ran = run("tree")
    assert ran.code in (0, 2)  # as the version of Typer has it
    assert all(name in ran.out for name in ("check", "show"))


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
