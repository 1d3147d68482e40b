"""The plugin contract: the hooks that a plugin may implement.

A plugin is a module that marks its hooks with `wordle_kit.hookimpl`. Hooks that begin with `register_` are called once,
when plugins are loaded. The others are events. A marked function that is not a hook is an error, unless it is marked
with `hookimpl(optionalhook=True)`, for hooks that only other versions of wordle-kit have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from wordle_kit.game.rules import Rule
    from wordle_kit.tables import Format

NAME = "wordle_kit"
"""The name of the project in pluggy, of its entry-point group and of its markers."""

hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)


@hookspec
def register_strategies(register: Callable[..., None]) -> None:
    """Call `register(strategy)` for each strategy of the plugin.

    `register` takes a `Strategy`. Optionally, `name="..."` replaces the name of its class, and `aliases=[...]` has
    other names for it, such as those that it had before.
    """


@hookspec
def register_rules(register: Callable[[Rule], None]) -> None:
    """Call `register(rule)` for each rule of the plugin."""


@hookspec
def register_games(register: Callable[[Path | Mapping[str, Any]], None]) -> None:
    """Call `register(game)` for each game: the path of a TOML file named after the game, or a mapping of its fields."""


@hookspec
def register_metrics(register: Callable[[Any], None]) -> None:
    """Call `register(metric)` for each `Metric` of the plugin: a figure of a run, which every table can show."""


@hookspec
def register_hosts(register: Callable[[Any], None]) -> None:
    """Call `register(host)` for each `Host` of the plugin: what answers guesses in the place of a hidden word."""


@hookspec
def register_formats(register: Callable[[Format], None]) -> None:
    """Call `register(format)` for each `Format` of the plugin: a way to write a table, as a value of `--format`."""


@hookspec
def register_commands(register: Callable[..., None]) -> None:
    """Call `register(name, summary, place, panel="...")` for each command of `wordle-kit` that the plugin has.

    `place` is `"module:attribute"`: a function whose arguments are the command's options, as in Typer, or a group of
    such functions. It is imported when the command is used; help needs only the name and the summary. A name of two
    words, such as `new game`, adds a command to a group. A name that ends in an option, such as `tournament --report`,
    adds the options of a function to a command. The function is called when the command has ended, unless the command
    asks for it before.
    """


@hookspec
def run_finished(run: Any) -> None:
    """Do something with a `StoredRun`: a strategy has played all its puzzles.

    An exception is reported and harms nothing. Runs that were in the store before are not announced.
    """


@hookspec
def tournament_finished(leaderboard: Any) -> None:
    """Do something with a `Leaderboard`: a tournament has ended. An exception is reported and harms nothing."""
