"""The plugin contract: the hooks that a plugin may implement.

A plugin is a module that marks its hooks with `wordle_kit.hookimpl`. Hooks whose names begin with `register_` are
called once, when plugins are loaded; the others are called when a run or a tournament has ended. It is an error to mark
a function that is not a hook.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from wordle_kit.game.rules import Rule
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.leaderboard.metric import Metric
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.host import Host
    from wordle_kit.tournaments.runs import StoredRun

PROJECT = "wordle_kit"
"""The project's name for pluggy's markers and plugin manager, and for its entry-point group."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Decorator that marks a plugin's functions as hooks."""


@hookspec
def register_strategies(register: Callable[..., None]) -> None:
    """Call `register(strategy)` for each strategy of the plugin.

    `register` takes a `Strategy`. With `name="..."`, the strategy is registered under this name instead of the name of
    its class.
    """


@hookspec
def register_rules(register: Callable[[Rule], None]) -> None:
    """Call `register(rule)` for each rule of the plugin."""


@hookspec
def register_games(register: Callable[[Path | Mapping[str, Any]], None]) -> None:
    """Call `register(game)` for each game, given as the path of a TOML file named after it or a mapping of fields."""


@hookspec
def register_metrics(register: Callable[[Metric], None]) -> None:
    """Call `register(metric)` for each `Metric` of the plugin, a figure of a run that tables can show as a column."""


@hookspec
def register_hosts(register: Callable[[Host], None]) -> None:
    """Call `register(host)` for each `Host` of the plugin, an object that answers guesses with feedback."""


@hookspec
def register_formats(register: Callable[[Format], None]) -> None:
    """Call `register(format)` for each `Format` of the plugin, a way to write results for `--format` or a suffix."""


@hookspec
def register_commands(register: Callable[..., None]) -> None:
    """Call `register(name, summary, place, panel="...")` for each command that the plugin adds to `wordle-kit`.

    `place` is `"module:attribute"`. The attribute is a function whose arguments are the command's options, as in Typer,
    or a group of such functions. Its module is imported only when the command is used, since help needs only the name
    and the summary.

    A name of two words, such as `new thing`, adds a command to the group `new`.
    """


@hookspec
def run_finished(run: StoredRun) -> None:
    """React to the end of a run, in which a strategy has played all its puzzles.

    If the hook raises an exception, it is reported and the tournament continues. The hook is not called for runs that
    were already stored.
    """


@hookspec
def tournament_finished(leaderboard: Leaderboard) -> None:
    """React to the end of a tournament.

    Exceptions are reported and otherwise ignored.
    """
