"""Data frames are loaded when they are asked for."""

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_a_leaderboard_loads_no_data_frames_until_they_are_asked_for():
    code = """
import sys
import wordle_kit as wk
board = wk.tournament("mastermind", ["minimax"], ["1234"], workers=1)
str(board)
assert not {"pandas", "pyarrow", "altair"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
