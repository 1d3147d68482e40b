"""`wordle-kit` itself: version, pipes, and the ways in which a command ends."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from wordle_kit import __version__

IMPORTS_OF_HELP = """
import io, sys
from contextlib import redirect_stdout
from wordle_kit.cli import run
for command in ([], ["tournament"], ["solve"]):
    with redirect_stdout(io.StringIO()):
        assert run([*command, "--help"]) == 0
for heavy in ("numba", "numpy"):
    assert heavy not in sys.modules, heavy
"""

PRESSED = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Presser(MetaPathFinder):
    def find_spec(self, fullname, path, target=None):
        if fullname == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):  # the signal is handled between two lines
                pass

sys.meta_path.insert(0, Presser())
sys.argv = ["wordle-kit", "games"]
import runpy; runpy.run_module("wordle_kit", run_name="__main__", alter_sys=True)
"""

SAID = f"wordle-kit {__version__}\n"


def test_version_is_printed(run):
    ran = run("--version")
    assert (ran.code, ran.out, ran.err) == (0, SAID, "")


def test_the_exit_code_of_a_complaint_reaches_the_shell(process):
    ran = process("solve")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("wordle-kit: ")


def test_help_loads_no_heavy_libraries():
    done = subprocess.run([sys.executable, "-c", IMPORTS_OF_HELP], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_the_installed_command_runs_it():
    command = [Path(sys.executable).with_name("wordle-kit"), "--version"]
    assert subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout == SAID


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="presses Ctrl-C as POSIX does")
@pytest.mark.parametrize("module", ["wordle_kit.cli", "typer", "numpy"])
def test_ctrl_c_ends_a_command_without_a_traceback_while_it_is_imported(module):
    ran = subprocess.run([sys.executable, "-c", PRESSED.format(module=module)], capture_output=True, text=True)
    assert ran.returncode == 130
    assert ran.stderr.startswith("wordle-kit: stopped")
    assert ran.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_said_in_one_line(process):
    with Path("/dev/full").open("w") as full:
        ran = process("rules", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("wordle-kit: ")


@pytest.mark.slow
def test_a_table_can_be_printed_in_an_encoding_without_its_signs(process, tiny):
    settings = {"env": os.environ | {"PYTHONIOENCODING": "latin-1"}, "encoding": "latin-1"}
    ran = process("tournament", "--game", tiny, "-s", "first-consistent", **settings)
    assert (ran.code, ran.err) == (0, "")
    assert "2.4444" in ran.out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it needs a shell")
@pytest.mark.parametrize("line", ["strategies | head -1", "tournament --help | true"])
def test_a_command_ends_cleanly_if_its_output_is_no_longer_read(line):
    command = f"set -o pipefail; {shlex.quote(sys.executable)} -m wordle_kit {line}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
