"""What processes on other machines get once (plugins' files and shared objects), and what must be the same there."""

import hashlib
import importlib.metadata
import importlib.util
import io
import os
import pickle
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from wordle_kit import hookspecs
from wordle_kit._version import __version__
from wordle_kit.clusters.plugin_file import PluginFile
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.plugin_modules import find_files, loaded_plugins
from wordle_kit.plugin_sources import places
from wordle_kit.temporary import new_folder_name, remove
from wordle_kit.texts import raised

CODE = ("wordle_kit", "wordle_kit_plugins")
"""The packages of wordle-kit that contain code. The games are sent."""


@dataclass(frozen=True)
class Bundle:
    """The files and objects that a process on another machine gets before its first call."""

    versions: dict[str, str]
    files: dict[str, PluginFile]
    """The files of plugins, by the names of the packages for their modules."""
    contents: bytes
    """The objects to which calls refer, and the function to call first, pickled."""

    @property
    def name(self) -> str:
        """A name that depends on the contents."""
        return f"wordle-kit-{hashlib.sha256(pickle.dumps(self)).hexdigest()[:16]}"


def pack(shared: Sequence[object], initialize: Callable[[], object] | None) -> Bundle:
    """Return a bundle with these objects, and with the plugins that this process has loaded from files."""
    files = {name: PluginFile.read(path, modules) for name, (path, modules) in loaded_plugins().items()}
    fingerprints = [one.fingerprint if isinstance(one, Game) else None for one in shared]
    return Bundle(versions_here(), files, pickled((list(shared), fingerprints, initialize), ()))


def pickled(value: object, shared: Sequence[object]) -> bytes:
    """Return a pickled object. It refers to the shared objects and does not contain them.

    Classes that were typed at a prompt are pickled with their code.
    """
    import cloudpickle  # installed with Dask

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
        def persistent_id(self, one: object) -> int | None:
            return places_of.get(id(one))

    places_of = {id(one): place for place, one in enumerate(shared)}
    written = io.BytesIO()
    Pickler(written, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return written.getvalue()


def unpickled(text: bytes, shared: Sequence[object]) -> Any:
    """Return an object that was pickled with references to the shared objects."""

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, place: Any) -> object:
            return shared[place]

    return Unpickler(io.BytesIO(text)).load()


class _Unpacked:
    """The bundle that this process has received, if it is on another machine."""

    bundle: Bundle
    shared: list[object] | None = None


def unpack(bundle: Bundle) -> None:
    """Write the files of a bundle to the folder of this process, and let Python find the modules in them."""
    _Unpacked.bundle, _Unpacked.shared = bundle, None
    folder = Path(gettempdir(), new_folder_name())
    # Root's isolated strategies become other users, who also have to read the plugins.
    folder.mkdir(mode=0o755 if os.getuid() == 0 else 0o700)
    Finalize(None, remove, (folder,), exitpriority=10)
    for name, file in bundle.files.items():
        places[file.path] = str(file.write(folder / name))
        find_files(file.modules_in(folder / name, name))


def carry_out(call: bytes) -> bytes:
    """Carry out a call that refers to the bundle, and return its result, pickled."""
    try:
        function, arguments = unpickled(call, _shared())
    except (ImportError, AttributeError) as error:
        raise WordleKitError(f"{raised(error)}; install the same plugins on every machine") from error
    return pickle.dumps(function(*arguments))


def _shared() -> list[object]:
    if _Unpacked.shared is None:
        shared, fingerprints, initialize = unpickled(_Unpacked.bundle.contents, ())
        for one, fingerprint in zip(shared, fingerprints, strict=True):
            if isinstance(one, Game) and one.fingerprint != fingerprint:
                raise WordleKitError(f"{one.name} is a different game there: the rule {one.rule.name} is not the same")
        if initialize is not None:
            initialize()
        _Unpacked.shared = shared
    return _Unpacked.shared


# What must be the same on all machines so that results are the same


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
    """Return a text about the first difference on another machine, or None if there is none."""
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
    """Return the Python file of a module, or all Python files of a package."""
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
