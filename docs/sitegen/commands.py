"""The reference of all commands, from what their help is made of."""

from collections.abc import Iterator
from typing import Any

import typer

from wordle_kit import cli


def commands() -> dict[str, Any]:
    """Return every command by the words that call it, in the order in which help shows them."""
    program = typer.main.get_command(cli.app)
    found = {}
    for name in program.list_commands(typer.Context(program)):
        command = program.get_command(None, name)
        inner = getattr(command, "commands", {})
        found |= {f"{name} {one}": each for one, each in inner.items()} if inner else {name: command}
    return found


def reference() -> str:
    """Return the reference as Markdown."""
    return "\n".join(line for name, command in commands().items() for line in section(name, command))


def section(name: str, command: Any) -> Iterator[str]:
    """Yield the lines about one command."""
    context = typer.Context(command, info_name=f"wordle-kit {name}")
    said, _, examples = command.help.partition("\b\nFor example:\n")
    yield from (f"## `wordle-kit {name}`", "", plain(said), "")
    yield from ("```text", f"wordle-kit {name} {' '.join(command.collect_usage_pieces(context))}", "```", "")
    yield from table("argument", [p for p in command.params if p.param_type_name == "argument"])
    options = [p for p in command.params if p.param_type_name == "option" and not getattr(p, "hidden", False)]
    yield from table("option", options)
    yield from ("For example:", "", "```sh", *examples.replace("    ", "").splitlines(), "```", "")


def table(kind: str, parameters: list[Any]) -> Iterator[str]:
    """Yield the table of arguments or options, if there are any."""
    if parameters:
        yield from (f"| {kind} | what it does | default |", "|---|---|---|")
        yield from (f"| {names(p)} | {in_a_cell(plain(p.help or ''))} | {default(p)} |" for p in parameters)
        yield ""


def names(parameter: Any) -> str:
    """Return how a parameter is written on a command line."""
    if parameter.param_type_name == "argument":
        return code(parameter.metavar or parameter.name.upper())
    value = "" if parameter.is_flag else f" {parameter.metavar}"
    return ", ".join(
        code(f"{name}{value if name in parameter.opts else ''}")
        for name in (*sorted(parameter.opts, key=len), *parameter.secondary_opts)
    )


def default(parameter: Any) -> str:
    """Return a parameter's default, unless its text says it or it has none."""
    if parameter.required:
        return "required"
    value = parameter.default
    if value in (None, "", [], ()) or isinstance(value, bool) or "[default" in (parameter.help or ""):
        return ""
    return code(f"{value:g}" if isinstance(value, float) else str(value))


def code(text: str) -> str:
    """Return a text in code style, for a cell of a table."""
    return f"`{in_a_cell(text)}`"


def in_a_cell(text: str) -> str:
    """Return a text in Markdown for a cell of a table."""
    return text.replace("|", "\\|")


def plain(text: str) -> str:
    """Return a text as Markdown that shows it as it is, except for code in backticks."""
    parts = text.split("`")
    marked = [part if place % 2 else escaped(part) for place, part in enumerate(parts)]
    return "`".join(marked)


def escaped(text: str) -> str:
    """Return a text whose signs mean nothing in Markdown."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\*_[]$#" else sign for sign in text)
