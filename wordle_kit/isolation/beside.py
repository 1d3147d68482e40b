"""Data files beside a plugin, which its process gets with it."""

import ast
import os
import stat
import warnings
from pathlib import Path

from wordle_kit.errors import PluginError

MOST = 8 * 2**20
"""Bytes of all data files of a plugin."""

CODE = (".py", ".pyc", ".ipynb", ".zip", ".toml", ".sqlite")
"""The ends of names of files that are not data: other people's strategies, assignments, results."""

WITHOUT_SURPRISES = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""How a file is opened that may be a link or a pipe."""


def files_beside(path: Path, text: bytes) -> dict[str, bytes]:
    """Return the data files in a plugin's folder that its text names as they are, such as 'words.txt'.

    No other file of the folder is given to its process, since plugins of other people may be there, nor links, nor
    anything in other folders. Raises PluginError where they are too large.
    """
    found: dict[str, bytes] = {}
    for name in sorted(_names(text)):
        try:
            descriptor = os.open(path.with_name(name), WITHOUT_SURPRISES)
        except (OSError, ValueError):  # there is none, or it cannot be read, as without isolation
            continue
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                with os.fdopen(descriptor, "rb", closefd=False) as file:
                    found[name] = file.read(MOST + 1)
        finally:
            os.close(descriptor)
        if sum(map(len, found.values())) > MOST:
            raise PluginError(f"{path}: the files beside it that it names have more than {MOST // 2**20} MB")
    return found


def _names(text: bytes) -> set[str]:
    """Return the texts in a program that are the name of a data file and nothing else."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of which it can have as many as lines
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # which its process will say
        return set()
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {name for name in texts if _is_data(name)}


def _is_data(name: str) -> bool:
    plain = Path(name).name == name and len(name) <= 255 and "\0" not in name
    return plain and not name.startswith(".") and bool(Path(name).suffix) and not name.lower().endswith(CODE)
