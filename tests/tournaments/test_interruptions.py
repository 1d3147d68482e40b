"""A tournament that is killed, stopped or run twice at the same time loses nothing and plays nothing twice."""

import contextlib
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.tournaments.store import Store

PATIENCE = 180.0
"""Seconds after which a test gives up waiting."""

HOLDING = '''
import os, time
import wordle_kit as wk

HOLD = {hold!r}

class Holding(wk.Strategy):
    """Guesses the first candidate; while a file is there, it never ends where all candidates begin with d, e or f."""

    def guess(self, position):
        while position.board.words[0] >= "d" and os.path.exists(HOLD):
            time.sleep(0.01)
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Holding())
'''
"""With it the first two chunks are played, which are words up to cccc, and all others wait."""


class Tournament:
    """A tournament of the game of letters in a process of its own, and in `folder` all that it needs."""

    def __init__(self, folder, game):
        self.folder = folder
        self.store = folder / "store.sqlite"
        self.hold = folder / "hold"
        self.plugin = folder / "holding.py"
        self.plugin.write_text(HOLDING.format(hold=str(self.hold)))
        options = ["--game", game, "--plugin", self.plugin, "--store", self.store, "--strategy", "holding"]
        options += ["--workers", 2, "--format", "json", "--deadline", 600]
        self.arguments = ["tournament", *map(str, options)]
        self.started = []

    def start(self, *more):
        process = subprocess.Popen(
            [sys.executable, "-m", "wordle_kit", *self.arguments, *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def finish(self, *more):
        """Play to the end in this process; return the leaderboard as JSON has it, without what time measures."""
        return figures(printed_by(*self.arguments, *more))

    def chunks(self):
        """Return the chunks in the store, each with the calls and seconds it took."""
        if not self.store.exists():
            return {}
        with closing(sqlite3.connect(self.store, timeout=PATIENCE)) as connection:
            try:
                rows = connection.execute("SELECT run, chunk, calls, seconds FROM chunks").fetchall()
            except sqlite3.OperationalError:  # not made yet
                return {}
        return {(run, chunk): (calls, seconds) for run, chunk, calls, seconds in rows}

    def wait_for_chunks(self, count):
        wait_until(lambda: len(self.chunks()) >= count)

    def processes(self):
        """Return the processes that were started with this store, and all they started."""
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                state = (file.parent / "stat").read_text().rpartition(")")[2].split()[0]
                if str(self.store) in file.read_text().split("\0") and state != "Z":
                    found.append(int(file.parent.name))
            except OSError:  # it has just ended
                continue
        return found


def figures(text):
    """Return a leaderboard that was printed as JSON, without what depends on time or on the test's folder."""
    leaderboard = json.loads(text)
    for row in leaderboard["rows"]:
        del row["ms_per_decision"], row["source"]
    return leaderboard


def printed_by(*arguments):
    """Return what a command prints, run in this process."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert cli.run(list(arguments)) == 0
    return out.getvalue()


def printed_in_the_end(process):
    """Return what a process prints that ends without a complaint."""
    out, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints) == (0, "")
    return out


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@pytest.fixture
def tournament(tmp_path, letters_file):
    """Return a tournament that has not begun; whatever it starts is ended with the test."""
    made = Tournament(tmp_path, letters_file)
    yield made
    for process in made.started:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory, letters):
    """Return the leaderboard of the same tournament without any interruption."""
    plugins = wk.Plugins.load([Tournament(tmp_path_factory.mktemp("uninterrupted"), "letters").plugin])
    return figures(wk.tournament(letters, ["holding"], workers=2, plugins=plugins, deadline=600).table("json"))


ASKED = """
def guess(self, position):
    with open({log!r}, "a") as log:
        log.write("asked\\n")
    return first(position)
"""


def test_a_tournament_that_is_interrupted_goes_on_with_the_chunks_that_were_missing(letters, written, tmp_path, path):
    log = tmp_path / "log"
    plugins = written(Counted=ASKED.format(log=str(log)))

    def play(**options):
        log.write_text("")
        board = wk.tournament(letters, ["counted"], plugins=plugins, workers=1, **options)
        return board.plays("counted"), log.read_text().count("asked")

    def interrupt(done, total):
        if done > 600:
            raise KeyboardInterrupt

    uninterrupted, asked = play()
    with pytest.raises(KeyboardInterrupt):
        play(store=path, progress=interrupt)
    with Store(path) as store:
        ((_, _, played),) = store.runs()
    assert 600 < played < 1296
    plays, asked_again = play(store=path)
    assert plays == uninterrupted
    assert 0 < asked_again < asked


@pytest.mark.slow
@needs_linux
def test_a_killed_tournament_leaves_no_worker_and_goes_on_with_the_chunks_that_were_missing(tournament, uninterrupted):
    tournament.hold.touch()
    process = tournament.start()
    tournament.wait_for_chunks(2)
    assert len(tournament.processes()) == 3
    process.kill()
    process.wait()
    wait_until(lambda: tournament.processes() == [])

    stored = tournament.chunks()
    assert [chunk for _, chunk in stored] == [0, 1]
    with Store(tournament.store) as store:
        assert [played for _, _, played in store.runs()] == [512]

    tournament.hold.unlink()
    assert tournament.finish() == uninterrupted
    after = tournament.chunks()
    assert sorted(chunk for _, chunk in after) == [0, 1, 2, 3, 4, 5]
    assert {key: after[key] for key in stored} == stored


@pytest.mark.slow
@needs_linux
def test_ctrl_c_ends_a_tournament_with_130_and_keeps_finished_plays(tournament, uninterrupted):
    tournament.hold.touch()
    process = tournament.start()
    tournament.wait_for_chunks(2)
    os.killpg(process.pid, signal.SIGINT)
    out, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert "the same command continues" in complaints
    wait_until(lambda: tournament.processes() == [])
    stored = tournament.chunks()

    tournament.hold.unlink()
    assert tournament.finish() == uninterrupted
    after = tournament.chunks()
    assert {key: after[key] for key in stored} == stored


@pytest.mark.slow
@needs_linux
def test_a_killed_worker_costs_nothing_but_time(tournament, uninterrupted):
    tournament.hold.touch()
    process = tournament.start()
    tournament.wait_for_chunks(2)
    workers = [number for number in tournament.processes() if number != process.pid]
    for number in workers:
        os.kill(number, signal.SIGKILL)
    tournament.hold.unlink()
    assert figures(printed_in_the_end(process)) == uninterrupted


@pytest.mark.slow
def test_two_simultaneous_tournaments_on_one_store_both_end_with_the_whole_result(tournament, uninterrupted):
    tournament.hold.touch()
    both = [tournament.start(), tournament.start()]
    tournament.wait_for_chunks(2)
    tournament.hold.unlink()
    for process in both:
        assert figures(printed_in_the_end(process)) == uninterrupted
    assert sorted(tournament.chunks()) == [(1, chunk) for chunk in range(6)]


@pytest.mark.slow
def test_a_tournament_that_is_killed_while_it_plays_afresh_goes_on_with_its_new_plays(tournament, uninterrupted):
    assert tournament.finish() == uninterrupted
    old = tournament.chunks()
    tournament.hold.touch()
    process = tournament.start("--fresh")
    wait_until(lambda: len(tournament.chunks()) == 2)
    process.kill()
    process.wait()
    new = tournament.chunks()
    assert len(new) == 2
    assert not new.keys() & old.keys()
    tournament.hold.unlink()
    assert tournament.finish() == uninterrupted
    after = tournament.chunks()
    assert len(after) == 6
    assert after.items() >= new.items()
