"""Tyl's estimators against slow twins, written from the definitions that give the figures."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from strategies import positions, small_games
from wordle_kit_plugins.tyl import EntropicEstimator, StatisticalEstimator

import wordle_kit as wk

often = settings(deadline=None, max_examples=150)


# The twins


def sizes_of(board, guess):
    """How many candidates get each feedback."""
    return Counter(str(board.game.feedback(guess, answer)) for answer in board.words).values()


def statistical(board, guess):
    """The guesses needed if each shrinks the expected number left by the same factor as this one."""
    n = len(board)
    left = sum(size * size for size in sizes_of(board, guess)) / n
    return math.inf if left == n else 1 + math.log(n) / math.log(n / left)


def entropic(board, guess):
    """The guesses needed if each gives as many bits as this one is expected to give."""
    n = len(board)
    bits = -sum(size / n * math.log2(size / n) for size in sizes_of(board, guess))
    return math.inf if len(sizes_of(board, guess)) == 1 else 1 + math.log2(n) / bits


def estimate(board, guess, needed):
    """One guess with the probability that this one wins, otherwise the guesses needed."""
    chance = 1 / len(board) if guess in board.words else 0
    return chance + (1 - chance) * needed(board, guess)


ESTIMATORS = {StatisticalEstimator: statistical, EntropicEstimator: entropic}
every_estimator = pytest.mark.parametrize("kind", ESTIMATORS)


POSITIONS = positions(
    small_games(
        orders=["alphabetical", "answers-first", "as-listed"], symbols=[2, 4, 5], lengths=[2, 3, 4], answers=(2, 25)
    ),
    candidates=2,
)


# The estimates


@every_estimator
@often
@given(position=POSITIONS)
def test_a_guess_scores_the_guesses_that_are_estimated_to_be_needed(kind, position):
    board = position.board
    by_hand = [estimate(board, guess, ESTIMATORS[kind]) for guess in board.game.guesses]
    assert kind().scores(board, None).tolist() == pytest.approx(by_hand, rel=1e-9)


@every_estimator
@often
@given(position=POSITIONS)
def test_the_first_guess_of_the_least_estimate_is_played(kind, position):
    board = position.board
    estimates = {guess: estimate(board, guess, ESTIMATORS[kind]) for guess in board.game.guesses}
    least = min(estimates.values())
    assert kind().guess(position) == next(guess for guess in estimates if estimates[guess] <= least + 1e-9)


@every_estimator
@often
@given(position=POSITIONS)
def test_a_guess_that_tells_nothing_is_never_made(kind, position):
    guess = kind().guess(position)
    assert guess in position.board.words or len(position.board.split(guess)) > 1


@every_estimator
@pytest.mark.parametrize("moves", [[], ["roate=00000"], ["soare=20000"]])
def test_guesses_of_wordle_score_what_the_definition_says(kind, moves):
    game = wk.load_game("wordle")
    position = wk.Position.start(game)
    for move in moves:
        position = position.after(*move.split("="))
    scores = kind().scores(position.board, None)
    played = kind().guess(position)
    sample = ["fuzzy", "jazzy", *game.guesses[:: 6000 if not moves else 400], played]
    by_hand = {guess: estimate(position.board, guess, ESTIMATORS[kind]) for guess in sample}
    assert [scores[game.guess_ids[guess]] for guess in sample] == pytest.approx([by_hand[guess] for guess in sample])
    assert by_hand[played] == pytest.approx(scores.min(), abs=1e-9)


def test_what_can_be_counted_by_hand():
    """Of four candidates, ab is told apart from the three others, so that 10 / 4 are expected to be left."""
    answers = ["ab", "cc", "cd", "dd"]
    game = wk.load_game({"name": "four", "alphabet": "abcd", "length": 2, "answers": answers})
    board = wk.Position.start(game).board
    assert sorted(sizes_of(board, "ab")) == [1, 3]
    statistical_ab = dict(zip(game.guesses, StatisticalEstimator().scores(board, None), strict=True))["ab"]
    assert statistical_ab == pytest.approx(1 / 4 + 3 / 4 * (1 + math.log(4) / math.log(4 / 2.5)))
    entropic_ab = dict(zip(game.guesses, EntropicEstimator().scores(board, None), strict=True))["ab"]
    bits = 3 / 4 * math.log2(4 / 3) + 1 / 4 * 2
    assert entropic_ab == pytest.approx(1 / 4 + 3 / 4 * (1 + 2 / bits))


@every_estimator
def test_a_guess_that_tells_everything_and_may_win_is_estimated_to_need_less_than_two(kind):
    game = wk.load_game({"name": "pair", "alphabet": "ab", "length": 2, "answers": ["ab", "ba"], "guesses": ["aa"]})
    scores = dict(zip(game.guesses, kind().scores(wk.Position.start(game).board, None), strict=True))
    assert scores["ab"] == pytest.approx(1.5)


@every_estimator
def test_a_board_with_one_candidate_needs_one_guess_and_one_more_if_another_is_made_first(kind):
    game = wk.load_game({"name": "one", "alphabet": "ab", "length": 2, "answers": ["ab"], "guesses": ["bb"]})
    scores = dict(zip(game.guesses, kind().scores(wk.Position.start(game).board, None), strict=True))
    assert scores == {"ab": 1, "bb": 2}


@pytest.mark.parametrize(("kind", "opener"), [(StatisticalEstimator, "roate"), (EntropicEstimator, "soare")])
def test_its_first_guess_in_the_wordle_of_2021_is_known(kind, opener):
    assert kind().guess(wk.Position.start(wk.load_game("wordle"))) == opener
