"""Makes the folder of a new game in a language, with its words."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from wordle_kit_plugins.languages.languages import (
    Frequencies,
    Language,
    installed_dictionary,
    read_dictionary,
    read_frequencies,
    searched_folders,
)

from wordle_kit.errors import GameError, WordleKitError
from wordle_kit.files import write_file
from wordle_kit.game.files import check_game_name, symbols_in
from wordle_kit.game.words import Alphabet
from wordle_kit.texts import number_of

LONGEST_SYMBOL = 3
"""The most characters of a letter in the bundled alphabets, as in dzs."""


@dataclass(frozen=True)
class Selection:
    """The words of one length, the most frequent first."""

    alphabet: Alphabet
    frequencies: dict[str, float] | None
    """The frequency of each word, or None if frequencies are not known."""
    words: tuple[str, ...]
    listed: int
    """The number of words of this length that have a frequency."""
    dropped: tuple[str, ...]
    """The words that have letters outside the alphabet."""

    @property
    def foreign(self) -> list[str]:
        """The letters outside the alphabet."""
        known = set("".join(self.alphabet.symbols))
        return sorted(set("".join(self.dropped)) - known)


def select(language: Language, length: int, dictionary: Iterable[str] | None, known: Frequencies | None) -> Selection:
    """Return the words of a length that are in the dictionary and, if frequencies are known, have a frequency.

    Without a dictionary, all words with a frequency are taken. At least one of the two must be given.
    """
    listed = known.by_word if known is not None else {}
    words = [word for word in (listed if dictionary is None else dictionary) if word.isalpha()]
    alphabet = alphabet_of(language, (word for word in words if len(word) == length))
    taken: list[str] = []
    dropped: list[str] = []
    for word, is_spelt in _of_length(words, length, alphabet):
        if known is None or known.of(word) is not None:
            (taken if is_spelt else dropped).append(word)
    frequencies = None if known is None else {word: known.of(word) or 0.0 for word in taken}
    taken.sort(key=lambda word: (-(frequencies or {}).get(word, 0.0), alphabet.sort_key(alphabet.split(word))))
    count = sum(1 for _ in _of_length((word for word in listed if word.isalpha()), length, alphabet))
    return Selection(alphabet, frequencies, tuple(taken), count, tuple(dropped))


def alphabet_of(language: Language, words: Iterable[str] = ()) -> Alphabet:
    """Return the alphabet of a language.

    If none is bundled, it has the letters of these words in the order of Unicode.
    """
    if language.alphabet is not None:
        return Alphabet(symbols_in(language.alphabet))
    return Alphabet(sorted(set("".join(words))) or "a")


def _of_length(words: Iterable[str], length: int, alphabet: Alphabet) -> Iterator[tuple[str, bool]]:
    """Yield the words with this many symbols, each with whether all its letters are in the alphabet.

    In a word with other letters, each character counts as a symbol.
    """
    for word in words:
        if length <= len(word) <= length * LONGEST_SYMBOL:
            try:
                symbols, is_spelt = len(alphabet.split(word)), True
            except GameError:
                symbols, is_spelt = len(word), False
            if symbols == length:
                yield word, is_spelt


MANY = 10
"""The most letters that a sentence lists."""

README = """# {title}

A game for wordle-kit: `wordle-kit tournament --game {name}.toml`. It was made by

    {command}

## Sources and licences

{sources}

## Files

| file | what it has |
|---|---|
{files}
"""

CREDITS = """The words and their frequencies come from wordfreq {version} by Robyn Speer (list "best", {code}),
https://doi.org/10.5281/zenodo.7199437. Its data are licensed under CC BY-SA 4.0,
https://creativecommons.org/licenses/by-sa/4.0/, and so are the word files in this folder: if you
pass them on, keep this notice, and put changed ones under the same licence. The data of wordfreq
come from Wikipedia, OPUS OpenSubtitles, SUBTLEX (Marc Brysbaert et al.; freely available), Google
Books Ngrams (http://books.google.com/ngrams), the Leeds Internet Corpus, ParaCrawl and others.
"""


@dataclass(frozen=True)
class NewGame:
    """A game that can be written: its files, and notes for the user about its words."""

    name: str
    language: Language
    length: int
    selection: Selection
    answers: int
    """The number of words that may be hidden, beginning with the most frequent."""
    dictionary: Path | None
    known: Frequencies | None

    @property
    def title(self) -> str:
        """The title of the game."""
        return f"{self.language.name} words of {self.length} letters"

    @property
    def findings(self) -> list[str]:
        """Sentences that say which words were found and which were left out."""
        selection, found = self.selection, []
        count = len(selection.words) + len(selection.dropped)
        if self.known is not None:
            letters = f"{self.language.name} words of {self.length} letters"
            found.append(f"wordfreq {self.known.version} has {selection.listed:,} {letters}.")
        if self.dictionary is not None:
            which = "with a frequency" if self.known is not None else f"of {self.length} letters"
            found.append(f"{self.dictionary} has {number_of(count, 'word')} {which}.")
        if selection.dropped:
            some = ", ".join(selection.foreign[:MANY]) + (" and others" if len(selection.foreign) > MANY else "")
            many = len(selection.dropped)
            found.append(f"Left out {number_of(many, 'word')} with letters outside the alphabet: {some}.")
        return found

    def files(self, command: str) -> dict[str, str]:
        """Return the text of each file by its name. `command` is the command that makes this game again."""
        alphabet, words = self.selection.alphabet, self.selection.words
        frequencies = self.selection.frequencies
        hidden, others = (
            sorted(some, key=lambda word: alphabet.sort_key(alphabet.split(word)))
            for some in (words[: self.answers], words[self.answers :])
        )
        game = [
            f'name = "{self.name}"',
            f"title = {json.dumps(self.title, ensure_ascii=False)}",
            f"alphabet = {json.dumps(self.language.alphabet or alphabet.symbols, ensure_ascii=False)}",
            f"length = {self.length}",
            'answers = "answers.txt"',
        ]
        files = {"answers.txt": _lines(hidden)}
        about = {"answers.txt": f"the {number_of(len(hidden), 'word')} that may be hidden"}
        if others:
            files["guesses.txt"] = _lines(others)
            about["guesses.txt"] = f"the {number_of(len(others), 'other word')} that may be guessed"
            game.append('guesses = "guesses.txt"')
        if frequencies is not None:
            files["weights.txt"] = _lines(f"{word} {frequencies[word] * 1e6:.6g}" for word in hidden)
            about["weights.txt"] = "how often each of the answers occurs in a million words"
            game.append('weights = "weights.txt"  # without this line, all answers are equally likely')
        sources = self._sources()
        about[f"{self.name}.toml"] = "the game"
        files[f"{self.name}.toml"] = _lines([*(f"# {line}".rstrip() for line in sources.splitlines()), "", *game])
        table = "\n".join(f"| `{name}` | {text} |" for name, text in about.items())
        files["README.md"] = README.format(
            title=self.title, name=self.name, command=command, sources=sources, files=table
        )
        return files

    def _sources(self) -> str:
        parts = []
        if self.known is not None:
            parts.append(CREDITS.format(version=self.known.version, code=self.language.frequency_code))
        if self.dictionary is not None:
            used = "only words of the dictionary" if self.known is not None else "the words of the dictionary"
            parts.append(f"The game has {used} {self.dictionary}, whose licence comes with it.\n")
        return "\n".join(parts).strip()


def new_game(name: str, language: Language, length: int, words: Path | None, answers: int | None) -> NewGame:
    """Return a game with the words of a dictionary that have a frequency. `answers` is how many of them may be hidden.

    `words` is the dictionary, by default the installed one. Raises WordleKitError if no words are found.
    """
    check_game_name(name)
    dictionary = words or installed_dictionary(language)
    entries = None
    if dictionary is not None:
        entries = read_dictionary(dictionary, language, alphabet_of(language).lower)
    known = read_frequencies(language)
    if known is None and entries is None:
        raise WordleKitError(f"wordfreq has no {language.name} words; give a word list", settings=["words"])
    if known is None and answers is not None:
        problem = f"wordfreq has no {language.name} words, so the most frequent ones are unknown"
        raise WordleKitError(f"{problem}; leave out the number of answers", settings=["answers"])
    selection = select(language, length, entries, known)
    if not selection.words:
        letters = f"{language.name} words of {length} letters"
        source = "wordfreq" if dictionary is None else str(dictionary)
        used = " that have a frequency" if known is not None and dictionary is not None else ""
        raise WordleKitError(f"{source} has no {letters}{used}; choose another length")
    count = len(selection.words) if answers is None else min(answers, len(selection.words))
    return NewGame(name, language, length, selection, count, dictionary, known)


def missing_dictionary(game: NewGame) -> str | None:
    """Return a warning if there was no dictionary to compare the words with, else None."""
    if game.dictionary is not None:
        return None
    packages = " or ".join(game.language.packages)
    install = f"install the Debian package {packages}, or " if packages else ""
    return (
        f"no {game.language.name} dictionary was found in {searched_folders()}, so the words include names and "
        f"foreign words; {install}give a word list or a .dic file"
    )


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def write_game(name: str, files: Mapping[str, str], folder: Path) -> Path:
    """Write the files of a game to a new folder that is named after it, and return the game file.

    Raises WordleKitError if the folder exists already.
    """
    target = folder / name
    if target.exists():
        raise WordleKitError(f"{target} already exists; choose another name or folder")
    for file, content in files.items():
        write_file(target / file, content, make_folder=True)
    return target / f"{name}.toml"
