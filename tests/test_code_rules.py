"""Code under rules: what it may import and name is found in its text, and held to while it runs."""

import subprocess
import sys

import pytest

import wordle_kit as wk
from wordle_kit.code_rules import CodeRules, restrict
from wordle_kit.plugins import Plugins

RULES = CodeRules(("numpy",), ("load_strategy", "PartitionStrategy", "eval"))

ALLOWED = "allowed are numpy, wordle_kit and Python's standard library"


@pytest.mark.parametrize(
    "text",
    [
        "import collections, os.path, numpy as np, wordle_kit as wk\nfrom numpy.linalg import norm",
        "from __future__ import annotations\nfrom wordle_kit.strategy import position",
        "try:\n    import tqdm\nexcept ImportError:\n    tqdm = None",
        "try:\n    from rich import print\nexcept (ValueError, ModuleNotFoundError):\n    pass",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pandas",
        "if __name__ == '__main__':\n    import matplotlib.pyplot as plt",
        "'load_strategy would be too easy'\n# so would PartitionStrategy",
        "this is not Python",
    ],
)
def test_python_numpy_and_what_the_file_can_do_without_are_allowed(text):
    assert RULES.breach(text.encode()) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nimport scipy.stats", f"line 2 imports scipy; {ALLOWED}"),
        ("def guess():\n    from pandas import Series", f"line 2 imports pandas; {ALLOWED}"),
        ("import wordle_kit_plugins.partition", f"line 1 imports wordle_kit_plugins; {ALLOWED}"),
        ("import importlib\nimportlib.import_module('scipy')", f"line 2 imports scipy; {ALLOWED}"),
        ("try:\n    x = 1\nexcept ImportError:\n    import scipy", f"line 4 imports scipy; {ALLOWED}"),
        ("import scipy\nimport pandas", f"line 1 imports scipy; {ALLOWED}"),
        ("from wordle_kit import load_strategy as f", "line 1 uses load_strategy, which is forbidden here"),
        ("import wordle_kit as wk\nwk.load_strategy('x')", "line 2 uses load_strategy, which is forbidden here"),
        ("getattr(wk, 'load_strategy')", "line 1 uses load_strategy, which is forbidden here"),
        ("class A(PartitionStrategy): ...", "line 1 uses PartitionStrategy, which is forbidden here"),
    ],
)
def test_the_first_line_that_breaks_the_rules_is_named(text, said):
    assert RULES.breach(text.encode()) == said


def test_a_file_of_its_own_folder_is_not_part_of_a_single_file():
    assert RULES.breach(b"from .helpers import x").startswith(
        "line 1 imports .helpers; the file must not need another one"
    )


RUNS = """
import importlib
import sys
import wordle_kit as wk

def ran(code):
    try:
        exec(code, globals())
        return "ran"
    except ImportError as error:
        return f"{type(error).__name__}: {error}"
    except NameError as error:
        return str(error)

SAID = [ran(code) for code in CODES]

class Mine(wk.Strategy):
    '''Guess a word.'''
    def guess(self, position: wk.Position) -> str:
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Mine())
"""


def test_what_no_reader_sees_in_the_text_is_refused_while_it_runs(tmp_path):
    codes = {
        "import num" + "py.linalg": "ran",
        "import wordle_kit.strategy.position as p; p.Position": "ran",
        "from wordle_kit import *; Strategy": "ran",
        "__import__('py' + 'test')": f"NotAllowedError: imports pytest; {ALLOWED}",
        "try:\n    import pydantic\nexcept ImportError:\n    pass": "ran",
        "import pydantic": f"NotAllowedError: imports pydantic; {ALLOWED}",
        "importlib.import_module('hypo' + 'thesis.strategies')": f"NotAllowedError: imports hypothesis; {ALLOWED}",
        "getattr(wk, 'load_' + 'strategy')": "NotAllowedError: uses load_strategy, which is forbidden here",
        "from wordle_kit.api import *; load_game": "ran",
        "import wordle_kit.strategy.partition as p; getattr(p, 'Partition' + 'Strategy')": (
            "NotAllowedError: uses PartitionStrategy, which is forbidden here"
        ),
        "ev" + "al('1')": "name 'eval' is not defined",
    }
    path = tmp_path / "mine.py"
    path.write_text(RUNS.replace("CODES", repr(list(codes))))
    program = (
        "import sys; from pathlib import Path; from wordle_kit.code_rules import CodeRules, restrict\n"
        "from wordle_kit.plugins import Plugins\n"
        f"path = Path({str(path)!r}); restrict(path, CodeRules(('numpy',), {RULES.forbid!r}))\n"
        "plugins = Plugins.load([path], strict=True)\n"
        "print(*plugins.modules['mine'].SAID, sep='\\n')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert ran.stdout.splitlines() == list(codes.values()), ran.stderr


def test_rules_are_about_the_authors_code_and_not_about_what_that_calls(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(RUNS.replace("CODES", "['import fractions']"))
    restrict(path, CodeRules())
    try:
        strategy = Plugins.load([path], strict=True).strategies["mine"].value
        game = wk.load_game("mastermind")  # the engine imports numpy, which this file may not
        assert wk.play(strategy, game, 2)[0].turns
    finally:
        restrict(path, None)


@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
def test_rules_go_with_the_file_to_its_own_process(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(RUNS.replace("CODES", "[]") + "\n__import__('py' + 'test')\n")
    isolation = wk.Isolation(sandbox="plain")
    Plugins.load([path], strict=True, isolation=isolation)
    restrict(path, RULES)
    try:
        with pytest.raises(
            wk.PluginError, match=r"mine.py, line 26: NotAllowedError: imports pytest; allowed are numpy"
        ):
            Plugins.load([path], strict=True, isolation=isolation)
    finally:
        restrict(path, None)
