"""Identity of code: a hash that changes when an author edits a class. Stored results are found by it.

The code of a class is the file of its module with the files of that folder that it imports, or all files of its
package. A data file that a plugin opens by itself is not seen: a parameter of type Path is, and so is a new `version`.
"""

import hashlib
import re
import sys
import sysconfig
from enum import Enum
from pathlib import Path
from types import FunctionType, NoneType

ENGINE = "wordle_kit."

BUNDLED = "wordle_kit_plugins."

FILE = "wordle_kit_file_"
"""How the names of modules begin that were loaded from a plugin's file."""

LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""The folders of Python and of installed packages."""

KNOWN = (ENGINE, "pydantic.", "abc.", "typing.", "enum.", "builtins.")
"""How the modules begin whose classes have a version: that of wordle-kit, pydantic or Python."""

IMPORTS = re.compile(rb"^[ \t]*(?:from|import)[ \t].*$", re.MULTILINE)
NAME = re.compile(rb"\w+")

loaded_files: dict[str, str] = {}
"""The hash of each plugin's file when it was loaded, by the name of its module."""

PLAIN = (NoneType, bool, int, float, complex, str, bytes, range)
"""Types whose values are completely described by their `repr`."""

PLAIN_MODULES = ("datetime", "decimal", "fractions", "re", "uuid")
"""Modules of Python with more such types."""


def code_of(kind: type) -> str | None:
    """Return a hash of the code of a class and of its bases, or None if some of it is not in a file.

    A class that was typed at a prompt or made by a function may use anything, so None is returned.
    """
    texts = []
    for base in kind.__mro__:
        if f"{base.__module__}.".startswith(KNOWN):
            continue
        code = _module_code(base.__module__) if _is_in_its_file(base) else None
        if code is None:
            return None
        texts += [base.__qualname__, code]
    return _hash(*texts)


def _module_code(name: str) -> str | None:
    top = name.partition(".")[0]
    if top in loaded_files:
        return loaded_files[top]
    package = sys.modules.get(top)
    is_package = getattr(package, "__file__", None) is not None and not name.startswith(BUNDLED)
    file = getattr(package if is_package else sys.modules.get(name), "__file__", None)
    return digest_of(Path(file)) if file is not None and Path(file).is_file() else None


def file_of(kind: type) -> Path | None:
    """Return the file of the plugin that defines a class. For installed modules and notebooks, return None."""
    top = kind.__module__.partition(".")[0]
    return Path(str(sys.modules[top].__file__)) if top in loaded_files else None


def digest_of(file: Path) -> str:
    """Return a hash of a Python file and of the files of its folder that it imports; of a package, of all its files."""
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
            names = {name.decode() for line in IMPORTS.findall(text) for name in NAME.findall(line)}
            waiting += [place for name in names if (place := path.parent / f"{name}.py").is_file()]
            waiting += [place for name in names for place in (path.parent / name).glob("**/*.py")]
    return _hash(*(text for _, text in sorted(found.items())))


def _is_in_its_file(kind: type) -> bool:
    """Return whether a class was defined by the file of its module, and not at a prompt or by a function."""
    module = sys.modules.get(kind.__module__)
    found: object = module
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    if found is not kind or (kind.__module__ == "__main__" and hasattr(sys, "ps1")):
        return False
    own = [each for each in vars(kind).values() if isinstance(each, FunctionType) and each.__module__ == "__main__"]
    files = {Path(each.__code__.co_filename).resolve() for each in own if each.__code__.co_filename != "<string>"}
    return files <= {Path(str(getattr(module, "__file__", None))).resolve()}


def object_code(value: object) -> str | None:
    """Return a text for the code and the attributes of an object, or None if a part cannot be compared."""
    code, text = code_of(type(value)), value_text(vars(value))
    return None if code is None or text is None else f"{type(value).__qualname__} {code} {text}"


def is_bundled(kind: type) -> bool:
    """Return whether a class comes with wordle-kit. Then its version says when its behaviour changes."""
    return kind.__module__.startswith(BUNDLED)


def value_text(value: object) -> str | None:
    """Return a text that differs for values that behave differently, or None if there is no such text."""
    kind = type(value)
    if isinstance(value, Path):
        return f"path {value} {file_digest(value) if value.is_file() else ''}"
    if isinstance(value, Enum):
        return None if code_of(kind) is None else f"{code_of(kind)} {value.name}"
    if hasattr(value, "dtype") and value.dtype != object:  # an array or a number of numpy
        return f"array {value.dtype} {value.shape} {_hash(value.tobytes())}"  # type: ignore[attr-defined]
    parts: list[object]
    if kind in (tuple, list, set, frozenset):
        parts = [*value]  # type: ignore[misc]  # it is one of these
    elif kind is dict:
        parts = [part for pair in value.items() for part in pair]  # type: ignore[attr-defined]
    elif kind in PLAIN or kind.__module__ in PLAIN_MODULES:
        return f"{kind.__name__} {value!r}"
    elif isinstance(value, type | FunctionType) or not hasattr(value, "__dict__"):
        return None
    else:
        return object_code(value)
    texts = [value_text(part) for part in parts]
    if None in texts:
        return None
    if isinstance(value, set | frozenset):  # its order differs between processes
        texts = sorted(texts, key=str)
    return f"{kind.__name__} {_hash(*map(str, texts))}"


def file_digest(path: Path) -> str:
    """Return a hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _hash(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d|" % len(content) + content)
    return digest.hexdigest()
