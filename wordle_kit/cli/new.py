"""`wordle-kit new`: write a strategy, a rule or a plugin to start from. Each works as it is written.

The files are made from the texts in `wordle_kit/cli/template/`.
"""

import datetime
import importlib.metadata
import json
import keyword
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import say
from wordle_kit.files import from_template, write_file

if TYPE_CHECKING:
    from wordle_kit.registry import Registered

filled = partial(from_template, "wordle_kit.cli")
"""Returns the text of a template of this package with these values."""

app = options.group("Write a strategy, a rule, a game, a plugin or an assignment to start from.")


@app.command("strategy", cls=options.Command)
def strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the strategy, such as my-idea.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a working strategy and its test.

    For example:
        wordle-kit new strategy my-idea
    """
    names = template_names(name, values.load_plugins().strategies, "strategy")
    module = names["module"]
    files = {f"{module}.py": ["strategy.py", "register_strategy.py"], f"test_{module}.py": ["test_strategy.py"]}
    write_all(folder, files, names)
    say_next([f"check {folder / module}.py", f"tournament -p {folder / module}.py"])


@app.command("rule", cls=options.Command)
def rule(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the rule, such as my-rule.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a working rule, a small game with it, and its test.

    For example:
        wordle-kit new rule my-rule
    """
    names = template_names(name, values.load_plugins().rules, "rule")
    module = names["module"]
    write_all(folder, {f"{module}.py": ["rule.py"], f"test_{module}.py": ["test_rule.py"]}, names)
    here = folder / f"{module}.py"
    say_next([f"check {here}", f"tournament -p {here} -g {names['name']}-game -s entropy -s minimax"])


@app.command("plugin", cls=options.Command)
def plugin(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the package, such as my-strategies.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a package with a strategy and its tests, which others can install.

    For example:
        wordle-kit new plugin my-strategies
    """
    names = template_names(name, values.load_plugins().strategies, "strategy")
    module, project = names["module"], folder / names["name"]
    files = {
        "pyproject.toml": ["pyproject.toml"],
        f"src/{module}/__init__.py": ["package.py"],
        f"src/{module}/strategy.py": ["strategy.py"],
        f"tests/test_{module}.py": ["test_package.py"],
        "tox.ini": ["tox.ini"],
        "README.md": ["README.md"],
        "LICENSE": ["LICENSE"],
        ".gitignore": ["gitignore"],
    }
    year = f"{datetime.datetime.now(tz=datetime.UTC).year}"
    write_all(project, files, {**names, "year": year, "origin": _origin()})
    say(f"  cd {project}")
    say("  tox")
    say("  pip install .")


def template_names(name: str, known: "Mapping[str, Registered[Any]]", kind: str) -> dict[str, str]:
    """Return the names to fill into templates: for the class, the module and the registered strategy or rule.

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
    blank = filled(f"{kind}.py", dict.fromkeys(("title", "name", "named"), ""))
    if title in blank:  # the file itself uses the name, such as Counter
        title += kind.capitalize()
    named = "" if kebab_case(title) == called else f'name = "{called}"\n    '
    return {"title": title, "module": module, "name": called, "named": named}


def write_all(folder: Path, files: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> None:
    """Write files in a folder, each from its templates, with names filled in.

    Raises WordleKitError if a file exists already.
    """
    from wordle_kit.errors import WordleKitError

    for file in files:
        if (folder / file).exists():
            raise WordleKitError(f"{folder / file} already exists; choose another name or folder")
    for file, templates in files.items():
        text = "".join(filled(template, names) for template in templates)
        write_file(folder / file, text, make_folder=True)
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
