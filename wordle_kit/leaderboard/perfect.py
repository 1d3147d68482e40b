"""Perfect totals: the least total of guesses over all answers of a game, where the files in data/trees prove one."""

import json
from functools import cache
from pathlib import Path

from wordle_kit.errors import WordleKitError


@cache
def perfect_total(fingerprint: str) -> int | None:
    """Return the least total of guesses for the game with this fingerprint, or None if none is proved."""
    file = proved_trees().get(fingerprint)
    return None if file is None else int(_fields(file)["total"])


@cache
def proved_trees() -> dict[str, Path]:
    """Return the files of proved trees by the fingerprint of their game."""
    from wordle_kit_data import FOLDER

    return {_fields(file)["fingerprint"]: file for file in sorted((FOLDER / "trees").glob("*.json"))}


def _fields(file: Path) -> dict[str, str]:
    try:
        fields: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WordleKitError(f"{file}: {error}") from error
    return fields
