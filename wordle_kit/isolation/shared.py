"""What is computed once and given to every process: the feedback table, and compiled kernels. Linux only.

Neither is a secret. So a new process neither computes the table nor needs numba, which takes longer to import than all
else, unless its strategy does.
"""

import fcntl
import importlib
import mmap
import os
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary, finalize

from wordle_kit.game.game import Game
from wordle_kit.game.table import FeedbackTable
from wordle_kit.strategy.board import load_kernels

WITH_KERNELS = ("wordle_kit.strategy", "wordle_kit_plugins")
"""The packages that have a file `kernels.py`."""

CHUNK = 2**30
"""Bytes of a table that are read at a time, which is less than the system reads at most."""

_descriptors: WeakKeyDictionary[FeedbackTable, int] = WeakKeyDictionary()


def share_table(game: Game) -> int | None:
    """Return a file descriptor of a game's feedback table, which nobody can change, or None if none is kept.

    Processes that are forked afterwards have it too, and kernels that count parts have been compiled for all of them.
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
        table.adopt(mmap.mmap(descriptor, 0, prot=mmap.PROT_READ))  # instead of its own, which are the same
        _descriptors[table] = descriptor
        finalize(table, os.close, descriptor)
        load_kernels(game)
    return _descriptors[table]


def receive_table(descriptor: int) -> bytes:
    """Return a copy of a table that another process shares, and close the descriptor.

    A mapping would be 25 ms quicker for Wordle's, but processes can talk through a file that they have together: its
    offset, its times, its attributes, which of its pages are in use.
    """
    try:
        parts: list[bytes] = []
        left = os.fstat(descriptor).st_size
        while left:  # in parts, since the system reads 2 GiB at most, and not by the offset, which is common to all
            parts.append(os.pread(descriptor, min(left, CHUNK), CHUNK * len(parts)))
            left -= len(parts[-1])
        return b"".join(parts)
    finally:
        os.close(descriptor)


@cache
def kernel_folders() -> dict[str, str]:
    """Return, for each package with kernels, the folder below NUMBA_CACHE_DIR where numba looks for compiled ones."""
    from numba.core.caching import _CacheLocator

    subpath: Callable[[str], str] = _CacheLocator.get_suitable_cache_subpath
    return {package: subpath(str(_kernels_of(package))) for package in WITH_KERNELS}


def copy_kernels(folders: dict[str, str], cache_folder: Path) -> None:
    """Copy the compiled kernels of wordle-kit to where numba looks for them, so that they are not compiled again."""
    for package, folder in folders.items():
        place = cache_folder / folder
        place.mkdir(parents=True, exist_ok=True)
        tag = f"py{sys.version_info[0]}{sys.version_info[1]}"
        for file in (_kernels_of(package).parent / "__pycache__").glob(f"kernels.*.{tag}.*"):
            shutil.copyfile(file, place / file.name)


def _kernels_of(package: str) -> Path:
    return Path(str(importlib.import_module(package).__file__)).with_name("kernels.py")
