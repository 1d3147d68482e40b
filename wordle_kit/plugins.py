"""Find plugins, load them, and keep what they register. A plugin that fails is reported; the others are still loaded.

Trusted plugins run in this process. With isolation, the code of files runs in other processes only.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pluggy

from wordle_kit.arguments import listed, path_of
from wordle_kit.errors import GameError, PluginError, StrategyError
from wordle_kit.faults import send_traceback
from wordle_kit.game.files import WrittenGame, build_game, read_settings
from wordle_kit.game.game import Game
from wordle_kit.names import shown, unknown
from wordle_kit.plugin_sources import (
    ENVIRONMENT,
    PluginFailure,
    Source,
    TakenNameError,
    UnknownPluginError,
    announce,
    check_file,
    error_line,
    file_of,
    installed_sources,
    is_file,
    named_source,
    real_path,
    requested_name,
    sources_in,
    watch_interrupts,
)
from wordle_kit.registration import Registered, Registrations, check_hooks, plugin_manager, registered_by
from wordle_kit.sources import noting_files
from wordle_kit.strategy.strategy import Strategy, parse_spec


class Isolator(ABC):
    """How to run strategies in other processes: the part of `wordle_kit.Isolation` that the core needs."""

    @abstractmethod
    def check(self) -> None:
        """Raise WordleKitError if strategies cannot be isolated on this machine."""

    @abstractmethod
    def load_file(self, path: Path, trusted: tuple[str, ...], plugin: str) -> Sequence[Registered[Strategy]]:
        """Return the strategies that a plugin's file registers, without running its code in this process.

        `trusted` are the plugins to load with it. Raises PluginError if the file cannot be loaded.
        """

    @abstractmethod
    def isolate(self, registered: Registered[Strategy], trusted: tuple[str, ...]) -> Strategy:
        """Return a registered strategy so that it runs in another process, which loads the plugins `trusted`."""

    @abstractmethod
    def isolate_object(self, given: Strategy | type[Strategy], plugins: "Plugins") -> Strategy:
        """Return a strategy of one of the plugins, with its parameters, so that it runs in another process."""


@dataclass
class Plugins(Registrations):
    """What all loaded plugins registered, and which failed. `Plugins.load()` finds them."""

    requested: tuple[str, ...] = ()
    """The trusted plugins that were asked for in addition to the installed ones."""
    folders: tuple[str, ...] = ()
    """The folders of trusted plugins."""
    trusted: tuple[str, ...] = ()
    """The trusted plugins that processes of isolated strategies load too; files by their full paths."""
    origins: dict[str, str] = field(default_factory=dict)
    """Where each loaded plugin comes from, by its name."""
    failures: list[PluginFailure] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    """A line for each installed plugin that a requested one replaces."""
    isolation: Isolator | None = None
    """How their strategies are isolated, or None if they are not."""

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

        A requested plugin replaces an installed one of the same name. `no:NAME` among `plugins` switches the
        plugin of that name off. With `strict` the first failure is raised as PluginError; so is a requested plugin
        with a strategy, rule or game whose name is taken.

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
        loaded = cls(requested=tuple(requested), folders=tuple(in_folders), isolation=isolation)
        asked_for = {source.name: source for source in [*by_environment, *by_caller]}
        known = {source.name for source in [*installed, *by_environment, *by_caller] if not source.foreign}
        loaded.trusted = tuple(
            str(real_path(Path(name).expanduser())) if is_file(name) else name
            for name in (*in_environment, *requested)
            if not name.startswith("no:") or name.removeprefix("no:") in known
        )
        manager = plugin_manager()
        for source in sources.values():
            if source.name in off:
                continue
            if source in installed and source.name in asked_for:
                loaded.replaced.append(
                    f"plugin {source.name}: the one from {asked_for[source.name].origin} is used instead of the "
                    f"installed one ({source.origin})"
                )
                continue
            loaded._load(source, manager, strict)
        files = {source.origin for source in from_folders if not source.foreign} & set(loaded.origins.values())
        loaded.trusted += tuple(sorted(files))
        return loaded

    def _load(self, source: Source, manager: pluggy.PluginManager, strict: bool) -> None:
        """Load one plugin and add what it registers, or note why it failed."""
        try:
            if source.name in self.origins:
                raise PluginError(f"its name is taken by the one from {self.origins[source.name]}; rename the file")
            with watch_interrupts() as pressed:
                check_file(source)
                if source.foreign and source.file is not None and self.isolation is not None:
                    found = Registrations()
                    for entry in self.isolation.load_file(source.file, self.trusted, source.name):
                        found.add("strategies", entry)
                else:
                    with noting_files():
                        module = source.load()
                        check_hooks(module, manager)
                        manager.register(module, name=source.name)
                        found = registered_by(source.name, manager)
                    if self.isolation is not None:
                        found.strategies = _isolated(found.strategies, self.isolation, self.trusted)
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
                send_traceback(error)
            self.trusted = tuple(name for name in self.trusted if name not in (source.name, source.origin))
            failure = PluginFailure(source.name, source.origin, error_line(error, source.origin), source.named)
            if strict:
                raise PluginError(str(failure)) from error
            self.failures.append(failure)
            return
        for kind, here in self.by_kind().items():
            here.update(found.by_kind()[kind])
        self.origins[source.name] = source.origin

    def isolated(self, isolation: Isolator) -> "Plugins":
        """Return these plugins with strategies that run in other processes, which load the trusted plugins.

        Raises WordleKitError if strategies cannot be isolated on this machine.
        """
        isolation.check()
        strategies = _isolated(self.strategies, isolation, self.trusted)
        return replace(self, strategies=strategies, isolation=isolation)

    def find_game(self, game: Game | str | Path | Mapping[str, Any]) -> Game:
        """Return a game, given as `wordle_kit.load_game` takes it. Raises GameError."""
        if isinstance(game, Game):
            return game
        if not isinstance(game, str | Path | Mapping):
            raise GameError(f"{shown(game)} is not a game; give a name, the path of a TOML file, its fields or a Game")
        written = self._written(game)
        rules = self._with(written.plugin, written.where).rules
        return build_game(written, {name: rule.value for name, rule in rules.items()})

    def for_game(self, game: Game | str | Path | Mapping[str, Any]) -> "Plugins":
        """Return these plugins with the one that the game's rule comes from, if it is not among them.

        That is the plugin that the game's file names, which a line on standard error announces, or the file that
        defines the rule of a Game. With isolation, the former can only register strategies, as in `load`.
        """
        if isinstance(game, Game):
            return self._with(file_of(type(game.rule)), None)
        written = self._written(game)
        return self._with(written.plugin, written.where)

    def _written(self, game: str | Path | Mapping[str, Any]) -> WrittenGame:
        return read_settings(game, {name: entry.value for name, entry in self.games.items()})

    def _with(self, file: Path | None, named_by: str | None) -> "Plugins":
        """Return these plugins with the one in a file that a game names, or that has the rule of a loaded game."""
        if file is None or str(real_path(file)) in self.origins.values():
            return self
        source = replace(named_source(requested_name(file)), named=True, foreign=bool(self.isolation and named_by))
        kinds: dict[str, Any] = {kind: dict(entries) for kind, entries in self.by_kind().items()}
        more = replace(self, **kinds, origins=dict(self.origins), failures=[*self.failures])
        if not source.foreign:
            more.requested, more.trusted = (*self.requested, source.origin), (*self.trusted, source.origin)
        try:
            if named_by is not None and file.is_file():
                announce(f"{named_by} loads the plugin {source.origin}")
            more._load(source, plugin_manager(), strict=True)
        except PluginError as error:
            if named_by is None:
                raise
            raise GameError(f"{named_by}: {error}") from error
        return more

    def find_strategy(self, spec: Strategy | type[Strategy] | str) -> Strategy:
        """Return a strategy, given as `wordle_kit.load_strategy` takes it. Raises StrategyError."""
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
            failed = "".join(f"; {failure}" for failure in self.failures[:1])  # it may have the name
            raise StrategyError(f"{unknown('strategy', name, names)}{failed}")
        return names[name]

    def configure(self, strategy: Strategy, parameters: Mapping[str, Any]) -> Strategy:
        """Return a strategy with some parameters changed; one that is itself a strategy may be given by its spec."""
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
        """Raise TakenNameError if a plugin registers a name that another has registered before."""
        for kind, here in self.names().items():
            for name in sorted(here.keys() & found.names()[kind].keys()):
                raise TakenNameError(
                    f"two {kind} are called {name!r}: plugin {here[name].plugin} has one "
                    f"({self.origins[here[name].plugin]}), plugin {source.name} another ({source.origin}); "
                    f"rename one, or switch one off with no:{here[name].plugin}"
                )


@cache
def default_plugins() -> Plugins:
    """Return the installed plugins and those of the environment, loaded once."""
    return Plugins.load()


def plugins_of(plugins: Plugins | None) -> Plugins:
    """Return these plugins, or the installed ones for None. Raises PluginError for values of other types."""
    if plugins is not None and not isinstance(plugins, Plugins):
        raise PluginError(f"plugins is {shown(plugins)}; give what Plugins.load() returns")
    return plugins or default_plugins()


def _isolated(
    strategies: Mapping[str, Registered[Strategy]], isolation: Isolator, trusted: tuple[str, ...]
) -> dict[str, Registered[Strategy]]:
    return {name: replace(entry, value=isolation.isolate(entry, trusted)) for name, entry in strategies.items()}
