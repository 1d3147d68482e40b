"""The commands that list things: `games`, `rules`, `plugins` and `strategies`."""

import inspect
import itertools
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from wordle_kit.cli import load, options
from wordle_kit.cli.output import note, quiet, say, show_rows
from wordle_kit.errors import StrategyError, unknown
from wordle_kit.faults import error_line
from wordle_kit.texts import one_line

if TYPE_CHECKING:
    from wordle_kit.plugins import Plugins
    from wordle_kit.registry import Entry
    from wordle_kit.strategy.strategy import Strategy

WIDTH = 100
"""Width of lists in characters, unless a name is wider."""


def games(
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
) -> None:
    """List the games, with their sizes and plugins.

    For example:
        wordle-kit games
    """
    loaded = load.plugins(plugin)
    listed = loaded.find_format(form)
    show_rows([_game_row(entry, loaded) for _, entry in sorted(loaded.games.items())], listed)


def _game_row(entry: "Entry[Any]", plugins: "Plugins") -> dict[str, object]:
    sizes: dict[str, object] = dict.fromkeys(("boards", "guesses allowed", "answers", "guesses", "length", "rule"))
    try:
        with quiet():
            game = plugins.find_game(entry.name)
        title = game.title
        sizes |= {"boards": game.boards, "guesses allowed": game.max_guesses, "answers": len(game.answers)}
        sizes |= {"guesses": len(game.guesses), "length": game.length, "rule": game.rule.name}
    except Exception as error:  # raised by the code of a game or rule, which may come from a plugin
        title = f"cannot be used: {error_line(error)}"
    return {"game": entry.name, **sizes, "plugin": entry.plugin, "title": title}


def rules(
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
) -> None:
    """List the rules, with their plugins.

    For example:
        wordle-kit rules --format json
    """
    loaded = load.plugins(plugin)
    listed = loaded.find_format(form)
    rows = [
        {
            "rule": name,
            "version": entry.value.version,
            "plugin": entry.plugin,
            "what it does": _first_line(type(entry.value)),
        }
        for name, entry in sorted(loaded.rules.items())
    ]
    show_rows(rows, listed)


def plugins(
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
) -> None:
    """List the plugins, with what they register and why any failed.

    The exit code is 1 if a plugin failed.

    For example:
        wordle-kit plugins
        wordle-kit plugins -p my_idea.py
    """
    from wordle_kit.plugins import Plugins

    with quiet():
        loaded = Plugins.load(plugin or ())
    listed = loaded.find_format(form)
    entries = [entry for kind in loaded.by_kind().values() for entry in kind.values()]
    rows = [
        {
            "plugin": name,
            "from": origin,
            "registers": ", ".join(sorted(entry.name for entry in entries if entry.plugin == name)) or "nothing",
        }
        for name, origin in sorted(loaded.origins.items())
    ]
    rows += [
        {"plugin": failure.plugin, "from": failure.origin, "registers": f"FAILED: {failure.error}"}
        for failure in loaded.failures
    ]
    if listed.name == "table":
        widest = max((len(row["plugin"]) for row in rows), default=0)
        for row in rows:
            say(f"{row['plugin']:{widest}}  {row['from']}")
            say(_wrapped(row["registers"], " " * (widest + 2)))
    else:
        show_rows(rows, listed)
    for replaced in loaded.replaced:
        note(replaced)
    if loaded.failures:
        raise typer.Exit(1)


def strategies(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Strategy to describe.",
            show_default="list all",
            autocompletion=options.complete("strategies"),
        ),
    ] = None,
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
) -> None:
    """List the strategies, or describe one with its parameters and its source.

    The list is grouped by plugin. Formats other than table have one row per strategy.

    For example:
        wordle-kit strategies
        wordle-kit strategies entropy
    """
    loaded = load.plugins(plugin)
    listed, known = loaded.find_format(form), loaded.strategies
    if name is not None and name not in known:
        raise StrategyError(unknown("strategy", name, known))
    entries = [entry for each, entry in sorted(known.items()) if name in (None, each)]
    if listed.name != "table":
        rows = [
            {
                "strategy": entry.name,
                "version": entry.value.version,
                "parameters": ", ".join(f"{key}={value}" for key, value in _parameters(entry.value).items()),
                "plugin": entry.plugin,
                "what it does": entry.value.summary,
            }
            for entry in entries
        ]
        show_rows(rows, listed)
    else:
        say("\n".join(_by_plugin(entries) if name is None else _described(known[name])))


def _by_plugin(entries: "list[Entry[Strategy]]") -> Iterator[str]:
    """Yield the lines of the list: each plugin with the first line of its docstring, and its strategies."""
    widest = max((len(entry.name) for entry in entries), default=0)
    by_plugin = itertools.groupby(sorted(entries, key=lambda entry: entry.plugin), lambda entry: entry.plugin)
    for number, (plugin, own) in enumerate(by_plugin):
        first, *others = own
        said = _first_line(sys.modules.get(type(first.value).__module__))
        yield "\n" * (number > 0) + _wrapped(f"{plugin}: {said}" if said else plugin)
        for entry in (first, *others):
            yield _wrapped(entry.value.summary or "-", " " * (widest + 4), f"  {entry.name:{widest}}  ")


def _described(entry: "Entry[Strategy]") -> Iterator[str]:
    """Yield the lines of a strategy's description."""
    strategy, kind = entry.value, type(entry.value)
    yield f"{entry.name}, version {strategy.version}, of plugin {entry.plugin}"
    said = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    for paragraph in said if said[0].startswith(strategy.summary) else [strategy.summary, *said]:
        yield f"\n{_wrapped(paragraph)}"
    yield "\nParameters:"
    for name, value in _parameters(strategy).items():
        field = kind.model_fields[name]
        choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
        one_of = f"One of {', '.join(map(str, choices))}. " if choices else ""
        yield _wrapped(f"{name}={value}", "    ", "  ")
        yield _wrapped(f"{one_of}{field.description or ''}", " " * 6)
    yield f"\nSource: {inspect.getsourcefile(kind)}, line {inspect.getsourcelines(kind)[1]}"


def _wrapped(text: str, indent: str = "", begin: str | None = None) -> str:
    """Wrap a text to WIDTH characters. The first line starts with `begin`, if given, and the others with the indent."""
    return textwrap.fill(
        one_line(text, None),
        WIDTH,
        initial_indent=indent if begin is None else begin,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _first_line(thing: object) -> str:
    """Return the first line of a docstring."""
    return inspect.cleandoc(getattr(thing, "__doc__", None) or "").partition("\n")[0]


def _parameters(strategy: "Strategy") -> dict[str, str]:
    from wordle_kit.strategy.strategy import in_spec

    return {key: in_spec(value) for key, value in strategy.parameters().items()}
