"""Debuggers: an author stops in a strategy, and looks as long as needed. Where nobody can type, one line says so."""

import subprocess
import sys
import time

import pytest
from needs import needs_linux

LOOK = 1.5
"""Seconds that the author looks at a prompt."""


@pytest.fixture
def stopping(strategy):
    """Return a plugin whose strategy stops in a debugger before its first guess."""
    return strategy("Mine", "if position.turn == 1: breakpoint()")


@pytest.mark.slow
@needs_linux
def test_on_a_terminal_solve_stops_there_for_as_long_as_its_author_looks(stopping, tiny):
    from terminals import Terminal

    arguments = ("solve", "-g", tiny, "-a", "cc", "-p", stopping, "-s", "mine")
    with Terminal(*map(str, arguments)) as terminal:
        terminal.wait_for("(Pdb)")
        time.sleep(LOOK)
        assert "'aa'" in terminal.type("p position.board.words[0]", until="(Pdb)")
        time.sleep(LOOK)
        terminal.type("c", until="solved")
        assert terminal.ended() == 0


def test_in_a_tournament_a_breakpoint_is_a_crash(run, stopping, tiny):
    ran = run("tournament", "-g", tiny, "-p", stopping, "-s", "mine", "--workers", "1")
    assert ran.code == 1
    where = ran.out.splitlines()[-1]
    assert where.startswith("mine: 9 crashed.")
    assert "mine.py" in where


CONSOLE = """
import os, sys
import wordle_kit as wk

class Stream:
    \"\"\"What it gets is sent by a thread of its process, which a forked process does not have.\"\"\"

    def __init__(self, real):
        self.real, self.process = real, os.getpid()

    def write(self, text):
        return self.real.write(text) if os.getpid() == self.process else len(text)

    def flush(self):
        self.real.flush()

sys.stdout, sys.stderr = Stream(sys.stdout), Stream(sys.stderr)

class Talking(wk.Strategy):
    def guess(self, position):
        print("turn", position.turn)
        print("first:", *position.board.words, sep="\\n  ")
        return position.board.words[0]

game = wk.load_game({"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"})
board = wk.tournament(game, Talking(), ["ab"], workers=1)
print("failed:", board.rows[0].failed)
"""


@pytest.mark.slow
def test_what_a_strategy_prints_in_a_worker_is_shown_whole_whatever_stands_for_standard_error(tmp_path):
    script = tmp_path / "cells.py"
    script.write_text(CONSOLE)
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True)
    assert ran.stdout == "failed: 0\n"
    words = [a + b for a in "abc" for b in "abc"]
    assert ran.stderr.startswith("turn 1\nfirst:\n  " + "\n  ".join(words) + "\nturn 2\n")
