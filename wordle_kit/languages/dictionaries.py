"""Dictionaries that the user has: where they are installed, and their words in lower case."""

import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

from wordle_kit.errors import GameError
from wordle_kit.game.files import read_word_file
from wordle_kit.languages.hunspell import read_spelling
from wordle_kit.languages.languages import Language

WORD_LISTS = Path("/usr/share/dict")
SPELLING = Path("/usr/share/hunspell")
"""Where Debian and most other systems install dictionaries."""


def searched_folders() -> str:
    """Return the folders in which dictionaries are looked for, as part of a sentence."""
    return f"{WORD_LISTS} or {SPELLING}"


def installed_dictionary(language: Language) -> Path | None:
    """Return the installed dictionary of a language, or None. Word lists come first: they have inflected forms."""
    lists = [WORD_LISTS / name for name in language.words]
    spelling = [SPELLING / f"{name}.dic" for name in language.spelling]
    return next((path for path in (*lists, *spelling) if path.is_file()), None)


def read_dictionary(path: Path, language: Language, lower: Callable[[str], str]) -> list[str]:
    """Return the words of a word list or a .dic file in lower case, without apostrophes, hyphens and digits.

    Capitalised entries are names and are left out, unless the nouns of the language are capitalised or all entries
    are. Raises GameError for a file that cannot be read or has no words.
    """
    entries = read_spelling(path) if path.suffix == ".dic" else [text for _, text in read_word_file(path)]
    words = [word for entry in entries if (word := unicodedata.normalize("NFC", entry)).isalpha()]
    if not words:
        raise GameError(f"{path}: has no words; give a list with one word per line, or a .dic file")
    return list(dict.fromkeys(map(lower, words if language.nouns else _without_names(words, lower))))


def _without_names(words: Sequence[str], lower: Callable[[str], str]) -> Sequence[str]:
    small = [word for word in words if word[0] == lower(word[0])]
    return small or words
