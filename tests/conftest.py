"""Fixtures and settings for all tests: each has its own store, and no plugins come from the environment."""

import gc
import importlib.metadata
import itertools
import os
import re
import shutil
import signal
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commandline import (  # noqa: F401 - fixtures for all tests
    broken,
    counted,
    listed,
    process,
    refused,
    run,
    strategy,
    tiny,
    typed,
    write,
)
from hypothesis import HealthCheck, settings
from numba import cloudpickle

TABLES_KEPT = 3
"""The number of bundled games whose feedback tables are kept for other tests. Tables take memory."""

# Each process has a million objects that live as long as it does. To look through them takes a tenth of all time.
gc.set_threshold(50_000, 20, 20)

# As the command line does: numpy would start a thread for each core in this process and in each Python that it starts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Tests that a script starts in the background ignore Ctrl-C, which some of them press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Some tests crash processes on purpose. Their core files could fill the disk.
if sys.platform != "win32":
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def link_programs(folder, but):
    """Fill a folder with links to all programs on the path except one."""
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            if program.name != but and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    assert shutil.which("sh", path=str(folder)) is not None
    assert shutil.which(but, path=str(folder)) is None


pytest_plugins = ["chromium"]

# The same examples in every run, and no limit that a busy machine could exceed.
settings.register_profile(
    "tests", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """Let workers be forked beside threads that earlier tests have left behind, such as those of Dask."""
    from wordle_kit.tournaments import pool

    idle = {*threading.enumerate()} - {threading.main_thread()}
    pool.active_count = lambda: len({*threading.enumerate()} - idle)


def pytest_addoption(parser):
    parser.addoption("--pictures", metavar="FOLDER", help="have the tests in a browser write pictures of pages there")


def pytest_ignore_collect(collection_path, config):
    """With the quick tests, leave out files that have none. They may import optional packages."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    return True if re.search(r"^pytestmark = (\[[^\]]*)?pytest\.mark\.slow", text, re.MULTILINE) else None


def pytest_configure():
    """Let strategies of test modules play in a worker that is a new Python process, which cannot import them."""
    cloudpickle.register_pickle_by_value(sys.modules["tests"])


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart(session):
    """Compile the kernels that most tests need once, before several processes need them simultaneously.

    The processes that pytest-xdist starts meanwhile collect the tests, which takes them as long. For that they need the
    kernels of tables.
    """
    if not getattr(session.config.option, "numprocesses", None) or hasattr(session.config, "workerinput"):
        return (yield)
    import wordle_kit as wk
    from wordle_kit.strategy.costs import load_kernels

    game = wk.load_game({"name": "small", "alphabet": "abc", "length": 3, "answers": "all"})
    game.table.prepare()
    started = yield
    load_kernels(game)
    for name in ("mastermind", "elements"):  # whose codes take one byte and two: exact search is compiled for each
        if hasattr(wk, "optimal"):
            wk.optimal(name, seconds=0.1)
    return started


@pytest.fixture(scope="session", autouse=True)
def bundled_games():
    """Build each bundled game only once: games are immutable, and commands load them anew."""
    from wordle_kit_data import FOLDER

    from wordle_kit.game import files

    build, built = files.build_game, {}

    def build_once(written, rules):
        if not written.where.startswith(str(FOLDER)):
            return build(written, rules)
        rule = rules.get(written.fields.get("rule", "wordle"))
        key = written.where, repr(written.fields), type(rule), rule and rule.version
        game = built[key] = built.pop(key, None) or build(written, rules)
        for older in [*built.values()][:-TABLES_KEPT]:
            vars(older).pop("table", None)  # computed again if it is asked for
        return game

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "build_game", build_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def entry_points():
    """Look for the plugins of installed packages only once, unless the path changes: each command looks twice."""
    look, found = importlib.metadata.entry_points, {}

    def look_once(**wanted):
        changed = [Path(place).stat().st_mtime_ns if Path(place).is_dir() else 0 for place in sys.path]
        key = (*sys.path, *changed, *wanted.items())
        if key not in found:
            found[key] = look(**wanted)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "entry_points", look_once)
        yield


@pytest.fixture(scope="session")
def new_stores(tmp_path_factory):
    """Return the paths of stores that do not exist yet, in one folder: most tests need no folder of their own."""
    folder = tmp_path_factory.mktemp("stores")
    return (folder / f"results-{number}.sqlite" for number in itertools.count())


@pytest.fixture(autouse=True)
def own_store(new_stores, monkeypatch):
    """Return the path of this test's own store, which does not exist yet."""
    path = next(new_stores)
    monkeypatch.setenv("WORDLE_KIT_STORE", str(path))
    monkeypatch.setenv("WORDLE_KIT_CACHE", "")
    monkeypatch.delenv("WORDLE_KIT_PLUGINS", raising=False)
    return path


@pytest.fixture
def without_bubblewrap(tmp_path_factory, monkeypatch):
    """Hide bubblewrap from this test, as on a machine where it is not installed."""
    from wordle_kit.programs.sandbox import problem_here

    programs = tmp_path_factory.mktemp("programs")
    link_programs(programs, but="bwrap")
    monkeypatch.setenv("PATH", str(programs))
    problem_here.cache_clear()
    yield
    monkeypatch.undo()
    problem_here.cache_clear()


# Pages


class Tags(HTMLParser):
    """The tags of a page with their attributes, and the text inside of scripts, styles and everything else."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts, self.inside = [], {}, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        self.texts.setdefault(self.inside[-1] if self.inside else "", []).append(data)


@pytest.fixture(scope="session")
def tags_of():
    """Return the class above."""
    return Tags
