"""Sources of plugins: installed packages, modules, files and folders of files, and the import of their code."""

import importlib
import importlib.machinery
import importlib.metadata
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from wordle_kit import hookspecs
from wordle_kit.errors import PluginError, unknown
from wordle_kit.faults import blamed_line
from wordle_kit.plugin_modules import PACKAGE_FILE, is_elsewhere, load_file, top_level
from wordle_kit.texts import line, shown

ENVIRONMENT = "WORDLE_KIT_PLUGINS"
"""The environment variable that lists plugins to load in every run, separated by commas: files, modules and `no:NAME`.
"""

LONGEST_NAME = 100
"""The most characters of a plugin's name."""

LONGEST_NOTE = 2000
"""The most characters of a note."""


NOT_A_PACKAGE = (
    f"the folder has no {PACKAGE_FILE}; add one, name a file in the folder, or load all its files with --plugins-dir"
)


@dataclass(frozen=True)
class Source:
    """A plugin to load: its name, where it comes from, and the function that imports it."""

    name: str
    origin: str
    load: Callable[[], ModuleType]
    file: Path | None = None
    """Its file, unless it is an installed package or a module."""
    named: bool = False
    """Whether the caller requested it by file or module."""
    in_folder: bool = False
    """Whether it was found in a folder. Then it need not be a plugin."""
    module: str | None = None
    """The name of its module, if an installed package declares it."""


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


@contextmanager
def watch_interrupts() -> Iterator[list[int]]:
    """Yield a list that gets an entry if the user presses Ctrl-C.

    The list tells a real Ctrl-C from a KeyboardInterrupt that a plugin raises.
    """
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
        if signal.getsignal(signal.SIGINT) is note:  # the plugin may have set another handler
            signal.signal(signal.SIGINT, usual)


def installed_sources() -> list[Source]:
    """Return the plugins that installed packages declare as entry points, sorted by name."""
    packages: dict[object, str] = {}
    found = []
    for entry in sorted(importlib.metadata.entry_points(group=hookspecs.NAME), key=lambda entry: entry.name):
        origin = entry.value
        if entry.dist is not None:
            if entry.dist not in packages:
                facts = entry.dist.metadata  # read only once, since it is parsed each time
                packages[entry.dist] = f"{facts['Name']} {facts['Version']}"
            origin = f"{packages[entry.dist]}: {entry.value}"
        found.append(Source(entry.name, origin, entry.load, module=entry.module))
    return found


@dataclass(frozen=True)
class Chosen:
    """The plugins to load, in their order, and the requests from which they were chosen."""

    sources: tuple[Source, ...]
    replaced: tuple[str, ...]
    """A line for each installed plugin that a requested one replaces."""
    requested: tuple[str, ...]
    """The files, modules and `no:NAME` that the caller requested."""
    trusted: tuple[str, ...]
    """The same, for other machines. Files have their full paths. Files found in folders are left out."""


def choose(plugins: Iterable[object] = (), folders: Iterable[Path] = ()) -> Chosen:
    """Return the plugins to load: installed, from the environment variable and requested, except those switched off.

    Raises PluginError if a requested plugin cannot exist, or if there is no plugin with the name in `no:NAME`.
    """
    requested, in_folders = [requested_name(plugin) for plugin in plugins], [str(folder) for folder in folders]
    listed = (name.strip() for name in os.environ.get(ENVIRONMENT, "").split(","))
    in_environment = [requested_name(name) for name in listed if name]
    off = {name.removeprefix("no:") for name in (*in_environment, *requested) if name.startswith("no:")}
    installed = installed_sources()
    by_environment = [named_source(name) for name in in_environment if not name.startswith("no:")]
    by_caller = [named_source(name) for name in requested if not name.startswith("no:")]
    from_folders = [source for folder in in_folders for source in sources_in(Path(folder))]
    named = {source.origin for source in by_caller}
    sources: dict[str, Source] = {}
    for source in [*installed, *by_environment, *by_caller, *from_folders]:
        sources.setdefault(source.origin, replace(source, named=source.origin in named))
    stray = off - {source.name for source in sources.values()}
    if stray:
        raise PluginError(unknown("plugin", min(stray), (source.name for source in sources.values())))
    asked_for = {source.name: source for source in [*by_environment, *by_caller]}
    known = {source.name for source in [*installed, *asked_for.values()]}
    trusted = [
        str(real_path(Path(name).expanduser())) if is_file(name) else name
        for name in (*in_environment, *requested)
        if not name.startswith("no:") or name.removeprefix("no:") in known
    ]
    superseded = {
        source.origin: f"plugin {source.name}: the one from {asked_for[source.name].origin} is used instead of the "
        f"installed one ({source.origin})"
        for source in installed
        if source.name in asked_for and source.name not in off
    }
    return Chosen(
        tuple(each for each in sources.values() if each.name not in off and each.origin not in superseded),
        tuple(superseded.values()),
        tuple(requested),
        tuple(trusted),
    )


def mentions(source: Source, hook: str) -> bool:
    """Return whether the text of a plugin mentions a hook, without importing it.

    If the text is not found, return True.
    """
    try:
        path = source.file or _file_of_module(source.module)
        return path is None or path.suffix != ".py" or hook.encode() in path.read_bytes()
    except OSError:  # loading the plugin will show the error
        return True


def _file_of_module(name: str | None) -> Path | None:
    """Return the file of a module, or None if it is not found, without importing the module or its package."""
    found, folders = None, None
    parts = (name or "").split(".")
    for count in range(1, len(parts) + 1):
        part = ".".join(parts[:count])
        found = top_level(part) if count == 1 else importlib.machinery.PathFinder.find_spec(part, folders)
        if found is None:
            return None
        folders = None if found.submodule_search_locations is None else list(found.submodule_search_locations)
    return None if found is None or found.origin is None else Path(found.origin)


def is_file(name: str) -> bool:
    """Return whether a requested plugin is a file rather than a module."""
    return not name.startswith("no:") and (name.endswith(".py") or os.sep in name)


def requested_name(plugin: object) -> str:
    """Return a requested plugin as text. A package in a folder becomes the path of its file.

    A name without a folder means a module if there is one, otherwise a package in the current folder. Raises
    PluginError if the plugin can be neither a file nor a module.
    """
    if not isinstance(plugin, str | Path):
        raise PluginError(f"plugin {shown(plugin)}: give the path of a file, the name of a module or no:NAME")
    name = f".{os.sep}{plugin}" if isinstance(plugin, Path) and os.sep not in str(plugin) else str(plugin)
    if not name or name.startswith("no:") or (not is_file(name) and is_elsewhere(name.partition(".")[0], Path.cwd())):
        return name
    package = Path(name).expanduser() / PACKAGE_FILE
    return str(package) if package.is_file() else name


def named_source(name: str) -> Source:
    """Return the plugin in a file or a module. Raises UnknownPluginError if there is no such module."""
    if is_file(name):
        return _file(Path(name).expanduser())
    if not name or top_level(name.partition(".")[0]) is None:
        if Path(f"{name}.py").is_file():
            raise UnknownPluginError(f"plugin {name}: there is no such module; for the file, give {name}.py")
        if name and Path(name).is_dir():
            raise UnknownPluginError(f"plugin {name}: {NOT_A_PACKAGE}")
        raise UnknownPluginError(
            f"plugin {name}: there is no such module, nor a package in this folder; for a file, give its path with .py"
        )
    return Source(name, f"module {name}", lambda: importlib.import_module(name))


def sources_in(folder: Path) -> list[Source]:
    """Return the plugins in a folder: its Python files, except those whose names begin with an underscore."""
    folder = folder.expanduser()
    if not folder.is_dir():
        raise PluginError(f"{folder}: is not a folder of plugins")
    files = [path for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    return [replace(_file(path), in_folder=True) for path in files]


def real_path(path: Path) -> Path:
    """Return a path without links. If its links form a circle, the path is returned unchanged; it is not a file."""
    return Path(os.path.realpath(path))


def note(text: str) -> None:
    """Print a note as one line on standard error."""
    print(f"wordle-kit: {line(text, LONGEST_NOTE)}", file=sys.stderr)


def _file(path: Path) -> Source:
    """Return the plugin in a file. The file need not exist."""
    path = real_path(path)

    name = path.parent.name if path.name == PACKAGE_FILE else path.stem
    return Source(line(name, LONGEST_NAME), str(path), lambda: load_file(path, note), path)


def check_file(source: Source) -> None:
    """Raise PluginError if the file of a plugin is not a Python file."""
    if source.file is None:
        return
    if not source.file.is_file():
        if source.in_folder:  # a link to a missing file
            raise PluginError("it is not a file")
        if source.file.is_dir():
            raise UnknownPluginError(f"plugin {source.file}: {NOT_A_PACKAGE}")
        raise UnknownPluginError(f"plugin {source.file}: there is no such file")
    if source.file.suffix != ".py":
        raise PluginError("it is not a Python file; its name must end in .py")


class UnknownPluginError(PluginError):
    """Raised if a requested plugin does not exist, which is the user's mistake and not a plugin's."""


class TakenNameError(PluginError):
    """Raised if a plugin registers a name that another plugin has registered already."""


def error_line(error: BaseException, origin: str) -> str:
    """Return an error as one line that names the file and line of the plugin that raised it."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = "its message cannot be read"
    if isinstance(error, SyntaxError):
        return f"{error.filename or origin}, line {error.lineno or 1}: {type(error).__name__}: {error.msg}"
    blamed = blamed_line(error, [origin.rpartition(" ")[2]])  # the origin of an installed plugin ends with its module
    where = f"{blamed}: " if blamed else ""
    if isinstance(error, PluginError):
        return f"{where}{message}"
    kind = type(error).__name__
    return f"{where}{kind}: {message}" if message else f"{where}{kind}"
