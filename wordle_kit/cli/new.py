"""`wordle-kit new`: write a strategy, a game or an assignment to start from."""

import keyword
from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import say
from wordle_kit.files import write_file

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

    module = kebab_case(name).replace("-", "_").replace(" ", "_")
    taken = values.load_plugins().strategies.get(module.replace("_", "-"))
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
