"""Identity: stored results are found again for the same strategy, and for no other."""

import itertools
import linecache
import subprocess
import sys
import textwrap

import pytest

import wordle_kit as wk
from wordle_kit.strategy.identity import identity_of

CELLS = """
import wordle_kit as wk
from functools import cache, partial
from dataclasses import dataclass
import numpy as np

TABLE = {"a": 1, "b": [2, {3, 4}]}
WEIGHTS = np.arange(4)
board = iter("ab")  # what a method calls `position.board` is something else

def inner(word):
    return word[::-1]

def helper(word):
    return inner(word), TABLE["a"]

@cache
def prepared(game):
    return len(game.answers) + WEIGHTS[0]

@dataclass
class Scorer:
    depth: int = 3

    def score(self, word):
        return helper(word)

SCORER = Scorer(2)

def base_of(order):
    class Base(wk.Strategy):
        def rank(self, word):
            return order(word)
    return Base

class Mine(base_of(partial(helper))):
    def guess(self, position):
        prepared(position.game)
        return max(position.board.words, key=lambda word: [SCORER.score(each) for each in word])
"""
"""A notebook, with all that a method may reach."""


NUMBERS = itertools.count()


def notebook(source):
    """Return the names of a notebook in which this was typed, whose source is where notebooks keep it."""
    name = f"/tmp/ipykernel_1/{next(NUMBERS)}.py"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), names)
    return names


def identity(strategy):
    """Return the identity of a strategy that can be compared."""
    found, unknown = identity_of(strategy)
    assert unknown is None
    return found


def typed(source=CELLS):
    return identity(notebook(source)["Mine"]())


def test_a_notebook_that_is_run_again_has_the_same_identity():
    assert typed() == typed()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("word[::-1]", "word[::-2]"),
        ('"a": 1', '"a": 2'),
        ("{3, 4}", "{3, 5}"),
        ("np.arange(4)", "np.arange(1, 5)"),
        ("depth: int = 3\n", "depth: int = 3\n    width: int = 1\n"),
        ("Scorer(2)", "Scorer(3)"),
        ("partial(helper)", "partial(inner)"),
        ("order(word)", "order(word)[0]"),
        ("for each in word", "for each in word[1:]"),
        ("len(game.answers)", "len(game.guesses)"),
        ("def score(self, word):", "def score(self, word, more=1):"),
    ],
)
def test_code_that_a_method_reaches_changes_the_identity(before, after):
    assert before in CELLS
    assert typed(CELLS.replace(before, after)) != typed()


@pytest.mark.parametrize(
    "more", ["unused = object()\n", "def unused(): return 1\n", "words = [1]\nturn = 5\n", "# a comment\n\n\n"]
)
def test_code_that_no_method_reaches_does_not_change_it(more):
    assert typed(more + CELLS) == typed()


def test_a_helper_that_is_typed_again_counts_as_it_is_now():
    names = notebook(CELLS)
    before = identity(names["Mine"]())
    exec(compile("def inner(word):\n    return word", "/tmp/ipykernel_1/9.py", "exec"), names)
    assert identity(names["Mine"]()) != before


def test_objects_that_cannot_be_compared_are_named_and_never_the_same():
    source = CELLS.replace('TABLE["a"]', "board")
    first, second = (identity_of(notebook(source)["Mine"]()) for _ in range(2))
    assert first[1].startswith("board, an object of str_ascii_iterator")
    assert first[0] != second[0]


IN_A_PROCESS = """
import sys
from wordle_kit.strategy.identity import identity_of
source = sys.stdin.read()
exec(compile(source, "<stdin>", "exec"))
print(*identity_of(Mine()))
"""


def test_the_identity_is_the_same_in_every_process():
    found = set()
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", IN_A_PROCESS],
            input=CELLS,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        found.add(ran.stdout)
    assert len(found) == 1, found


NOTEBOOK = """
import sys
import wordle_kit as wk

def cell(number, source):
    exec(compile(source, f"/tmp/ipykernel_1/{number}.py", "exec"), globals())

GAME = {"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"}
cell(1, "def first(words): return words[0]")
cell(2, "class Mine(wk.Strategy):\\n    def guess(self, position): return first(position.board.words)")
for number, source in enumerate(["words[0]", "words[0]", "words[-1]"]):
    cell(3 + number, f"def first(words): return {source}")
    board = wk.tournament(GAME, Mine, store=sys.argv[1], workers=1)
    print(board.plays("mine")[0].guesses[0], *board.not_kept)
"""


@pytest.mark.slow
def test_a_notebook_never_shows_results_of_a_helper_that_was_edited(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", NOTEBOOK, tmp_path / "store.sqlite"], capture_output=True, check=True, text=True
    )
    assert ran.stdout.split() == ["aa", "aa", "cc"]


@pytest.mark.slow
def test_a_strategy_that_is_played_again_each_time_says_so(tmp_path):
    source = NOTEBOOK.replace("cell(1, ", "lines = iter('ab')\ncell(1, ").replace(
        "{source}", "{source} if lines else 1"
    )
    ran = subprocess.run(
        [sys.executable, "-c", source, tmp_path / "store.sqlite"], capture_output=True, check=True, text=True
    )
    notes = ran.stdout.splitlines()
    assert [note[:2] for note in notes] == ["aa", "aa", "cc"]
    assert all("lines, an object of str" in note for note in notes)


# Strategies in files

PLUGIN = """
    import wordle_kit as wk
    import one_helper

    def made(order):
        class Made(wk.Strategy):
            def guess(self, position):
                return order(position.board.words)
        return Made

    class Filed(wk.Strategy):
        def guess(self, position):
            from one_helper import more
            return one_helper.first(position.board.words)

    @wk.hookimpl
    def register_strategies(register):
        register(Filed())
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a plugin, its helper, and a helper of that."""
    (tmp_path / "filed.py").write_text(textwrap.dedent(PLUGIN))
    (tmp_path / "one_helper").mkdir()
    (tmp_path / "one_helper" / "__init__.py").write_text("from .deep import first\n")
    (tmp_path / "one_helper" / "deep.py").write_text("def first(words):\n    return words[0]\n")
    (tmp_path / "one_helper" / "more.py").write_text("")
    (tmp_path / "one_helper" / "unused.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("one_helper")]:
        del sys.modules[name]


def filed(folder):
    return wk.Plugins.load([folder / "filed.py"], strict=True).strategies["filed"].value


@pytest.mark.parametrize("file", ["__init__.py", "deep.py", "more.py"])
def test_a_module_that_a_plugin_imports_belongs_to_it(folder, file):
    before = identity(filed(folder))
    assert identity(filed(folder)) == before
    path = folder / "one_helper" / file
    path.write_text(path.read_text() + "# edited\n")
    assert identity(filed(folder)) != before


def test_a_module_that_it_does_not_import_does_not(folder):
    before = identity(filed(folder))
    (folder / "one_helper" / "unused.py").write_text("# edited\n")
    assert identity(filed(folder)) == before


def test_classes_that_a_function_makes_differ_by_its_arguments(folder):
    module = sys.modules[type(filed(folder)).__module__]
    first, again, last = (module.made(order) for order in (min, min, max))
    assert identity(first()) == identity(again()) != identity(last())
