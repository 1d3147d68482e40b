"""A cache of scores: in games of several boards, the same candidates occur again and again."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import numpy.typing as npt

from wordle_kit.game.table import MEBIBYTE

Array = npt.NDArray[Any]

ENTRY = 500
"""Bytes that an entry takes besides its array, roughly."""


class ScoreCache:
    """Arrays by owner and key; beyond `capacity` bytes the least recently used are dropped.

    An owner is a certain object, not one that is equal: strategies may be equal, or print alike, and score differently.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.nbytes = 0
        self._entries: OrderedDict[tuple[int, Hashable], tuple[object, Array]] = OrderedDict()
        """The owner, which is kept so that no other object gets its id, and the array."""
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, owner: object, key: Hashable, make: Callable[[], Array]) -> Array:
        """Return the owner's array with this key; if there is none, keep the one that `make` returns, as read-only."""
        place = id(owner), key
        with self._lock:
            if place in self._entries:
                self._entries.move_to_end(place)
                return self._entries[place][1]
        made = make()
        made.flags.writeable = False
        with self._lock:
            if place not in self._entries:  # another thread may have made it too
                self._entries[place] = owner, made
                self.nbytes += made.nbytes + ENTRY
            while self.nbytes > self.capacity and len(self._entries) > 1:
                _, (_, dropped) = self._entries.popitem(last=False)
                self.nbytes -= dropped.nbytes + ENTRY
        return made

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._entries.clear()
            self.nbytes = 0


SCORES = ScoreCache(256 * MEBIBYTE)
"""The scores that this process used last: by strategy, game and candidates."""
