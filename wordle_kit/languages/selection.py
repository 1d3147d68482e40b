"""The words of a new game: those of a dictionary that are used, with their frequencies."""

from collections.abc import Iterable
from dataclasses import dataclass

from wordle_kit.errors import GameError
from wordle_kit.game.files import symbols_in
from wordle_kit.game.words import Alphabet
from wordle_kit.languages.frequencies import Frequencies
from wordle_kit.languages.languages import Language

LONGEST_SYMBOL = 3
"""The most characters of a letter in the bundled alphabets, as in dzs."""


@dataclass(frozen=True)
class Selection:
    """The words of one length, with the most frequent first."""

    alphabet: Alphabet
    frequencies: dict[str, float] | None
    """The frequency of each word, or None if they are not known."""
    words: tuple[str, ...]
    listed: int
    """The number of words of this length among the frequencies."""
    dropped: tuple[str, ...]
    """Words that have letters outside the alphabet."""

    @property
    def foreign(self) -> list[str]:
        """The letters outside the alphabet."""
        known = set("".join(self.alphabet.symbols))
        return sorted(set("".join(self.dropped)) - known)


def select(language: Language, length: int, dictionary: Iterable[str] | None, known: Frequencies | None) -> Selection:
    """Return the words of a length that a dictionary has and that have a frequency, if frequencies are known.

    Without a dictionary, all words with a frequency are taken. At least one of the two must be given.
    """
    listed = known.by_word if known is not None else {}
    words = [word for word in (listed if dictionary is None else dictionary) if word.isalpha()]
    alphabet = alphabet_of(language, (word for word in words if len(word) == length))
    taken: list[str] = []
    dropped: list[str] = []
    for word in _of_length(words, length, alphabet):
        if known is None or known.of(word) is not None:
            (taken if _is_spelt(word, alphabet) else dropped).append(word)
    frequencies = None if known is None else {word: known.of(word) or 0.0 for word in taken}
    taken.sort(key=lambda word: (-(frequencies or {}).get(word, 0.0), alphabet.sort_key(alphabet.split(word))))
    count = len(_of_length([word for word in listed if word.isalpha()], length, alphabet))
    return Selection(alphabet, frequencies, tuple(taken), count, tuple(dropped))


def alphabet_of(language: Language, words: Iterable[str] = ()) -> Alphabet:
    """Return the alphabet of a language, or the letters of these words in the order of Unicode if none is bundled."""
    if language.alphabet is not None:
        return Alphabet(symbols_in(language.alphabet))
    return Alphabet(sorted(set("".join(words))) or "a")


def _of_length(words: Iterable[str], length: int, alphabet: Alphabet) -> list[str]:
    """Return the words with this many symbols; in a word with foreign letters, each character is one."""
    longest = length * LONGEST_SYMBOL if alphabet.is_ambiguous else length
    return [word for word in words if length <= len(word) <= longest and _count(word, alphabet) == length]


def _count(word: str, alphabet: Alphabet) -> int:
    return len(alphabet.split(word)) if _is_spelt(word, alphabet) else len(word)


def _is_spelt(word: str, alphabet: Alphabet) -> bool:
    try:
        alphabet.split(word)
    except GameError:
        return False
    return True
