"""The strategies of Shkodi et al. against slow twins, written from the definitions that give the figures."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, small_games
from wordle_kit_plugins.shkodi import (
    LetterFrequency,
    PositionalLetterFrequency,
    PredefinedWords,
    RoundedEntropy,
    covering_words,
)

import wordle_kit as wk

often = settings(deadline=None, max_examples=100)


# The twins: percentages are fractions, rounded to hundredths with halves up


def rounded(number):
    """A number to two decimals, halves up."""
    return Fraction(math.floor(number * 100 + Fraction(1, 2)), 100)


def frequency_by_hand(words):
    """The percentage of each symbol among all symbols of the words, to two decimals."""
    counts = Counter(symbol for word in words for symbol in word)
    return {symbol: rounded(Fraction(100 * count, counts.total())) for symbol, count in counts.items()}


def by_frequency(words):
    """The score of each word: the percentages of its different symbols, added up."""
    frequency = frequency_by_hand(words)
    return {word: rounded(sum(frequency[symbol] for symbol in set(word))) for word in words}


def by_frequency_and_place(words):
    """The score of each word: for each symbol, at its first place, its percentage times the share of that place."""
    frequency = frequency_by_hand(words)
    scores = {}
    for word in words:
        score = Fraction(0)
        for symbol in set(word):
            place = word.index(symbol)
            here = sum(other[place] == symbol for other in words)
            anywhere = sum(other.count(symbol) for other in words)
            score += frequency[symbol] * rounded(Fraction(100 * here, anywhere)) / 100
        scores[word] = rounded(score)
    return scores


def best_of(scores):
    """The first word of the greatest score."""
    return next(word for word in scores if scores[word] == max(scores.values()))


def rounded_bits_by_hand(board, guess):
    """The expected bits of a guess, to two decimals; sums are cut after nine decimals, so that noise is not a half."""
    sizes = Counter()
    for answer, weight in zip(board.words, board.weights.tolist(), strict=True):
        sizes[str(board.game.feedback(guess, answer))] += weight
    bits = sum(size / board.mass * math.log2(board.mass / size) for size in sizes.values() if size)
    return float(rounded(Fraction(round(bits * 10**9), 10**9)))


def cover_by_hand(guesses, n_symbols):
    """The first of the greatest covers, as the strategy's docstring defines it, with its words in the list's order."""
    words = [word for word in guesses if len(set(word)) == len(word)]
    if not words:
        return ()
    length = len(words[0])
    wanted = max(1, n_symbols // length)
    covers = []
    for start in range(len(words)):
        chosen, credit = [], 0
        for required in range(length, 0, -1):
            for word in words[start:] + words[:start]:
                covered = {symbol for taken in chosen for symbol in taken}
                if len(chosen) < wanted and len(set(word) - covered) == required:
                    chosen.append(word)
                    credit += required
        covers.append((credit, chosen))
    _, best = max(covers, key=lambda cover: cover[0])
    return tuple(sorted(best, key=guesses.index))


POSITIONS = positions(small_games())


@pytest.fixture(scope="module", params=[[], ["tares=00000"], ["tares=00110"]], ids=str)
def in_wordle(request):
    """Return a position of Wordle with the rule that the paper's figures need."""
    game = wk.load_game("wordle")
    position = wk.Position.start(game.replace(rule=wk.Plugins.load().rules["wordle-uncounted"].value))
    for move in request.param:
        position = position.after(*move.split("="))
    return position


# Letters


@often
@given(position=POSITIONS)
def test_the_filter_strategy_guesses_the_first_candidate(position):
    game = position.game
    agreeing = [
        answer
        for answer in game.answers
        if all(
            game.feedback(guess, answer) == seen
            for guess, seen in zip(position.guesses, position.board.feedback, strict=True)
        )
    ]
    assert wk.load_strategy("first-consistent").guess(position) == agreeing[0]


@often
@given(position=POSITIONS)
def test_letter_frequency_guesses_the_candidate_of_the_most_frequent_symbols(position):
    assert LetterFrequency().guess(position) == best_of(by_frequency(position.board.words))


@often
@given(position=POSITIONS)
def test_positional_letter_frequency_guesses_the_candidate_of_symbols_frequent_in_their_places(position):
    assert PositionalLetterFrequency().guess(position) == best_of(by_frequency_and_place(position.board.words))


def test_the_letter_strategies_guess_what_their_definitions_say_in_wordle(in_wordle):
    words = in_wordle.board.words
    assert LetterFrequency().guess(in_wordle) == best_of(by_frequency(words))
    if len(words) < 500:  # the twin takes long
        assert PositionalLetterFrequency().guess(in_wordle) == best_of(by_frequency_and_place(words))


def test_of_equal_words_the_first_is_guessed():
    fields = {"name": "equal", "alphabet": "abcd", "length": 2, "answers": ["ba", "ab", "cd"]}
    assert LetterFrequency().guess(wk.Position.start(wk.load_game(fields))) == "ab"
    assert LetterFrequency().guess(wk.Position.start(wk.load_game(fields | {"order": "as-listed"}))) == "ba"


# Predefined words


@often
@given(dice=st.randoms(use_true_random=False))
def test_covering_words_are_those_of_the_slow_search(dice):
    alphabet = "abcdefghij"[: dice.choice([4, 6, 9, 10])]
    length = dice.choice([2, 3])
    every_word = ["".join(word) for word in itertools.product(alphabet, repeat=length)]
    words = dice.sample(every_word, dice.randint(1, min(30, len(every_word))))
    fields = {"name": "cover", "alphabet": alphabet, "length": length, "answers": words, "order": "as-listed"}
    game = wk.load_game(fields)
    assert covering_words(game) == cover_by_hand(game.guesses, len(alphabet))


def test_a_game_whose_words_all_repeat_a_symbol_has_no_covering_words():
    game = wk.load_game({"name": "twins", "alphabet": "abc", "length": 2, "answers": ["aa", "bb", "cc"]})
    assert covering_words(game) == ()
    assert PredefinedWords().guess(wk.Position.start(game)) == "aa"


FIVE = ("blimp", "fjord", "vagus", "wecht", "zinky")


def test_the_five_words_of_the_paper_come_out_and_are_played_in_their_order():
    game = wk.load_game("wordle")
    assert covering_words(game) == FIVE
    assert len({letter for word in FIVE for letter in word}) == 24
    position = wk.Position.start(game)
    for turn, word in enumerate(FIVE, start=1):
        assert (position.turn, PredefinedWords().guess(position)) == (turn, word)
        position = position.after(word, game.feedback(word, "adobe"))
    assert position.board.words == ("abode", "adobe")
    assert PredefinedWords().guess(position) == "abode"


def test_the_fixed_words_end_where_one_candidate_is_left():
    game = wk.load_game("wordle")
    (play,) = wk.play(PredefinedWords(), game, ["afire"])
    assert play.guesses == ("blimp", "fjord", "afire")


@pytest.mark.parametrize(("words", "fixed"), [(0, None), (1, None), (2, "fjord"), (None, "fjord")])
def test_no_more_fixed_words_are_played_than_are_wanted(words, fixed):
    game = wk.load_game("wordle")
    position = wk.Position.start(game).after("blimp", "00000")
    assert PredefinedWords(words=words).guess(position) == (fixed or position.board.words[0])


def test_hard_mode_is_refused():
    game = wk.load_game("wordle")
    assert PredefinedWords().problem_with(game) is None
    assert "hard mode" in PredefinedWords().problem_with(game.replace(hard_mode=True))


# Rounded entropy


@often
@given(position=POSITIONS, weights=st.sampled_from([None, [0, 2.5, 0.01]]))
def test_a_guess_scores_its_bits_to_two_decimals(position, weights):
    game = position.game.replace(
        weights=weights and [1, *(weights * len(position.game.answers))][: len(position.game.answers)]
    )
    board = wk.Board(game, position.board.candidates)
    shown = RoundedEntropy().displayed(RoundedEntropy().scores(board, None))
    assert shown.tolist() == pytest.approx([rounded_bits_by_hand(board, guess) for guess in board.game.guesses])


@often
@given(position=POSITIONS)
def test_it_guesses_the_first_of_the_most_bits_and_before_others_one_that_may_be_the_answer(position):
    board = position.board
    bits = {guess: rounded_bits_by_hand(board, guess) for guess in board.game.guesses}
    best = [guess for guess in bits if bits[guess] > max(bits.values()) - 0.005]
    possible = [guess for guess in best if guess in board.words]
    assert RoundedEntropy().guess(position) == (board.words[0] if len(board) == 1 else (possible or best)[0])


def test_words_that_differ_by_less_than_a_hundredth_of_a_bit_are_equal(in_wordle):
    board = in_wordle.board
    scores = RoundedEntropy().scores(board, None)
    exact = wk.load_strategy("entropy").scores(board, None)
    assert len(set(scores.tolist())) < len(set(exact.tolist()))
    assert (abs(-scores - (math.log2(len(board)) - exact)) <= 0.005 + 1e-9).all()
