"""Searches that are stopped, interrupted or killed keep their results, and progress is shown on a terminal."""

import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

import wordle_kit as wk
from wordle_kit.exact.optimal import Ending

PERFECT = 7973
"""The least total of guesses for the answers of Wordle guessed among themselves, by a whole proof."""


@pytest.mark.slow
def test_a_stopped_search_has_a_tree_and_bounds_and_goes_on(tmp_path, answers_only):
    game = wk.load_game(answers_only)
    lower = []
    for _ in range(2):
        solution = wk.optimal(game, seconds=0.5, checkpoint=tmp_path / "searches.sqlite")
        assert solution.ending is Ending.TIME
        assert not solution.is_proved
        assert solution.lower < PERFECT < solution.total + 1
        assert solution.tree.total == solution.total
        lower.append(solution.lower)
    assert lower[0] <= lower[1]


@pytest.mark.slow
def test_ctrl_c_gives_a_tree_and_bounds_and_the_search_can_go_on(tmp_path, answers_only, search_command):
    path, tree = tmp_path / "searches.sqlite", tmp_path / "tree.json"
    arguments = ["--workers", "1", "--checkpoint", str(path), "--format", "json", "--output", str(tree)]
    command = [*search_command, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until_known(path, 8)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("wordle-kit: stopped")
    assert err.count("\n") == 1  # and no bar in a pipe
    (row,) = json.loads(out)
    assert row["proved"] == "no"
    assert row["lower"] < PERFECT <= row["total"]
    game = wk.load_game(answers_only)
    assert wk.read_tree(tree, game).total == row["total"]
    goes_on_from(path, known(path), game)


@pytest.mark.slow
def test_a_killed_proof_goes_on_where_it_was(tmp_path, answers_only, search_command):
    path = tmp_path / "searches.sqlite"
    command = [*search_command, "--workers", "2", "--checkpoint", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until_known(path, 8)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    goes_on_from(path, known(path), wk.load_game(answers_only))


def goes_on_from(path, before, game):
    """Check that a search has no more to do than what was not known before."""
    assert before >= 8
    left = []

    def watch(now):
        if now.total:
            left.append(now.total)
            raise KeyboardInterrupt

    assert wk.optimal(game, checkpoint=path, progress=watch).ending is Ending.INTERRUPTED
    assert left[0] <= len(game.guesses) - before


def until_known(path, many):
    """Wait until results are stored for this many first guesses."""
    deadline = time.monotonic() + 900
    while time.monotonic() < deadline and known(path) < many:
        time.sleep(0.2)


def known(path):
    """Return the number of first guesses for which results are stored."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(path)) as store:
            return store.execute("SELECT count(*) FROM openings").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


@pytest.mark.slow
def test_bounds_are_shown_on_a_terminal():
    command = [sys.executable, "-m", "wordle_kit", "optimal", "--first", "trace", "--workers", "1", "--fresh"]
    master, terminal = pty.openpty()
    shown = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env={**os.environ, "TERM": "xterm"})
    os.close(terminal)
    seen = bytearray()
    while True:
        try:
            piece = os.read(master, 2**16)
        except OSError:  # Linux's error if nobody has the other end open
            break
        if not piece:
            break
        seen += piece
    assert b"7926" in shown.communicate()[0]
    os.close(master)
    assert "trace: " in seen.decode()
    assert " sets" in seen.decode()
