"""The modules of a plugin's file: the file itself, and the modules that it imports from its folder.

Each plugin's file gets a package without code, which contains its modules. So two plugins may both have a file
`helpers.py`. The names in a plugin's import statements are found by reading the text, before any code runs. So the same
files can be sent to other processes and machines, and editing one of them makes it a different plugin.
"""

import builtins
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path, PurePath
from types import CodeType, ModuleType
from typing import Any

from wordle_kit.errors import PluginError
from wordle_kit.sources import MODULE_OF_FILE, forget, has_changed, imports, loaded_files, noting_files
from wordle_kit.texts import plain

LARGEST = 8 * 2**20
"""The most bytes of a module in a plugin's folder."""

PACKAGE_FILE = "__init__.py"

THIS_PACKAGE = "@"
"""Stands for the package of a plugin's modules while they are read. No module can have this name."""


def folder_of(path: Path) -> Path:
    """Return the folder of a plugin's modules: the folder of its file, or the folder that contains its package."""
    return path.parent.parent if path.name == PACKAGE_FILE else path.parent


def read_modules(path: Path, text: bytes) -> tuple[dict[str, bytes], list[str]]:
    """Return a plugin's file and the files of its folder that it imports, and a line for each that it does not get.

    The files are given by their paths in the folder, beginning with the plugin's file. Installed modules and Python's
    modules have priority: a file with the same name is not imported. A package may import itself by its name, but not
    the modules next to it. Raises OSError, and PluginError for a file that is too large.
    """
    folder = folder_of(path)
    found = {path.relative_to(folder).as_posix(): text}
    passed_over: dict[str, str] = {}
    waiting = list(found)
    while waiting:
        file = waiting.pop()
        for name in sorted(imports(found[file], ".".join((THIS_PACKAGE, *PurePath(file).parent.parts)))):
            parts = name.split(".")
            is_own = parts[0] == THIS_PACKAGE
            parts = parts[1:] if is_own else parts
            if not parts or (path.name == PACKAGE_FILE and not is_own and parts[0] != path.parent.name):
                continue
            other = _file_in(folder, parts)
            if other is None or other in found:
                continue
            if not is_own and is_elsewhere(parts[0], folder):
                passed_over[parts[0]] = f"{folder / file} imports the installed {parts[0]}, not {folder / other}"
                continue
            if (folder / other).stat().st_size > LARGEST:
                raise PluginError(f"{folder / other}: has more than {LARGEST // 2**20} MB; a module must be smaller")
            found[other] = (folder / other).read_bytes()
            waiting.append(other)
    return found, [f"{text}; rename the file if you mean it" for text in passed_over.values()]


def _file_in(folder: Path, parts: list[str]) -> str | None:
    """Return the path within a folder of the module whose name has these parts, or None if there is none."""
    for file in (PurePath(*parts, PACKAGE_FILE), PurePath(*parts[:-1], f"{parts[-1]}.py")):
        if (folder / file).is_file():
            return file.as_posix()
    return None


def is_elsewhere(name: str, folder: Path) -> bool:
    """Return whether Python finds a module outside this folder and the folder in which the program was started."""
    if name in sys.stdlib_module_names or name in sys.builtin_module_names or name.startswith("wordle_kit"):
        return True
    spec = top_level(name)
    if spec is None:
        return False
    places = list(spec.submodule_search_locations or ())
    found = Path(places[0]) if places else Path(spec.origin) if spec.has_location and spec.origin else None
    started = (Path(place).resolve() for place in ("", *sys.path[:1]))
    return found is None or found.resolve().parent not in {folder, *started}


def top_level(name: str) -> ModuleSpec | None:
    """Return where a module outside of packages is found, or None."""
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):  # not a valid module name
        return None


def names_of(files: Iterable[str]) -> dict[str, str]:
    """Return the names of modules within their plugin's package. `files` are their paths in the plugin's folder."""
    return {file: ".".join(_parts(PurePath(file))) for file in files}


def _parts(file: PurePath) -> list[str]:
    parts = file.parent.parts if file.name == PACKAGE_FILE else (*file.parent.parts, file.stem)
    return [re.sub(r"[.:\s]", "-", plain(part)) for part in parts]  # a dot would separate module names


def load_file(path: Path, say: Callable[[str], object]) -> ModuleType:
    """Return the module of a plugin's file. It is imported again only if the file or one of its modules has changed.

    `say` gets a line for each file that the plugin seems to import but does not get.
    """
    files, passed_over = read_modules(path, path.read_bytes())
    digest = hashlib.sha256(os.fsencode(path))
    for file, text in sorted(files.items()):
        digest.update(f"|{plain(file)}|{len(text)}|".encode() + text)
    # The same texts get the same name in every process, so that objects that the file defines can be pickled.
    package = f"{MODULE_OF_FILE}{digest.hexdigest()[:12]}"
    modules = {f"{package}.{name}": (folder_of(path) / file, files[file]) for file, name in names_of(files).items()}
    own = next(iter(modules))
    if own in sys.modules and not has_changed(own):
        return sys.modules[own]
    _remove(package)
    for line in passed_over:
        say(line)
    find_files(modules)
    try:
        return importlib.import_module(own)
    except BaseException:
        _remove(package)
        raise


def _remove(package: str) -> None:
    for name in [name for name in (*sys.modules, *loaded_files) if f"{name}.".startswith(f"{package}.")]:
        sys.modules.pop(name, None)
        loaded_files.pop(name, None)
    forget(package)


def loaded_plugins() -> dict[str, tuple[Path, dict[str, bytes]]]:
    """Return the file of each plugin that was loaded from a file, and its modules (see `read_modules`), by package."""
    plugins: dict[str, tuple[Path, dict[str, bytes]]] = {}
    for name, (path, text) in loaded_files.items():
        own, files = plugins.setdefault(name.partition(".")[0], (path, {}))
        files[path.relative_to(folder_of(own)).as_posix()] = text
    return plugins


def file_of(kind: type) -> Path | None:
    """Return the file of the plugin that defines a class. For installed modules and notebooks, return None."""
    plugin = loaded_plugins().get(kind.__module__.partition(".")[0])
    return None if plugin is None else plugin[0]


class Uncached(importlib.machinery.SourceFileLoader):
    """Compiles a text every time, since Python does not notice a second edit of a file within a second."""

    def __init__(self, name: str, path: str, text: bytes) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the compiled text of the module."""
        return self.source_to_code(self._text, self.get_filename(fullname))

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of the module. Its import statements find the other modules of its plugin."""
        found = partial(_import, f"{module.__name__.partition('.')[0]}.")
        module.__dict__["__builtins__"] = vars(builtins) | {"__import__": found}
        with noting_files():  # needed also in a process to which objects of the plugin were sent
            super().exec_module(module)


def _import(
    package: str,
    name: str,
    globals: Mapping[str, object] | None = None,  # noqa: A002 - as in Python's own __import__
    locals: Mapping[str, object] | None = None,  # noqa: A002
    fromlist: Any = (),
    level: int = 0,
) -> ModuleType:
    """Import a module for a plugin. `package` is the plugin's package with a dot at the end."""
    top = package + name.partition(".")[0]
    if level or not any(f"{other}.".startswith(f"{top}.") for other in loaded_files):
        return builtins.__import__(name, globals, locals, fromlist, level)
    module = builtins.__import__(package + name, globals, locals, fromlist, 0)
    return module if fromlist else sys.modules[top]


class FileFinder(importlib.abc.MetaPathFinder):
    """Finds the modules of plugins' files, with the texts that they had when they were read."""

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a plugin's module, or of the package of such modules, or None for other names."""
        if fullname in loaded_files:
            file, text = loaded_files[fullname]
            spec = importlib.util.spec_from_file_location(fullname, file, loader=Uncached(fullname, str(file), text))
            if spec is not None and file.name == PACKAGE_FILE:
                spec.submodule_search_locations = []  # so that only this finder finds its modules
            return spec
        if any(name.startswith(f"{fullname}.") for name in loaded_files):
            return ModuleSpec(fullname, None, is_package=True)
        return None


def finding_files() -> Callable[[], object]:
    """Return a function for another process. It lets that process find the modules of files that were loaded here."""
    return partial(find_files, dict(loaded_files))


def find_files(files: Mapping[str, tuple[Path, bytes]]) -> None:
    """Let this process find modules of plugins' files. `files` has the path and the text of each, by module name."""
    loaded_files.update(files)
    if not any(isinstance(finder, FileFinder) for finder in sys.meta_path):
        sys.meta_path.append(FileFinder())
