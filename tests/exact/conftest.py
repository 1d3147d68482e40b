"""A game whose proof takes long enough to be stopped, and a command that searches it."""

import sys

import pytest

PROGRAM = """
from wordle_kit import cli
from wordle_kit_plugins.exact import optimal
optimal.WRITE = 0.0  # seconds between two results that are stored
cli.main()
"""


@pytest.fixture(scope="session")
def answers_only(tmp_path_factory):
    """Return the file of a game: Wordle, but only its 2,315 answers can be guessed. A proof takes many seconds."""
    path = tmp_path_factory.mktemp("games") / "answers-only.toml"
    path.write_text('name = "answers-only"\nbase = "wordle"\nguesses = []\n', encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def search_command(answers_only):
    """Return a command that searches that game and stores each result immediately."""
    return [sys.executable, "-c", PROGRAM, "optimal", "--game", str(answers_only)]
