"""The commands of the core and of plugins, found without loading the engine."""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from wordle_kit.cli.options import Command
from wordle_kit.cli.output import note
from wordle_kit.errors import PluginError
from wordle_kit.plugins import GROUPS, Plugins
from wordle_kit.registry import DeclaredCommand, Registered

PLAY = "Play"
RUNS = "Let strategies play"
RESULTS = "Look at results"
ANALYSE = "Analyse"
WRITE = "Write and grade"
SEE = "See what there is"
PANELS = (PLAY, RUNS, RESULTS, ANALYSE, WRITE, SEE)
"""The panels in the order in which help shows them. The panels of plugins come before the last one."""

CORE: Mapping[str, DeclaredCommand] = {
    name: DeclaredCommand(summary, f"wordle_kit.cli.{place}", panel)
    for name, summary, place, panel in (
        ("tournament", "Play strategies on identical puzzles and show the leaderboard", "tournament:tournament", RUNS),
        ("compare", "Compare two or more strategies on identical puzzles, pair by pair", "compare:compare", RUNS),
        ("solve", "Watch a strategy play one puzzle", "solve:solve", RUNS),
        ("explain", "Show how a guess splits the remaining words", "explain:explain", ANALYSE),
        ("leaderboard", "Show the leaderboards of all stored tournaments", "leaderboard:leaderboard", RESULTS),
        ("store", "List, merge, export and remove stored results", "store:app", RESULTS),
        ("new", "Write a strategy, a rule, a game, a plugin or an assignment to start from", "new:app", WRITE),
        ("check", "Check that what a plugin registers keeps its promises", "check:check", WRITE),
        ("strategies", "List the strategies, or describe one", "listing:strategies", SEE),
        ("games", "List the games, with their sizes and plugins", "listing:games", SEE),
        ("rules", "List the rules, with their plugins", "listing:rules", SEE),
        ("plugins", "List the plugins, with what they register and why any failed", "listing:plugins", SEE),
    )
}
"""The commands of the core."""


def panel_order(panel: str) -> tuple[int, bool]:
    """Return the key that sorts panels in the order of help."""
    known = panel in PANELS
    return (PANELS.index(panel) if known else PANELS.index(SEE), known)


def all_commands(requested: Sequence[str]) -> dict[str, Registered[DeclaredCommand]]:
    """Return the commands of the core, of the installed plugins and of the requested plugins.

    Of the installed plugins, only those that just register commands are loaded. If one fails, the failure is reported.
    If a requested plugin fails, PluginError is raised.
    """
    core = {name: Registered(name, declared, "wordle-kit") for name, declared in CORE.items()}
    try:
        loaded = Plugins.load(requested, groups=GROUPS[1:], commands=core)
    except PluginError as error:
        if requested:
            raise
        note(str(error))  # a fault of the environment, not of the user
        return core
    report(loaded)
    return loaded.commands


def report(loaded: Plugins) -> None:
    """Write a line on standard error for each plugin that was replaced or failed, but only once in a command.

    Raises PluginError if a plugin failed that the user asked for.
    """
    context = current_context()
    reported = set() if context is None else context.find_root().meta.setdefault("wordle_kit.reported", set())
    for text in (*loaded.replaced, *(f"left out: {failure}" for failure in loaded.failures if not failure.named)):
        if text not in reported:
            note(text)
        reported.add(text)
    for failure in loaded.failures:
        if failure.named:
            raise PluginError(str(failure))


def built(name: str, known: Mapping[str, Registered[DeclaredCommand]]) -> Any:
    """Return a command or a group after importing it, with the commands that plugins add to it."""
    command = _command(name, _found(known[name]))
    for longer, entry in known.items():
        words = longer.split(" ")
        if words[0] != name or len(words) == 1:
            continue
        try:
            more = _command(words[1], _found(entry))
        except PluginError as error:  # the group works without it
            note(f"left out: {error}")
            continue
        if hasattr(command, "commands"):
            command.commands[words[1]] = more
        else:
            note(f"left out: plugin {entry.plugin}: command {longer}: {name} is not a group of commands")
    return command


def current_context() -> Any:
    """Return the context of the running command, or None outside of commands."""
    library = typer.Context.__bases__[0].__module__.rpartition(".")[0]  # click, or its copy in newer Typers
    return importlib.import_module(f"{library}.globals").get_current_context(silent=True)


def _found(entry: Registered[DeclaredCommand]) -> Any:
    """Return the function or group of a declared command. Raises PluginError if it cannot be imported."""
    module, _, attribute = entry.value.place.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        if entry.plugin == "wordle-kit":
            raise
        raise PluginError(f"plugin {entry.plugin}: command {entry.name}: {entry.value.place}: {error}") from error


def _command(name: str, found: Any) -> Any:
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False, rich_markup_mode=None)
        found.command(name, cls=Command)(function)
    command = typer.main.get_command(found)
    command.name = name
    return command
