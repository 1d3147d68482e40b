"""A game whose proof takes long enough to be stopped, and a command that searches it."""

import sys

import pytest


@pytest.fixture(scope="session")
def answers_only(tmp_path_factory):
    """Return the file of a game: Wordle, but only its 2,315 answers can be guessed. A proof takes many seconds."""
    path = tmp_path_factory.mktemp("games") / "answers-only.toml"
    path.write_text('name = "answers-only"\nbase = "wordle"\nguesses = []\n', encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def search_command(answers_only):
    """Return a command that searches that game."""
    return [sys.executable, "-m", "wordle_kit", "optimal", "--game", str(answers_only)]
