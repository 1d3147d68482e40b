"""Find plugins, load them, and keep what they register. A plugin that fails is reported; the others are still loaded.

Trusted plugins run in this process. With isolation, the code of files runs in other processes only.
"""

import hashlib
import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import inspect
import os
import re
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, Generic, TypeVar

import pluggy

from wordle_kit import hookspecs
from wordle_kit.arguments import listed, path_of
from wordle_kit.errors import PluginError
from wordle_kit.faults import place, tell
from wordle_kit.game.rules import Rule
from wordle_kit.names import shown, unknown
from wordle_kit.strategy.parameters import parameters_problem
from wordle_kit.strategy.strategy import LONGEST_NAME, SAYABLE, Strategy
from wordle_kit.texts import line, plain

T = TypeVar("T")

ENVIRONMENT = "WORDLE_KIT_PLUGINS"
"""The environment variable with plugins to load in every run: files, modules and `no:NAME`, between commas."""


@dataclass(frozen=True)
class Source:
    """A plugin to load: its name, where it comes from, and the function that imports it."""

    name: str
    origin: str
    load: Callable[[], ModuleType]
    file: Path | None = None
    """Its file, unless it is an installed package or a module."""
    named: bool = False
    """Whether the caller asked for it by its file or module."""
    in_folder: bool = False
    """Whether it was found in a folder, so that it need not be a plugin."""
    foreign: bool = False
    """Whether its code must not run in this process."""


@dataclass(frozen=True)
class Failure:
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
    failures: list[Failure] = field(default_factory=list)
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
        requested = [_name(plugin) for plugin in listed(plugins)]
        in_folders = [str(path_of("folder of plugins", folder)) for folder in listed(folders)]
        in_environment = [name.strip() for name in os.environ.get(ENVIRONMENT, "").split(",") if name.strip()]
        off = {name.removeprefix("no:") for name in (*in_environment, *requested) if name.startswith("no:")}
        installed = _installed()
        by_environment = [_named(name) for name in in_environment if not name.startswith("no:")]
        by_caller = [_named(name) for name in requested if not name.startswith("no:")]
        from_folders = [source for folder in in_folders for source in _in_folder(Path(folder))]
        if isolation is not None:
            by_caller = [replace(source, foreign=source.file is not None) for source in by_caller]
            from_folders = [replace(source, foreign=True) for source in from_folders]
            requested, in_folders = [name for name in requested if not _is_file(name)], []
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
            str(_real(Path(name).expanduser())) if _is_file(name) else name
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
            with _interrupts() as pressed:
                _check_file(source)
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
            failure = Failure(source.name, source.origin, _where(error, source.origin), source.named)
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


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Give a list that is empty until somebody presses Ctrl-C; a plugin may raise KeyboardInterrupt by itself."""
    pressed: list[int] = []
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield pressed
        return

    def note(number: int, frame: FrameType | None) -> Any:
        pressed.append(number)
        return usual(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        if signal.getsignal(signal.SIGINT) is note:  # the plugin may have set its own
            signal.signal(signal.SIGINT, usual)


def _installed() -> list[Source]:
    entries = importlib.metadata.entry_points(group=hookspecs.NAME)
    return [
        Source(
            entry.name,
            f"{entry.dist.name} {entry.dist.version}: {entry.value}" if entry.dist else entry.value,
            entry.load,
        )
        for entry in sorted(entries, key=lambda entry: entry.name)
    ]


def _is_file(name: str) -> bool:
    return not name.startswith("no:") and (name.endswith(".py") or os.sep in name)


def _name(plugin: object) -> str:
    """Return a plugin that was asked for as text. Raises PluginError for what can be neither a file nor a module."""
    if isinstance(plugin, Path):
        return str(plugin) if os.sep in str(plugin) else f".{os.sep}{plugin}"  # a path is a file, whatever its name
    if not isinstance(plugin, str):
        raise PluginError(f"plugin {shown(plugin)}: give the path of a file, the name of a module or no:NAME")
    return plugin


def _named(name: str) -> Source:
    if _is_file(name):
        return _file(Path(name).expanduser())
    try:
        found = bool(name) and importlib.util.find_spec(name.partition(".")[0]) is not None
    except (ImportError, ValueError):  # of what cannot be the name of a module
        found = False
    if not found:
        raise UnknownPluginError(f"plugin {name}: there is no such module; for a file, give its path with .py")
    return Source(name, f"module {name}", lambda: importlib.import_module(name))


def _in_folder(folder: Path) -> list[Source]:
    folder = folder.expanduser()
    if not folder.is_dir():
        raise PluginError(f"{folder}: is not a folder of plugins")
    files = [path for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    return [replace(_file(path), in_folder=True) for path in files]


def _real(path: Path) -> Path:
    """Return a path without links. One whose links form a circle is returned as it is; it is not a file."""
    return Path(os.path.realpath(path))


def _file(path: Path) -> Source:
    """Return the plugin in a file, which need not exist."""
    path = _real(path)

    def load() -> ModuleType:
        # The same name for the same text in every process, so that what the file defines can be pickled.
        digest = hashlib.sha256(os.fsencode(path) + path.read_bytes()).hexdigest()[:12]
        name = f"wordle_kit_file_{plain(path.stem)}_{digest}"
        if name in sys.modules:
            return sys.modules[name]
        loader = _Uncached(name, str(path))
        spec = importlib.util.spec_from_file_location(name, path, loader=loader)
        assert spec is not None  # noqa: S101 - there is a loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        return module

    return Source(line(path.stem, LONGEST_NAME), str(path), load, path)


def _check_file(source: Source) -> None:
    """Raise PluginError if the file of a plugin is not a Python file."""
    if source.file is None:
        return
    if not source.file.is_file():
        if source.in_folder:  # a link to nothing
            raise PluginError("it is not a file")
        raise UnknownPluginError(f"plugin {source.file}: there is no such file")
    if source.file.suffix != ".py":
        raise PluginError("it is not a Python file; its name must end in .py")


class UnknownPluginError(PluginError):
    """A plugin that was asked for and is not there, which is the user's mistake and no plugin's."""


class TakenNameError(PluginError):
    """A plugin that registers a name that another plugin has registered before."""


class _Uncached(importlib.machinery.SourceFileLoader):
    """Compiles a file as it is now: compiled files are told apart by the second, and people edit faster."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


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


def _where(error: BaseException, origin: str) -> str:
    """Return an error in one line, with the file and line of the plugin that it came from."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = "its message cannot be read"
    if isinstance(error, SyntaxError):
        return f"{error.filename or origin}, line {error.lineno or 1}: {type(error).__name__}: {error.msg}"
    blamed = place(error, [origin.rpartition(" ")[2]])  # of an installed plugin, where it comes from ends in its module
    where = f"{blamed}: " if blamed else ""
    if isinstance(error, PluginError):
        return f"{where}{message}"
    kind = type(error).__name__
    return f"{where}{kind}: {message}" if message else f"{where}{kind}"
