"""Tournaments in a process that has other threads, such as a notebook or a server, end and give the same figures."""

import json
import os
import subprocess
import sys
import threading

import pytest

import wordle_kit as wk
from wordle_kit.tournaments import runner

BUNDLED = ["entropy", "most-parts", "first-consistent", "random-consistent"]
TWO_BOARDS = {"name": "pairs", "alphabet": "abcd", "length": 3, "answers": "all", "boards": 2}

PATIENCE = 120.0
"""Seconds after which a test ends a program that hangs. Each takes less than ten."""


@pytest.fixture
def another_thread():
    """Have another thread run during a test."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    yield
    over.set()
    thread.join()


def plays_of(leaderboard):
    return {row.strategy: leaderboard.plays(row.strategy) for row in leaderboard.rows}


@pytest.fixture(scope="module")
def alone(letters):
    """Return the plays of a tournament without other threads."""
    return plays_of(wk.tournament(letters, BUNDLED, workers=2, seed=0))


@pytest.mark.slow
def test_another_thread_changes_no_play(letters, alone, another_thread):
    assert plays_of(wk.tournament(letters, BUNDLED, workers=2, seed=0)) == alone


@pytest.mark.slow
def test_another_thread_changes_no_play_on_two_boards(request):
    alone = plays_of(wk.tournament(TWO_BOARDS, BUNDLED, 40, workers=2, seed=0))
    request.getfixturevalue("another_thread")
    assert plays_of(wk.tournament(TWO_BOARDS, BUNDLED, 40, workers=2, seed=0)) == alone


RULE = """
import wordle_kit as wk

class Backwards(wk.Rule):
    name = "backwards"
    version = "1"

    def code(self, guess, answer):
        return sum(2**i * (a == b) for i, (a, b) in enumerate(zip(reversed(guess), reversed(answer))))

    def n_codes(self, length):
        return 2**length

    def winning_code(self, length):
        return 2**length - 1

    def show(self, code, length):
        return f"{code:05}"

    def read(self, text, length):
        return int(text)

class Last(wk.Strategy):
    def guess(self, position):
        return position.board.words[-1]

@wk.hookimpl
def register_rules(register):
    register(Backwards())

@wk.hookimpl
def register_strategies(register):
    register(Last())
"""


@pytest.mark.slow
def test_the_strategies_and_rules_of_a_plugins_file_play_beside_another_thread(tmp_path, request):
    (tmp_path / "backwards.py").write_text(RULE)
    plugins = wk.Plugins.load([tmp_path / "backwards.py"], strict=True)
    game = {"name": "back", "alphabet": "abc", "length": 3, "answers": "all", "rule": "backwards"}
    alone = plays_of(wk.tournament(game, ["last", "entropy"], plugins=plugins, workers=2))
    request.getfixturevalue("another_thread")
    assert plays_of(wk.tournament(game, ["last", "entropy"], plugins=plugins, workers=2)) == alone


SCRIPT = """
import json, os, sys, threading, time
import wordle_kit as wk

GAME = {"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"}
PARENT = os.getpid()
LOCK = threading.Lock()  # cannot be pickled

class Typed(wk.Strategy):
    '''Guesses the last candidate.'''
    def guess(self, position):
        return position.board.words[-1]

class Holding(wk.Strategy):
    '''Guesses the last candidate while it holds a lock.'''
    def guess(self, position):
        with LOCK:
            return position.board.words[-1]

def means(strategies, **options):
    board = wk.tournament(GAME, strategies, workers=2, seed=0, **options)
    return {row.strategy: [row.mean, row.failed, row.games] for row in board.rows}
"""


def run(script, *arguments):
    """Return what a program without a file, like a notebook, prints as JSON. If it hangs, end it and its workers."""
    with subprocess.Popen(
        [sys.executable, "-", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, complaints = process.communicate(SCRIPT + script, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            pytest.fail("it hangs")
    assert (process.returncode, complaints) == (0, "")
    return json.loads(out)


TYPED = """
if sys.argv[1] == "threads":
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
print(json.dumps(means([Typed(), Holding()])))
"""


@pytest.mark.slow
def test_strategies_that_were_typed_into_a_notebook_play_beside_another_thread():
    alone = run(TYPED, "alone")
    assert sorted(alone) == ["holding", "typed"]
    assert run(TYPED, "threads") == alone


@pytest.mark.slow
def test_a_script_is_not_run_again_by_the_workers_that_it_starts(tmp_path):
    (tmp_path / "script.py").write_text(f"{SCRIPT}\nprint('once', file=sys.stderr){TYPED}")
    command = [sys.executable, str(tmp_path / "script.py"), "threads"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert ran.stderr == "once\n"
    assert [failed for _, failed, _ in json.loads(ran.stdout).values()] == [0, 0]


SEVERAL = """
found = []

def play(number):
    found.append(means(["entropy", "most-parts"]))

def play_one_by_one(number):
    plays = wk.play("most-parts", GAME, 300, seed=1)
    found.append([play.guesses for play in plays])

kind, count = sys.argv[1], int(sys.argv[2])
threads = [threading.Thread(target=play, args=(number,)) for number in range(count)]
threads += [threading.Thread(target=play_one_by_one, args=(0,))] * (kind == "playing")
if kind == "alone":
    play(0)
    play_one_by_one(0)
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def one_by_one():
    """Return the means of a tournament and the guesses of single games, played without other threads."""
    means, guesses = run(SEVERAL, "alone", "0")
    return means, guesses


@pytest.mark.slow
def test_a_tournament_in_one_thread_while_another_plays_gives_the_same_figures(one_by_one):
    means, guesses = one_by_one
    found = run(SEVERAL, "playing", "1")
    assert len(found) == 2
    assert means in found
    assert guesses in found


@pytest.mark.slow
def test_several_tournaments_at_once_give_the_same_figures(one_by_one):
    assert run(SEVERAL, "tournaments", "3") == [one_by_one[0]] * 3


class Stuck:
    """Waits for ever, instead of playing a chunk."""

    def __call__(self, chunk):
        lock = threading.Lock()
        with lock, lock:
            pass


def test_a_worker_that_waits_for_ever_outside_of_decisions_is_noticed(letters, monkeypatch):
    monkeypatch.setattr(runner, "play_chunk", Stuck())
    monkeypatch.setattr(runner, "IDLE", 0.5)
    monkeypatch.setattr(runner, "longest_silence", lambda seconds: 0.5)
    monkeypatch.setattr(runner, "PREPARING", 0.5)
    leaderboard = wk.tournament(letters, ["first-consistent"], letters.answers[:2], workers=1)
    assert [play.outcome for play in leaderboard.plays("first-consistent")] == [wk.Outcome.CRASHED] * 2
