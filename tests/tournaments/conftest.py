"""A game of several chunks, and plugins written for one test."""

import textwrap

import pytest

import wordle_kit as wk

LETTERS = {"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"}


@pytest.fixture(scope="session")
def letters():
    """Return the game of all words of four letters over a to f: 1,296 puzzles, which are six chunks."""
    game = wk.load_game(LETTERS)
    assert -(-len(game.answers) // wk.Strategy.chunk) == 6
    return game


@pytest.fixture
def path(tmp_path):
    """Return a path for a store that does not exist yet."""
    return tmp_path / "folder" / "store.sqlite"


@pytest.fixture
def letters_file(tmp_path):
    """Return the path of the same game as a file."""
    path = tmp_path / "letters.toml"
    path.write_text("\n".join(f"{key} = {value!r}" for key, value in LETTERS.items()))
    return path


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a plugin with these strategies, the body of each by its class, and loads it.

    A body may call `first(position)`, which is the first candidate.
    """

    def write(name="plugin", **bodies):
        path = tmp_path / f"{name}.py"
        path.write_text(source(bodies))
        return wk.Plugins.load([path])

    return write


def source(bodies):
    """Return the text of a plugin whose strategies have these bodies."""
    lines = ["import ctypes, faulthandler, itertools, os, signal, sys", "import wordle_kit as wk"]
    lines += ["def first(position):", "    return position.board.words[0]"]
    for kind, body in bodies.items():
        lines += [f"class {kind}(wk.Strategy):", textwrap.indent(textwrap.dedent(body), "    ")]
    lines += ["@wk.hookimpl", "def register_strategies(register):"]
    lines += [f"    register({kind}())" for kind in bodies]
    return "\n".join(lines) + "\n"
