"""Proofs in several processes: the same results as in one, and a clear end if a worker dies."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from wordle_kit_plugins.exact import optimal

import wordle_kit as wk


def test_several_processes_find_what_one_finds_even_with_a_rule_of_a_plugins_file(monkeypatch, write):
    monkeypatch.setattr(optimal, "LARGEST_SET", 0)
    plugin = write(
        "mine.py",
        """
        import wordle_kit as wk

        class Equal(wk.Rule):
            def n_codes(self, length):
                return length + 1

            def winning_code(self, length):
                return length

            def code(self, guess, answer):
                return sum(a == b for a, b in zip(guess, answer, strict=True))

            def show(self, code, length):
                return str(code)

        @wk.hookimpl
        def register_rules(register):
            register(Equal())
        """,
    )
    plugins = wk.Plugins.load(plugin)
    words = {"name": "equal", "alphabet": "abc", "length": 3, "answers": "all", "rule": "equal"}
    game = wk.load_game(words, plugins)
    alone, together = wk.optimal(game, workers=1), wk.optimal(game, workers=2)
    assert (together.total, together.lower, together.is_proved) == (alone.total, alone.lower, True)
    assert together.tree == alone.tree


def workers_of(process):
    """Return the worker processes of a process."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    numbers = [int(child) for file in lists for child in file.read_text().split()]
    return [number for number in numbers if "spawn_main" in Path(f"/proc/{number}/cmdline").read_text()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="workers are looked for in /proc")
@pytest.mark.parametrize("who", ["worker", "parent"])
def test_a_killed_worker_costs_only_time_and_ctrl_c_leaves_no_worker_behind(search_command, who):
    arguments = ["--workers", "2", "--format", "json"]
    command = [*search_command, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 200
    while len(workers_of(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    workers = workers_of(process.pid)
    time.sleep(5)  # they have begun
    if who == "worker":
        os.kill(workers[0], signal.SIGKILL)
        while len(workers_of(process.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert process.poll() is None
        workers = workers_of(process.pid)
        assert len(workers) == 2
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert err.count("\n") == 1
    assert process.returncode == 130
    assert out
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
