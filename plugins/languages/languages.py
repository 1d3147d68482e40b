"""The languages in which games can be made, from `data/languages.toml`, and where their words come from.

Frequencies come from wordfreq. Dictionaries come from the user's machine: word lists, and files of the spelling checker
Hunspell.
"""

import codecs
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from wordle_kit.errors import GameError, WordleKitError, unknown
from wordle_kit.game.files import read_word_file
from wordle_kit.lazy import needed

WORD_LISTS = Path("/usr/share/dict")
SPELLING = Path("/usr/share/hunspell")
"""The folder in which Debian and most other systems install dictionaries."""


NO_WORDS = ("FORBIDDENWORD", "NEEDAFFIX", "ONLYINCOMPOUND", "PSEUDOROOT")
"""The settings whose flags mark entries that are not words by themselves."""

ENTRY = re.compile(r"((?:\\/|[^/])*)(?:/(\S*))?")
MORPHOLOGY = re.compile(r"\t.*|\s+[a-z]{2}:.*")


class Language(BaseModel):
    """A language. The data file explains each field."""

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
        """The language's code in wordfreq, or an empty text if wordfreq does not have it."""
        return self.code if self.frequencies is None else self.frequencies


@cache
def languages() -> dict[str, Language]:
    """Return the languages by code."""
    from wordle_kit_data import FOLDER

    fields = tomllib.loads((FOLDER / "languages.toml").read_text(encoding="utf-8"))
    return {code: Language(code=code, **settings) for code, settings in fields.items()}


def find_language(text: str) -> Language:
    """Return a language, given its code or English name. Raises WordleKitError if it is not known."""
    known = languages()
    by_name = {language.name.lower(): language for language in known.values()}
    found = known.get(text.lower()) or by_name.get(text.lower())
    if found is None:
        names = [*known, *by_name] if len(text) > 2 else known
        raise WordleKitError(unknown("language", text, names))
    return found


@dataclass(frozen=True)
class Frequencies:
    """The frequency of each word of a language, as a share of all words, and the version of wordfreq."""

    by_word: Mapping[str, float]
    version: str

    def of(self, word: str) -> float | None:
        """Return the frequency of a word, or None if it is not listed.

        wordfreq lists words case-folded: it has `strasse` for straße, and the usual sigma at the end of Greek words.
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


@dataclass(frozen=True)
class Affixes:
    """The settings in an .aff file that apply to the .dic file: its encoding, and how flags are written."""

    path: Path
    encoding: str = "utf-8"
    kind: str = ""
    aliases: tuple[str, ...] = ()
    """Lists of flags to which entries refer by number, counted from 1."""
    no_words: frozenset[str] = frozenset()
    """The flags of entries that are not words."""

    def flags(self, text: str) -> set[str]:
        """Return the flags after the slash of an entry."""
        if self.aliases and text.isdigit():
            text = self.aliases[int(text) - 1] if 0 < int(text) <= len(self.aliases) else ""
        if self.kind == "num":
            return set(text.split(","))
        return set(re.findall("..", text)) if self.kind == "long" else set(text)


def read_spelling(path: Path) -> list[str]:
    """Return the words of a .dic file as they are written, without flags.

    Affixes are not applied, so inflected forms are missing unless the file lists them. Raises GameError for a file that
    cannot be read, or whose encoding is not the one in the .aff file.
    """
    affixes = _affixes(path.with_suffix(".aff"))
    data = _bytes(path)
    try:
        text = data.decode(affixes.encoding)
    except UnicodeDecodeError as error:
        place = data[: error.start].count(b"\n") + 1
        advice = f"correct SET in {affixes.path}" if affixes.path.is_file() else f"put {affixes.path.name} beside it"
        raise GameError(
            f"{path}: line {place}: is not {affixes.encoding.upper()} text; {advice}, or convert the file to UTF-8"
        ) from error
    words = []
    for number, line in enumerate(text.split("\n")):
        match = ENTRY.match(MORPHOLOGY.sub("", line.rstrip("\r").removeprefix("\ufeff")))
        if match is None or not match[1].strip() or (number == 0 and match[1].strip().isdigit()):
            continue
        if not affixes.flags(match[2] or "") & affixes.no_words:
            words.append(match[1].replace("\\/", "/").strip())
    return words


def _affixes(path: Path) -> Affixes:
    """Return the settings in an .aff file. Without such a file, the text is UTF-8 and flags mean nothing."""
    if not path.is_file():
        return Affixes(path)
    data = _bytes(path)
    named = re.search(rb"^SET\s+(\S+)", data, re.MULTILINE)
    encoding = named[1].decode("ascii", "replace").removeprefix("microsoft-") if named else "ISO8859-1"
    try:
        codecs.lookup(encoding)
    except LookupError as error:
        raise GameError(f"{path}: SET: no encoding is called {encoding!r}; convert both files to UTF-8") from error
    # Flags may be bytes that are not text.
    lines = [line.split() for line in data.decode(encoding, "surrogateescape").split("\n")]
    settings = [line for line in lines if len(line) > 1]
    kind = next((line[1] for line in settings if line[0] == "FLAG"), "")
    aliases = [line[1] for line in settings if line[0] == "AF"][1:]  # the first line has their number
    return Affixes(path, encoding, kind, tuple(aliases), frozenset(line[1] for line in settings if line[0] in NO_WORDS))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise GameError(f"{path}: cannot be read: {error.strerror or error}") from error


def searched_folders() -> str:
    """Return the folders in which dictionaries are searched for, as part of a sentence."""
    return f"{WORD_LISTS} or {SPELLING}"


def installed_dictionary(language: Language) -> Path | None:
    """Return the installed dictionary of a language, or None.

    Word lists are preferred, since they have inflected forms.
    """
    lists = [WORD_LISTS / name for name in language.words]
    spelling = [SPELLING / f"{name}.dic" for name in language.spelling]
    return next((path for path in (*lists, *spelling) if path.is_file()), None)


def read_dictionary(path: Path, language: Language, lower: Callable[[str], str]) -> list[str]:
    """Return the words of a word list or a .dic file in lower case, except those with apostrophes, hyphens or digits.

    Capitalised entries are left out as names, unless the language capitalises nouns or all entries are capitalised.
    Raises GameError for a file that cannot be read or has no words.
    """
    entries = read_spelling(path) if path.suffix == ".dic" else [text for _, text in read_word_file(path)]
    words = [word for entry in entries if (word := unicodedata.normalize("NFC", entry)).isalpha()]
    if not words:
        raise GameError(f"{path}: has no words; give a list with one word per line, or a .dic file")
    if not language.nouns:
        words = [word for word in words if word[0] == lower(word[0])] or words
    return list(dict.fromkeys(map(lower, words)))
