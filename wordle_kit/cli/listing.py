"""The commands that list things: `games`, `rules`, `plugins` and `strategies`."""

import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, get_args, get_origin

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, quiet, say
from wordle_kit.errors import GameError, StrategyError, unknown
from wordle_kit.texts import line, raised

if TYPE_CHECKING:
    from wordle_kit.registry import Registered
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tables import Format

WIDTH = 100
"""Width of lists in characters, unless a name is longer."""


@values.grouped
def games(
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the games, with their sizes and plugins.

    For example:
        wordle-kit games
    """
    loaded = which.load()
    form = values.table_format(format, loaded)
    rows = []
    for name, entry in sorted(loaded.games.items()):
        figures: dict[str, object] = dict.fromkeys(
            ("boards", "guesses allowed", "answers", "guesses", "length", "rule")
        )
        try:
            with quiet():
                game = loaded.find_game(name)
                sizes = (game.boards, game.max_guesses, len(game.answers), len(game.guesses), game.length)
                figures = dict(zip(figures, (*sizes, game.rule.name), strict=True))
                title = game.title
        except Exception as error:  # raised by the code of a game or rule, which may come from a plugin
            title = f"cannot be used: {error if isinstance(error, GameError) else raised(error)}"
        rows.append({"game": name, **figures, "plugin": entry.plugin, "title": title})
    _print(rows, form)


@values.grouped
def rules(
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the rules, with their plugins.

    For example:
        wordle-kit rules --format json
    """
    loaded = which.load()
    form = values.table_format(format, loaded)
    rows = [
        {
            "rule": name,
            "version": entry.value.version,
            "plugin": entry.plugin,
            "what it does": _first_line(type(entry.value)),
        }
        for name, entry in sorted(loaded.rules.items())
    ]
    _print(rows, form)


@values.grouped
def plugins(
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the plugins, with what they register and why any failed.

    The exit code is 2 if a plugin that -p names failed to load.

    For example:
        wordle-kit plugins
        wordle-kit plugins -p my_idea.py
    """
    from wordle_kit.plugins import Plugins

    with quiet():
        loaded = Plugins.load(values.requested(), which.plugins_dir or (), strict=which.strict)
    form = values.table_format(format, loaded)
    entries = [entry for kind in loaded.by_kind().values() for entry in kind.values()]
    registered = {name: sorted(entry.name for entry in entries if entry.plugin == name) for name in loaded.origins}
    rows = [
        {"plugin": name, "from": origin, "registers": ", ".join(registered[name]) or "nothing"}
        for name, origin in sorted(loaded.origins.items())
    ]
    rows += [
        {"plugin": failure.plugin, "from": failure.origin, "registers": f"FAILED: {failure.error}"}
        for failure in loaded.failures
    ]
    if form.name == "table":
        widest = _widest(row["plugin"] for row in rows)
        for row in rows:
            say(f"{line(row['plugin']):{widest}}  {line(row['from'], None)}")
            say("\n".join(_wrapped(row["registers"], widest + 2, " " * (widest + 2))))
    else:
        _print(rows, form)
    for replaced in loaded.replaced:
        note(replaced)
    if any(failure.named for failure in loaded.failures):
        raise typer.Exit(2)


@values.grouped
def strategies(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Strategy to describe.",
            show_default="list all",
            autocompletion=options.complete_strategies,
        ),
    ] = None,
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the strategies, or describe one with its parameters and its source.

    The list is grouped by plugin. Formats other than table have a row for each strategy.

    For example:
        wordle-kit strategies
        wordle-kit strategies entropy
    """
    loaded = which.load()
    form = values.table_format(format, loaded)
    known = loaded.strategies
    if name is not None and name not in known:
        raise StrategyError(unknown("strategy", name, known))
    entries = [known[name]] if name is not None else [entry for _, entry in sorted(loaded.strategies.items())]
    if form.name != "table":
        _print([_row(entry) for entry in entries], form)
    else:
        say("\n".join(all_about(entries[0]) if name is not None else _by_plugin(entries)))


def _row(entry: "Registered[Strategy]") -> dict[str, str]:
    return {
        "strategy": entry.name,
        "version": entry.value.version,
        "parameters": ", ".join(f"{key}={value}" for key, value in _parameters(entry.value).items()),
        "plugin": entry.plugin,
        "what it does": _summary(entry.value),
    }


def _by_plugin(entries: "Sequence[Registered[Strategy]]") -> Iterator[str]:
    """Yield the lines of the list: each plugin, the first line of its docstring, and its strategies."""
    widest = _widest(entry.name for entry in entries)
    for number, plugin in enumerate(sorted({entry.plugin for entry in entries})):
        own = [entry for entry in entries if entry.plugin == plugin]
        said = _first_line(sys.modules.get(type(own[0].value).__module__))
        yield from ([""] if number else []) + _wrapped(f"{plugin}: {said}" if said else plugin)
        for entry in own:
            yield from _wrapped(f"{_summary(entry.value) or '-'}", widest + 4, f"  {line(entry.name):{widest}}  ")


def all_about(entry: "Registered[Strategy]") -> Iterator[str]:
    """Yield the lines that describe one strategy."""
    strategy = entry.value
    yield line(f"{entry.name}, version {strategy.version}, of plugin {entry.plugin}", None)
    said = inspect.cleandoc(type(strategy).__doc__ or "").split("\n\n")
    if not said[0].replace("\n", " ").startswith(_summary(strategy)):
        said.insert(0, _summary(strategy))
    for paragraph in filter(None, said):
        yield from ["", *_wrapped(paragraph.replace("\n", " "))]
    parameters = _parameters(strategy)
    if parameters:
        yield from ("", "Parameters:")
    for name, value in parameters.items():
        field = type(strategy).model_fields[name]
        choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
        one_of = f"One of {', '.join(map(str, choices))}. " if choices else ""
        yield from _wrapped(f"{name}={value}", 2, "  ")
        yield from _wrapped(f"{one_of}{(field.description or '').replace(chr(10), ' ')}", 6, " " * 6)
    yield from ("", f"Source: {line(_source(type(strategy)), None)}")


def _print(rows: Sequence[Mapping[str, object]], form: "Format") -> None:
    from wordle_kit.tables import render

    say(render(rows, form), nl=False)


def _widest(names: Iterable[str]) -> int:
    return min(max((len(line(name)) for name in names), default=0), WIDTH // 3)


def _wrapped(text: str, indent: int = 0, begin: str = "") -> list[str]:
    """Return the lines of a text, of which the first begins with `begin`. No name is divided."""
    wrapper = textwrap.TextWrapper(WIDTH, break_long_words=False, break_on_hyphens=False)
    wrapper.initial_indent, wrapper.subsequent_indent = begin, " " * indent
    return wrapper.wrap(line(text, None))


def _first_line(thing: object) -> str:
    """Return the first line of a docstring."""
    return inspect.cleandoc(getattr(thing, "__doc__", None) or "").partition("\n")[0]


def _parameters(strategy: "Strategy") -> dict[str, str]:
    from wordle_kit.strategy.strategy import written

    return {key: written(value) for key, value in strategy.parameters().items()}


def _summary(strategy: "Strategy") -> str:
    try:
        return str(strategy.summary)
    except Exception as error:  # raised by the author's code
        return f"fails to say, with {type(error).__name__}"


def _source(kind: type) -> str:
    try:
        return f"{inspect.getsourcefile(kind)}, line {inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return f"{kind.__module__}.{kind.__qualname__}"
