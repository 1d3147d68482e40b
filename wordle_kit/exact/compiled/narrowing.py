"""Shorter lists of guesses for smaller sets: one guess per partition, and in hard mode the guesses that are allowed."""

import numpy as np
import numpy.typing as npt

from wordle_kit.exact.compiled import compiled, inlined
from wordle_kit.exact.compiled.kernels import BLOCK, Codes, Int, Int32s, Int64s, Matrix, hash_partitions
from wordle_kit.exact.compiled.workspace import NEVER, HardMode, Need, State, Subset, Tops, Workspace


@inlined
def compact(w: Workspace, s: Subset, tops: Tops) -> Subset:
    """Copy a set with the guesses worth trying: candidates, and one guess per partition, those of most parts first.

    `score_all` filled in the scores and other columns at `tops.lists`; the copies follow them. The copies of the matrix
    and the set lie at the tops of their stacks. If two candidates split the set alike, the score of the second becomes
    NEVER. It stays in the list, because it may split smaller sets differently.
    """
    lists, into = tops.lists, tops.lists + s.width
    codes, rows, answers, columns = w.codes, w.rows, w.answers, w.columns
    ids, parts, ties, scores = w.ids, w.parts, w.ties, w.scores
    state, slots, stamps, kept = w.state, w.slots, w.stamps, w.kept
    hashes, label = w.hashes[: s.width], w.bytes_a
    for i in range(s.size):
        rows[tops.sets + i] = i
        answers[tops.sets + i] = answers[s.start + i]
        columns[tops.sets + i] = -1
    matrix = Matrix(codes, s.codes, s.width, rows[s.start : s.start + s.size])
    state[State.STAMP.value] += 1
    stamp = state[State.STAMP.value]
    for first in range(0, s.width, BLOCK):
        size = min(BLOCK, s.width - first)
        hash_partitions(matrix, first, label[:size], hashes[first : first + size])
    n = np.int64(0)
    for i in range(s.size):
        column = columns[s.start + i]
        if column < 0:
            continue
        kept[n] = column
        columns[tops.sets + i] = n
        n += 1
        if not add_hash(slots, stamps, hashes[column], stamp):
            scores[lists + column] = NEVER
        parts[lists + column] = -parts[lists + column]
    candidates = n
    for column in range(s.width):
        if parts[lists + column] > 1 and add_hash(slots, stamps, hashes[column], stamp):
            kept[n] = column
            n += 1
    sort_by_parts(kept[candidates:n], parts[lists:into], s.size)
    for column in range(n):
        old = kept[column]
        ids[into + column] = ids[s.ids + old]
        parts[into + column] = abs(parts[lists + old])
        ties[into + column] = ties[lists + old]
        scores[into + column] = scores[lists + old]
    copy_codes(codes, s.codes, s.width, matrix.rows, kept[:n], tops.codes)
    return Subset(tops.codes, n, into, s.list_hash, tops.sets, s.size, s.left)


@compiled
def copy_codes(codes: Codes, start: Int, width: Int, rows: Int32s, kept: Int32s, target: Int) -> None:
    """Copy some rows and columns of the matrix that begins at `start` to a new matrix that begins at `target`."""
    for row in rows:
        source = start + row * width
        for column in range(len(kept)):
            codes[target + column] = codes[source + kept[column]]
        target += len(kept)


@inlined
def sort_by_parts(columns: Int32s, parts: Int32s, most: Int) -> None:
    """Sort columns by their number of parts, which is at most `most`, the largest number first."""
    places = np.zeros(most + 2, dtype=np.int64)
    unsorted = columns.copy()
    for column in unsorted:
        places[most - parts[column] + 1] += 1
    for i in range(most + 1):
        places[i + 1] += places[i]
    for column in unsorted:
        slot = most - parts[column]
        columns[places[slot]] = column
        places[slot] += 1


@compiled
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


@inlined
def narrow(w: Workspace, s: Subset, guess: Int, code: Int, tops: Tops) -> Subset:
    """Make the list and the matrix that hard mode leaves to a part, at the tops of their stacks. Return the new set.

    At first, the part has the matrix and the list of the whole set. If hard mode forbids one of its candidates, the
    state says so in `State.NEEDS`.
    """
    ids, rows, columns, zobrist = w.ids, w.rows, w.columns, w.zobrist
    first_guess = len(w.weights)
    n = keep_allowed(w.hard, guess, code, ids[s.ids : s.ids + s.width], w.kept)
    kept = w.kept[:n]
    hashed = np.uint64(0)
    for column in range(n):
        other = ids[s.ids + kept[column]]
        ids[tops.lists + column] = other
        hashed ^= zobrist[first_guess + other, 0]
    copy_codes(w.codes, s.codes, s.width, rows[s.start : s.start + s.size], kept, tops.codes)
    for i in range(s.start, s.start + s.size):
        old = columns[i]
        column = np.searchsorted(kept, old)
        rows[i] = i - s.start
        if column < n and kept[column] == old:
            columns[i] = column
        else:
            w.state[State.NEEDS.value] = Need.ALLOWED_CANDIDATES
    return Subset(tops.codes, np.int64(n), tops.lists, hashed, s.start, s.size, s.left)


@compiled
def keep_allowed(hard: HardMode, guess: Int, code: Int, ids: Int32s, kept: Int32s) -> Int:
    """Fill `kept` with the columns of a list whose guesses are allowed after a guess got a code. Return their number.

    This is the native twin of `Rule.hard_mode_mask`.
    """
    n = 0
    if not len(hard.needed):
        for i in range(len(ids)):
            if hard.masks[guess, code, ids[i]]:
                kept[n] = i
                n += 1
        return n
    length = len(hard.symbols)
    base = hard.needed.shape[1]
    placed = np.full(length, -1, dtype=np.int32)
    symbols = np.full(length, -1, dtype=np.int32)
    counts = np.zeros(length, dtype=np.int64)
    for place in range(length - 1, -1, -1):
        mark = code % base
        code //= base
        symbol = hard.symbols[place, guess]
        needed = hard.needed[symbol, mark]
        if needed < 0:
            continue
        slot = 0
        while symbols[slot] >= 0 and symbols[slot] != needed:
            slot += 1
        symbols[slot] = needed
        if hard.in_place[symbol, mark]:
            placed[place] = needed
        if hard.counts_copies or hard.in_place[symbol, mark]:
            counts[slot] += 1
    words = hard.symbols  # the loop is spelt out here: a call for each guess would take most of the time
    for i in range(len(ids)):
        other = ids[i]
        allowed = True
        for place in range(length):
            allowed &= placed[place] < 0 or words[place, other] == placed[place]
        slot = 0
        while allowed and slot < length and symbols[slot] >= 0:
            count = 0
            for place in range(length):
                count += words[place, other] == symbols[slot]
            allowed = count >= max(1, counts[slot])
            slot += 1
        if allowed:
            kept[n] = i
            n += 1
    return n
