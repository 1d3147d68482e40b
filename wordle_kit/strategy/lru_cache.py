"""A least-recently-used cache of arrays, bounded by the bytes that they take."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = tuple[npt.NDArray[Any], ...]

ENTRY = 500
"""Bytes that an entry takes besides its arrays, roughly."""


class LRUCache:
    """Tuples of arrays by key; beyond `capacity` bytes the least recently used are dropped."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.nbytes = 0
        self._entries: OrderedDict[Hashable, Arrays] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, make: Callable[[], Arrays]) -> Arrays:
        """Return the arrays with this key; if there are none, keep those that `make` returns, as read-only."""
        with self._lock:
            kept = self._entries.get(key)
            if kept is not None:
                self._entries.move_to_end(key)
                return kept
        made = make()
        for array in made:
            array.flags.writeable = False
        with self._lock:
            if key not in self._entries:  # another thread may have made it too
                self._entries[key] = made
                self.nbytes += _size(made)
            while self.nbytes > self.capacity and len(self._entries) > 1:
                _, dropped = self._entries.popitem(last=False)
                self.nbytes -= _size(dropped)
        return made

    def items(self) -> list[tuple[Hashable, Arrays]]:
        """Return the keys and their arrays, the least recently used first."""
        with self._lock:
            return list(self._entries.items())

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._entries.clear()
            self.nbytes = 0


def _size(arrays: Arrays) -> int:
    return ENTRY + sum(np.asarray(array).nbytes for array in arrays)
