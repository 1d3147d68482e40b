"""Finds plugins, loads them, and keeps what they register. A plugin that fails is reported, and the others still load.

The engine is imported only when it is needed, since the command line loads plugins to find their commands.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pluggy

from wordle_kit import hookspecs
from wordle_kit.errors import GameError, PluginError, StrategyError, unknown
from wordle_kit.faults import send_traceback
from wordle_kit.plugin_modules import file_of
from wordle_kit.plugin_sources import (
    PluginFailure,
    Source,
    TakenNameError,
    UnknownPluginError,
    check_file,
    choose,
    error_line,
    named_source,
    note,
    real_path,
    requested_name,
    watch_interrupts,
)
from wordle_kit.sources import noting_files
from wordle_kit.texts import line, shown

if TYPE_CHECKING:
    from wordle_kit.game.files import WrittenGame
    from wordle_kit.game.game import Game
    from wordle_kit.game.rules import Rule
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tables import Format

T = TypeVar("T", covariant=True)

TYPED_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
"""The pattern of names of metrics, hosts, formats and commands."""

PLACE = re.compile(r"[^\s:]+:[A-Za-z_]\w*")


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
    """A command, or options that are added to a command: what help shows without importing it, and its place."""

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

    def names(self) -> dict[str, dict[str, Registered[Any]]]:
        """Return what each name and alias stands for, by kind."""
        return {
            kind: entries | {alias: entry for entry in entries.values() for alias in entry.aliases}
            for kind, entries in self.by_kind().items()
        }

    def add(self, kind: str, entry: Registered[Any]) -> None:
        """Add an entry. Raises PluginError if one of its names is taken."""
        taken = self.names()[kind]
        for name in (entry.name, *entry.aliases):
            if name in taken:
                raise PluginError(f"it registers {name!r} twice; give one of them another name")
            taken = {**taken, name: entry}
        self.by_kind()[kind][entry.name] = entry


KINDS = tuple(each.name for each in fields(Registrations))
"""The kinds of things that plugins register. The hook for a kind is named `register_` plus the kind."""


@dataclass
class Plugins(Registrations):
    """What all loaded plugins registered, and which failed. `Plugins.load()` finds them."""

    origins: dict[str, str] = field(default_factory=dict)
    """Where each loaded plugin comes from, by the plugin's name."""
    modules: dict[str, ModuleType] = field(default_factory=dict)
    """The module of each plugin whose code runs in this process."""
    failures: list[PluginFailure] = field(default_factory=list)
    requested: tuple[str, ...] = ()
    """The trusted plugins that were requested in addition to the installed ones."""
    trusted: tuple[str, ...] = ()
    """The trusted plugins that processes of isolated strategies load too. Files have their full paths."""
    replaced: tuple[str, ...] = ()
    """A line for each installed plugin that a requested one replaces."""

    @classmethod
    def load(
        cls,
        plugins: str | Path | Iterable[str | Path] = (),
        folders: str | Path | Iterable[str | Path] = (),
        *,
        strict: bool = False,
    ) -> Plugins:
        """Return the installed plugins, those of the environment variable, and the requested plugins and folders.

        `plugins` are files and modules. A requested plugin replaces an installed one of the same name. `no:NAME`
        switches the plugin with that name off. With `strict`, the first failure is raised as PluginError. It is also
        raised if a requested plugin registers a strategy, rule or game whose name is taken.
        """
        from wordle_kit.arguments import listed, path_of

        in_folders = [path_of("folder of plugins", folder) for folder in listed(folders)]
        chosen = choose(listed(plugins), in_folders)
        loaded = cls(
            requested=chosen.requested,
            trusted=chosen.trusted,
            replaced=chosen.replaced,
        )
        for source in chosen.sources:
            loaded._add(source, strict)
        files = {source.origin for source in chosen.sources if source.in_folder}
        loaded.trusted += tuple(sorted(files & set(loaded.origins.values())))
        return loaded

    def add_plugin(self, source: Source, load: Callable[[Source], Registrations], *, strict: bool = False) -> bool:
        """Add what `load` returns for a plugin and return True, or record why it failed and return False.

        With `strict`, a failure is raised as PluginError. So is a name that is already taken, if the caller requested
        the plugin.
        """
        try:
            if source.name in self.origins:
                raise PluginError(f"its name is taken by the one from {self.origins[source.name]}; rename the file")
            with watch_interrupts() as pressed:
                check_file(source)
                found = load(source)
            self._check_names(found, source)
        except UnknownPluginError:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and pressed:
                raise
            self.modules.pop(source.name, None)
            if isinstance(error, TakenNameError) and source.named:
                raise
            send_traceback(error)
            failure = PluginFailure(source.name, source.origin, error_line(error, source.origin), source.named)
            if strict:
                raise PluginError(str(failure)) from error
            self.failures.append(failure)
            return False
        for kind, here in self.by_kind().items():
            here.update(found.by_kind()[kind])
        self.origins[source.name] = source.origin
        return True

    def import_plugin(self, source: Source, kinds: Iterable[str] | None = None) -> Registrations:
        """Import a plugin into this process and return what it registers, of these kinds or of all kinds."""
        with noting_files():
            module = self.modules[source.name] = source.load()
            return registered_by(source.name, module, KINDS if kinds is None else kinds)

    def hear(self, event: str) -> bool:
        """Return whether some plugin implements an event hook. If none does, its arguments need not be prepared."""
        manager, modules = plugin_manager(), self.modules.values()
        return any(hasattr(module, event) and manager.parse_hookimpl_opts(module, event) for module in modules)

    def announce_event(self, event: str, **given: Any) -> None:
        """Call an event hook of every plugin that implements it. An exception becomes one line on standard error."""
        for plugin, module in self.modules.items():
            try:
                manager = plugin_manager()
                manager.register(module, name=plugin)
                with watch_interrupts() as pressed:
                    getattr(manager.hook, event)(**given)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt) and pressed:
                    raise
                send_traceback(error)
                note(f"plugin {plugin}: {event} failed: {error_line(error, self.origins.get(plugin, plugin))}")

    def _add(self, source: Source, strict: bool) -> None:
        """Load one plugin. A plugin that fails is not trusted."""
        if not self.add_plugin(source, self.import_plugin, strict=strict):
            self.trusted = tuple(name for name in self.trusted if name not in (source.name, source.origin))

    def find_game(self, game: Game | str | Path | Mapping[str, Any]) -> Game:
        """Return a game, given in any form that `wordle_kit.load_game` accepts. Raises GameError."""
        from wordle_kit.game.files import build_game
        from wordle_kit.game.game import Game

        if isinstance(game, Game):
            return game
        if not isinstance(game, str | Path | Mapping):
            raise GameError(f"{shown(game)} is not a game; give a name, the path of a TOML file, its fields or a Game")
        written = self._written(game)
        rules = self._with(written.plugin, written.where).rules
        return build_game(written, {name: rule.value for name, rule in rules.items()})

    def for_game(self, game: Game | str | Path | Mapping[str, Any]) -> Plugins:
        """Return these plugins and, if it is not among them, the plugin that has the game's rule.

        It is the plugin that the game's file names, which is announced on standard error, or the file that defines the
        rule of a Game object.
        """
        from wordle_kit.game.game import Game

        if isinstance(game, Game):
            return self._with(file_of(type(game.rule)), None)
        written = self._written(game)
        return self._with(written.plugin, written.where)._with(file_of(type(written.fields.get("rule"))), None)

    def _written(self, game: str | Path | Mapping[str, Any]) -> WrittenGame:
        from wordle_kit.game.files import read_settings

        return read_settings(game, {name: entry.value for name, entry in self.games.items()})

    def _with(self, file: Path | None, named_by: str | None) -> Plugins:
        """Return these plugins and the plugin in `file`, which a game names or which defines a game's rule."""
        if file is None or str(real_path(file)) in self.origins.values():
            return self
        source = replace(named_source(requested_name(file)), named=True)
        kinds: dict[str, Any] = {kind: dict(entries) for kind, entries in self.by_kind().items()}
        more = replace(self, **kinds, origins=dict(self.origins), modules=dict(self.modules), failures=[*self.failures])
        more.requested, more.trusted = (*self.requested, source.origin), (*self.trusted, source.origin)
        try:
            if named_by is not None and file.is_file():
                note(f"{named_by} loads the plugin {source.origin}")
            more._add(source, strict=True)
        except PluginError as error:
            if named_by is None:
                raise
            raise GameError(f"{named_by}: {error}") from error
        return more

    def find_strategy(self, spec: Strategy | type[Strategy] | str) -> Strategy:
        """Return a strategy, given in any form that `wordle_kit.load_strategy` accepts. Raises StrategyError."""
        from wordle_kit.strategy.specs import parse_spec
        from wordle_kit.strategy.strategy import Strategy

        if isinstance(spec, Strategy):
            return spec
        if isinstance(spec, type) and issubclass(spec, Strategy):
            return spec()
        if not isinstance(spec, str):
            raise StrategyError(f"{shown(spec)} is not a strategy; give a text such as 'entropy', or a Strategy object")
        name, parameters = parse_spec(spec)
        return self.configure(self.registered_strategy(name).value, parameters)

    def registered_strategy(self, name: str) -> Registered[Strategy]:
        """Return the entry of the strategy with this name or alias. Raises StrategyError if there is none."""
        names = self.names()["strategies"]
        if name not in names:
            failed = "".join(f"; {failure}" for failure in self.failures[:1])  # the failed plugin may have the name
            raise StrategyError(f"{unknown('strategy', name, names)}{failed}")
        return names[name]

    def configure(self, strategy: Strategy, parameters: Mapping[str, Any]) -> Strategy:
        """Return a strategy with some parameters changed.

        A parameter that is itself a strategy may be given as a spec.
        """
        if not parameters:
            return strategy
        known = strategy.strategies
        return strategy.with_parameters(
            {
                name: self.find_strategy(value) if name in known and isinstance(value, str) else value
                for name, value in parameters.items()
            }
        )

    def _check_names(self, found: Registrations, source: Source) -> None:
        """Raise TakenNameError if a plugin registers a name that another plugin has registered already."""
        for kind, here in self.names().items():
            for name in sorted(here.keys() & found.names()[kind].keys()):
                other = here[name].plugin
                place = f" ({self.origins[other]})" if other in self.origins else ""
                raise TakenNameError(
                    f"two {kind} are called {name!r}: plugin {other} has one{place}, plugin {source.name} another "
                    f"({source.origin}); rename one, or switch one off with no:{other}"
                )


@cache
def default_plugins() -> Plugins:
    """Return the installed plugins and those of the environment variable. They are loaded only once."""
    return Plugins.load()


def plugins_of(plugins: Plugins | None) -> Plugins:
    """Return these plugins, or the default ones for None. Raises PluginError for values of other types."""
    if plugins is not None and not isinstance(plugins, Plugins):
        raise PluginError(f"plugins is {shown(plugins)}; give what Plugins.load() returns")
    return plugins or default_plugins()


# Hooks, and checks of what they register


def plugin_manager() -> pluggy.PluginManager:
    """Return a plugin manager that knows the hooks."""
    manager = pluggy.PluginManager(hookspecs.NAME)
    manager.add_hookspecs(hookspecs)
    return manager


def registered_by(plugin: str, module: ModuleType, kinds: Iterable[str] = KINDS) -> Registrations:
    """Call the hooks of one plugin and return what it registers.

    Raises PluginError if something cannot be registered.
    """
    manager = plugin_manager()
    check_hooks(module, manager)
    manager.register(module, name=plugin)
    found = Registrations()
    for kind in kinds:

        def register(*given: Any, _kind: str = kind, **named: Any) -> None:
            found.add(_kind, CHECKS[_kind](plugin, *given, **named))

        getattr(manager.hook, f"register_{kind}")(register=register)
    return found


def check_hooks(module: ModuleType, manager: pluggy.PluginManager) -> None:
    """Raise PluginError if the module has no hooks, or has one that does not exist and is not marked as optional."""
    known = [name for name in vars(hookspecs) if hasattr(manager.hook, name) and not name.startswith("_")]
    marked = {name: manager.parse_hookimpl_opts(module, name) for name in vars(module)}
    hooks = {name: options for name, options in marked.items() if options is not None}
    for name, options in hooks.items():
        if name not in known and not options["optionalhook"]:
            code = getattr(getattr(module, name), "__code__", None)
            line_number = code.co_firstlineno if code else 0
            raise PluginError(f"line {line_number}: {unknown('hook', name, known)}")
    if not hooks:
        raise PluginError(
            f"it has no hooks; mark a function with @wordle_kit.hookimpl and call it {' or '.join(known)}"
        )


def _strategy(
    plugin: str, strategy: object, name: str | None = None, aliases: Iterable[str] = ()
) -> Registered[Strategy]:
    """Return the entry of a strategy. Raises PluginError if it cannot be registered."""
    from wordle_kit.strategy.specs import SAYABLE
    from wordle_kit.strategy.strategy import LONGEST_NAME, Strategy, parameters_problem

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
    if isinstance(aliases, str) or not isinstance(aliases, Iterable):
        raise PluginError(f"register_strategies got aliases={shown(aliases)} for {called}; give a list of names")
    others = tuple(aliases)
    for alias in others:
        if not isinstance(alias, str) or len(alias) > LONGEST_NAME or not re.fullmatch(SAYABLE, alias):
            raise PluginError(
                f"register_strategies got the alias {shown(alias)} for {called}; use at most {LONGEST_NAME} letters, "
                "digits and . : + -"
            )
    return Registered(called, strategy, plugin, others)


def _rule(plugin: str, rule: object) -> Registered[Rule]:
    from wordle_kit.game.rules import Rule

    if not isinstance(rule, Rule):
        raise PluginError(f"register_rules got {shown(rule)}, which is not a rule; register an instance of a Rule")
    return Registered(rule.name, rule, plugin)


def _game(plugin: str, game: object) -> Registered[Path | Mapping[str, Any]]:
    if isinstance(game, Mapping):
        return Registered(str(game.get("name")), game, plugin)
    if isinstance(game, str | Path):
        return Registered(Path(game).stem, Path(game), plugin)
    raise PluginError(f"register_games got {shown(game)}; register the path of a TOML file or its fields")


def _object_of(kind: str, home: str, name: str, or_class: bool = False) -> Callable[[str, object], Registered[Any]]:
    """Return a check that accepts objects of a class, and with `or_class` also its subclasses. Names come from `name`.

    The class is given by its module and name. It is not imported here: a plugin with an object of the class has
    imported it.
    """

    def check(plugin: str, given: Any) -> Registered[Any]:
        wanted = getattr(sys.modules.get(home), name, None)
        is_one = wanted is not None and isinstance(given, wanted)
        if not (is_one or (or_class and wanted and inspect.isclass(given) and issubclass(given, wanted))):
            hint = f"register an instance of wordle_kit.{name}"
            raise PluginError(f"register_{kind} got {shown(given)}, which is not a {name.lower()}; {hint}")
        return Registered(_plain(kind, given.name), given, plugin)

    return check


def _command(
    plugin: str, name: object, summary: object, place: object, panel: str = "More commands"
) -> Registered[Any]:
    for what, text in (("name", name), ("summary", summary), ("place", place), ("panel", panel)):
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            raise PluginError(f"register_commands got the {what} {shown(text)}; give a text of one line")
    words = str(name).split(" ")
    if len(words) > 2 or not TYPED_NAME.fullmatch(words[0]) or not TYPED_NAME.fullmatch(words[-1].removeprefix("--")):
        raise PluginError(
            f"register_commands got the name {shown(name)}; use lower-case letters, digits and -, as in grade, "
            "new game or tournament --report"
        )
    if not PLACE.fullmatch(str(place)):
        raise PluginError(f"register_commands got the place {shown(place)} for {name}; write it as module:function")
    return Registered(str(name), DeclaredCommand(str(summary).rstrip("."), str(place), panel), plugin)


def _plain(kind: str, name: object) -> str:
    """Return a name unchanged. Raises PluginError if it cannot be typed as the value of an option."""
    if not isinstance(name, str) or not TYPED_NAME.fullmatch(name):
        raise PluginError(f"register_{kind} got the name {shown(name)}; use lower-case letters, digits and -")
    return name


CHECKS: Mapping[str, Callable[..., Registered[Any]]] = {
    "strategies": _strategy,
    "rules": _rule,
    "games": _game,
    "metrics": _object_of("metrics", "wordle_kit.leaderboard.metrics", "Metric"),
    "hosts": _object_of("hosts", "wordle_kit.tournaments.host", "Host", or_class=True),
    "formats": _object_of("formats", "wordle_kit.tables", "Format"),
    "commands": _command,
}
"""For each kind, the function that turns the arguments of `register` into an entry."""
