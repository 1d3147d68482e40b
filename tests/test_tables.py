"""Data frames are loaded when they are asked for, and missing libraries are named."""

import subprocess
import sys

import pytest

import wordle_kit as wk
from wordle_kit.tables import Values, values_of


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("pandas", "to_pandas()"),
        ("pandas", "plays_to_pandas()"),
        ("pandas", "compare('minimax', 'minimax').to_pandas()"),
        ("polars", "to_polars()"),
        ("polars", "plays_to_polars()"),
        ("polars", "compare('minimax', 'minimax').to_polars()"),
    ],
)
def test_a_missing_library_is_named_with_the_command_that_installs_it(monkeypatch, module, call):
    monkeypatch.setitem(sys.modules, module, None)
    board = wk.tournament("mastermind", ["minimax"], ["1234"], workers=1)
    with pytest.raises(wk.WordleKitError) as raised:
        eval(f"board.{call}", {"board": board})
    installs = {"pandas": "pip install 'pandas>=2.1.1'", "polars": "pip install 'polars>=1.0'"}[module]
    assert str(raised.value) == f"data frames of {module}: {module} is not installed; install it with: {installs}"


def test_a_leaderboard_loads_no_data_frames_until_they_are_asked_for():
    code = """
import sys
import wordle_kit as wk
board = wk.tournament("mastermind", ["minimax"], ["1234"], workers=1)
str(board)
assert not {"pandas", "polars", "pyarrow", "altair"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([True, False], Values("truth", [True, False])),
        ([True, None], Values("text", ["true", None])),
        ([1, None], Values("whole or none", [1, None])),
        ([1, 0.5, None], Values("real", [1.0, 0.5, None])),
        ([1, "x"], Values("text", ["1", "x"])),
        ([2**63, 1], Values("real", [2.0**63, 1.0])),
        ([[1, 2], {"a": None}], Values("text", ["[1, 2]", '{"a": null}'])),
        ([None, None], Values("text", [None, None])),
    ],
)
def test_parameters_are_a_column_of_their_kind(values, expected):
    assert values_of(values) == expected
