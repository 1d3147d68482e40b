"""Metrics: the figures of a row are what the statistics module makes of the plays."""

import json
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.api import load_puzzles
from wordle_kit.leaderboard.compare import compare
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.leaderboard.rows import measure
from wordle_kit.leaderboard.significance import interval_of_mean
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Outcome, Play, StoredRun

GAME = wk.load_game({"name": "abc", "alphabet": "abcd", "length": 3, "answers": "all"})


def counted_by_hand(run):
    """Return the guesses that each play counts with: never solved is one more than the cap."""
    return [play.turns if play.turns is not None else run.facts.cap + 1 for play in run.plays]


@given(...)
def test_mean_deviation_and_quantiles_are_those_of_the_statistics_module(run: StoredRun):
    row, guesses = measure(run), counted_by_hand(run)
    assert row.total_guesses == sum(guesses)
    assert row.mean == pytest.approx(statistics.mean(guesses))
    assert row.std == pytest.approx(statistics.pstdev(guesses), abs=1e-6)
    assert (row.min, row.median, row.max) == (min(guesses), statistics.median(guesses), max(guesses))


@given(...)
def test_every_puzzle_is_solved_or_failed(run: StoredRun):
    row = measure(run)
    assert row.games == len(run.plays)
    assert row.solved == [play.outcome for play in run.plays].count(Outcome.SOLVED)
    assert row.failed == row.games - row.solved == sum(row.outcomes.values())
    assert row.failure == pytest.approx(row.failed / row.games)


@given(...)
def test_the_distribution_counts_every_puzzle_once_in_the_order_of_the_guesses(run: StoredRun):
    distribution = measure(run).distribution
    turns = [play.turns for play in run.plays]
    numbers = sorted({taken for taken in turns if taken is not None})
    by_hand = {str(number): turns.count(number) for number in numbers} | {"unsolved": turns.count(None)}
    assert distribution == {name: count for name, count in by_hand.items() if count}
    assert [name for name in distribution if name != "unsolved"] == [str(number) for number in numbers]
    assert sum(distribution.values()) == len(run.plays)


@given(...)
def test_outcomes_count_how_the_failed_plays_ended_and_the_first_fault_is_told(run: StoredRun):
    row = measure(run)
    ended = [play.outcome for play in run.plays]
    assert row.outcomes == {
        str(outcome): ended.count(outcome) for outcome in sorted(set(ended) - {Outcome.SOLVED}, key=str)
    }
    faults = [play for play in run.plays if play.outcome in (Outcome.ILLEGAL, Outcome.CRASHED, Outcome.TIMED_OUT)]
    told = f"{faults[0].puzzle[0]}: {faults[0].message}" if faults else ""
    reasons = [play.message for play in run.plays if play.outcome is Outcome.NOT_ASKED]
    assert row.problem == told + (f"; then it was not asked: {reasons[0]}" if reasons else "")


@given(...)
def test_the_opener_is_the_first_guess_made_most_often(run: StoredRun):
    openers = [play.guesses[0] for play in run.plays if play.guesses]
    assert measure(run).opener == (statistics.mode(sorted(openers)) if openers else None)


@given(...)
def test_only_samples_of_several_puzzles_that_were_not_all_faults_have_an_interval_of_the_mean(run: StoredRun):
    interval = measure(run).interval
    if not run.facts.is_sample or len(run.plays) == 1 or all(play.outcome.is_fault for play in run.plays):
        assert interval is None
    else:
        assert interval == interval_of_mean(counted_by_hand(run), run.facts.population)


@pytest.mark.parametrize(("allowed", "share"), [(1, 0.2), (2, 0.4), (3, 0.4)])
def test_a_puzzle_that_took_more_guesses_than_allowed_is_not_excellent(run_with, allowed, share):
    plays = [
        Play((str(turns),), (), (), Outcome.SOLVED if turns <= allowed else Outcome.OUT_OF_GUESSES, turns)
        for turns in (1, 2, 3, 4, 5)
    ]
    assert measure(run_with(plays, max_guesses=allowed, cap=25)).excellent == share


@pytest.mark.parametrize("boards", [1, 3])
def test_boards_are_solved_at_the_mean_turn_of_the_first_that_was_solved_of_the_second_and_so_on(boards):
    (row,) = (board := wk.tournament(GAME.replace(boards=boards), ["random-consistent"], 40, workers=1)).rows
    turns = [sorted(play.board_turns) for play in board.plays("random-consistent")]
    means = list(row.boards.values())
    assert means == pytest.approx([statistics.mean(each) for each in zip(*turns, strict=True)])
    assert means == sorted(means)
    assert means[-1] == pytest.approx(row.mean)


@pytest.mark.parametrize("strategy", ["first-consistent", "random-consistent"])
def test_decisions_are_counted_as_by_a_single_referee(strategy):
    played = Referee(GAME, wk.load_strategy(strategy), "seed 0", 30.0).play(load_puzzles(GAME))
    (row,) = wk.tournament(GAME, [strategy], workers=1).rows
    assert row.decisions == played.calls


# Weights

FIELDS = {"name": "weighted", "alphabet": "abc", "length": 2, "answers": "all"}
OPTIONAL = {metric.name for metric in METRICS if metric.is_optional}
WEIGHTS = {"aa": 9.0, "cc": 4.5, "ab": 0.0}
WEIGHTED = wk.load_game(FIELDS | {"weights": WEIGHTS})
STRATEGIES = ["first-consistent", "predefined-words"]

turns = st.lists(
    st.tuples(st.none() | st.integers(1, 30), st.none() | st.integers(1, 30), st.integers(0, 5)), min_size=1
)
weighed = turns.filter(lambda puzzles: any(weight for *_, weight in puzzles))


@pytest.fixture(scope="module")
def board():
    """Return the leaderboard of two strategies on all puzzles of a game with weights."""
    return wk.tournament(WEIGHTED, STRATEGIES, workers=1)


def repeated(values, weights):
    """Return the values, each as often as its weight says."""
    return [value for value, weight in zip(values, weights, strict=True) for _ in range(weight)]


@given(puzzles=weighed)
def test_the_weighted_figures_of_a_row_are_the_others_with_each_puzzle_repeated(run_of, puzzles):
    taken, _, weights = zip(*puzzles, strict=True)
    row = measure(run_of(taken, weights=weights))
    twin = measure(run_of(repeated(taken, weights)))
    figures = (row.weighted_mean, row.weighted_failure)
    assert figures == pytest.approx((twin.mean, twin.failure), abs=1e-6)


@given(puzzles=weighed)
def test_the_weighted_difference_of_a_comparison_is_the_mean_one_with_each_puzzle_repeated(run_of, puzzles):
    *pair, weights = zip(*puzzles, strict=True)
    found = compare(*(run_of(taken, weights=weights) for taken in pair))
    twin = compare(*(run_of(repeated(taken, weights)) for taken in pair))
    assert found.weighted_difference == pytest.approx(twin.mean_difference, abs=1e-9)


@given(...)
def test_puzzles_without_weights_have_no_weighted_figures(run: StoredRun):
    assert not measure(run).as_dict().keys() & OPTIONAL
    assert compare(run, run).weighted_difference is None


def test_tables_have_the_weighted_mean_beside_the_other(board):
    first = board.rows[0]
    assert board.table().split()[:4] == ["strategy", "mean", "weighted", "mean"]
    assert f"{first.mean:.4f}           {first.weighted_mean:.4f}" in board.table()
    assert "weighted failure" in board.table(columns="all")
    rows = json.loads(board.table("json"))["rows"]
    assert [row["weighted_mean"] for row in rows] == [row.weighted_mean for row in board.rows]


@pytest.mark.slow
def test_data_frames_have_the_weighted_figures(board):
    pytest.importorskip("pandas")
    frame = board.to_pandas()
    assert frame["weighted_mean"].tolist() == [row.weighted_mean for row in board.rows]
    compared = board.compare(*STRATEGIES)
    assert compared.to_pandas()["weighted_difference"].tolist() == [compared.weighted_difference]
    assert "weighted_mean" not in wk.tournament(WEIGHTED.replace(weights=None), STRATEGIES, workers=1).to_pandas()


def test_the_mean_of_puzzles_drawn_by_weight_estimates_the_weighted_mean(board):
    (drawn,) = wk.tournament(WEIGHTED, ["first-consistent"], 2000, workers=1).rows
    (played,) = (row for row in board.rows if row.strategy == "first-consistent")
    low, high = drawn.interval
    assert drawn.mean - 2 * (drawn.mean - low) < played.weighted_mean < drawn.mean + 2 * (high - drawn.mean)
    assert drawn.weighted_mean is None
    assert abs(played.mean - drawn.mean) > 3 * (high - drawn.mean)


def test_if_every_answer_was_played_the_weighted_mean_ranks(run_of):
    often = run_of([1, 5, 5], strategy="often", weights=(8.0, 1.0, 1.0), is_all=True)
    seldom = run_of([3, 3, 3], strategy="seldom", weights=(8.0, 1.0, 1.0), is_all=True)
    ranked = Leaderboard((seldom, often))
    assert [(row.strategy, row.weighted_mean) for row in ranked.rows] == [("often", 1.8), ("seldom", 3.0)]
    assert "ranked by the weighted mean" in ranked.notes[1]


def test_in_a_list_of_puzzles_each_counts_once_in_the_ranking(run_of):
    often, seldom = (run_of(taken, strategy=str(taken), weights=(8.0, 1.0, 1.0)) for taken in ([1, 5, 5], [3, 3, 3]))
    ranked = Leaderboard((often, seldom))
    assert [row.mean for row in ranked.rows] == sorted(row.mean for row in ranked.rows)
    assert ranked.rows[0].weighted_mean > ranked.rows[1].weighted_mean
    assert "counts once" in ranked.notes[1]
