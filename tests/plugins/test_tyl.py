"""Tyl's estimators against slow twins, written from the definitions that give the figures."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, small_games
from wordle_kit_plugins.tyl import EntropicEstimator, StatisticalEstimator

import wordle_kit as wk

often = settings(deadline=None, max_examples=100)


# The twins


def sizes_of(board, guess):
    """How many candidates get each feedback, or how much they weigh."""
    sizes = Counter()
    for answer, weight in zip(board.words, board.weights.tolist(), strict=True):
        sizes[str(board.game.feedback(guess, answer))] += weight
    return [size for size in sizes.values() if size]


def left(sizes):
    """The size that is expected to be left of parts of these sizes, as a share of all."""
    return sum(size * size for size in sizes) / sum(sizes) ** 2


def bits(sizes):
    """The bits that parts of these sizes are expected to give."""
    return -sum(size / sum(sizes) * math.log2(size / sum(sizes)) for size in sizes)


def each(board):
    """The weights of the candidates: the parts of a guess that tells all of them apart."""
    return [weight for weight in board.weights.tolist() if weight]


def statistical(board, guess):
    """The guesses needed if each shrinks the expected number left by the same factor as this one."""
    sizes = sizes_of(board, guess)
    return math.inf if len(sizes) == 1 else 1 + math.log(left(each(board))) / math.log(left(sizes))


def entropic(board, guess):
    """The guesses needed if each gives as many bits as this one is expected to give."""
    sizes = sizes_of(board, guess)
    return math.inf if len(sizes) == 1 else 1 + bits(each(board)) / bits(sizes)


def estimate(board, guess, needed):
    """One guess with the probability that this one wins, otherwise the guesses needed."""
    weights = dict(zip(board.words, board.weights.tolist(), strict=True))
    chance = weights.get(guess, 0) / sum(weights.values())
    if len(each(board)) == 1:
        return 2 - chance
    return chance + (1 - chance) * needed(board, guess)


ESTIMATORS = {StatisticalEstimator: statistical, EntropicEstimator: entropic}
every_estimator = pytest.mark.parametrize("kind", ESTIMATORS)


POSITIONS = st.booleans().flatmap(
    lambda weighted: positions(
        small_games(
            orders=["alphabetical", "answers-first", "as-listed"],
            symbols=[2, 4, 5],
            lengths=[2, 3, 4],
            answers=(2, 25),
            weighted=weighted,
        ),
        candidates=2,
    )
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


@pytest.mark.slow
@every_estimator
@pytest.mark.parametrize("moves", [[], ["roate=00000"], ["soare=20000"]])
def test_the_scores_of_wordles_guesses_are_those_of_the_definition(kind, moves):
    game = wk.load_game("wordle")
    position = wk.Position.start(game)
    for move in moves:
        position = position.after(*move.split("="))
    scores = kind().scores(position.board, None)
    played = kind().guess(position)
    sample = ["fuzzy", "jazzy", *game.guesses[:: 6000 if not moves else 400], played]
    by_hand = {guess: estimate(position.board, guess, ESTIMATORS[kind]) for guess in sample}
    assert [scores[game.guess_index[guess]] for guess in sample] == pytest.approx([by_hand[guess] for guess in sample])
    assert by_hand[played] == pytest.approx(scores.min(), abs=1e-9)


@every_estimator
def test_a_board_with_one_candidate_needs_one_guess_and_one_more_if_another_is_made_first(kind):
    game = wk.load_game({"name": "one", "alphabet": "ab", "length": 2, "answers": ["ab"], "guesses": ["bb"]})
    scores = dict(zip(game.guesses, kind().scores(wk.Position.start(game).board, None), strict=True))
    assert scores == {"ab": 1, "bb": 2}


@pytest.mark.parametrize(("kind", "opener"), [(StatisticalEstimator, "roate"), (EntropicEstimator, "soare")])
def test_its_first_guess_in_the_wordle_of_2021_is_known(kind, opener):
    assert kind().guess(wk.Position.start(wk.load_game("wordle"))) == opener
