"""`expected-guesses` against a slow twin, with and without weights, and on the real answers of the New York Times."""

import math
import random
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, small_games
from wordle_kit_plugins.expected_guesses import ExpectedGuesses

import wordle_kit as wk

REAL = Path(__file__).parents[2].parent / "shared" / "words" / "nyt-2023-answers.txt"
STRATEGY = ExpectedGuesses()
often = settings(deadline=None, max_examples=40)


def expected(board, guess):
    """One guess, and in each part that does not win sqrt(1 + bits) more, weighed by the part's probability."""
    parts = defaultdict(list)
    for word, weight in zip(board.words, board.weights.tolist(), strict=True):
        parts[board.game.feedback(guess, word)].append(weight / board.mass)
    total = 1.0
    for feedback, shares in parts.items():
        mass = sum(shares)
        if not feedback.wins and mass > 0:
            bits = -sum(share / mass * math.log2(share / mass) for share in shares if share > 0)
            total += mass * math.sqrt(1 + bits)
    return total


@st.composite
def weighted_games(draw):
    """Draw a game whose answers have weights, some of them 0."""
    game = draw(small_games(symbols=[2, 4, 5], lengths=[2, 3, 4], answers=(2, 25), guesses=(0, 100), boards=(1, 2)))
    dice = random.Random(draw(st.integers(0, 2**32)))
    weights = [dice.choice([0, 0.001, 1, dice.random()]) for _ in game.answers]
    return game.replace(weights=weights if any(weights) else None)


@often
@given(positions(st.one_of(weighted_games(), small_games())))
def test_the_score_is_the_expected_number_of_guesses(position):
    for board in position.open_boards:
        scores = STRATEGY.scores(board, None)
        assert scores == pytest.approx([expected(board, guess) for guess in board.game.guesses], abs=1e-9)
        some = board.candidate_guesses
        assert STRATEGY.scores(board, some) == pytest.approx(scores[some], abs=1e-12)


@pytest.mark.parametrize("weights", [None, {"abcd": 1.0, "dcba": 1.0, "bbbb": 2.0}])
def test_more_candidates_than_codes_are_counted_like_few(weights):
    fields = {"name": "long", "alphabet": "abcd", "length": 4, "answers": "all", "rule": "mastermind"}
    board = wk.Position.start(wk.load_game(fields | ({"weights": weights} if weights else {}))).board
    assert len(board) > board.game.table.n_codes
    guesses = board.game.guesses[::37]
    ids = [board.game.index_of_guess(guess) for guess in guesses]
    assert STRATEGY.scores(board, None)[ids] == pytest.approx([expected(board, guess) for guess in guesses])


@pytest.mark.parametrize("likely", ["abcd", "dcba"])
def test_of_two_words_it_guesses_the_likelier(likely):
    fields = {"name": "two", "alphabet": "abcd", "length": 4, "answers": ["abcd", "dcba"]}
    game = wk.load_game(fields | {"weights": {likely: 3.0}})
    assert STRATEGY.guess(wk.Position.start(game)) == likely


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_file(), reason="needs shared/words, which lies beside the checkout, not in it")
def test_it_solves_the_real_answers_of_the_new_york_times():
    """Its prior knows none of them, so the figures say how well it helps with a puzzle that nobody has seen."""
    answers = REAL.read_text(encoding="ascii").split()
    plays = wk.play(STRATEGY, "wordle-nyt", answers, deadline=600)
    guesses = [len(play.guesses) for play in plays]
    assert len(guesses) == 3158
    assert sum(guesses) / len(guesses) <= 3.68
    assert sum(count > 6 for count in guesses) <= 0.003 * len(guesses)
