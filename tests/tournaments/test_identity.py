"""Identity: stored results are found again for the same strategy, and for no other."""

import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wordle_kit as wk
from wordle_kit.identity import module_hash
from wordle_kit.tournaments.entrants import Entrant

GAME = {"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"}


def entrant(strategy):
    return Entrant("label", strategy, "plugin")


def identity(strategy):
    """Return the identity of a strategy that can be compared."""
    entered = entrant(strategy)
    assert entered.unknown is None
    return entered.identity


def is_never_the_same(strategy):
    """Return whether each entrant of a strategy has another identity, and a reason is given."""
    return entrant(strategy).identity != entrant(strategy).identity and bool(entrant(strategy).unknown)


# Typed at a prompt


def typed(source, **names):
    """Return the names of a notebook in which this was typed."""
    names |= {"__name__": "__main__", "wk": wk}
    exec(compile(textwrap.dedent(source), "/tmp/ipykernel_1/1.py", "exec"), names)
    return names


CELL = """
    class Mine(wk.Strategy):
        def guess(self, position):
            return first(position.board.words)
"""


class Configured(wk.Strategy):
    """Guess the first word that may be the answer, whatever the parameter is."""

    value: Any = None

    def guess(self, position):
        return position.board.words[0]


class Outer(wk.Strategy):
    """Guess as another strategy does."""

    inner: wk.Strategy

    def guess(self, position):
        return self.inner.guess(position)


class Ranked(wk.Strategy):
    """Guess the word that a function puts first."""

    key: Callable[[str], Any]

    def guess(self, position):
        return min(position.board.words, key=self.key)


def made(order):
    class Made(wk.Strategy):
        def guess(self, position):
            return order(position.board.words)

    return Made


@pytest.mark.parametrize(
    "make",
    [
        typed(CELL, first=min)["Mine"],
        typed("class Mine(Base): pass", Base=Configured)["Mine"],
        made(min),
        lambda: Outer(inner=typed(CELL, first=min)["Mine"]()),
        lambda: Ranked(key=len),
        lambda: Configured(value=[{"key": lambda word: word}]),
        lambda: Configured(value=object()),
    ],
    ids=["typed", "without methods", "made by a function", "a parameter", "a function", "a deep function", "an object"],
)
def test_what_cannot_be_compared_is_never_the_same(make):
    assert is_never_the_same(make())


def test_a_notebook_never_shows_results_of_a_helper_that_was_edited_and_says_that_it_plays_again(
    own_store, monkeypatch
):
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)  # as in a notebook
    for edited, guess in (("words[0]", "aa"), ("words[0]", "aa"), ("words[-1]", "cc")):
        mine = typed(f"def first(words): return {edited}\n{textwrap.dedent(CELL)}")["Mine"]
        monkeypatch.setattr(sys.modules["__main__"], "Mine", mine, raising=False)  # from where a worker imports it
        board = wk.tournament(GAME, [mine], store=own_store, workers=1)
        assert board.plays("mine")[0].guesses[0] == guess
        (note,) = board.not_kept
        assert "Mine" in note


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1, 1.0),
        (["a", "b"], ["ab"]),
        ([[], []], [[[]]]),
        ({"a": {1, 2}}, {"a": {1, 3}}),
        (None, "None"),
        (np.arange(3), np.arange(1, 4)),
    ],
)
def test_values_are_the_same_if_and_only_if_they_look_the_same(value, other):
    assert identity(Configured(value=value)) == identity(Configured(value=value)) != identity(Configured(value=other))


def test_a_file_among_the_parameters_counts_with_its_content(tmp_path):
    path = tmp_path / "a"
    found = []
    for text in ("1", "1", "2"):
        path.write_text(text)
        found.append([identity(Configured(value=value)) for value in (path, [path], {"a": path})])
    assert found[0] == found[1]
    assert not any(before == after for before, after in zip(found[1], found[2], strict=True))


def test_every_number_of_a_large_array_counts():
    one, other = np.arange(5000), np.arange(5000)
    other[2500] = 0
    assert identity(Configured(value=one)) == identity(Configured(value=one.copy()))
    assert identity(Configured(value=one)) != identity(Configured(value=other))


SCRIPT = """
import wordle_kit as wk
from wordle_kit.tournaments.entrants import Entrant

class Mine(wk.Strategy):
    def guess(self, position):
        return position.board.words[0]

if __name__ == "__main__":
    mine = Entrant("mine", Mine(), "plugin")
    print(mine.identity, mine.unknown)
"""


@pytest.mark.slow
def test_a_class_in_a_script_has_the_identity_of_the_script(tmp_path):
    def found(source):
        (tmp_path / "script.py").write_text(source)
        ran = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, check=True, text=True)
        assert ran.stdout.split()[1:] == ["None"]
        return ran.stdout

    assert found(SCRIPT) == found(SCRIPT) != found(SCRIPT.replace("[0]", "[-1]"))


# In files

PLUGIN = """
    import wordle_kit as wk
    import one_helper

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
    (tmp_path / "one_helper" / "more.py").touch()
    (tmp_path / "unused.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("one_helper")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("file", "belongs"),
    [
        ("one_helper/__init__.py", True),
        ("one_helper/deep.py", True),
        ("one_helper/more.py", True),
        ("unused.py", False),
    ],
)
def test_a_module_belongs_to_a_plugin_if_that_imports_it(folder, file, belongs):
    def filed():
        return identity(wk.Plugins.load([folder / "filed.py"]).strategies["filed"].value)

    before = filed()
    assert filed() == before
    path = folder / file
    path.write_text(path.read_text() + "# edited\n")
    assert (filed() != before) == belongs


@pytest.mark.parametrize(
    "text",
    [
        "import helper",
        "import os, \\\n    helper",
        "from helper import (\n    first,\n)",
        "from . import (\n    helper,\n)",
        "x = 1; import helper",
        "if True: import helper",
        "\ufeffimport helper",
    ],
)
def test_an_import_is_found_however_it_is_written(tmp_path, text):
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    found = []
    for helper in ("a = 1", "a = 2"):
        (tmp_path / "helper.py").write_text(helper)
        found.append(module_hash(tmp_path / "mine.py"))
    assert found[0] != found[1]


def test_whatever_is_bundled_can_be_compared(own_store):
    for game in ("elements", GAME):
        assert wk.tournament(game, ["minimax"], 3, workers=1, store=own_store).not_kept == ()
