"""The code that numba compiles: its folder (beside the source, in the user's cache, or a temporary one), and repair."""

import atexit
import functools
import os
import pickle
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wordle_kit.errors import MachineError

NUMBA_VARIABLE = "NUMBA_CACHE_DIR"


def find_folder(source: str) -> None:
    """Give numba a temporary folder for the life of this process, if it can write to none of its usual folders.

    Code in these folders that cannot be read is compiled anew.
    `source` is the file whose functions numba compiles. Call this before the functions are defined, because numba looks
    for a folder then. Raises MachineError if no folder can be written to.
    """
    mend_torn_caches()
    given = os.environ.get(NUMBA_VARIABLE)
    usual = [*([Path(given)] if given else []), Path(source).parent / "__pycache__", _users_cache()]
    if any(map(_can_be_written, usual)):
        return
    try:
        folder = Path(tempfile.mkdtemp(prefix="wordle-kit-"))
    except OSError as error:
        raise MachineError(f"no folder for compiled code can be written to; set {NUMBA_VARIABLE} to one") from error
    os.environ[NUMBA_VARIABLE] = str(folder)
    if "numba" in sys.modules:  # numba has already read its settings
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    atexit.register(_remove, folder, os.getpid())


def mend_torn_caches() -> None:
    """Have numba compile a function anew if its stored code cannot be read, for example since the disk was full."""
    from numba.core.caching import IndexDataCacheFile

    def mended(method: Callable[..., Any], nothing: Callable[[], Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def read(*arguments: Any) -> Any:
            try:
                return method(*arguments)
            except (EOFError, ValueError, pickle.UnpicklingError):
                return nothing()

        return read

    if not hasattr(IndexDataCacheFile.load, "__wrapped__"):
        IndexDataCacheFile.load = mended(IndexDataCacheFile.load, lambda: None)  # type: ignore[method-assign]
        IndexDataCacheFile._load_index = mended(IndexDataCacheFile._load_index, dict)  # type: ignore[method-assign]


def compiled_function(error: BaseException) -> Callable[..., Any] | None:
    """Return the function that numba was compiling when this exception was raised, or None."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__") == "numba.core.dispatcher" and frame.f_code.co_name == "compile":
            function: Callable[..., Any] | None = getattr(frame.f_locals.get("self"), "py_func", None)
            return function
    return None


def compiling(function: Callable[..., Any]) -> str:
    """Return a sentence that says that numba compiles a function during a decision, and what to do about it."""
    code = function.__code__
    where = f"{function.__name__} ({Path(code.co_filename).name}, line {code.co_firstlineno})"
    return f"numba compiles {where}; call it in prepare, which has time for that"


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _users_cache() -> Path:
    """Return the folder in the user's home directory that numba tries to use."""
    if sys.platform == "linux":
        return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "numba")  # noqa: PTH111
    return Path(os.path.expanduser("~"))  # noqa: PTH111 - there may be no home


def _can_be_written(folder: Path) -> bool:
    """Return whether a folder can be written to or created."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
