"""Temporary folders: those of dead processes are removed with everything in them, and nothing outside is touched."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wordle_kit import temporary
from wordle_kit.temporary import PREFIX, is_dead, new_folder_name, owner_name, remove

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
def test_a_dead_process_is_told_from_a_living_one_that_has_its_number():
    system, number, started = owner_name().split("-")
    assert not is_dead(owner_name())
    assert is_dead(f"{system}-{number}-{int(started) - 1}")
    assert is_dead(f"{system}-{2**30}-{started}")


@needs_proc
def test_processes_of_another_boot_or_container_are_unknown(place):
    _, number, _ = owner_name().split("-")
    name = f"wordle-kit-0123456789abcdef0-{number}-1-{'0' * 32}"
    (place / name).mkdir()
    temporary._remove_leftovers(str(place))
    assert (place / name).exists()


@needs_proc
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


@needs_proc
def test_names_are_all_different():
    assert len({new_folder_name() for _ in range(100)}) == 100
    assert all(str(os.getpid()) in new_folder_name().split("-") for _ in range(3))


@needs_proc
def test_a_temporary_folder_is_private_and_gone_at_the_end(place, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(place))
    with temporary.temporary_folder() as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "inside").mkdir(mode=0)
    assert list(place.iterdir()) == []


DEPTH = 1100  # more than Python's limit of recursion, and a path longer than the system allows


def nested(folder):
    """Make a folder with that many folders in each other, the last of which has a file."""
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def test_a_folder_of_any_depth_is_removed(tmp_path):
    nested(tmp_path / "box")
    remove(tmp_path / "box")
    assert list(tmp_path.iterdir()) == []


def test_forbidden_folders_are_removed_and_targets_of_links_stay(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("kept")
    kept.chmod(0o755)
    box = tmp_path / "box"
    for name in ("a", "b", "a/c"):
        (box / name).mkdir(parents=True)
        (box / name / "file").write_text("")
        (box / name / "link").symlink_to(kept)
    for name in ("a/c", "a", ""):
        (box / name).chmod(0)
    (tmp_path / "link").symlink_to(kept)
    remove(box)
    remove(tmp_path / "link")
    assert {path.name for path in tmp_path.iterdir()} == {"kept", "link"}
    assert [path.name for path in kept.iterdir()] == ["file"]
    assert kept.stat().st_mode & 0o777 == 0o755


def test_the_next_process_removes_deep_folders_of_a_dead_one(tmp_path):
    program = "from wordle_kit.temporary import new_folder_name, owner_name; new_folder_name(); print(owner_name())"
    run = {"capture_output": True, "text": True, "check": True, "env": {**os.environ, "TMPDIR": str(tmp_path)}}
    dead = subprocess.run([sys.executable, "-c", program], **run).stdout.strip()
    nested(tmp_path / f"{PREFIX}{dead}-{'0' * 32}")
    mine = tmp_path / f"{PREFIX}{owner_name()}-{'0' * 32}"
    mine.mkdir()
    subprocess.run([sys.executable, "-c", program], **run)
    assert list(tmp_path.iterdir()) == [mine]


MANY = 2000

SWAPS = """
import os, sys
names = os.listdir("box")
print(flush=True)
while os.path.lexists("box"):
    if len(os.listdir("box")) < len(names):  # they are being removed, in the order in which they were listed
        for name in names:
            try:
                os.rename("box/" + name, "away-" + name)
                os.symlink("../kept", "box/" + name)
            except FileNotFoundError:
                pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="strategies are isolated on Linux")
def test_a_link_that_takes_a_folders_place_meanwhile_is_not_followed(tmp_path):
    kept, box = tmp_path / "kept", tmp_path / "box"
    kept.mkdir(mode=0o755)
    (kept / "file").write_text("kept")
    for number in range(MANY):
        (box / str(number)).mkdir(parents=True)
    attacker = subprocess.Popen([sys.executable, "-c", SWAPS], cwd=tmp_path, stdout=subprocess.PIPE)
    try:
        attacker.stdout.readline()
        remove(box)
    finally:
        attacker.kill()
        attacker.wait()
        attacker.stdout.close()
    assert any(tmp_path.glob("away-*")), "the attack itself failed"
    assert kept.stat().st_mode & 0o777 == 0o755
    assert (kept / "file").read_text() == "kept"


ALWAYS_IN_TIME = """
import os, sys
from pathlib import Path
from wordle_kit.temporary import remove

def swap(event, arguments):
    if event in ("open", "os.chmod") and arguments[0] == "box" and os.path.isdir("box"):
        os.rename("box", "away")
        os.symlink("kept", "box")

sys.addaudithook(swap)  # called just before
remove(Path("box"))
"""


def test_a_link_that_takes_the_place_of_the_folder_itself_is_not_followed(tmp_path):
    for name in ("kept", "box"):
        (tmp_path / name).mkdir(mode=0o755)
    (tmp_path / "kept" / "file").write_text("kept")
    subprocess.run([sys.executable, "-c", ALWAYS_IN_TIME], cwd=tmp_path, check=True)
    assert (tmp_path / "box").is_symlink(), "the attack itself failed"
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "kept" / "file").read_text() == "kept"
