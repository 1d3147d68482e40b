"""The plugin contract: the hooks that a plugin may implement. Each is called once, when plugins are loaded.

A plugin is a module that marks its hooks with `wordle_kit.hookimpl`. A marked function that is not a hook is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from wordle_kit.game.rules import Rule

NAME = "wordle_kit"
"""The name of the project in pluggy, of its entry-point group and of its markers."""

hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)


@hookspec
def register_strategies(register: Callable[..., None]) -> None:
    """Call `register(strategy)` for each strategy of the plugin.

    `register` takes a `Strategy`, and optionally `name="..."`, to replace the name of its class, and `aliases=[...]`,
    other names for it, such as those that it had before.
    """


@hookspec
def register_rules(register: Callable[[Rule], None]) -> None:
    """Call `register(rule)` for each rule of the plugin."""


@hookspec
def register_games(register: Callable[[Path | Mapping[str, Any]], None]) -> None:
    """Call `register(game)` for each game: the path of a TOML file named after the game, or a mapping of its fields."""
