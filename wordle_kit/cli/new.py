"""`wordle-kit new`: write a strategy, a game or an assignment to start from."""

import keyword
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import say
from wordle_kit.files import write_file

if TYPE_CHECKING:
    from wordle_kit.plugins import Registered

app = group("""
    Write a strategy, a rule, a game, a plugin or an assignment to start from.

    For example:
        wordle-kit new strategy my-idea
        wordle-kit new assignment letters
    """)

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


@app.command("strategy", cls=HelpfulCommand)
def strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the strategy, such as my-idea.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a working strategy and its test.

    For example:
        wordle-kit new strategy my-idea
    """
    names = names_of(name, values.load_plugins().strategies, "strategy", STRATEGY)
    module = names["module"]
    write_all(folder, {f"{module}.py": STRATEGY, f"test_{module}.py": TEST}, names)
    say_next([f"check {folder / module}.py", f"tournament -p {folder / module}.py"])


def names_of(name: str, known: "Mapping[str, Registered[Any]]", kind: str, template: str = "") -> dict[str, str]:
    """Return the names that a template needs, for the class, the module and the thing that is registered.

    Raises WordleKitError if the name is taken or cannot be the name of a module.
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.names import kebab_case

    module = kebab_case(name).replace("-", "_").replace(" ", "_")
    called = module.replace("_", "-")
    if called in known:
        raise WordleKitError(
            f"{name!r} is already a {kind} of the plugin {known[called].plugin!r}; choose another name"
        )
    title = "".join(part.capitalize() for part in module.split("_"))
    if not (module.isidentifier() and module.isascii() and title) or keyword.iskeyword(module):
        raise WordleKitError(f"{name!r} is not a valid name; use letters, digits and -, as in my-idea")
    if title in template:  # such as Counter, which the file itself uses
        title += kind.capitalize()
    named = "" if kebab_case(title) == called else f'name = "{called}"\n    '
    return {"title": title, "module": module, "name": called, "named": named}


def write_all(folder: Path, files: Mapping[str, str], names: Mapping[str, str]) -> None:
    """Write templates to files in a folder, with the names filled in. Raises WordleKitError if one is there already."""
    from wordle_kit.errors import WordleKitError

    for file in files:
        if (folder / file).exists():
            raise WordleKitError(f"{folder / file} already exists; choose another name or folder")
    for file, text in files.items():
        write_file(folder / file, text.format(**names), make_folder=True)
    *paths, last = [str(folder / file) for file in files]
    say(f"Wrote {', '.join(paths)} and {last}. Next:")


def say_next(commands: Iterable[str]) -> None:
    """Print the commands to try next."""
    for command in commands:
        say(f"  wordle-kit {command}")
