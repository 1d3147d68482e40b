"""The settings of a game as they are written, with those of the games that it builds on."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordle_kit.arguments import path_of
from wordle_kit.errors import GameError
from wordle_kit.names import shown, unknown

WORD_FILE = ".txt"
"""The ending of an entry that names a file of words instead of a word."""

GENERATED = ("all", "all-different")
"""The texts that stand for words that are generated."""

OWN = ("name", "title", "base")
"""The settings that a game does not inherit from its base."""

Registered = Mapping[str, Path | Mapping[str, Any]]
"""Registered games by name: a file or its fields."""


@dataclass(frozen=True)
class WrittenGame:
    """The settings of a game, with those of its bases. Paths in them do not depend on the folder of a game file."""

    fields: Mapping[str, Any]
    where: str
    """How messages name the game."""

    @property
    def plugin(self) -> Path | None:
        """The file of the plugin that the game names, or None."""
        plugin = self.fields.get("plugin")
        return Path(plugin) if isinstance(plugin, str) else None


def read_settings(game: str | Path | Mapping[str, Any], registered: Registered) -> WrittenGame:
    """Return the settings of a game, given by the name of a registered one, by its file or as fields.

    Raises GameError for a file that cannot be read, and for a game that builds on itself.
    """
    chain = [_find(game, registered, Path())]
    fields, where = _own_fields(chain[0])
    own = fields
    while (base := own.get("base")) is not None:
        if not isinstance(base, str):
            raise GameError(f"{where}: base is {shown(base)}; give the name of a game or the path of its file")
        last = chain[-1]
        try:
            found = _find(base, registered, last.parent if isinstance(last, Path) else Path())
            own, _ = _own_fields(found)
            if any(_same(found, earlier) for earlier in chain):
                names = [_shown(each) for each in (*chain[1:], found)]
                circle = f"{_shown(chain[0])} builds on {', which builds on '.join(names)}"
                raise GameError(f"{circle}; remove base from one of them")
        except GameError as error:
            raise GameError(f"{where}: base: {error}") from error
        chain.append(found)
        fields = {key: value for key, value in own.items() if key not in OWN} | fields
    return WrittenGame(fields, where)


def _find(game: str | Path | Mapping[str, Any], registered: Registered, folder: Path) -> Path | Mapping[str, Any]:
    """Return the file or the fields of a game; a relative path is relative to the folder."""
    if isinstance(game, str) and game in registered:
        return registered[game]
    if isinstance(game, Mapping):
        return game
    path = path_of("game", game)
    if isinstance(game, str) and path.suffix != ".toml" and os.sep not in game:
        raise GameError(unknown("game", game, registered, "; for a file, give its path with .toml"))
    return folder / path


def _own_fields(game: Path | Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the settings that a file or a mapping itself has, and how messages name it."""
    if isinstance(game, Mapping):
        return _with_paths(game, Path.cwd()), _shown(game)
    try:
        fields = tomllib.loads(game.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise GameError(f"{game}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise GameError(f"{game}: is not TOML: {error}") from error
    return _with_paths(fields, game.parent), _shown(game)


def _with_paths(fields: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the fields with paths of files that begin with the folder."""

    def word_file(entry: object) -> object:
        return str(folder / entry) if isinstance(entry, str) and entry.endswith(WORD_FILE) else entry

    found = dict(fields)
    found |= {"alphabet": word_file(found["alphabet"])} if "alphabet" in found else {}
    for name in ("answers", "guesses"):
        given = found.get(name)
        if isinstance(given, list):
            found[name] = [word_file(entry) for entry in given]
        elif isinstance(given, str) and given not in GENERATED:
            found[name] = str(folder / given)
    for name in ("weights", "plugin", "items"):
        if isinstance(found.get(name), str):
            found[name] = str(folder / Path(found[name]).expanduser())
    return found


def _same(one: Path | Mapping[str, Any], other: Path | Mapping[str, Any]) -> bool:
    if isinstance(one, Path) and isinstance(other, Path):
        return os.path.realpath(one) == os.path.realpath(other)
    return one is other


def _shown(game: Path | Mapping[str, Any]) -> str:
    return str(game) if isinstance(game, Path) else f"game {game.get('name', '')!r}"
