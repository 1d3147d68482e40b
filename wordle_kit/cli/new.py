"""`wordle-kit new`: write a strategy, a rule or a plugin to start from. Each works as it is written."""

import datetime
import importlib.metadata
import json
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


RULE = '''"""{title}: what it tells about a guess, in a sentence; and a game with it."""

import wordle_kit as wk


class {title}(wk.Rule):
    """How many symbols of the guess are in the right place."""

    {named}version = "1"  # change it when the codes change

    def n_codes(self, length: int) -> int:
        return length + 1

    def code(self, guess: wk.Word, answer: wk.Word) -> int:
        return sum(one == other for one, other in zip(guess, answer, strict=True))

    def winning_code(self, length: int) -> int:
        return length

    def show(self, code: int, length: int) -> str:
        return str(code)


@wk.hookimpl
def register_rules(register):
    register({title}())


@wk.hookimpl
def register_games(register):
    game = {{"name": "{name}-game", "alphabet": "abcd", "length": 4, "answers": "all", "max_guesses": 10}}
    register({{**game, "rule": "{name}"}})
'''

RULE_TEST = '''"""Tests of {title}: those that every rule must pass, and room for its own."""

from pathlib import Path

from wordle_kit import Plugins, load_game
from wordle_kit.testing import RuleContract

PLUGINS = Plugins.load([Path(__file__).with_name("{module}.py")], strict=True)


class Test{title}(RuleContract):
    rule = PLUGINS.rules["{name}"].value


def test_places_that_agree_are_counted():
    game = load_game("{name}-game", PLUGINS)
    assert str(game.feedback("abcd", "abdc")) == "2"
'''

PROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "0.1.0"
description = "Strategies for wordle-kit"
readme = "README.md"
requires-python = ">=3.11"
license = "MIT"
license-files = ["LICENSE"]
dependencies = ["wordle-kit"]

[project.entry-points.wordle_kit]
{name} = "{module}"

[tool.setuptools.packages.find]
where = ["src"]
"""

PACKAGE = '''"""Strategies for wordle-kit."""

import wordle_kit as wk

from {module}.strategy import {title}


@wk.hookimpl
def register_strategies(register):
    register({title}())
'''

PLUGIN_TEST = '''"""Tests of {title}: those that every strategy must pass, and room for its own."""

import wordle_kit as wk
from wordle_kit.testing import StrategyContract

from {module}.strategy import {title}


class Test{title}(StrategyContract):
    strategy = {title}


def test_it_is_found_wherever_this_package_is_installed():
    assert wk.Plugins.load().strategies["{name}"].value == {title}()


def test_it_solves_a_puzzle():
    (play,) = wk.play({title}, "wordle", ["crane"])
    assert play.guesses[-1] == "crane"
'''

TOX = """[tox]
requires = tox>=4.14
env_list = tests

[testenv]
description = the tests, in an environment in which this package is installed
# The second line says where wordle-kit comes from; the environment variable WORDLE_KIT may name another place.
deps =
    pytest>=8.1
    {{env:WORDLE_KIT:{origin}}}
commands = pytest -q {{posargs}}
"""

README = """# {name}

A plugin for wordle-kit with the strategy `{name}`. In an environment in which wordle-kit is installed:

    pip install .
    wordle-kit tournament -s {name} -s entropy

The tests run with `tox`. The strategy is in `src/{module}/strategy.py`.
"""

LICENCE = """MIT License

Copyright (c) {year} The {name} authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""

IGNORED = "__pycache__/\n*.egg-info/\n.tox/\n.venv/\nbuild/\ndist/\n"

HOOKS = """

@wk.hookimpl
def register_strategies(register):
    register({title}())
"""
"""The end of a strategy in a single file. In a package, a separate file registers the strategy."""


@app.command("strategy", cls=HelpfulCommand)
def strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the strategy, such as my-idea.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a working strategy and its test.

    For example:
        wordle-kit new strategy my-idea
    """
    names = template_names(name, values.load_plugins().strategies, "strategy", STRATEGY)
    module = names["module"]
    write_all(folder, {f"{module}.py": STRATEGY, f"test_{module}.py": TEST}, names)
    say_next([f"check {folder / module}.py", f"tournament -p {folder / module}.py"])


@app.command("rule", cls=HelpfulCommand)
def rule(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the rule, such as my-rule.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a working rule, a small game with it, and its test.

    For example:
        wordle-kit new rule my-rule
    """
    names = template_names(name, values.load_plugins().rules, "rule", RULE)
    module = names["module"]
    write_all(folder, {f"{module}.py": RULE, f"test_{module}.py": RULE_TEST}, names)
    here = folder / f"{module}.py"
    say_next([f"check {here}", f"tournament -p {here} -g {names['name']}-game -s entropy -s minimax"])


@app.command("plugin", cls=HelpfulCommand)
def plugin(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the package, such as my-strategies.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a package with a strategy and its tests, which others can install.

    For example:
        wordle-kit new plugin my-strategies
    """
    names = template_names(name, values.load_plugins().strategies, "strategy", STRATEGY)
    module, project = names["module"], folder / names["name"]
    files = {
        "pyproject.toml": PROJECT,
        f"src/{module}/__init__.py": PACKAGE,
        f"src/{module}/strategy.py": STRATEGY.removesuffix(HOOKS),
        f"tests/test_{module}.py": PLUGIN_TEST,
        "tox.ini": TOX,
        "README.md": README,
        "LICENSE": LICENCE,
        ".gitignore": IGNORED,
    }
    year = f"{datetime.datetime.now(tz=datetime.UTC).year}"
    write_all(project, files, {**names, "year": year, "origin": _origin()})
    say(f"  cd {project}")
    say("  tox")
    say("  pip install .")


def template_names(name: str, known: "Mapping[str, Registered[Any]]", kind: str, template: str) -> dict[str, str]:
    """Return the names to fill into a template: for the class, the module and the registered thing.

    Raises WordleKitError if the name is taken or cannot be the name of a module.
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.texts import kebab_case

    module = kebab_case(name).replace("-", "_").replace(" ", "_")
    called = module.replace("_", "-")
    if called in known:
        raise WordleKitError(
            f"{name!r} is already a {kind} of the plugin {known[called].plugin!r}; choose another name"
        )
    title = "".join(part.capitalize() for part in module.split("_"))
    if not (module.isidentifier() and module.isascii() and title) or keyword.iskeyword(module):
        raise WordleKitError(f"{name!r} is not a valid name; use letters, digits and -, as in my-idea")
    if title in template:  # the file itself uses the name, such as Counter
        title += kind.capitalize()
    named = "" if kebab_case(title) == called else f'name = "{called}"\n    '
    return {"title": title, "module": module, "name": called, "named": named}


def write_all(folder: Path, files: Mapping[str, str], names: Mapping[str, str]) -> None:
    """Write templates to files in a folder, with names filled in. Raises WordleKitError if a file exists already."""
    from wordle_kit.errors import WordleKitError

    for file in files:
        if (folder / file).exists():
            raise WordleKitError(f"{folder / file} already exists; choose another name or folder")
    for file, text in files.items():
        write_file(folder / file, text.format(**names), make_folder=True)
    *paths, last = [str(folder / file) for file in files]
    say(f"Wrote {', '.join(paths)} and {last}. Next:")


def say_next(commands: Iterable[str]) -> None:
    """Print commands to try next."""
    for command in commands:
        say(f"  wordle-kit {command}")


def _origin() -> str:
    """Return the requirement for installing this wordle-kit, with its URL if pip recorded one."""
    noted = importlib.metadata.distribution("wordle-kit").read_text("direct_url.json")
    return f"wordle-kit @ {json.loads(noted)['url']}" if noted else "wordle-kit"
