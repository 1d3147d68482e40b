"""Perfect play that is known: the proved trees that come with wordle-kit."""

import json
from functools import cache
from pathlib import Path

from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.lookup import load_game
from wordle_kit.trees.files import read_tree
from wordle_kit.trees.tree import Tree


def known_tree(game: Game | str | Path) -> Tree | None:
    """Return a tree of the least total for a game that is proved to be best, or None where none is known.

    The game may be given as `load_game` takes it.
    """
    game = load_game(game)
    file = _files().get(game.fingerprint)
    return None if file is None else read_tree(file, game)


@cache
def known_total(fingerprint: str) -> int | None:
    """Return the least total of guesses over all answers of the game with this fingerprint, or None where unknown."""
    file = _files().get(fingerprint)
    return None if file is None else int(_fields(file)["total"])


@cache
def _files() -> dict[str, Path]:
    """Return the files of proved trees by the fingerprint of their game."""
    from wordle_kit_data import FOLDER

    return {_fields(file)["fingerprint"]: file for file in sorted((FOLDER / "trees").glob("*.json"))}


def _fields(file: Path) -> dict[str, str]:
    try:
        fields: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WordleKitError(f"{file}: {error}") from error
    return fields
