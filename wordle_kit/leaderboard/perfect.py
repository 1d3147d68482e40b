"""Perfect totals: the least total of guesses over all answers of a game, where the files in data/trees prove one."""

import json
from functools import cache
from pathlib import Path

from wordle_kit.errors import WordleKitError


@cache
def perfect_total(fingerprint: str) -> int | None:
    """Return the least total of guesses for the game with this fingerprint, or None if none is proved."""
    file = proved_tree(fingerprint)
    return None if file is None else int(_fields(file)["total"])


@cache
def proved_tree(fingerprint: str) -> Path | None:
    """Return the file of a proved tree for the game with this fingerprint, or None if there is none."""
    from wordle_kit_data import FOLDER

    for file in sorted((FOLDER / "trees").glob("*.json")):  # to parse all of them takes longer than to search them
        if fingerprint in _text(file) and _fields(file)["fingerprint"] == fingerprint:
            return file
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise WordleKitError(f"{file}: {error}") from error


def _fields(file: Path) -> dict[str, str]:
    try:
        fields: dict[str, str] = json.loads(_text(file))
    except ValueError as error:
        raise WordleKitError(f"{file}: {error}") from error
    return fields
