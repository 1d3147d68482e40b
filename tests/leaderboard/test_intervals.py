"""Confidence intervals of a mean: they agree with tables and formulas, and have the promised coverage."""

import math
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordle_kit.leaderboard.intervals import interval_of_mean, quantile_of_t

often = settings(deadline=None, max_examples=100)
any_samples = st.lists(st.integers(-50, 300), min_size=2, max_size=50)
samples = any_samples.filter(lambda values: len(set(values)) > 1)

TABLE = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    15: 2.131, 20: 2.086, 25: 2.060, 30: 2.042, 40: 2.021, 60: 2.000, 120: 1.980, 10**7: 1.960,
}  # fmt: skip
"""The two-sided 95% points of Student's t distribution, as printed in textbooks, by degrees of freedom."""


@pytest.mark.parametrize("freedom", TABLE)
def test_the_quantiles_of_t_are_those_of_the_published_table(freedom):
    assert quantile_of_t(freedom) == pytest.approx(TABLE[freedom], abs=0.0005)


def test_one_two_and_four_degrees_of_freedom_have_closed_forms():
    assert quantile_of_t(1) == pytest.approx(math.tan(0.95 * math.pi / 2), rel=1e-9)
    assert quantile_of_t(2) == pytest.approx(0.95 * math.sqrt(2 / (1 - 0.95**2)), rel=1e-9)
    root = math.sqrt(1 - 0.95**2)
    cosine = math.cos(math.acos(root) / 3) / root
    assert quantile_of_t(4) == pytest.approx(2 * math.sqrt(cosine - 1), rel=1e-9)


@often
@given(freedom=st.integers(2, 10**7))
def test_the_quantiles_of_t_fall_towards_that_of_the_normal_distribution(freedom):
    """They differ from the first terms of the expansion of Cornish and Fisher by less than the next one."""
    z = statistics.NormalDist().inv_cdf(0.975)
    first, second = (z**3 + z) / 4 / freedom, (5 * z**5 + 16 * z**3 + 3 * z) / 96 / freedom**2
    assert quantile_of_t(freedom) == pytest.approx(z + first + second, abs=4 / freedom**3 + 1e-6)


@often
@given(values=samples)
def test_it_is_that_of_students_distribution(values):
    n = len(values)
    half = quantile_of_t(n - 1) * statistics.stdev(values) / n**0.5
    mean = statistics.mean(values)
    assert interval_of_mean(values) == (pytest.approx(mean - half), pytest.approx(mean + half))


def test_three_puzzles_have_a_wide_interval():
    low, high = interval_of_mean([3, 4, 4])
    assert (high - low) / 2 == pytest.approx(1.4342, abs=0.00005)


@often
@given(values=samples, more=st.integers(0, 1000))
def test_a_sample_without_replacement_is_corrected_for_the_share_of_all_that_it_has(values, more):
    n, population = len(values), len(values) + more
    low, high = interval_of_mean(values)
    corrected = interval_of_mean(values, population)
    assert corrected[1] - corrected[0] == pytest.approx((high - low) * ((population - n) / population) ** 0.5)
    assert statistics.mean(corrected) == pytest.approx(statistics.mean(values))


def test_all_answers_but_one_leave_almost_no_doubt():
    """The figures of entropy on all but one of the answers of Wordle have a deviation of 0.586."""
    values = [3] * 1200 + [4] * 1014 + [2] * 60 + [5] * 40
    low, high = interval_of_mean(values, 2315)
    assert (high - low) / 2 == pytest.approx(1.961 * statistics.stdev(values) / 2315, rel=0.001)


@often
@given(values=any_samples, by=st.integers(-9, 9))
def test_it_moves_with_the_values_and_turns_with_their_sign(values, by):
    low, high = interval_of_mean(values)
    assert interval_of_mean([value + by for value in values]) == (pytest.approx(low + by), pytest.approx(high + by))
    assert interval_of_mean([-value for value in values]) == (pytest.approx(-high), pytest.approx(-low))


@pytest.mark.parametrize("values", [[], [3]])
def test_fewer_than_two_values_have_no_interval(values):
    assert interval_of_mean(values) is None


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_equal_values_have_the_interval_of_values_of_which_one_is_greater_by_one(n):
    low, high = interval_of_mean([4] * n)
    other_low, other_high = interval_of_mean([4] * (n - 1) + [5])
    assert (low + high) / 2 == 4
    assert high - low == pytest.approx(other_high - other_low)
    assert high > low


@pytest.mark.parametrize(("n", "population"), [(3, None), (20, None), (200, None), (3, 10), (30, 40), (900, 1000)])
def test_about_nineteen_of_twenty_intervals_contain_the_mean_of_the_whole(n, population):
    dice = random.Random(7)
    everything = [sum(dice.choices(range(20), k=10)) for _ in range(population or 5000)]
    mean = statistics.mean(everything)
    draw = dice.choices if population is None else dice.sample
    intervals = [interval_of_mean(draw(everything, k=n), population) for _ in range(1000)]
    assert 0.92 < statistics.mean(low <= mean <= high for low, high in intervals) < 0.98
