"""Sources: a hash of everything that belongs to an author's class. Stored results are found by it.

If a plugin opens files while it is loaded, such as tables of numbers, they belong to it too. An audit hook records
them.
"""

import ast
import contextlib
import dataclasses
import hashlib
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
import threading
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

ENGINE = "wordle_kit."

LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""The folders of Python and of installed packages. Their files are not expected to be edited."""

OF_THE_SYSTEM = tuple(map(Path, ("/proc", "/sys", "/dev")))
"""Folders whose files describe the current state of the machine."""

LOADER = ("wordle_kit.plugins", "import_plugin")
"""The module and the function that load plugins. Their callers do not count as having opened the files of plugins."""

IMPORTS = "<frozen importlib"
"""How the names of Python's files for importing modules begin."""

ABSENT = "absent"
"""Used as the digest of a file that could not be read."""

MODULE_OF_FILE = "wordle_kit_file_"
"""How the names of packages for the modules of plugins' files begin."""

loaded_files: dict[str, tuple[Path, bytes]] = {}
"""The path and the text of each module of plugins that were loaded from files, by the module's name.

The names of a plugin's modules begin with the name of its package. The module of the plugin's file comes first.
"""

PLAIN_TYPES = (types.NoneType, bool, int, float, complex, str, bytes, range)
"""Types whose values are completely described by their `repr`."""

PLAIN_MODULES = ("datetime", "decimal", "fractions", "re", "uuid")
"""Modules of Python with more such types."""

_opened: dict[str, dict[Path, str]] = {}
"""The digests of the files that each module has opened, taken at that time."""

_here = threading.local()
"""Whether a plugin is being loaded in this thread."""


def class_source(kind: type) -> str | None:
    """Return a hash of the code of a class and of its base classes, or None if part of the code is not in a file.

    The code of a class is its whole file, the author's modules that this file imports, and the files that they opened
    when they were loaded. A class that was typed at a prompt or made by a function may use anything, so None is
    returned.
    """
    texts = []
    for base in kind.__mro__:
        source = module_source(base.__module__)
        if source is None or (source != base.__module__ and not _is_in_its_file(base)):
            return None
        texts.append(source)
    return hashlib.sha256("|".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def object_source(value: object) -> str | None:
    """Return a text for the code and the attributes of an object, or None if a part cannot be compared."""
    return _joined(type(value).__qualname__, class_source(type(value)), value_text(vars(value)))


def is_bundled(kind: type) -> bool:
    """Return whether a class comes with wordle-kit. Then its version says when its behaviour changes."""
    return kind.__module__.startswith("wordle_kit_plugins.")


def value_text(value: object) -> str | None:
    """Return a text that differs for values that behave differently, or None if there is no such text."""
    if type(value) in PLAIN_TYPES or type(value).__module__ in PLAIN_MODULES:
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, Path):
        return f"path {value} {hashlib.sha256(value.read_bytes()).hexdigest() if value.is_file() else ''}"
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic) and value.dtype != object:
        digest = hashlib.sha256(numpy.ascontiguousarray(value).tobytes()).hexdigest()
        return f"array {value.dtype} {value.shape} {digest}"
    parts: list[object]
    if type(value) in (tuple, list, set, frozenset):
        parts = [*value]  # type: ignore[misc]  # it is one of these
    elif type(value) is dict:
        parts = [part for pair in value.items() for part in pair]
    elif isinstance(value, type) or class_source(type(value)) is None:
        return None
    elif isinstance(value, Enum):
        return f"{class_source(type(value))} {value.name}"
    else:
        fields = _fields_of(value)
        return None if fields is None else _joined(class_source(type(value)), value_text(fields))
    texts = [value_text(part) for part in parts]
    if isinstance(value, set | frozenset):  # its order differs between processes
        texts = sorted(texts, key=str)
    return _joined(type(value).__name__, *texts)


def module_source(name: str) -> str | None:
    """Return a hash of a module's file, of the author's modules that it imports, and of the files that they opened.

    For a library's module, return its name. For a module without a file, return None. The hash does not depend on what
    else this process has imported.
    """
    file = _file_of(name)
    if file is None:
        return name if name in sys.stdlib_module_names or name in sys.builtin_module_names else None
    package = name.partition(".")[0]
    # Code that a user types is in `__main__` whichever file runs, so that module never counts as a library.
    in_library = is_library(file) and not package.startswith("wordle_kit_") and name != "__main__"
    if f"{name}.".startswith(ENGINE) or in_library:
        return name
    own = f"{package}." if name in loaded_files else ""
    texts = {name: _text_of(name, file)}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        for imported in sorted(imports(texts[module], _package_of(module))):
            other = own + imported if own + imported in loaded_files else imported
            if other in texts or f"{other}.".startswith(ENGINE) or other.partition(".")[0] in sys.stdlib_module_names:
                continue
            path = _file_of(other)
            if path is not None and (not is_library(path) or other.partition(".")[0] == package):
                texts[other] = _text_of(other, path)
                waiting.append(other)
    others = {other.removeprefix(own): text for other, text in texts.items() if other != name}
    hashes = [f"{other} {hashlib.sha256(text).hexdigest()}" for other, text in sorted(others.items())]
    return "|".join([hashlib.sha256(texts[name]).hexdigest(), *hashes, *opened_by(texts)])


def is_library(file: Path) -> bool:
    """Return whether a file belongs to Python or to an installed package."""
    return any(file.is_relative_to(folder) for folder in LIBRARIES)


@contextlib.contextmanager
def noting_files() -> Iterator[None]:
    """Record the files that modules open for reading, for the length of a `with` block that loads a plugin."""
    _listen()
    before = getattr(_here, "loads", False)
    _here.loads = True
    try:
        yield
    finally:
        _here.loads = before


def opened_by(modules: Iterable[str]) -> list[str]:
    """Return the name and the digest of each file that one of these modules opened while a plugin was loaded."""
    files = {file: digest for module in modules for file, digest in _opened.get(module, {}).items()}
    return sorted(f"{file.name} {digest}" for file, digest in files.items())


def has_changed(module: str) -> bool:
    """Return whether the content of a file has changed since a module opened it while being loaded."""
    return any(_digest(file) != digest for file, digest in _opened.get(module, {}).items())


def forget(package: str) -> None:
    """Forget the files that a package's modules opened, before the package is loaded again."""
    for module in [module for module in _opened if module.startswith(f"{package}.")]:
        del _opened[module]


def _is_in_its_file(kind: type) -> bool:
    """Return whether a class was defined by the file of its module when the file was imported or run."""
    module = sys.modules[kind.__module__]
    if kind.__module__ == "__main__" and hasattr(sys, "ps1"):  # at a prompt, anything may have been changed
        return False
    found: object = module
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    file = Path(str(module.__file__)).resolve()
    written = [
        each
        for each in vars(kind).values()
        if isinstance(each, types.FunctionType) and each.__module__ == kind.__module__
    ]
    files = {Path(each.__code__.co_filename).resolve() for each in written if each.__code__.co_filename != "<string>"}
    # A data class has methods without a file, and a function of Python wraps its `__repr__`.
    return found is kind and all(each == file or is_library(each) for each in files)


def _fields_of(value: Any) -> dict[str, object] | None:
    """Return the fields of a data class or model object by name, or None for other objects."""
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    fields = getattr(type(value), "model_fields", None)
    return {name: getattr(value, name) for name in fields} if isinstance(fields, Mapping) else None


def _joined(*texts: str | None) -> str | None:
    known = [f"{len(text)} {text}" for text in texts if text is not None]
    return " ".join(known) if len(known) == len(texts) else None


def _file_of(name: str) -> Path | None:
    """Return the Python file of a module that is loaded or can be found."""
    if name in loaded_files:
        return loaded_files[name][0]
    module = sys.modules.get(name)
    found = getattr(module, "__file__", None)
    if module is None:
        spec = _spec_of(name)
        found = None if spec is None or not spec.has_location else spec.origin
    path = Path(found).resolve() if found is not None else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _spec_of(name: str) -> importlib.machinery.ModuleSpec | None:
    """Return where a module can be found, without importing the package that contains it."""
    package = name.rpartition(".")[0]
    try:
        if not package:
            return importlib.util.find_spec(name)
        within = _spec_of(package)
        places = None if within is None else within.submodule_search_locations
        return None if places is None else importlib.machinery.PathFinder.find_spec(name, places)
    except (ImportError, ValueError, AttributeError):
        return None


def _text_of(name: str, file: Path) -> bytes:
    """Return the text of a module: the text that was loaded, if it is known, otherwise that of the file."""
    return loaded_files[name][1] if name in loaded_files else file.read_bytes()


def _package_of(name: str) -> str:
    if name in loaded_files:
        return name if loaded_files[name][0].name == "__init__.py" else name.rpartition(".")[0]
    module = sys.modules.get(name)
    if module is not None:
        return str(getattr(module, "__package__", None) or name.rpartition(".")[0])
    spec = _spec_of(name)
    return name.rpartition(".")[0] if spec is None else spec.parent or ""


@cache
def imports(text: bytes, package: str) -> frozenset[str]:
    """Return the names of modules that a Python file of a package may import, at the top or inside functions."""
    tree = parsed(text)
    if tree is None:
        return frozenset()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".") if node.level else []
            start = parts[: len(parts) - (node.level - 1)] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)} if base else set()
    packages = {name[:place] for name in names for place, sign in enumerate(name) if sign == "."}
    return frozenset(names | packages)


def parsed(text: bytes) -> ast.Module | None:
    """Return the syntax tree of a Python file, or None if it is not valid Python.

    Importing the file will report that.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # every line may have one
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_is_listening = False


def _listen() -> None:
    """Make Python report every file that is opened. This cannot be undone, so it is done only once."""
    global _is_listening
    if not _is_listening:
        _is_listening = True
        sys.addaudithook(_hear)


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open" or not getattr(_here, "loads", False):
        return
    path, _, flags = arguments
    writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_CREAT)
    if writes or not isinstance(path, str | bytes | os.PathLike):
        return
    _here.loads = False  # the following code opens files itself
    try:
        _note(Path(os.path.realpath(os.fsdecode(path))), sys._getframe(1))
    finally:
        _here.loads = True


def _note(file: Path, frame: types.FrameType | None) -> None:
    """Record that a file was opened by the modules whose code is running, in this frame and its callers."""
    if is_library(file) or any(file.is_relative_to(folder) for folder in OF_THE_SYSTEM):
        return
    if frame is not None and frame.f_code.co_filename.startswith(IMPORTS):
        return  # a module: module_source knows which ones belong to a plugin
    modules: set[str] = set()
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        code = frame.f_code
        if (module, code.co_name) == LOADER:
            break
        if is_library(Path(os.path.realpath(code.co_filename))):
            if code.co_name == "<module>" and not modules:
                return  # a library is being imported and reads its settings
        elif not code.co_filename.startswith("<frozen") and not f"{module}.".startswith(ENGINE):
            modules.add(module)
        frame = frame.f_back
    digest = _digest(file)
    for module in modules:
        _opened.setdefault(module, {})[file] = digest


def _digest(file: Path) -> str:
    try:
        if not file.is_file():  # reading a pipe would wait
            return ABSENT
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return ABSENT
