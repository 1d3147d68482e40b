"""What all tests share: a store of results of their own, and no plugins from the environment."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

# Whoever starts the tests in the background of a script has them ignore Ctrl-C, which some tests press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Some tests have processes end by a fault of memory. Nobody wants the core files, which could fill the disk.
if sys.platform != "win32":
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    """Return the path of a store that only this test has; nothing is there yet."""
    path = tmp_path / "results.sqlite"
    monkeypatch.setenv("WORDLE_KIT_STORE", str(path))
    monkeypatch.delenv("WORDLE_KIT_PLUGINS", raising=False)
    return path


@pytest.fixture
def without_bubblewrap(tmp_path_factory, monkeypatch):
    """Have this test find every program but bubblewrap, as on a machine where it is not installed."""
    from wordle_kit.isolation.sandbox import bubblewrap_problem

    programs = tmp_path_factory.mktemp("programs")
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).glob("*"):
            if program.name != "bwrap" and not (programs / program.name).is_symlink():
                (programs / program.name).symlink_to(program)
    monkeypatch.setenv("PATH", str(programs))
    assert shutil.which("bwrap") is None
    assert shutil.which("sh") is not None
    bubblewrap_problem.cache_clear()
    yield
    monkeypatch.undo()
    bubblewrap_problem.cache_clear()
