"""`wordle-kit strategies`: list the strategies, or describe one."""

import ast
import inspect
import itertools
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from wordle_kit.cli import completion, options, values
from wordle_kit.cli.output import say
from wordle_kit.texts import line

if TYPE_CHECKING:
    from wordle_kit.registration import Registered
    from wordle_kit.strategy.strategy import Strategy

WIDTH = 100
"""Width of the list in characters, unless a name is longer."""


@values.grouped
def strategies(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Strategy to describe. [default: list all]", autocompletion=completion.strategies
        ),
    ] = None,
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the strategies, or describe one.

    The list is grouped by plugin. A description has the parameters, the source and an example. Formats other than table
    have a row for each strategy.

    For example:
        wordle-kit strategies
        wordle-kit strategies entropy
    """
    from wordle_kit.errors import StrategyError
    from wordle_kit.names import unknown
    from wordle_kit.tables import render

    form = values.table_format(format)
    loaded = which.load()
    known = loaded.names()["strategies"]
    if name is not None and name not in known:
        raise StrategyError(unknown("strategy", name, known))
    entries = [known[name]] if name is not None else [entry for _, entry in sorted(loaded.strategies.items())]
    if form != "table":
        say(render([_row(entry) for entry in entries], form), nl=False)
    else:
        say("\n".join(all_about(entries[0]) if name is not None else _by_plugin(entries)))


def _row(entry: "Registered[Strategy]") -> dict[str, str]:
    return {
        "strategy": entry.name,
        "aliases": ", ".join(entry.aliases),
        "version": entry.value.version,
        "parameters": ", ".join(f"{key}={value}" for key, value in _parameters(entry.value).items()),
        "plugin": entry.plugin,
        "what it does": _summary(entry.value),
    }


def _by_plugin(entries: "Sequence[Registered[Strategy]]") -> Iterator[str]:
    """Yield the lines of the list: each plugin, the first line of its docstring, and its strategies."""
    widest = min(max((len(line(entry.name)) for entry in entries), default=0), WIDTH // 3)
    for number, plugin in enumerate(sorted({entry.plugin for entry in entries})):
        own = [entry for entry in entries if entry.plugin == plugin]
        said = inspect.cleandoc(getattr(sys.modules.get(type(own[0].value).__module__), "__doc__", None) or "")
        title = line(plugin) + (f": {line(said.partition(chr(10))[0])}" if said else "")
        yield from ([""] if number else []) + textwrap.wrap(title, WIDTH)
        for entry in own:
            begin, indent = f"  {line(entry.name):{widest}}  ", " " * (widest + 4)
            text = f"{line(_summary(entry.value)) or '-'}{_also(entry)}"
            yield from textwrap.wrap(text, WIDTH, initial_indent=begin, subsequent_indent=indent)


def all_about(entry: "Registered[Strategy]") -> Iterator[str]:
    """Yield the lines about one strategy."""
    strategy = entry.value
    yield f"{line(entry.name)}{_also(entry)}, version {line(strategy.version)}, of plugin {line(entry.plugin)}"
    said = inspect.cleandoc(type(strategy).__doc__ or "").split("\n\n")
    first = [] if said[0].replace("\n", " ").startswith(_summary(strategy)) else [_summary(strategy)]
    for paragraph in filter(None, (*first, *said)):
        yield from ["", *textwrap.wrap(line(paragraph.replace("\n", " "), None), WIDTH)]
    weighted = getattr(strategy, "weighted", None)
    if weighted is not None:
        yield from (
            "",
            "In games with weights, it uses them." if weighted else "It does not use the weights of answers.",
        )
    parameters = _parameters(strategy)
    if parameters:
        yield from ("", "Parameters:")
        docs = _docs_of_fields(type(strategy))
        for name, value in parameters.items():
            choices = _choices(type(strategy).model_fields[name].annotation)
            text = line(f"{choices} {docs.get(name, '')}".strip())
            yield from textwrap.wrap(f"{name}={line(value)}", WIDTH, initial_indent="  ")
            yield from textwrap.wrap(text, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
    yield from ("", f"Source: {line(_source(type(strategy)), None)}", "", "Example:")
    yield from _examples(line(entry.name), strategy.by_name_only, parameters)


def _examples(name: str, by_name_only: bool, parameters: dict[str, str]) -> Iterator[str]:
    """Yield commands that play a strategy; a parameter that it cannot do without is written in capitals."""
    key, value = next(iter(parameters.items()), ("", ""))
    with_parameter = f"{name}({key}={line(value)})"
    if by_name_only and value == "none":
        name, key = f"{name}({key}={key.upper()})", ""
    yield f'  wordle-kit solve --answer crane -s "{name}"'
    if key:
        yield f'  wordle-kit tournament -s "{with_parameter}"'


def _also(entry: "Registered[Strategy]") -> str:
    """Return the other names of a strategy, as the end of a text."""
    return f" (also {', '.join(map(line, entry.aliases))})" if entry.aliases else ""


def _parameters(strategy: "Strategy") -> dict[str, str]:
    from wordle_kit.strategy.strategy import written

    return {key: written(value) for key, value in strategy.parameters().items()}


def _summary(strategy: "Strategy") -> str:
    try:
        return str(strategy.summary)
    except Exception as error:  # its own code
        return f"fails to say, with {type(error).__name__}"


def _choices(annotation: Any) -> str:
    """Return a sentence with the values of a parameter if its type lists them, else nothing."""
    choices = get_args(annotation) if get_origin(annotation) is Literal else ()
    return f"One of {', '.join(map(str, choices))}." if choices else ""


def _docs_of_fields(kind: type) -> dict[str, str]:
    """Return the docstrings below the fields of a class and of its base classes."""
    docs: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(each)))
        except (OSError, TypeError, SyntaxError):  # no source
            continue
        body = getattr(tree.body[0], "body", [])
        for field, below in itertools.pairwise(body):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
                and isinstance(below.value.value, str)
            ):
                docs[field.target.id] = inspect.cleandoc(below.value.value).replace("\n", " ")
    return docs


def _source(kind: type) -> str:
    try:
        return f"{inspect.getsourcefile(kind)}, line {inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return f"{kind.__module__}.{kind.__qualname__}"
