"""Replays that a page has packed, unpacked by a slow twin of its script, and leaderboards to show."""

from dataclasses import dataclass

import pytest
from strategies import Crashing, Hostile

import wordle_kit as wk


@dataclass(frozen=True)
class Turn:
    """A turn of a replay, with its words and feedback by number."""

    guess: int
    feedback: tuple[int, ...]
    left: tuple[int, ...]


def plays_of(columns, boards):
    """Return the turns of each play, by its place, from the columns of a strategy's replays."""
    depths, guesses, feedback, left, endings, ended = columns
    plays, path, before = {}, [], {}
    places = iter(ended)

    def end(count):
        plays.update({next(places): list(path) for _ in range(count)})

    end(endings[0])
    for turn, depth in enumerate(depths):
        del path[depth - 1 :]
        parent = tuple(path)
        guess = guesses[turn] - 1 if guesses[turn] else before[parent]
        before[parent] = guess
        at = slice(turn * boards, (turn + 1) * boards)
        path.append(Turn(guess, tuple(feedback[at]), tuple(left[at])))
        end(endings[turn + 1])
    return plays


@pytest.fixture(scope="session")
def replayed():
    """Return the function above."""
    return plays_of


@pytest.fixture(scope="session")
def hostile_board():
    """Return a leaderboard with a strategy that has a hostile name, and one that crashes with a hostile message."""
    return wk.tournament("mastermind", [Hostile(), Crashing(), "random-consistent"], 40, seed=0, workers=1)


@pytest.fixture(scope="session")
def board():
    """Return a leaderboard of Wordle with two deterministic strategies and a random one."""
    return wk.tournament("wordle", ["entropy", "first-consistent", "random-consistent"], 60, seed=0, workers=1)
