"""Data that is computed once and shared with every process: the feedback table and compiled kernels. Linux only.

Neither is a secret. A new process does not have to compute the table. It imports numba only if its strategy needs it,
which saves most of the time to start.
"""

import contextlib
import fcntl
import importlib
import mmap
import os
import shutil
import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary, finalize

from wordle_kit.game.game import Game
from wordle_kit.game.table import FeedbackTable
from wordle_kit.strategy.costs import load_kernels

WITH_KERNELS = ("wordle_kit.strategy.kernels", "wordle_kit_plugins.kernels")
"""The modules with kernels. Kernels in other modules of the same folders are kept in the same place."""

CHUNK = 2**30
"""The bytes of a table that are read at a time. The system's maximum is larger."""

_descriptors: WeakKeyDictionary[FeedbackTable, int] = WeakKeyDictionary()


def share_table(game: Game) -> int | None:
    """Put a game's feedback table into a sealed file. Return its descriptor, or None if the game has no table.

    Processes that are forked afterwards share the table. The kernels that count parts are compiled for all of them.
    """
    table = game.table
    if not table.is_dense:
        return None
    if table not in _descriptors:
        codes = table.whole()
        descriptor = os.memfd_create("feedback-table", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        with open(descriptor, "wb", closefd=False) as file:
            file.write(codes.tobytes())
        seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
        table.adopt(mmap.mmap(descriptor, 0, prot=mmap.PROT_READ))  # replaces its codes, which are the same
        _descriptors[table] = descriptor
        finalize(table, os.close, descriptor)
        load_kernels(game)
        _let_all_read_kernels()
    return _descriptors[table]


def receive_table(descriptor: int) -> bytes:
    """Return the table that another process shares, as bytes, and close the descriptor.

    Mapping the file would be 25 ms faster for Wordle. But processes could communicate through a file that they share:
    through its offset, its times, its attributes, and the pages in use.
    """
    try:
        parts: list[bytes] = []
        left = os.fstat(descriptor).st_size
        while left:  # the system reads at most 2 GiB at a time; pread leaves the shared offset alone
            parts.append(os.pread(descriptor, min(left, CHUNK), CHUNK * len(parts)))
            left -= len(parts[-1])
        return b"".join(parts)
    finally:
        os.close(descriptor)


@cache
def kernel_folders() -> dict[str, str]:
    """Return the folders where numba keeps compiled kernels, each with the folder for it in a new process's cache.

    The folders are next to the source, in the user's cache, or where NUMBA_CACHE_DIR says for this process.
    """
    from numba.core.caching import _CacheLocator
    from numba.core.dispatcher import Dispatcher

    subpath: Callable[[str], str] = _CacheLocator.get_suitable_cache_subpath
    folders = {}
    for name in WITH_KERNELS:
        module = importlib.import_module(name)
        kernel = next(value for value in vars(module).values() if isinstance(value, Dispatcher))
        folders[str(kernel.stats.cache_path)] = subpath(str(module.__file__))
    return folders


def copy_kernels(folders: dict[str, str], cache_folder: Path) -> None:
    """Copy the compiled kernels of wordle-kit to where numba looks for them, so that they are not compiled again.

    Kernels that this process may not read are left out.
    """
    for kept, folder in folders.items():
        place = cache_folder / folder
        place.mkdir(parents=True, exist_ok=True)
        tag = f"py{sys.version_info[0]}{sys.version_info[1]}"
        for file in Path(kept).glob(f"*kernels.*.{tag}.*"):
            # Skip files that another process is writing, since they may be renamed at any moment, and files that only
            # root can read.
            if file.suffix in (".nbi", ".nbc") and os.access(file, os.R_OK):
                shutil.copyfile(file, place / file.name)


def _let_all_read_kernels() -> None:
    """Let every user read the compiled kernels. Root's umask may forbid it, but root's programs run as other users."""
    if os.getuid() != 0:
        return
    for folder in map(Path, kernel_folders()):
        for path in [folder, *folder.glob("*kernels.*")] if folder.is_dir() else ():
            with contextlib.suppress(OSError):  # it has been renamed, or nothing here can be changed
                wanted = 0o555 if path.is_dir() else 0o444
                path.chmod(stat.S_IMODE(path.stat().st_mode) | wanted)
