"""A least-recently-used cache of arrays, bounded by the bytes that they take."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

ENTRY = 500
"""Bytes that an entry takes besides its array, roughly."""


class LRUCache:
    """Arrays by key; beyond `capacity` bytes the least recently used are dropped."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.nbytes = 0
        self._entries: OrderedDict[Hashable, Array] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, make: Callable[[], Array]) -> Array:
        """Return the array with this key; if there is none, keep the one that `make` returns, as read-only."""
        with self._lock:
            kept = self._entries.get(key)
            if kept is not None:
                self._entries.move_to_end(key)
                return kept
        made = make()
        made.flags.writeable = False
        with self._lock:
            if key not in self._entries:  # another thread may have made it too
                self._entries[key] = made
                self.nbytes += made.nbytes + ENTRY
            while self.nbytes > self.capacity and len(self._entries) > 1:
                _, dropped = self._entries.popitem(last=False)
                self.nbytes -= dropped.nbytes + ENTRY
        return made

    def items(self) -> list[tuple[Hashable, Array]]:
        """Return the keys and their arrays, the least recently used first."""
        with self._lock:
            return list(self._entries.items())

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._entries.clear()
            self.nbytes = 0
