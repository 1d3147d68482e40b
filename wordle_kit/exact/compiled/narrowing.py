"""Shorter lists of guesses for smaller sets: one guess per partition, and in hard mode the guesses that are allowed."""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.compiled.hard import keep_allowed
from wordle_kit.exact.compiled.kernels import BLOCK, Codes, Int, Int32s, Int64s, Matrix, hash_partitions
from wordle_kit.exact.compiled.workspace import NEVER, Need, State, Subset, Tops, Workspace


@njit(cache=True, nogil=True)
def compact(w: Workspace, s: Subset, tops: Tops) -> Subset:
    """Copy a set with the guesses worth trying: candidates, and one guess per partition, those of most parts first.

    `score_all` filled in the scores and other columns at `tops.lists`; the copies follow them. The copies of the matrix
    and the set lie at the tops of their stacks. A candidate that splits the set as an earlier one does stays in the
    list for smaller sets, but its score becomes NEVER.
    """
    lists, into = tops.lists, tops.lists + s.width
    for i in range(s.size):
        w.rows[tops.sets + i] = i
        w.answers[tops.sets + i] = w.answers[s.start + i]
        w.columns[tops.sets + i] = -1
    matrix = Matrix(w.codes, s.codes, s.width, w.rows[s.start : s.start + s.size])
    w.state[State.STAMP.value] += 1
    stamp = w.state[State.STAMP.value]
    slots, stamps = w.slots, w.stamps
    hashes = w.hashes[: s.width]
    for first in range(0, s.width, BLOCK):
        size = min(BLOCK, s.width - first)
        hash_partitions(matrix, first, w.bytes_a[:size], hashes[first : first + size])
    kept = 0
    for i in range(s.size):
        column = w.columns[s.start + i]
        if column < 0:
            continue
        w.kept[kept] = column
        w.columns[tops.sets + i] = kept
        kept += 1
        if not add_hash(slots, stamps, hashes[column], stamp):
            w.scores[lists + column] = NEVER
        w.parts[lists + column] = -w.parts[lists + column]
    candidates = kept
    for column in range(s.width):
        if w.parts[lists + column] > 1 and add_hash(slots, stamps, hashes[column], stamp):
            w.kept[kept] = column
            kept += 1
    sort_by_parts(w, lists, candidates, kept, s.size)
    for column in range(kept):
        old = w.kept[column]
        w.ids[into + column] = w.ids[s.ids + old]
        w.parts[into + column] = abs(w.parts[lists + old])
        w.ties[into + column] = w.ties[lists + old]
        w.scores[into + column] = w.scores[lists + old]
    copy_codes(w.codes, s.codes, s.width, w.rows[s.start : s.start + s.size], w.kept[:kept], tops.codes)
    return Subset(tops.codes, np.int64(kept), into, s.list_hash, tops.sets, s.size, s.left)


@njit(cache=True, nogil=True)
def copy_codes(codes: Codes, start: Int, width: Int, rows: Int32s, kept: Int32s, target: Int) -> None:
    """Copy some rows and columns of the matrix that begins at `start` to a new matrix that begins at `target`."""
    for row in rows:
        source = start + row * width
        for column in range(len(kept)):
            codes[target + column] = codes[source + kept[column]]
        target += len(kept)


@njit(cache=True, nogil=True)
def sort_by_parts(w: Workspace, lists: Int, start: Int, end: Int, n: Int) -> None:
    """Sort the columns kept[start:end] by their number of parts, which is at most n, the largest number first."""
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
    """Add a hash to the set with this stamp. Return whether it was not there yet."""
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
def narrow(w: Workspace, s: Subset, guess: Int, code: Int, tops: Tops) -> Subset:
    """Make the list and the matrix that hard mode leaves to a part, at the tops of their stacks. Return the new set.

    The part has the matrix and the list of the whole set at first. If hard mode forbids one of its candidates, this
    sets what the search needs.
    """
    kept = keep_allowed(w.hard, guess, code, w.ids[s.ids : s.ids + s.width], w.kept)
    hashed = np.uint64(0)
    for column in range(kept):
        other = w.ids[s.ids + w.kept[column]]
        w.ids[tops.lists + column] = other
        hashed ^= w.zobrist[len(w.weights) + other, 0]
    copy_codes(w.codes, s.codes, s.width, w.rows[s.start : s.start + s.size], w.kept[:kept], tops.codes)
    for i in range(s.size):
        old = w.columns[s.start + i]
        column = np.searchsorted(w.kept[:kept], old)
        w.rows[s.start + i] = i
        if column < kept and w.kept[column] == old:
            w.columns[s.start + i] = column
        else:
            w.state[State.NEEDS.value] = Need.ALLOWED_CANDIDATES
    return Subset(tops.codes, np.int64(kept), tops.lists, hashed, s.start, s.size, s.left)
