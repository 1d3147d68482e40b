"""`wordle-kit new`: write a working strategy, rule or plugin to start from.

The files are made from the templates in `wordle_kit/cli/template/`.
"""

import datetime
import importlib.metadata
import json
import keyword
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import options
from wordle_kit.cli.commands import Command
from wordle_kit.cli.output import say
from wordle_kit.files import from_template, write_file

filled = partial(from_template, "wordle_kit.cli")
"""Return the text of a template of this package with these values filled in."""

app = typer.Typer(
    help="Write a strategy, a rule, a plugin and the like to start from.",
    add_completion=False,
    rich_markup_mode=None,
)


@app.command("strategy", cls=Command)
def strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the strategy, such as my-idea.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a working strategy and its test.

    For example:
        wordle-kit new strategy my-idea
    """
    names = template_names(name, "strategy")
    module = names["module"]
    files = {f"{module}.py": "strategy.py register_strategy.py", f"test_{module}.py": "test_strategy.py"}
    write_all(folder, files, names)
    here = folder / f"{module}.py"
    say(f"  wordle-kit check {here}\n  wordle-kit tournament -p {here}")


@app.command("rule", cls=Command)
def rule(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the rule, such as my-rule.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write a working rule, a small game with it, and its test.

    For example:
        wordle-kit new rule my-rule
    """
    names = template_names(name, "rule")
    module = names["module"]
    write_all(folder, {f"{module}.py": "rule.py", f"test_{module}.py": "test_rule.py"}, names)
    here = folder / f"{module}.py"
    say(f"  wordle-kit check {here}\n  wordle-kit tournament -p {here} -g {names['name']}-game -s entropy -s minimax")


@app.command("plugin", cls=Command)
def plugin(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the package, such as my-strategies.")],
    folder: options.FolderOption = Path(),
) -> None:
    """Write an installable package with a strategy and its tests.

    For example:
        wordle-kit new plugin my-strategies
    """
    names = template_names(name, "strategy")
    module, project = names["module"], folder / names["name"]
    files = {
        "pyproject.toml": "pyproject.toml",
        f"src/{module}/__init__.py": "package.py",
        f"src/{module}/strategy.py": "strategy.py",
        f"tests/test_{module}.py": "test_package.py",
        "tox.ini": "tox.ini",
        "README.md": "README.md",
        "LICENSE": "LICENSE",
        ".gitignore": "gitignore",
    }
    year = f"{datetime.datetime.now(tz=datetime.UTC).year}"
    write_all(project, files, {**names, "year": year, "origin": _origin()})
    say(f"  cd {project}\n  tox\n  pip install .")


def template_names(name: str, kind: str) -> dict[str, str]:
    """Return the names to fill into templates: those of the class, the module, and the registered strategy or rule.

    Raises WordleKitError if the name is taken or is not valid for a module.
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.plugins import default_plugins
    from wordle_kit.texts import kebab_case

    known = default_plugins().rules if kind == "rule" else default_plugins().strategies
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
    if title in blank:  # the file already uses the name, such as Counter
        title += kind.capitalize()
    named = "" if kebab_case(title) == called else f'name = "{called}"\n    '
    return {"title": title, "module": module, "name": called, "named": named}


def write_all(folder: Path, files: Mapping[str, str], names: Mapping[str, str]) -> None:
    """Write files to a folder, each made from its templates with the names filled in.

    Raises WordleKitError if a file already exists.
    """
    from wordle_kit.errors import WordleKitError

    for file in files:
        if (folder / file).exists():
            raise WordleKitError(f"{folder / file} already exists; choose another name or folder")
    for file, templates in files.items():
        text = "".join(filled(template, names) for template in templates.split())
        write_file(folder / file, text, make_folder=True)
    *paths, last = [str(folder / file) for file in files]
    say(f"Wrote {', '.join(paths)} and {last}. Next:")


def _origin() -> str:
    """Return the pip requirement for this version of wordle-kit, with its URL if pip recorded one."""
    noted = importlib.metadata.distribution("wordle-kit").read_text("direct_url.json")
    return f"wordle-kit @ {json.loads(noted)['url']}" if noted else "wordle-kit"
