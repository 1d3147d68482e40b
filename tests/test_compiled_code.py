"""Compiled code finds a folder where neither the home nor the package can be written to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit import compiled_code


@pytest.fixture
def nothing_can_be_written(monkeypatch, tmp_path):
    """Forbid all folders but the temporary one, as they are on a file system that is read only."""
    monkeypatch.delenv(compiled_code.NUMBA_VARIABLE, raising=False)
    monkeypatch.setattr(compiled_code, "_can_be_written", lambda folder: folder.is_relative_to(tmp_path / "temporary"))
    monkeypatch.setattr(compiled_code.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    removed = []
    monkeypatch.setattr(compiled_code.atexit, "register", lambda *call: removed.append(call))
    return removed


def test_a_temporary_folder_is_found_once_and_removed_in_the_end(nothing_can_be_written, tmp_path):
    compiled_code.find_folder(__file__)
    folder = Path(os.environ[compiled_code.NUMBA_VARIABLE])
    assert folder.parent == tmp_path / "temporary"
    assert folder.is_dir()
    compiled_code.find_folder(__file__)
    assert Path(os.environ[compiled_code.NUMBA_VARIABLE]) == folder
    ((remove, *facts),) = nothing_can_be_written
    remove(facts[0], os.getpid() + 1)  # in a process that was forked
    assert folder.exists()
    remove(*facts)
    assert not folder.exists()


def test_if_no_folder_can_be_written_to_the_error_says_which_variable_to_set(nothing_can_be_written, tmp_path):
    (tmp_path / "temporary").rmdir()
    with pytest.raises(wk.WordleKitError, match="no folder for compiled code can be written to; set NUMBA_CACHE_DIR"):
        compiled_code.find_folder(__file__)


def test_a_folder_can_be_written_to_if_a_file_can_be_made_in_it(tmp_path):
    (tmp_path / "file").touch()
    assert compiled_code._can_be_written(tmp_path / "new" / "folder")
    assert not compiled_code._can_be_written(tmp_path / "file" / "folder")


@pytest.mark.parametrize("usual", ["given", "source", "home"])
def test_by_default_numba_chooses_the_folder(usual, monkeypatch, tmp_path):
    given, source, home = (tmp_path / name for name in ("given", "source", "home"))
    source.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setenv(compiled_code.NUMBA_VARIABLE, str(given))
    monkeypatch.setattr(compiled_code, "_can_be_written", lambda folder: folder.is_relative_to(tmp_path / usual))
    compiled_code.find_folder(str(source / "kernels.py"))
    assert os.environ[compiled_code.NUMBA_VARIABLE] == str(given)


ALONE = """
import os, sys
import wordle_kit.compiled_code as compiled_code
compiled_code._can_be_written = lambda folder: False
os.environ.pop("NUMBA_CACHE_DIR", None)
from wordle_kit.strategy.kernels import costs_of_parts
print(os.environ["NUMBA_CACHE_DIR"])
"""


def test_the_engine_can_be_imported_and_leaves_nothing_behind(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", ALONE],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(ran.stdout.strip()).parent == tmp_path
    assert list(tmp_path.iterdir()) == []
