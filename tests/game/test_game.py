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
    alphabet = wk.Alphabet("ab")
    return wk.Game(name="by-hand", alphabet=alphabet, rule=rule or Same(), answers=answers, guesses=guesses, **settings)


# Words


def test_words_go_by_their_index():
    game = toy(order="alphabetical")
    assert game.guesses == ("aaa", "abc", "bcd", "cab", "ddd")
    assert [game.guess_index[word] for word in game.guesses] == [0, 1, 2, 3, 4]
    assert [game.answer_index[word] for word in game.answers] == [0, 1, 2]
    assert game.guess_of_answer.tolist() == [1, 2, 3]


def test_symbols_are_indices_into_the_alphabet():
    assert toy().answer_symbols.tolist() == [[0, 1, 2], [1, 2, 3], [2, 0, 1]]
    assert toy().guess_symbols.tolist()[3:] == [[3, 3, 3], [0, 0, 0]]


@pytest.mark.parametrize("array", ["answer_symbols", "guess_symbols", "guess_of_answer"])
def test_arrays_are_read_only(array):
    assert not getattr(toy(), array).flags.writeable


# Equality


@pytest.mark.parametrize(
    "change",
    [
        {"alphabet": "abcde"},
        {"answers": ["abc", "bcd", "cba"]},
        {"answers": ["bcd", "abc", "cab"]},
        {"answers": ["abc", "bcd", "cab", "ddd"]},
        {"guesses": ["ddd"]},
        {"guesses": ["aaa", "ddd"]},
        {"rule": "wordle-uncounted"},
        {"boards": 2},
        {"max_guesses": 7},
        {"hard_mode": True},
        {"weights": {"abc": 2.5}},
        {"weights": {"bcd": 2.0}},
        {"weights": None},
    ],
    ids=str,
)
def test_the_fingerprint_changes_with(change):
    assert toy(**change).fingerprint != toy().fingerprint
    assert toy(**change) != toy()


def test_the_fingerprint_changes_with_the_order_of_any_two_guesses():
    words = ["".join(word) for word in itertools.product("abcd", repeat=3)]
    orders = [words, *([*words[:i], words[i + 1], words[i], *words[i + 2 :]] for i in range(len(words) - 1))]
    games = [toy(answers=["abc"], guesses=order) for order in orders]
    assert len({game.fingerprint for game in games}) == len(words)


@pytest.mark.parametrize("rule", [SameAgain(), NotTheSame()], ids=["version", "codes"])
def test_the_fingerprint_changes_with_a_rule_of_the_same_name(rule):
    assert made_by_hand(rule).fingerprint != made_by_hand(Same()).fingerprint


@pytest.mark.parametrize(
    "change", [{"name": "another"}, {"title": "Another"}, {"memory": 1}, {"weights": np.array([2, True, 1])}], ids=str
)
def test_the_fingerprint_does_not_change_with(change):
    assert toy().replace(**change).fingerprint == toy().fingerprint


def test_the_fingerprint_does_not_change_with_where_the_words_stood(tmp_path):
    (tmp_path / "answers.txt").write_text("".join(f"{word}\n" for word in TOY["answers"]))
    assert toy(answers=str(tmp_path / "answers.txt")) == toy()


def test_a_game_with_something_replaced_keeps_the_rest():
    game = toy().replace(hard_mode=True)
    assert game == toy(hard_mode=True)
    assert (game.name, game.title, game.weights) == ("toy", "A toy", (2.0, 1.0, 1.0))


@pytest.mark.parametrize("fields", [TOY, SEPARATED, GERMAN], ids=lambda fields: fields["name"])
def test_a_game_survives_pickling(fields):
    game = wk.load_game(fields)
    expected, pickled = (game.fingerprint, game.answers, game.guesses), pickle.dumps(game)
    del game
    gc.collect()  # a game that is still there would be found again
    again = pickle.loads(pickled)
    assert (again.fingerprint, again.answers, again.guesses) == expected


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


# Weights, boards and guesses


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


@pytest.mark.parametrize("weights", [None, (0.1, 0.1, 0.1)])
def test_a_game_whose_weights_are_equal_is_not_weighted(weights):
    game = toy().replace(weights=weights)
    assert not game.is_weighted
    assert game.answer_weights.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(("boards", "allowed"), [(1, 6), (2, 7), (8, 13), (256, 261)])
def test_by_default_there_are_five_more_guesses_than_boards(boards, allowed):
    game = made_by_hand(boards=boards)
    assert (game.max_guesses, len(wk.Position.start(game).boards)) == (allowed, boards)


def test_a_play_ends_24_guesses_after_the_last_allowed_one():
    assert toy().cap == 30


def test_a_game_without_a_title_has_its_name_for_one():
    assert wk.load_game(GERMAN).title == "german"


# Feedback


@pytest.mark.parametrize(
    ("fields", "guess", "answer", "feedback"),
    [
        (TOY, "dda", "add", "121"),  # words that are not in the lists
        (TOY, "ABC", "Abd", "220"),
        (GERMAN, unicodedata.normalize("NFD", "öb"), "öa", "20"),
        (GERMAN, "schö", "ösch", "11"),
        (SEPARATED, "sol-so-do", "so-so-sol", "120"),
    ],
    ids=["unlisted", "capitals", "decomposed", "long symbols", "separator"],
)
def test_a_guess_gets_its_feedback(fields, guess, answer, feedback):
    assert str(wk.load_game(fields).feedback(guess, answer)) == feedback


def test_feedback_wins_for_the_hidden_word_only():
    assert toy().feedback("abc", "abc").wins
    assert not toy().feedback("abc", "acb").wins


def test_feedback_is_read_from_digits_and_tiles():
    game = toy()
    assert game.read_feedback("120") == game.read_feedback("🟨🟩⬜") == game.feedback("bac", "dab")


def test_the_table_is_that_of_the_game():
    game = toy()
    codes = game.table.column(0, np.arange(3, dtype=np.int32))
    assert [str(game.feedback_of(code)) for code in codes] == [
        str(game.feedback("abc", answer)) for answer in game.answers
    ]


# Mistakes

WRONG = [
    (lambda: toy().feedback("ab", "abc"), "'ab'"),
    (lambda: toy().feedback("abx", "abc"), "'x'"),
    (lambda: toy().feedback("abc", "a c"), "'a c'"),
    (lambda: toy().read_feedback("12"), "'12'"),
    (lambda: made_by_hand(answers=(), guesses=()), "answers"),
    (lambda: made_by_hand(answers=("ab", "a")), "lengths"),
    (lambda: made_by_hand(guesses=("ab", "ba", "aba")), "lengths"),
    (lambda: made_by_hand(answers=("ab", "ab")), "twice"),
    (lambda: made_by_hand(guesses=("ab", "bb")), "guesses"),
    (lambda: made_by_hand(boards=0), "0"),
    (lambda: made_by_hand(boards=257), "257"),
    (lambda: made_by_hand(max_guesses=0), "max_guesses"),
    (lambda: made_by_hand(weights=(1.0,)), "1 weights"),
    (lambda: made_by_hand(weights=(1.0, -1.0)), "-1"),
    (lambda: made_by_hand(weights=(1.0, math.nan)), "nan"),
    (lambda: made_by_hand(weights=(0.0, 0)), "weights"),
]


@pytest.mark.parametrize(("make", "fact"), WRONG, ids=range(len(WRONG)))
def test_a_mistake_is_named(make, fact):
    with pytest.raises(wk.GameError, match=fact):
        make()


def test_a_copy_of_a_game_with_a_rule_that_was_typed_in_is_equal_to_it():
    class Typed(Same):
        pass

    game = wk.load_game(TOY | {"rule": Typed()})
    assert game.replace(title="A copy") == game
    assert game.replace(rule=Typed()) != game
