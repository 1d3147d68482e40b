"""What plugins register: entries by kind and name, and the checks of what `register` is given.

The engine is imported only when it is needed, since the command line loads plugins to find their commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wordle_kit.errors import PluginError
from wordle_kit.texts import line, shown

if TYPE_CHECKING:
    from wordle_kit.game.rules import Rule
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tables import Format

T = TypeVar("T", covariant=True)

TYPED_NAME = r"[a-z][a-z0-9]*([-_][a-z0-9]+)*"
"""The pattern of names of metrics, hosts, formats and commands."""

LONGEST_NAME = 100
"""The most characters of a name."""


@dataclass(frozen=True)
class Registered(Generic[T]):
    """Something that a plugin registered under a name."""

    name: str
    value: T
    plugin: str
    """Further names for it, such as earlier names."""


@dataclass(frozen=True)
class DeclaredCommand:
    """A command: what help shows without importing it, and its place."""

    summary: str
    place: str
    """The place of the function, as `module:attribute`."""
    panel: str


@dataclass
class Registrations:
    """Everything that was registered, by kind and name."""

    strategies: dict[str, Registered[Strategy]] = field(default_factory=dict)
    rules: dict[str, Registered[Rule]] = field(default_factory=dict)
    games: dict[str, Registered[Path | Mapping[str, Any]]] = field(default_factory=dict)
    metrics: dict[str, Registered[Any]] = field(default_factory=dict)
    hosts: dict[str, Registered[Any]] = field(default_factory=dict)
    formats: dict[str, Registered[Format]] = field(default_factory=dict)
    commands: dict[str, Registered[DeclaredCommand]] = field(default_factory=dict)

    def by_kind(self) -> dict[str, dict[str, Registered[Any]]]:
        """Return the registered objects by the name of their kind."""
        return {kind: getattr(self, kind) for kind in KINDS}


KINDS = tuple(each.name for each in fields(Registrations))
"""The kinds of things that plugins register. The hook for a kind is named `register_` plus the kind."""


CLASSES = {
    "strategies": "wordle_kit.strategy.strategy:Strategy",
    "rules": "wordle_kit.game.rules:Rule",
    "metrics": "wordle_kit.leaderboard.metrics:Metric",
    "hosts": "wordle_kit.tournaments.host:Host",
    "formats": "wordle_kit.tables:Format",
}
"""The class of what is registered. Most plugins that register a kind have imported it."""


def _check_class(kind: str, given: Any) -> None:
    home, name = CLASSES[kind].split(":")
    wanted = getattr(import_module(home), name)
    if not isinstance(given, wanted):
        call = (
            f"register({given.__name__}())" if isinstance(given, type) else f"register an instance of wordle_kit.{name}"
        )
        raise PluginError(f"register_{kind} got {shown(given)}, which is not a {name.lower()}; {call}")


def _check_name(
    kind: str, name: object, pattern: str = TYPED_NAME, allowed: str = "lower-case letters, digits and -"
) -> None:
    """Raise PluginError if a name cannot be typed where it is needed."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not re.fullmatch(pattern, name):
        raise PluginError(f"register_{kind} got the name {shown(name)}; use at most {LONGEST_NAME} of {allowed}")


def _strategy(plugin: str, strategy: Any, name: str | None = None) -> Registered[Strategy]:
    from wordle_kit.strategy.specs import SAYABLE

    _check_class("strategies", strategy)
    name = strategy.name if name is None else name
    for each in (name, strategy.version):
        _check_name("strategies", each, SAYABLE, "letters, digits and . : + -")
    strategy.parameters()  # raises an error if JSON cannot write them
    return Registered(name, strategy, plugin)


def _rule(plugin: str, rule: Any) -> Registered[Rule]:
    _check_class("rules", rule)
    return Registered(rule.name, rule, plugin)


def _game(plugin: str, game: Any) -> Registered[Path | Mapping[str, Any]]:
    if isinstance(game, Mapping):
        return Registered(str(game.get("name")), game, plugin)
    if isinstance(game, str | Path):
        return Registered(Path(game).stem, Path(game), plugin)
    raise PluginError(f"register_games got {shown(game)}; register the path of a TOML file or its fields")


def _named(kind: str, plugin: str, given: Any) -> Registered[Any]:
    _check_class(kind, given)
    _check_name(kind, given.name)
    return Registered(given.name, given, plugin)


def _command(plugin: str, name: str, summary: str, place: str, panel: str = "More commands") -> Registered[Any]:
    _check_name("commands", name, rf"{TYPED_NAME}( {TYPED_NAME})?")
    if not re.fullmatch(r"[^\s:]+:[A-Za-z_]\w*", place):
        raise PluginError(f"register_commands got the place {shown(place)} for {name}; write it as module:function")
    return Registered(name, DeclaredCommand(line(summary).rstrip("."), place, line(panel)), plugin)


CHECKS: Mapping[str, Callable[..., Registered[Any]]] = {
    "strategies": _strategy,
    "rules": _rule,
    "games": _game,
    "metrics": partial(_named, "metrics"),
    "hosts": partial(_named, "hosts"),
    "formats": partial(_named, "formats"),
    "commands": _command,
}
"""For each kind, the function that turns the arguments of `register` into an entry."""
