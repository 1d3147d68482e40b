"""The orders of a game's words: which words there are, and which goes first."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.game.files import Order, ordered

ALPHABET = wk.Alphabet("cab")
words = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), unique=True, max_size=12)
every_order = pytest.mark.parametrize("order", get_args(Order))


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
