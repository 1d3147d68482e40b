"""Metrics: the figures of a row are what the statistics module makes of the plays."""

import statistics

import pytest
from hypothesis import given, settings
from wordle_kit_plugins.baselines import FirstConsistent

import wordle_kit as wk
from wordle_kit.api import load_puzzles
from wordle_kit.leaderboard.intervals import interval_of_mean
from wordle_kit.leaderboard.metrics import FAULTS, row_of
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import StoredRun

often = settings(deadline=None, max_examples=50)
GAME = wk.load_game({"name": "abc", "alphabet": "abcd", "length": 3, "answers": "all"})


def counted_by_hand(run):
    """Return the guesses that each play counts with: never solved is one more than the cap."""
    return [play.turns if play.turns is not None else run.facts.cap + 1 for play in run.plays]


@often
@given(...)
def test_mean_deviation_and_quantiles_are_those_of_the_statistics_module(run: StoredRun):
    row, guesses = row_of(run), counted_by_hand(run)
    assert row.total_guesses == sum(guesses)
    assert row.mean == pytest.approx(statistics.mean(guesses))
    assert row.std == pytest.approx(statistics.pstdev(guesses), abs=1e-6)
    assert (row.min, row.median, row.max) == (min(guesses), statistics.median(guesses), max(guesses))


@often
@given(...)
def test_every_puzzle_is_solved_or_failed(run: StoredRun):
    row = row_of(run)
    assert row.games == len(run.plays)
    assert row.solved == [play.outcome for play in run.plays].count(Outcome.SOLVED)
    assert row.failed == row.games - row.solved == sum(row.outcomes.values())
    assert row.failure == pytest.approx(row.failed / row.games)


@often
@given(...)
def test_excellent_is_the_share_solved_with_at_most_two_guesses(run: StoredRun):
    assert row_of(run).excellent == pytest.approx(statistics.mean(taken <= 2 for taken in counted_by_hand(run)))


@often
@given(...)
def test_the_distribution_counts_every_puzzle_once_in_the_order_of_the_guesses(run: StoredRun):
    distribution = row_of(run).distribution
    turns = [play.turns for play in run.plays]
    numbers = sorted({taken for taken in turns if taken is not None})
    by_hand = {str(number): turns.count(number) for number in numbers} | {"unsolved": turns.count(None)}
    assert distribution == {name: count for name, count in by_hand.items() if count}
    assert [name for name in distribution if name != "unsolved"] == [str(number) for number in numbers]
    assert sum(distribution.values()) == len(run.plays)


@often
@given(...)
def test_outcomes_count_how_the_failed_plays_ended_and_the_first_fault_is_told(run: StoredRun):
    row = row_of(run)
    ended = [play.outcome for play in run.plays]
    assert row.outcomes == {
        str(outcome): ended.count(outcome) for outcome in sorted(set(ended) - {Outcome.SOLVED}, key=str)
    }
    faults = [play for play in run.plays if play.outcome not in (Outcome.SOLVED, Outcome.OUT_OF_GUESSES)]
    assert row.problem == (f"{faults[0].puzzle[0]}: {faults[0].message}" if faults else "")


@often
@given(...)
def test_the_opener_is_the_first_guess_made_most_often(run: StoredRun):
    openers = [play.guesses[0] for play in run.plays if play.guesses]
    assert row_of(run).opener == (statistics.mode(sorted(openers)) if openers else None)


@often
@given(...)
def test_decisions_are_the_distinct_positions_that_were_decided(run: StoredRun):
    decided = []
    for play in run.plays:
        without_guess = play.outcome in (Outcome.ILLEGAL, Outcome.CRASHED, Outcome.TIMED_OUT)
        decided += [(play.guesses[:turn], play.feedback[:turn]) for turn in range(len(play.guesses) + without_guess)]
    assert row_of(run).decisions == len(decided if run.facts.stochastic else set(decided))


@often
@given(...)
def test_milliseconds_are_those_of_a_call(run: StoredRun):
    by_hand = 1000 * run.seconds / run.calls if run.calls else 0.0
    assert row_of(run).ms_per_decision == pytest.approx(by_hand)


def test_a_puzzle_solved_late_counts_with_its_guesses_and_one_never_solved_with_one_more_than_the_cap(run_of):
    row = row_of(run_of([1, 6, 7, 30, None]))
    assert row.total_guesses == 1 + 6 + 7 + 30 + 31
    assert (row.solved, row.failed, row.failure) == (2, 3, pytest.approx(0.6))
    assert row.distribution == {"1": 1, "6": 1, "7": 1, "30": 1, "unsolved": 1}


def test_two_guesses_are_excellent_and_three_are_not(run_of):
    assert row_of(run_of([1, 2, 3, None])).excellent == 0.5


def test_the_deviation_of_equal_figures_is_0(run_of):
    assert row_of(run_of([4] * 1000)).std == 0.0


@often
@given(...)
def test_only_samples_of_several_puzzles_that_were_not_all_faults_have_an_interval_of_the_mean(run: StoredRun):
    interval = row_of(run).interval
    if not run.facts.is_sample or len(run.plays) == 1 or all(play.outcome in FAULTS for play in run.plays):
        assert interval is None
    else:
        assert interval == interval_of_mean(counted_by_hand(run))


def test_the_interval_is_that_of_a_sample_of_the_population(run_of):
    drawn = row_of(run_of([2, 3, 4, 4], is_sample=True, population=10)).interval
    assert drawn == interval_of_mean([2, 3, 4, 4], 10) != interval_of_mean([2, 3, 4, 4])


def test_equal_results_of_a_sample_have_an_interval_too(run_of):
    assert row_of(run_of([4, 4, 4], is_sample=True)).interval == interval_of_mean([4, 4, 4])


def test_the_mean_of_all_answers_but_one_is_nearly_exact():
    board = wk.tournament("mastermind", ["first-consistent"], 1295, workers=1)
    low, high = board.rows[0].interval
    assert (high - low) / 2 == pytest.approx(1.96 * board.rows[0].std / 1296, rel=0.01)


@pytest.mark.parametrize(("allowed", "share"), [(1, 0.2), (2, 0.4), (3, 0.4)])
def test_a_puzzle_that_took_more_guesses_than_allowed_is_not_excellent(run_with, allowed, share):
    plays = [
        Play((str(turns),), (), (), Outcome.SOLVED if turns <= allowed else Outcome.OUT_OF_GUESSES, turns)
        for turns in (1, 2, 3, 4, 5)
    ]
    assert row_of(run_with(plays, max_guesses=allowed, cap=25)).excellent == share


@pytest.mark.parametrize("boards", [1, 2, 3])
def test_boards_are_solved_at_the_mean_turn_of_the_first_that_was_solved_of_the_second_and_so_on(boards):
    (row,) = (board := wk.tournament(GAME.replace(boards=boards), ["random-consistent"], 40, workers=1)).rows
    turns = [sorted(play.board_turns) for play in board.plays("random-consistent")]
    assert row.boards == pytest.approx([statistics.mean(each) for each in zip(*turns, strict=True)])
    assert row.boards == sorted(row.boards)
    assert row.boards[-1] == pytest.approx(row.mean)


def test_a_board_that_was_never_solved_counts_as_one_more_than_the_cap(run_with):
    plays = [Play(("a", "b"), ("b",), (("0", "2"),), Outcome.CRASHED, None, "broken")]
    assert row_of(run_with(plays, boards=2)).boards == [1, 31]


@pytest.mark.parametrize("strategy", [FirstConsistent(), wk.load_strategy("random-consistent")])
def test_decisions_are_counted_as_by_a_single_referee(strategy):
    referee = Referee(GAME, strategy, "seed 0", 30.0)
    referee.play(load_puzzles(GAME))
    (row,) = wk.tournament(GAME, [strategy], workers=1, seed=0).rows
    assert row.decisions == referee.calls


def test_decisions_do_not_depend_on_the_number_of_workers():
    game = wk.load_game({"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"})
    strategies = ["first-consistent", "random-consistent"]
    by_one, by_two = (wk.tournament(game, strategies, workers=workers, seed=0).rows for workers in (1, 2))
    assert [row.decisions for row in by_one] == [row.decisions for row in by_two]


def test_a_fault_at_the_first_guess_was_one_decision(run_with):
    plays = [Play((word,), (), (), Outcome.CRASHED, None, "broken") for word in "abc"]
    assert row_of(run_with(plays)).decisions == 1
    assert row_of(run_with(plays)).opener is None
