"""The games that come with wordle-kit, each defined in a TOML file."""

from collections.abc import Callable
from pathlib import Path

from wordle_kit_data import FOLDER

import wordle_kit as wk


@wk.hookimpl
def register_games(register: Callable[[Path], None]) -> None:
    """Register every game file in data/games."""
    for path in sorted((FOLDER / "games").glob("*.toml")):
        register(path)
