"""Strategies prepare for a game: once in each process, before the first guess, in a time of its own."""

import os
import time
from collections import Counter

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit.tournaments import deadline, pool, referee, runner
from wordle_kit.tournaments.runs import Outcome

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})

PREPARING = """
import os
import wordle_kit as wk

class Noting(wk.Strategy):
    label: str = "a"
    fails: bool = False
    base: wk.Strategy = wk.load_strategy("first-consistent")

    def prepare(self, game):
        super().prepare(game)
        with open({notes!r}, "a") as notes:
            print(os.getpid(), self.label, game.name, file=notes)
        if self.fails:
            raise ValueError("no book")

    def guess(self, position):
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Noting())
"""


@pytest.fixture
def notes(tmp_path):
    """Return the file where a strategy notes whenever it prepares."""
    return tmp_path / "notes"


@pytest.fixture
def noting(tmp_path, notes):
    """Return a plugin whose strategy notes whenever it prepares."""
    path = tmp_path / "noting.py"
    path.write_text(PREPARING.format(notes=str(notes)))
    return path


def noted(notes):
    """Return how often each process prepared which strategy for which game."""
    return Counter(tuple(line.split()) for line in notes.read_text().splitlines())


def test_a_strategy_prepares_once_before_its_first_guess_with_those_among_its_parameters(noting, notes):
    plugins, me = wk.Plugins.load([noting]), str(os.getpid())
    outer = wk.load_strategy("noting(label=outer, base=noting(label=inner))", plugins)
    assert {play.outcome for play in wk.play(outer, GAME)} == {Outcome.SOLVED}
    assert noted(notes) == {(me, "inner", "abc"): 1, (me, "outer", "abc"): 1}
    wk.play(outer, GAME.replace(name="cab"))
    assert noted(notes)[me, "outer", "cab"] == 1


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_each_worker_prepares_once_for_each_strategy(noting, notes, workers):
    plugins = wk.Plugins.load([noting])
    many = [GAME.answers[number % 27] for number in range(1100)]  # five chunks
    specs = [f"noting(label={name})" for name in "abc"]
    board = wk.tournament(GAME, specs, many, workers=workers, plugins=plugins)
    assert {row.failed for row in board.rows} == {0}
    prepared = noted(notes)
    assert {label for _, label, _ in prepared} == set("abc")
    assert set(prepared.values()) == {1}
    assert len({process for process, _, _ in prepared}) <= workers


def test_a_failure_names_the_line_and_counts_for_every_puzzle_without_another_try(noting, notes):
    board = wk.tournament(GAME, "noting(fails=true)", workers=1, plugins=wk.Plugins.load([noting]))
    ((outcome, message),) = {(play.outcome, play.message) for play in board.plays(board.rows[0].strategy)}
    assert outcome == Outcome.CRASHED
    assert "ValueError: no book (noting.py, line 15)" in message
    assert noted(notes).total() == 1


class Slow(wk.Strategy):
    """Take this long to prepare."""

    seconds: float

    def prepare(self, game):
        time.sleep(self.seconds)

    def guess(self, position):
        return position.board.words[0]


@pytest.mark.slow
def test_its_time_does_not_count():
    assert {play.outcome for play in wk.play(Slow(seconds=11), GAME, deadline=10)} == {Outcome.SOLVED}


def test_its_time_is_limited(monkeypatch):
    monkeypatch.setattr(referee, "PREPARE_SECONDS", 0.1)
    (play,) = wk.play(Slow(seconds=60), GAME, ["abc"])
    assert play.outcome == Outcome.TIMED_OUT
    assert "prepare" in play.message


@needs_linux
@pytest.mark.slow
def test_a_prepare_that_cannot_be_interrupted_ends_its_worker_and_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "can_fork", lambda: True)  # so that the worker has what is set here
    monkeypatch.setattr(referee, "PREPARE_SECONDS", 0.5)
    monkeypatch.setattr(runner, "PREPARE_SECONDS", 0.5)
    monkeypatch.setattr(deadline, "GRACE", 0.1)
    path = tmp_path / "endless.py"
    path.write_text(PREPARING.format(notes="/dev/null").replace("super().prepare(game)", "sum(iter(int, 1))"))
    board = wk.tournament(GAME, ["noting"], ["abc"], workers=1, plugins=wk.Plugins.load([path]))
    (play,) = board.plays("noting")
    assert play.outcome == Outcome.TIMED_OUT
    assert play.message.startswith("prepare")
    assert play.message.endswith("endless.py, line 11")


def test_code_that_was_edited_prepares_again():
    prepared = []

    class Edited(wk.Strategy):
        def prepare(self, game):
            prepared.append(game.name)

        def guess(self, position):
            return position.board.words[0]

    for _ in range(2):  # between them, a notebook may have edited what it calls
        wk.play(Edited(), GAME)
    assert prepared == ["abc", "abc"]


def test_a_strategy_knows_its_deadline():
    seen = []

    class Seeing(wk.Strategy):
        def guess(self, position):
            seen.append(position.deadline)
            return position.board.words[0]

    wk.play(Seeing(), GAME, ["abc"], deadline=75)
    assert set(seen) == {75}
