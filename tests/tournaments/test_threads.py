"""Tournaments in a process that has other threads, such as a notebook or a server, end and give the same figures."""

import json
import os
import subprocess
import sys
import threading

import pytest

import wordle_kit as wk

pytestmark = pytest.mark.slow

BUNDLED = ["entropy", "most-parts", "first-consistent", "random-consistent"]

PATIENCE = 120.0
"""Seconds after which a test ends a program that hangs. Each takes less than ten."""


@pytest.fixture
def beside_a_thread():
    """Return a function that starts another thread, which ends after the test."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    yield thread.start
    over.set()
    if thread.ident is not None:
        thread.join()


def test_another_thread_changes_no_play(letters, beside_a_thread):
    def plays():
        board = wk.tournament(letters, BUNDLED, workers=2)
        return {row.strategy: board.plays(row.strategy) for row in board.rows}

    alone = plays()
    beside_a_thread()
    assert plays() == alone


SCRIPT = """
import json, os, sys, threading, time
from functools import cache
import wordle_kit as wk

GAME = {"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"}
LOCK = threading.Lock()  # cannot be pickled

@cache
def last(words):
    return last(words[1:]) if len(words) > 1 else words[0]

class Typed(wk.Strategy):
    '''Guesses the last candidate.'''
    def guess(self, position):
        return last(tuple(position.board.words[-9:]))

class Holding(wk.Strategy):
    '''Guesses the last candidate while it holds a lock.'''
    def guess(self, position):
        with LOCK:
            return position.board.words[-1]

def means(strategies):
    board = wk.tournament(GAME, strategies, workers=2)
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


def test_strategies_that_were_typed_into_a_notebook_play_beside_another_thread():
    alone = run(TYPED, "alone")
    assert sorted(alone) == ["holding", "typed"]
    assert run(TYPED, "threads") == alone


CACHED = """
from functools import cache
import wordle_kit as wk

@cache
def last(game):
    return game.answers[-1]

class Last(wk.Strategy):
    def guess(self, position):
        return last(position.game) if position.turn == 1 else position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Last())
"""


def test_a_strategy_of_a_file_plays_beside_another_thread_with_its_cached_functions(letters, write, beside_a_thread):
    plugins = wk.Plugins.load([write("last.py", CACHED)])
    beside_a_thread()
    board = wk.tournament(letters, ["last"], workers=2, plugins=plugins)
    assert (board.rows[0].failed, board.plays("last")[0].guesses[0]) == (0, letters.answers[-1])


def test_a_script_is_not_run_again_by_the_workers_that_it_starts(tmp_path):
    (tmp_path / "script.py").write_text(f"{SCRIPT}\nprint('once', file=sys.stderr){TYPED}")
    command = [sys.executable, str(tmp_path / "script.py"), "threads"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert ran.stderr == "once\n"
    assert [failed for _, failed, _ in json.loads(ran.stdout).values()] == [0, 0]


SEVERAL = """
found = []
threads = [threading.Thread(target=lambda: found.append(means(["entropy", "most-parts"]))) for _ in range(3)]
alone = means(["entropy", "most-parts"])
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([alone, *found]))
"""


def test_several_tournaments_at_once_give_the_same_figures():
    alone, *at_once = run(SEVERAL)
    assert at_once == [alone] * 3
