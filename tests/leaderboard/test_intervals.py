"""Confidence intervals of a mean: they agree with the statistics module and have the promised coverage."""

import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordle_kit.leaderboard.intervals import interval_of_mean

often = settings(deadline=None, max_examples=100)
samples = st.lists(st.integers(-50, 300), min_size=2, max_size=50).filter(lambda values: len(set(values)) > 1)


@often
@given(values=samples)
def test_it_is_that_of_the_normal_approximation(values):
    half = 1.959963984540054 * statistics.stdev(values) / len(values) ** 0.5
    mean = statistics.mean(values)
    assert interval_of_mean(values) == (pytest.approx(mean - half), pytest.approx(mean + half))


@often
@given(values=samples, by=st.integers(-9, 9))
def test_it_moves_with_the_values_and_turns_with_their_sign(values, by):
    low, high = interval_of_mean(values)
    assert interval_of_mean([value + by for value in values]) == (pytest.approx(low + by), pytest.approx(high + by))
    assert interval_of_mean([-value for value in values]) == (pytest.approx(-high), pytest.approx(-low))


@pytest.mark.parametrize("values", [[], [3]])
def test_fewer_than_two_values_have_no_interval(values):
    assert interval_of_mean(values) is None


def test_equal_values_have_no_interval():
    assert interval_of_mean([4] * 7) is None


def test_about_nineteen_of_twenty_intervals_contain_the_mean_of_the_whole():
    dice = random.Random(7)
    everything = [dice.choice([2, 3, 3, 4, 4, 4, 5, 9]) for _ in range(5000)]
    mean = statistics.mean(everything)
    intervals = [interval_of_mean(dice.choices(everything, k=200)) for _ in range(500)]
    assert 0.92 < statistics.mean(low <= mean <= high for low, high in intervals) < 0.98
