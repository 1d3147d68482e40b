"""Searches that are interrupted or killed have bounds, and resume from the file of their progress."""

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from unittest import mock

import pytest
from wordle_kit_plugins.exact import optimal

import wordle_kit as wk

PERFECT = 7973
"""The least total of guesses for the answers of Wordle guessed among themselves, by a whole proof."""

HALF = 3726
"""The same for every second answer."""


def interrupted(game, path, many, **arguments):
    """Return a search that is interrupted once so many first guesses are done of those that have to be looked at.

    Return how many have to be, too.
    """
    totals = []

    def watch(now):
        if now.total and now.done >= many:
            totals.append(now.total)
            raise KeyboardInterrupt

    with mock.patch.object(optimal, "REPORT_INTERVAL", 0.01):
        solution = wk.optimal(game, progress=path, watch=watch, workers=1, **arguments)
    assert solution.ending == "interrupted"
    return solution, totals[0]


def known(path):
    """Return the number of first guesses for which results are stored."""
    if not path.exists():
        return 0
    lines = path.read_text().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return len({word for row in rows for word in row.get("settled", ())})


@pytest.fixture(scope="module")
def half():
    """Return a game whose whole search takes seconds."""
    answers = [*wk.load_game("wordle").answers[::2]]
    return wk.load_game({"name": "half", "alphabet": "abcdefghijklmnopqrstuvwxyz", "length": 5, "answers": answers})


@pytest.fixture(scope="module")
def stopped(half, tmp_path_factory):
    """Return the result of a search that was interrupted, and the file with its progress."""
    path = tmp_path_factory.mktemp("stopped") / "progress.jsonl"
    solution, _ = interrupted(half, path, 200)
    return solution, path


def test_an_interrupted_search_has_a_tree_and_bounds(stopped):
    solution, path = stopped
    assert not solution.is_proved
    assert solution.lower < HALF <= solution.total == solution.tree.total
    assert known(path) >= 200


def test_a_search_resumes_from_its_progress_even_if_the_last_line_was_cut_off(half, stopped, tmp_path):
    path = tmp_path / "progress.jsonl"
    path.write_text(stopped[1].read_text() + stopped[1].read_text().splitlines()[-1][:50])
    before = known(path)
    again, left = interrupted(half, path, 0)
    assert left <= len(half.guesses) - before
    assert again.lower >= stopped[0].lower
    solution = wk.optimal(half, progress=path, workers=1)
    assert (solution.total, solution.is_proved) == (HALF, True)


def test_a_file_of_something_else_is_refused_and_left_as_it_is(half, tmp_path):
    path = tmp_path / "idea.py"
    path.write_text("x = 1\n")
    with pytest.raises(wk.WordleKitError, match="not a file of progress"):
        wk.optimal(half, progress=path, workers=1)
    assert path.read_text() == "x = 1\n"


def test_openers_of_another_search_are_not_believed(half, stopped, tmp_path):
    path = tmp_path / "progress.jsonl"
    path.write_text(stopped[1].read_text())
    solution = wk.optimal(half.replace(answers=half.answers[:300]), progress=path, workers=1)
    assert solution.total == wk.optimal(half.replace(answers=half.answers[:300]), workers=1).total


class LateError(Exception):
    """A deadline that ends whatever waits for the search."""


def test_no_thread_searches_on_after_an_exception_ends_the_wait(half):
    def watch(now):
        if now.total:
            raise LateError

    before = threading.active_count()
    with pytest.raises(LateError):
        wk.optimal(half, watch=watch, workers=1)
    assert threading.active_count() == before


def test_a_limit_of_nodes_gives_the_same_result_every_time(half):
    first, second = (wk.optimal(half, nodes=20) for _ in range(2))
    assert first.ending == second.ending == "stopped"
    assert (first.total, first.lower, first.nodes, first.tree) == (
        second.total,
        second.lower,
        second.nodes,
        second.tree,
    )
    assert first.lower < HALF <= first.total


# By time, signals and kills


@pytest.mark.slow
def test_a_search_that_ran_out_of_time_has_a_tree_and_bounds_and_goes_on(tmp_path, answers_only):
    game = wk.load_game(answers_only)
    lower = []
    for _ in range(2):
        solution = wk.optimal(game, seconds=0.5, progress=tmp_path / "progress.jsonl", workers=1)
        assert solution.ending == "stopped"
        assert not solution.is_proved
        assert solution.lower < PERFECT <= solution.total == solution.tree.total
        lower.append(solution.lower)
    assert lower[0] <= lower[1]


def until_known(path, many):
    """Wait until results are stored for this many first guesses."""
    deadline = time.monotonic() + 900
    while time.monotonic() < deadline and known(path) < many:
        time.sleep(0.2)


def check_that_it_goes_on(path, game):
    """Check that a search has no more to do than what was not known before."""
    before = known(path)
    assert before >= 200
    _, left = interrupted(game, path, 0)
    assert left <= len(game.guesses) - before


@pytest.mark.slow
def test_ctrl_c_gives_a_tree_and_bounds_and_the_search_can_go_on(tmp_path, answers_only, search_command):
    path, tree = tmp_path / "progress.jsonl", tmp_path / "tree.txt"
    arguments = ["--workers", "1", "--progress", str(path), "--format", "json", "--output", str(tree)]
    command = [*search_command, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until_known(path, 200)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.count("\n") == 1  # and no bar in a pipe
    (row,) = json.loads(out)
    assert row["proved"] == "no"
    assert row["lower"] < PERFECT <= row["total"]
    game = wk.load_game(answers_only)
    assert wk.read_tree(tree, game).total == row["total"]
    check_that_it_goes_on(path, game)


@pytest.mark.slow
def test_a_killed_proof_goes_on_where_it_was(tmp_path, answers_only, search_command):
    path = tmp_path / "progress.jsonl"
    command = [*search_command, "--workers", "2", "--progress", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until_known(path, 200)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    check_that_it_goes_on(path, wk.load_game(answers_only))


@pytest.mark.slow
def test_compiling_and_bounds_are_shown_on_a_terminal():
    command = [sys.executable, "-m", "wordle_kit", "optimal", "--first", "trace"]
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
    assert b"compiling" in seen
    assert b"trace" in seen
