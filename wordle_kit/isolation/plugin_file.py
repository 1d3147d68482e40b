"""A plugin's file with its data files: read here, and written to the folder of another process."""

import ast
import hashlib
import os
import stat
import warnings
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from wordle_kit.errors import PluginError
from wordle_kit.texts import plain

MOST = 8 * 2**20
"""The most bytes of a plugin's file, and of all its data files together."""

CODE = (".py", ".pyc", ".ipynb", ".zip", ".toml", ".sqlite")
"""Endings of files that are not data: other people's strategies, assignments, results."""

WITHOUT_SURPRISES = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags that open a file without following a link or waiting for a pipe."""


class PluginFile(BaseModel):
    """The content of a plugin's file and of its data files."""

    model_config = ConfigDict(frozen=True)

    path: str
    text: bytes
    beside: dict[str, bytes] = {}
    """The data files in its folder that it names, by their names."""

    @classmethod
    def read(cls, path: Path, text: bytes | None = None) -> "PluginFile":
        """Read a plugin's file, unless its text is known, and its data files.

        Raises OSError, or PluginError if they are too large.
        """
        if text is None:
            with path.open("rb") as file:
                text = file.read(MOST + 1)
            if len(text) > MOST:
                raise PluginError(f"{path}: has more than {MOST // 2**20} MB; a strategy must be smaller")
        return cls(path=plain(str(path)), text=text, beside=files_beside(path, text))

    @classmethod
    def received(cls, message: dict[str, Any]) -> "PluginFile":
        """Return the file in a message."""
        beside = {name: bytes.fromhex(data) for name, data in message["beside"].items()}
        return cls(path=message["name"], text=bytes.fromhex(message["bytes"]), beside=beside)

    def message(self) -> dict[str, Any]:
        """Return the file as part of a message."""
        beside = {name: data.hex() for name, data in self.beside.items()}
        return {"name": self.name, "bytes": self.text.hex(), "beside": beside}

    @property
    def name(self) -> str:
        """Its name without its folder, which its code must not know."""
        return Path(self.path).name

    @property
    def digest(self) -> str:
        """A hash of everything that its code can read: its name, its text, and its data files."""
        digest = hashlib.sha256(self.name.encode() + b"\0" + self.text)
        for name, data in self.beside.items():
            digest.update(f"|{name}|{len(data)}|".encode() + data)
        return digest.hexdigest()

    def write(self, folder: Path) -> Path:
        """Write the files to a new folder, and return the path of the plugin's file there."""
        folder.mkdir()
        for name, data in {**self.beside, self.name: self.text}.items():
            (folder / name).write_bytes(data)
        return (folder / self.name).resolve()


def files_beside(path: Path, text: bytes) -> dict[str, bytes]:
    """Return the data files in a plugin's folder whose names appear literally in its text, such as 'words.txt'.

    Its process gets no other file of the folder, since other people's plugins may be there. Links and files of other
    folders are left out too. Raises PluginError if the data files are too large.
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
