"""Alphabets in files, as symbols separated by spaces or line breaks; the bundled ones by name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from wordle_kit.errors import GameError
from wordle_kit.game.word_files import read_word_file

ALPHABET_FILE = ".txt"
"""The ending of a text that names a file of symbols instead of listing them."""


@cache
def bundled_alphabets() -> Mapping[str, Path]:
    """Return the files of the bundled alphabets by their names, such as `hungarian`."""
    from wordle_kit_data import FOLDER

    return {path.stem: path for path in sorted((FOLDER / "alphabets").glob(f"*{ALPHABET_FILE}"))}


def symbols_in(alphabet: str | list[str]) -> str | list[str]:
    """Return the symbols of an alphabet as a game file gives it: a name, a file, or the symbols themselves."""
    if not isinstance(alphabet, str):
        return alphabet
    path = bundled_alphabets().get(alphabet)
    if path is None and not alphabet.endswith(ALPHABET_FILE):
        return alphabet
    path = path or Path(alphabet)
    symbols = [symbol for _, line in read_word_file(path) for symbol in line.split()]
    if not symbols:
        raise GameError(f"alphabet: {path} has no symbols; list at least one")
    return symbols
