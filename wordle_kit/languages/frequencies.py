"""Frequencies of words, from the package wordfreq."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata

from wordle_kit.extras import needed
from wordle_kit.languages.languages import Language


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
