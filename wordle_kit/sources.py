"""Sources: a hash of the text of a module and of the author's modules that it imports."""

import ast
import hashlib
import importlib.util
import sys
import sysconfig
from functools import cache
from pathlib import Path

ENGINE = "wordle_kit."

LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""The folders of Python and of installed packages, which are not edited."""


def module_source(name: str) -> str | None:
    """Return a hash of a module's file and of the author's modules that it imports, or the name of a library's module.

    Return None for a module without a file.
    """
    file = _file_of(name)
    if file is None:
        return name if name in sys.stdlib_module_names or name in sys.builtin_module_names else None
    package = name.partition(".")[0]
    # Code that a user types is in __main__ too, whichever file runs, so that module never counts as a library.
    is_library = _is_library(file) and not package.startswith("wordle_kit_") and name != "__main__"
    if name.startswith(ENGINE) or name == ENGINE[:-1] or is_library:
        return name
    texts = {name: file.read_bytes()}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        for other in sorted(_imports(texts[module], _package_of(module))):
            path = _file_of(other)
            if path is None or other in texts or other.startswith(ENGINE) or other == ENGINE[:-1]:
                continue
            if not _is_library(path) or other.partition(".")[0] == package:
                texts[other] = path.read_bytes()
                waiting.append(other)
    hashes = [f"{other} {hashlib.sha256(text).hexdigest()}" for other, text in sorted(texts.items()) if other != name]
    return "|".join([hashlib.sha256(texts[name]).hexdigest(), *hashes])


def direct_sources(name: str) -> list[str]:
    """Return a hash of a module's file, and one of each of the author's modules and packages that it names."""
    file = _file_of(name)
    if file is None:
        return []
    text = file.read_bytes()
    hashes = [hashlib.sha256(text).hexdigest()]
    for other in sorted({imported.partition(".")[0] for imported in _imports(text, _package_of(name))}):
        path = None if other in sys.stdlib_module_names else _file_of(other)
        if path is not None and not _is_library(path):
            hashes.append(f"{other} {hashlib.sha256(path.read_bytes()).hexdigest()}")
    return hashes


def _is_library(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in LIBRARIES)


def _file_of(name: str) -> Path | None:
    """Return the Python file of a module that is loaded or can be found."""
    module = sys.modules.get(name)
    found = getattr(module, "__file__", None)
    if module is None:
        parent = name.rpartition(".")[0]
        if parent and parent not in sys.modules:
            return None
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            return None
        found = None if spec is None or not spec.has_location else spec.origin
    path = Path(found).resolve() if found is not None else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _package_of(name: str) -> str:
    module = sys.modules.get(name)
    return str(getattr(module, "__package__", None) or name.rpartition(".")[0])


@cache
def _imports(text: bytes, package: str) -> frozenset[str]:
    """Return the names of modules that a Python file may import, at its top or inside functions."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
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
    return frozenset(names)
