"""`wordle-kit new game`: a game in another language, with words from wordfreq or a list, weighted by frequency."""

import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

import wordle_kit as wk
from wordle_kit.cli import options
from wordle_kit.cli.options import beginning
from wordle_kit.cli.output import note, say

LONGEST_SYMBOL = 3
"""The maximum number of characters in one letter of a bundled alphabet, as in dzs."""

FREQUENCIES = """\
The words and their frequencies come from wordfreq {version} by Robyn Speer (list "best", {code}),
https://doi.org/10.5281/zenodo.7199437. Its data are licensed under CC BY-SA 4.0,
https://creativecommons.org/licenses/by-sa/4.0/, and so are the word files beside this one: if you
pass them on, keep this notice, and put changed ones under the same licence. The data of wordfreq
come from Wikipedia, OPUS OpenSubtitles, SUBTLEX (Marc Brysbaert et al.; freely available), Google
Books Ngrams (http://books.google.com/ngrams), the Leeds Internet Corpus, ParaCrawl and others.
"""


@wk.hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the command."""
    register("new game", "Write a game in another language", f"{__name__}:game", panel="Write and grade")


def codes(incomplete: str) -> list[str]:
    """Return the codes of languages that begin with this text."""
    return beginning(incomplete, languages())


def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game and of its folder.")],
    language: Annotated[
        str, options.game(metavar="CODE", help="Language, such as de or German.", autocompletion=codes)
    ],
    length: Annotated[int, options.game(metavar="N", min=1, max=64, help="Letters in a word.")],
    words: Annotated[
        Path | None, options.game(metavar="FILE", help="Word list.", show_default="all of wordfreq")
    ] = None,
    answers: Annotated[
        int | None,
        options.game(metavar="N", min=1, help="Only the N most frequent words may be hidden.", show_default="all"),
    ] = None,
    folder: options.FolderOption = Path(),
) -> None:
    """Write a game in another language.

    The words come from wordfreq (install it with the extra `words`), which also has names and misspellings; --words
    keeps only those that are in a word list of your own. The frequencies of words become the weights of the answers.

    For example:
        wordle-kit new game wort --language de --length 5 --words liste.txt
        wordle-kit new game mots --language fr --length 6 --answers 2000
    """
    from wordle_kit.files import write_file
    from wordle_kit.game.files import check_game_name, files_of
    from wordle_kit.plugins import default_plugins
    from wordle_kit.texts import number_of

    check_game_name(name)
    taken = default_plugins().games.get(name)
    if taken is not None:
        raise wk.WordleKitError(f"{name!r} is already a game of the plugin {taken.plugin!r}; choose another name")
    if (folder / name).exists():
        raise wk.WordleKitError(f"{folder / name} already exists; choose another name or folder")
    code, spoken = find_language(language)
    frequencies = frequencies_of(code, spoken)
    if not frequencies and words is None:
        raise wk.WordleKitError(f"wordfreq has no {spoken['name']} words; give a word list", settings=["words"])
    if not frequencies and answers is not None:
        problem = f"wordfreq has no {spoken['name']} words, so the most frequent ones are unknown"
        raise wk.WordleKitError(f"{problem}; leave out the number of answers", settings=["answers"])
    listed = list(frequencies) if words is None else words_in(words, spoken)
    chosen, alphabet, foreign = choose(listed, frequencies, spoken, length)
    if not chosen:
        source = "wordfreq" if words is None else f"{words}"
        raise wk.WordleKitError(
            f"{source} has no {spoken['name']} words of {length} letters that can be used; choose another length"
        )
    notice = f"Made by: wordle-kit new game {name} --language {language} --length {length}\n"
    if frequencies:
        version, listed_as = metadata.version("wordfreq"), spoken.get("frequencies", code)
        notice += "\n" + FREQUENCIES.format(version=version, code=listed_as)
    if words is not None:
        notice += f"\nThe game has only words of the list {words}, whose licence comes with it.\n"
    made = game_of(name, f"{spoken['name']} words of {length} letters", chosen, alphabet, answers)
    for file, text in files_of(made, notice).items():
        write_file(folder / name / file, text, make_folder=True)
    if words is None:
        note("the words include names, foreign words and misspellings; a word list leaves them out (--words)")
    if foreign:
        say(f"Left out {number_of(len(foreign), 'word')} with other letters, such as {foreign[0]}.")
    others = len(made.guesses) - len(made.answers)
    more = f" and {number_of(others, 'other guess', 'other guesses')}" if others else ""
    say(f"Wrote {folder / name}: {number_of(len(made.answers), 'answer')}{more}. Next:")
    say(f"  wordle-kit tournament --game {folder / name / name}.toml")


@cache
def languages() -> dict[str, dict[str, Any]]:
    """Return the entries of data/languages.toml by language code."""
    from wordle_kit_data import FOLDER

    return tomllib.loads((FOLDER / "languages.toml").read_text(encoding="utf-8"))


def find_language(text: str) -> tuple[str, dict[str, Any]]:
    """Return the code of a language and its entry, given the code or the English name.

    Raises WordleKitError for an unknown language.
    """
    from wordle_kit.errors import unknown

    by_name = {language["name"].lower(): code for code, language in languages().items()}
    code = by_name.get(text.lower(), text.lower())
    if code not in languages():
        raise wk.WordleKitError(unknown("language", text, [*languages(), *(by_name if len(text) > 2 else ())]))
    return code, languages()[code]


def frequencies_of(code: str, language: dict[str, Any]) -> dict[str, float]:
    """Return each word of a language with its share of all words, or nothing if wordfreq lacks the language.

    Raises WordleKitError if wordfreq is not installed.
    """
    from wordle_kit.lazy import needed

    listed = language.get("frequencies", code)
    if not listed:
        return {}
    known: dict[str, float] = needed("wordfreq", "word frequencies", "words").get_frequency_dict(listed, "best")
    return known


def words_in(path: Path, language: dict[str, Any]) -> list[str]:
    """Return the words of a list in lower case, without those that contain apostrophes, hyphens or digits.

    Capitalised words are dropped as names, unless the language capitalises nouns or the whole list is capitalised.
    Raises GameError if the file cannot be read or has no words.
    """
    from wordle_kit.game.files import read_word_file

    words = [unicodedata.normalize("NFC", word) for _, word in read_word_file(path)]
    words = [word for word in words if word.isalpha()]
    if not words:
        raise wk.GameError(f"{path}: has no words; give a list with one word per line")
    lower = alphabet_of(language, ()).lower
    if not language.get("nouns"):
        words = [word for word in words if word[0] == lower(word[0])] or words
    return list(dict.fromkeys(map(lower, words)))


def alphabet_of(language: dict[str, Any], words: Iterable[str]) -> "wk.Alphabet":
    """Return the alphabet of a language, or the letters of these words if none is bundled with wordle-kit."""
    from wordle_kit.game.files import symbols_in

    letters = symbols_in(language["alphabet"]) if "alphabet" in language else sorted(set("".join(words)))
    return wk.Alphabet(letters or "a")


def choose(
    listed: Iterable[str], frequencies: dict[str, float], language: dict[str, Any], length: int
) -> tuple[dict[str, float], "wk.Alphabet", list[str]]:
    """Return the words of a length with their frequencies (most frequent first), their letters, and words left out.

    Words are left out if they have letters outside the language's alphabet. If there are frequencies, only words that
    have one are included. wordfreq case-folds its words, so it has `strasse` for straße.
    """
    near = [word for word in listed if length <= len(word) <= length * LONGEST_SYMBOL and word.isalpha()]
    near = [word for word in near if not frequencies or frequencies.get(word.casefold())]
    alphabet = alphabet_of(language, (word for word in near if len(word) == length))
    spelt, foreign = {}, []
    for word in near:
        try:
            symbols = alphabet.split(word)
        except wk.GameError:
            foreign += [word] if len(word) == length else []
        else:
            if len(symbols) == length:
                spelt[word] = symbols
    order = sorted(spelt, key=lambda word: (-frequencies.get(word.casefold(), 0), alphabet.sort_key(spelt[word])))
    used = {symbol for symbols in spelt.values() for symbol in symbols}
    letters = wk.Alphabet([symbol for symbol in alphabet.symbols if symbol in used] or "a")
    return {word: frequencies.get(word.casefold(), 0) for word in order}, letters, foreign


def game_of(name: str, title: str, words: dict[str, float], alphabet: "wk.Alphabet", answers: int | None) -> "wk.Game":
    """Return a game of words with frequencies, the most frequent first. The first `answers` words may be hidden."""
    hidden = dict(list(words.items())[:answers])
    weights = {word: float(f"{frequency * 1e6:.6g}") for word, frequency in hidden.items()}
    return wk.load_game(
        {
            "name": name,
            "title": title,
            "alphabet": list(alphabet.symbols),
            "length": len(alphabet.split(next(iter(words)))),
            "answers": list(hidden),
            "guesses": list(words),
            "weights": weights if any(weights.values()) else None,
        }
    )
