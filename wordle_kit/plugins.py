"""Plugins: loads them with pluggy, and keeps what they register. One that fails is named, the others work.

The engine is imported only when it is needed, since the command line loads plugins to find their commands.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from wordle_kit import hookspecs
from wordle_kit.errors import GameError, PluginError, StrategyError, unknown
from wordle_kit.faults import error_line, note, send_traceback
from wordle_kit.identity import FILE, LIBRARIES, digest_of, file_of, loaded_files
from wordle_kit.registry import CHECKS, KINDS, LONGEST_NAME, DeclaredCommand, Registered, Registrations
from wordle_kit.texts import line, shown

if TYPE_CHECKING:
    from wordle_kit.game.files import WrittenGame
    from wordle_kit.game.game import Game
    from wordle_kit.strategy.strategy import Strategy

GROUPS = (hookspecs.NAME, f"{hookspecs.NAME}.commands")
"""The entry-point groups of plugins. Those of the second one only register commands, and are found without the engine.
"""

ENVIRONMENT = "WORDLE_KIT_PLUGINS"
"""The environment variable that lists plugins to load in every run, separated by commas."""

HOOKS = [name for name, value in vars(hookspecs).items() if hasattr(value, f"{hookspecs.NAME}_spec")]
"""The names of the hooks."""

PACKAGE = "__init__.py"


@dataclass(frozen=True)
class Source:
    """A plugin to load: its name, where it comes from, and the function that imports it."""

    name: str
    origin: str
    load: Callable[[], ModuleType]
    named: bool = False
    """Whether the caller requested it by file or module."""


@dataclass(frozen=True)
class PluginFailure:
    """A plugin that could not be loaded: its name, where it comes from, and the error with its file and line."""

    plugin: str
    origin: str
    error: str
    named: bool = False
    """Whether the caller requested this plugin by file or module. If so, nothing should continue without it."""

    def __str__(self) -> str:
        return f"plugin {self.plugin} ({self.origin}): {self.error}"


@dataclass
class Plugins(Registrations):
    """What all loaded plugins registered, and which failed. `Plugins.load()` finds them."""

    origins: dict[str, str] = field(default_factory=dict)
    """Where each loaded plugin comes from, by the plugin's name."""
    failures: list[PluginFailure] = field(default_factory=list)
    requested: tuple[str, ...] = ()
    """The files and modules that were requested in addition to the installed ones."""
    replaced: tuple[str, ...] = ()
    """A line for each installed plugin that a requested one replaces."""

    def __post_init__(self) -> None:
        self._manager = pluggy.PluginManager(hookspecs.NAME)
        self._manager.add_hookspecs(hookspecs)

    @classmethod
    def load(
        cls,
        plugins: str | Path | Iterable[str | Path] = (),
        folders: str | Path | Iterable[str | Path] = (),
        *,
        strict: bool = False,
        groups: Iterable[str] = GROUPS,
        commands: Mapping[str, Registered[DeclaredCommand]] | None = None,
    ) -> Plugins:
        """Return the installed plugins, those of the environment variable, and the requested plugins and folders.

        `plugins` are files and modules. A requested plugin replaces an installed one of the same name. `no:NAME`
        switches the plugin with that name off. With `strict`, the first failure is raised as PluginError. `groups` are
        the entry-point groups of installed plugins, and `commands` those that the engine has.
        """
        asked = _listed(plugins)
        in_environment = [name.strip() for name in os.environ.get(ENVIRONMENT, "").split(",") if name.strip()]
        every = [*in_environment, *asked]
        off = {str(name).removeprefix("no:") for name in every if str(name).startswith("no:")}
        requested = [source_of(name, named=name in asked) for name in every if not str(name).startswith("no:")]
        in_folders = [source for folder in _listed(folders) for source in sources_in(Path(folder).expanduser())]
        installed, chosen = installed_sources(groups), {one.name: one for one in requested if one.name not in off}
        replaced = [
            f"plugin {one.name}: {chosen[one.name].origin} is used instead of the installed one ({one.origin})"
            for one in installed
            if one.name in chosen
        ]
        sources: dict[str, Source] = {}  # by origin, since a plugin may be given twice
        for one in (*(one for one in installed if one.name not in chosen), *requested, *in_folders):
            sources.setdefault(one.origin, one)
        known = {one.name for one in (*sources.values(), *installed_sources())} if off else off
        if not off <= known:
            raise PluginError(unknown("plugin", min(off - known), known))
        origins = tuple(dict.fromkeys(one.origin for one in requested))
        loaded = cls(commands=dict(commands or {}), requested=origins, replaced=tuple(replaced))
        for one in sources.values():
            if one.name not in off:
                loaded.add(one, strict=strict)
        return loaded

    def add(self, source: Source, *, strict: bool = False) -> None:
        """Add a plugin, or record why it failed. With `strict`, a failure is raised as PluginError."""
        try:
            if source.name in self.origins:
                raise PluginError(f"its name is taken by the one from {self.origins[source.name]}; rename the file")
            self._register(source, source.load())
        except (Exception, SystemExit) as error:
            send_traceback(error)
            failure = PluginFailure(source.name, source.origin, error_line(error, source.origin), source.named)
            if strict:
                raise PluginError(str(failure)) from error
            self.failures.append(failure)

    def _register(self, source: Source, module: ModuleType) -> None:
        """Add everything that a plugin registers, or nothing if it fails."""
        _check_hooks(module, self._manager)
        self._manager.register(module, source.name)
        self.origins[source.name] = source.origin
        found = Registrations()
        try:
            for kind in KINDS:
                for impl in getattr(self._manager.hook, f"register_{kind}").get_hookimpls():
                    if impl.plugin is module:
                        _call(impl, register=partial(self._add, found, kind, source.name))
        except (Exception, SystemExit):
            self._manager.unregister(module)
            del self.origins[source.name]
            raise
        for kind, here in self.by_kind().items():
            here.update(found.by_kind()[kind])

    def _add(self, found: Registrations, kind: str, plugin: str, *given: Any, **named: Any) -> None:
        """Add an entry to what was found of a plugin. Raises PluginError if it is wrong, or a name is taken."""
        entry = CHECKS[kind](plugin, *given, **named)
        name, registered = entry.name, self.by_kind()[kind]
        if name in found.by_kind()[kind]:
            raise PluginError(f"it registers {name!r} twice; give one of them another name")
        if name in registered:
            other = registered[name].plugin
            raise PluginError(
                f"two {kind} are called {name!r}: plugin {other} ({self.origins.get(other, 'the engine')}) has one "
                f"too; rename one, or switch one off with no:{other}"
            )
        found.by_kind()[kind][name] = entry

    def announce_event(self, event: str, **given: Any) -> None:
        """Call an event hook of every plugin that implements it. An exception becomes one line on standard error."""
        for impl in getattr(self._manager.hook, event).get_hookimpls():
            plugin = impl.plugin_name
            try:
                _call(impl, **given)
            except (Exception, SystemExit) as error:
                send_traceback(error)
                note(f"plugin {plugin}: {event} failed: {error_line(error, self.origins[plugin])}")

    def listens_to(self, event: str) -> bool:
        """Return whether some plugin implements an event hook. If none does, its arguments need not be prepared."""
        return bool(getattr(self._manager.hook, event).get_hookimpls())

    def find_game(self, game: Game | str | Path | Mapping[str, Any]) -> Game:
        """Return a game, given in any form that `wordle_kit.load_game` accepts. Raises GameError."""
        from wordle_kit.game.files import build_game
        from wordle_kit.game.game import Game

        if isinstance(game, Game):
            return game
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
        if file is None or os.path.realpath(file) in self.origins.values():
            return self
        kinds: dict[str, Any] = {kind: dict(entries) for kind, entries in self.by_kind().items()}
        more = replace(self, origins=dict(self.origins), failures=[*self.failures], **kinds)
        for plugin, module in self._manager.list_name_plugin():
            more._manager.register(module, plugin)
        try:
            source = source_of(file, named=True)
            more.requested = (*self.requested, source.origin)
            if named_by is not None and file.is_file():
                note(f"{named_by} loads the plugin {source.origin}")
            more.add(source, strict=True)
        except PluginError as error:
            raise error if named_by is None else GameError(f"{named_by}: {error}") from error
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
        """Return the entry of the strategy with this name. Raises StrategyError if there is none."""
        names = self.strategies
        if name not in names:
            file = Path(f"{name.replace('-', '_')}.py")
            if file.is_file():
                raise StrategyError(f"no strategy is called {name!r}; {file} is not loaded: add -p {file}")
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


@cache
def default_plugins() -> Plugins:
    """Return the installed plugins and those of the environment variable. They are loaded only once."""
    return Plugins.load()


def plugins_of(plugins: Plugins | None) -> Plugins:
    """Return these plugins, or the default ones for None. Raises PluginError for values of other types."""
    if plugins is not None and not isinstance(plugins, Plugins):
        raise PluginError(f"plugins is {shown(plugins)}; give what Plugins.load() returns")
    return plugins or default_plugins()


def _call(impl: pluggy.HookImpl, **given: Any) -> None:
    impl.function(*(given[name] for name in impl.argnames))


def _check_hooks(module: ModuleType, manager: pluggy.PluginManager) -> None:
    """Raise PluginError if the module has no hooks, has one that does not exist, or has one without its mark."""
    marked = {name: manager.parse_hookimpl_opts(module, name) for name in vars(module)}
    hooks = {name: options for name, options in marked.items() if options is not None}
    for name, options in hooks.items():
        if name not in HOOKS and not options["optionalhook"]:
            raise PluginError(unknown("hook", name, HOOKS))
    unmarked = [name for name in HOOKS if isinstance(getattr(module, name, None), FunctionType) and name not in hooks]
    if unmarked:
        raise PluginError(f"{unmarked[0]} is not marked as a hook; write @wordle_kit.hookimpl above it")
    if not hooks:
        raise PluginError(
            f"it has no hooks; mark a function with @wordle_kit.hookimpl and call it {' or '.join(HOOKS)}"
        )


# Where plugins come from


def installed_sources(groups: Iterable[str] = GROUPS) -> list[Source]:
    """Return the plugins that installed packages declare as entry points, sorted by name."""

    @cache
    def package(distribution: Any) -> str:
        facts = distribution.metadata  # parsed each time it is read
        return f"{facts['Name']} {facts['Version']}"

    entries = {entry.name: entry for group in groups for entry in importlib.metadata.entry_points(group=group)}
    return [Source(name, f"{package(each.dist)}: {each.value}", each.load) for name, each in sorted(entries.items())]


def _listed(given: str | Path | Iterable[str | Path]) -> list[str | Path]:
    every = [given] if isinstance(given, str | Path) else [*given] if isinstance(given, Iterable) else [given]
    if not all(isinstance(one, str | Path) for one in every):
        raise PluginError(f"{shown(given)} is not a path or a list of paths")
    return every


def is_file(name: str | Path) -> bool:
    """Return whether a requested plugin is a file or a folder rather than a module."""
    return isinstance(name, Path) or name.endswith(".py") or os.sep in name


def source_of(plugin: str | Path, *, named: bool) -> Source:
    """Return the plugin in a file, in a package's folder or in a module. Raises PluginError if there is none."""
    name, path = str(plugin), Path(plugin).expanduser()
    if not is_file(plugin) and _is_module(name):
        return Source(name, f"module {name}", partial(importlib.import_module, name), named)
    file = path / PACKAGE if (path / PACKAGE).is_file() else path
    if file.is_file() and file.suffix == ".py":
        return _in_file(file, named)
    if path.is_dir():
        hint = f"the folder has no {PACKAGE}; name a file in it, or load all its files with --plugins-dir"
    else:
        hint = f"for a file, give its path, such as {path.with_suffix('.py')}"
    raise PluginError(f"plugin {name}: there is no such {'file' if is_file(plugin) else 'module'}; {hint}")


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False


def sources_in(folder: Path) -> list[Source]:
    """Return the plugins in a folder: its Python files, except those whose names begin with an underscore."""
    if not folder.is_dir():
        raise PluginError(f"{folder} is not a folder of plugins")
    return [_in_file(path) for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]


def _in_file(path: Path, named: bool = False) -> Source:
    path = Path(os.path.realpath(path))
    name = path.parent.name if path.name == PACKAGE else path.stem
    return Source(line(name, LONGEST_NAME), str(path), partial(load_file, path), named)


def load_file(path: Path) -> ModuleType:
    """Return the module of a plugin's file. It is imported again only if it, or a module that it imports, has changed.

    While it is imported, modules of its folder are found after installed ones. They are then renamed, so that plugins
    of other folders may have modules of the same names.
    """
    is_package, digest = path.name == PACKAGE, digest_of(path)
    # The same file has the same name in every process, for pickle and for numba's cache.
    name = f"{FILE}{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
    if name in sys.modules and loaded_files.get(name) == digest:
        return sys.modules[name]
    _forget(name)
    folder = path.parent
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[str(folder)] if is_package else None
    )
    assert spec is not None  # noqa: S101 - the name ends in .py
    assert spec.loader is not None  # noqa: S101 - as above
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    with _modules_of(folder, name, folder.name if is_package else None):
        spec.loader.exec_module(module)
    loaded_files[name] = digest
    return module


def _forget(name: str) -> None:
    loaded_files.pop(name, None)
    for each in [each for each in sys.modules if each.partition(".")[0] == name]:
        del sys.modules[each]


@contextmanager
def _modules_of(folder: Path, name: str, package: str | None) -> Iterator[None]:
    """Let modules of a folder be imported in a `with` block, and rename them afterwards to begin with `name`.

    Installed modules come first, then those of the folder. A package may import itself by its own name.
    """
    before, path, no_bytecode = set(sys.modules), sys.path[:], sys.dont_write_bytecode
    installed = [each for each in path if any(Path(each).resolve().is_relative_to(place) for place in LIBRARIES)]
    own = str(folder if package is None else folder.parent)
    sys.path[:] = [*installed, own, *(each for each in path if each not in installed)]
    sys.dont_write_bytecode = True  # Python does not notice a second edit of a file within a second
    importlib.invalidate_caches()
    other = sys.modules.pop(package or "", None)
    if package is not None:
        sys.modules[package] = sys.modules[name]
    try:
        yield
    finally:
        sys.path[:], sys.dont_write_bytecode = path, no_bytecode
        sys.modules.pop(package or "", None)
        if other is not None:
            sys.modules[other.__name__] = other
        for old in [each for each in sys.modules if each not in before and each.partition(".")[0] != name]:
            module = sys.modules[old]
            places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
            if any(place is not None and Path(place).is_relative_to(folder) for place in places):
                _rename(module, old, f"{name}.{old}")


def _rename(module: ModuleType, old: str, new: str) -> None:
    sys.modules[new] = sys.modules.pop(old)
    for value in vars(module).values():
        if isinstance(value, type | FunctionType) and value.__module__ == old:
            value.__module__ = new
