"""What plugins register: entries by kind and name, and the checks of what `register` is given.

The engine is imported only when it is needed, since the command line loads plugins to find their commands.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wordle_kit.errors import PluginError
from wordle_kit.texts import shown

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
    aliases: tuple[str, ...] = ()
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

    @property
    def aliases(self) -> dict[str, str]:
        """The name of the strategy that each alias stands for."""
        return {alias: entry.name for entry in self.strategies.values() for alias in entry.aliases}

    def by_kind(self) -> dict[str, dict[str, Registered[Any]]]:
        """Return the registered objects by the name of their kind."""
        return {kind: getattr(self, kind) for kind in KINDS}

    def names(self, kind: str) -> dict[str, Registered[Any]]:
        """Return what each name and alias of a kind stands for."""
        entries = self.by_kind()[kind]
        return entries | {alias: entry for entry in entries.values() for alias in entry.aliases}


KINDS = tuple(each.name for each in fields(Registrations))
"""The kinds of things that plugins register. The hook for a kind is named `register_` plus the kind."""


def _strategy(plugin: str, strategy: Any, name: str | None = None, aliases: Iterable[str] = ()) -> Registered[Strategy]:
    from wordle_kit.strategy.specs import SAYABLE
    from wordle_kit.strategy.strategy import Strategy

    if not isinstance(strategy, Strategy):
        hint = (
            f"register({strategy.__name__}())" if isinstance(strategy, type) else "register an instance of a Strategy"
        )
        raise PluginError(f"register_strategies got {shown(strategy)}, which is not a strategy; {hint}")
    if isinstance(aliases, str):
        raise PluginError(f"register_strategies got aliases={shown(aliases)}; give a list of names")
    names = (strategy.name if name is None else name, *aliases)
    for each in (*names, strategy.version):
        _check_name("strategies", each, SAYABLE, "letters, digits and . : + -")
    strategy.parameters()  # raises an error if JSON cannot write them
    return Registered(names[0], strategy, plugin, names[1:])


def _check_name(
    kind: str, name: object, pattern: str = TYPED_NAME, allowed: str = "lower-case letters, digits and -"
) -> None:
    """Raise PluginError if a name cannot be typed where it is needed."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not re.fullmatch(pattern, name):
        raise PluginError(f"register_{kind} got the name {shown(name)}; use at most {LONGEST_NAME} of {allowed}")


def _rule(plugin: str, rule: Any) -> Registered[Rule]:
    from wordle_kit.game.rules import Rule

    if not isinstance(rule, Rule):
        raise PluginError(f"register_rules got {shown(rule)}, which is not a rule; register an instance of a Rule")
    return Registered(rule.name, rule, plugin)


def _game(plugin: str, game: Any) -> Registered[Path | Mapping[str, Any]]:
    if isinstance(game, Mapping):
        return Registered(str(game.get("name")), game, plugin)
    if isinstance(game, str | Path):
        return Registered(Path(game).stem, Path(game), plugin)
    raise PluginError(f"register_games got {shown(game)}; register the path of a TOML file or its fields")


def _object_of(kind: str, home: str, name: str) -> Callable[[str, Any], Registered[Any]]:
    """Return a check that accepts objects and subclasses of a class, which is given by its module and name.

    The class is not imported here: a plugin with an object of the class has imported it.
    """

    def check(plugin: str, given: Any) -> Registered[Any]:
        wanted = getattr(sys.modules.get(home), name, ())
        if not isinstance(given, wanted) and not (isinstance(given, type) and issubclass(given, wanted)):
            hint = f"register an instance of wordle_kit.{name}"
            raise PluginError(f"register_{kind} got {shown(given)}, which is not a {name.lower()}; {hint}")
        _check_name(kind, given.name)
        return Registered(given.name, given, plugin)

    return check


def _command(plugin: str, name: Any, summary: Any, place: Any, panel: Any = "More commands") -> Registered[Any]:
    for text in (name, summary, place, panel):
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            raise PluginError(f"register_commands got {shown(text)}; give a text of one line")
    _check_name("commands", name, rf"{TYPED_NAME}( {TYPED_NAME})?", "lower-case letters, digits and -")
    if not re.fullmatch(r"[^\s:]+:[A-Za-z_]\w*", place):
        raise PluginError(f"register_commands got the place {shown(place)} for {name}; write it as module:function")
    return Registered(name, DeclaredCommand(summary.rstrip("."), place, panel), plugin)


CHECKS: Mapping[str, Callable[..., Registered[Any]]] = {
    "strategies": _strategy,
    "rules": _rule,
    "games": _game,
    "metrics": _object_of("metrics", "wordle_kit.leaderboard.metrics", "Metric"),
    "hosts": _object_of("hosts", "wordle_kit.tournaments.host", "Host"),
    "formats": _object_of("formats", "wordle_kit.tables", "Format"),
    "commands": _command,
}
"""For each kind, the function that turns the arguments of `register` into an entry."""
