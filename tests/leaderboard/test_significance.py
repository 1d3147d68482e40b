"""Significance, compared with definitions that are written down directly."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordle_kit.leaderboard.significance import holm, sign_flip_p_value

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
