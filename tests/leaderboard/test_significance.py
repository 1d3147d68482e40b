"""Significance, compared with definitions that are written down directly."""

import itertools
import math
import random
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordle_kit.leaderboard.significance import holm, interval_of_mean, quantile_of_t, sign_flip_p_value

few = st.lists(st.integers(-5, 5), min_size=2, max_size=9)
probabilities = st.lists(st.floats(0, 1), max_size=8)


@given(few)
def test_the_p_value_is_the_share_of_all_choices_of_signs(differences):
    choices = list(itertools.product((-1, 1), repeat=len(differences)))
    sums = [sum(sign * one for sign, one in zip(signs, differences, strict=True)) for signs in choices]
    expected = sum(abs(one) >= abs(sum(differences)) for one in sums) / len(sums)
    assert sign_flip_p_value(differences) == pytest.approx(expected, rel=1e-9)


def test_thousands_of_puzzles_are_as_the_normal_distribution_says():
    rng = np.random.default_rng(1)
    differences = rng.choice([-2, -1, 0, 0, 1, 2], size=5000).tolist()
    z = abs(sum(differences)) / math.sqrt(np.square(differences).sum())
    normal = 2 * (1 - 0.5 * (1 + math.erf(z / math.sqrt(2))))
    assert sign_flip_p_value(differences) == pytest.approx(normal, rel=0.02)


def test_a_strategy_that_is_always_better_has_the_least_p_value_and_without_a_difference_it_is_1():
    assert sign_flip_p_value([-1] * 900) == pytest.approx(2 * 0.5**900)
    assert sign_flip_p_value([0, 0, 0]) == 1
    assert sign_flip_p_value([1, -1]) == pytest.approx(1)


@given(probabilities)
def test_holm_is_the_definition(p_values):
    """The adjusted value of a hypothesis is the largest of (m - rank) p over the smaller ones and itself."""
    adjusted = holm(p_values)
    ranked = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for rank, place in enumerate(ranked):
        expected = max(min(1.0, (len(p_values) - i) * p_values[ranked[i]]) for i in range(rank + 1))
        assert adjusted[place] == expected


def test_holm_on_the_example_of_a_textbook():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


# Intervals

samples = st.lists(st.integers(-50, 300), min_size=2, max_size=50).filter(lambda values: len(set(values)) > 1)

TABLE = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    15: 2.131, 20: 2.086, 25: 2.060, 30: 2.042, 40: 2.021, 60: 2.000, 120: 1.980, 10**7: 1.960,
}  # fmt: skip
"""The two-sided 95% points of Student's t distribution, as printed in textbooks, by degrees of freedom."""


def test_the_quantiles_of_t_are_those_of_the_published_table():
    assert {freedom: quantile_of_t(freedom) for freedom in TABLE} == pytest.approx(TABLE, abs=0.0005)


@pytest.mark.parametrize("share", [0.8, 0.95, 0.999])
def test_one_two_and_four_degrees_of_freedom_have_closed_forms(share):
    assert quantile_of_t(1, share) == pytest.approx(math.tan(share * math.pi / 2), rel=1e-8)
    assert quantile_of_t(2, share) == pytest.approx(share * math.sqrt(2 / (1 - share**2)), rel=1e-8)
    root = math.sqrt(1 - share**2)
    cosine = math.cos(math.acos(root) / 3) / root
    assert quantile_of_t(4, share) == pytest.approx(2 * math.sqrt(cosine - 1), rel=1e-8)


@given(values=samples, more=st.none() | st.integers(0, 1000))
def test_the_interval_is_that_of_students_distribution_corrected_for_the_share_of_all_in_the_sample(values, more):
    n, mean = len(values), statistics.mean(values)
    population = None if more is None else n + more
    unknown = 1 if more is None else more / population
    half = quantile_of_t(n - 1) * statistics.stdev(values) * (unknown / n) ** 0.5
    assert interval_of_mean(values, population) == (pytest.approx(mean - half), pytest.approx(mean + half))


def test_fewer_than_two_values_have_no_interval():
    assert interval_of_mean([]) is interval_of_mean([3]) is None


@pytest.mark.parametrize("n", [2, 1000])
def test_equal_values_have_the_interval_of_values_of_which_one_is_greater_by_one(n):
    low, high = interval_of_mean([4] * n)
    other_low, other_high = interval_of_mean([4] * (n - 1) + [5])
    assert (low + high) / 2 == 4
    assert high - low == pytest.approx(other_high - other_low)
    assert high > low


@pytest.mark.parametrize(("n", "population"), [(3, None), (200, None), (30, 40)])
def test_about_nineteen_of_twenty_intervals_contain_the_mean_of_the_whole(n, population):
    dice = random.Random(7)
    everything = [sum(dice.choices(range(20), k=10)) for _ in range(population or 5000)]
    mean = statistics.mean(everything)
    draw = dice.choices if population is None else dice.sample
    intervals = [interval_of_mean(draw(everything, k=n), population) for _ in range(1000)]
    assert 0.92 < statistics.mean(low <= mean <= high for low, high in intervals) < 0.98
