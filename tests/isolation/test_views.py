"""The files that a sandbox shows: none of them may be secret."""

import sys
from pathlib import Path

import pytest
from needs import needs_bubblewrap

import wordle_kit as wk
from wordle_kit.isolation.process import Process
from wordle_kit.sandbox import levels
from wordle_kit.sandbox.levels import check_out_of_sight, python_paths

pytestmark = [pytest.mark.slow, needs_bubblewrap]

LOOKS = """
import json, os, sys
for line in sys.stdin:
    try:
        print(json.dumps({"found": open(json.loads(line)["path"]).read()}), flush=True)
    except OSError as error:
        print(json.dumps({"found": type(error).__name__}), flush=True)
"""


def seen(path):
    """Return the text that a program in a sandbox reads at a path."""
    process = Process([str(Path(sys.executable).absolute()), "-c", LOOKS], [], wk.Isolation(sandbox="required"))
    try:
        return process.query(dict, {"path": str(path)}, 20)["found"]
    finally:
        process.close()


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Return a folder with hidden puzzles that is, or claims to be, Python's own folder."""
    folder = tmp_path / "course"
    (folder / "teacher").mkdir(parents=True)
    (folder / "teacher" / "hidden.txt").write_text("fade\n")
    monkeypatch.setattr(levels, "python_paths", lambda: (*python_paths(), folder))
    return folder


def test_hidden_puzzles_in_a_folder_that_every_sandbox_shows_are_refused(course):
    hidden = course / "teacher" / "hidden.txt"
    assert seen(hidden) == "fade\n"
    with pytest.raises(wk.WordleKitError, match="hidden"):
        check_out_of_sight([hidden], wk.Isolation(), "submissions")


@pytest.mark.skipif(not Path("/etc/passwd").exists(), reason="there is no /etc/passwd")
def test_system_settings_and_home_folders_are_hidden():
    assert seen("/etc/passwd") == "FileNotFoundError"
    assert seen(Path.home() / ".bashrc") == "FileNotFoundError"
    assert seen(Path.cwd() / "pyproject.toml") == "FileNotFoundError"
