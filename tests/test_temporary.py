"""Temporary folders: those of dead processes are removed, and no others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wordle_kit import temporary
from wordle_kit.temporary import is_dead, new_folder_name, owner_name

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to know what is dead")

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


def test_the_folder_of_a_process_is_kept_while_it_lives_and_removed_when_it_is_dead(place, stranger):
    process, name = stranger
    temporary._remove_leftovers(str(place))
    assert (place / name / "inside").exists()
    process.kill()
    process.wait()
    temporary._remove_leftovers.cache_clear()
    temporary._remove_leftovers(str(place))
    assert list(place.iterdir()) == []


def test_a_dead_process_is_told_from_a_living_one_that_has_its_number():
    system, number, started = owner_name().split("-")
    assert not is_dead(owner_name())
    assert is_dead(f"{system}-{number}-{int(started) - 1}")
    assert is_dead(f"{system}-{2**30}-{started}")


def test_processes_of_another_boot_or_container_are_unknown(place):
    _, number, _ = owner_name().split("-")
    name = f"wordle-kit-0123456789abcdef0-{number}-1-{'0' * 32}"
    (place / name).mkdir()
    temporary._remove_leftovers(str(place))
    assert (place / name).exists()


def test_links_and_folders_that_only_look_like_ours_stay(place, tmp_path_factory):
    system, _, _ = owner_name().split("-")
    target = tmp_path_factory.mktemp("elsewhere")
    names = [f"wordle-kit-{system}-{2**30}-1-link", "wordle-kit-a-b-c-d", f"wordle-kit-{system}-x-1-0"]
    (place / names[0]).symlink_to(target)
    for name in names[1:]:
        (place / name).mkdir()
    temporary._remove_leftovers(str(place))
    assert sorted(path.name for path in place.iterdir()) == sorted(names)
    assert target.exists()


def test_names_are_all_different():
    assert len({new_folder_name() for _ in range(100)}) == 100
    assert all(str(os.getpid()) in new_folder_name().split("-") for _ in range(3))


def test_a_temporary_folder_is_private_and_gone_at_the_end(place, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(place))
    with temporary.temporary_folder() as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "inside").mkdir(mode=0)
    assert list(place.iterdir()) == []
