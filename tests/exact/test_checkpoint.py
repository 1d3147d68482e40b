"""Search files: nothing wrong is read from one, and no other file is changed."""

import hashlib
import itertools
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.exact import optimal
from wordle_kit.exact.checkpoint import APPLICATION_ID, checksum_of
from wordle_kit.tournaments.store import Store

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
    with pytest.raises(wk.StoreError, match=r"searches.sqlite: the search file is damaged: .*; delete it") as refused:
        search(path)
    assert "\n" not in str(refused.value)


def test_a_bound_that_is_untrue_is_found_although_its_checksum_is_right(path):
    """All bounds but that of one guess are raised, as if it were the best."""
    best = wk.optimal(GAME)
    for key, left, guess, lower, _, _ in rows(path):
        if GAME.guesses[guess] == best.opener:
            row = (key, left, guess, lower + 30, 0)
            change(path, "REPLACE INTO openings VALUES (?, ?, ?, ?, ?, ?)", *row, checksum_of(*row))
    with pytest.raises(wk.StoreError, match=f"it claims a cost of {best.opener} that a search refutes; delete it"):
        search(path)


def test_a_cost_that_is_too_low_is_found_although_its_checksum_is_right(path):
    (key, left, guess, *_) = rows(path)[0]
    row = (key, left, guess, 3, 1)
    change(path, "REPLACE INTO openings VALUES (?, ?, ?, ?, ?, ?)", *row, checksum_of(*row))
    with pytest.raises(wk.StoreError, match=f"it claims a cost of {GAME.guesses[guess]} that a search refutes"):
        search(path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 255)), min_size=1, max_size=8),
    st.none() | st.integers(1, 10**6),
)
def test_with_any_bytes_damaged_the_result_is_right_or_the_file_is_refused(tmp_path, kept, flips, cut):
    kept = kept.read_bytes()
    damaged = bytearray(kept)
    used = [place for place, byte in enumerate(kept) if byte]
    for place, bits in flips:
        damaged[used[place % len(used)]] ^= bits
    path = tmp_path / "damaged.sqlite"
    path.write_bytes(damaged if cut is None else damaged[: 1 + cut % len(kept)])
    solution, refused = None, ""
    try:
        solution = search(path)
    except wk.StoreError as error:
        refused = str(error)
    if solution is None:
        assert refused.count("\n") == 0
    else:
        assert (solution.total, solution.is_proved) == (wk.optimal(GAME).total, True)


def make_store(path):
    Store(path).close()


def make_other(path):
    change(path, "CREATE TABLE openings (search TEXT)")


def make_empty_database(path):
    change(path, "PRAGMA user_version = 0")
    change(path, "VACUUM")


def make_text(path):
    path.write_text("my notes\n" * 100)


@pytest.mark.parametrize("make", [make_store, make_other, make_empty_database, make_text])
def test_a_file_of_another_user_is_refused_and_left_unchanged(tmp_path, make):
    path = tmp_path / "other.sqlite"
    make(path)
    before = hashlib.sha256(path.read_bytes()).digest()
    for fresh in (False, True):
        with pytest.raises(wk.StoreError, match=r"other.sqlite: is not a search file; choose another file"):
            search(path, fresh=fresh)
    assert hashlib.sha256(path.read_bytes()).digest() == before
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_path_that_is_not_a_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(wk.StoreError, match="is not a file; choose another path"):
            search(path)
    (tmp_path / "file").touch()
    with pytest.raises(wk.StoreError, match=r"cannot keep a search there: (Not a directory|File exists)"):
        search(tmp_path / "file" / "searches.sqlite")


def test_an_empty_file_becomes_a_search_file(tmp_path):
    path = tmp_path / "searches.sqlite"
    path.touch()
    search(path)
    assert int.from_bytes(path.read_bytes()[68:72], "big") == APPLICATION_ID


def test_a_search_file_of_another_version_says_what_to_do(path):
    change(path, "PRAGMA user_version = 7")
    with pytest.raises(wk.StoreError, match=r"was written by another version .* delete it, or choose another file"):
        search(path)


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
