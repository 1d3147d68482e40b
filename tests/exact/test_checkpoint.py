"""Search files: nothing wrong is read from one, and no other file is changed."""

import itertools
import sqlite3
import subprocess
import sys
from contextlib import closing
from unittest import mock

import pytest

import wordle_kit as wk
from wordle_kit.exact import optimal

WORDS = ["ce", "eg", "ac", "fg", "fe", "db", "ad", "gd", "de", "gc", "ee"]
GAME = wk.load_game({"name": "small", "alphabet": "abcdefg", "length": 2, "answers": WORDS})


def search(path, game=GAME, **arguments):
    """Search with a checkpoint that stores everything immediately, one first guess at a time."""
    fast = mock.patch("time.process_time", itertools.count(0, 100).__next__)  # only what takes seconds is kept
    with mock.patch.object(optimal, "LARGEST_SET", 0), fast:
        return wk.optimal(game, checkpoint=path, **arguments)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a search file that has a finished search, which tests copy."""
    path = tmp_path_factory.mktemp("kept") / "searches.sqlite"
    search(path)
    return path


@pytest.fixture
def path(tmp_path, kept):
    """Return a search file that has a finished search."""
    path = tmp_path / "searches.sqlite"
    path.write_bytes(kept.read_bytes())
    return path


def change(path, statement, *values):
    """Execute a statement on a file."""
    with closing(sqlite3.connect(path)) as store, store:
        store.execute(statement, values)


def rows(path, table="openings"):
    """Return the rows of a table."""
    with closing(sqlite3.connect(path)) as store:
        return store.execute(f"SELECT * FROM {table}").fetchall()


@pytest.mark.slow
def test_a_finished_search_is_read_back(path):
    assert len(rows(path)) > 1
    assert len(rows(path, "solved")) == 1
    assert search(path).total == wk.optimal(GAME).total


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE openings SET lower = lower + 1 WHERE exact",
        "UPDATE openings SET lower = lower + 50 WHERE guess = (SELECT min(guess) FROM openings)",
        "UPDATE openings SET exact = 1 - exact",
        "UPDATE openings SET lower = 'many'",
        "UPDATE openings SET left = left + 0, guess = guess + 100",
        "UPDATE openings SET checksum = NULL",
        "UPDATE solved SET entries = zeroblob(length(entries))",
        "UPDATE solved SET entries = NULL",
        "DROP TABLE solved",
    ],
)
def test_a_search_file_that_was_altered_is_refused_in_a_line(path, statement):
    change(path, statement)
    with pytest.raises(wk.StoreError, match=r"searches.sqlite") as refused:
        search(path)
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_a_disk_that_is_full_is_reported_in_a_line(path):
    """A limit on the size of files stands for the full disk: SQLite sees both as a write that fails."""
    before = path.read_bytes()
    code = (
        "import itertools, resource, sys; from pathlib import Path; from unittest import mock\n"
        "import wordle_kit as wk; from wordle_kit.exact import optimal\n"
        f"game = wk.load_game({{'name': 'x', 'alphabet': 'abcdefg', 'length': 3, 'answers': 'all'}})\n"
        "optimal.LARGEST_SET = 0\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 4096}, {len(before) + 4096}))\n"
        "with mock.patch('time.process_time', itertools.count(0, 100).__next__):\n"
        f"    wk.optimal(game, checkpoint=Path({str(path)!r}))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    (last,) = ended.stderr.splitlines()[-1:]
    assert last.startswith(f"wordle_kit.errors.StoreError: {path}: cannot keep a search there: ")
    assert last.endswith("; make room, or choose another file")
    assert search(path).total == wk.optimal(GAME).total  # what was there before is still right
