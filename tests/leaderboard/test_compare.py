"""Comparisons of two strategies on identical puzzles."""

import itertools
import json
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.leaderboard.compare import columns_of_comparisons, compare
from wordle_kit.leaderboard.significance import interval_of_mean
from wordle_kit.tables import rows_of_columns
from wordle_kit.tournaments.runs import Outcome, Play

outcomes = st.none() | st.integers(1, 30)
pairs = st.lists(st.tuples(outcomes, outcomes), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def both(run_of):
    """Return a function that makes two runs on the same puzzles."""

    def make(taken, **facts):
        first, second = zip(*taken, strict=True)
        return run_of(first, strategy="first", **facts), run_of(second, strategy="second", **facts)

    return make


def differences(taken):
    return [(31 if a is None else a) - (31 if b is None else b) for a, b in taken]


@given(taken=pairs)
def test_every_puzzle_is_won_tied_or_lost_and_the_mean_difference_is_that_of_the_means(both, taken):
    found = compare(*both(taken))
    by_hand = differences(taken)
    assert found.wins == sum(difference < 0 for difference in by_hand)
    assert found.ties == by_hand.count(0)
    assert found.losses == sum(difference > 0 for difference in by_hand)
    assert {int(key): count for key, count in found.differences.items()} == {n: by_hand.count(n) for n in by_hand}
    assert found.mean_difference == pytest.approx(statistics.mean(by_hand))
    assert found.mean_difference == pytest.approx(found.mean_first - found.mean_second)
    assert (found.interval, found.p_value) == (None, None)  # these are all puzzles


@given(taken=pairs.filter(lambda taken: len(taken) > 1), more=st.none() | st.integers(1, 100))
def test_the_interval_of_a_sample_is_that_of_the_mean_of_paired_differences(both, taken, more):
    population = None if more is None else len(taken) + more
    one, other = both(taken, is_sample=True, population=population)
    there, back = compare(one, other), compare(other, one)
    assert there.interval == interval_of_mean(differences(taken), population)
    low, high = there.interval
    assert low < there.mean_difference < high
    assert back.interval == (pytest.approx(-high), pytest.approx(-low))
    assert back.p_value == there.p_value


def test_where_nothing_can_be_said_about_other_puzzles_there_is_no_interval(both, run_of, run_with):
    assert compare(*both([(3, 4)], is_sample=True)).interval is None
    one = run_of([3, 4, 4], is_sample=True)
    itself = compare(one, one)
    assert (itself.wins, itself.ties, itself.losses, itself.interval) == (0, 3, 0, None)
    crashed = [Play((f"word {number}",), (), (), Outcome.CRASHED, None, "broken") for number in range(3)]
    assert compare(one, run_with(crashed, is_sample=True, strategy="broken")).interval is None


@pytest.mark.parametrize(
    ("turns", "facts"),
    [
        ([3, 4], {"puzzles_fingerprint": "other"}),
        ([3, 4, 5], {"fingerprint": "another game"}),
        ([3, 4], {"fingerprint": "another game", "hides_words": False}),
    ],
)
def test_different_puzzles_are_not_compared(run_of, turns, facts):
    one, another = run_of([3, 4], strategy="one"), run_of(turns, strategy="another", **facts)
    with pytest.raises(wk.WordleKitError, match="another"):
        compare(one, another)


def test_a_strategy_is_compared_with_itself_in_another_mode_on_the_same_words(run_of):
    one = run_of([3, 4, 4], is_sample=True)
    other = run_of([4, 4, 6], is_sample=True, fingerprint="hard", hard_mode=True)
    found = wk.Leaderboard((one,)).compare("first", other=wk.Leaderboard((other,)))
    assert (found.first, found.second) == ("first, not hard", "first, hard mode")
    assert (found.wins, found.ties, found.mean_difference, found.p_value) == (2, 1, -1.0, 0.5)
    assert found.interval == interval_of_mean([-1, 0, -2])


def test_a_comparison_names_both_and_has_a_form_for_json(both):
    assert json.loads(json.dumps(compare(*both([(3, 4), (4, 4)])).as_dict())) == {
        "first": "first",
        "second": "second",
        "puzzles": 2,
        "wins": 1,
        "ties": 1,
        "losses": 0,
        "mean_first": 3.5,
        "mean_second": 4.0,
        "mean_difference": -0.5,
        "interval": None,
        "p_value": None,
        "differences": {"-1": 1, "0": 1},
        "boards": [],
        "weighted_difference": None,
        "p_adjusted": None,
    }


# Several boards


@pytest.fixture(scope="module")
def on_three_boards():
    """Return the leaderboard of three strategies on a game of three boards, where some are sometimes unsolved."""
    game = wk.load_game({"name": "abc", "alphabet": "abcd", "length": 3, "answers": "all", "boards": 3})
    strategies = ["entropy", "random-consistent", "predefined-words"]
    return wk.tournament(game.replace(max_guesses=4), strategies, 25, workers=1)


@pytest.mark.parametrize("other", ["random-consistent", "predefined-words", "entropy"])
def test_boards_are_compared_in_the_order_in_which_they_were_solved(on_three_boards, other):
    found = on_three_boards.compare("entropy", other)
    mine, others = (
        [sorted(29 if turn is None else turn for turn in play.board_turns) for play in on_three_boards.plays(strategy)]
        for strategy in ("entropy", other)
    )
    assert len(found.boards) == 3
    for number, each in enumerate(found.boards):
        by_hand = [one[number] - another[number] for one, another in zip(mine, others, strict=True)]
        assert (each.wins, each.ties) == (sum(d < 0 for d in by_hand), by_hand.count(0))
        assert each.mean_first == pytest.approx(statistics.mean(turns[number] for turns in mine))
        assert each.mean_second == pytest.approx(statistics.mean(turns[number] for turns in others))
        assert each.mean_difference == pytest.approx(statistics.mean(by_hand))
        assert (each.interval is None) == (other == "entropy")  # which does not differ from itself
    last = found.boards[-1]  # solving the last board ends the game
    assert (last.wins, last.mean_difference, last.interval) == (found.wins, found.mean_difference, found.interval)


def test_only_the_whole_game_has_the_adjusted_p_value(on_three_boards):
    found = on_three_boards.compare("entropy", "random-consistent")
    rows = rows_of_columns(columns_of_comparisons([found]))
    assert [row["p_adjusted"] for row in rows] == [found.p_value, None, None, None]


# An independent program


@pytest.mark.slow
@settings(max_examples=100)
@given(
    guesses=st.integers(2, 7).flatmap(
        lambda puzzles: st.lists(
            st.lists(st.integers(1, 7), min_size=puzzles, max_size=puzzles), min_size=2, max_size=4
        )
    ),
    more=st.none() | st.integers(1, 20),
    confidence=st.sampled_from([0.8, 0.9, 0.95, 0.99]),
)
def test_scipy_agrees_on_every_mean_and_every_pair_of_100_random_leaderboards(run_of, guesses, more, confidence):
    stats = pytest.importorskip("scipy.stats")
    population = None if more is None else len(guesses[0]) + more
    unknown = 1 if population is None else 1 - len(guesses[0]) / population
    runs = [
        run_of(turns, strategy=str(number), is_sample=True, population=population)
        for number, turns in enumerate(guesses)
    ]
    board = wk.Leaderboard(tuple(runs), confidence=confidence)

    def intervals_agree(found, values):
        if len(set(values)) > 1:  # otherwise a deviation is assumed
            expected = stats.ttest_1samp(values, 0).confidence_interval(confidence)
            half = (expected.high - expected.low) / 2 * unknown**0.5
            mean = statistics.fmean(values)
            assert found == (pytest.approx(mean - half, abs=1e-6), pytest.approx(mean + half, abs=1e-6))

    for row in board.rows:
        intervals_agree(row.interval, guesses[int(row.strategy)])
    for one, other in itertools.combinations(range(len(guesses)), 2):
        by_hand = [a - b for a, b in zip(guesses[one], guesses[other], strict=True)]
        found = board.compare(str(one), str(other))
        intervals_agree(found.interval, by_hand)
        tested = stats.permutation_test(
            ([float(each) for each in by_hand],), statistics.fmean, permutation_type="samples", n_resamples=1000
        )
        assert found.p_value == pytest.approx(tested.pvalue)
