"""`wordle-kit new`: write a strategy, a game or an assignment to start from."""

import keyword
import secrets
import shlex
from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import completion
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import note, quiet, say
from wordle_kit.files import write_file
from wordle_kit.texts import number_of

app = group("Write a strategy, a game or an assignment to start from.")

STRATEGY = '''"""{title}: what it does, in a sentence."""

from collections import Counter

import wordle_kit as wk


class {title}(wk.Strategy):
    """Guess the possible word whose letters are the most common among the possible words."""

    {named}version = "1"  # change it when the guesses change

    def guess(self, position: wk.Position) -> str:
        words = position.board.words
        counts = Counter(letter for word in words for letter in set(word))
        return max(words, key=lambda word: sum(counts[letter] for letter in set(word)))


@wk.hookimpl
def register_strategies(register):
    register({title}())
'''

TEST = '''"""Tests of {title}: those that every strategy must pass, and room for its own."""

from pathlib import Path

from wordle_kit import Plugins, load_game, play
from wordle_kit.testing import StrategyContract

STRATEGY = Plugins.load([Path(__file__).with_name("{module}.py")], strict=True).strategies["{name}"].value


class Test{title}(StrategyContract):
    strategy = STRATEGY


def test_it_solves_a_puzzle():
    (game,) = play(STRATEGY, load_game("wordle"), ["crane"])
    assert game.guesses[-1] == "crane"
'''


@app.callback()
def new() -> None:
    """Write a strategy, a game or an assignment to start from."""


@app.command("strategy", cls=HelpfulCommand)
def strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the strategy, such as my-idea.")],
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Folder to write to.")] = Path(),
) -> None:
    """Write a working strategy and its test.

    For example:
        wordle-kit new strategy my-idea
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.names import kebab_case
    from wordle_kit.plugins import default_plugins

    module = kebab_case(name).replace("-", "_").replace(" ", "_")
    taken = default_plugins().strategies.get(module.replace("_", "-"))
    if taken is not None:
        raise WordleKitError(f"{name!r} is already a strategy of the plugin {taken.plugin!r}; choose another name")
    title = "".join(part.capitalize() for part in module.split("_"))
    if not (module.isidentifier() and module.isascii() and title) or keyword.iskeyword(module):
        raise WordleKitError(f"{name!r} is not a valid name; use letters, digits and -, as in my-idea")
    called = module.replace("_", "-")
    if title in STRATEGY:  # such as Counter, which the file itself uses
        title += "Strategy"
    named = "" if kebab_case(title) == called else f'name = "{called}"\n    '
    names = {"title": title, "module": module, "name": called, "named": named}
    files = {folder / f"{module}.py": STRATEGY, folder / f"test_{module}.py": TEST}
    for path in files:
        if path.exists():
            raise WordleKitError(f"{path} already exists; choose another name or folder")
    for path, text in files.items():
        write_file(path, text.format(**names), make_folder=True)
    here = folder / f"{module}.py"
    say(f"Wrote {' and '.join(map(str, files))}. Next:")
    say(f"  wordle-kit check {here}")
    say(f"  wordle-kit tournament -p {here}")


@app.command("game", cls=HelpfulCommand)
def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game and of its folder.")],
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            metavar="CODE",
            help="Language of the words, such as de or German.",
            autocompletion=completion.languages,
        ),
    ] = None,
    length: Annotated[int | None, typer.Option(metavar="N", min=1, max=64, help="Letters in a word.")] = None,
    words: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Word list, or .dic file of Hunspell. [default: an installed one]"),
    ] = None,
    answers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Only the N most frequent words may be hidden. [default: all]"),
    ] = None,
    items: Annotated[
        Path | None,
        typer.Option("--items", metavar="FILE", help="CSV file with a row for each item, instead of a language."),
    ] = None,
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Folder to write to.")] = Path(),
) -> None:
    """Write a game in another language, or about items.

    With --language, the words are those of a dictionary that have a frequency in wordfreq (the extra `words`), which
    gives each answer its weight. With --items, the columns of the file are attributes: the feedback compares those of
    the guess with those of the hidden item.

    For example:
        wordle-kit new game wort --language de --length 5
        wordle-kit new game mots --language fr --length 6 --answers 2000
        wordle-kit new game animals --items animals.csv
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.languages.languages import find_language
    from wordle_kit.languages.new_game import missing_dictionary, new_game, write_game
    from wordle_kit.plugins import default_plugins

    taken = default_plugins().games.get(name)
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
    file = write_game(made, folder, shlex.join(command))
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
    """Write a game about the items of a CSV file, and describe its columns."""
    from wordle_kit.classroom.spreadsheet import item_game, write_item_game

    made = item_game(name, items)
    file = write_item_game(made, folder)
    for column in made.columns:
        say(f"{column.finding}.")
    found = f"{number_of(len(made.items.names), 'item')} with {number_of(made.attributes, 'attribute')}"
    say(f"Wrote {file.parent}: {found}. {file} has the kinds. Next:")
    say(f"  wordle-kit play --game {file}")


@app.command("assignment", cls=HelpfulCommand)
def assignment(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the assignment and of its folder.")],
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Folder to write to.")] = Path(),
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="NAME|FILE",
            help="Game of the assignment. [default: a newly invented one]",
            autocompletion=completion.games,
        ),
    ] = None,
    plugin: Annotated[
        list[Path] | None,
        typer.Option("--plugin", "-p", metavar="FILE", help="Your file with the rule of the game. Repeatable."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Seed for inventing the words. [default: random]"),
    ] = None,
) -> None:
    """Write an assignment for a class, with everything that students and the teacher need.

    For example:
        wordle-kit new assignment letters
        wordle-kit new assignment my-class --game my_game.toml
    """
    from wordle_kit.classroom.new import adopt_game, invent_game, place_of, write_assignment
    from wordle_kit.errors import WordleKitError

    if game is not None and seed is not None:
        raise WordleKitError("--seed is for inventing a game; leave out --seed or --game")
    if game is None and plugin:
        raise WordleKitError("--plugin is for the rule of your own game; add --game")
    made = place_of(name, folder)
    with quiet():
        if game is None:
            basis = invent_game(name, secrets.randbits(48) if seed is None else seed)
        else:
            basis = adopt_game(game, plugin or ())
        write_assignment(made, basis)
    say(f"Wrote {made}. teacher/NOTE.md is for you; the rest is for students. Next:")
    say(f"  wordle-kit grade --self {made / 'assignment.toml'} {made / 'starter.py'}")
    say(f"  wordle-kit grade {made / 'assignment.toml'} SUBMISSIONS --out grades")
