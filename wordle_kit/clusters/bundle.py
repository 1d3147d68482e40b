"""A bundle: the files and objects that processes on other machines get once, and the calls that refer to it."""

import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple

from wordle_kit.clusters.versions import versions_here
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.isolation.data_files import files_beside
from wordle_kit.plugin_sources import FileFinder, loaded_files, places
from wordle_kit.temporary import new_folder_name, remove
from wordle_kit.texts import raised


class SentFile(NamedTuple):
    """The file of a plugin: its path on the machine that sends it, its text, and the data files beside it."""

    path: str
    text: bytes
    beside: dict[str, bytes]


@dataclass(frozen=True)
class Bundle:
    """The files and objects that a process on another machine gets before its first call."""

    versions: dict[str, str]
    files: dict[str, SentFile]
    """The files of plugins, by the names of their modules."""
    contents: bytes
    """The objects that calls refer to, and the function to call first, pickled."""

    @property
    def name(self) -> str:
        """A name that depends on the contents."""
        return f"wordle-kit-{hashlib.sha256(pickle.dumps(self)).hexdigest()[:16]}"


def pack(shared: Sequence[object], initialize: Callable[[], object] | None) -> Bundle:
    """Return a bundle with the plugins of this process that were loaded from files, and with these objects."""
    files = {name: SentFile(str(path), text, files_beside(path, text)) for name, (path, text) in loaded_files.items()}
    fingerprints = [one.fingerprint if isinstance(one, Game) else None for one in shared]
    return Bundle(versions_here(), files, pickled((list(shared), fingerprints, initialize), ()))


def pickled(value: object, shared: Sequence[object]) -> bytes:
    """Return a pickled object that refers to the shared objects instead of containing them.

    Classes that were typed into a prompt are pickled with their code.
    """
    import cloudpickle  # comes with Dask

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
        def persistent_id(self, one: object) -> int | None:
            return places_of.get(id(one))

    places_of = {id(one): place for place, one in enumerate(shared)}
    written = io.BytesIO()
    Pickler(written, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return written.getvalue()


def unpickled(text: bytes, shared: Sequence[object]) -> Any:
    """Return an object that was pickled with references to these objects."""

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, place: Any) -> object:
            return shared[place]

    return Unpickler(io.BytesIO(text)).load()


class _Unpacked:
    """The bundle that this process got, if it is on another machine."""

    bundle: Bundle
    shared: list[object] | None = None


def unpack(bundle: Bundle) -> None:
    """Write the files of a bundle to the folder of this process, and have Python find the modules in them."""
    _Unpacked.bundle, _Unpacked.shared = bundle, None
    folder = Path(gettempdir(), new_folder_name())
    # Isolated strategies of root become other users, who have to read the plugins too.
    folder.mkdir(mode=0o755 if os.getuid() == 0 else 0o700)
    Finalize(None, remove, (folder,), exitpriority=10)
    copies: dict[str, tuple[Path, bytes]] = {}
    for name, file in bundle.files.items():
        place = folder / name
        place.mkdir()
        for other, data in file.beside.items():
            (place / other).write_bytes(data)
        copy = place / Path(file.path).name
        copy.write_bytes(file.text)
        places[file.path] = str(copy)
        copies[name] = copy, file.text
    sys.meta_path.append(FileFinder(copies))


def carry_out(call: bytes) -> bytes:
    """Carry out a call that refers to the bundle. Return whether it succeeded, and its pickled value or error."""
    try:
        try:
            function, arguments = unpickled(call, _shared())
        except (ImportError, AttributeError) as error:
            raise WordleKitError(f"{raised(error)}; install the same plugins on every machine") from error
        return pickle.dumps((True, function(*arguments)))
    except WordleKitError as error:
        return pickle.dumps((False, error))


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
