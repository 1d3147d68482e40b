"""The transposition table: what is known of sets of candidates that were searched before.

An entry is four numbers, uint64: two independent hashes of the set (128 bits, one of which chooses the bucket), its
cost, and a word that packs the best guess, the size of the set and whether the cost is exact or a lower bound. A bucket
has four entries. A full one gives up the entry of the smallest set, which is the quickest to search again.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.compiled.kernels import Int

Table = npt.NDArray[np.uint64]

BUCKET = 4
ENTRY_BYTES = 32
NO_GUESS = -1
UNKNOWN = -1


def new_table(n_bytes: int) -> Table:
    """Return an empty table of at most so many bytes, and of at least one bucket: uint64[n_entries, 4]."""
    entries = BUCKET
    while 2 * entries * ENTRY_BYTES <= n_bytes:
        entries *= 2
    return np.zeros((entries, 4), dtype=np.uint64)


def sizes(table: Table) -> npt.NDArray[np.int64]:
    """Return how many candidates the set of each entry has, int64[n_entries], 0 where there is no entry."""
    return ((table[:, 3] & np.uint64(0xFFFFFFFF)) >> np.uint64(1)).astype(np.int64)


@njit(cache=True, nogil=True)
def find(table: Table, first: np.uint64, second: np.uint64) -> Int:
    """Return the index of a set's entry, or UNKNOWN."""
    start = int(first & np.uint64(len(table) - 1)) & ~(BUCKET - 1)
    for slot in range(start, start + BUCKET):
        if table[slot, 0] == first and table[slot, 1] == second:
            return slot
    return UNKNOWN


@njit(cache=True, nogil=True)
def cost_at(table: Table, slot: Int) -> Int:
    """Return the cost of an entry."""
    return np.int64(table[slot, 2])


@njit(cache=True, nogil=True)
def is_exact(table: Table, slot: Int) -> Int:
    """Return whether the cost of an entry is exact."""
    return (table[slot, 3] & np.uint64(1)) != 0


@njit(cache=True, nogil=True)
def guess_at(table: Table, slot: Int) -> Int:
    """Return the guess of an entry, or NO_GUESS."""
    return np.int64((table[slot, 3] >> np.uint64(32)) & np.uint64(0xFFFFFFFF)) - 1


@njit(cache=True, nogil=True)
def size_at(table: Table, slot: Int) -> Int:
    """Return how many candidates the set of an entry has; 0 where there is no entry."""
    return np.int64((table[slot, 3] & np.uint64(0xFFFFFFFF)) >> np.uint64(1))


@njit(cache=True, nogil=True)
def keep(table: Table, first: np.uint64, second: np.uint64, size: Int, cost: Int, exact: bool, guess: Int) -> Int:
    """Store what is known of a set, and return 1 where the table has an entry more, else 0."""
    start = int(first & np.uint64(len(table) - 1)) & ~(BUCKET - 1)
    slot = -1
    for other in range(start, start + BUCKET):
        if table[other, 0] == first and table[other, 1] == second:
            slot = other
            break
    if slot < 0:
        slot = start
        for other in range(start + 1, start + BUCKET):
            if size_at(table, other) < size_at(table, slot):
                slot = other
    elif is_exact(table, slot) or (not exact and cost_at(table, slot) >= cost):
        return 0
    added = 1 if size_at(table, slot) == 0 else 0
    table[slot, 0] = first
    table[slot, 1] = second
    table[slot, 2] = np.uint64(cost)
    table[slot, 3] = (np.uint64(guess + 1) << np.uint64(32)) | np.uint64(2 * size + int(exact))
    return added


@njit(cache=True, nogil=True)
def copy_entries(table: Table, into: Table) -> Int:
    """Store all entries of one table in another, and return how many it has more."""
    added = 0
    for slot in range(len(table)):
        if size_at(table, slot):
            added += keep(
                into,
                table[slot, 0],
                table[slot, 1],
                size_at(table, slot),
                cost_at(table, slot),
                is_exact(table, slot),
                guess_at(table, slot),
            )
    return added
