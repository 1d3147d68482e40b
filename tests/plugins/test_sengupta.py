"""Sengupta's letterwise entropy against a slow twin, written from the definition that gives the figures."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, small_games
from wordle_kit_plugins.sengupta import LetterwiseEntropy, other_guesses

import wordle_kit as wk

often = settings(deadline=None, max_examples=100)


# The twin


def bits_of(share):
    """The contribution of a share to an entropy; 0 unless the share is above zero."""
    return -share * math.log2(share) if share > 0 else 0.0


def score_by_hand(word, candidates):
    """The sum of what the word's symbols tell, each by itself, with counts that may be negative."""
    n = len(candidates)
    score = 0.0
    for place, symbol in enumerate(word):
        correct = sum(other[place] == symbol for other in candidates)
        elsewhere = 0
        if symbol not in word[:place]:
            for there in range(len(word)):
                here = [other[there] for other in candidates]
                if set(here) != {symbol}:
                    elsewhere += here.count(symbol)
            elsewhere -= correct
        rest = n - elsewhere - correct
        score += bits_of(correct / n) + bits_of(elsewhere / n) + bits_of(rest / n)
    return score


def best_by_hand(position, words, endgame):
    """The words that may be guessed here: with few candidates the first one, else all of the greatest score.

    If one of these tells nothing, those of the greatest score that tell something may be guessed instead.
    """
    candidates = position.board.words
    if len(candidates) <= max(1, endgame):
        return [candidates[0]]
    game = position.game
    answers = set(game.answers)
    allowed = [guess for guess in game.guesses if position.problem_with(guess) is None]
    pool = [guess for guess in allowed if words == "all" or guess not in answers] or allowed
    best = greatest_by_hand(pool, candidates)
    telling = [guess for guess in pool if guess in candidates or len(position.board.split(guess)) > 1]
    useful = [guess for guess in best if guess in telling]
    return useful if useful == best else useful + greatest_by_hand(telling or candidates, candidates)


def greatest_by_hand(pool, candidates):
    """The words of the greatest score."""
    scores = {guess: score_by_hand(guess, candidates) for guess in pool}
    return [guess for guess in pool if scores[guess] >= max(scores.values()) - 1e-9]


POSITIONS = positions(
    small_games(
        rules=["wordle", "wordle-uncounted", "wordle-left-to-right"],
        orders=["as-listed"],
        symbols=[2, 4, 5],
        hard_mode=[True, False, False, False, False],
    )
)


# The strategy


@often
@given(position=POSITIONS)
def test_the_score_of_a_word_is_the_sum_of_its_symbols(position):
    scores = LetterwiseEntropy().scores(position.board, None)
    by_hand = [-score_by_hand(guess, position.board.words) for guess in position.game.guesses]
    assert scores.tolist() == pytest.approx(by_hand, abs=1e-12)


@often
@given(position=POSITIONS)
def test_with_weights_a_candidate_counts_as_if_it_were_there_several_times(position):
    answers = position.game.answers
    game = position.game.replace(weights=([3, 1, 2] * len(answers))[: len(answers)])
    board = wk.Board(game, position.board.candidates)
    copies = [
        word for word, at in zip(board.words, board.candidates, strict=True) for _ in range(int(game.weights[at]))
    ]
    by_hand = [-score_by_hand(guess, copies) for guess in game.guesses]
    assert LetterwiseEntropy().scores(board, None).tolist() == pytest.approx(by_hand, abs=1e-12)


@often
@given(position=POSITIONS, words=st.sampled_from(["others", "all"]), endgame=st.integers(0, 4))
def test_it_guesses_a_word_of_the_greatest_score(position, words, endgame):
    if position.allowed is not None and not len(position.allowed):
        return
    strategy = LetterwiseEntropy(words=words, endgame=endgame)
    assert strategy.guess(position) in best_by_hand(position, words, endgame)


@pytest.mark.parametrize("moves", [["soare=00000"], ["soare=01000", "clint=00000"], ["soare=00111"]])
@pytest.mark.parametrize("words", ["others", "all"])
def test_it_guesses_a_word_of_the_greatest_score_in_wordle(moves, words):
    game = wk.load_game("wordle")
    position = wk.Position.start(game)
    for move in moves:
        position = position.after(*move.split("="))
    board = position.board
    assert 3 <= len(board) <= 200
    scores = LetterwiseEntropy().scores(board, None)
    sample = [*game.guesses[::500], LetterwiseEntropy(words=words).guess(position)]
    by_hand = {word: score_by_hand(word, board.words) for word in sample}
    assert [-scores[game.guess_index[word]] for word in sample] == pytest.approx(list(by_hand.values()), abs=1e-12)
    pool = other_guesses(game) if words == "others" else np.arange(len(game.guesses))
    assert by_hand[sample[-1]] == pytest.approx(-scores[pool].min(), abs=1e-12)


# What each choice means, by example

TRIO = {"name": "trio", "alphabet": "abcd", "length": 2, "order": "as-listed"}


def test_a_symbol_that_all_candidates_have_in_one_place_counts_below_zero_in_others():
    """All three begin with a: correct 3, elsewhere -3, and so 3 are left for absent; none of it tells anything."""
    board = wk.Position.start(wk.load_game(TRIO | {"answers": ["ab", "ac", "ad"], "guesses": ["aa", "da"]})).board
    scores = dict(zip(board.game.guesses, -LetterwiseEntropy().scores(board, None), strict=True))
    assert scores["aa"] == 0
    assert scores["ab"] == pytest.approx(bits_of(1 / 3) + bits_of(2 / 3))
    # In da the a is nowhere correct, and the place where all have it is left out: it looks absent.
    assert scores["da"] == pytest.approx(bits_of(1 / 3) + bits_of(2 / 3))


def test_answers_are_guessed_only_at_the_end_unless_all_words_are():
    game = wk.load_game("wordle")
    start = wk.Position.start(game)
    position = start.after("soare", "00000")
    assert LetterwiseEntropy().guess(position) not in game.answer_index
    pool = LetterwiseEntropy(words="all").considered(position)
    assert pool is None or len(pool) == len(game.guesses)


def test_of_two_candidates_the_first_is_guessed_and_of_more_only_if_the_endgame_says_so():
    game = wk.load_game(TRIO | {"answers": ["da", "ab", "ac"], "guesses": ["bc", "dd"]})
    start = wk.Position.start(game)
    two = start.after("dd", "00")
    assert two.board.words == ("ab", "ac")
    assert LetterwiseEntropy().guess(two) == "ab"
    assert LetterwiseEntropy(endgame=1).guess(two) == "bc"
    assert LetterwiseEntropy(endgame=3).guess(start) == "da"


def test_a_guess_that_tells_nothing_is_not_repeated():
    """In hard mode after cbc, aab has the most letterwise bits, but it gets the same feedback for all words left."""
    fields = {"name": "few", "alphabet": "abc", "length": 3, "hard_mode": True, "guesses": ["ccc", "cac", "aab", "bca"]}
    answers = ["cbc", "abb", "cab", "bcb", "aaa", "bbb", "cba", "ccb", "caa"]
    game = wk.load_game(fields | {"answers": answers})
    plays = wk.play(LetterwiseEntropy(), game)
    assert max(play.turns for play in plays) <= len(answers)
    assert all(len(set(play.guesses)) == len(play.guesses) for play in plays)


def test_it_says_which_rules_tell_it_nothing():
    assert "'mastermind'" in LetterwiseEntropy().problem_with(wk.load_game("mastermind"))
    assert LetterwiseEntropy().problem_with(wk.load_game("glyphs")) is None
