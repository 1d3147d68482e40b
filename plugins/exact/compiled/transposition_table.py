"""The transposition table: results for sets of candidates searched before.

An entry has four uint64 numbers. Two are independent hashes of the set, the first of which chooses the bucket. The
third is the cost. The fourth packs the best guess, the size of the set, and whether the cost is exact or a lower bound.

A bucket has four entries. When it is full, the entry with the smallest set is replaced, because that set is the
quickest to search again.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled import compiled
from wordle_kit_plugins.exact.compiled.kernels import Int, Int64s

Hashes = tuple[np.uint64, np.uint64]
"""The two hashes of a set."""

Table = Any
"""An array of entries, ENTRY[n_entries]."""

BUCKET = 4
"""The number of entries per bucket."""
NO_GUESS = -1
UNKNOWN = -1
"""Returned in place of an entry's index if there is no entry."""


ENTRY = np.dtype([("first_hash", "u8"), ("second_hash", "u8"), ("cost", "u8"), ("details", "u8")], align=True)
"""An entry. `details` is 1 if the cost is exact, plus 2 times the size, plus 2**32 times (the best guess + 1)."""


def new_table(n_bytes: int) -> Table:
    """Return an empty table of at most this many bytes but at least one bucket: ENTRY[n_entries]."""
    entries = BUCKET
    while 2 * entries * ENTRY.itemsize <= n_bytes:
        entries *= 2
    return np.zeros(entries, dtype=ENTRY)


@compiled
def hash_of(zobrist: npt.NDArray[np.uint64], answers: Int64s, left: Int, list_hash: np.uint64) -> Hashes:
    """Return the two hashes of a set, for this number of guesses left and, in hard mode, this list of guesses."""
    first = list_hash ^ (np.uint64(left + 1) * np.uint64(0xD6E8FEB86659FD93))
    second = list_hash ^ (np.uint64(left + 1) * np.uint64(0xA0761D6478BD642F))
    for answer in answers:
        first ^= zobrist[answer, 0]
        second ^= zobrist[answer, 1]
    return first, second


@compiled
def find(table: Table, first: np.uint64, second: np.uint64) -> Int:
    """Return the index of a set's entry, or UNKNOWN."""
    start = int(first & np.uint64(len(table) - 1)) & ~(BUCKET - 1)
    for slot in range(start, start + BUCKET):
        if table[slot].first_hash == first and table[slot].second_hash == second:
            return slot
    return UNKNOWN


@compiled
def cost_at(table: Table, slot: Int) -> Int:
    """Return the cost in an entry."""
    return np.int64(table[slot].cost)


@compiled
def is_exact(table: Table, slot: Int) -> Int:
    """Return whether the cost in an entry is exact."""
    return (table[slot].details & np.uint64(1)) != 0


@compiled
def guess_at(table: Table, slot: Int) -> Int:
    """Return the guess in an entry, or NO_GUESS."""
    return np.int64((table[slot].details >> np.uint64(32)) & np.uint64(0xFFFFFFFF)) - 1


@compiled
def size_at(table: Table, slot: Int) -> Int:
    """Return the number of candidates in an entry's set, 0 for an empty entry."""
    return np.int64((table[slot].details & np.uint64(0xFFFFFFFF)) >> np.uint64(1))


@compiled
def keep(table: Table, first: np.uint64, second: np.uint64, size: Int, cost: Int, exact: bool, guess: Int) -> None:
    """Store the result for a set."""
    start = int(first & np.uint64(len(table) - 1)) & ~(BUCKET - 1)
    slot = find(table, first, second)
    if slot == UNKNOWN:
        slot = start
        for other in range(start + 1, start + BUCKET):
            if size_at(table, other) < size_at(table, slot):
                slot = other
    elif is_exact(table, slot) or (not exact and cost_at(table, slot) >= cost):
        return
    table[slot].first_hash = first
    table[slot].second_hash = second
    table[slot].cost = np.uint64(cost)
    table[slot].details = (np.uint64(guess + 1) << np.uint64(32)) | np.uint64(2 * size + int(exact))
