"""Puzzles: all of them, a sample, those in a file, or words."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.tournaments.puzzles import load_puzzles

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
def test_a_number_draws_so_many_different_answers(count):
    puzzles = load_puzzles(GAME, count)
    assert len(set(words(puzzles))) == len(puzzles) == int(count)


def test_a_seed_draws_the_same_puzzles_again_and_another_seed_others():
    game = wk.load_game(FIELDS | {"answers": "all"})
    assert words(load_puzzles(game, 20, seed=1)) == words(load_puzzles(game, 20, seed=1))
    assert words(load_puzzles(game, 20, seed=1)) != words(load_puzzles(game, 20, seed=2))


def test_a_few_of_many_answers_are_a_sample():
    assert load_puzzles(GAME, 3).is_sample
    assert load_puzzles(GAME, 3, seed=7).label == "3 of 4 answers, drawn with seed 7"


def test_as_many_as_there_are_answers_are_no_sample():
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
        ("abcd", "'abcd' has 4 symbols; words of few have 3"),
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
        ("every", "'every' is neither 'all' nor a number nor a file"),
        ("no/such/file.txt", "'no/such/file.txt' is neither 'all' nor a number nor a file"),
        pytest.param("a" * 300, "is neither 'all' nor a number nor a file", id="a name too long for a file"),
        ("~nobody-is-called-this/file", "is neither 'all' nor a number nor a file"),
        ("\0", "is neither 'all' nor a number nor a file"),
        ("", "puzzles"),
    ],
)
def test_a_source_that_is_none_is_a_puzzle_error_of_one_line(source, complaint):
    with pytest.raises(wk.PuzzleError) as error:
        load_puzzles(GAME, source)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_is_no_file_of_puzzles(tmp_path):
    with pytest.raises(wk.PuzzleError, match="directory"):
        load_puzzles(GAME, tmp_path)


def test_a_file_without_puzzles_is_named(file):
    path = file("# none today\n\n")
    with pytest.raises(wk.PuzzleError, match=r"there are none in .*puzzles\.txt"):
        load_puzzles(GAME, path)


def test_a_file_that_is_no_text_is_named_with_its_line(file):
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


def test_games_of_several_boards_are_refused_for_now():
    with pytest.raises(wk.PuzzleError, match="few has 2 boards; this version plays games of one board only"):
        load_puzzles(GAME.replace(boards=2))
