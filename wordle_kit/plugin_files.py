"""The sources of plugins (packages with entry points, modules, files and folders), and the import of a file."""

import hashlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from wordle_kit.errors import PluginError
from wordle_kit.hookspecs import PROJECT
from wordle_kit.identity import FILE_PREFIX, LIBRARIES, loaded_files, module_hash

PACKAGE = "__init__.py"

GROUPS = (PROJECT, f"{PROJECT}.commands")
"""The entry-point groups of plugins. Plugins in the second only register commands, and are found without the engine."""


@dataclass(frozen=True)
class Source:
    """A plugin to load: its name, where it comes from, and the function that imports it."""

    name: str
    origin: str
    load: Callable[[], ModuleType]


def installed_sources(groups: Iterable[str] = GROUPS) -> list[Source]:
    """Return the plugins that installed packages declare as entry points, sorted by name."""

    @cache
    def package(distribution: Any) -> str:
        facts = distribution.metadata  # parsed each time it is read
        return f"{facts['Name']} {facts['Version']}"

    entries = [entry for group in groups for entry in importlib.metadata.entry_points(group=group)]
    sources = [Source(entry.name, f"{package(entry.dist)}: {entry.value}", entry.load) for entry in entries]
    return sorted(sources, key=lambda source: (source.name, source.origin))


def source_of(plugin: str | Path) -> Source:
    """Return the source of the plugin in a file, a package's folder or a module. If there is none, loading it fails."""
    name, path = str(plugin), Path(plugin).expanduser()
    if not is_file(plugin) and _is_module(name):
        return Source(name, f"module {name}", partial(importlib.import_module, name))
    file = path / PACKAGE if (path / PACKAGE).is_file() else path
    if file.is_file() and file.suffix == ".py":
        return _in_file(file)
    hint = f"for a file, give its path, such as {path.with_suffix('.py')}"
    kind = "file" if is_file(plugin) else "module"
    return Source(name, name, partial(_missing, f"there is no such {kind}; {hint}"))


def sources_in(folder: str | Path) -> list[Source]:
    """Return the plugins in a folder: its Python files, except those whose names begin with an underscore."""
    files = sorted(Path(folder).expanduser().glob("*.py"))
    return [_in_file(path) for path in files if not path.name.startswith("_")]


def is_folder(plugin: str | Path) -> bool:
    """Return whether a requested plugin is a folder of plugins, rather than a package, a file or a module."""
    path = Path(plugin).expanduser()
    return path.is_dir() and not (path / PACKAGE).is_file() and (is_file(plugin) or not _is_module(str(plugin)))


def is_file(plugin: str | Path) -> bool:
    """Return whether a requested plugin is a path rather than the name of a module."""
    return isinstance(plugin, Path) or plugin.endswith(".py") or os.sep in plugin


def _is_module(name: str) -> bool:
    top = name.partition(".")[0]
    spec = importlib.util.find_spec(top) if top.isidentifier() else None
    return spec is not None and spec.origin is not None  # a folder without __init__.py has none


def _in_file(path: Path) -> Source:
    path = Path(os.path.realpath(path))
    return Source(path.parent.name if path.name == PACKAGE else path.stem, str(path), partial(load_file, path))


def _missing(why: str) -> ModuleType:
    raise PluginError(why)


# Importing a file


def load_file(path: Path) -> ModuleType:
    """Return the module of a plugin's file. It is imported again only if it, or a module that it imports, has changed.

    Its name is the same in every process, as pickle and numba's cache require. Other modules in its folder become its
    submodules: the name `helpers` in `import helpers` is known only while the file is imported.
    """
    name, digest = f"{FILE_PREFIX}{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}", module_hash(path)
    if loaded_files.get(name) == digest and name in sys.modules:
        return sys.modules[name]
    loaded_files.pop(name, None)
    for known in [known for known in sys.modules if known.partition(".")[0] == name]:
        del sys.modules[known]
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)])
    assert spec is not None and spec.loader is not None  # noqa: PT018, S101 - its name ends in .py
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    with _importing(_Neighbours(name, path.parent.name if path.name == PACKAGE else None)):
        spec.loader.exec_module(module)
    loaded_files[name] = digest
    return module


class _Neighbours(MetaPathFinder, Loader):
    """A finder that imports `helpers` or, in a package `mine`, `mine.helpers` as a submodule of a plugin's module.

    Two plugins can therefore have modules of the same name. Installed modules take precedence.
    """

    def __init__(self, plugin: str, package: str | None) -> None:
        self.plugin, self.package = plugin, package
        self.names: list[str] = []
        """The names that were imported, to be removed afterwards."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the specification of the module with this name, or None if it is not in the plugin's folder."""
        is_inner = path is not None and name.partition(".")[0] in self.names
        is_top = path is None and self.package in (None, name) and not _is_installed(name)
        real = f"{self.plugin}.{name}" if self.package is None else f"{self.plugin}{name.removeprefix(self.package)}"
        if not (is_inner or is_top) or importlib.util.find_spec(real) is None:
            return None
        self.names.append(name)
        return ModuleSpec(name, self, loader_state=real)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the submodule, which has two names from now on."""
        module = importlib.import_module(spec.loader_state)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the submodule, which has been run, its own specification back."""
        module.__spec__ = module.__spec__.loader_state  # type: ignore[union-attr]  # it has one


def _is_installed(name: str) -> bool:
    return name in sys.stdlib_module_names or PathFinder.find_spec(name, [*map(str, LIBRARIES)]) is not None


@contextmanager
def _importing(neighbours: _Neighbours) -> Iterator[None]:
    """Let imports find a plugin's neighbours within a `with` block."""
    no_bytecode = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # bytecode would hide an edit within the same second
    importlib.invalidate_caches()
    sys.meta_path.insert(0, neighbours)
    try:
        yield
    finally:
        sys.meta_path.remove(neighbours)
        sys.dont_write_bytecode = no_bytecode
        for name in neighbours.names:
            sys.modules.pop(name, None)
