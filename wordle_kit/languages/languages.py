"""The languages in which games can be made, from `data/languages.toml`, and the frequencies of their words."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata

from pydantic import BaseModel, ConfigDict

from wordle_kit.errors import WordleKitError
from wordle_kit.extras import needed
from wordle_kit.names import unknown


class Language(BaseModel):
    """A language; the data file explains each field."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    name: str
    alphabet: str | None = None
    frequencies: str | None = None
    nouns: bool = False
    words: tuple[str, ...] = ()
    spelling: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    @property
    def frequency_code(self) -> str:
        """The code that wordfreq uses, or an empty text if it has no frequencies."""
        return self.code if self.frequencies is None else self.frequencies


@cache
def languages() -> dict[str, Language]:
    """Return the languages by their codes."""
    from wordle_kit_data import FOLDER

    fields = tomllib.loads((FOLDER / "languages.toml").read_text(encoding="utf-8"))
    return {code: Language(code=code, **settings) for code, settings in fields.items()}


def find_language(text: str) -> Language:
    """Return a language by its code or its English name. Raises WordleKitError if it is not known."""
    known = languages()
    by_name = {language.name.lower(): language for language in known.values()}
    found = known.get(text.lower()) or by_name.get(text.lower())
    if found is None:
        names = [*known, *by_name] if len(text) > 2 else known
        raise WordleKitError(unknown("language", text, names))
    return found


@dataclass(frozen=True)
class Frequencies:
    """How often each word of a language is used, as a share of all words, and the version of wordfreq."""

    by_word: Mapping[str, float]
    version: str

    def of(self, word: str) -> float | None:
        """Return the frequency of a word, or None if it is not listed.

        wordfreq lists words case-folded, so it has `strasse` for straße and the usual sigma at the end of Greek words.
        """
        return self.by_word.get(word.casefold())


def read_frequencies(language: Language) -> Frequencies | None:
    """Return the frequencies of a language, or None if wordfreq has none.

    Raises WordleKitError if wordfreq is not installed.
    """
    if not language.frequency_code:
        return None
    wordfreq = needed("wordfreq", "word frequencies", "words")
    return Frequencies(wordfreq.get_frequency_dict(language.frequency_code, "best"), metadata.version("wordfreq"))
