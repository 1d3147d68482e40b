"""Files of decision trees: three formats, and messages about mistakes in them."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RandomCandidate, one_board_games, tree_played_by

import wordle_kit as wk
from wordle_kit.leaderboard.metrics import perfect_total
from wordle_kit.trees.files import check_tree_format, format_tree, tree_of_json, tree_of_text

SEEDS = st.integers(0, 2**32)
often = settings(deadline=None, max_examples=60)

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


class FirstCandidate(wk.Strategy):
    """Guess the first candidate."""

    def guess(self, position):
        return position.board.words[0]


def few():
    """Return a tree that guesses march, then the first word that is left."""

    def node(position):
        words = position.board.words
        guess = "march" if position.turn == 1 else words[0]
        codes = {GAME.feedback(guess, word).code for word in words} - {GAME.winning_code}
        return wk.Node(GAME.guess_ids[guess], {code: node(position.after(guess, [code])) for code in codes})

    return wk.Tree(GAME, node(wk.Position.start(GAME)))


@often
@given(game=one_board_games(), seed=SEEDS)
def test_text_and_json_are_read_as_the_tree_that_was_written(game, seed):
    tree = tree_played_by(RandomCandidate(seed=seed), game)
    assert tree_of_text(format_tree(tree, "text"), game) == tree
    assert tree_of_json(format_tree(tree, "json"), game) == tree


@often
@given(game=one_board_games(), seed=SEEDS)
def test_lines_may_repeat_shared_guesses_and_have_any_line_endings(game, seed):
    tree = tree_played_by(RandomCandidate(seed=seed), game)
    full, above = [], ""
    for line in format_tree(tree, "text").splitlines():
        blanks = len(line) - len(line.lstrip())
        above = above[:blanks] + line[blanks:]
        full.append(above)
    random.Random(seed).shuffle(full)
    assert tree_of_text("# a comment\r\n\r\n" + "  \r\n".join(full), game) == tree


def test_the_text_format_is_as_documented():
    assert format_tree(few(), "text").splitlines() == [
        "march BGBBB1 salet BGGYB2 valve GGGGG3",
        "                   GGGYB2 salve GGGGG3",
        "                   GGGGG2",
        "      YBBBG1 nymph BGGGG2 lymph GGGGG3",
        "                   GGGGG2",
    ]


@pytest.mark.parametrize(("rule", "shown"), [("mastermind", "1,0:1"), ("case-aware", "02:1"), ("wordle", "YY1")])
def test_feedback_that_is_not_black_yellow_green_is_written_as_it_is_shown(rule, shown):
    alphabet = "aAbB" if rule == "case-aware" else "ab"
    game = wk.load_game({"name": "small", "alphabet": alphabet, "length": 2, "answers": "all", "rule": rule})
    tree = tree_played_by(RandomCandidate(seed=1), game)
    assert shown in format_tree(tree, "text").split()


def test_text_cannot_hold_words_with_spaces_but_json_can():
    game = wk.load_game({"name": "pairs", "alphabet": ["x", "yy"], "separator": " ", "length": 2, "answers": "all"})
    tree = tree_played_by(RandomCandidate(seed=1), game)
    with pytest.raises(wk.WordleKitError, match="contain spaces"):
        format_tree(tree, "text")
    assert tree_of_json(format_tree(tree, "json"), game) == tree


def test_json_has_the_game_and_the_figures_of_the_tree():
    fields = json.loads(format_tree(few(), "json"))
    assert (fields["game"], fields["fingerprint"]) == (GAME.name, GAME.fingerprint)
    assert (fields["answers"], fields["total"], fields["depth"]) == (5, 13, 3)
    assert fields["distribution"] == {"2": 2, "3": 3}
    assert fields["tree"]["guess"] == "march"


@often
@given(game=one_board_games(), seed=SEEDS)
def test_dot_has_a_box_a_guess_and_an_edge_a_feedback(game, seed):
    tree = tree_played_by(RandomCandidate(seed=seed), game)
    lines = format_tree(tree, "dot").splitlines()
    nodes = [line for line in lines if "[label=" in line and "->" not in line]
    assert sum("->" in line for line in lines) == len(nodes) - 1
    assert sum("peripheries=2" in line for line in nodes) == len(game.answers)
    assert (lines[0], lines[-1]) == ('digraph "small" {', "}")


def test_an_unknown_format_is_named():
    with pytest.raises(wk.WordleKitError, match=r"txt.*text"):
        check_tree_format("txt")


# Wrong trees

LINES = format_tree(few(), "text").splitlines()


def full_lines():
    """Return the lines of the tree of GAME with nothing left out."""
    full, above = [], ""
    for line in LINES:
        blanks = len(line) - len(line.lstrip())
        above = above[:blanks] + line[blanks:]
        full.append(above)
    return full


def changed(number, old, new):
    """Return the lines in full with something changed in one of them, counted from 1."""
    lines = full_lines()
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    return "\n".join(lines)


@pytest.mark.parametrize("number", range(1, 6))
def test_an_answer_that_is_missing_is_told_with_its_line(number):
    lines = full_lines()
    answer = lines[number - 1].split()[-2]
    del lines[number - 1]
    with pytest.raises(wk.TreeError, match=rf"{answer}"):
        tree_of_text("\n".join(lines), GAME)


def test_a_missing_branch_is_told_with_the_guesses_before():
    lines = full_lines()
    nymph = next(line for line in lines if "nymph GGGGG" in line)
    others = [line for line in lines if "nymph" not in line]
    with pytest.raises(wk.TreeError) as caught:
        tree_of_text("\n".join(others), GAME)
    feedback = nymph.split()[1][:5]
    assert str(caught.value) == f"line 3: after march {feedback} no guess for the answer nymph and 1 more"
    assert caught.value.path == ((GAME.guess_ids["march"], GAME.feedback("march", "nymph").code),)


@pytest.mark.parametrize(
    ("number", "old", "new", "message"),
    [
        (1, "valve", "vulva", "'vulva'"),
        (1, "valve", "val", r"line 1: 'val' has 3 letters"),
        (2, "1 salet", "1 nymph", "line 2"),
        (1, "GGGGG3", "GGGGG4", r"line 1: valve GGGGG4 is guess 3"),
        (1, "GGGGG3", "GGGGB3", "line 1"),
        (3, "march BGBBB1", "march GGGGG1", "line 3"),
        (1, "GGGGG3", "GGGRG3", r"line 1: 'GGGRG' is not feedback"),
        (3, "BGBBB1", "YYYYY1", "line 3"),
        (1, "valve", "salve", "line 1"),
    ],
)
def test_a_wrong_line_is_named(number, old, new, message):
    with pytest.raises(wk.TreeError, match=message):
        tree_of_text(changed(number, old, new), GAME)


def test_an_answer_that_is_there_twice_is_named():
    with pytest.raises(wk.TreeError, match=r"line 6.*valve"):
        tree_of_text("\n".join([*full_lines(), full_lines()[0]]), GAME)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no lines"),
        ("march", "line 1: 'march' has no feedback"),
        ("march BGBBB", "line 1: 'BGBBB' is not feedback followed by the number"),
        ("march BGBBB1 salet GGGGG2\n   lymph GGGGG2", "line 2: begins in column 4, but no word"),
        ("     march GGGGG1", "line 1: begins in column 6, but no word"),
        ("march GGGGG1\n" + " " * 30 + "lymph GGGGG2", "line 2: begins in column 31"),
    ],
)
def test_text_that_is_not_a_tree_is_another_error(text, message):
    with pytest.raises(wk.WordleKitError, match=message) as caught:
        tree_of_text(text, GAME)
    assert not isinstance(caught.value, wk.TreeError)


def altered(**changes):
    """Return the JSON of the tree with some fields changed."""
    return json.dumps(json.loads(format_tree(few(), "json")) | changes)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("{", wk.WordleKitError, "line 1: is not JSON"),
        ("{}", wk.WordleKitError, "'kind'"),
        (altered(kind="other"), wk.WordleKitError, "is not a wordle-kit decision tree of version 1"),
        (altered(version=2), wk.WordleKitError, "of version 1"),
        (altered(tree=[]), wk.WordleKitError, "is not a wordle-kit decision tree"),
        (altered(total=12), wk.TreeError, "gives a total of 12, but the tree takes 13"),
        (altered(tree={"guess": "march"}), wk.TreeError, "after march BGBBB no guess for the answer salet and 2 more"),
        (altered(tree={"guess": "zzzzz"}), wk.TreeError, "'zzzzz' is not among the guesses"),
        (
            altered(tree={"guess": "march", "next": {"BBBBB": {"guess": "salet"}}}),
            wk.TreeError,
            "no remaining answer gives march the feedback BBBBB",
        ),
        (
            altered(tree={"guess": "march", "next": {"BBBBB": {"guess": "salet"}, "00000": {"guess": "salet"}}}),
            wk.TreeError,
            "has 0 twice",
        ),
        (
            altered(tree={"guess": "salet", "next": {"GGGGG": {"guess": "salet"}}}),
            wk.TreeError,
            "after salet GGGGG nothing",
        ),
        ('{"tree":' * 100_000, wk.WordleKitError, "nested too deeply"),
    ],
)
def test_wrong_json_is_told_where(text, kind, message):
    with pytest.raises(kind, match=message) as caught:
        tree_of_json(text, GAME)
    assert type(caught.value) is kind


def test_a_guess_that_is_not_an_index_and_one_that_hard_mode_forbids_are_wrong():
    with pytest.raises(wk.TreeError, match=r"99"):
        wk.Tree(GAME, wk.Node(99, {})).check()
    tree = tree_of_text(format_tree(few(), "text"), GAME)
    hard = GAME.replace(hard_mode=True)
    wk.Tree(hard, tree.root).check()
    march, valve = GAME.guess_ids["march"], GAME.feedback("salet", "valve").code
    children = dict(tree_played_by(FirstCandidate(), GAME).root.children) | {valve: wk.Node(march, {})}
    root = wk.Node(GAME.guess_ids["salet"], children)
    with pytest.raises(wk.TreeError, match=r"march"):
        wk.Tree(hard, root).check()


def test_a_tree_that_never_ends_and_one_for_several_boards_are_wrong():
    game = wk.load_game({"name": "ab", "alphabet": "abc", "length": 1, "answers": ["a", "b"], "guesses": ["c"]})
    node = wk.Node(0, {})
    code = game.feedback("c", "a").code
    for _ in range(game.cap + 2):
        node = wk.Node(game.guess_ids["c"], {code: node})
    with pytest.raises(wk.TreeError, match=f"a is .*{game.cap}"):
        wk.Tree(game, node).check()
    with pytest.raises(wk.TreeError, match="ab has 2 boards"):
        wk.Tree(game.replace(boards=2), node).check()


def test_files_are_read_whatever_their_format_and_errors_name_them(tmp_path):
    tree = few()
    for form in ("text", "json"):
        path = tmp_path / f"tree.{form}"
        path.write_text("\ufeff" + format_tree(tree, form), encoding="utf-8")
        assert wk.read_tree(path, GAME) == tree
        path.write_text(format_tree(tree, form).replace("valve", "vulva"), encoding="utf-8")
        with pytest.raises(wk.TreeError, match=rf"{path}.*vulva"):
            wk.read_tree(path, GAME)
    with pytest.raises(wk.WordleKitError, match="nothing: cannot be read"):
        wk.read_tree(tmp_path / "nothing", GAME)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(wk.WordleKitError, match=r"bytes.*1"):
        wk.read_tree(tmp_path / "bytes", GAME)


TOTALS = {
    "wordle": 7920,
    "mastermind": 5625,
    "glyphs": 2178,
    "english-9": 12815,
    "english-7": 14873,
    "english-8": 14482,
    "wordle-2022": 7897,
    "mini-nerdle": 544,
}


@pytest.mark.parametrize(("name", "total"), TOTALS.items())
def test_a_known_tree_solves_its_game_with_the_total_that_it_says(name, total):
    game = wk.load_game(name)
    tree = wk.known_tree(game)
    assert tree.total == perfect_total(game.fingerprint) == total
    assert len(tree.paths) == len(game.answers)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wordle", "wordle-2022", "mastermind", "glyphs"])
def test_from_its_first_guess_search_finds_nothing_better(name):
    game = wk.load_game(name)
    solution = wk.optimal(game, game.guesses[wk.known_tree(game).root.guess])
    assert (solution.total, solution.is_proved) == (TOTALS[name], True)


def test_of_other_games_nothing_is_known():
    game = wk.load_game("wordle")
    for other in (game.replace(hard_mode=True), game.replace(boards=2), wk.load_game("english-4")):
        assert wk.known_tree(other) is None
        assert perfect_total(other.fingerprint) is None


@pytest.mark.slow
def test_rows_say_how_far_they_are_from_perfect_play_where_that_is_known():
    board = wk.tournament("glyphs", ["optimal", "minimax"], workers=1)
    perfect, minimax = board.rows
    assert (perfect.strategy, perfect.over_perfect, perfect.total_guesses) == ("optimal", 0, 2178)
    assert minimax.over_perfect == minimax.total_guesses - 2178 > 0
    assert {row.over_perfect for row in wk.tournament("glyphs", ["minimax"], 50, workers=1).rows} == {None}
    assert {row.over_perfect for row in wk.tournament("bulls-and-cows", ["first-consistent"], workers=1).rows} == {None}
