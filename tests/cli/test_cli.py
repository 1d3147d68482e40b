"""`wordle-kit` itself: help, version, pipes, and the ways in which a command ends."""

import importlib.metadata
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from wordle_kit import __version__
from wordle_kit.cli.commands import all_commands

ROOT = Path(__file__).parents[2]
COMMANDS = [name for name in all_commands(()) if " " not in name]
HELPS = [[], *([name] for name in COMMANDS), ["new", "strategy"]]

IMPORTS_OF_HELP = """
import io, sys
from contextlib import redirect_stdout
from wordle_kit.cli import run
for arguments in {helps}:
    with redirect_stdout(io.StringIO()):
        assert run([*arguments, "--help"]) == 0
    for heavy in ("numba", "numpy"):
        assert heavy not in sys.modules, f"wordle-kit {{' '.join(arguments)}} --help imports {{heavy}}"
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
{start}
"""
STARTS = {
    "as a module": "import runpy; runpy.run_module('wordle_kit', run_name='__main__', alter_sys=True)",
    "as a script": "from wordle_kit.__main__ import main; main()",
}


@pytest.mark.skipif(sys.platform == "win32", reason="presses Ctrl-C as POSIX does")
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    "module", ["wordle_kit.cli", "typer", "wordle_kit.cli.help", "wordle_kit.cli.listing", "numpy"]
)
def test_ctrl_c_ends_a_command_without_a_traceback_while_it_is_imported(module, start):
    script = PRESSED.format(module=module, start=STARTS[start])
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 130
    assert ran.stderr.startswith("wordle-kit: stopped")
    assert ran.stderr.count("\n") == 1


def test_the_package_imports_nothing_that_takes_long_before_ctrl_c_is_heeded():
    script = "import sys; before = set(sys.modules); import wordle_kit.__main__; print(*{*sys.modules} - before)"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.append({str(ROOT)!r}); {script}"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert {name for name in ran.stdout.split() if not name.startswith(("wordle_kit", "importlib"))} <= {"warnings"}


MEMORY = """
import resource, sys
import {after}
resource.setrlimit(resource.RLIMIT_AS, ({megabytes} * 2**20,) * 2)
sys.argv = ["wordle-kit", *sys.argv[1:]]
from wordle_kit.__main__ import main
main()
"""


needs_large_libraries = pytest.mark.skipif(
    importlib.metadata.version("numba").startswith("0.59."), reason="numba 0.59 needs less memory than these limits"
)


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.parametrize(
    "megabytes", [150, 200, *(pytest.param(more, marks=needs_large_libraries) for more in (250, 300, 335))]
)
def test_a_command_that_lacks_memory_ends_with_one_line_that_says_so(megabytes):
    script = MEMORY.format(after="sys", megabytes=megabytes)
    command = [sys.executable, "-c", script, "openers", "-g", "wordle"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert ran.stderr.startswith("wordle-kit: there is not enough memory")
    assert ran.stderr.count("\n") == 1


def raise_like_the_loader():
    try:
        raise OSError("/lib/libllvmlite.so: failed to map segment from shared object")
    except OSError as error:
        raise OSError("Could not find/load shared object file 'libllvmlite.so'") from error


def raise_out_of_memory():
    raise MemoryError


def raise_without_a_number():
    raise OSError("libexample.so: there is no such symbol")


@pytest.mark.parametrize(
    ("raising", "said"),
    [
        (raise_like_the_loader, "there is not enough memory to load all libraries; free some, or raise the limit"),
        (raise_out_of_memory, "there is not enough memory; give the feedback table less"),
        (raise_without_a_number, "libexample.so: there is no such symbol"),
    ],
)
def test_standard_output_is_not_blamed_for_what_the_system_lacks(run, monkeypatch, raising, said):
    monkeypatch.setattr("wordle_kit.cli.listing.games", lambda: raising())
    ran = run("games")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"wordle-kit: {said}")
    assert ran.err.count("\n") == 1


@pytest.fixture
def closed_pipe():
    """Return the write end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.mark.parametrize(
    "command",
    ["tournament", "leaderboard", "compare", "solve", "check", "new", "strategies", "games", "rules", "plugins"],
)
def test_the_command_is_there(command):
    assert command in COMMANDS


@pytest.mark.parametrize("arguments", HELPS, ids=" ".join)
def test_help_says_how_a_command_is_used(run, arguments):
    ran = run(*arguments, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert " ".join(["Usage: wordle-kit", *arguments]) in ran.out


def test_help_names_every_command(run):
    out = run("--help").out
    assert [name for name in COMMANDS if name not in out] == []


def test_help_loads_no_heavy_libraries():
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS_OF_HELP.format(helps=HELPS)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_h_is_short_for_help(run):
    assert run("tournament", "-h").out == run("tournament", "--help").out


def test_without_arguments_the_help_is_shown(run):
    assert run() == run("--help")


def test_version_is_printed(run):
    ran = run("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"wordle-kit {__version__}\n", "")


def test_python_dash_m_runs_it(process):
    ran = process("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"wordle-kit {__version__}\n", "")


def test_the_installed_command_runs_it():
    done = subprocess.run(
        [Path(sys.executable).with_name("wordle-kit"), "rules"], capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == 0
    assert "mastermind" in done.stdout


def test_the_exit_code_of_a_complaint_reaches_the_shell(process):
    ran = process("solve")
    assert ran.code == 2
    assert ran.err.startswith("wordle-kit: Missing option")


@pytest.mark.parametrize("command", ["strategies", "--help"])
def test_a_closed_pipe_leaves_nothing_on_standard_error(process, closed_pipe, command):
    assert process(command, capture_output=False, stdout=closed_pipe, stderr=subprocess.PIPE).err == ""


def test_a_closed_pipe_is_not_a_failure(process, closed_pipe):
    assert process("rules", capture_output=False, stdout=closed_pipe, stderr=subprocess.PIPE).code == 0


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
    _, mean, bars, *_ = ran.out.splitlines()[2].split()
    assert mean == "2.4444"
    assert set(bars) <= set("12345678.")


def test_an_unknown_command_is_named(refused):
    assert "'turnament'" in refused("turnament")


def test_an_unknown_option_of_the_program_is_named(refused):
    assert "--verison" in refused("--verison")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["tournament", "--puzles", "3"], "--puzles"),
        (["tournament", "extra"], "extra"),
        (["tournament", "--puzzles"], "--puzzles"),
        (["tournament", "--seed", "lucky"], "--seed"),
        (["tournament", "--workers", "many"], "--workers"),
        (["tournament", "--deadline", "soon"], "--deadline"),
        (["tournament", "--memory", "much"], "--memory"),
        (["solve"], "--answer"),
        (["check"], "name a plugin to check, or a strategy with -s"),
        (["compare"], "'A B...'"),
        (["compare", "entropy"], "name two or more strategies"),
        (["new", "strategy"], "NAME"),
        (["new", "game"], "NAME"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "names",
)
def test_wrong_options_and_arguments_are_named(refused, arguments, named):
    assert named in refused(*arguments)


@pytest.mark.skipif(sys.platform == "win32", reason="it needs a shell")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("--help | head -1", 0),
        ("tournament --help | true", 0),
        ("strategies | head -1", 0),
        ("strategies >&-", 0),
        ("strategies 2>&-", 0),
        ("nonsense 2>&-", 2),
        ("nonsense >&- 2>&- <&-", 2),
        ("nonsense 2>&1 | true", 2),
    ],
)
def test_a_command_ends_cleanly_if_its_output_is_closed(line, code):
    command = f"set -o pipefail; {shlex.quote(sys.executable)} -m wordle_kit {line}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (code, "")
    assert "wordle-kit:" not in ran.stdout, "what is for standard error got to standard output"
