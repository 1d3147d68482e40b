"""A small game, files with strategies, and programs that serve them."""

import textwrap

import pytest

import wordle_kit as wk
from wordle_kit.programs.program import end_last

GAME = {"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"}

HEAD = """
import ctypes, gc, mmap, os, signal, socket, subprocess, sys, tempfile, time
import wordle_kit as wk

def tell(what):
    raise RuntimeError(f"FOUND {what}")

def attempted(act):
    try:
        return act()
    except BaseException as error:
        return type(error).__name__

def pipes():
    found = {number: f"/proc/self/fd/{number}" for number in range(3, 64) if os.path.lexists(f"/proc/self/fd/{number}")}
    return [number for number, link in found.items() if os.readlink(link).startswith("pipe:")]

def write_to_pipes(text):
    for pipe in pipes():
        attempted(lambda: os.write(pipe, text))

class Mine(wk.Strategy):
    def guess(self, position):
"""


@pytest.fixture(scope="session")
def letters():
    """Return a game of 1,296 words."""
    return wk.load_game(GAME)


@pytest.fixture(autouse=True)
def ended():
    """End the program that a test leaves."""
    yield
    end_last()


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a file with a strategy whose `guess` has this body."""

    def written(body, name="mine.py"):
        path = tmp_path / name
        text = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
        path.write_text(f"{HEAD}{text}\n        return position.board.words[0]\n", encoding="utf-8")
        return path

    return written
