"""Fetterman's greedy entropy against a slow twin, on one board and on several, and his game of one board."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from strategies import positions, small_games
from wordle_kit_data import FOLDER
from wordle_kit_plugins.fetterman import GreedyEntropy

import wordle_kit as wk
from wordle_kit.explain import top_rows

often = settings(deadline=None, max_examples=100)


# The twin


def missing_bits(board, guess):
    """The bits expected to be missing after a guess."""
    sizes = Counter(str(board.game.feedback(guess, answer)) for answer in board.words).values()
    return sum(size / len(board) * math.log2(size) for size in sizes)


def first_of_the_least(boards, guesses):
    """The first guess of the least sum over the boards, and that sum."""
    scores = {guess: sum(missing_bits(board, guess) for board in boards) for guess in guesses}
    return next((guess, scores[guess]) for guess in guesses if scores[guess] <= min(scores.values()) + 1e-9)


def guess_by_hand(position, combine):
    """A word that solves a board for certain; otherwise the guess of the least sum, or of the board with the least.

    In hard mode it may be one that was made before. Then it is the best of those that tell something, if there are any.
    """
    boards = position.open_boards
    allowed = [guess for guess in position.game.guesses if position.problem_with(guess) is None]
    certain = [board.words[0] for board in boards if len(board) == 1 and board.words[0] in allowed]
    if combine == "min" and certain:
        return certain[0]
    if certain:
        solves_most = [guess for guess in allowed if certain.count(guess) == max(map(certain.count, certain))]
        return first_of_the_least([board for board in boards if len(board) > 1], solves_most)[0]
    best = least_by_hand(boards, allowed, combine)
    if tells_something(boards, best):
        return best
    telling = [guess for guess in allowed if tells_something(boards, guess)]
    return least_by_hand(boards, telling or [g for g in allowed if g not in position.guesses] or allowed, combine)


def least_by_hand(boards, guesses, combine):
    """The first guess of the least sum, or of the board with the least."""
    if combine == "sum":
        return first_of_the_least(boards, guesses)[0]
    each = [first_of_the_least([board], guesses) for board in boards]
    return next(guess for guess, score in each if score <= min(score for _, score in each) + 1e-9)


def tells_something(boards, guess):
    """Whether a guess may be right on a board, or splits what is left on it."""
    return any(guess in board.words or len(board.split(guess)) > 1 for board in boards)


POSITIONS = positions(
    small_games(
        rules=["wordle-left-to-right", "wordle"],
        orders=["as-listed", "alphabetical"],
        symbols=[2, 4],
        answers=(1, 20),
        guesses=(0, 20),
        boards=[1, 1, 2, 4],
        hard_mode=[True, False, False, False, False],
    ),
    turns=[0, 1, 2, 3],
)


@pytest.fixture(scope="module")
def one_board():
    """Return the game of the paper: the lists of 2022, his rule, the order of his language."""
    answers, guesses = (
        (FOLDER / "words" / f"fetterman-{kind}.txt").read_text("ascii").split() for kind in ("answers", "guesses")
    )
    fields = {
        "name": "one-board",
        "alphabet": "abcdefghijklmnopqrstuvwxyz",
        "length": 5,
        "rule": "wordle-left-to-right",
    }
    return wk.load_game(fields | {"order": "as-listed", "answers": answers, "guesses": guesses})


# The strategy


@often
@given(position=POSITIONS)
def test_a_guess_scores_the_bits_expected_to_be_missing(position):
    for board in position.open_boards:
        by_hand = [missing_bits(board, guess) for guess in board.game.guesses]
        assert GreedyEntropy().scores(board, None).tolist() == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("combine", ["sum", "min"])
@often
@given(position=POSITIONS)
def test_it_plays_a_certain_word_or_the_first_guess_of_the_fewest_missing_bits(combine, position):
    assume(position.allowed is None or len(position.allowed))
    assert GreedyEntropy(combine=combine).guess(position) == guess_by_hand(position, combine)


def test_the_sum_looks_at_all_boards_and_the_minimum_at_the_best():
    """ab tells all about the first board and nothing about the second; ae tells something about both."""
    fields = {
        "name": "boards",
        "alphabet": "abcdefgx",
        "length": 2,
        "answers": ["ad", "bd", "cd", "xe", "xf", "xg", "da"],
        "guesses": ["ab", "ae", "dd"],
        "boards": 2,
    }
    position = wk.Position.start(wk.load_game(fields)).after("dd", ["02", "00"])
    assert [board.words for board in position.boards] == [("ad", "bd", "cd"), ("xe", "xf", "xg")]
    assert GreedyEntropy(combine="sum").guess(position) == "ae"
    assert GreedyEntropy(combine="min").guess(position) == "ab"


@pytest.mark.parametrize(("combine", "guess"), [("sum", "bb"), ("min", "aa")])
def test_of_several_certain_words_the_sum_plays_the_most_telling_and_the_minimum_the_first(combine, guess):
    """aa is sure to solve the first board, and bb the second; bb also tells the words of the third apart."""
    game = wk.load_game({"name": "abc", "alphabet": "abcd", "length": 2, "answers": ["aa", "bb", "bd", "cd"]})
    left = [np.array(ids, dtype=np.int32) for ids in ([0], [1], [2, 3])]
    position = wk.Position(game.replace(boards=3), [wk.Board(game.replace(boards=3), ids) for ids in left])
    assert GreedyEntropy(combine=combine).guess(position) == guess


def test_of_equal_guesses_the_first_of_the_list_goes_first_unless_candidates_do():
    fields = {"name": "rhymes", "alphabet": "abcdx", "length": 2, "answers": ["cx", "dx"], "guesses": ["ca"]}
    start = wk.Position.start(wk.load_game(fields))
    assert GreedyEntropy().guess(start) == "ca"
    assert GreedyEntropy(ties="candidates-first").guess(start) == "cx"


# The game of the paper


def test_geese_gets_a_colour_against_elite_that_the_standard_rule_does_not_give(one_board):
    assert str(one_board.feedback("geese", "elite")) == "01102"
    assert str(wk.load_game("wordle-2022").feedback("geese", "elite")) == "01002"


def test_soare_opens_and_the_ten_best_openers_are_those_of_the_paper(one_board):
    strategy = GreedyEntropy()
    assert strategy.guess(wk.Position.start(one_board)) == "soare"
    best = ["soare", "roate", "raise", "reast", "raile", "slate", "salet", "crate", "irate", "trace"]
    assert [row["word"] for row in top_rows(wk.Position.start(one_board), strategy, 10)] == best
    assert [row["word"] for row in top_rows(wk.Position.start(one_board), strategy, 10) if row["answer"] == "yes"] == [
        *("raise", "slate", "crate", "irate", "trace")
    ]


@pytest.mark.slow
def test_added_up_as_printed_the_bits_are_the_same_but_for_rounding_and_so_are_the_guesses():
    game = wk.load_game("wordle-2022")
    board = wk.Position.start(game).after("soare", "00120").board
    fast, printed = GreedyEntropy(), GreedyEntropy(summed="as-printed")
    assert printed.scores(board, None) == pytest.approx(fast.scores(board, None), abs=1e-12)
    puzzles = game.answers[::100]
    assert wk.play(printed, game, puzzles) == wk.play(fast, game, puzzles)
    assert "'mastermind'" in printed.problem_with(wk.load_game("mastermind"))
