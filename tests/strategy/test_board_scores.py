"""Scores of boards are computed once, whichever worker meets them; test_partition.py compares them with brute force."""

import sys
from pathlib import Path

import numpy as np
import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit.strategy import board_scores
from wordle_kit.strategy.board_scores import CHEAP, SCORES, playing, recalled, sharing

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")


class Noted(wk.PartitionStrategy):
    """Writes a line for each board on which it scores all guesses."""

    combine: str = "min"
    file: str = ""

    def part_cost(self, size):
        return size * size

    def scores(self, board, guesses):
        if guesses is None:
            with Path(self.file).open("a") as file:
                file.write(f"{board.candidates.tobytes().hex()}\n")
        return super().scores(board, guesses)


@only_linux
@pytest.mark.parametrize("combine", ["sum", "min"])
def test_workers_do_not_score_boards_that_another_has_scored(combine, tmp_path):
    game = bundled("quordle")
    puzzles = wk.load_puzzles(game, 1024, 0)

    def scored(workers):
        """Return the table of the strategy, and the candidates of all boards that were scored and are worth sharing."""
        file = tmp_path / str(workers)
        leaderboard = wk.tournament(game, [Noted(combine=combine, file=str(file))], puzzles, workers=workers)
        keys = [bytes.fromhex(line) for line in file.read_text().splitlines()]
        return leaderboard.rows[0].distribution, [key for key in keys if combine == "min" or len(key) > 4 * CHEAP]

    alone, once = scored(1)
    together, twice = scored(2)
    assert together == alone
    assert len(once) == len(set(once))
    assert set(twice) == set(once)
    limit = {"sum": 1.15, "min": 1.03}[combine]  # both may score a board at the same time; unshared: 1.36 and 1.08
    assert len(twice) < limit * len(once)


class First(wk.Strategy):
    name = "formula-a"

    def guess(self, position):
        return position.board.words[0]


class Last(First):
    name = "formula-b"

    def guess(self, position):
        return position.board.words[-1]


First.__repr__ = Last.__repr__ = lambda self: "Formula()"


class Wrapped(wk.PartitionStrategy):
    """Scores by the guess of another strategy; what it prints of that one does not say which it is."""

    base: wk.Strategy = First()

    def part_cost(self, size):
        return size

    def scores(self, board, guesses):
        chosen = board.game.guess_ids[self.base.guess(wk.Position(board.game, [board] * board.game.boards))]
        ids = np.arange(len(board.game.guesses)) if guesses is None else guesses
        return np.where(ids == chosen, 0.0, 1.0)


@only_linux
def test_strategies_that_print_alike_do_not_get_the_scores_of_one_another():
    game = bundled("quordle")
    puzzles = wk.load_puzzles(game, 512, 0)
    both = [Wrapped(base=First()), Wrapped(base=Last())]
    assert str(vars(both[0])) == str(vars(both[1]))
    alone = [wk.tournament(game, [one], puzzles, workers=1).rows[0].total_guesses for one in both]
    assert alone[0] != alone[1]
    together = wk.tournament(game, both, puzzles, workers=2)
    assert sorted(row.total_guesses for row in together.rows) == sorted(alone)


def test_results_are_found_again_by_identity_class_state_and_candidates():
    start = wk.Position.start(bundled("quordle"))
    first, second = start.boards[0], start.after("crane", ["00000"] * 4).boards[0]
    made = []

    def make(board):
        made.append(len(board))
        return board.costs(lambda size: size)

    SCORES.clear()
    strategies = [Noted(file="a"), Noted(file="b"), Wrapped()]
    for strategy in strategies:
        for _ in range(2):
            recalled(strategy, [first, second, first.copy()], make, small=False)
    for identity in ("one", "other", "one"):
        with playing(strategies[0], identity):
            recalled(strategies[0], [first, second], make, small=False)
    assert made == [len(first), len(second)] * 5


@only_linux
def test_only_the_strategy_that_plays_shares_and_only_where_it_was_agreed():
    board = wk.Position.start(bundled("quordle")).boards[0]
    mine, made = Noted(), []

    def ask(strategy):
        """Return how often scores had to be made after a first time, with no memory but the shared one."""
        made.clear()
        for _ in range(3):
            SCORES.clear()
            recalled(strategy, [board], lambda _: made.append(1) or np.zeros(3), small=False)
        return len(made)

    with playing(mine, "mine"):
        assert ask(mine) == 3
        with sharing():
            assert ask(mine) == 1
            assert ask(Noted()) == 3  # an equal one, but not the one that plays
            with playing(mine, "another"):
                assert ask(mine) == 1
            with sharing():  # as for a tournament that a strategy plays in order to decide
                assert ask(mine) == 1
            assert ask(mine) == 0
        assert ask(mine) == 3


@pytest.mark.parametrize("error", [OSError, ImportError])
def test_without_shared_memory_or_semaphores_each_process_works_alone(error, monkeypatch):
    def fail(capacity):
        raise error("no such thing here")

    monkeypatch.setattr(board_scores, "SharedCache", fail)
    board, mine = wk.Position.start(bundled("quordle")).boards[0], Noted()
    with sharing(), playing(mine, "mine"):
        for number in (1, 2):
            SCORES.clear()
            (found,) = recalled(mine, [board], lambda _, number=number: np.array([number]), small=True)
            assert found.tolist() == [number]
