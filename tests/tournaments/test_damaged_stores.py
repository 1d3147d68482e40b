"""Files that are not a store, or a damaged one: they are named and left alone."""

import random
import sqlite3
from contextlib import closing

import pytest

import wordle_kit as wk
from wordle_kit.tournaments.store import Store

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})


@pytest.fixture
def real(tmp_path):
    """Return the path of a store with a tournament in it."""
    path = tmp_path / "store.sqlite"
    wk.tournament(GAME, ["first-consistent", "random-consistent"], store=path, workers=1)
    return path


def change(path, statement):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def random_bytes(path):
    path.write_bytes(random.Random(0).randbytes(20_000))


def half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def another_program(path):
    path.unlink()
    change(path, "CREATE TABLE bookmarks (url TEXT)")


def a_newer_schema(path):
    change(path, "PRAGMA user_version = 99")


@pytest.mark.parametrize("damage", [random_bytes, half, another_program, a_newer_schema])
def test_a_file_that_cannot_be_used_is_named_and_left_as_it_is(real, damage):
    damage(real)
    before = real.read_bytes()
    for use in (lambda: wk.tournament(GAME, ["first-consistent"], store=real), lambda: wk.read_leaderboard(real)):
        with pytest.raises(wk.StoreError) as error:
            use()
        assert str(real) in str(error.value)
        assert "\n" not in str(error.value)
    assert real.read_bytes() == before


def test_a_path_that_no_file_can_have_is_named(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "store.sqlite"):
        with pytest.raises(wk.StoreError) as error:
            Store(path)
        assert str(path) in str(error.value)


def test_an_empty_file_becomes_a_store_and_folders_on_the_way_are_made(tmp_path):
    (tmp_path / "empty").touch()
    for path in (tmp_path / "empty", tmp_path / "a" / "b" / "store.sqlite"):
        with Store(path) as store:
            assert store.runs() == []
