"""The versions and the code of plugins that must be the same on all machines for results to be the same."""

import hashlib
import importlib.metadata
import importlib.util
import platform
from functools import cache
from pathlib import Path

from wordle_kit import hookspecs
from wordle_kit._version import __version__

CODE = ("wordle_kit", "wordle_kit_plugins")
"""The packages of wordle-kit with code; the games themselves are sent."""


@cache
def versions_here() -> dict[str, str]:
    """Return the versions of wordle-kit, Python and the packages that compute results, and hashes of the plugins."""
    packages = {name: importlib.metadata.version(name) for name in ("numpy", "numba")}
    installed = importlib.metadata.entry_points(group=hookspecs.NAME)
    plugins = {f"plugin {entry.name}": _digest(_files_of(entry.module)) for entry in installed}
    python = ".".join(platform.python_version_tuple()[:2])
    code = _digest([file for package in CODE for file in _files_of(package)])
    return {"wordle-kit": __version__, "Python": python, **packages, "the code of wordle-kit": code, **plugins}


def difference(here: dict[str, str], there: dict[str, str]) -> str | None:
    """Return the first difference on another machine in words, or None if there is none."""
    for name, wanted in here.items():
        found = there.get(name)
        if found == wanted:
            continue
        if found is None:
            return f"{name} is not installed there"
        if name.startswith(("plugin ", "the code")):
            return f"{name} is different there"
        return f"{name} is {found} there and {wanted} here"
    return None


def _files_of(module: str) -> list[Path]:
    """Return the Python file of a module, or those of a package."""
    try:
        spec = importlib.util.find_spec(module)
    except ImportError:
        return []
    if spec is None or spec.origin is None:
        return []
    file = Path(spec.origin)
    return sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name}|".encode() + file.read_bytes())
    return digest.hexdigest()
