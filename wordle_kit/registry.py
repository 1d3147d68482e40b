"""The registry of what plugins register, by kind and name, and the checks of the arguments of `register`.

The engine is imported only when it is needed, since the command line loads plugins to find their commands.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wordle_kit.errors import PluginError
from wordle_kit.texts import one_line, short_repr

if TYPE_CHECKING:
    from wordle_kit.game.rules import Rule
    from wordle_kit.leaderboard.metric import Metric
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.host import Host

T = TypeVar("T", covariant=True)

VALID_NAME = re.compile(r"[\w.:+-]{1,100}")
"""The pattern of names that can be typed wherever they are needed."""


@dataclass(frozen=True)
class Entry(Generic[T]):
    """Something that a plugin registered under a name."""

    name: str
    value: T
    plugin: str


@dataclass(frozen=True)
class LazyCommand:
    """A command that is imported only when it is used: the texts for its help, and its place."""

    summary: str
    place: str
    """The place of the function, as `module:attribute`."""
    panel: str


@dataclass
class Registry:
    """Everything that was registered, by kind and name."""

    strategies: dict[str, Entry[Strategy]] = field(default_factory=dict)
    rules: dict[str, Entry[Rule]] = field(default_factory=dict)
    games: dict[str, Entry[Path | Mapping[str, Any]]] = field(default_factory=dict)
    metrics: dict[str, Entry[Metric]] = field(default_factory=dict)
    hosts: dict[str, Entry[Host]] = field(default_factory=dict)
    formats: dict[str, Entry[Format]] = field(default_factory=dict)
    commands: dict[str, Entry[LazyCommand]] = field(default_factory=dict)

    def by_kind(self) -> dict[str, dict[str, Entry[Any]]]:
        """Return the registered objects by the name of their kind."""
        return {kind: getattr(self, kind) for kind in KINDS}


KINDS = tuple(kind.name for kind in fields(Registry))
"""The kinds of things that plugins register. The hook for a kind is named `register_` plus the kind."""

CLASSES = {"strategies": "Strategy", "rules": "Rule", "metrics": "Metric", "hosts": "Host", "formats": "Format"}
"""The public class of each kind of object."""


def checked(kind: str, *given: Any, **named: Any) -> tuple[str, Any]:
    """Return the name and the value of the entry that a hook registers. Raises PluginError if it is invalid."""
    special: dict[str, Callable[..., tuple[str, Any]]]
    special = {"strategies": _strategy, "games": _game, "metrics": _metric, "commands": _command}
    return special.get(kind, partial(_object, kind))(*given, **named)


def _object(kind: str, value: Any) -> tuple[str, Any]:
    wanted = CLASSES[kind]
    if not isinstance(value, getattr(importlib.import_module("wordle_kit"), wanted)):
        call = f"register({value.__name__}())" if isinstance(value, type) else f"register a wordle_kit.{wanted}"
        raise PluginError(f"register_{kind} got {short_repr(value)}, which is not a {wanted.lower()}; {call}")
    return _check_name(kind, value.name), value


def _strategy(value: Any, name: str | None = None) -> tuple[str, Any]:
    own, strategy = _object("strategies", value)
    _check_name("strategies", strategy.version)
    strategy.parameters()  # raises an error if JSON cannot write them
    return own if name is None else _check_name("strategies", name), strategy


def _metric(value: Any) -> tuple[str, Any]:
    name, metric = _object("metrics", value)
    if any(name == other.name for other in importlib.import_module("wordle_kit.leaderboard.metrics").METRICS):
        raise PluginError(f"the engine has a metric called {name!r}; give yours another name")
    return name, metric


def _game(value: Any) -> tuple[str, Any]:
    if isinstance(value, Mapping):
        return str(value.get("name")), value
    if isinstance(value, str | Path):
        return Path(value).stem, Path(value)
    raise PluginError(f"register_games got {short_repr(value)}; register the path of a TOML file or its fields")


def _command(name: str, summary: str, place: str, panel: str = "More commands") -> tuple[str, Any]:
    for word in name.split(" ", 1):
        _check_name("commands", word)
    if ":" not in place:
        raise PluginError(
            f"register_commands got the place {short_repr(place)} for {name}; write it as module:function"
        )
    return name, LazyCommand(one_line(summary).rstrip("."), place, one_line(panel))


def _check_name(kind: str, name: Any) -> str:
    if not isinstance(name, str) or not VALID_NAME.fullmatch(name):
        raise PluginError(
            f"register_{kind} got the name {short_repr(name)}; use at most 100 letters, digits and . : + -"
        )
    return name
