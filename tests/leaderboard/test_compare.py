"""Comparisons of two strategies on identical puzzles."""

import dataclasses
import itertools
import json
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.leaderboard.compare import Difference, compare, figures_of, rows_of, shown_p
from wordle_kit.leaderboard.metrics import interval_of_mean
from wordle_kit.tables import rows_in
from wordle_kit.tournaments.runs import Outcome, Play

often = settings(deadline=None, max_examples=50)
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


@often
@given(taken=pairs)
def test_every_puzzle_is_won_tied_or_lost(both, taken):
    found = compare(*both(taken))
    by_hand = differences(taken)
    assert found.wins + found.ties + found.losses == found.puzzles == len(taken)
    assert found.wins == sum(difference < 0 for difference in by_hand)
    assert found.ties == by_hand.count(0)
    assert sum(found.differences.values()) == len(taken)
    assert sum(int(key) * count for key, count in found.differences.items()) == sum(by_hand)


@often
@given(taken=pairs, is_sample=st.booleans())
def test_the_other_way_round_everything_is_mirrored(both, taken, is_sample):
    one, other = both(taken, is_sample=is_sample)
    there, back = compare(one, other), compare(other, one)
    assert (there.wins, there.ties, there.losses) == (back.losses, back.ties, back.wins)
    assert there.mean_difference == pytest.approx(-back.mean_difference)
    assert {int(key): count for key, count in there.differences.items()} == {
        -int(key): count for key, count in back.differences.items()
    }
    if there.interval is not None:
        low, high = back.interval
        assert there.interval == (pytest.approx(-high), pytest.approx(-low))


@often
@given(taken=pairs)
def test_the_mean_difference_is_the_difference_of_the_means(both, taken):
    found = compare(*both(taken))
    assert found.mean_difference == pytest.approx(statistics.mean(differences(taken)))
    assert found.mean_difference == pytest.approx(found.mean_first - found.mean_second)


def test_a_strategy_ties_with_itself(both):
    found = compare(*both([(taken, taken) for taken in (1, 2, 7, None)]))
    assert (found.wins, found.ties, found.losses, found.mean_difference) == (0, 4, 0, 0.0)
    assert found.differences == {"0": 4}


def test_one_never_solved_counts_as_one_more_than_the_cap(both):
    assert compare(*both([(None, 30), (3, 5)])).differences == {"-2": 1, "+1": 1}


@often
@given(taken=pairs)
def test_without_a_sample_there_is_no_interval(both, taken):
    assert compare(*both(taken, is_sample=False)).interval is None


@often
@given(taken=pairs.filter(lambda taken: len(taken) > 1), more=st.none() | st.integers(1, 100))
def test_the_interval_of_a_sample_is_that_of_the_mean_of_paired_differences(both, taken, more):
    population = None if more is None else len(taken) + more
    found = compare(*both(taken, is_sample=True, population=population))
    assert found.interval == interval_of_mean(differences(taken), population)
    low, high = found.interval
    assert low < found.mean_difference < high


def test_the_difference_between_a_strategy_and_itself_has_no_interval(run_of):
    one = run_of([3, 4, 4], is_sample=True)
    assert compare(one, one).interval is None
    assert compare(one, dataclasses.replace(one, facts=dataclasses.replace(one.facts, strategy="twin"))).interval


def test_a_single_puzzle_says_nothing_about_others(both):
    assert compare(*both([(3, 4)], is_sample=True)).interval is None


def test_different_puzzles_are_not_compared(run_of):
    one, another = run_of([3, 4]), run_of([3, 4], strategy="second", puzzles_fingerprint="other puzzles")
    with pytest.raises(wk.WordleKitError, match="first and second have not played the same puzzles"):
        compare(one, another)


@pytest.mark.parametrize("changed", [{"turns": [3, 4, 5]}, {"hides_words": False}])
def test_two_games_are_not_compared_unless_the_same_words_were_hidden(run_of, changed):
    facts = {"fingerprint": "another game", "game": "other"} | changed
    one, another = run_of([3, 4]), run_of(facts.pop("turns", [3, 4]), **facts)
    with pytest.raises(wk.WordleKitError, match="first, abc and first, other have not played the same puzzles"):
        compare(one, another)


def test_a_strategy_is_compared_with_itself_in_another_mode_on_the_same_words(run_of):
    one = run_of([3, 4, 4], is_sample=True)
    other = run_of([4, 4, 6], is_sample=True, fingerprint="hard", hard_mode=True)
    found = compare(one, other)
    assert (found.first, found.second) == ("first, not hard", "first, hard mode")
    assert (found.wins, found.ties, found.mean_difference) == (2, 1, -1.0)
    assert found.interval == interval_of_mean([-1, 0, -2])
    assert found.p_value == 0.5


def test_a_leaderboard_is_compared_with_that_of_another_mode():
    game = wk.load_game("mini-nerdle")
    easy, hard = (wk.tournament(one, ["entropy"], 30, workers=1) for one in (game, game.replace(hard_mode=True)))
    found = easy.compare("entropy", other=hard)
    taken = [[len(play.guesses) for play in board.plays("entropy")] for board in (easy, hard)]
    assert found.mean_difference == pytest.approx(statistics.mean(a - b for a, b in zip(*taken, strict=True)))
    assert found.interval is not None


def test_a_comparison_names_both_and_has_a_form_for_json(both):
    assert compare(*both([(3, 4), (4, 4)])).as_dict() == {
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
        "boards": (),
    }


# Several boards


def figures(difference):
    """Return the figures of a difference, without the rest of the comparison."""
    return {name: getattr(difference, name) for name in Difference.__dataclass_fields__}


@pytest.fixture(scope="module")
def on_three_boards():
    """Return the leaderboard of two strategies on a game of three boards, where one of them is sometimes unsolved."""
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
    assert figures(found.boards[-1]) == figures(found)


def test_only_the_whole_game_has_the_adjusted_p_value(on_three_boards):
    found = on_three_boards.compare("entropy", "random-consistent")
    alike = dataclasses.replace(found, boards=(found.boards[-1],) * 3)  # earlier boards may have the same p-value
    assert [row["p_adjusted"] for row in figures_of([alike])] == [found.p_value, None, None, None]
    assert [row["p"] for row in rows_of(alike)] == ["", "", shown_p(found.p_value)]  # solving the last board ends it


def test_exported_rows_are_those_of_a_data_frame(on_three_boards):
    found = on_three_boards.compare("entropy", "random-consistent")
    rows = [{name: cell for name, cell in row.items() if name != "p_adjusted"} for row in figures_of([found])]
    assert rows == rows_in(found.columns())


def test_on_one_board_there_are_no_others_to_compare(both):
    assert compare(*both([(3, 4)])).boards == ()


def test_the_boards_of_a_comparison_have_a_form_for_json_too(on_three_boards):
    made = json.loads(json.dumps(on_three_boards.compare("entropy", "random-consistent").as_dict()))
    assert list(made)[:3] == ["first", "second", "puzzles"]
    assert [each["differences"] for each in made["boards"]][-1] == made["differences"]


def test_where_one_of_two_only_crashed_the_difference_has_no_interval(run_of, run_with):
    crashed = [Play((f"word {number}",), (), (), Outcome.CRASHED, None, "broken") for number in range(3)]
    broken, fine = run_with(crashed, is_sample=True, strategy="broken"), run_of([2, 3, 4], is_sample=True)
    assert compare(fine, broken).interval is compare(broken, fine).interval is None
    assert compare(fine, run_of([2, 3, 3], is_sample=True, strategy="second")).interval is not None


# An independent program


@settings(deadline=None, max_examples=100)
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
    stats = pytest.importorskip("scipy.stats", reason="needs scipy, which `tox -e tests` installs")
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
