"""Leaderboards to show."""

import pytest
from strategies import Crashing, Hostile

import wordle_kit as wk


@pytest.fixture(scope="session")
def hostile_board():
    """Return a leaderboard with a strategy that has a hostile name, and one that crashes with a hostile message."""
    return wk.tournament("mastermind", [Hostile(), Crashing(), "random-consistent"], 40, seed=0, workers=1)


@pytest.fixture(scope="session")
def board():
    """Return a leaderboard of Wordle with two deterministic strategies and a random one."""
    return wk.tournament("wordle", ["entropy", "first-consistent", "random-consistent"], 60, seed=0, workers=1)
