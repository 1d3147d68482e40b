"""`wordle-kit cache` lists what is kept on disk, and removes it."""

import csv

import pytest

from wordle_kit import disk_cache


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.CACHE_VARIABLE, str(tmp_path / "cache"))
    disk_cache.keep("table", "a", bytes(3_000_000))
    disk_cache.keep("table", "b", bytes(100_000))


def test_files_are_listed_with_what_they_are_and_their_size(run, kept, tmp_path):
    ran = run("cache", "--format", "csv")
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert sorted((row["what it is"], row["MB"]) for row in rows) == [
        ("feedback table", "0.1"),
        ("feedback table", "3.0"),
    ]
    assert str(tmp_path / "cache") in ran.err


def test_they_can_be_removed(run, kept):
    ran = run("cache", "--clear", "--json")
    assert [row["what it is"] for row in ran.json] == ["feedback table", "feedback table"]
    assert "removed 2 files" in ran.err
    assert disk_cache.contents() == []
    assert "nothing is kept yet in" in run("cache").err
    assert run("cache", "--clear").err == "wordle-kit: removed 0 files\n"
