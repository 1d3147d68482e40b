"""The game as a value: immutable, equal by fingerprint, pickled to other processes, asked for feedback."""

import gc
import itertools
import json
import math
import pickle
import subprocess
import sys
import unicodedata

import numpy as np
import pytest

import wordle_kit as wk

TOY = {
    "name": "toy",
    "title": "A toy",
    "alphabet": "abcd",
    "length": 3,
    "answers": ["abc", "bcd", "cab"],
    "guesses": ["ddd", "aaa"],
    "order": "as-listed",
    "max_guesses": 6,
    "weights": {"abc": 2.0},
}
SEPARATED = {
    "name": "notes",
    "alphabet": ["do", "re", "mi", "so", "sol"],
    "separator": "-",
    "length": 3,
    "answers": ["do-re-mi", "sol-so-do"],
    "guesses": "all",
    "boards": 2,
    "hard_mode": True,
}
GERMAN = {"name": "german", "alphabet": [*"abcdefghö", "sch", "ß"], "length": 2, "answers": ["schö", "aß", "öb"]}

IN_A_FRESH_PROCESS = """
import json, pickle, sys
game = pickle.load(sys.stdin.buffer)
facts = [game.fingerprint, game.name, game.title, game.answers, game.guesses, game.rule.name, game.boards]
json.dump([*facts, game.max_guesses, game.hard_mode, game.weights, game.memory], sys.stdout)
"""


class Same(wk.Rule):
    """Whether the guess is the answer."""

    name = "same"

    def n_codes(self, length):
        return 3

    def code(self, guess, answer):
        return int(guess == answer)

    def winning_code(self, length):
        return 1

    def show(self, code, length):
        return ("no", "yes", "maybe")[code]


class SameAgain(Same):
    """Another version of the same rule."""

    name = "same"
    version = "2"


class NotTheSame(Same):
    """Another rule of the same name and version."""

    name = "same"

    def code(self, guess, answer):
        return 1 if guess == answer else 2


def toy(**changes):
    return wk.load_game(TOY | changes)


def made_by_hand(rule=None, answers=("ab", "ba"), guesses=("ab", "ba", "bb"), **settings):
    words = {"answers": [tuple(word) for word in answers], "guesses": [tuple(word) for word in guesses]}
    return wk.Game(name="by-hand", alphabet=wk.Alphabet("ab"), rule=rule or Same(), **words, **settings)


def test_words_are_texts_in_the_games_order():
    assert toy().answers == ("abc", "bcd", "cab")
    assert toy().guesses == ("abc", "bcd", "cab", "ddd", "aaa")


def test_words_go_by_their_index():
    game = toy()
    assert [game.guess_ids[word] for word in game.guesses] == [0, 1, 2, 3, 4]
    assert [game.answer_ids[word] for word in game.answers] == [0, 1, 2]
    assert [game.guesses[i] for i in game.guess_of_answer] == list(game.answers)


def test_the_guess_of_an_answer_is_the_same_word_elsewhere_in_the_list():
    game = toy(order="alphabetical")
    assert game.guesses == ("aaa", "abc", "bcd", "cab", "ddd")
    assert game.guess_of_answer.tolist() == [1, 2, 3]


@pytest.mark.parametrize("words", ["answers", "guesses"])
def test_words_cannot_be_changed(words):
    with pytest.raises(TypeError):
        getattr(toy(), words)[0] = "bbb"


@pytest.mark.parametrize("array", ["answer_symbols", "guess_symbols", "guess_of_answer"])
def test_arrays_are_read_only(array):
    with pytest.raises(ValueError, match="read-only"):
        getattr(toy(), array)[0] = 1


def test_symbols_are_indices_into_the_alphabet():
    assert toy().answer_symbols.tolist() == [[0, 1, 2], [1, 2, 3], [2, 0, 1]]
    assert toy().guess_symbols.tolist()[3:] == [[3, 3, 3], [0, 0, 0]]


def test_games_are_equal_by_fingerprint():
    assert toy() == toy()
    assert toy() != toy(boards=2)
    assert toy() != "toy"
    assert {toy(): "found"}[toy()] == "found"


def test_a_fingerprint_is_16_hexadecimal_digits():
    assert len(toy().fingerprint) == 16
    assert int(toy().fingerprint, 16) >= 0


@pytest.mark.parametrize(
    "change",
    [
        {"alphabet": "abcde"},
        {"alphabet": "dcba", "order": "alphabetical"},
        {"answers": ["abc", "bcd", "cba"]},
        {"answers": ["abc", "bcd", "cab", "dab"]},
        {"answers": ["abc", "bcd", "cab", "ddd"]},
        {"answers": ["bcd", "abc", "cab"]},
        {"guesses": ["ddd", "bbb"]},
        {"guesses": ["ddd"]},
        {"guesses": ["aaa", "ddd"]},
        {"rule": "wordle-uncounted"},
        {"rule": "mastermind"},
        {"boards": 2},
        {"max_guesses": 7},
        {"hard_mode": True},
        {"weights": {"abc": 2.5}},
        {"weights": {"bcd": 2.0}},
        {"weights": {"abc": 0}},
        {"weights": None},
    ],
    ids=lambda change: ", ".join(f"{key}={value}" for key, value in change.items()),
)
def test_the_fingerprint_changes_with(change):
    assert toy(**change).fingerprint != toy().fingerprint


def test_the_fingerprint_changes_with_the_order_of_any_two_guesses():
    words = ["".join(word) for word in itertools.product("abcd", repeat=3)]
    orders = [words, *([*words[:i], words[i + 1], words[i], *words[i + 2 :]] for i in range(len(words) - 1))]
    games = [toy(answers=["abc"], guesses=order) for order in orders]
    assert len({game.fingerprint for game in games}) == len(words)


def test_weights_that_are_the_same_numbers_have_the_same_fingerprint():
    weights = [(2.0, 1.0, 0.0), [2, 1, 0], np.array([2, 1, 0]), (2, True, -0.0)]
    assert len({toy().replace(weights=one).fingerprint for one in weights}) == 1


@pytest.mark.parametrize(
    ("weights", "scaled"),
    [
        ((2.0, 0.5, 0.5), [2.0, 0.5, 0.5]),
        ((1, 0, 0), [3.0, 0.0, 0.0]),
        ((1e308, 1e308, 0), [1.5, 1.5, 0.0]),
        ((1e-308, 2e-308, 3e-308), [0.5, 1.0, 1.5]),
    ],
)
def test_the_weights_of_the_answers_are_scaled_to_an_average_of_1(weights, scaled):
    game = toy().replace(weights=weights)
    assert game.is_weighted
    assert game.answer_weights.tolist() == pytest.approx(scaled)
    assert not game.answer_weights.flags.writeable


@pytest.mark.parametrize("weights", [None, (7.0, 7.0, 7.0), (0.1, 0.1, 0.1)])
def test_a_game_whose_weights_are_equal_is_not_weighted(weights):
    game = toy().replace(weights=weights)
    assert not game.is_weighted
    assert game.answer_weights.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "change", [{"name": "another"}, {"title": "Another"}, {"memory": 1}, {"nouns": ["code", "peg"]}], ids=str
)
def test_the_fingerprint_does_not_change_with(change):
    assert toy().replace(**change).fingerprint == toy().fingerprint


def test_the_fingerprint_does_not_change_with_where_the_words_stood(tmp_path):
    (tmp_path / "answers.txt").write_text("".join(f"{word}\n" for word in TOY["answers"]))
    assert toy(answers=str(tmp_path / "answers.txt")) == toy()


@pytest.mark.parametrize("rule", [SameAgain(), NotTheSame()], ids=["version", "codes"])
def test_the_fingerprint_changes_with_a_rule_of_the_same_name(rule):
    assert made_by_hand(rule).fingerprint != made_by_hand(Same()).fingerprint


def test_a_game_with_something_replaced_keeps_the_rest():
    game = toy().replace(hard_mode=True)
    assert game == toy(hard_mode=True)
    assert (game.name, game.title, game.weights) == ("toy", "A toy", (2.0, 1.0, 1.0))


def test_there_are_five_more_guesses_than_boards_by_default():
    assert [wk.load_game(GERMAN | {"boards": boards}).max_guesses for boards in (1, 2, 8)] == [6, 7, 13]


def test_a_play_ends_24_guesses_after_the_last_allowed_one():
    assert toy().cap == 30


def test_a_game_without_a_title_has_its_name_for_one():
    assert wk.load_game(GERMAN).title == "german"


@pytest.mark.slow
@pytest.mark.parametrize("fields", [TOY, SEPARATED, GERMAN], ids=lambda fields: fields["name"])
def test_a_game_pickles_to_a_fresh_process(fields):
    game = wk.load_game(fields).replace(memory=12345)
    done = subprocess.run(
        [sys.executable, "-P", "-c", IN_A_FRESH_PROCESS], input=pickle.dumps(game), capture_output=True, check=True
    )
    facts = [game.fingerprint, game.name, game.title, game.answers, game.guesses, game.rule.name, game.boards]
    facts += [game.max_guesses, game.hard_mode, game.weights, game.memory]
    assert json.loads(done.stdout) == json.loads(json.dumps(facts))


@pytest.mark.parametrize("separator", ["-", " ", "\t", "\n", "\r", "\u2028"], ids=repr)
def test_a_game_with_any_separator_it_accepts_survives_pickling(separator):
    answers = [separator.join(word) for word in (("x", "yy"), ("yy", "x"))]
    try:
        game = wk.load_game(
            {"name": "s", "alphabet": ["x", "yy"], "separator": separator, "length": 2, "answers": answers}
        )
    except wk.GameError:
        return  # refused, which is as good
    expected, pickled = (game.fingerprint, game.answers), pickle.dumps(game)
    del game
    gc.collect()
    again = pickle.loads(pickled)
    assert (again.fingerprint, again.answers) == expected


def test_a_guess_gets_its_feedback():
    assert str(wk.load_game("wordle").feedback("speed", "erase")) == "10110"


def test_feedback_is_given_for_words_that_are_not_in_the_lists():
    game = toy()
    assert "dda" not in game.guess_ids
    assert str(game.feedback("dda", "add")) == "121"


def test_feedback_wins_for_the_hidden_word_only():
    assert toy().feedback("abc", "abc").wins
    assert not toy().feedback("abc", "acb").wins


def test_capitals_are_folded_in_feedback():
    assert wk.load_game("wordle").feedback("SPEED", "Erase") == wk.load_game("wordle").feedback("speed", "erase")


def test_decomposed_characters_are_composed_in_feedback():
    decomposed = unicodedata.normalize("NFD", "öb")
    assert str(wk.load_game(GERMAN).feedback(decomposed, "öa")) == "20"


def test_long_symbols_count_as_one_in_feedback():
    assert str(wk.load_game(GERMAN).feedback("schö", "ösch")) == "11"
    assert str(wk.load_game(SEPARATED).feedback("sol-so-do", "so-so-sol")) == "120"


@pytest.mark.parametrize(
    ("guess", "answer", "problem"),
    [
        ("a", "abc", "'a' has 1 letter; words of toy have 3"),
        ("ab", "abc", "'ab' has 2 letters; words of toy have 3"),
        ("abc", "abcd", "'abcd' has 4 letters; words of toy have 3"),
        ("", "abc", "'' has 0 letters; words of toy have 3"),
        ("abx", "abc", "'abx' has 'x', which is not in the alphabet"),
        ("abc", "a c", "'a c' has ' ', which is not in the alphabet"),
    ],
)
def test_feedback_for_a_word_outside_the_game_is_an_error(guess, answer, problem):
    with pytest.raises(wk.GameError, match=problem):
        toy().feedback(guess, answer)


def test_feedback_is_read_from_digits_and_tiles():
    game = toy()
    assert game.read_feedback("120") == game.read_feedback("🟨🟩⬜") == game.feedback("bac", "dab")


def test_text_that_is_not_feedback_is_an_error():
    with pytest.raises(wk.GameError, match=r"12.*wordle"):
        toy().read_feedback("12")


def test_the_table_is_that_of_the_game():
    game = toy()
    codes = game.table.column(0, np.arange(3, dtype=np.int32))
    assert [str(game.show(code)) for code in codes] == [str(game.feedback("abc", answer)) for answer in game.answers]


UNPLAYABLE = [
    ({"answers": (), "guesses": ()}, "no answers"),
    ({"answers": ("ab", "a")}, "different lengths"),
    ({"guesses": ("ab", "ba", "aba")}, "different lengths"),
    ({"answers": ("ab", "ab")}, "a word twice"),
    ({"guesses": ("ab", "ba", "ab")}, "a word twice"),
    ({"guesses": ("ab", "bb")}, "an answer that is not among the guesses"),
    ({"boards": 0}, "boards is 0; choose from 1 to 256"),
    ({"boards": 257}, "boards is 257"),
    ({"max_guesses": 0}, "max_guesses is 0"),
    ({"weights": (1.0,)}, "1 weights"),
    ({"weights": (1.0, -1.0)}, "a weight is -1; give numbers from 0 up"),
    ({"weights": (1.0, math.nan)}, "a weight is nan; give numbers from 0 up"),
    ({"weights": (1.0, math.inf)}, "a weight is inf; give numbers from 0 up"),
    ({"weights": (0.0, 0)}, "all weights are 0; give at least one answer more"),
]


@pytest.mark.parametrize(("settings", "problem"), UNPLAYABLE, ids=[problem for _, problem in UNPLAYABLE])
def test_a_game_that_cannot_be_played_is_an_error(settings, problem):
    with pytest.raises(wk.GameError, match=f"by-hand: .*{problem}"):
        made_by_hand(**settings)


@pytest.mark.parametrize("boards", [1, 2, 64, 256])
def test_a_game_may_have_up_to_256_boards(boards):
    game = toy().replace(boards=boards)
    assert (game.boards, len(wk.Position.start(game).boards)) == (boards, boards)
    assert (game.max_guesses, game.cap) == (6, 30)
    assert (game == toy()) == (boards == 1)
    assert pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize("boards", [0, -1, 257, 10**9])
def test_other_numbers_of_boards_are_refused(boards):
    with pytest.raises(wk.GameError, match=f"{boards}.*256"):
        toy().replace(boards=boards)


@pytest.mark.parametrize(("boards", "allowed"), [(1, 6), (2, 7), (256, 261)])
def test_by_default_there_are_five_more_guesses_than_boards(boards, allowed):
    assert made_by_hand(boards=boards).max_guesses == allowed


def test_a_rule_with_too_many_kinds_of_feedback_is_an_error():
    with pytest.raises(wk.GameError, match=r"wordle.*43,046,721.*16"):
        wk.load_game({"name": "long", "alphabet": "ab", "length": 16, "answers": ["ab" * 8]})
    assert wk.load_game({"name": "long", "alphabet": "ab", "length": 15, "answers": ["abb" * 5]}).length == 15
