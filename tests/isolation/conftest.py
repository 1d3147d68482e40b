"""Fixtures for isolation: its sandbox, a small game, and a search for processes left behind."""

import os
from pathlib import Path

import pytest
from needs import needs_bubblewrap

import wordle_kit as wk
from wordle_kit.sandbox.supervisor import descendants


@pytest.fixture(scope="session")
def letters():
    """Return the game of all words of four letters over a to f."""
    return wk.load_game({"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"})


@pytest.fixture(scope="module", params=[pytest.param("required", marks=needs_bubblewrap)])
def level(request):
    """Return the level of the sandbox, on machines that have it."""
    return request.param


@pytest.fixture(scope="session")
def isolation_at():
    """Return a function that gives the settings of a level, with these limits."""

    def settings(level, **limits):
        return wk.Isolation(sandbox=level, limits=wk.Limits(**limits))

    return settings


@pytest.fixture(scope="session")
def left_behind():
    """Return a function that gives the command lines of living processes that have one of these words.

    Of processes that other tests may have too, only those count that this process started or that nobody looks after.
    """

    def processes(*words, ours=False):
        found = []
        below = descendants(os.getpid())
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = file.read_text(errors="replace").replace("\0", " ")
                state, parent = (file.parent / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
            except OSError:  # it has just ended
                continue
            if ours and parent != "1" and int(file.parent.name) not in below:
                continue
            if state not in "ZX" and int(file.parent.name) != os.getpid() and any(word in line for word in words):
                found.append(line)
        return found

    return processes
