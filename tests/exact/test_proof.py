"""Proofs in several processes: the same results as in one, and a clear end if a worker dies."""

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.exact import optimal
from wordle_kit.workers import Machines, Workers


class ForkedMachines(Machines):
    """Processes of this machine that begin like those of other machines."""

    size = 2

    def pool(self, most, *, shared=(), initialize=None):
        return Workers(most, pickle.loads(pickle.dumps(initialize)))


@pytest.fixture
def game(monkeypatch):
    """Return a small game whose first guesses are ranked nevertheless, as those of large games are."""
    monkeypatch.setattr(optimal, "LARGEST_SET", 0)
    return wk.load_game({"name": "small", "alphabet": "abcd", "length": 3, "answers": "all"})


@pytest.mark.parametrize("processes", [{"workers": 2}, {"executor": ForkedMachines()}], ids=["workers", "machines"])
def test_several_processes_find_what_one_finds(game, processes):
    alone, together = wk.optimal(game), wk.optimal(game, **processes)
    assert (together.total, together.lower, together.is_proved) == (alone.total, alone.lower, True)
    assert together.tree == alone.tree


def children(process):
    """Return the child processes of a process."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in lists for child in file.read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="workers are looked for in /proc")
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
    assert (process.returncode, out == "") == ((2, True) if who == "worker" else (130, False))
    assert not any(Path(f"/proc/{child}").exists() for child in forked)
