"""Compiled code finds a folder where neither the home nor the package can be written to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ALONE = """
import os, sys
import wordle_kit.compiled_code as compiled_code
compiled_code._can_be_written = lambda folder: False
os.environ.pop("NUMBA_CACHE_DIR", None)
from wordle_kit.strategy.kernels import costs_of_parts
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
