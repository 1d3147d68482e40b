"""Data files in a plugin's folder, which its process gets together with the plugin."""

import ast
import os
import stat
import warnings
from pathlib import Path

from wordle_kit.errors import PluginError

MOST = 8 * 2**20
"""The most bytes that all data files of a plugin may have."""

CODE = (".py", ".pyc", ".ipynb", ".zip", ".toml", ".sqlite")
"""Endings of files that are not data: other people's strategies, assignments, results."""

WITHOUT_SURPRISES = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags that open a file without following a link or waiting for a pipe."""


def files_beside(path: Path, text: bytes) -> dict[str, bytes]:
    """Return the data files in a plugin's folder whose names appear literally in its text, such as 'words.txt'.

    Its process gets no other file of the folder, since plugins of other people may be there, and no links or files of
    other folders. Raises PluginError if the data files are too large.
    """
    found: dict[str, bytes] = {}
    for name in sorted(_names(text)):
        try:
            descriptor = os.open(path.with_name(name), WITHOUT_SURPRISES)
        except (OSError, ValueError):  # it does not exist or cannot be read, as without isolation
            continue
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                with os.fdopen(descriptor, "rb", closefd=False) as file:
                    found[name] = file.read(MOST + 1)
        finally:
            os.close(descriptor)
        if sum(map(len, found.values())) > MOST:
            raise PluginError(f"{path}: the data files that it names have more than {MOST // 2**20} MB")
    return found


def _names(text: bytes) -> set[str]:
    """Return the string constants of a program that could be the name of a data file."""
    try:
        with warnings.catch_warnings(action="ignore"):  # there can be one for every line
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # its process will report that
        return set()
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {name for name in texts if _is_data(name)}


def _is_data(name: str) -> bool:
    plain = Path(name).name == name and len(name) <= 255 and "\0" not in name
    return plain and not name.startswith(".") and bool(Path(name).suffix) and not name.lower().endswith(CODE)
