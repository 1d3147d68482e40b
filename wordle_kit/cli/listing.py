"""The commands that list things: `games`, `rules`, `plugins` and `strategies`."""

import ast
import inspect
import itertools
import shlex
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, quiet, say
from wordle_kit.errors import GameError, StrategyError, unknown
from wordle_kit.texts import line, raised

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.plugins import Plugins
    from wordle_kit.registry import Registered
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tables import Format

WIDTH = 100
"""Width of the list of strategies in characters, unless a name is longer."""


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
            "what it does": _first_line(entry.value),
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
        say("\n".join(_in_blocks(rows)))
    else:
        _print(rows, form)
    for replaced in loaded.replaced:
        note(replaced)
    if any(failure.named for failure in loaded.failures):
        raise typer.Exit(2)


def _in_blocks(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Yield the lines of the list of plugins: the name and the origin of each, and below what it registers."""
    widest = min(max((len(line(row["plugin"])) for row in rows), default=0), WIDTH // 3)
    for row in rows:
        yield f"{line(row['plugin']):{widest}}  {line(row['from'], None)}"
        indent = " " * (widest + 2)
        yield from textwrap.wrap(
            line(row["registers"], None),
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )


def _first_line(thing: object) -> str:
    text = type(thing).__doc__
    return line(text.strip().partition("\n")[0]) if isinstance(text, str) else ""


def _print(rows: Sequence[Mapping[str, object]], form: "Format") -> None:
    from wordle_kit.tables import render

    say(render(rows, form), nl=False)


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
    """List the strategies, or describe one.

    The list is grouped by plugin. A description has the parameters, the source and an example. Formats other than table
    have a row for each strategy.

    For example:
        wordle-kit strategies
        wordle-kit strategies entropy
    """
    loaded = which.load()
    form = values.table_format(format, loaded)
    known = loaded.names("strategies")
    if name is not None and name not in known:
        raise StrategyError(unknown("strategy", name, known))
    entries = [known[name]] if name is not None else [entry for _, entry in sorted(loaded.strategies.items())]
    if form.name != "table":
        _print([_row(entry) for entry in entries], form)
    else:
        say("\n".join(all_about(entries[0], loaded, _given(which)) if name is not None else _by_plugin(entries)))


def _given(which: values.WhichPlugins) -> list[str]:
    """Return the options that chose plugins, as words of a command line."""
    return [
        word
        for option, paths in (("-p", values.requested()), ("--plugins-dir", which.plugins_dir or ()))
        for path in paths
        for word in (option, str(path))
    ]


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


def all_about(entry: "Registered[Strategy]", loaded: "Plugins", given: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines that describe one strategy. `given` are the options that chose the plugins `loaded`."""
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
    with quiet():
        game = _playable(entry, loaded)
    spread = [game.answers[len(game.answers) * board // game.boards] for board in range(game.boards)]
    puzzle = "crane" if game.name == options.USUAL_GAME else ",".join(spread)
    chosen = [*([] if game.name == options.USUAL_GAME else ["-g", game.name]), *given]
    for command, spec in _examples(entry.name, strategy.by_name_only, parameters):
        played = ["--answer", puzzle] if command == "solve" else ["--puzzles", "20"]
        in_quotes = shlex.quote(spec) if set(spec) & set('"$`\\!') else f'"{spec}"'
        yield f"  {shlex.join(['wordle-kit', command, *chosen, *played])} -s {line(in_quotes, None)}"


def _playable(entry: "Registered[Strategy]", loaded: "Plugins") -> "Game":
    """Return the usual game if the strategy can play it, else the first that it can, its plugin's games first."""
    usual = loaded.find_game(options.USUAL_GAME)
    others = sorted(loaded.games.values(), key=lambda game: game.plugin != entry.plugin)
    for name in (usual.name, *(game.name for game in others)):
        try:
            game = loaded.find_game(name)
            if entry.value.problem_with(game) is None:
                return game
        except Exception as error:  # raised by the code of a game or strategy, which may come from a plugin
            note(f"{name}: {raised(error)}")
    return usual


def _examples(name: str, by_name_only: bool, parameters: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield commands, each with the spec of a strategy. A required parameter has its name in place of a value."""
    key, value = next(iter(parameters.items()), ("", ""))
    if by_name_only and value == "none":
        yield "solve", f"{name}({key}={key.upper()})"
        return
    yield "solve", name
    if key and line(value) == value:
        yield "tournament", f"{name}({key}={value})"


def _also(entry: "Registered[Strategy]") -> str:
    """Return the other names of a strategy, as text to append."""
    return f" (also {', '.join(map(line, entry.aliases))})" if entry.aliases else ""


def _parameters(strategy: "Strategy") -> dict[str, str]:
    from wordle_kit.strategy.strategy import written

    return {key: written(value) for key, value in strategy.parameters().items()}


def _summary(strategy: "Strategy") -> str:
    try:
        return str(strategy.summary)
    except Exception as error:  # raised by the author's code
        return f"fails to say, with {type(error).__name__}"


def _choices(annotation: Any) -> str:
    """Return a sentence that lists a parameter's values if its type does, else an empty text."""
    choices = get_args(annotation) if get_origin(annotation) is Literal else ()
    return f"One of {', '.join(map(str, choices))}." if choices else ""


def _docs_of_fields(kind: type) -> dict[str, str]:
    """Return the docstrings below the fields of a class and of its base classes."""
    docs: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(each)))
        except (OSError, TypeError, SyntaxError):  # there is no source to read
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
