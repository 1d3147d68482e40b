"""Workers that die, at whatever byte of an answer, are noticed, and none is left behind."""

import os
import pickle
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.exact import workers
from wordle_kit.exact.objective import Objective
from wordle_kit.exact.proof import Standing, rank_all, run_here
from wordle_kit.exact.search import Search, Stopped
from wordle_kit.strategy.position import Position

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked, and looked for in /proc")


@pytest.fixture
def search():
    """Return the search of a small game."""
    game = wk.load_game({"name": "small", "alphabet": "abcd", "length": 3, "answers": "all"})
    return Search(game, Position.start(game).board.candidates, objective=Objective.read("mean"))


@pytest.fixture
def pool(search):
    """Return two workers."""
    pool = workers.Workers(search, 2)
    yield pool
    pool.close()
    assert not children(os.getpid())


def children(process):
    """Return the child processes of a process."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in lists for child in file.read_text().split()]


def test_workers_find_what_one_process_finds(search, pool):
    alone, together = Standing(-1), Standing(-1)
    rank_all(search, alone, run_here(search))
    rank_all(search, together, pool.run)
    assert together.exact[together.best] == alone.exact[alone.best]
    assert together.least == alone.least


@pytest.mark.parametrize("share", [0, 0.001, 0.01, 0.5, 0.99])
def test_a_worker_that_is_killed_while_it_answers_is_noticed(monkeypatch, search, share):
    send = workers.Connection.send

    def send_and_die(connection, message):
        if isinstance(message, tuple):  # a task, and not an answer
            send(connection, message)
            return
        body = pickle.dumps(message)
        framed = struct.pack("!i", len(body)) + body
        os.write(connection.fileno(), framed[: int(share * len(framed))])
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(workers, "refine", lambda *_: (10**2000, False))
    monkeypatch.setattr(workers.Connection, "send", send_and_die)
    pool = workers.Workers(search, 2)
    try:
        with pytest.raises(workers.WorkerDied, match="a worker process was ended by signal 9, perhaps because memory"):
            list(pool.run(iter([("bound", [column], -1, 0) for column in range(10)]), Standing(-1)))
    finally:
        pool.close()
    assert not children(os.getpid())


def test_a_worker_that_is_killed_before_it_gets_a_task_is_noticed(search, pool):
    pool.start()
    for process in children(os.getpid()):
        os.kill(process, signal.SIGKILL)
    for process in pool._processes.values():
        process.join()
    with pytest.raises(workers.WorkerDied):
        list(pool.run(iter([("bound", [0], -1, 0)]), Standing(-1)))


def test_what_goes_wrong_in_a_worker_is_raised_here(monkeypatch, search):
    def refine(*_):
        raise wk.GameError("it needs more memory")

    monkeypatch.setattr(workers, "refine", refine)
    pool = workers.Workers(search, 1)
    try:
        with pytest.raises(wk.GameError, match="it needs more memory"):
            list(pool.run(iter([("bound", [0], -1, 0)]), Standing(-1)))
    finally:
        pool.close()


def test_workers_stop_when_the_search_is_asked_to(search, pool):
    search.stop()
    with pytest.raises(Stopped):
        list(pool.run(iter([("solve", [0], -1, 10**9)] * 3), Standing(-1)))


@pytest.mark.parametrize("who", ["worker", "parent"])
def test_a_proof_ends_in_a_line_when_a_worker_is_killed_and_leaves_none_behind(tmp_path, who):
    arguments = ["optimal", "--workers", "2", "--checkpoint", str(tmp_path / "searches.sqlite"), "--format", "json"]
    command = [sys.executable, "-m", "wordle_kit", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 200
    while len(children(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    forked = children(process.pid)
    if who == "worker":
        os.kill(forked[0], signal.SIGKILL)
    else:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=100)
    assert err.count("\n") == 1
    if who == "worker":
        assert (process.returncode, out) == (2, "")
        assert err.startswith("wordle-kit: a worker process was ended by signal 9")
    else:
        assert process.returncode == 130
        assert err.startswith("wordle-kit: stopped")
    assert not any(Path(f"/proc/{child}").exists() for child in forked)
