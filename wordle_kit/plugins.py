"""Plugins: this module loads them with pluggy and keeps what they register.

If a plugin fails, a message names it, and the others still work. The engine is imported only when it is needed, since
the command line loads plugins to find their commands.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from wordle_kit import hookspecs
from wordle_kit.errors import GameError, PluginError, StrategyError, WordleKitError, listed, unknown
from wordle_kit.faults import error_line, note, send_traceback
from wordle_kit.plugin_files import GROUPS, Source, installed_sources, is_folder, source_of, sources_in
from wordle_kit.registry import KINDS, Entry, LazyCommand, Registry, checked
from wordle_kit.texts import short_repr

if TYPE_CHECKING:
    from wordle_kit.game.files import GameSettings
    from wordle_kit.game.game import Game
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.host import Host

ENVIRONMENT = "WORDLE_KIT_PLUGINS"
"""The environment variable that lists plugins to load in every run, separated by commas."""

OFF = "no:"
"""The prefix that switches a plugin off."""

HOOKS = [name for name, value in vars(hookspecs).items() if hasattr(value, f"{hookspecs.PROJECT}_spec")]
"""The names of the hooks."""


@dataclass(frozen=True)
class PluginFailure:
    """A plugin that could not be loaded: its name, where it comes from, and the error with its file and line."""

    plugin: str
    origin: str
    error: str

    def __str__(self) -> str:
        return f"plugin {self.plugin} ({self.origin}): {self.error}"


@dataclass
class Plugins(Registry):
    """The loaded plugins with everything that they registered, and those that failed. `Plugins.load()` finds them."""

    origins: dict[str, str] = field(default_factory=dict)
    """The origin of each loaded plugin by its name. The origin of a file is its path."""
    failures: list[PluginFailure] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    """A line for each installed plugin that a requested one replaces."""

    def __post_init__(self) -> None:
        self._manager = pluggy.PluginManager(hookspecs.PROJECT)
        self._manager.add_hookspecs(hookspecs)

    @classmethod
    def load(
        cls,
        plugins: str | Path | Iterable[str | Path] = (),
        *,
        groups: Iterable[str] = GROUPS,
        commands: Mapping[str, Entry[LazyCommand]] | None = None,
    ) -> Plugins:
        """Return the installed plugins, those in the environment variable and the requested ones.

        `plugins` are the requested files and modules, and folders of such files. A requested plugin, or one from the
        environment variable, replaces an installed plugin of the same name. `no:NAME` switches off the plugin with that
        name. `groups` are the entry-point groups of installed plugins, and `commands` are the commands of the engine.

        Raises PluginError if a requested file or module fails. Other failures are recorded.
        """
        named, in_folders, off = _sources(_paths(plugins))
        always = map(str.strip, os.environ.get(ENVIRONMENT, "").split(","))
        usual, in_usual_folders, usually_off = _sources(filter(None, always))
        every = {source.origin: source for source in (*usual, *named, *in_usual_folders, *in_folders)}
        if off:
            known = {source.name for source in (*installed_sources(), *every.values())}
            if not off <= known:
                raise PluginError(unknown("plugin", min(off - known), known))
        off |= usually_off
        instead = {source.name: source.origin for source in (*usual, *named) if source.name not in off}
        loaded = cls(commands=dict(commands or {}))
        for source in installed_sources(groups):
            if source.name in instead:
                used = f"{instead[source.name]} is used instead of the installed one ({source.origin})"
                loaded.replaced.append(f"plugin {source.name}: {used}")
            elif source.name not in off:
                loaded.add(source, required=False)
        for source in every.values():
            if source.name not in off:
                loaded.add(source, required=source in named)
        return loaded

    def add(self, source: Source, *, required: bool) -> None:
        """Add a plugin, or record why it failed. If it is required, a failure is raised as PluginError."""
        try:
            if source.name in self.origins:
                raise PluginError(f"its name is taken by the one from {self.origins[source.name]}; rename one of them")
            self._add(source, source.load())
        except (Exception, SystemExit) as error:
            send_traceback(error)
            failure = PluginFailure(source.name, source.origin, error_line(error, source.origin))
            if required:
                raise PluginError(str(failure)) from error
            self.failures.append(failure)

    def _add(self, source: Source, module: ModuleType) -> None:
        """Add everything that a plugin registers, or nothing if it fails."""
        _check_hooks(module, self._manager)
        self._manager.register(module, source.name)
        found: dict[str, dict[str, Entry[Any]]] = {kind: {} for kind in KINDS}
        try:
            for kind in KINDS:
                for impl in getattr(self._manager.hook, f"register_{kind}").get_hookimpls():
                    if impl.plugin is module:
                        _call(impl, register=partial(self._register, source.name, kind, found[kind]))
        except (Exception, SystemExit):
            self._manager.unregister(module)
            raise
        self.origins[source.name] = source.origin
        for kind, entries in found.items():
            self.by_kind()[kind].update(entries)

    def _register(self, plugin: str, kind: str, found: dict[str, Entry[Any]], *given: Any, **named: Any) -> None:
        """Put what a plugin registers into `found`. Raises PluginError if it is invalid or its name is taken."""
        name, value = checked(kind, *given, **named)
        taken = self.by_kind()[kind].get(name) or found.get(name)
        if taken is not None:
            other = taken.plugin
            raise PluginError(
                f"two {kind} are called {name!r}: plugin {other} ({self.origins.get(other, 'the engine')}) has one "
                f"too; rename one, or switch one off with {OFF}{other}"
            )
        found[name] = Entry(name, value, plugin)

    def announce_event(self, event: str, **given: Any) -> None:
        """Call an event hook of every plugin that implements it. An exception becomes one line on standard error."""
        for impl in getattr(self._manager.hook, event).get_hookimpls():
            plugin = impl.plugin_name
            try:
                _call(impl, **given)
            except (Exception, SystemExit) as error:
                send_traceback(error)
                note(f"plugin {plugin}: {event} failed: {error_line(error, self.origins[plugin])}")

    def find_game(self, game: Game | str | Path | Mapping[str, Any]) -> Game:
        """Return a game, given in any form that `wordle_kit.load_game` accepts. Raises GameError."""
        from wordle_kit.game.files import build_game
        from wordle_kit.game.game import Game

        if isinstance(game, Game):
            return game
        settings = self._settings_of(game)
        rules = self._with_plugin_of(settings).rules
        return build_game(settings, {name: rule.value for name, rule in rules.items()})

    def for_game(self, game: str | Path | Mapping[str, Any]) -> Plugins:
        """Return these plugins and the one that the game's file names, if any. A line on standard error names it."""
        return self._with_plugin_of(self._settings_of(game))

    def _settings_of(self, game: str | Path | Mapping[str, Any]) -> GameSettings:
        from wordle_kit.game.files import read_settings

        return read_settings(game, {name: entry.value for name, entry in self.games.items()})

    def _with_plugin_of(self, game: GameSettings) -> Plugins:
        file = game.plugin
        if file is None or os.path.realpath(file) in self.origins.values():
            return self
        kinds: dict[str, Any] = {kind: dict(entries) for kind, entries in self.by_kind().items()}
        more = replace(self, origins=dict(self.origins), failures=[*self.failures], **kinds)
        for plugin, module in self._manager.list_name_plugin():
            more._manager.register(module, plugin)
        source = source_of(file)
        if file.is_file():
            note(f"{game.where} loads the plugin {source.origin}")
        try:
            more.add(source, required=True)
        except PluginError as error:
            raise GameError(f"{game.where}: {error}") from error
        return more

    def find_host(self, name: str) -> Host:
        """Return the registered host with this name. Raises GameError, which names the known ones."""
        if not isinstance(name, str) or name not in self.hosts:
            raise GameError(unknown("host", name, self.hosts))
        return self.hosts[name].value

    def find_format(self, form: Format | str | Path, *, leaderboards: bool = False) -> Format:
        """Return the registered format with this name or, for a path, with its suffix. A Format is returned unchanged.

        With `leaderboards`, it may be one that writes only leaderboards. Of two formats with the same suffix, the later
        one is taken. Raises WordleKitError, which names the known ones.
        """
        from wordle_kit.tables import Format

        if isinstance(form, Format):
            return form
        every = [entry.value for entry in self.formats.values() if leaderboards or entry.value.write is not None]
        if isinstance(form, Path):
            by_suffix = {each.suffix: each for each in every if each.suffix}
            if form.suffix.lower() not in by_suffix:
                known = ", ".join(sorted(by_suffix))
                raise WordleKitError(f"{form}: no format has the suffix {form.suffix!r}; use {known}")
            return by_suffix[form.suffix.lower()]
        by_name = {each.name: each for each in every}
        if not isinstance(form, str) or form not in by_name:
            raise WordleKitError(unknown("format", form, by_name))
        return by_name[form]

    def find_strategy(self, spec: Strategy | type[Strategy] | str) -> Strategy:
        """Return a strategy, given in any form that `wordle_kit.load_strategy` accepts. Raises StrategyError."""
        from wordle_kit.strategy.specs import parse_spec
        from wordle_kit.strategy.strategy import Strategy

        if isinstance(spec, Strategy):
            return spec
        if isinstance(spec, type) and issubclass(spec, Strategy):
            return spec()
        if not isinstance(spec, str):
            raise StrategyError(
                f"{short_repr(spec)} is not a strategy; give a text such as 'entropy', or a Strategy object"
            )
        name, parameters = parse_spec(spec)
        strategy = self.registered_strategy(name).value
        inner = strategy.strategies
        for key, value in parameters.items():
            if key in inner and isinstance(value, str):
                parameters[key] = self.find_strategy(value)
        return strategy.with_parameters(parameters) if parameters else strategy

    def registered_strategy(self, name: str) -> Entry[Strategy]:
        """Return the entry of the strategy with this name. Raises StrategyError if there is none."""
        names = self.strategies
        if name not in names:
            file = Path(f"{name.replace('-', '_')}.py")
            if file.is_file():
                raise StrategyError(f"no strategy is called {name!r}; {file} is not loaded: add -p {file}")
            failed = "".join(f"; {failure}" for failure in self.failures[:1])  # it may have the strategy
            raise StrategyError(f"{unknown('strategy', name, names)}{failed}")
        return names[name]


@cache
def default_plugins() -> Plugins:
    """Return the installed plugins and those that the environment variable lists, loaded only once."""
    return Plugins.load()


def plugins_of(plugins: Plugins | None) -> Plugins:
    """Return these plugins, or the default ones for None. Raises PluginError for values of other types."""
    if plugins is not None and not isinstance(plugins, Plugins):
        raise PluginError(f"plugins is {short_repr(plugins)}; give what Plugins.load() returns")
    return plugins or default_plugins()


def _call(impl: pluggy.HookImpl, **given: Any) -> None:
    impl.function(*(given[name] for name in impl.argnames))


def _check_hooks(module: ModuleType, manager: pluggy.PluginManager) -> None:
    """Raise PluginError if the module has no hooks, marks a function that is no hook, or leaves a hook unmarked."""
    hooks = [name for name in vars(module) if manager.parse_hookimpl_opts(module, name) is not None]
    for name in hooks:
        if name not in HOOKS:
            raise PluginError(unknown("hook", name, HOOKS))
    for name in HOOKS:
        if hasattr(module, name) and name not in hooks:
            raise PluginError(f"{name} is not marked as a hook; write @wordle_kit.hookimpl above it")
    if not hooks:
        raise PluginError(
            f"it has no hooks; mark a function with @wordle_kit.hookimpl and call it {' or '.join(HOOKS)}"
        )


def _sources(names: Iterable[str | Path]) -> tuple[list[Source], list[Source], set[str]]:
    """Return the plugins that are named, those in folders, and the names that `no:NAME` switches off."""
    named: list[Source] = []
    in_folders: list[Source] = []
    off = set()
    for name in names:
        if str(name).startswith(OFF):
            off.add(str(name).removeprefix(OFF))
        elif is_folder(name):
            in_folders += sources_in(name)
        else:
            named.append(source_of(name))
    return named, in_folders, off


def _paths(given: Any) -> list[str | Path]:
    every = listed(given)
    if not all(isinstance(path, str | Path) for path in every):
        raise PluginError(f"{short_repr(given)} is not a path or a list of paths")
    return every
