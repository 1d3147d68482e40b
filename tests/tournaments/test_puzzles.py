"""Puzzles: all of them, a sample, those in a file, or words."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.api import load_puzzles

FIELDS = {"name": "few", "alphabet": "abcd", "length": 3, "answers": ["abc", "bcd", "cda", "dab"], "guesses": ["aaa"]}
GAME = wk.load_game(FIELDS)
EVERY_WORD = wk.load_game(FIELDS | {"answers": "all"})
PAIR = GAME.replace(boards=2)
LIKELY = wk.load_game(FIELDS | {"weights": {"abc": 6, "bcd": 3, "cda": 1, "dab": 0}})


def words(puzzles):
    return [puzzles.words(i) for i in range(len(puzzles))]


@pytest.fixture
def file(tmp_path):
    """Return a function that writes bytes or text into a puzzle file."""

    def write(content):
        path = tmp_path / "puzzles.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# All, or some that are drawn


def test_all_puzzles_are_all_answers_in_the_order_of_the_game():
    puzzles = load_puzzles(GAME)
    assert words(puzzles) == [("abc",), ("bcd",), ("cda",), ("dab",)]
    assert not puzzles.is_sample
    assert puzzles.label == "all 4 answers"


@pytest.mark.parametrize("count", [1, "3", 4])
def test_a_number_draws_that_many_different_answers_which_are_a_sample_unless_they_are_all(count):
    puzzles = load_puzzles(GAME, count, seed=7)
    assert len(set(words(puzzles))) == len(puzzles) == int(count)
    assert puzzles.is_sample == (int(count) < 4)
    assert puzzles.label == f"{count} of 4 answers, drawn with seed 7"


@pytest.mark.parametrize(
    ("game", "repeats"),
    [(EVERY_WORD, False), (EVERY_WORD.replace(boards=2), False), (EVERY_WORD.replace(boards=2), True), (LIKELY, False)],
)
def test_a_seed_repeats_the_puzzles_and_another_seed_draws_others(game, repeats):
    first, again, other = (load_puzzles(game, 20, seed, repeats=repeats) for seed in (1, 1, 2))
    assert (first.ids, first.fingerprint) == (again.ids, again.fingerprint)
    assert first.ids != other.ids
    assert first.fingerprint != other.fingerprint


def test_on_several_boards_a_thousand_puzzles_are_drawn_unless_told_otherwise():
    puzzles = load_puzzles(PAIR)
    assert len(puzzles) == 1000
    assert puzzles.is_sample


@pytest.mark.parametrize("count", [1, "7", 300])
def test_the_boards_of_a_puzzle_that_is_drawn_have_different_words_unless_they_may_repeat(count):
    game = GAME.replace(boards=4)
    puzzles = load_puzzles(game, count)
    assert len(puzzles) == int(count)
    assert {frozenset(hidden) for hidden in words(puzzles)} == {frozenset(GAME.answers)}
    assert {len(set(hidden)) for hidden in words(load_puzzles(PAIR, 100, repeats=True))} == {1, 2}


@pytest.mark.parametrize("repeats", [False, True])
def test_every_word_comes_on_every_board_about_as_often_as_another(repeats):
    drawn = words(load_puzzles(PAIR, 4000, repeats=repeats))
    for board in zip(*drawn, strict=True):
        assert all(850 < board.count(word) < 1150 for word in GAME.answers)


# In a file or a list


def test_a_file_has_a_puzzle_a_line_with_comments_and_blank_lines_between(file):
    path = file("\ufeff# monday\n\ncda\n  abc  \r\n# tuesday\nBCD\ncda\n")
    puzzles = load_puzzles(GAME, path)
    assert words(puzzles) == [("cda",), ("abc",), ("bcd",), ("cda",)]
    assert words(load_puzzles(GAME, str(path))) == words(puzzles)
    assert "puzzles.txt" in puzzles.label


def test_words_may_be_given_as_they_are_in_their_order():
    assert words(load_puzzles(GAME, ["dab", "ABC"])) == [("dab",), ("abc",)]
    assert words(load_puzzles(PAIR, ["cda cda", "dab abc", ("abc", "dab")])) == [
        ("cda", "cda"),
        ("dab", "abc"),
        ("abc", "dab"),
    ]


def test_puzzles_are_told_apart_by_their_words_and_their_order():
    one, same, other = (load_puzzles(GAME, source) for source in (["abc", "bcd"], ["abc", "bcd"], ["bcd", "abc"]))
    assert one.fingerprint == same.fingerprint != other.fingerprint


@pytest.mark.parametrize("line", ["abc,bcd", "abc bcd", "abc\tbcd", "  ABC ,\t bcd,"])
def test_commas_spaces_or_both_stand_between_the_words_of_a_line(file, line):
    puzzles = load_puzzles(PAIR, file(f"# two boards\n{line}\n\ndab cda\n"))
    assert words(puzzles) == [("abc", "bcd"), ("dab", "cda")]


@pytest.mark.parametrize(
    ("alphabet", "line", "hidden"),
    [
        ({"alphabet": ["do", "re"], "separator": " "}, "do re,re re", ("do re", "re re")),
        ({"alphabet": ["do", "re"], "separator": ","}, "do,re re,re", ("do,re", "re,re")),
        ({"alphabet": ["a", "b", ","]}, "a, ,b", ("a,", ",b")),
        ({"alphabet": ["a", ","], "separator": " "}, "a ,\t, a", ("a ,", ", a")),
    ],
)
def test_a_character_that_words_contain_does_not_separate_words(alphabet, line, hidden):
    game = wk.load_game({"name": "odd", "length": 2, "answers": "all", "boards": 2} | alphabet)
    assert words(load_puzzles(game, [line])) == [hidden]


@pytest.mark.parametrize(
    ("game", "line", "named"),
    [
        (GAME, "aaa", "'aaa'"),
        (GAME, "abcd", "'abcd'"),
        (GAME, "abc dab", "'abc dab'"),
        (PAIR, "abc", "2 boards"),
        (PAIR, "abc,bcd,cda", "'abc,bcd,cda'"),
        (PAIR, "abc aaa", "'aaa'"),
        (GAME, b"\xff\xfe", "UTF-8"),
    ],
)
def test_a_line_that_cannot_be_a_puzzle_is_named_with_its_file(file, game, line, named):
    path = file(b"# puzzles\n\n" + (line if isinstance(line, bytes) else line.encode()) + b"\n")
    with pytest.raises(wk.PuzzleError) as error:
        load_puzzles(game, path)
    assert f"{path}: line 3: " in str(error.value)
    assert named in str(error.value)


@pytest.mark.parametrize(
    ("game", "source", "named"),
    [
        (GAME, ["abc", "aaa"], "puzzle 2"),
        (GAME, 0, "0"),
        (GAME, 5, "4"),
        (GAME, "-1", "-1"),
        (GAME, [], "list"),
        (GAME, "every", "'every'"),
        (GAME, "no/such/file.txt", "'no/such/file.txt'"),
        (GAME, "\0", "'all'"),
        (GAME, Path(__file__).parent, Path(__file__).parent.name),
        (PAIR, "all", "2 boards"),
        (PAIR, 1_000_001, "1,000,000"),
        (GAME.replace(boards=5), 3, "5 boards"),
        (LIKELY.replace(boards=4), 3, "3 answers"),
    ],
)
def test_a_wrong_source_is_named_in_one_line(game, source, named):
    with pytest.raises(wk.PuzzleError) as error:
        load_puzzles(game, source)
    assert named in str(error.value)
    assert "\n" not in str(error.value)


any_lines = st.lists(
    st.sampled_from([*GAME.answers, "ABC", "aaa", "#", ",", " ", "\t", "\n", "\r\n", "\0", "\u2028", "é"])
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("boards", [1, 2])
@given(content=any_lines.map("".join).map(str.encode) | st.binary(max_size=64))
def test_a_file_of_puzzles_is_read_or_refused_by_its_name(tmp_path, boards, content):
    path = tmp_path / "puzzles.txt"
    path.write_bytes(content)
    try:
        puzzles = load_puzzles(GAME.replace(boards=boards), path)
    except wk.PuzzleError as error:
        refusal = str(error)
    else:
        refusal = str(path)
        assert len(puzzles) > 0
        assert all(len(hidden) == boards and set(hidden) <= set(GAME.answers) for hidden in words(puzzles))
    assert str(path) in refusal


# Which are a sample


def test_chosen_puzzles_are_a_sample_only_where_that_is_said(file):
    for source in (file("abc\nbcd\n"), ["abc", "bcd"]):
        chosen = load_puzzles(GAME, source)
        assert (chosen.is_sample, chosen.is_all) == (False, False)
        assert load_puzzles(GAME, source, is_sample=True).is_sample
    with pytest.raises(wk.PuzzleError, match="sample"):
        load_puzzles(GAME, "all", is_sample=True)


def test_a_list_of_every_answer_once_counts_as_all_in_any_order():
    for source in ("all", 4, GAME.answers[::-1]):
        assert load_puzzles(GAME, source).is_all
    assert not load_puzzles(GAME, [*GAME.answers[1:], GAME.answers[1]]).is_all
    assert not load_puzzles(GAME, 3).is_all
    assert not load_puzzles(PAIR, 3).is_all


def test_different_answers_of_a_sample_were_drawn_without_replacement():
    assert load_puzzles(GAME, 3).population == 4
    assert load_puzzles(GAME, GAME.answers[:2], is_sample=True).population == 4
    assert load_puzzles(GAME, [GAME.answers[0]] * 2, is_sample=True).population is None
    assert load_puzzles(PAIR, 3).population is None
    assert load_puzzles(LIKELY, 3).population is None
    assert load_puzzles(GAME, GAME.answers[:2]).population is load_puzzles(GAME).population is None


# Weights


def test_puzzles_of_a_game_with_weights_are_drawn_in_proportion_to_them():
    puzzles = load_puzzles(LIKELY, 10_000)
    drawn = Counter(word for (word,) in words(puzzles))
    assert [drawn[word] / 10_000 for word in LIKELY.answers] == pytest.approx([0.6, 0.3, 0.1, 0], abs=0.02)
    assert puzzles.is_sample
    assert puzzles.weights is None  # the likely answers are there more often


def test_the_words_of_a_puzzle_are_drawn_by_weight_without_replacement():
    drawn = Counter(words(load_puzzles(LIKELY.replace(boards=2), 10_000)))
    by_hand = {("abc", "bcd"): 0.6 * 3 / 4, ("abc", "cda"): 0.6 / 4, ("bcd", "abc"): 0.3 * 6 / 7}
    by_hand |= {("bcd", "cda"): 0.3 / 7, ("cda", "abc"): 0.1 * 6 / 9, ("cda", "bcd"): 0.1 * 3 / 9}
    assert drawn.keys() == by_hand.keys()
    assert {pair: count / 10_000 for pair, count in drawn.items()} == pytest.approx(by_hand, abs=0.02)


def test_with_repeats_each_board_is_drawn_by_weight():
    drawn = Counter(words(load_puzzles(LIKELY.replace(boards=2), 10_000, repeats=True)))
    assert drawn["abc", "abc"] / 10_000 == pytest.approx(0.36, abs=0.02)
    assert drawn["bcd", "cda"] / 10_000 == pytest.approx(0.03, abs=0.02)


def test_equal_weights_draw_the_same_puzzles_as_no_weights():
    for game, source in [(GAME, 3), (GAME, "all"), (PAIR, 5)]:
        plain, equal = (load_puzzles(each, source) for each in (game, game.replace(weights=[7.0] * 4)))
        assert (equal.ids, equal.label, equal.weights) == (plain.ids, plain.label, None)


def test_all_puzzles_and_those_of_a_list_have_the_weights_of_their_answers():
    assert load_puzzles(LIKELY).weights == pytest.approx((2.4, 1.2, 0.4, 0))
    assert load_puzzles(LIKELY, ["cda", "abc"]).weights == pytest.approx((0.4, 2.4))
    assert load_puzzles(LIKELY, ["cda", "cda"]).weights is None
    assert load_puzzles(LIKELY, ["cda", "abc"], is_sample=True).weights is None
    assert load_puzzles(LIKELY.replace(boards=2), ["cda abc", "bcd abc"]).weights is None


@pytest.mark.parametrize("more", [{"host": "adversary"}, {"is_sample": True}, {"repeats": True}])
def test_puzzles_that_are_loaded_are_not_changed_by_later_arguments(more):
    puzzles = load_puzzles("mastermind", 3)
    with pytest.raises(wk.PuzzleError, match=r"when they are loaded"):
        load_puzzles("mastermind", puzzles, **more)
    assert load_puzzles("mastermind", puzzles) is puzzles
