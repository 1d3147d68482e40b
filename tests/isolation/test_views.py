"""The files that a sandbox shows: none of them may be secret."""

import sys
from pathlib import Path

import pytest
from needs import needs_bubblewrap

import wordle_kit as wk
from wordle_kit.isolation.process import Process
from wordle_kit.sandbox import levels
from wordle_kit.sandbox.levels import check_out_of_sight, python_paths

pytestmark = pytest.mark.slow

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


@needs_bubblewrap
def test_hidden_puzzles_in_a_folder_that_every_sandbox_shows_are_refused(course, tmp_path):
    hidden = course / "teacher" / "hidden.txt"
    assert seen(hidden) == "fade\n"
    with pytest.raises(wk.WordleKitError, match=r"hidden.txt"):
        check_out_of_sight([hidden], wk.Isolation(), "submissions")


def test_without_a_sandbox_only_what_other_users_cannot_read_is_out_of_sight(tmp_path, monkeypatch):
    monkeypatch.setattr(levels, "bubblewrap_problem", lambda: "it is not here")
    monkeypatch.setattr(levels, "_open_to_all", lambda path: "open" in path.name)
    secret, known = tmp_path / "secret", tmp_path / "open"
    monkeypatch.setattr(levels, "_changes_user", lambda paths: True)
    check_out_of_sight([secret], wk.Isolation(), "submissions")
    with pytest.raises(
        wk.WordleKitError, match=r"^no sandbox: it is not here; without one, submissions can read .*open;"
    ):
        check_out_of_sight([secret, known], wk.Isolation(), "submissions")
    monkeypatch.setattr(levels, "_changes_user", lambda paths: False)
    with pytest.raises(wk.WordleKitError, match=r"submissions can read .*secret; the level plain accepts that"):
        check_out_of_sight([secret], wk.Isolation(), "submissions")
    check_out_of_sight([secret, known], wk.Isolation(sandbox="plain"), "submissions")


@needs_bubblewrap
@pytest.mark.skipif(not Path("/etc/passwd").exists(), reason="there is no /etc/passwd")
def test_system_settings_and_home_folders_are_hidden():
    assert seen("/etc/passwd") == "FileNotFoundError"
    assert seen(Path.home() / ".bashrc") == "FileNotFoundError"
    assert seen(Path.cwd() / "pyproject.toml") == "FileNotFoundError"
