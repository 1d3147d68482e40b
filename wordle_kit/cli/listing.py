"""`wordle-kit games`, `rules` and `plugins`: list them, their origins and any failures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, quiet, say
from wordle_kit.texts import line, raised

if TYPE_CHECKING:
    from wordle_kit.plugins import Plugins
    from wordle_kit.registration import Registered
    from wordle_kit.tables import Format


@values.grouped
def games(
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the games, with their sizes and plugins."""
    form = values.table_format(format)
    loaded = which.load()
    rows = []
    for name, entry in sorted(loaded.games.items()):
        try:
            with quiet():
                row = _game_row(name, entry, loaded)
            rows.append(row)
        except Exception as error:  # raised by the game or its rule, which may come from any plugin
            unknown = dict.fromkeys(("boards", "guesses allowed", "answers", "guesses", "length", "rule"))
            rows.append({"game": name, **unknown, "plugin": entry.plugin, "title": f"cannot be used: {_reason(error)}"})
    _print(rows, form)


@values.grouped
def rules(
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the rules, with their plugins."""
    form = values.table_format(format)
    loaded = which.load()
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
    """
    from wordle_kit.plugins import Plugins

    form = values.table_format(format)
    with quiet():
        wanted = [*values.requested(), *(which.plugin or ())]
        loaded = Plugins.load(wanted, which.plugins_dir or (), strict=which.strict)
    rows = [
        {"plugin": name, "from": origin, "registers": ", ".join(_registered_by(name, loaded)) or "nothing"}
        for name, origin in sorted(loaded.origins.items())
    ]
    rows += [
        {"plugin": failure.plugin, "from": failure.origin, "registers": f"FAILED: {failure.error}"}
        for failure in loaded.failures
    ]
    _print(rows, form)
    for replaced in loaded.replaced:
        note(replaced)
    if any(failure.named for failure in loaded.failures):
        raise typer.Exit(2)


def _game_row(name: str, entry: "Registered[Path | Mapping[str, Any]]", loaded: "Plugins") -> dict[str, object]:
    from wordle_kit.api import load_game

    game = load_game(name, loaded)
    return {
        "game": name,
        "boards": game.boards,
        "guesses allowed": game.max_guesses,
        "answers": len(game.answers),
        "guesses": len(game.guesses),
        "length": game.length,
        "rule": game.rule.name,
        "plugin": entry.plugin,
        "title": game.title,
    }


def _registered_by(name: str, loaded: "Plugins") -> list[str]:
    return sorted(entry.name for kind in loaded.by_kind().values() for entry in kind.values() if entry.plugin == name)


def _first_line(thing: object) -> str:
    text = type(thing).__doc__
    return line(text.strip().partition("\n")[0]) if isinstance(text, str) else ""


def _reason(error: Exception) -> str:
    from wordle_kit.errors import GameError

    return str(error) if isinstance(error, GameError) else raised(error)


def _print(rows: Sequence[Mapping[str, object]], form: "str | Format") -> None:
    from wordle_kit.tables import render

    say(render(rows, form), nl=False)
