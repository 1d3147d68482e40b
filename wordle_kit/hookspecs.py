"""The plugin contract: the hooks that a plugin may implement, each called once, when plugins are loaded.

A plugin is a module. It marks its functions with `wordle_kit.hookimpl`; a hook that does not exist is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from wordle_kit.game.rules import Rule

NAME = "wordle_kit"
"""The name of the project to pluggy, of its entry-point group and of its markers."""

hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)


@hookspec
def register_strategies(register: Callable[..., None]) -> None:
    """Call `register(strategy)` for each strategy of the plugin.

    `register` takes a `Strategy` and, where its class's name will not do, `name="..."`.
    """


@hookspec
def register_rules(register: Callable[[Rule], None]) -> None:
    """Call `register(rule)` for each rule of the plugin."""


@hookspec
def register_games(register: Callable[[Path | Mapping[str, Any]], None]) -> None:
    """Call `register(game)` for each game: the path of a TOML file, named like the game, or its fields as a mapping."""
