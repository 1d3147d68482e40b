"""Find plugins, load them, and keep what they register. A plugin that fails is reported; the others are still loaded.

Trusted plugins run in this process. With isolation, the code of files runs in other processes only.
"""

import inspect
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import pluggy

from wordle_kit import hookspecs
from wordle_kit.arguments import listed, path_of
from wordle_kit.errors import PluginError
from wordle_kit.faults import tell
from wordle_kit.game.rules import Rule
from wordle_kit.names import shown, unknown
from wordle_kit.plugin_sources import (
    ENVIRONMENT,
    Source,
    UnknownPluginError,
    check_file,
    error_line,
    installed_sources,
    is_file,
    named_source,
    real_path,
    requested_name,
    sources_in,
    watch_interrupts,
)
from wordle_kit.strategy.parameters import parameters_problem
from wordle_kit.strategy.strategy import LONGEST_NAME, SAYABLE, Strategy
from wordle_kit.texts import line

T = TypeVar("T")


@dataclass(frozen=True)
class PluginFailure:
    """A plugin that could not be loaded: its name, where it comes from, and the error with its file and line."""

    plugin: str
    origin: str
    error: str
    named: bool = False
    """Whether the caller asked for this plugin by its file or module, so that nothing should go on without it."""

    def __str__(self) -> str:
        return f"plugin {self.plugin} ({self.origin}): {self.error}"


@dataclass(frozen=True)
class Registered(Generic[T]):
    """Something that a plugin registered under a name."""

    name: str
    value: T
    plugin: str


class Isolator(ABC):
    """How to run strategies in other processes: the part of `wordle_kit.Isolation` that the core needs."""

    @abstractmethod
    def check(self) -> None:
        """Raise WordleKitError if strategies cannot be isolated on this machine."""

    @abstractmethod
    def load_file(self, path: Path, trusted: tuple[str, ...]) -> Mapping[str, Strategy]:
        """Return the strategies that a file registers, without running its code in this process.

        `trusted` are the plugins to load with it. Raises PluginError if the file cannot be loaded.
        """

    @abstractmethod
    def isolate(self, registered: "Registered[Strategy]", trusted: tuple[str, ...]) -> Strategy:
        """Return a registered strategy so that it runs in another process, which loads the plugins `trusted`."""

    @abstractmethod
    def isolate_object(self, given: Strategy | type[Strategy], plugins: "Plugins") -> Strategy:
        """Return a strategy of one of the plugins, with its parameters, so that it runs in another process."""


@dataclass
class Plugins:
    """What all loaded plugins registered, and which failed. `Plugins.load()` finds them."""

    requested: tuple[str, ...] = ()
    """The trusted plugins that were asked for in addition to the installed ones."""
    folders: tuple[str, ...] = ()
    """The folders of trusted plugins."""
    trusted: tuple[str, ...] = ()
    """What the processes of isolated strategies load to have the same trusted plugins; files by their full paths."""
    origins: dict[str, str] = field(default_factory=dict)
    """Where each loaded plugin comes from, by its name."""
    failures: list[PluginFailure] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    """A line for each installed plugin whose place one that was asked for has taken."""
    strategies: dict[str, Registered[Strategy]] = field(default_factory=dict)
    rules: dict[str, Registered[Rule]] = field(default_factory=dict)
    games: dict[str, Registered[Path | Mapping[str, Any]]] = field(default_factory=dict)

    @classmethod
    def load(
        cls,
        plugins: str | Path | Iterable[str | Path] = (),
        folders: str | Path | Iterable[str | Path] = (),
        *,
        strict: bool = False,
        isolation: Isolator | None = None,
    ) -> "Plugins":
        """Return the installed plugins, those of the environment, and these files or modules and folders of files.

        A plugin that is asked for replaces an installed one of the same name. `no:NAME` among `plugins` switches the
        plugin of that name off. With `strict` the first failure is raised as PluginError; so is a strategy, rule or
        game of a plugin that is asked for whose name is taken.

        With `isolation`, all strategies run in other processes. The code of these files, and of those in the folders,
        does not run in this process at all, so they can register strategies only; a rule or a game is a failure.
        """
        if isolation is not None:
            isolation.check()
        requested = [requested_name(plugin) for plugin in listed(plugins)]
        in_folders = [str(path_of("folder of plugins", folder)) for folder in listed(folders)]
        in_environment = [name.strip() for name in os.environ.get(ENVIRONMENT, "").split(",") if name.strip()]
        off = {name.removeprefix("no:") for name in (*in_environment, *requested) if name.startswith("no:")}
        installed = installed_sources()
        by_environment = [named_source(name) for name in in_environment if not name.startswith("no:")]
        by_caller = [named_source(name) for name in requested if not name.startswith("no:")]
        from_folders = [source for folder in in_folders for source in sources_in(Path(folder))]
        if isolation is not None:
            by_caller = [replace(source, foreign=source.file is not None) for source in by_caller]
            from_folders = [replace(source, foreign=True) for source in from_folders]
            requested, in_folders = [name for name in requested if not is_file(name)], []
        named = {source.origin for source in by_caller}
        sources: dict[str, Source] = {}
        for source in [*installed, *by_environment, *by_caller, *from_folders]:
            sources.setdefault(source.origin, replace(source, named=source.origin in named))
        stray = off - {source.name for source in sources.values()}
        if stray:
            raise PluginError(unknown("plugin", min(stray), (source.name for source in sources.values())))
        loaded = cls(tuple(requested), tuple(in_folders))
        asked_for = {source.name: source for source in [*by_environment, *by_caller]}
        known = {source.name for source in [*installed, *by_environment, *by_caller] if not source.foreign}
        loaded.trusted = tuple(
            str(real_path(Path(name).expanduser())) if is_file(name) else name
            for name in (*in_environment, *requested)
            if not name.startswith("no:") or name.removeprefix("no:") in known
        )
        manager = pluggy.PluginManager(hookspecs.NAME)
        manager.add_hookspecs(hookspecs)
        for source in sources.values():
            if source.name in off:
                continue
            if source in installed and source.name in asked_for:
                loaded.replaced.append(
                    f"plugin {source.name}: the one from {asked_for[source.name].origin} is used instead of the "
                    f"installed one ({source.origin})"
                )
                continue
            loaded._load(source, manager, isolation, strict)
        files = {source.origin for source in from_folders if not source.foreign} & set(loaded.origins.values())
        loaded.trusted += tuple(sorted(files))
        return loaded

    def _load(self, source: Source, manager: pluggy.PluginManager, isolation: Isolator | None, strict: bool) -> None:
        """Load one plugin and add what it registers, or note why it failed."""
        try:
            if source.name in self.origins:
                raise PluginError(f"its name is taken by the one from {self.origins[source.name]}; rename the file")
            with watch_interrupts() as pressed:
                check_file(source)
                if source.foreign and source.file is not None and isolation is not None:
                    strategies = isolation.load_file(source.file, self.trusted)
                    entries = {name: Registered(name, each, source.name) for name, each in strategies.items()}
                    found = Plugins(strategies=entries)
                else:
                    module = source.load()
                    _check_hooks(module, manager)
                    manager.register(module, name=source.name)
                    found = self._registered_by(source.name, manager)
                    if isolation is not None:
                        found = replace(found, trusted=self.trusted).isolated(isolation)
            self._check_names(found, source)
        except UnknownPluginError:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and pressed:
                raise
            if source.foreign and not isinstance(error, PluginError):
                raise  # its code does not run here, so the error is not the plugin's
            if manager.has_plugin(source.name):
                manager.unregister(name=source.name)
            if isinstance(error, TakenNameError) and source.named:
                raise
            if not source.foreign:
                tell(error)
            failure = PluginFailure(source.name, source.origin, error_line(error, source.origin), source.named)
            if strict:
                raise PluginError(str(failure)) from error
            self.failures.append(failure)
            return
        for here, new in zip(self._kinds(), found._kinds(), strict=True):
            here.update(new)
        self.origins[source.name] = source.origin

    def isolated(self, isolation: Isolator) -> "Plugins":
        """Return these plugins with strategies that run in other processes, which load the trusted plugins.

        Raises WordleKitError if strategies cannot be isolated on this machine.
        """
        isolation.check()
        strategies = {
            name: replace(entry, value=isolation.isolate(entry, self.trusted))
            for name, entry in self.strategies.items()
        }
        return replace(self, strategies=strategies)

    def _check_names(self, found: "Plugins", source: Source) -> None:
        """Raise TakenNameError if a plugin registers a name that another has registered before."""
        for kind, here, new in zip(("strategies", "rules", "games"), self._kinds(), found._kinds(), strict=True):
            for name in sorted(here.keys() & new.keys()):
                raise TakenNameError(
                    f"two {kind} are called {name!r}: plugin {here[name].plugin} has one "
                    f"({self.origins[here[name].plugin]}), plugin {source.name} another ({source.origin}); "
                    f"rename one, or switch one off with no:{here[name].plugin}"
                )

    def _kinds(self) -> tuple[dict[str, Registered[Any]], ...]:
        return self.strategies, self.rules, self.games

    @staticmethod
    def _registered_by(plugin: str, manager: pluggy.PluginManager) -> "Plugins":
        """Call the hooks of one plugin alone, so that what goes wrong is known to be its."""
        found = Plugins()
        others = [other for name, other in manager.list_name_plugin() if name != plugin and other is not None]

        def add(kind: dict[str, Registered[Any]], name: str, value: Any) -> None:
            if name in kind:
                raise PluginError(f"it registers {name!r} twice; give one of them another name")
            kind[name] = Registered(name, value, plugin)

        def register_strategy(strategy: Strategy, name: str | None = None) -> None:
            if not isinstance(strategy, Strategy):
                hint = (
                    f"register({strategy.__name__}())"
                    if inspect.isclass(strategy)
                    else "register an instance of a Strategy"
                )
                raise PluginError(f"register_strategies got {shown(strategy)}, which is not a strategy; {hint}")
            for what, text in (("name", strategy.name if name is None else name), ("version", strategy.version)):
                if not isinstance(text, str) or not text.strip():
                    raise PluginError(
                        f"register_strategies got a strategy whose {what} is {shown(text)}; make it a text"
                    )
                if len(text) > LONGEST_NAME or not text.isprintable():
                    limit = f"at most {LONGEST_NAME} characters that can be shown"
                    raise PluginError(f"register_strategies got the {what} {line(text, LONGEST_NAME)!r}; use {limit}")
            called = strategy.name if name is None else name
            if not re.fullmatch(SAYABLE, called):
                raise PluginError(f"register_strategies got the name {called!r}; use letters, digits and . : + -")
            problem = parameters_problem(strategy.parameters())
            if problem is not None:
                raise PluginError(f"register_strategies got {called}, whose parameters {problem}")
            add(found.strategies, called, strategy)

        def register_rule(rule: Rule) -> None:
            if not isinstance(rule, Rule):
                raise PluginError(
                    f"register_rules got {shown(rule)}, which is not a rule; register an instance of a Rule"
                )
            add(found.rules, rule.name, rule)

        def register_game(game: Path | Mapping[str, Any]) -> None:
            if isinstance(game, Mapping):
                add(found.games, str(game.get("name")), game)
            elif isinstance(game, str | Path):
                add(found.games, Path(game).stem, Path(game))
            else:
                raise PluginError(f"register_games got {shown(game)}; register the path of a TOML file or its fields")

        registers = {
            "register_strategies": register_strategy,
            "register_rules": register_rule,
            "register_games": register_game,
        }
        for hook, register in registers.items():
            manager.subset_hook_caller(hook, remove_plugins=others)(register=register)
        return found


@cache
def default_plugins() -> Plugins:
    """Return the installed plugins and those of the environment, loaded once."""
    return Plugins.load()


class TakenNameError(PluginError):
    """A plugin that registers a name that another plugin has registered before."""


def _check_hooks(module: ModuleType, manager: pluggy.PluginManager) -> None:
    known = [name for name in vars(hookspecs) if name.startswith("register_")]
    marked = [name for name in vars(module) if manager.parse_hookimpl_opts(module, name) is not None]
    for name in marked:
        if name not in known:
            raise PluginError(f"line {_line_of(module, name)}: {unknown('hook', name, known)}")
    if not marked:
        raise PluginError(
            f"it has no hooks; mark a function with @wordle_kit.hookimpl and call it {' or '.join(known)}"
        )


def _line_of(module: ModuleType, name: str) -> int:
    code = getattr(getattr(module, name), "__code__", None)
    return code.co_firstlineno if code else 0
