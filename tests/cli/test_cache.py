"""`wordle-kit cache` lists what is kept on disk, and removes it."""

from wordle_kit import disk_cache


def test_files_are_listed_and_removed(run, tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.CACHE_VARIABLE, str(tmp_path / "cache"))
    disk_cache.keep("table", "a", bytes(3_000_000))
    disk_cache.keep("table", "b", bytes(100_000))
    assert sorted(row["MB"] for row in run("cache", "--json").json) == [0.1, 3.0]
    run("cache", "--clear")
    assert disk_cache.contents() == []
