"""Puzzles: all of them, a sample, those in a file, or words."""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.api import load_puzzles

FIELDS = {"name": "few", "alphabet": "abcd", "length": 3, "answers": ["abc", "bcd", "cda", "dab"], "guesses": ["aaa"]}
GAME = wk.load_game(FIELDS)


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


def test_all_puzzles_are_all_answers_in_the_order_of_the_game():
    puzzles = load_puzzles(GAME)
    assert words(puzzles) == [("abc",), ("bcd",), ("cda",), ("dab",)]
    assert not puzzles.is_sample
    assert puzzles.label == "all 4 answers"


@pytest.mark.parametrize("count", [1, 3, "3", 4])
def test_a_number_draws_that_many_different_answers(count):
    puzzles = load_puzzles(GAME, count)
    assert len(set(words(puzzles))) == len(puzzles) == int(count)


def test_a_seed_repeats_the_puzzles_and_another_seed_draws_others():
    game = wk.load_game(FIELDS | {"answers": "all"})
    assert words(load_puzzles(game, 20, seed=1)) == words(load_puzzles(game, 20, seed=1))
    assert words(load_puzzles(game, 20, seed=1)) != words(load_puzzles(game, 20, seed=2))


def test_a_few_of_many_answers_are_a_sample():
    assert load_puzzles(GAME, 3).is_sample
    assert load_puzzles(GAME, 3, seed=7).label == "3 of 4 answers, drawn with seed 7"


def test_as_many_puzzles_as_answers_are_not_a_sample():
    assert not load_puzzles(GAME, 4).is_sample


def test_a_file_has_a_puzzle_a_line_with_comments_and_blank_lines_between(file):
    path = file("\ufeff# monday\n\ncda\n  abc  \r\n# tuesday\nBCD\ncda\n")
    puzzles = load_puzzles(GAME, path)
    assert words(puzzles) == [("cda",), ("abc",), ("bcd",), ("cda",)]
    assert words(load_puzzles(GAME, str(path))) == words(puzzles)
    assert puzzles.label == "4 puzzles of puzzles.txt"


def test_words_may_be_given_as_they_are():
    puzzles = load_puzzles(GAME, ["dab", "ABC"])
    assert words(puzzles) == [("dab",), ("abc",)]
    assert puzzles.label == "2 given puzzles"


def test_puzzles_are_told_apart_by_their_words_and_their_order():
    one, same, other = (load_puzzles(GAME, source) for source in (["abc", "bcd"], ["abc", "bcd"], ["bcd", "abc"]))
    assert one.fingerprint == same.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("aaa", "'aaa' is not among the answers of few"),
        ("abcd", "'abcd' has 4 letters; words of few have 3"),
        ("abz", "'abz' has 'z', which is not in the alphabet"),
        ("abc dab", "'abc dab' has ' ', which is not in the alphabet"),
    ],
)
def test_a_word_that_cannot_be_a_puzzle_is_named_with_its_file_and_line(file, line, complaint):
    path = file(f"# puzzles\nabc\n{line}\n")
    with pytest.raises(wk.PuzzleError) as error:
        load_puzzles(GAME, path)
    assert str(error.value).startswith(f"{path}: line 3: {complaint}")


def test_a_word_that_cannot_be_a_puzzle_is_named_with_its_number_in_a_list():
    with pytest.raises(wk.PuzzleError, match="puzzle 2: 'aaa' is not among the answers of few"):
        load_puzzles(GAME, ["abc", "aaa"])


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (0, "0 cannot be drawn from 4 answers; choose from 1 to 4, or all"),
        (5, "5 cannot be drawn from 4 answers"),
        ("-1", "-1 cannot be drawn from 4 answers"),
        pytest.param("9" * 5000, "puzzles: ", id="a number of 5,000 digits"),
        ([], "there are none in the list"),
        ("every", "'every' is not 'all', a number or a file"),
        ("no/such/file.txt", "'no/such/file.txt' is not 'all', a number or a file"),
        pytest.param("a" * 300, "is not 'all', a number or a file", id="a name too long for a file"),
        ("~nobody-is-called-this/file", "is not 'all', a number or a file"),
        ("\0", "is not 'all', a number or a file"),
        ("", "puzzles"),
    ],
)
def test_a_wrong_source_is_a_puzzle_error_of_one_line(source, complaint):
    with pytest.raises(wk.PuzzleError) as error:
        load_puzzles(GAME, source)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_is_not_a_file_of_puzzles(tmp_path):
    with pytest.raises(wk.PuzzleError, match="directory"):
        load_puzzles(GAME, tmp_path)


def test_a_file_without_puzzles_is_named(file):
    path = file("# none today\n\n")
    with pytest.raises(wk.PuzzleError, match=r"there are none in .*puzzles\.txt"):
        load_puzzles(GAME, path)


def test_a_file_that_is_not_text_is_named_with_its_line(file):
    path = file(b"abc\n\xff\xfe\n")
    with pytest.raises(wk.PuzzleError, match=r"puzzles\.txt: line 2: is not UTF-8 text"):
        load_puzzles(GAME, path)


likely = st.text(alphabet="abcdABCDz# \t\r\n\0\u2028é") | st.lists(st.sampled_from(GAME.answers)).map("\n".join)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=likely.map(str.encode) | st.binary(max_size=64))
def test_a_file_of_puzzles_is_read_or_refused_with_a_puzzle_error(tmp_path: Path, content: bytes):
    path = tmp_path / "puzzles.txt"
    path.write_bytes(content)
    try:
        puzzles = load_puzzles(GAME, path)
    except wk.PuzzleError as error:
        refusal = str(error)
    else:
        refusal = None
        assert all(word in GAME.answers for (word,) in words(puzzles))
    assert refusal is None or str(path) in refusal


# Which are a sample


def test_chosen_puzzles_are_a_sample_only_where_that_is_said(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(GAME.answers[:2]))
    for source in (path, GAME.answers[:2]):
        chosen = load_puzzles(GAME, source)
        assert (chosen.is_sample, chosen.is_all) == (False, False)
        assert load_puzzles(GAME, source, is_sample=True).is_sample
    with pytest.raises(wk.PuzzleError, match="all of them are not a sample"):
        load_puzzles(GAME, "all", is_sample=True)


def test_a_list_of_every_answer_once_counts_as_all_in_any_order():
    n = len(GAME.answers)
    assert load_puzzles(GAME).is_all
    assert load_puzzles(GAME, n).is_all
    assert load_puzzles(GAME, GAME.answers[::-1]).is_all
    assert not load_puzzles(GAME, [*GAME.answers[1:], GAME.answers[1]]).is_all
    assert not load_puzzles(GAME, n - 1).is_all
    assert not load_puzzles(GAME.replace(boards=2), 3).is_all


def test_a_list_of_every_answer_is_not_a_sample():
    assert not load_puzzles(GAME, GAME.answers[::-1], is_sample=True).is_sample


def test_different_answers_of_a_sample_were_drawn_without_replacement():
    n = len(GAME.answers)
    assert load_puzzles(GAME, n - 1).population == n
    assert load_puzzles(GAME, GAME.answers[:2], is_sample=True).population == n
    assert load_puzzles(GAME, [GAME.answers[0]] * 2, is_sample=True).population is None
    assert load_puzzles(GAME.replace(boards=2), 3).population is None
    assert load_puzzles(LIKELY, 3).population is None
    assert load_puzzles(GAME, GAME.answers[:2]).population is load_puzzles(GAME).population is None


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="needs file names of any bytes")
def test_a_file_whose_name_is_not_utf_8_has_a_label_that_can_be_written(tmp_path):
    path = tmp_path / os.fsdecode(b"b\xe4.txt")
    path.write_text(GAME.answers[0])
    assert load_puzzles(GAME, path).label == "1 puzzle of b\\udce4.txt"


# Several boards

PAIR = GAME.replace(boards=2)
EVERYTHING = wk.load_game(FIELDS | {"answers": "all", "boards": 4})


def test_on_several_boards_a_thousand_puzzles_are_drawn_unless_told_otherwise():
    puzzles = load_puzzles(EVERYTHING)
    assert len(puzzles) == 1000
    assert puzzles.is_sample
    assert puzzles.label == "1,000 puzzles of 4 boards, drawn with seed 0"


@pytest.mark.parametrize("count", [1, "7", 3000])
def test_the_boards_of_a_puzzle_that_is_drawn_have_different_words(count):
    puzzles = load_puzzles(EVERYTHING, count)
    assert len(puzzles) == int(count)
    assert {len(set(hidden)) for hidden in words(puzzles)} == {4}


def test_with_repeats_boards_may_have_the_same_word():
    puzzles = load_puzzles(PAIR, 100, repeats=True)
    assert {len(set(hidden)) for hidden in words(puzzles)} == {1, 2}
    assert puzzles.label == "100 puzzles of 2 boards, words may repeat, drawn with seed 0"


@pytest.mark.parametrize("repeats", [False, True])
def test_every_word_comes_on_every_board_about_as_often_as_another(repeats):
    drawn = words(load_puzzles(PAIR, 4000, repeats=repeats))
    for board in zip(*drawn, strict=True):
        assert all(850 < board.count(word) < 1150 for word in GAME.answers)


@pytest.mark.parametrize("repeats", [False, True])
def test_a_seed_repeats_the_puzzles_of_several_boards_and_another_seed_draws_others(repeats):
    first, again, other = (load_puzzles(EVERYTHING, 20, seed, repeats=repeats) for seed in (1, 1, 2))
    assert (first.ids, first.fingerprint) == (again.ids, again.fingerprint)
    assert first.ids != other.ids
    assert first.fingerprint != other.fingerprint


def test_more_boards_than_answers_need_words_that_repeat():
    many = GAME.replace(boards=5)
    with pytest.raises(wk.PuzzleError, match="5 boards cannot have different words of 4 answers; let words repeat"):
        load_puzzles(many, 3)
    assert {len(hidden) for hidden in words(load_puzzles(many, 3, repeats=True))} == {5}
    assert {frozenset(hidden) for hidden in words(load_puzzles(GAME.replace(boards=4), 9))} == {frozenset(GAME.answers)}


@pytest.mark.parametrize("line", ["abc,bcd", "abc bcd", "abc, bcd", "abc\tbcd", "  ABC ,\t bcd,", ",abc,,bcd"])
def test_commas_spaces_or_both_stand_between_the_words_of_a_line(file, line):
    puzzles = load_puzzles(PAIR, file(f"# two boards\n{line}\n\ndab cda\n"))
    assert words(puzzles) == [("abc", "bcd"), ("dab", "cda")]
    assert puzzles.label == "2 puzzles of puzzles.txt"
    assert words(load_puzzles(PAIR, [line])) == [("abc", "bcd")]


def test_words_of_a_file_may_repeat_and_keep_their_order():
    assert words(load_puzzles(PAIR, ["cda cda", "dab abc", "abc dab"])) == [
        ("cda", "cda"),
        ("dab", "abc"),
        ("abc", "dab"),
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("abc", "'abc' has 1 word; few has 2 boards"),
        ("abc,bcd,cda", "'abc,bcd,cda' has 3 words; few has 2 boards"),
        (",", "',' has 0 words; few has 2 boards"),
        ("abc aaa", "'aaa' is not among the answers of few"),
        ("abc bc", "'bc' has 2 letters; words of few have 3"),
        ("abz abc", "'abz' has 'z', which is not in the alphabet"),
        ("abc;bcd", "'abc;bcd' has 1 word"),
    ],
)
def test_a_line_that_cannot_be_a_puzzle_is_named_with_its_file(file, line, complaint):
    path = file(f"abc bcd\n\n{line}\n")
    with pytest.raises(wk.PuzzleError) as error:
        load_puzzles(PAIR, path)
    assert str(error.value).startswith(f"{path}: line 3: {complaint}")


@pytest.mark.parametrize(
    ("alphabet", "line", "hidden"),
    [
        ({"alphabet": ["do", "re"], "separator": " "}, "do re,re re", ("do re", "re re")),
        ({"alphabet": ["do", "re"], "separator": " "}, "do re\tre re", ("do re", "re re")),
        ({"alphabet": ["do", "re"], "separator": " "}, "do re, re re", ("do re", "re re")),
        ({"alphabet": ["do", "re"], "separator": ","}, "do,re re,re", ("do,re", "re,re")),
        ({"alphabet": ["do", "re"], "separator": ","}, "do,re, re,re", ("do,re", "re,re")),
        ({"alphabet": ["do", "re"], "separator": ","}, "do,re \t re,re", ("do,re", "re,re")),
        ({"alphabet": ["a", "b", ","]}, "a, ,b", ("a,", ",b")),
        ({"alphabet": ["a", "b,"]}, "b,a ab,", ("b,a", "ab,")),
        ({"alphabet": ["a", ","], "separator": " "}, "a ,\t, a", ("a ,", ", a")),
    ],
)
def test_a_character_that_words_contain_does_not_separate_words(alphabet, line, hidden):
    game = wk.load_game({"name": "odd", "length": 2, "answers": "all", "boards": 2} | alphabet)
    assert words(load_puzzles(game, [line])) == [hidden]


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("all", "puzzles: all of them are too many with 2 boards; give a number to draw, or a file"),
        (0, "puzzles: 0 cannot be drawn; choose from 1 to 1,000,000"),
        ("-3", "puzzles: -3 cannot be drawn; choose from 1 to 1,000,000"),
        (1_000_001, "puzzles: 1000001 cannot be drawn; choose from 1 to 1,000,000"),
        pytest.param("9" * 5000, "cannot be drawn; choose from 1 to 1,000,000", id="a number of 5,000 digits"),
        ([], "there are none in the list"),
        ("every", "'every' is not 'all', a number or a file"),
    ],
)
def test_on_several_boards_too_a_wrong_source_is_a_puzzle_error_of_one_line(source, complaint):
    with pytest.raises(wk.PuzzleError) as error:
        load_puzzles(PAIR, source)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


odd_lines = st.lists(st.sampled_from([*GAME.answers, "ABC", "aaa", "#", ",", " ", "\t", ", ", "\n", "\r\n", "\u2028"]))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=odd_lines.map("".join).map(str.encode) | likely.map(str.encode) | st.binary(max_size=64))
def test_a_file_of_several_boards_is_read_or_refused_with_a_puzzle_error(tmp_path: Path, content: bytes):
    path = tmp_path / "puzzles.txt"
    path.write_bytes(content)
    try:
        puzzles = load_puzzles(PAIR, path)
    except wk.PuzzleError as error:
        refusal = str(error)
    else:
        refusal = None
        assert len(puzzles) > 0
        assert all(len(hidden) == 2 and set(hidden) <= set(GAME.answers) for hidden in words(puzzles))
    assert refusal is None or str(path) in refusal


# Weights

LIKELY = wk.load_game(FIELDS | {"weights": {"abc": 6, "bcd": 3, "cda": 1, "dab": 0}})


def test_puzzles_of_a_game_with_weights_are_drawn_in_proportion_to_them():
    puzzles = load_puzzles(LIKELY, 10_000)
    drawn = Counter(word for (word,) in words(puzzles))
    assert [drawn[word] / 10_000 for word in LIKELY.answers] == pytest.approx([0.6, 0.3, 0.1, 0], abs=0.02)
    assert (puzzles.label, puzzles.is_sample) == ("10,000 puzzles of 4 answers, drawn by weight with seed 0", True)
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


def test_a_seed_draws_the_same_puzzles_by_weight_again():
    first, again, other = (load_puzzles(LIKELY, 30, seed).ids for seed in (1, 1, 2))
    assert first == again != other


def test_more_boards_than_answers_that_can_come_up_need_words_that_repeat():
    with pytest.raises(wk.PuzzleError, match="4 boards cannot have different words of the 3 answers with a weight"):
        load_puzzles(LIKELY.replace(boards=4), 3)
    assert len(load_puzzles(LIKELY.replace(boards=4), 3, repeats=True)) == 3


def test_equal_weights_draw_the_same_puzzles_as_no_weights():
    for game, source in [(GAME, 3), (GAME, "all"), (PAIR, 5)]:
        plain, equal = (load_puzzles(each, source) for each in (game, game.replace(weights=[7.0] * 4)))
        assert (equal.ids, equal.label, equal.weights) == (plain.ids, plain.label, None)


def test_all_puzzles_and_those_of_a_list_have_the_weights_of_their_answers():
    assert load_puzzles(LIKELY).weights == pytest.approx((2.4, 1.2, 0.4, 0))
    assert load_puzzles(LIKELY, ["cda", "abc"]).weights == pytest.approx((0.4, 2.4))
    assert load_puzzles(LIKELY, ["cda", "cda"]).weights is None
    assert load_puzzles(LIKELY, ["cda", "abc"], is_sample=True).weights is None
    assert load_puzzles(LIKELY, host="adversary").weights is None
    assert load_puzzles(LIKELY.replace(boards=2), ["cda abc", "bcd abc"]).weights is None


def test_labels_of_a_game_of_one_answer_are_grammatical():
    game = wk.load_game({"name": "one", "alphabet": "abc", "length": 3, "answers": ["abc"]})
    assert load_puzzles(game).label == "the only answer"
    assert load_puzzles(game, 1).label == "1 of 1 answer, drawn with seed 0"
    assert load_puzzles(game, ["abc"]).label == "1 given puzzle"
    assert repr(game) == "<Game one: 1 answer, 1 guess, rule wordle, 1 board, 6 guesses allowed>"
