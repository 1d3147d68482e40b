"""Where plugins come from: entry points, modules, files, and folders of files.

While a file is imported, modules of its folder are found after the installed ones. They are then renamed, so that
plugins of other folders may have modules of the same names.
"""

import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType

from wordle_kit import hookspecs
from wordle_kit.errors import PluginError
from wordle_kit.identity import FILE, LIBRARIES, digest_of, loaded_files
from wordle_kit.registry import LONGEST_NAME
from wordle_kit.texts import line, shown

GROUPS = (hookspecs.NAME, f"{hookspecs.NAME}.commands")
"""The entry-point groups of plugins. Those of the second one only register commands, and are found without the engine.
"""

PACKAGE = "__init__.py"


@dataclass(frozen=True)
class Source:
    """A plugin to load: its name, where it comes from, and the function that imports it."""

    name: str
    origin: str
    load: Callable[[], ModuleType]
    named: bool = False
    """Whether the caller requested it by file or module."""


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


def listed(given: str | Path | Iterable[str | Path]) -> list[str | Path]:
    """Return a list of what may also be a single path. Raises PluginError if it is neither."""
    if isinstance(given, str | Path):
        return [given]
    if not isinstance(given, Iterable):
        raise PluginError(f"{shown(given)} is not a path or a list of paths")
    return list(given)


def as_text(plugin: object) -> str:
    """Return a requested plugin as text: the path of a file, even for a package in a folder, a module or no:NAME."""
    if not isinstance(plugin, str | Path) or not str(plugin):
        raise PluginError(f"plugin {shown(plugin)}: give the path of a file, the name of a module or no:NAME")
    name = str(plugin)
    package = Path(name).expanduser() / PACKAGE
    in_folder = isinstance(plugin, Path) or is_file(name) or (not name.startswith("no:") and _found(name) is None)
    return str(package) if in_folder and package.is_file() else name


def source_of(name: str, *, named: bool) -> Source:
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


def sources_in(folder: str | Path) -> list[Source]:
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
    assert spec.loader is not None  # noqa: S101 - as above
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
