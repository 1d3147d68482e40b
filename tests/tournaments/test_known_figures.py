"""Figures that several public solvers agree on: 2,315 answers, 12,972 guesses, the textbook heuristics."""

import math
import statistics

import pytest
from games import bundled

import wordle_kit as wk

WORDLE = bundled("wordle")
"""Wordle with the lists of 2021."""

N = 2315

TEXTBOOK = {
    # strategy               total  mean    std     max  opener
    "entropy":               (8020, 3.4644, 0.5863, 6, "soare"),
    "most-parts":            (7949, 3.4337, 0.6139, 6, "trace"),
    "expected-size":         (8059, 3.4812, 0.5752, 5, "roate"),
    "minimax":               (8272, 3.5732, 0.6250, 6, "arise"),
    "minimax(opener=raise)": (8245, 3.5616, 0.6172, 5, "raise"),
}  # fmt: skip
"""Plain: ties within 1e-9 go to words that may still be the answer, then by the alphabet. The std divides by n."""

RANDOM_MEAN, RANDOM_STD = 4.0834, 1.038
"""A random consistent word, by many repetitions."""


def test_the_textbook_heuristics_take_exactly_as_many_guesses_as_is_known():
    board = wk.tournament(WORDLE, list(TEXTBOOK), workers=1)
    assert {row.failed for row in board.rows} == {0}
    assert {
        row.strategy: (row.total_guesses, round(row.mean, 4), round(row.std, 4), row.max, row.opener)
        for row in board.rows
    } == TEXTBOOK


def test_a_random_consistent_word_takes_about_as_many_guesses_as_is_known():
    turns = [play.turns for play in wk.play("random-consistent", WORDLE)]
    assert len(turns) == N
    assert statistics.mean(turns) == pytest.approx(RANDOM_MEAN, abs=5 * RANDOM_STD / math.sqrt(N))
    assert statistics.pstdev(turns) == pytest.approx(RANDOM_STD, abs=0.1)


def test_the_textbook_heuristics_take_the_same_guesses_where_the_feedback_table_does_not_fit_memory():
    small = WORDLE.replace(memory=2**20)
    assert not small.table.is_dense
    puzzles = WORDLE.answers[::60]
    for strategy in ("entropy(opener=soare)", "minimax(opener=arise)"):
        assert wk.play(strategy, small, puzzles) == wk.play(strategy, WORDLE, puzzles)
