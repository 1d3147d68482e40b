"""A cache that forked worker processes share, so that they do not all compute the same scores."""

import hashlib
import multiprocessing
import struct
from collections.abc import Callable
from mmap import mmap

import numpy as np

from wordle_kit.game.table import Floats

END = struct.Struct("=Q")
"""At the start of the memory: where the last entry ends."""

ENTRY = struct.Struct("=16sQ")
"""At the start of an entry: the digest of its key, and the number of floats that follow."""

FLOAT = 8
"""Bytes of a float."""


class SharedCache:
    """Arrays of float64 by key, in memory that this process shares with those that it forks from now on.

    Entries are added at the end of the memory, and never changed. No process waits for another: while one adds an entry
    or looks for new ones, the others use only what they have already found. If a process is stopped in the middle of
    that, nothing new is shared any more. Raises OSError or ImportError if the system lacks shared memory or semaphores.
    """

    def __init__(self, capacity: int) -> None:
        self._memory = mmap(-1, capacity)
        self._lock = multiprocessing.get_context("fork").Lock()
        self._places: dict[bytes, tuple[int, int]] = {}
        """Where the floats of each digest begin, and how many there are."""
        self._read_to = END.size
        END.pack_into(self._memory, 0, END.size)

    def get(self, key: bytes, make: Callable[[], Floats]) -> Floats:
        """Return what `make` returns, or what it returned in any of the processes for this key, which is read-only.

        Arrays of another dtype than float64 are not shared, nor are any once the memory is full.
        """
        digest = hashlib.blake2b(key, digest_size=16).digest()
        if digest not in self._places:
            self._read()
        if digest in self._places:
            start, count = self._places[digest]
            floats = np.frombuffer(self._memory, np.float64, count, start)
            floats.flags.writeable = False
            return floats
        made = make()
        if made.dtype == np.float64:
            self._add(digest, made)
        return made

    def _add(self, digest: bytes, floats: Floats) -> None:
        """Add an entry if there is room for it and no other process is busy."""
        if not self._lock.acquire(block=False):
            return
        try:
            (end,) = END.unpack_from(self._memory)
            start = end + ENTRY.size
            if start + floats.nbytes <= len(self._memory):
                ENTRY.pack_into(self._memory, end, digest, len(floats))
                self._memory[start : start + floats.nbytes] = floats.tobytes()
                END.pack_into(self._memory, 0, start + floats.nbytes)
        finally:
            self._lock.release()

    def _read(self) -> None:
        """Find the entries that were added since the last time, unless another process is busy."""
        if not self._lock.acquire(block=False):
            return
        try:
            (end,) = END.unpack_from(self._memory)
        finally:
            self._lock.release()
        here = self._read_to
        while here < end:
            digest, count = ENTRY.unpack_from(self._memory, here)
            self._places[digest] = here + ENTRY.size, count
            here += ENTRY.size + FLOAT * count
        self._read_to = here  # another thread may have set it meanwhile, also to where an entry begins
