"""What is kept on disk is found again or not at all, and never stops a command."""

import os

import pytest

from wordle_kit import disk_cache


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return the folder of an empty cache, which does not exist yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(disk_cache.CACHE_VARIABLE, str(folder))
    return folder


def only_file(place):
    (path,) = place.iterdir()
    return path


def test_a_content_is_found_under_its_kind_and_key_only(place):
    assert disk_cache.recall("table", "a") is None
    disk_cache.keep("table", "a", b"codes")
    assert disk_cache.recall("table", "a") == b"codes"
    assert disk_cache.recall("table", "b") is None
    assert disk_cache.recall("scores", "a") is None


def spoil_a_byte(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_a_byte,
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b""),
    ],
    ids=["a byte differs", "cut short", "empty"],
)
def test_a_damaged_file_is_removed(place, spoil):
    disk_cache.keep("table", "a", b"codes")
    spoil(only_file(place))
    assert disk_cache.recall("table", "a") is None
    assert list(place.iterdir()) == []


def test_files_that_were_not_used_for_the_longest_time_make_room(place, monkeypatch):
    monkeypatch.setattr(disk_cache, "CAPACITY", 500)
    for age, key in enumerate("abc"):
        disk_cache.keep("table", key, bytes(100))
        os.utime(disk_cache.contents()[0].path, (1000 - age, 1000 - age))  # each older than the one before
    disk_cache.recall("table", "c")
    disk_cache.keep("table", "d", bytes(100))
    assert [key for key in "abcd" if disk_cache.recall("table", key) is not None] == ["a", "c", "d"]
