"""A cluster plays what one machine plays, whatever strategies and workers do; with real Dask workers."""

import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.tournaments import cluster as module

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs distributed"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # of Dask's connections, when a worker is killed
]

PATIENCE = 240.0
"""Seconds after which a test gives up waiting."""

PLUGIN = '''
import ctypes, os, time
from pathlib import Path
import wordle_kit as wk

FOLDER = Path({folder!r})

class First(wk.Strategy):
    """Guess the first candidate, and do something else where all candidates begin with f."""

    def guess(self, position):
        if position.board.words[0] >= "f":
            self.act()
        return position.board.words[0]

    def act(self):
        pass

class Raising(First):
    def act(self):
        raise ValueError("no luck today")

class Exiting(First):
    def act(self):
        os._exit(3)

class Sleeping(First):
    def act(self):
        if (FOLDER / "awake").exists():
            time.sleep(600)

class Stuck(First):
    """Wait in native code, and without the processor, for a lock that this thread holds."""

    def act(self):
        library, lock = ctypes.PyDLL(None), ctypes.create_string_buffer(64)
        while True:
            library.pthread_mutex_lock(lock)

class Holding(First):
    """While a file is there, stop at the first decision of a process, and say which process that is."""

    def guess(self, position):
        (FOLDER / f"held-by-{{os.getpid()}}").touch()
        while (FOLDER / "hold").exists():
            time.sleep(0.02)
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    for kind in (First, Raising, Exiting, Sleeping, Stuck, Holding):
        register(kind())
    for number in (2, 3):
        register(Holding(), name=f"holding-{{number}}")
'''

HOLDING = ["holding", "holding-2", "holding-3"]  # the first chunk of each run is played at the same time

PLAYED = ["entropy", "random-consistent", "first", "raising", "exiting"]


@pytest.fixture(scope="module")
def letters():
    """Return a game of 625 puzzles, which are three chunks."""
    return wk.load_game({"name": "letters", "alphabet": "bcdef", "length": 4, "answers": "all"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder for the plugin and the files with which tests talk to its strategies."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "plugin.py").write_text(PLUGIN.format(folder=str(folder)))
    return folder


@pytest.fixture(scope="module")
def plugins(folder):
    """Return the plugins with those of the file."""
    return wk.Plugins.load([folder / "plugin.py"])


@pytest.fixture(scope="module")
def cluster():
    """Return a cluster of two workers on this machine."""
    from wordle_kit.tournaments.cluster import Cluster  # not above, since importing Dask takes every process a second

    with Cluster("local:2") as cluster:
        yield cluster


def plugin_of_kind(kind):
    """Return the text of a plugin whose strategy guesses a candidate, before and after the place of that candidate."""
    text = f"""
import wordle_kit as wk

class {kind}(wk.Strategy):
    def guess(self, position):
        return position.board.words[PLACE]

@wk.hookimpl
def register_strategies(register):
    register({kind}())
"""
    head, _, tail = text.partition("PLACE")
    return head, tail


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def rows_of(store):
    """Return what a store keeps, without times and how often strategies were asked."""
    queries = ["* FROM runs", "* FROM plays", "run, chunk, puzzles, unsure FROM chunks"]
    with closing(sqlite3.connect(store)) as connection:
        return {query: connection.execute(f"SELECT {query} ORDER BY 1, 2, 3").fetchall() for query in queries}


def figures_of(board):
    """Return a leaderboard as JSON has it, without what time measures."""
    shown = json.loads(json.dumps(board.as_dict()))
    for row in shown["rows"]:
        del row["ms_per_decision"]
    return shown


@pytest.fixture(scope="module")
def both(letters, plugins, cluster, tmp_path_factory):
    """Return the leaderboard and the store of a local run, and those of the cluster."""
    made = []
    for how in ({"workers": 2}, {"executor": cluster}):
        store = tmp_path_factory.mktemp("stores") / "store.sqlite"
        made.append((wk.tournament(letters, PLAYED, seed=3, store=store, plugins=plugins, **how), store))
    return made


def test_a_cluster_stores_and_shows_what_a_local_run_does(both):
    (here, store_here), (there, store_there) = both
    assert figures_of(there) == figures_of(here)
    assert len(rows_of(store_there)["* FROM plays"]) == 625 * len(PLAYED)
    assert rows_of(store_there) == rows_of(store_here)


def test_strategies_that_crash_cost_only_their_own_puzzles(both):
    rows = {row.strategy: row for row in both[1][0].rows}
    assert rows["first"].failed == 0
    messages = {play.message for play in both[1][0].plays("raising") if play.outcome == wk.Outcome.CRASHED}
    assert all("no luck today" in message for message in messages)
    lost = [play for play in both[1][0].plays("exiting") if play.outcome == wk.Outcome.CRASHED]
    assert len(lost) == 625 - 256


def test_the_modules_of_a_plugin_reach_every_worker(letters, cluster, tmp_path):
    files = []
    for place, name in enumerate(("early", "late")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lib.py").write_text(f"PLACE = {place}\n")
        files.append(tmp_path / name / f"{name}.py")
        head, tail = plugin_of_kind(name.capitalize())
        files[-1].write_text(f"import lib\n{head}lib.PLACE % len(position.board){tail}")
    plugins = wk.Plugins.load(files)
    board = wk.tournament(letters, ["early", "late"], ["dddd"], plugins=plugins, executor=cluster)
    assert [board.plays(name)[0].guesses[0] for name in ("early", "late")] == ["bbbb", "bbbc"]


def test_a_strategy_that_sleeps_or_is_stuck_in_native_code_times_out(letters, plugins, cluster, folder, monkeypatch):
    (folder / "awake").touch()
    puzzles = ["bbbb", "ffff", "cccc"]
    board = wk.tournament(letters, ["sleeping", "stuck"], puzzles, plugins=plugins, executor=cluster, deadline=10)
    slept, stuck = board.plays("sleeping"), board.plays("stuck")
    assert [play.outcome for play in slept] == [wk.Outcome.SOLVED, wk.Outcome.TIMED_OUT, wk.Outcome.SOLVED]
    assert {play.outcome for play in stuck} == {wk.Outcome.TIMED_OUT}
    assert "10 s" in stuck[0].message


READING = """
from pathlib import Path
import wordle_kit as wk

class Reading(wk.Strategy):
    words: Path

    def guess(self, position):
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Reading(words=Path("words.txt")))
"""


def test_a_strategy_that_reads_another_file_there_does_not_play(letters, cluster, tmp_path, monkeypatch):
    (tmp_path / "reading.py").write_text(READING)
    (tmp_path / "words.txt").write_text("bbbb")
    monkeypatch.chdir(tmp_path)  # the workers are in another folder
    plugins = wk.Plugins.load([tmp_path / "reading.py"])
    with pytest.raises(wk.WordleKitError, match=r"words\.txt"):
        wk.tournament(letters, "reading", ["bbbb"], plugins=plugins, executor=cluster)


def test_another_version_on_a_worker_is_an_error(letters, cluster, monkeypatch):
    monkeypatch.setattr(module, "_needs", lambda task: {"numpy": "0.1"})
    with pytest.raises(wk.WordleKitError, match="numpy"):
        wk.tournament(letters, "first-consistent", ["bbbb"], executor=cluster)


def test_ctrl_c_ends_the_command_and_its_workers(folder, tmp_path):
    game = tmp_path / "letters.toml"
    game.write_text('name = "letters"\nalphabet = "bcdef"\nlength = 4\nanswers = "all"\n')
    for file in folder.glob("held-by-*"):
        file.unlink()
    (folder / "hold").touch()
    options = ["-g", game, "-p", folder / "plugin.py", "-s", "holding", "--dask", "local:1", "--deadline", "600"]
    command = [sys.executable, "-m", "wordle_kit", "tournament", *map(str, options)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, **pipes, start_new_session=True)
    try:
        wait_until(lambda: len(list(folder.glob("held-by-*"))) == 1)
        os.killpg(process.pid, signal.SIGINT)
        out, complaints = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out) == (130, "")
        *_, last = complaints.splitlines()  # a worker that Dask is just starting may have its own say before
        assert last.startswith("wordle-kit: stopped")
        players = [int(file.name.rpartition("-")[2]) for file in folder.glob("held-by-*")]
        wait_until(lambda: not any(Path(f"/proc/{number}").exists() for number in players))
        wait_until(lambda: not in_session(process.pid))
    finally:
        (folder / "hold").unlink()
        process.kill()
        process.communicate()


def in_session(session):
    """Return the processes of a session that have not ended."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, number = file.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(number) == session and state != "Z":
            found.append(file.parent.name)
    return found


def test_without_dask_the_option_names_the_package(capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.run(["tournament", "-g", "mastermind", "-s", "minimax", "--dask", "local"]) == 2
    assert "distributed" in capfd.readouterr().err


# Last, since it adds a worker


class Held:
    """A tournament that a thread plays on the cluster, held at the first decision of each process."""

    def __init__(self, letters, plugins, cluster, folder):
        for file in folder.glob("held-by-*"):
            file.unlink()
        self.folder = folder
        (folder / "hold").touch()
        self.board = None
        how = {"plugins": plugins, "executor": cluster, "deadline": 600}
        self.thread = threading.Thread(target=lambda: setattr(self, "board", wk.tournament(letters, HOLDING, **how)))
        self.thread.start()

    def processes(self):
        return {int(file.name.rpartition("-")[2]) for file in self.folder.glob("held-by-*")}

    def finish(self):
        (self.folder / "hold").unlink()
        self.thread.join(PATIENCE)
        return self.board


@pytest.fixture
def held(letters, plugins, cluster, folder):
    held = Held(letters, plugins, cluster, folder)
    yield held
    (folder / "hold").unlink(missing_ok=True)
    held.thread.join(PATIENCE)


def test_a_worker_that_is_killed_and_one_that_joins_late_change_nothing(held, letters, plugins, cluster):
    wait_until(lambda: len(held.processes()) == 2)
    before = held.processes()
    os.kill(next(iter(cluster.client.run(os.getpid).values())), signal.SIGKILL)
    cluster.client.cluster.scale(3)
    wait_until(lambda: len(held.processes() - before) >= 2)  # of the new worker, and of the one that is started again
    there = held.finish()
    here = wk.tournament(letters, HOLDING, plugins=plugins, workers=1)
    assert figures_of(there) == figures_of(here)
    assert there.plays("holding") == here.plays("holding")
