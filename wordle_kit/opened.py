"""Files that plugins open while they are loaded, such as tables of numbers: their contents belong to the plugins."""

import contextlib
import hashlib
import os
import sys
import sysconfig
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType

ENGINE = "wordle_kit."

LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""The folders of Python and of installed packages, which are not edited."""

OF_THE_SYSTEM = tuple(map(Path, ("/proc", "/sys", "/dev")))
"""Folders whose files say how the machine is right now."""

LOADER = "wordle_kit.plugins"
"""The module that loads plugins. Whatever calls it opens nothing by that."""

IMPORTS = "<frozen importlib"
"""The beginning of the names of Python's own files that import modules."""

ABSENT = "absent"
"""The digest of a file that could not be read."""

_opened: dict[str, dict[Path, str]] = {}
"""The digests of the files that each module has opened, as they were then."""

_here = threading.local()
"""Whether a plugin is being loaded in this thread."""


def is_library(file: Path) -> bool:
    """Return whether a file belongs to Python or to an installed package."""
    return any(file.is_relative_to(folder) for folder in LIBRARIES)


@contextlib.contextmanager
def noting_files() -> Iterator[None]:
    """Note the files that modules open to read them, for the length of a `with` block that loads a plugin."""
    _listen()
    before = getattr(_here, "loads", False)
    _here.loads = True
    try:
        yield
    finally:
        _here.loads = before


def opened_by(modules: Iterable[str]) -> list[str]:
    """Return the name and the digest of each file that one of these modules opened while a plugin was loaded."""
    files = {file: digest for module in modules for file, digest in _opened.get(module, {}).items()}
    return sorted(f"{file.name} {digest}" for file, digest in files.items())


def opened_here() -> str:
    """Return a hash of all files that were opened while plugins were loaded in this process."""
    return hashlib.sha256(repr(opened_by(_opened)).encode()).hexdigest()


def has_changed(module: str) -> bool:
    """Return whether a file that a module opened while it was loaded has other content now."""
    return any(_digest(file) != digest for file, digest in _opened.get(module, {}).items())


def forget(module: str) -> None:
    """Forget the files of a module that is going to be loaded again."""
    _opened.pop(module, None)


_is_listening = False


def _listen() -> None:
    """Have Python report every file that is opened. It cannot be told to stop, so this is done once."""
    global _is_listening
    if not _is_listening:
        _is_listening = True
        sys.addaudithook(_hear)


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open" or not getattr(_here, "loads", False):
        return
    path, _, flags = arguments
    writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_CREAT)
    if writes or not isinstance(path, str | bytes | os.PathLike):
        return
    _here.loads = False  # what follows opens files itself
    try:
        _note(Path(os.path.realpath(os.fsdecode(path))), sys._getframe(1))
    finally:
        _here.loads = True


def _note(file: Path, frame: FrameType | None) -> None:
    """Note that the modules whose code runs in this frame and around it have opened a file."""
    if is_library(file) or any(file.is_relative_to(folder) for folder in OF_THE_SYSTEM):
        return
    if frame is not None and frame.f_code.co_filename.startswith(IMPORTS):
        return  # a module: sources.py knows which modules belong to a plugin
    modules: set[str] = set()
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module == LOADER:
            break
        code = frame.f_code
        if is_library(Path(os.path.realpath(code.co_filename))):
            if code.co_name == "<module>" and not modules:
                return  # a library is imported and reads its settings
        elif not code.co_filename.startswith("<frozen") and not f"{module}.".startswith(ENGINE):
            modules.add(module)
        frame = frame.f_back
    digest = _digest(file)
    for module in modules:
        _opened.setdefault(module, {})[file] = digest


def _digest(file: Path) -> str:
    try:
        if not file.is_file():  # a pipe would be waited for
            return ABSENT
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return ABSENT
