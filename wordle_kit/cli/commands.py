"""The commands of the engine and of plugins, and the layout of their help. Each is imported only when used."""

import importlib
import itertools
from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from wordle_kit.cli.options import PANELS
from wordle_kit.cli.output import note, report
from wordle_kit.errors import PluginError
from wordle_kit.plugin_files import GROUPS
from wordle_kit.plugins import Plugins
from wordle_kit.registry import Entry, LazyCommand
from wordle_kit.texts import one_line

RUNS, RESULTS, ANALYSE, WRITE = "Let strategies play", "Look at results", "Analyse", "Write and grade"
SEE = "See what there is"
ORDER = (RUNS, RESULTS, ANALYSE, WRITE, "More commands", SEE)
"""The panels of the engine in help. Panels of plugins come first."""

CORE: Mapping[str, Entry[LazyCommand]] = {
    name: Entry(name, LazyCommand(summary, f"wordle_kit.cli.{place}", panel), "wordle-kit")
    for name, summary, place, panel in (
        ("tournament", "Play strategies on identical puzzles and show the leaderboard", "tournament:tournament", RUNS),
        ("compare", "Compare two or more strategies on identical puzzles, pair by pair", "compare:compare", RUNS),
        ("solve", "Watch a strategy play one puzzle", "solve:solve", RUNS),
        ("leaderboard", "Show the leaderboards of all stored tournaments", "leaderboard:leaderboard", RESULTS),
        ("store", "List, merge, export and remove stored results", "store:app", RESULTS),
        ("explain", "Show how a guess splits the remaining words", "explain:explain", ANALYSE),
        ("new", "Write a strategy, a rule, a plugin and the like to start from", "new:app", WRITE),
        ("check", "Check that what a plugin registers keeps its promises", "check:check", WRITE),
        ("strategies", "List the strategies, or describe one", "listing:strategies", SEE),
        ("games", "List the games, with their sizes and plugins", "listing:games", SEE),
        ("rules", "List the rules, with their plugins", "listing:rules", SEE),
        ("plugins", "List the plugins, with what they register and why any failed", "listing:plugins", SEE),
    )
}
"""The commands of the engine."""


# Rich would take twice as long to show help, keep the line breaks of docstrings, and swallow brackets.
class Command(TyperCommand):
    """A command whose help groups options into panels and puts each example on its own line."""

    def __init__(self, **settings: Any) -> None:
        settings["help"] = (settings.get("help") or "").replace("For example:\n", "\b\nFor example:\n")
        super().__init__(**settings)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, refusing an option that takes one value but is given twice."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        one: Any
        for one in order:
            is_single = one.param_type_name == "option" and not (one.multiple or one.is_flag)
            if is_single and order.count(one) > 1:
                raise typer.BadParameter("it is given twice; give it once", ctx=ctx, param=one)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options by panel."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in PANELS}
        for parameter in self.get_params(ctx):
            usual = "Arguments" if parameter.param_type_name == "argument" else "General"
            row = parameter.get_help_record(ctx)
            panels.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).extend([row] if row else [])
        for panel, rows in panels.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


class RootGroup(TyperGroup):
    """The commands of `wordle-kit`, grouped into panels."""

    def plugins(self, ctx: Any) -> Plugins:
        """Return the plugins given with `-p` before the command, and installed ones that only register commands."""
        if ctx.obj is None:
            ctx.obj = Plugins.load(ctx.params.get("plugin") or (), groups=GROUPS[1:], commands=CORE)
        found: Plugins = ctx.obj
        return found

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the command names in the order of the help, and report plugins that failed."""
        report(self.plugins(ctx))
        every = self.plugins(ctx).commands

        def order(name: str) -> tuple[int, str]:
            panel = every[name].value.panel
            return (ORDER.index(panel) if panel in ORDER else -1), panel

        return sorted((name for name in every if " " not in name), key=order)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        entry = CORE.get(cmd_name) or self.plugins(ctx).commands.get(cmd_name)
        if entry is None:
            self.commands: Any = dict.fromkeys(self.list_commands(ctx))  # where Typer looks for similar names
            return None
        command = _built(cmd_name, entry)
        if hasattr(command, "commands"):
            for name, more in self.plugins(ctx).commands.items():
                group, _, inner = name.partition(" ")
                if inner and group == cmd_name:
                    try:
                        command.commands[inner] = _built(inner, more)
                    except PluginError as error:  # the group works without it
                        note(f"left out: {error}")
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names and summaries of the commands by panel, without importing the commands."""
        names, every = self.list_commands(ctx), self.plugins(ctx).commands
        widest = max(map(len, names))
        for panel, its in itertools.groupby(names, key=lambda name: one_line(every[name].value.panel)):
            with formatter.section(panel):
                formatter.write_dl([(f"{name:{widest}}", one_line(every[name].value.summary)) for name in its])


def _built(name: str, entry: Entry[LazyCommand]) -> Any:
    """Return a command or a group of commands. Raises PluginError if a plugin's command cannot be imported."""
    module, _, attribute = entry.value.place.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise PluginError(f"plugin {entry.plugin}: command {entry.name}: {entry.value.place}: {error}") from error
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False, rich_markup_mode=None)
        found.command(name, cls=Command)(function)
    command = typer.main.get_command(found)
    command.name = name
    return command
