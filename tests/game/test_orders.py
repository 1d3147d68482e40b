"""The orders of a game's words: which words there are, and which goes first."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.game.orders import Order, clojure_hash_path, ordered

ALPHABET = wk.Alphabet("cab")
words = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), unique=True, max_size=12)
every_order = pytest.mark.parametrize("order", get_args(Order))

KNOWN_MIXES = {0x87654321: 0xF55B516B, 0xFFFFFFFF: 0x76293B50}
"""Murmur3 of four bytes with seed 0, as its implementations are commonly tested: a number, and what it becomes."""


def text_of(code):
    """Return a string whose hash code in Java is this number: its digits to base 31, as characters."""
    digits = []
    while code:
        code, digit = divmod(code, 31)
        digits.append(chr(digit))
    return "".join(reversed(digits))


def hash_of(text):
    """Return the whole number that a path takes five bits a step of, the lowest first."""
    return sum(group << 5 * step for step, group in enumerate(clojure_hash_path(text)))


# Which words


@every_order
@given(answers=words, others=words)
def test_every_order_keeps_all_words_and_no_word_twice(order, answers, others):
    in_order, guesses = ordered(answers, others, order, ALPHABET)
    assert sorted(in_order) == sorted(answers)
    assert sorted(guesses) == sorted(set(answers) | set(others))


@pytest.mark.parametrize("order", sorted(set(get_args(Order)) - {"as-listed"}))
@given(answers=words, others=words, dice=st.randoms(use_true_random=False))
def test_the_order_of_the_lists_makes_no_difference_unless_it_is_the_order(order, answers, others, dice):
    shuffled = [dice.sample(some, len(some)) for some in (answers, others)]
    assert ordered(*shuffled, order, ALPHABET) == ordered(answers, others, order, ALPHABET)


# Which goes first


def in_each_order(order):
    answers = [tuple(word) for word in ("bb", "ac", "ca")]
    others = [tuple(word) for word in ("cc", "ac", "ba")]
    return [" ".join(map("".join, some)) for some in ordered(answers, others, order, ALPHABET)]


def test_alphabetical_is_the_order_of_the_games_own_alphabet():
    assert in_each_order("alphabetical") == ["ca ac bb", "cc ca ac ba bb"]


def test_answers_first_has_the_answers_before_all_others_and_both_alphabetical():
    assert in_each_order("answers-first") == ["ca ac bb", "ca ac bb cc ba"]


def test_as_listed_has_a_word_of_both_lists_where_the_second_has_it():
    assert in_each_order("as-listed") == ["bb ac ca", "bb ca cc ac ba"]


@given(answers=words, others=words)
def test_clojure_hash_goes_by_the_path_of_each_word(answers, others):
    for some in ordered(answers, others, "clojure-hash", ALPHABET):
        paths = [clojure_hash_path("".join(word)) for word in some]
        assert paths == sorted(paths)


def test_game_files_know_every_order():
    fields = {"name": "two", "alphabet": "cab", "length": 2, "answers": ["bb", "ac", "ca"], "guesses": ["cc", "ba"]}
    guesses = {order: wk.load_game(fields | {"order": order}).guesses for order in get_args(Order)}
    assert guesses["alphabetical"] == ("cc", "ca", "ac", "ba", "bb")
    assert guesses["answers-first"] == ("ca", "ac", "bb", "cc", "ba")
    assert guesses["as-listed"] == ("bb", "ac", "ca", "cc", "ba")
    assert list(guesses["clojure-hash"]) == sorted(guesses["clojure-hash"], key=clojure_hash_path)


# Hashes


@pytest.mark.parametrize(("code", "mixed"), KNOWN_MIXES.items(), ids=hex)
def test_hashes_are_mixed_as_murmur3_does(code, mixed):
    assert hash_of(text_of(code)) == mixed


def test_the_hash_of_the_empty_text_is_nought_since_clojure_leaves_it_so():
    assert clojure_hash_path("") == (0,) * 7
    assert hash_of("\0") == 0


def test_the_hash_of_a_text_is_the_one_that_clojure_prints():
    assert hash_of("a") == 1455541201


def test_texts_that_java_cannot_tell_apart_have_the_same_place():
    assert clojure_hash_path("Aa") == clojure_hash_path("BB")


def test_a_character_beyond_sixteen_bits_counts_as_the_two_halves_that_java_keeps_of_it():
    assert clojure_hash_path("\U0001f600") == clojure_hash_path(text_of(31 * 0xD83D + 0xDE00))


@given(st.text(max_size=8))
def test_a_path_is_six_groups_of_five_bits_and_one_of_two(text):
    *groups, last = clojure_hash_path(text)
    assert len(groups) == 6
    assert all(0 <= group < 32 for group in groups)
    assert 0 <= last < 4
