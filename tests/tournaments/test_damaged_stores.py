"""Files that are not a store, and damaged stores: they are named and left alone, and no figure is wrong."""

import random
import sqlite3
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.tournaments.store import Store

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Return the content of a store with a tournament in it."""
    path = tmp_path_factory.mktemp("sound") / "store.sqlite"
    wk.tournament(GAME, ["first-consistent", "random-consistent"], store=path, workers=1)
    return path.read_bytes()


@pytest.fixture
def real(sound, tmp_path):
    """Return the path of a copy of that store."""
    path = tmp_path / "store.sqlite"
    path.write_bytes(sound)
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
    with pytest.raises(wk.StoreError) as error:
        wk.tournament(GAME, ["first-consistent"], store=real, workers=1)
    assert str(real) in str(error.value)
    assert real.read_bytes() == before


@pytest.mark.parametrize(
    "statement", ["UPDATE runs SET facts = 'no JSON'", "UPDATE plays SET turns = 2 WHERE puzzle = 20"]
)
def test_a_row_that_was_changed_is_noticed(real, statement):
    change(real, statement)
    with Store(real) as store, pytest.raises(wk.StoreError):
        list(map(store.read, [run for run, _, _ in store.runs()]))


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.floats(0, 1), noise=st.binary(min_size=1, max_size=200))
def test_damage_to_a_store_raises_only_store_errors(sound, tmp_path, at, noise):
    path = tmp_path / "overwritten.sqlite"
    for file in tmp_path.glob("overwritten.sqlite*"):
        file.unlink()
    begin = int(at * (len(sound) - len(noise)))
    path.write_bytes(sound[:begin] + noise + sound[begin + len(noise) :])
    try:
        with Store(path) as store:
            for run, _, _ in store.runs():
                store.read(run)
    except wk.StoreError:
        pass


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
