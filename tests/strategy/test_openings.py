"""In a large game, first guesses are scored once: neither every worker nor every command does it again."""

import threading
from pathlib import Path

import numpy as np
import pytest

import wordle_kit as wk
from wordle_kit import disk_cache
from wordle_kit.strategy import openings
from wordle_kit.tournaments import pool

FIRST = 512
"""The candidates of the first board."""


class Logged(wk.PartitionStrategy):
    """Splits evenly, and writes a line to a file for each board that it scores."""

    log: str = ""
    power: float = 2.0

    def part_cost(self, size):
        with Path(self.log).open("a") as file:
            file.write(f"{len(size)}\n")
        return size**self.power


@pytest.fixture
def game(tmp_path, monkeypatch):
    """Return a game that counts as large, with an empty cache on disk and in memory."""
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(openings, "LARGE", FIRST**2)
    forget()
    yield wk.load_game({"name": "threes", "alphabet": "abcdefgh", "length": 3, "answers": "all"})
    forget()


def forget():
    """Forget the scores in memory, as a new command does."""
    openings._scores.clear()


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def scored(log):
    """Return how often all first guesses were scored."""
    return log.read_text().split().count(str(FIRST))


def scores(game, strategy):
    return strategy.checked_scores(wk.Position.start(game).board, None)


def test_scores_are_the_same_whether_computed_or_kept(game, log):
    strategy = Logged(log=str(log))
    expected = strategy.scores(wk.Position.start(game).board, None)
    found = []
    for _ in range(3):
        found.append(scores(game, strategy))
        forget()
    assert np.array_equal(found, [expected] * 3)


def test_in_one_process_first_guesses_are_scored_once(game, log):
    for _ in range(3):
        scores(game, Logged(log=str(log)))
    assert scored(log) == 1


def test_the_next_command_scores_a_few_guesses_only(game, log, monkeypatch):
    scores(game, Logged(log=str(log)))
    forget()
    computed = []
    costs = wk.Board.costs

    def counted(board, cost, guesses, *more):
        computed.append(guesses)
        return costs(board, cost, guesses, *more)

    monkeypatch.setattr(wk.Board, "costs", counted)
    scores(game, Logged(log=str(log)))
    assert [len(guesses) for guesses in computed] == [openings.SAMPLE]


def test_other_parameters_and_other_games_have_scores_of_their_own(game, log):
    strategies = [Logged(log=str(log)), Logged(log=str(log), power=3.0)]
    games = [game, game.replace(weights=[1.0] * 511 + [2.0]), game.replace(answers=game.answers[::-1])]
    keys = {openings.key_of(strategy, each) for strategy in strategies for each in games}
    assert len(keys) == 6


def test_kept_scores_that_disagree_with_the_strategy_are_computed_again(game, log):
    strategy = Logged(log=str(log))
    expected = scores(game, strategy)
    forget()
    disk_cache.keep("scores", openings.key_of(strategy, game), bytes(8 * FIRST))
    assert np.array_equal(scores(game, strategy), expected)
    forget()
    assert np.array_equal(scores(game, strategy), expected)


def test_scores_of_code_that_cannot_be_compared_are_not_kept(game, log):
    lock = threading.Lock()

    class Unknown(Logged):
        def part_cost(self, size):
            with lock:
                return super().part_cost(size)

    assert openings.key_of(Unknown(log=str(log)), game) is None
    scores(game, Unknown(log=str(log)))
    assert disk_cache.contents() == []


def test_a_small_game_keeps_nothing(game, log, monkeypatch):
    monkeypatch.setattr(openings, "LARGE", FIRST**2 + 1)
    scores(game, Logged(log=str(log)))
    assert disk_cache.contents() == []


@pytest.mark.skipif(not pool.can_fork(), reason="workers share memory on Linux")
def test_workers_share_the_scores_of_the_first_guess(game, log, monkeypatch):
    monkeypatch.setenv(disk_cache.VARIABLE, "")
    board = wk.tournament(game, [Logged(log=str(log))], workers=2)
    assert board.rows[0].failed < FIRST
    assert scored(log) == 1


@pytest.mark.skipif(not pool.can_fork(), reason="workers share memory on Linux")
@pytest.mark.parametrize("does", ["1 / 0", "os._exit(1)"], ids=["raises", "ends its process"])
def test_a_strategy_that_fails_at_its_first_guess_fails_alone(game, tmp_path, does):
    path = tmp_path / "broken.py"
    path.write_text(
        "import os\nimport wordle_kit as wk\n\nclass Broken(wk.PartitionStrategy):\n    def part_cost(self, size):\n"
        f"        {does}\n\n@wk.hookimpl\ndef register_strategies(register):\n    register(Broken())\n"
    )
    plugins = wk.Plugins.load([path], strict=True)
    board = wk.tournament(game, ["broken", "minimax"], 3, plugins=plugins, workers=2, seed=1)
    assert {play.outcome for play in board.plays("broken")} == {wk.Outcome.CRASHED}
    assert {play.outcome for play in board.plays("minimax")} == {wk.Outcome.SOLVED}
