"""Plugins: finds them, loads them with pluggy, and keeps what they register. One that fails is named, the others work.

The engine is imported only when it is needed, since the command line loads plugins to find their commands.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pluggy

from wordle_kit import hookspecs
from wordle_kit.errors import GameError, PluginError, StrategyError, unknown
from wordle_kit.faults import blamed_line, send_traceback
from wordle_kit.identity import FILE, LIBRARIES, digest_of, loaded_files
from wordle_kit.texts import line, shown

if TYPE_CHECKING:
    from wordle_kit.game.files import WrittenGame
    from wordle_kit.game.game import Game
    from wordle_kit.game.rules import Rule
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tables import Format

T = TypeVar("T", covariant=True)

GROUPS = (hookspecs.NAME, f"{hookspecs.NAME}.commands")
"""The entry-point groups of plugins. Those of the second one only register commands, and are found without the engine.
"""

ENVIRONMENT = "WORDLE_KIT_PLUGINS"
"""The environment variable that lists plugins to load in every run, separated by commas."""

TYPED_NAME = r"[a-z][a-z0-9]*([-_][a-z0-9]+)*"
"""The pattern of names of metrics, hosts, formats and commands."""

HOOKS = [name for name, value in vars(hookspecs).items() if hasattr(value, f"{hookspecs.NAME}_spec")]
"""The names of the hooks."""

LONGEST_NAME = 100
"""The most characters of a name."""

LONGEST_NOTE = 2000

PACKAGE = "__init__.py"


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
        asked = [*map(_as_text, _listed(plugins))]
        listed_in_environment = [name.strip() for name in os.environ.get(ENVIRONMENT, "").split(",")]
        every = [*(_as_text(name) for name in listed_in_environment if name), *asked]
        off = {name.removeprefix("no:") for name in every if name.startswith("no:")}
        requested = [_source(name, named=name in asked) for name in every if not name.startswith("no:")]
        in_folders = [source for folder in _listed(folders) for source in _in_folder(folder)]
        installed, replaced = [], []
        for source in installed_sources(groups):
            other = next((one for one in requested if one.name == source.name), None)
            if other is None or source.name in off:
                installed.append(source)
            else:
                replaced.append(
                    f"plugin {source.name}: the one from {other.origin} is used instead of the installed one "
                    f"({source.origin})"
                )
        sources = {source.origin: source for source in reversed([*installed, *requested, *in_folders])}
        known = {source.name for source in sources.values()} | {source.name for source in installed_sources()}
        if not off <= known:
            raise PluginError(unknown("plugin", min(off - known), known))
        loaded = cls(
            commands=dict(commands or {}),
            requested=tuple(dict.fromkeys(one.origin for one in requested)),
            replaced=tuple(replaced),
        )
        for source in reversed(sources.values()):
            if source.name not in off:
                loaded.add(source, strict=strict)
        return loaded

    def add(self, source: Source, *, strict: bool = False) -> None:
        """Add a plugin, or record why it failed. With `strict`, a failure is raised as PluginError."""
        try:
            if source.name in self.origins:
                raise PluginError(f"its name is taken by the one from {self.origins[source.name]}; rename the file")
            self._register(source, source.load())
        except UnknownPluginError:
            raise
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
                    if impl.plugin_name == source.name:
                        _call(impl, register=partial(self._add, found, kind, source.name))
        except BaseException:
            self._manager.unregister(module)
            del self.origins[source.name]
            raise
        for kind, here in self.by_kind().items():
            here.update(found.by_kind()[kind])

    def _add(self, found: Registrations, kind: str, plugin: str, *given: Any, **named: Any) -> None:
        """Add an entry to what was found of a plugin. Raises PluginError if it is wrong, or a name is taken."""
        entry = CHECKS[kind](plugin, *given, **named)
        names = (entry.name, *entry.aliases)
        taken = self.names(kind)
        for name in names:
            if name in found.names(kind) or names.count(name) > 1:
                raise PluginError(f"it registers {name!r} twice; give one of them another name")
            if name in taken:
                other = taken[name].plugin
                raise PluginError(
                    f"two {kind} are called {name!r}: plugin {other} ({self.origins.get(other, 'the engine')}) has one "
                    f"too; rename one, or switch one off with no:{other}"
                )
        found.by_kind()[kind][entry.name] = entry

    def announce_event(self, event: str, **given: Any) -> None:
        """Call an event hook of every plugin that implements it. An exception becomes one line on standard error."""
        for impl in getattr(self._manager.hook, event).get_hookimpls():
            plugin = impl.plugin_name
            try:
                _call(impl, **given)
            except (Exception, SystemExit) as error:
                send_traceback(error)
                note(f"plugin {plugin}: {event} failed: {error_line(error, self.origins[plugin])}")

    def hear(self, event: str) -> bool:
        """Return whether some plugin implements an event hook. If none does, its arguments need not be prepared."""
        return bool(getattr(self._manager.hook, event).get_hookimpls())

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
        if file is None or os.path.realpath(file) in self.origins.values():
            return self
        kinds: dict[str, Any] = {kind: dict(entries) for kind, entries in self.by_kind().items()}
        more = replace(self, origins=dict(self.origins), failures=[*self.failures], **kinds)
        for plugin, module in self._manager.list_name_plugin():
            more._manager.register(module, plugin)
        try:
            source = _source(_as_text(file), named=True)
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
        """Return the entry of the strategy with this name or alias. Raises StrategyError if there is none."""
        names = self.names("strategies")
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


# Where plugins come from


class UnknownPluginError(PluginError):
    """Raised if a requested plugin does not exist, which is the user's mistake and not a plugin's."""


def installed_sources(groups: Iterable[str] = GROUPS) -> list[Source]:
    """Return the plugins that installed packages declare as entry points, sorted by name."""
    found: dict[str, Source] = {}
    versions: dict[object, str] = {}  # of each package, whose metadata is parsed each time it is read
    for group in groups:
        for entry in importlib.metadata.entry_points(group=group):
            if entry.dist is not None and entry.dist not in versions:
                facts = entry.dist.metadata
                versions[entry.dist] = f"{facts['Name']} {facts['Version']}: "
            found.setdefault(entry.name, Source(entry.name, f"{versions.get(entry.dist, '')}{entry.value}", entry.load))
    return [found[name] for name in sorted(found)]


def is_file(name: str) -> bool:
    """Return whether a requested plugin is a file rather than a module."""
    return not name.startswith("no:") and (name.endswith(".py") or os.sep in name)


def _listed(given: str | Path | Iterable[str | Path]) -> list[str | Path]:
    if isinstance(given, str | Path):
        return [given]
    if not isinstance(given, Iterable):
        raise PluginError(f"{shown(given)} is not a path or a list of paths")
    return list(given)


def _as_text(plugin: object) -> str:
    """Return a requested plugin as text: the path of a file, even for a package in a folder, a module or no:NAME."""
    if not isinstance(plugin, str | Path) or not str(plugin):
        raise PluginError(f"plugin {shown(plugin)}: give the path of a file, the name of a module or no:NAME")
    name = str(plugin)
    package = Path(name).expanduser() / PACKAGE
    in_folder = isinstance(plugin, Path) or is_file(name) or (not name.startswith("no:") and _found(name) is None)
    return str(package) if in_folder and package.is_file() else name


def _source(name: str, *, named: bool) -> Source:
    """Return the plugin in a file or a module. Raises UnknownPluginError if there is none."""
    path = Path(name).expanduser()
    if is_file(name) and path.is_file():
        return replace(_file(path), named=named)
    if not is_file(name) and _found(name) is not None:
        return Source(name, f"module {name}", partial(importlib.import_module, name), named)
    if path.is_dir():
        hint = f"the folder has no {PACKAGE}; name a file in it, or load all its files with --plugins-dir"
    else:
        file = path.with_suffix(".py")
        hint = f"for the file, give {file}" if file.is_file() else "for a file, give its path with .py"
    raise UnknownPluginError(f"plugin {name}: there is no such {'file' if is_file(name) else 'module'}; {hint}")


def _found(name: str) -> object:
    """Return where a module is found, without importing it, or None."""
    try:
        return importlib.util.find_spec(name.partition(".")[0])
    except (ImportError, ValueError):
        return None


def _in_folder(folder: str | Path) -> list[Source]:
    """Return the plugins in a folder: its Python files, except those whose names begin with an underscore."""
    if not isinstance(folder, str | Path) or not Path(folder).expanduser().is_dir():
        raise PluginError(f"{shown(folder)} is not a folder of plugins")
    return [_file(path) for path in sorted(Path(folder).expanduser().glob("*.py")) if not path.name.startswith("_")]


def _file(path: Path) -> Source:
    path = Path(os.path.realpath(path))
    name = path.parent.name if path.name == PACKAGE else path.stem
    return Source(line(name, LONGEST_NAME), str(path), partial(load_file, path))


def load_file(path: Path) -> ModuleType:
    """Return the module of a plugin's file. It is imported again only if it, or a module that it imports, has changed.

    While it is imported, modules of its folder are found after installed ones. They are then renamed, so that plugins
    of other folders may have modules of the same names.
    """
    if not path.is_file() or path.suffix != ".py":
        raise PluginError("it is not a Python file; its name must end in .py")
    is_package, digest = path.name == PACKAGE, digest_of(path)
    # The same file has the same name in every process, for pickle and for numba's cache.
    name = f"{FILE}{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
    if name in sys.modules and loaded_files[name] == digest:
        return sys.modules[name]
    _forget(name)
    folder = path.parent
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[str(folder)] if is_package else None
    )
    assert spec is not None  # noqa: S101 - the name ends in .py
    assert spec.loader is not None  # noqa: S101
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    loaded_files[name] = digest
    try:
        with _modules_of(folder, name, folder.name if is_package else None):
            spec.loader.exec_module(module)
    except BaseException:
        _forget(name)
        raise
    return module


def _forget(name: str) -> None:
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


def file_of(kind: type) -> Path | None:
    """Return the file of the plugin that defines a class. For installed modules and notebooks, return None."""
    top = kind.__module__.partition(".")[0]
    return Path(str(sys.modules[top].__file__)) if top in loaded_files else None


# What plugins say


def note(text: str) -> None:
    """Print a note as one line on standard error."""
    print(f"wordle-kit: {line(text, LONGEST_NOTE)}", file=sys.stderr)


def error_line(error: BaseException, origin: str) -> str:
    """Return an error as one line that names the file and line of the plugin that raised it."""
    message = " ".join(str(error).partition("For further information")[0].split())  # pydantic adds an address
    if getattr(error, "code", None) == "model-field-missing-annotation":
        error = PluginError(f"{message.split('`')[1]!r} has no type; write one, as in `depth: int = 2`")
        message = str(error)
    if isinstance(error, SyntaxError):
        return f"{error.filename or origin}, line {error.lineno or 1}: {type(error).__name__}: {error.msg}"
    blamed = blamed_line(error, [origin.rpartition(" ")[2]])  # the origin of an installed plugin ends with its module
    where = f"{blamed}: " if blamed else ""
    if isinstance(error, PluginError):
        return f"{where}{message}"
    kind = type(error).__name__
    return f"{where}{kind}: {message}" if message else f"{where}{kind}"


def _call(impl: pluggy.HookImpl, **given: Any) -> None:
    impl.function(*(given[name] for name in impl.argnames))


def _check_hooks(module: ModuleType, manager: pluggy.PluginManager) -> None:
    """Raise PluginError if the module has no hooks, has one that does not exist, or has one without its mark."""
    marked = {name: manager.parse_hookimpl_opts(module, name) for name in vars(module)}
    hooks = {name: options for name, options in marked.items() if options is not None}
    for name, options in hooks.items():
        if name not in HOOKS and not options["optionalhook"]:
            code = getattr(getattr(module, name), "__code__", None)
            raise PluginError(f"line {code.co_firstlineno if code else 0}: {unknown('hook', name, HOOKS)}")
    unmarked = [name for name in HOOKS if isinstance(getattr(module, name, None), FunctionType) and name not in hooks]
    if unmarked:
        raise PluginError(f"{unmarked[0]} is not marked as a hook; write @wordle_kit.hookimpl above it")
    if not hooks:
        raise PluginError(
            f"it has no hooks; mark a function with @wordle_kit.hookimpl and call it {' or '.join(HOOKS)}"
        )


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
