"""Temporary folders: those of dead processes are removed with everything in them, and nothing outside is touched."""

import subprocess
import sys
from pathlib import Path

import pytest

from wordle_kit import temporary

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to know what is dead")

MAKE = """
import os, pathlib, sys
from wordle_kit.temporary import new_folder_name
folder = pathlib.Path(sys.argv[1], new_folder_name())
(folder / "inside").mkdir(parents=True)
(folder / "inside").chmod(0)
print(folder.name, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path):
    temporary._remove_leftovers.cache_clear()
    yield tmp_path
    temporary._remove_leftovers.cache_clear()


@pytest.fixture
def stranger(place):
    """Return a living process that has a temporary folder, and its name."""
    command = [sys.executable, "-c", MAKE, str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process, process.stdout.readline().strip()
        process.kill()


@pytest.mark.slow
@needs_proc
def test_the_folder_of_a_process_is_kept_while_it_lives_and_removed_when_it_is_dead(place, stranger):
    process, name = stranger
    temporary._remove_leftovers(str(place))
    assert (place / name / "inside").exists()
    process.kill()
    process.wait()
    temporary._remove_leftovers.cache_clear()
    temporary._remove_leftovers(str(place))
    assert list(place.iterdir()) == []


@needs_proc
def test_a_temporary_folder_is_private_and_gone_at_the_end(place, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(place))
    with temporary.temporary_folder() as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "inside").mkdir(mode=0)
    assert list(place.iterdir()) == []
