"""Folders are removed with everything in them, and nothing outside them is touched."""

import os
import subprocess
import sys

from wordle_kit.removal import remove
from wordle_kit.temporary import PREFIX, owner_name

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
