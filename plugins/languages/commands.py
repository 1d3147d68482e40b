"""`wordle-kit new game`: write a game in another language."""

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
    from wordle_kit_plugins.languages.languages import languages

    return beginning(incomplete, languages())


def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game and of its folder.")],
    language: Annotated[
        str,
        options.game(metavar="CODE", help="Language of the words, such as de or German.", autocompletion=languages),
    ],
    length: Annotated[int, options.game(metavar="N", min=1, max=64, help="Letters in a word.")],
    words: Annotated[
        Path | None,
        options.game(metavar="FILE", help="Word list, or .dic file of Hunspell. [default: an installed one]"),
    ] = None,
    answers: Annotated[
        int | None,
        options.game(metavar="N", min=1, help="Only the N most frequent words may be hidden. [default: all]"),
    ] = None,
    folder: options.FolderOption = Path(),
) -> None:
    """Write a game in another language.

    The words come from a dictionary. Their frequencies in wordfreq (the extra `words`) are the weights of the answers;
    words that it does not have are left out.

    For example:
        wordle-kit new game wort --language de --length 5
        wordle-kit new game mots --language fr --length 6 --answers 2000
    """
    from wordle_kit_plugins.languages.languages import find_language
    from wordle_kit_plugins.languages.new_game import missing_dictionary, new_game, write_game

    from wordle_kit.errors import WordleKitError

    taken = values.load_plugins().games.get(name)
    if taken is not None:
        raise WordleKitError(f"{name!r} is already a game of the plugin {taken.plugin!r}; choose another name")
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
