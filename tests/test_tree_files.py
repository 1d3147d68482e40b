"""Files of decision trees, mistakes in them, and the trees that are known."""

import random

import pytest
from games import bundled
from hypothesis import given
from hypothesis import strategies as st
from strategies import RandomCandidate, one_board_games, tree_played_by

import wordle_kit as wk
from wordle_kit.trees import parse_tree, perfect_total, tree_text

SEEDS = st.integers(0, 2**32)

GAME = wk.load_game(
    {
        "name": "few",
        "alphabet": "abcdefghijklmnopqrstuvwxyz",
        "length": 5,
        "answers": ["salet", "salve", "valve", "nymph", "lymph"],
        "guesses": ["march"],
        "order": "as-listed",
    }
)
TEXT = """\
march BGBBB1 salet BGGYB2 valve GGGGG3
                   GGGYB2 salve GGGGG3
                   GGGGG2
      YBBBG1 nymph BGGGG2 lymph GGGGG3
                   GGGGG2
"""


def in_full(text):
    """Return the lines of a tree with nothing left out."""
    full, above = [], ""
    for line in text.splitlines():
        blanks = len(line) - len(line.lstrip())
        above = above[:blanks] + line[blanks:]
        full.append(above)
    return full


LINES = in_full(TEXT)


def test_the_text_format_is_as_documented():
    tree = parse_tree(TEXT, GAME)
    header = f"# game: few\n# fingerprint: {GAME.fingerprint}\n# total: 13\n"
    assert tree_text(tree) == header + TEXT
    assert parse_tree(header + TEXT, GAME) == tree
    assert (tree.total, tree.depth, tree.distribution) == (13, 3, {2: 2, 3: 3})


@given(game=one_board_games(), seed=SEEDS)
def test_a_text_is_read_as_the_tree_that_was_written(game, seed):
    tree = tree_played_by(RandomCandidate(seed=seed), game)
    text = tree_text(tree)
    assert parse_tree(text, game) == tree
    full = in_full(text)
    random.Random(seed).shuffle(full)
    assert parse_tree("# a comment\r\n\r\n" + "  \r\n".join(full), game) == tree


@pytest.mark.parametrize(("rule", "shown"), [("mastermind", "1,0:1"), ("case-aware", "02:1"), ("wordle", "YY1")])
def test_feedback_that_is_not_black_yellow_green_is_written_as_it_is_shown(rule, shown):
    alphabet = "aAbB" if rule == "case-aware" else "ab"
    game = wk.load_game({"name": "small", "alphabet": alphabet, "length": 2, "answers": "all", "rule": rule})
    tree = tree_played_by(RandomCandidate(seed=1), game)
    assert shown in tree_text(tree).split()


# Wrong trees


def changed(number, old, new):
    """Return the lines in full with something changed in one of them, counted from 1."""
    lines = [*LINES]
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("march", "line 1"),
        ("march GGGGG1\n" + " " * 30 + "lymph GGGGG2", "line 2"),
        ("\n".join(LINES[:3]), "nymph"),
        ("\n".join([*LINES[:3], LINES[4]]), "lymph"),
        (changed(1, "valve", "vulva"), "line 1.*'vulva'"),
        (changed(1, "valve", "salve"), "valve"),
        (changed(2, "1 salet", "1 nymph"), "line 2"),
        (changed(1, "GGGGG3", "GGGGG4"), "line 1.*GGGGG4"),
        (changed(3, "march BGBBB1", "march GGGGG1"), "march.*GGGGG"),
        (changed(1, "GGGGG3", "GGGRG3"), "line 1.*'GGGRG'"),
        (changed(3, "BGBBB1", "YYYYY1"), "YYYYY"),
    ],
)
def test_a_mistake_is_named_with_the_file(tmp_path, text, named):
    path = tmp_path / "wrong.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(wk.WordleKitError, match=rf"wrong\.txt.*{named}"):
        wk.read_tree(path, GAME)


def test_a_guess_that_hard_mode_forbids_is_wrong():
    tree, hard = parse_tree(TEXT, GAME), GAME.replace(hard_mode=True)
    wk.Tree(hard, tree.root).check()
    march, nymph = GAME.guess_index["march"], GAME.feedback("march", "nymph").code
    root = wk.Node(march, {**tree.root.children, nymph: wk.Node(GAME.guess_index["salet"], {})})
    with pytest.raises(wk.TreeError, match="salet"):
        wk.Tree(hard, root).check()


def test_a_tree_that_never_ends_is_wrong():
    game = wk.load_game({"name": "ab", "alphabet": "abc", "length": 1, "answers": ["a", "b"], "guesses": ["c"]})
    node = wk.Node(0, {})
    code = game.feedback("c", "a").code
    for _ in range(game.cap + 2):
        node = wk.Node(game.guess_index["c"], {code: node})
    with pytest.raises(wk.TreeError, match=f"a is .*{game.cap}"):
        wk.Tree(game, node).check()


def test_a_header_with_another_total_or_of_another_game_is_wrong(tmp_path):
    path = tmp_path / "tree.txt"
    text = tree_text(parse_tree(TEXT, GAME))
    path.write_text("\ufeff" + text, encoding="utf-8")
    assert wk.read_tree(path, GAME).total == 13
    with pytest.raises(wk.WordleKitError, match=r"tree\.txt: is a tree of few .*two"):
        wk.read_tree(path, GAME.replace(name="two", answers=GAME.answers[:2]))
    path.write_text(text.replace("total: 13", "total: 12"), encoding="utf-8")
    with pytest.raises(wk.TreeError, match=r"tree\.txt: .*12.*13"):
        wk.read_tree(path, GAME)


# Known trees

TOTALS = {
    "wordle": 7920,
    "wordle-2022": 7897,
    "mastermind": 5625,
    "glyphs": 2178,
    "mini-nerdle": 544,
    "english-8": 14482,
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "english-8" else name for name in TOTALS]
)
def test_a_known_tree_solves_its_game_with_the_total_that_it_says(name):
    game = bundled(name)
    tree = wk.known_tree(game)
    assert tree.total == perfect_total(game.fingerprint) == TOTALS[name]
    assert len(tree.paths) == len(game.answers)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wordle", "wordle-2022", "mastermind", "glyphs"])
def test_from_its_first_guess_search_finds_nothing_better(name):
    game = bundled(name)
    solution = wk.optimal(game, game.guesses[wk.known_tree(game).root.guess])
    assert (solution.total, solution.is_proved) == (TOTALS[name], True)


def test_of_other_games_nothing_is_known():
    game = bundled("wordle")
    for other in (game.replace(hard_mode=True), game.replace(boards=2), bundled("primel")):
        assert wk.known_tree(other) is None
        assert perfect_total(other.fingerprint) is None


def test_rows_say_how_far_they_are_from_perfect_play_where_that_is_known():
    (row,) = wk.tournament("mini-nerdle", ["minimax"], workers=1).rows
    assert row.over_perfect == row.total_guesses - 544 > 0
    (sample,) = wk.tournament("mini-nerdle", ["minimax"], 50, workers=1).rows
    assert sample.over_perfect is None
