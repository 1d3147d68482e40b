"""Identity: stored results are found again for the same strategy, and for no other."""

import functools
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

import wordle_kit as wk
from wordle_kit.sources import object_source, value_text
from wordle_kit.tournaments.entrants import identity_of


def identity(strategy):
    """Return the identity of a strategy that can be compared."""
    found, unknown = identity_of(strategy)
    assert unknown is None
    return found


def is_never_the_same(strategy):
    """Return whether the identity of a strategy is another one in every call, and a reason is given."""
    (first, unknown), (second, _) = identity_of(strategy), identity_of(strategy)
    return first != second and bool(unknown)


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


def test_a_class_that_was_typed_is_never_the_same():
    assert is_never_the_same(typed(CELL, first=min)["Mine"]())


def test_a_class_that_was_typed_and_has_no_methods_is_never_the_same():
    assert is_never_the_same(typed("class Mine(Base): pass", Base=Configured)["Mine"]())


def test_a_class_that_a_function_makes_is_never_the_same():
    def made(order):
        class Made(wk.Strategy):
            def guess(self, position):
                return order(position.board.words)

        return Made

    assert is_never_the_same(made(min)())


def test_a_strategy_with_one_that_was_typed_is_never_the_same():
    assert is_never_the_same(Outer(inner=typed(CELL, first=min)["Mine"]()))


class Outer(wk.Strategy):
    """Guess as another strategy does."""

    inner: wk.Strategy

    def guess(self, position):
        return self.inner.guess(position)


class Configured(wk.Strategy):
    """Guess the first word that may be the answer, whatever the parameter is."""

    value: Any = None

    def guess(self, position):
        return position.board.words[0]


class Ranked(wk.Strategy):
    """Guess the word that a function puts first."""

    key: Callable[[str], Any]

    def guess(self, position):
        return min(position.board.words, key=self.key)


def backwards(word):
    return word[::-1]


@pytest.mark.parametrize("key", [backwards, len, lambda word: word, functools.partial(backwards)], ids=range(4))
def test_a_function_among_the_parameters_is_never_the_same(key):
    assert is_never_the_same(Ranked(key=key))
    assert is_never_the_same(Configured(value=[{"key": key}]))


@pytest.mark.parametrize("value", [object(), iter("ab"), int, sys])
def test_an_object_of_an_unknown_type_is_never_the_same(value):
    assert is_never_the_same(Configured(value=value))


def test_a_value_that_was_typed_is_never_the_same():
    names = typed("""
        from dataclasses import dataclass

        @dataclass
        class Scorer:
            depth: int = 3
    """)
    assert is_never_the_same(Configured(value=names["Scorer"]()))


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1, 2),
        (1, 1.0),
        (["a", "b"], ["ab"]),
        ([[], []], [[[]]]),
        ({"a": {1, 2}}, {"a": {1, 3}}),
        (date(2026, 1, 1), date(2026, 1, 2)),
        (b"a", b"b"),
        (None, "None"),
    ],
)
def test_values_have_the_same_text_if_and_only_if_they_are_the_same(value, other):
    assert value_text(value) == value_text(value) != value_text(other)
    assert identity(Configured(value=value)) == identity(Configured(value=value))


def test_arrays_are_compared_by_their_contents(tmp_path):
    import numpy as np

    assert value_text(np.arange(3)) == value_text(np.arange(3)) != value_text(np.arange(1, 4))
    path = tmp_path / "a"
    path.write_text("1")
    before = value_text(path)
    path.write_text("2")
    assert value_text(path) != before


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
    board = wk.tournament(GAME, [Mine], store=sys.argv[1], workers=1)
    print(board.plays("mine")[0].guesses[0], *board.not_kept)
"""


@pytest.mark.slow
def test_a_notebook_never_shows_results_of_a_helper_that_was_edited_and_says_that_it_plays_again(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", NOTEBOOK, tmp_path / "store.sqlite"], capture_output=True, check=True, text=True
    )
    notes = ran.stdout.splitlines()
    assert [note[:2] for note in notes] == ["aa", "aa", "cc"]
    assert all("mine is played again each time: its class Mine was typed" in note for note in notes)


SCRIPT = """
import wordle_kit as wk
from wordle_kit.tournaments.entrants import identity_of

class Mine(wk.Strategy):
    def guess(self, position):
        return position.board.words[0]

if __name__ == "__main__":
    print(*identity_of(Mine()))
"""


def test_a_class_in_a_script_has_the_identity_of_the_script(tmp_path):
    def found(source):
        (tmp_path / "script.py").write_text(source)
        ran = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, check=True, text=True)
        assert ran.stdout.split()[1:] == ["None"]
        return ran.stdout

    assert found(SCRIPT) == found(SCRIPT) != found(SCRIPT.replace("[0]", "[-1]"))


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


def test_a_module_that_another_plugin_has_imported_already_changes_nothing(folder):
    before = identity(filed(folder))
    import one_helper.more
    import one_helper.unused  # noqa: F401

    assert identity(filed(folder)) == before


# Files that a plugin opens while it is loaded

READS = """
    import json
    from pathlib import Path

    import wordle_kit as wk
    import reading_helper

    FOLDER = Path(__file__).parent
    ORDER = json.loads((FOLDER / "order.json").read_text())
    try:
        BONUS = (FOLDER / "bonus.txt").read_text()
    except FileNotFoundError:
        BONUS = ""

    class Reads(wk.Strategy):
        def guess(self, position):
            return position.board.words[ORDER[0]]

    @wk.hookimpl
    def register_strategies(register):
        (FOLDER / "registered.txt").read_bytes()
        register(Reads())
"""
FILES = {"order.json": "[0]", "helper.txt": "1", "registered.txt": "1", "unread.txt": "1"}
IN_A_NEW_PROCESS = """
import sys
import wordle_kit as wk
from wordle_kit.tournaments.entrants import identity_of
print(*identity_of(wk.Plugins.load([sys.argv[1]], strict=True).strategies["reads"].value))
"""


@pytest.fixture
def reading(tmp_path, monkeypatch):
    """Return a folder with a plugin that reads files while it is loaded, and a helper that does."""
    (tmp_path / "reads.py").write_text(textwrap.dedent(READS))
    helper = "open(__file__.replace('reading_helper.py', 'helper.txt')).close()"
    (tmp_path / "reading_helper.py").write_text(helper)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    yield tmp_path
    sys.modules.pop("reading_helper", None)


def in_a_new_process(folder):
    ran = subprocess.run(
        [sys.executable, "-c", IN_A_NEW_PROCESS, folder / "reads.py"], capture_output=True, check=True, text=True
    )
    found, unknown = ran.stdout.split()
    assert unknown == "None"
    return found


def test_the_files_that_a_plugin_reads_are_the_same_whatever_was_compiled_before(reading):
    assert in_a_new_process(reading) == in_a_new_process(reading)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["order.json", "helper.txt", "registered.txt", "bonus.txt"])
def test_a_file_that_a_plugin_reads_while_it_is_loaded_belongs_to_it(reading, name):
    before = in_a_new_process(reading)
    (reading / name).write_text("[-1]")
    assert in_a_new_process(reading) != before


def test_a_file_that_it_does_not_read_does_not(reading):
    before = in_a_new_process(reading)
    (reading / "unread.txt").write_text("2")
    assert in_a_new_process(reading) == before


GAME = {"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"}


def first_guess(folder, store):
    plugins = wk.Plugins.load([folder / "reads.py"], strict=True)
    board = wk.tournament(GAME, ["reads"], store=store, workers=1, plugins=plugins)
    assert board.not_kept == ()
    return board.plays("reads")[0].guesses[0]


def test_stored_results_are_never_those_of_another_data_file(reading, own_store):
    assert first_guess(reading, own_store) == "aa"
    (reading / "order.json").write_text("[-1]")
    assert first_guess(reading, own_store) == "cc"
    (reading / "order.json").write_text("[0]")
    assert first_guess(reading, own_store) == "aa"


ISOLATED = """
    from pathlib import Path

    import wordle_kit as wk

    INDEX = int(Path(wk.__file__).with_name("{name}").exists() or Path({path!r}).read_text())

    class Reads(wk.Strategy):
        def guess(self, position):
            return position.board.words[INDEX]

    @wk.hookimpl
    def register_strategies(register):
        register(Reads())
"""


@pytest.mark.slow
def test_a_file_that_an_isolated_plugin_reads_belongs_to_it_too(tmp_path):
    data, plugin = tmp_path / "elsewhere" / "index.txt", tmp_path / "reads.py"
    data.parent.mkdir()
    plugin.write_text(textwrap.dedent(ISOLATED.format(name="no-such-file", path=str(data))))
    found = []
    for text in ("0", "0", "-1"):
        data.write_text(text)
        isolation = wk.Isolation(sandbox="plain")
        found.append(identity(wk.Plugins.load([plugin], strict=True, isolation=isolation).strategies["reads"].value))
    assert found[0] == found[1] != found[2]


def test_a_game_that_a_plugin_loads_while_it_is_loaded_belongs_to_it(tmp_path):
    (tmp_path / "own.toml").write_text('name = "own"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')
    path = tmp_path / "loads.py"
    path.write_text(
        "import wordle_kit as wk\n"
        f"GAME = wk.load_game({str(tmp_path / 'own.toml')!r})\n"
        "class Loads(wk.Strategy):\n"
        "    def guess(self, position):\n"
        "        return GAME.answers[0]\n"
        "@wk.hookimpl\n"
        "def register_strategies(register):\n"
        "    register(Loads())\n"
    )

    def loaded():
        return identity(wk.Plugins.load([path], strict=True).strategies["loads"].value)

    before = loaded()
    assert loaded() == before
    (tmp_path / "own.toml").write_text('name = "own"\nalphabet = "ba"\nlength = 2\nanswers = "all"\n')
    assert loaded() != before


def test_settings_that_a_library_reads_when_it_is_imported_do_not_belong_to_a_plugin(tmp_path):
    from wordle_kit import sources

    (tmp_path / "settings.txt").write_text("1")
    where = next(folder for folder in sources.LIBRARIES if folder.name == "site-packages")
    source = f"open({str(tmp_path / 'settings.txt')!r}).close()"
    library = compile(source, str(where / "library.py"), "exec")
    with sources.noting_files():
        exec(library, {"__name__": "library"})
        exec(compile(source, "own.py", "exec"), {"__name__": "own"})
    assert sources.opened_by(["library"]) == []
    assert len(sources.opened_by(["own"])) == 1


def test_files_that_are_written_and_files_of_the_system_do_not_belong_to_a_plugin(tmp_path):
    from wordle_kit import sources

    source = f"open({str(tmp_path / 'log.txt')!r}, 'w').close(); open('/proc/self/stat').close()"
    with sources.noting_files():
        exec(compile(source, "writes.py", "exec"), {"__name__": "writes"})
    assert sources.opened_by(["writes"]) == []


def test_whatever_is_bundled_can_be_compared():
    plugins = wk.Plugins.load(strict=True)
    assert len(plugins.rules) > 3
    assert [name for name, rule in plugins.rules.items() if object_source(rule.value) is None] == []
    elements = wk.load_game("elements", plugins)
    assert wk.tournament(elements, ["minimax"], workers=1, plugins=plugins).not_kept == ()
