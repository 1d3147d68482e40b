"""The plugin contract: the hooks that a plugin may implement.

A plugin is a module that marks its hooks with `wordle_kit.hookimpl`. Hooks whose names begin with `register_` are
called once, when plugins are loaded. The other hooks are called when something has happened. A marked function that is
not a hook is an error. Mark a hook that only other versions of wordle-kit have with `hookimpl(optionalhook=True)`.
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
"""The project's name for pluggy's markers and plugin manager, and for its entry-point group."""

hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)


@hookspec
def register_strategies(register: Callable[..., None]) -> None:
    """Call `register(strategy)` for each strategy of the plugin.

    `register` takes a `Strategy`. With `name="..."`, the strategy gets this name instead of the name of its class.
    """


@hookspec
def register_rules(register: Callable[[Rule], None]) -> None:
    """Call `register(rule)` for each rule of the plugin."""


@hookspec
def register_games(register: Callable[[Path | Mapping[str, Any]], None]) -> None:
    """Call `register(game)` for each game: the path of a TOML file named after the game, or a mapping of its fields."""


@hookspec
def register_metrics(register: Callable[[Any], None]) -> None:
    """Call `register(metric)` for each `Metric` of the plugin: a figure of a run that tables can show as a column."""


@hookspec
def register_hosts(register: Callable[[Any], None]) -> None:
    """Call `register(host)` for each `Host` of the plugin: an object that answers guesses instead of a hidden word."""


@hookspec
def register_formats(register: Callable[[Format], None]) -> None:
    """Call `register(format)` for each `Format` of the plugin: a way to write results, for `--format` or a suffix."""


@hookspec
def register_commands(register: Callable[..., None]) -> None:
    """Call `register(name, summary, place, panel="...")` for each command that the plugin adds to `wordle-kit`.

    `place` is `"module:attribute"`. The attribute is a function whose arguments are the command's options, as in Typer,
    or a group of such functions. The module is imported when the command is used: to list the command in help, its name
    and summary are enough.

    A name of two words, such as `new game`, adds a command to a group.
    """


@hookspec
def run_finished(run: Any) -> None:
    """React to the end of a run: `run` is a `StoredRun`, in which a strategy has played all its puzzles.

    If the function raises an exception, the exception is reported and the tournament continues. The hook is not called
    for runs that the store already had.
    """


@hookspec
def tournament_finished(leaderboard: Any) -> None:
    """React to the end of a tournament: `leaderboard` is its `Leaderboard`.

    Exceptions are reported and harm nothing.
    """
