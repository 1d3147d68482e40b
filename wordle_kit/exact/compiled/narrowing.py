"""Shorter lists of guesses for smaller sets: one guess of each partition, and in hard mode those that are allowed."""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.compiled.hard import keep_allowed
from wordle_kit.exact.compiled.kernels import BLOCK, Int, Int64s, hash_partitions
from wordle_kit.exact.compiled.workspace import NEVER, State, Workspace


@njit(cache=True, nogil=True)
def compact(
    w: Workspace, mat: Int, width: Int, ids: Int, lists: Int, start: Int, n: Int, arena: Int, items: Int, into: Int
) -> Int:
    """Copy what is worth guessing: candidates, and of each partition of the set one guess, guesses of most parts first.

    The matrix goes to `arena`, the set to `items`, the list with its parts, ties and scores to `into`. A candidate that
    parts the set as an earlier one does stays for the children but is NEVER to be guessed here. Returns the new width.
    """
    for i in range(n):
        w.rows[items + i] = i
        w.answers[items + i] = w.answers[start + i]
        w.columns[items + i] = -1
    rows = w.rows[start : start + n]
    w.state[State.STAMP.value] += 1
    stamp = w.state[State.STAMP.value]
    slots, stamps = w.slots, w.stamps
    hashes = w.hashes[:width]
    for first in range(0, width, BLOCK):
        size = min(BLOCK, width - first)
        hash_partitions(w.codes, mat, width, rows, first, w.bytes_a[:size], hashes[first : first + size])
    kept = 0
    for i in range(n):
        column = w.columns[start + i]
        if column < 0:
            continue
        w.kept[kept] = column
        w.columns[items + i] = kept
        kept += 1
        if not add_hash(slots, stamps, hashes[column], stamp):
            w.scores[lists + column] = NEVER
        w.parts[lists + column] = -w.parts[lists + column]
    first_unsorted = kept
    for column in range(width):
        if w.parts[lists + column] > 1 and add_hash(slots, stamps, hashes[column], stamp):
            w.kept[kept] = column
            kept += 1
    sort_by_parts(w, lists, first_unsorted, kept, n)
    for column in range(kept):
        old = w.kept[column]
        w.ids[into + column] = w.ids[ids + old]
        w.parts[into + column] = abs(w.parts[lists + old])
        w.ties[into + column] = w.ties[lists + old]
        w.scores[into + column] = w.scores[lists + old]
    for i in range(n):
        source = mat + rows[i] * width
        target = arena + i * kept
        for column in range(kept):
            w.codes[target + column] = w.codes[source + w.kept[column]]
    return kept


@njit(cache=True, nogil=True)
def sort_by_parts(w: Workspace, lists: Int, start: Int, end: Int, n: Int) -> None:
    """Sort the columns kept[start:end] by falling number of parts, at most n."""
    places = np.zeros(n + 2, dtype=np.int64)
    columns = w.kept[start:end].copy()
    for column in columns:
        places[n - w.parts[lists + column] + 1] += 1
    for i in range(n + 1):
        places[i + 1] += places[i]
    for column in columns:
        slot = n - w.parts[lists + column]
        w.kept[start + places[slot]] = column
        places[slot] += 1


@njit(cache=True, nogil=True)
def add_hash(slots: npt.NDArray[np.uint64], stamps: Int64s, value: np.uint64, stamp: Int) -> bool:
    """Return whether a hash was not yet seen under this stamp, and remember it."""
    mask = len(slots) - 1
    slot = np.int64(value >> np.uint64(7)) & mask
    while stamps[slot] == stamp:
        if slots[slot] == value:
            return False
        slot = (slot + 1) & mask
    stamps[slot] = stamp
    slots[slot] = value
    return True


@njit(cache=True, nogil=True)
def list_of_part(
    w: Workspace, mat: Int, width: Int, ids: Int, guess: Int, code: Int, start: Int, n: Int, arena: Int, lists: Int
) -> tuple[Int, np.uint64]:
    """In hard mode, make the list, the matrix and the rows of a part. Returns the width and the hash of the list."""
    kept = keep_allowed(w.hard, guess, code, w.ids[ids : ids + width], w.kept)
    hashed = np.uint64(0)
    for column in range(kept):
        other = w.ids[ids + w.kept[column]]
        w.ids[lists + column] = other
        hashed ^= w.zobrist[len(w.weights) + other, 0]
    for i in range(n):
        source = mat + w.rows[start + i] * width
        target = arena + i * kept
        for column in range(kept):
            w.codes[target + column] = w.codes[source + w.kept[column]]
        old = w.columns[start + i]
        w.rows[start + i] = i
        w.columns[start + i] = -1
        if old >= 0:
            column = np.searchsorted(w.kept[:kept], old)
            if column < kept and w.kept[column] == old:
                w.columns[start + i] = column
    return kept, hashed
