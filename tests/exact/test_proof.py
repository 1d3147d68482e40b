"""Proofs in several workers: the same results as in one process, and a clear end if a worker dies."""

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.exact import proof
from wordle_kit.exact.memory import SearchStopped
from wordle_kit.exact.objective import Objective
from wordle_kit.exact.proof import Action, Standing, Task, rank_all, run_here
from wordle_kit.exact.search import Search
from wordle_kit.strategy.position import Position
from wordle_kit.workers import Machines, Workers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked, and looked for in /proc")


@pytest.fixture
def search():
    """Return the search of a small game."""
    game = wk.load_game({"name": "small", "alphabet": "abcd", "length": 3, "answers": "all"})
    return Search(game, Position.start(game).board.candidates, objective=Objective.read("mean"))


def children(process):
    """Return the child processes of a process."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in lists for child in file.read_text().split()]


EARLIER = set()
"""Processes that other tests have left, such as those that multiprocessing keeps until the end."""


@pytest.fixture(autouse=True)
def remember_earlier_processes():
    """Remember the processes that this one has before a test."""
    EARLIER.clear()
    EARLIER.update(children(os.getpid()))


def workers():
    """Return the processes that a test has started and that have not ended."""
    return [process for process in children(os.getpid()) if process not in EARLIER]


def carry_out(search, *tasks, count=2):
    """Return the results of tasks that are carried out in workers, none of which is left afterwards."""
    try:
        with proof.run_in_workers(search, count) as run:
            return list(run(iter(tasks), Standing(-1)))
    finally:
        assert not workers()


def test_workers_find_what_one_process_finds(search):
    alone, together = Standing(-1), Standing(-1)
    rank_all(search, alone, run_here(search))
    with proof.run_in_workers(search, 2) as run:
        rank_all(search, together, run)
    assert together.exact[together.best] == alone.exact[alone.best]
    assert together.least == alone.least
    assert not workers()


class ForkedMachines(Machines):
    """Processes of this machine that begin like those of other machines."""

    size = 2

    def pool(self, most, *, shared=(), initialize=None):
        return Workers(most, pickle.loads(pickle.dumps(initialize)))


def test_other_machines_find_it_with_searches_of_their_own(search):
    alone, together = Standing(-1), Standing(-1)
    rank_all(search, alone, run_here(search))
    with proof.run_in_workers(search, 2, ForkedMachines()) as run:
        rank_all(search, together, run)
    assert together.exact[together.best] == alone.exact[alone.best]
    assert together.least == alone.least


def test_a_worker_that_is_killed_during_a_task_ends_the_proof(monkeypatch, search):
    monkeypatch.setattr(proof, "refine", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(wk.WordleKitError, match="signal 9"):
        carry_out(search, *(Task(Action.BOUND, [column], -1, 0) for column in range(10)))


def test_workers_stop_when_the_search_is_asked_to(search):
    search.memory.stop()
    with pytest.raises(SearchStopped):
        carry_out(search, *[Task(Action.SOLVE, [0], -1, 10**9)] * 3)


@pytest.mark.slow
@pytest.mark.parametrize("who", ["worker", "parent"])
def test_a_proof_ends_with_a_message_when_a_process_is_ended_and_leaves_none_behind(tmp_path, search_command, who):
    arguments = ["--workers", "2", "--checkpoint", str(tmp_path / "searches.sqlite"), "--format", "json"]
    command = [*search_command, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 200
    while len(children(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    forked = children(process.pid)
    if who == "worker":
        for worker in forked:
            os.kill(worker, signal.SIGKILL)
    else:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert err.count("\n") == 1
    if who == "worker":
        assert (process.returncode, out) == (2, "")
        assert err.startswith(("wordle-kit: a worker process was ended by signal 9", "wordle-kit: no worker is left"))
    else:
        assert process.returncode == 130
        assert err.startswith("wordle-kit: stopped")
    assert not any(Path(f"/proc/{child}").exists() for child in forked)
