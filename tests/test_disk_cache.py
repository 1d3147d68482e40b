"""What is kept on disk is found again or not at all, and never stops a command."""

import os
import time

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
    assert [(kept.kind, kept.nbytes) for kept in disk_cache.contents()] == [("table", 32 + len(b"codes"))]


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_no_other_user_can_read_the_folder(place):
    disk_cache.keep("table", "a", b"codes")
    assert place.stat().st_mode & 0o077 == 0


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


def test_a_file_under_another_name_counts_as_damaged(place):
    disk_cache.keep("table", "a", b"codes")
    moved = only_file(place)
    disk_cache.keep("table", "b", b"others")
    moved.replace(next(path for path in place.iterdir() if path != moved))
    assert disk_cache.recall("table", "b") is None


def test_files_that_were_not_used_for_the_longest_time_make_room(place, monkeypatch):
    monkeypatch.setattr(disk_cache, "CAPACITY", 500)
    for age, key in enumerate("abc"):
        disk_cache.keep("table", key, bytes(100))
        os.utime(disk_cache.contents()[0].path, (1000 - age, 1000 - age))  # each older than the one before
    disk_cache.recall("table", "c")
    disk_cache.keep("table", "d", bytes(100))
    assert [key for key in "abcd" if disk_cache.recall("table", key) is not None] == ["a", "c", "d"]


def test_a_content_beyond_the_limit_is_not_kept(place, monkeypatch):
    monkeypatch.setattr(disk_cache, "CAPACITY", 10)
    disk_cache.keep("table", "a", bytes(11))
    assert disk_cache.contents() == []


def test_files_of_others_are_left_alone(place):
    disk_cache.keep("table", "a", b"codes")
    others = place / "notes.txt", place / ".new-0123"
    for path in others:
        path.write_text("mine")
    assert disk_cache.clear() == 1
    assert set(place.iterdir()) == set(others)


def test_the_unfinished_file_of_a_killed_process_is_removed_after_a_day(place):
    disk_cache.keep("table", "a", b"codes")
    unfinished = place / ".new-0123"
    unfinished.write_bytes(b"half")
    os.utime(unfinished, (time.time() - 2 * disk_cache.ABANDONED,) * 2)
    disk_cache.keep("table", "b", b"codes")
    assert not unfinished.exists()
    assert len(disk_cache.contents()) == 2


@pytest.mark.parametrize("where", ["", "{file}", "{file}/inside"], ids=["none", "a file", "inside a file"])
def test_without_a_folder_nothing_is_kept_and_nothing_fails(tmp_path, monkeypatch, where):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv(disk_cache.CACHE_VARIABLE, where.format(file=file))
    disk_cache.keep("table", "a", b"codes")
    assert disk_cache.recall("table", "a") is None
    assert disk_cache.contents() == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")  # noqa: PTH110
def test_a_full_disk_is_not_a_failure(place, monkeypatch):
    disk_cache.keep("table", "a", b"codes")
    only_file(place).unlink()
    path = disk_cache._path("table", "a")
    path.symlink_to("/dev/full")
    disk_cache.keep("table", "a", b"codes")
    path.unlink()
    assert disk_cache.recall("table", "a") is None
