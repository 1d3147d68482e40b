"""Rewards: each formula, computed again by hand, and what games get in sum."""

import math
import random

import pytest
from hypothesis import given, settings
from strategies import positions, small_games
from wordle_kit_plugins.environments.rewards import REWARDS, Information
from wordle_kit_plugins.environments.text_game import TextGame

import wordle_kit as wk

TINY = wk.load_game({"name": "tiny", "alphabet": "abcd", "length": 2, "answers": "all", "max_guesses": 4})


def played(game, guesses, **arguments):
    """Return a text game after some guesses."""
    text = TextGame(game, **arguments)
    text.reset()
    for guess in guesses:
        if not text.is_over:
            text.guess(guess)
    return text


def test_solved_gets_1_at_the_end_and_guesses_minus_1_each():
    answers = {"puzzles": ["cc"]}
    assert played(TINY, ["aa", "ab", "cc"], reward="solved", **answers).reward() == 1
    assert played(TINY, ["aa", "ab", "ac", "ad"], reward="solved", **answers).reward() == 0
    solved = played(TINY, ["aa", "ab", "cc"], reward="guesses", **answers)
    assert solved.scores == [-1, -1, -1]
    assert played(TINY, ["aa", "ab", "ac", "ad"], reward="guesses", **answers).reward() == -5


@pytest.mark.parametrize("reward", REWARDS)
def test_a_game_that_is_left_gets_no_more_than_one_that_is_played_on(reward):
    dice = random.Random(5)
    text = TextGame(TINY, reward=reward, seed=4)
    for _ in range(40):
        text.reset()
        worth = [text.reward()]
        while not text.is_over:
            text.guess(dice.choice(TINY.guesses))
            worth.append(text.reward())
        assert worth[0] <= worth[-1] + 1e-9
        assert worth == pytest.approx(sorted(worth))


@pytest.mark.parametrize("reward", REWARDS)
def test_a_game_that_ends_by_refused_guesses_gets_what_one_that_is_left_gets(reward):
    text = played(TINY, ["ab", "aa"], puzzles=["cc"], reward=reward, most_refused=3)
    left = text.reward()
    for _ in range(3):
        text.guess("nonsense")
    assert text.is_over
    assert text.reward() == pytest.approx(left)
    assert sum(text.scores) == pytest.approx(left)


def entropy_of(game, boards, guess):
    """Return the bits that a guess is expected to give on boards, given as lists of words, by the definition."""
    total = 0.0
    for words in boards:
        weights = {word: 1.0 if game.weights is None else game.weights[game.answers.index(word)] for word in words}
        if not sum(weights.values()):
            weights = dict.fromkeys(words, 1.0)
        parts = {}
        for word in words:
            code = game.feedback(guess, word).code
            parts[code] = parts.get(code, 0.0) + weights[word]
        whole = sum(parts.values())
        total -= sum(part / whole * math.log2(part / whole) for part in parts.values() if part)
    return total


@settings(max_examples=30, deadline=None)
@given(positions(small_games(lengths=(2, 3), boards=(1, 2), answers=(3, 15), guesses=(0, 8), weighted=True)))
def test_information_is_the_share_of_the_bits_of_the_best_guess(position):
    game = position.game
    boards = [board.words for board in position.open_boards]
    bits = [entropy_of(game, boards, guess) for guess in game.guesses]
    reward = Information()
    for guess in range(len(game.guesses)):
        share = 1 + reward.score(position, guess, position)
        if max(bits) > 1e-9:
            assert share == pytest.approx(bits[guess] / max(bits), abs=1e-6)
        else:
            assert share == any(words == (game.guesses[guess],) for words in boards)


def test_a_word_of_weight_0_that_is_hidden_after_all_gives_finite_bits():
    fields = {"name": "w", "alphabet": "ab", "length": 2, "answers": ["aa", "ab", "ba"]}
    game = wk.load_game(fields | {"weights": {"aa": 0, "ab": 1, "ba": 2}})
    for reward in REWARDS:
        text = played(game, ["ab", "aa"], puzzles=["aa"], reward=reward)
        assert math.isfinite(text.reward())
