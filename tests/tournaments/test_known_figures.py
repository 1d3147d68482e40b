"""Figures that several public solvers agree on: 2,315 answers, 12,972 guesses, the textbook heuristics."""

import json
import math
import statistics
from pathlib import Path

import pytest

import wordle_kit as wk

PUBLISHED = Path(__file__).parents[2] / "leaderboard" / "wordle.json"
"""The published leaderboard; `tests/test_published_leaderboards.py` plays it again."""

N = 2315

TEXTBOOK = [
    # strategy                 total  mean    std     max  opener
    ("entropy",                8020, 3.4644, 0.5863, 6, "soare"),
    ("most-parts",             7949, 3.4337, 0.6139, 6, "trace"),
    ("expected-size",          8059, 3.4812, 0.5752, 5, "roate"),
    ("minimax",                8272, 3.5732, 0.6250, 6, "arise"),
    ("minimax(opener=raise)",  8245, 3.5616, 0.6172, 5, "raise"),
]  # fmt: skip
"""Plain: ties within 1e-9 go to words that may still be the answer, then by the alphabet. The std divides by n."""

RANDOM_MEAN, RANDOM_STD = 4.0834, 1.038
"""A random consistent word, by many repetitions."""


@pytest.fixture(scope="module")
def game():
    """Return Wordle with the lists of 2021."""
    return wk.load_game("wordle")


@pytest.fixture(scope="module")
def published():
    """Return the published rows by strategy, best first."""
    return {row["strategy"]: row for row in json.loads(PUBLISHED.read_text(encoding="utf-8"))["rows"]}


@pytest.fixture(scope="module")
def rows(game, published):
    """Return the rows of the textbook heuristics over all puzzles: the published ones, and the others played here."""
    missing = [strategy for strategy, *_ in TEXTBOOK if strategy not in published]
    played = wk.tournament(game, missing, workers=1).as_dict()["rows"]
    return published | {row["strategy"]: row for row in played}


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "total", "mean", "std", "most", "opener"), TEXTBOOK)
def test_a_textbook_heuristic_takes_exactly_as_many_guesses_as_is_known(rows, strategy, total, mean, std, most, opener):
    row = rows[strategy]
    found = tuple(row[figure] for figure in ("games", "total_guesses", "max", "opener", "failed"))
    assert found == (N, total, most, opener, 0)
    assert (round(row["mean"], 4), round(row["std"], 4)) == (mean, std)


def test_the_heuristics_rank_by_their_means(published):
    by_mean = [strategy for strategy, *_ in sorted(TEXTBOOK, key=lambda figures: figures[1]) if strategy in published]
    assert [strategy for strategy in published if strategy in by_mean] == by_mean
    assert len(by_mean) == 4


def test_a_random_consistent_word_takes_about_as_many_guesses_as_is_known(game):
    turns = [play.turns for play in wk.play(wk.load_strategy("random-consistent"), game, seed=0)]
    assert statistics.mean(turns) == pytest.approx(RANDOM_MEAN, abs=5 * RANDOM_STD / math.sqrt(N))
    assert statistics.pstdev(turns) == pytest.approx(RANDOM_STD, abs=0.1)


def test_the_textbook_heuristics_take_the_same_guesses_where_the_feedback_table_does_not_fit_memory(game):
    small = game.replace(memory=2**20)
    assert not small.table.is_dense
    puzzles = game.answers[::60]
    for strategy in ("entropy(opener=soare)", "minimax(opener=arise)"):
        strategy = wk.load_strategy(strategy)
        assert wk.play(strategy, small, puzzles) == wk.play(strategy, game, puzzles)
