"""Players decide for strategies, and only players know of processes. They have strategies prepare for a game."""

import os
import time
from collections import Counter

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit import deadline
from wordle_kit.tournaments import player, runner
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.player import LocalPlayer, Player, player_of
from wordle_kit.tournaments.runs import Outcome

PROCESSES = sorted(name for name in vars(Player) if not name.startswith("_") and name != "strategy")
"""The members of a player that are about processes."""


@pytest.mark.parametrize("name", PROCESSES)
def test_a_strategy_knows_nothing_of_processes(name):
    assert not hasattr(wk.Strategy, name)


def test_a_local_player_decides_in_this_process_for_its_strategy():
    ((entrant,), _) = enter(["entropy"], wk.load_game("mastermind"))
    assert entrant.player == LocalPlayer(entrant.strategy)
    assert (entrant.player.strategy, entrant.player.is_isolated) == (entrant.strategy, False)
    assert entrant.player.with_deadline(1.0) == entrant.player


def test_a_strategy_in_another_process_is_its_own_player():
    strategy = wk.Command(argv="true")
    assert player_of(strategy) is strategy
    assert player_of(strategy).strategy is strategy
    assert (player_of(strategy).is_isolated, player_of(strategy).is_untrusted) == (True, True)


# Preparing

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

class Dice(Noting):
    stochastic = True

@wk.hookimpl
def register_strategies(register):
    register(Noting())
    register(Dice())
"""

FAILED = "prepare: ValueError: no book (noting.py, line 15), at guess 1"

COMPILES = "numba compiles choose (kernel.py, line 15); call it in prepare, which has time for that"

KERNEL = """
import time
import numba
from numba.extending import overload
import wordle_kit as wk

def first(n):
    return 0

@overload(first)
def compiled_first(n):
    time.sleep(1.5)
    return lambda n: 0

@numba.njit
def choose(n):
    return first(n)

class Compiled(wk.Strategy):
    def guess(self, position):
        return position.board.words[choose(len(position.board))]

class Prepared(Compiled):
    def prepare(self, game):
        choose(1)

@wk.hookimpl
def register_strategies(register):
    register(Compiled())
    register(Prepared())
"""
"""Two strategies with a kernel that takes longer to compile than their deadline."""


@pytest.fixture
def notes(tmp_path):
    """Return the file where a strategy notes whenever it prepares."""
    return tmp_path / "notes"


@pytest.fixture
def noting(tmp_path, notes):
    """Return a plugin whose strategies note whenever they prepare."""
    path = tmp_path / "noting.py"
    path.write_text(PREPARING.format(notes=str(notes)))
    return path


@pytest.fixture
def kernel(tmp_path):
    """Return a plugin with a kernel of its own."""
    path = tmp_path / "kernel.py"
    path.write_text(KERNEL)
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


@pytest.mark.parametrize("workers", [1, 2])
def test_each_worker_prepares_once_for_each_strategy(noting, notes, workers):
    plugins = wk.Plugins.load([noting])
    many = [GAME.answers[number % 27] for number in range(1100)]  # five chunks
    specs = [f"noting(label={name})" for name in "abcdef"]
    board = wk.tournament(GAME, specs, many, workers=workers, plugins=plugins)
    assert {row.failed for row in board.rows} == {0}
    prepared = noted(notes)
    assert {label for _, label, _ in prepared} == set("abcdef")
    assert set(prepared.values()) == {1}
    assert str(os.getpid()) not in {process for process, _, _ in prepared}
    assert len({process for process, _, _ in prepared}) <= workers


@pytest.mark.parametrize("spec", ["noting(fails=true)", "dice(fails=true)"])
def test_a_failure_names_the_line_and_counts_for_every_puzzle_without_another_try(noting, notes, spec):
    board = wk.tournament(GAME, spec, workers=1, plugins=wk.Plugins.load([noting]), secret="0" * 32)
    (plays,) = [board.plays(row.strategy) for row in board.rows]
    assert {(play.outcome, play.message) for play in plays} == {(Outcome.CRASHED, FAILED)}
    assert noted(notes).total() == 1


def test_its_time_does_not_count_but_is_limited(monkeypatch):
    class Slow(wk.Strategy):
        seconds: float

        def prepare(self, game):
            time.sleep(self.seconds)

        def guess(self, position):
            return position.board.words[0]

    assert {play.outcome for play in wk.play(Slow(seconds=1.5), GAME, deadline=1)} == {Outcome.SOLVED}
    monkeypatch.setattr(player, "PREPARING", 0.2)
    (play,) = wk.play(Slow(seconds=30), GAME, ["abc"])
    assert (play.outcome, play.message) == (Outcome.TIMED_OUT, "prepare: took more than 0.2 s, at guess 1")


@needs_linux
@pytest.mark.slow
def test_a_prepare_that_cannot_be_interrupted_ends_its_worker_and_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(player, "PREPARING", 0.5)  # workers are forked
    monkeypatch.setattr(runner, "PREPARING", 0.5)
    monkeypatch.setattr(deadline, "GRACE", 0.1)
    path = tmp_path / "endless.py"
    path.write_text(PREPARING.format(notes="/dev/null").replace("super().prepare(game)", "sum(iter(int, 1))"))
    board = wk.tournament(GAME, ["noting"], ["abc"], workers=1, plugins=wk.Plugins.load([path]))
    (play,) = board.plays("noting")
    assert play.outcome == Outcome.TIMED_OUT
    assert play.message.startswith("prepare: took more than 0.5 s and could not be interrupted: File ")
    assert play.message.endswith('endless.py", line 11 in prepare')


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


@pytest.mark.slow
def test_a_kernel_that_is_compiled_in_prepare_keeps_the_deadline(kernel):
    plugins = wk.Plugins.load([kernel])
    board = wk.tournament(GAME, ["prepared"], workers=1, plugins=plugins, deadline=1)
    assert {play.outcome for play in board.plays("prepared")} == {Outcome.SOLVED}


@pytest.mark.slow
def test_one_that_is_compiled_in_guess_is_named_with_what_to_do(kernel):
    plugins = wk.Plugins.load([kernel])
    board = wk.tournament(GAME, ["compiled"], ["abc"], workers=1, plugins=plugins, deadline=1)
    (play,) = board.plays("compiled")
    assert (play.outcome, play.message) == (
        Outcome.TIMED_OUT,
        f"took more than 1 s for guess 1: {COMPILES}",
    )


@needs_linux
@pytest.mark.slow
def test_in_another_process_it_is_the_same(kernel, noting, notes):
    isolation = wk.Isolation(sandbox="plain")
    plugins = wk.Plugins.load([kernel, noting], isolation=isolation)
    board = wk.tournament(GAME, ["prepared", "compiled"], ["abc"], workers=1, plugins=plugins, deadline=1)
    assert board.plays("prepared")[0].outcome == Outcome.SOLVED
    (late,) = board.plays("compiled")
    assert late.outcome == Outcome.TIMED_OUT
    assert late.message == f"took more than 1 s, at guess 1; it printed: {COMPILES}"
    told = PREPARING.replace("Noting", "Told").replace("Dice", "Dice2").format(notes="/dev/null")
    (notes.parent / "told.py").write_text(told.replace("return position", "raise ValueError(position.deadline)  #"))
    plugins = wk.Plugins.load([notes.parent / "told.py"], isolation=isolation)
    board = wk.tournament(GAME, ["told"], ["abc"], workers=1, plugins=plugins, deadline=12.5)
    assert board.plays("told")[0].message == "ValueError: 12.5 (told.py, line 18), at guess 1"
    path = notes.parent / "failing.py"
    path.write_text(PREPARING.format(notes="/dev/null").replace("fails: bool = False", "fails: bool = True"))
    plugins = wk.Plugins.load([path], isolation=isolation)
    board = wk.tournament(GAME, ["noting", "dice"], ["abc", "bca"], workers=1, plugins=plugins, secret="0" * 32)
    found = {play.message for name in ("noting", "dice") for play in board.plays(name)}
    assert found == {FAILED.replace("noting.py", "failing.py")}


@needs_linux
@pytest.mark.slow
def test_in_another_process_it_has_the_time_until_that_is_ready(tmp_path):
    path = tmp_path / "sleepy.py"
    path.write_text(
        PREPARING.format(notes="/dev/null").replace("super().prepare(game)", "__import__('time').sleep(60)")
    )
    isolation = wk.Isolation(sandbox="plain", limits=wk.Limits(start=8))
    plugins = wk.Plugins.load([path], isolation=isolation)
    (play,) = wk.play(plugins.strategies["noting"].value, GAME, ["abc"], deadline=1)
    assert (play.outcome, play.message) == (Outcome.TIMED_OUT, "took more than 8 s to be ready, at guess 1")


def test_a_strategy_knows_its_deadline():
    seen = []

    class Seeing(wk.Strategy):
        def guess(self, position):
            seen.append((position.deadline, position.looking_at("most").deadline, position.copy().deadline))
            return position.board.words[0]

    wk.play(Seeing(), GAME, ["abc"], deadline=7.5)
    assert set(seen) == {(7.5, 7.5, 7.5)}
    assert wk.Position.start(GAME).deadline is None
