"""`wordle-kit new game`: write a game in another language, or about items."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.options import beginning
from wordle_kit.cli.output import note, say
from wordle_kit.texts import number_of


def languages(incomplete: str) -> list[str]:
    """Return the codes of languages that begin with this text."""
    from wordle_kit.languages.languages import languages

    return beginning(incomplete, languages())


def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game and of its folder.")],
    language: Annotated[
        str | None,
        options.game(metavar="CODE", help="Language of the words, such as de or German.", autocompletion=languages),
    ] = None,
    length: Annotated[int | None, options.game(metavar="N", min=1, max=64, help="Letters in a word.")] = None,
    words: Annotated[
        Path | None,
        options.game(metavar="FILE", help="Word list, or .dic file of Hunspell. [default: an installed one]"),
    ] = None,
    answers: Annotated[
        int | None,
        options.game(metavar="N", min=1, help="Only the N most frequent words may be hidden. [default: all]"),
    ] = None,
    items: Annotated[
        Path | None, options.game(metavar="FILE", help="CSV file with a row for each item, instead of a language.")
    ] = None,
    folder: options.FolderOption = Path(),
) -> None:
    """Write a game in another language, or about items.

    With --language, the words come from a dictionary. Their frequencies in wordfreq (the extra `words`) are the weights
    of the answers; words that it does not have are left out. With --items, each column of the file is an attribute. The
    feedback compares the attributes of the guess with those of the hidden item.

    For example:
        wordle-kit new game wort --language de --length 5
        wordle-kit new game mots --language fr --length 6 --answers 2000
        wordle-kit new game animals --items animals.csv
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.languages.languages import find_language
    from wordle_kit.languages.new_game import missing_dictionary, new_game, write_game

    taken = values.load_plugins().games.get(name)
    if taken is not None:
        raise WordleKitError(f"{name!r} is already a game of the plugin {taken.plugin!r}; choose another name")
    if items is not None:
        given = {"--language": language, "--length": length, "--words": words, "--answers": answers}
        mixed = [option for option, value in given.items() if value is not None]
        if mixed:
            raise WordleKitError(f"{mixed[0]} is for games in a language; leave out {mixed[0]} or --items")
        write_items(name, items, folder)
        return
    if language is None or length is None:
        raise WordleKitError("a game needs --language and --length, or --items with a CSV file")
    made = new_game(name, find_language(language), length, words, answers)
    chosen = [*(["--words", str(words)] if words else []), *(["--answers", str(answers)] if answers else [])]
    command = ["wordle-kit", "new", "game", name, "--language", language, "--length", str(length), *chosen]
    file = write_game(name, made.files(shlex.join(command)), folder)
    missing = missing_dictionary(made)
    if missing is not None:
        note(f"{missing} (--words)")
    for finding in made.findings:
        say(finding)
    others = len(made.selection.words) - made.answers
    more = f" and {number_of(others, 'other guess', 'other guesses')}" if others else ""
    say(f"Wrote {file.parent}: {number_of(made.answers, 'answer')}{more}. Next:")
    say(f"  wordle-kit tournament --game {file}")


def write_items(name: str, items: Path, folder: Path) -> None:
    """Write a game about the items in a CSV file, and print a description of its columns."""
    from wordle_kit.languages.new_game import item_game, write_game

    files, columns, count = item_game(name, items)
    file = write_game(name, files, folder)
    for column in columns:
        say(f"{column.finding}.")
    used = sum(column.kind != "ignore" for column in columns)
    found = f"{number_of(count, 'item')} with {number_of(used, 'attribute')}"
    say(f"Wrote {file.parent}: {found}. {file} has the kinds. Next:")
    say(f"  wordle-kit play --game {file}")
