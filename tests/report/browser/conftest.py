"""Pages of leaderboards to show in a browser."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from strategies import Crashing, Hostile

import wordle_kit as wk


@dataclass(frozen=True)
class Shown:
    """A leaderboard and the file of its page."""

    board: wk.Leaderboard
    game: wk.Game
    path: Path

    @property
    def names(self):
        """The strategies, the best first."""
        return [row.strategy for row in self.board.rows]


class Stubborn(wk.Strategy):
    """Always guess the same word, which solves hardly any puzzle."""

    def guess(self, position):
        return position.game.guesses[0]


LIKELY = wk.load_game(
    {
        "name": "likely",
        "alphabet": "abcd",
        "length": 2,
        "answers": "all",
        "weights": {"aa": 9, "ba": 0, "dc": 30, "dd": 14.5},
    }
)
"""A game whose answers have weights."""

LEADERBOARDS = {
    "likely": (["first-consistent", "random-consistent", "predefined-words"], None),
    "wordle": (["entropy", "minimax", "first-consistent", "random-consistent"], 60),
    "mastermind": (["minimax", "expected-size", "first-consistent", "random-consistent", Stubborn()], None),
    "glyphs": (["entropy", "first-consistent"], 25),
    "elements": (["entropy", "first-consistent"], 20),
    "quordle": (["entropy", "random-consistent"], 12),
    "bulls-and-cows": ([Hostile(), Crashing(), "first-consistent"], 30),
}
"""The strategies and puzzles of each game with a page."""


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    """Return a function that gives the leaderboard of a game with its page, made once."""
    made = {}

    def shown(name):
        if name not in made:
            strategies, puzzles = LEADERBOARDS[name]
            game = LIKELY if name == "likely" else wk.load_game(name)
            board = wk.tournament(game, strategies, puzzles, seed=0, workers=1)
            path = tmp_path_factory.mktemp("pages") / f"{name}.html"
            board.write(path)
            made[name] = Shown(board, game, path)
        return made[name]

    return shown


@pytest.fixture
def open_page(opened, shown):
    """Return a context with the open page of a game."""

    def open_page(name, fragment="", **settings):
        return opened(shown(name).path, fragment, **settings)

    return open_page
