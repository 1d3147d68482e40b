"""Compiled code finds a folder where neither the home nor the package can be written to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ALONE = """
import os
os.environ.pop("NUMBA_CACHE_DIR", None)
from numba.core.caching import CacheImpl
CacheImpl._locator_classes = CacheImpl._locator_classes[:1]  # as if no other folder could be written to
from wordle_kit.strategy.kernels import costs_of_parts
from wordle_kit_plugins import kernels
print(os.environ["NUMBA_CACHE_DIR"])
"""


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_code_that_cannot_be_read_is_compiled_anew(tmp_path, ending):
    def played():
        command = ["-m", "wordle_kit", "tournament", "-g", "mastermind", "-s", "entropy", "--puzzles", "2", "--fresh"]
        places = {"NUMBA_CACHE_DIR": str(tmp_path), "WORDLE_KIT_STORE": str(tmp_path / "store.sqlite")}
        done = subprocess.run([sys.executable, *command], env=os.environ | places, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    played()
    files = [*tmp_path.rglob(f"*.{ending}")]
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    played()
