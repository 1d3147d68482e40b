"""A plugin's file, with its modules and data files: read here, and written to the folder of another process."""

import ast
import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path, PurePath

from pydantic import BaseModel, ConfigDict

from wordle_kit.errors import PluginError
from wordle_kit.plugin_modules import folder_of, names_of, read_modules
from wordle_kit.sources import parsed
from wordle_kit.texts import plain

MOST = 8 * 2**20
"""The most bytes of a plugin's file together with all its modules and data files."""

MODULE = ".py"

CODE = (".py", ".pyc", ".ipynb", ".zip", ".toml", ".sqlite")
"""The endings of files that do not count as data: other people's strategies, assignments and results."""

WITHOUT_SURPRISES = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags that open a file without following a link and without waiting for a pipe."""


class PluginFile(BaseModel):
    """The content of a plugin's file, of the modules that it imports from its folder, and of their data files."""

    model_config = ConfigDict(frozen=True)

    path: str
    text: bytes
    beside: dict[str, bytes] = {}
    """The modules that the file imports and the data files that it names, by their paths in its folder."""

    @classmethod
    def read(cls, path: Path, modules: Mapping[str, bytes] | None = None) -> "PluginFile":
        """Read a plugin's file and its data files. `modules` are its modules if they are already known.

        Raises OSError, and PluginError if the files are too large.
        """
        if modules is None:
            with path.open("rb") as file:
                text = file.read(MOST + 1)
            if len(text) > MOST:
                raise PluginError(f"{path}: has more than {MOST // 2**20} MB; a strategy must be smaller")
            modules, _ = read_modules(path, text)
        folder, (own, text) = folder_of(path), next(iter(modules.items()))
        beside = {name: data for name, data in modules.items() if name != own}
        for module, code in modules.items():
            found = files_beside(folder / module, code)
            beside |= {PurePath(module).with_name(name).as_posix(): data for name, data in found.items()}
            if sum(map(len, beside.values())) > MOST:
                raise PluginError(
                    f"{path}: its modules and the data files that they name have more than {MOST // 2**20} MB"
                )
        return cls(path=plain(str(path)), text=text, beside=beside)

    @property
    def name(self) -> str:
        """The path within its folder. The code must not learn where the folder is."""
        path = Path(self.path)
        return path.relative_to(folder_of(path)).as_posix()

    @property
    def digest(self) -> str:
        """A hash of everything that the code can read: name, text, modules and data files."""
        digest = hashlib.sha256(self.name.encode() + b"\0" + self.text)
        for name, data in self.beside.items():
            digest.update(f"|{name}|{len(data)}|".encode() + data)
        return digest.hexdigest()

    def modules_in(self, folder: Path, package: str) -> dict[str, tuple[Path, bytes]]:
        """Return the path and the text of each module in a folder, by the module's name in a package."""
        files = {name: data for name, data in {self.name: self.text, **self.beside}.items() if name.endswith(MODULE)}
        return {f"{package}.{name}": ((folder / file).resolve(), files[file]) for file, name in names_of(files).items()}

    def write(self, folder: Path) -> Path:
        """Write the files to a new folder, and return the path of the plugin's file in it."""
        folder.mkdir()
        for name, data in {**self.beside, self.name: self.text}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return (folder / self.name).resolve()


def files_beside(path: Path, text: bytes) -> dict[str, bytes]:
    """Return the data files in a plugin's folder whose names appear literally in its text, such as 'words.txt'.

    The plugin's process gets no other file of the folder, since other people's plugins may be in it. Links and files in
    other folders are left out too. Raises PluginError if the data files are too large.
    """
    found: dict[str, bytes] = {}
    for name in sorted(_names(text)):
        try:
            descriptor = os.open(path.with_name(name), WITHOUT_SURPRISES)
        except (OSError, ValueError):  # missing or unreadable: the plugin finds out itself
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
    tree = parsed(text)
    if tree is None:
        return set()
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {name for name in texts if _is_data(name)}


def _is_data(name: str) -> bool:
    plain = Path(name).name == name and len(name) <= 255 and "\0" not in name
    return plain and not name.startswith(".") and bool(Path(name).suffix) and not name.lower().endswith(CODE)
