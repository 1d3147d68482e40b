"""Code under rules: what it may import and name is found in its text, and held to while it runs."""

import subprocess
import sys

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit.code_rules import CodeRules, restrict
from wordle_kit.plugins import Plugins

RULES = CodeRules(("numpy",), ("load_strategy", "PartitionStrategy", "eval"))


@pytest.mark.parametrize(
    "text",
    [
        "import collections, os.path, numpy as np, wordle_kit as wk\nfrom numpy.linalg import norm",
        "from __future__ import annotations\nfrom wordle_kit.strategy import position",
        "try:\n    import tqdm\nexcept ImportError:\n    tqdm = None",
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
        ("import os\nimport scipy.stats", "line 2 imports scipy"),
        ("def guess():\n    from pandas import Series", "line 2 imports pandas"),
        ("import importlib\nimportlib.import_module('scipy')", "line 2 imports scipy"),
        ("try:\n    x = 1\nexcept ImportError:\n    import scipy", "line 4 imports scipy"),
        ("from .helpers import x", "line 1 imports .helpers"),
        ("import wordle_kit as wk\nwk.load_strategy('x')", "line 2 uses load_strategy"),
        ("getattr(wk, 'load_strategy')", "line 1 uses load_strategy"),
        ("class A(PartitionStrategy): ...", "line 1 uses PartitionStrategy"),
    ],
)
def test_the_first_line_that_breaks_the_rules_is_named(text, said):
    assert RULES.breach(text.encode()).startswith(said)


RUNS = """
import importlib
import wordle_kit as wk

def ran(code):
    try:
        exec(code, globals())
        return "ran"
    except (ImportError, NameError) as error:
        return type(error).__name__

SAID = [ran(code) for code in CODES]

class Mine(wk.Strategy):
    '''Guess a word.'''
    def guess(self, position: wk.Position) -> str:
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Mine())
"""


@pytest.mark.slow
def test_what_no_reader_sees_in_the_text_is_refused_while_it_runs(tmp_path):
    codes = {
        "import num" + "py.linalg": "ran",
        "from wordle_kit import *; Strategy": "ran",
        "try:\n    import pydantic\nexcept ImportError:\n    pass": "ran",
        "import pydantic": "NotAllowedError",
        "__import__('py' + 'test')": "NotAllowedError",
        "importlib.import_module('hypo' + 'thesis.strategies')": "NotAllowedError",
        "getattr(wk, 'load_' + 'strategy')": "NotAllowedError",
        "ev" + "al('1')": "NameError",
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
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines() == list(codes.values()), ran.stderr


def test_rules_are_about_the_authors_code_and_not_about_what_that_calls(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(RUNS.replace("CODES", "['import fractions', 'import py' + 'dantic']"))
    restrict(path, CodeRules())
    try:
        plugins = Plugins.load([path], strict=True)
        assert plugins.modules["mine"].SAID == ["ran", "NotAllowedError"]
        game = wk.load_game("mastermind")  # the engine imports numpy, which this file may not
        assert wk.play(plugins.strategies["mine"].value, game, 2)[0].turns
    finally:
        restrict(path, None)


@pytest.mark.slow
@needs_linux
def test_rules_go_with_the_file_to_its_own_process(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(RUNS.replace("CODES", "[]") + "\n__import__('py' + 'test')\n")
    isolation = wk.Isolation(sandbox="plain")
    restrict(path, RULES)
    try:
        with pytest.raises(wk.PluginError, match=r"imports pytest"):
            Plugins.load([path], strict=True, isolation=isolation)
    finally:
        restrict(path, None)
