"""The identity of code: a hash that changes when an author edits a class, and by which stored results are found.

The code of a class is the file of its module, with the files that it imports from the same folder, or all files of its
package. Changes of a data file that a plugin opens are noticed only if a parameter of type Path names the file. If none
does, change `version`.
"""

import ast
import hashlib
import json
import secrets
import sys
import sysconfig
from pathlib import Path
from types import FunctionType
from typing import Any

ENGINE = "wordle_kit."

BUNDLED = "wordle_kit_plugins."

FILE_PREFIX = "wordle_kit_file_"
"""The prefix of modules that were loaded from a plugin's file."""

LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""The folders of Python and of installed packages."""

KNOWN = (ENGINE, "pydantic.", "abc.", "typing.", "enum.", "builtins.")
"""The prefixes of modules whose classes are versioned by wordle-kit, pydantic or Python."""

loaded_files: dict[str, str] = {}
"""The hash of each plugin's file when it was loaded, by the name of its module."""


def source_hash(kind: type) -> str | None:
    """Return a hash of the code of a class and of its bases, or None if part of it is not in a file.

    A class that was typed at a prompt or made by a function may use anything, so None is returned.
    """
    texts = []
    for base in kind.__mro__:
        if f"{base.__module__}.".startswith(KNOWN):
            continue
        code = _module_source(base.__module__) if _is_in_its_file(base) else None
        if code is None:
            return None
        texts += [base.__qualname__, code]
    return hash_of(*texts)


def _module_source(name: str) -> str | None:
    top = name.partition(".")[0]
    if top in loaded_files:
        return loaded_files[top]
    package = sys.modules.get(top)
    is_package = getattr(package, "__file__", None) is not None and not name.startswith(BUNDLED)
    file = getattr(package if is_package else sys.modules.get(name), "__file__", None)
    return module_hash(Path(file)) if file is not None and Path(file).is_file() else None


def file_of(kind: type) -> Path | None:
    """Return the file of the plugin that defines a class. For installed modules and notebooks, return None."""
    top = kind.__module__.partition(".")[0]
    return Path(str(sys.modules[top].__file__)) if top in loaded_files else None


def module_hash(file: Path) -> str:
    """Return a hash of a Python file and of the files that it imports from its folder.

    For the `__init__.py` of a package, the hash covers all files of the package.
    """
    found: dict[Path, bytes] = {}
    waiting = [file.resolve()]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        text = found[path] = path.read_bytes()
        if path.name == "__init__.py":
            waiting += path.parent.rglob("*.py")
        if path.parent not in LIBRARIES:
            names = _imported(text)
            waiting += [place for name in names if (place := path.parent / f"{name}.py").is_file()]
            waiting += [place for name in names for place in (path.parent / name).glob("**/*.py")]
    return hash_of(*(text for _, text in sorted(found.items())))


def _imported(text: bytes) -> set[str]:
    """Return the parts of the names that a file imports, or none if it is not Python."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return set()
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = [node.module or "" for node in imports if isinstance(node, ast.ImportFrom)]
    named = [alias.name for node in imports for alias in node.names]
    return {part for name in (*modules, *named) for part in name.split(".") if part.isidentifier()}


def _is_in_its_file(kind: type) -> bool:
    """Return whether a class was defined by the file of its module, and not at a prompt or by a function."""
    module = sys.modules.get(kind.__module__)
    found: object = module
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind and not (kind.__module__ == "__main__" and hasattr(sys, "ps1"))


def object_text(value: object) -> str | None:
    """Return a text for the code and the attributes of an object, or None if a part cannot be compared."""
    code, text = source_hash(type(value)), value_text(vars(value))
    return None if code is None or text is None else f"{type(value).__qualname__} {code} {text}"


def or_unique(text: str | None) -> str:
    """Return a text for code, or for None, which means that the code cannot be compared, a different text each time."""
    return text or secrets.token_hex()


def is_bundled(kind: type) -> bool:
    """Return whether a class comes with wordle-kit. If so, its version changes with its behaviour."""
    return kind.__module__.startswith(BUNDLED)


def value_text(value: object) -> str | None:
    """Return a text that differs for values that behave differently, or None if there is no such text."""
    try:
        return json.dumps(value, default=_written)
    except (TypeError, ValueError):  # JSON cannot write it, or it contains itself
        return None


def _written(value: Any) -> object:
    """Return a JSON value to represent a value that JSON does not know. Raises TypeError if there is none."""
    if isinstance(value, Path):
        return f"path {value} {file_hash(value) if value.is_file() else ''}"
    if isinstance(value, set | frozenset):  # its order differs between processes
        return ["set", *sorted(json.dumps(part, default=_written) for part in value)]
    if hasattr(value, "dtype") and value.dtype != object:  # a numpy array or number
        return f"array {value.dtype} {value.shape} {hash_of(value.tobytes())}"
    text = None if isinstance(value, type | FunctionType) or not hasattr(value, "__dict__") else object_text(value)
    if text is None:
        raise TypeError(f"{type(value).__name__} cannot be compared")
    return text


def file_hash(path: Path) -> str:
    """Return a hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hash_of(*parts: str | bytes) -> str:
    """Return a hash of texts and bytes, which also depends on where one part ends and the next begins."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d|" % len(content) + content)
    return digest.hexdigest()
