"""What a plugin registers: call its hooks and check everything that they give."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import pluggy

from wordle_kit import hookspecs
from wordle_kit.errors import PluginError
from wordle_kit.game.rules import Rule
from wordle_kit.names import shown, unknown
from wordle_kit.strategy.parameters import parameters_problem
from wordle_kit.strategy.strategy import LONGEST_NAME, SAYABLE, Strategy
from wordle_kit.texts import line

T = TypeVar("T", covariant=True)


@dataclass(frozen=True)
class Registered(Generic[T]):
    """Something that a plugin registered under a name."""

    name: str
    value: T
    plugin: str
    aliases: tuple[str, ...] = ()
    """Other names for it, such as those that it had before."""


@dataclass
class Registrations:
    """Strategies, rules and games by their names."""

    strategies: dict[str, Registered[Strategy]] = field(default_factory=dict)
    rules: dict[str, Registered[Rule]] = field(default_factory=dict)
    games: dict[str, Registered[Path | Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def aliases(self) -> dict[str, str]:
        """The name of a strategy by each of its aliases."""
        return {alias: entry.name for entry in self.strategies.values() for alias in entry.aliases}

    def by_kind(self) -> dict[str, dict[str, Registered[Any]]]:
        """Return the registered objects by the word for their kind."""
        return {"strategies": self.strategies, "rules": self.rules, "games": self.games}

    def names(self) -> dict[str, dict[str, Registered[Any]]]:
        """Return what each name stands for, aliases included, by kind."""
        others = {alias: self.strategies[name] for alias, name in self.aliases.items()}
        return self.by_kind() | {"strategies": self.strategies | others}

    def add(self, kind: str, entry: Registered[Any]) -> None:
        """Add an entry. Raises PluginError if one of its names is taken."""
        taken = self.names()[kind]
        for name in (entry.name, *entry.aliases):
            if name in taken:
                raise PluginError(f"it registers {name!r} twice; give one of them another name")
            taken = {**taken, name: entry}
        self.by_kind()[kind][entry.name] = entry


def plugin_manager() -> pluggy.PluginManager:
    """Return a manager that knows the hooks."""
    manager = pluggy.PluginManager(hookspecs.NAME)
    manager.add_hookspecs(hookspecs)
    return manager


def registered_by(plugin: str, manager: pluggy.PluginManager) -> Registrations:
    """Call the hooks of one plugin and return what it registers. Raises PluginError for what cannot be registered."""
    found = Registrations()
    others = [other for name, other in manager.list_name_plugin() if name != plugin and other is not None]

    def register_strategy(strategy: Strategy, name: str | None = None, aliases: Iterable[str] = ()) -> None:
        called = _checked_name(strategy, name)
        found.add("strategies", Registered(called, strategy, plugin, _checked_aliases(called, aliases)))

    def register_rule(rule: Rule) -> None:
        if not isinstance(rule, Rule):
            raise PluginError(f"register_rules got {shown(rule)}, which is not a rule; register an instance of a Rule")
        found.add("rules", Registered(rule.name, rule, plugin))

    def register_game(game: Path | Mapping[str, Any]) -> None:
        if isinstance(game, Mapping):
            found.add("games", Registered(str(game.get("name")), game, plugin))
        elif isinstance(game, str | Path):
            found.add("games", Registered(Path(game).stem, Path(game), plugin))
        else:
            raise PluginError(f"register_games got {shown(game)}; register the path of a TOML file or its fields")

    registers: dict[str, Callable[..., None]] = {
        "register_strategies": register_strategy,
        "register_rules": register_rule,
        "register_games": register_game,
    }
    for hook, register in registers.items():
        manager.subset_hook_caller(hook, remove_plugins=others)(register=register)
    return found


def check_hooks(module: ModuleType, manager: pluggy.PluginManager) -> None:
    """Raise PluginError for a hook that does not exist, and for a module without hooks."""
    known = [name for name in vars(hookspecs) if name.startswith("register_")]
    marked = [name for name in vars(module) if manager.parse_hookimpl_opts(module, name) is not None]
    for name in marked:
        if name not in known:
            code = getattr(getattr(module, name), "__code__", None)
            line_number = code.co_firstlineno if code else 0
            raise PluginError(f"line {line_number}: {unknown('hook', name, known)}")
    if not marked:
        raise PluginError(
            f"it has no hooks; mark a function with @wordle_kit.hookimpl and call it {' or '.join(known)}"
        )


def _checked_name(strategy: object, name: str | None) -> str:
    """Return the name to register a strategy by. Raises PluginError if it cannot be registered."""
    if not isinstance(strategy, Strategy):
        hint = f"register({strategy.__name__}())" if inspect.isclass(strategy) else "register an instance of a Strategy"
        raise PluginError(f"register_strategies got {shown(strategy)}, which is not a strategy; {hint}")
    called = strategy.name if name is None else name
    for what, text in (("name", called), ("version", strategy.version)):
        if not isinstance(text, str) or not text.strip():
            raise PluginError(f"register_strategies got a strategy whose {what} is {shown(text)}; make it a text")
        if len(text) > LONGEST_NAME or not text.isprintable():
            limit = f"at most {LONGEST_NAME} characters that can be shown"
            raise PluginError(f"register_strategies got the {what} {line(text, LONGEST_NAME)!r}; use {limit}")
    if not re.fullmatch(SAYABLE, called):
        raise PluginError(f"register_strategies got the name {called!r}; use letters, digits and . : + -")
    problem = parameters_problem(strategy.parameters())
    if problem is not None:
        raise PluginError(f"register_strategies got {called}, whose parameters {problem}")
    return called


def _checked_aliases(called: str, aliases: object) -> tuple[str, ...]:
    """Return the aliases of a strategy. Raises PluginError unless they are a list of names."""
    if isinstance(aliases, str) or not isinstance(aliases, Iterable):
        raise PluginError(f"register_strategies got aliases={shown(aliases)} for {called}; give a list of names")
    names = tuple(aliases)
    for name in names:
        if not isinstance(name, str) or len(name) > LONGEST_NAME or not re.fullmatch(SAYABLE, name):
            raise PluginError(
                f"register_strategies got the alias {shown(name)} for {called}; use at most {LONGEST_NAME} letters, "
                "digits and . : + -"
            )
    return names
