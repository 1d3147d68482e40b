"""The guesses of a set of candidates: lower bounds of their costs, and shorter lists of guesses for smaller sets.

A score is a lower bound that looks one guess ahead. A shorter list has one guess per partition of the candidates or, in
hard mode, the guesses still allowed.
"""

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled import compiled, inlined
from wordle_kit_plugins.exact.compiled.kernels import (
    BLOCK,
    Int,
    Int32s,
    Int64s,
    Matrix,
    costs_of_parts,
    count_parts,
    hash_partitions,
    most_parts,
    parts_of,
    saved_by_parts,
)
from wordle_kit_plugins.exact.compiled.transposition_table import NO_GUESS
from wordle_kit_plugins.exact.memory import (
    NEVER,
    Facts,
    HardMode,
    Order,
    Subset,
    Tops,
    Workspace,
)

import wordle_kit as wk


@inlined
def one_deep(late: Int, n: Int, parts: Int, candidate: Int, left: Int) -> Int:
    """Return the least possible cost of n candidates by a guess that splits them into this many parts.

    `candidate` is 1 if the guess is a candidate, else 0. The guess itself costs n, and a part of m candidates costs at
    least 2m - 1. Candidates that cannot be solved in the guesses left are late.
    """
    cost = 3 * n - parts - candidate
    if left == 1:
        cost += late * (n - candidate)
    elif left == 2:
        cost += late * (n - parts)
    return cost


@compiled
def ideal_cost(facts: Facts, ideal: Int64s, weights: Int64s, answers: Int64s, left: Int) -> Int:
    """Return the least possible cost of a set by size and weights. It is exact for one and two candidates.

    It takes arrays because passing the whole workspace is slow.
    """
    if not facts.weighted:
        return ideal[left, len(answers)]
    total = 0
    for answer in answers:
        total += weights[answer]
    cost = 2 * total - weights[answers[0]]
    if left == 0 or left == 1:
        cost += facts.late * (len(answers) - left)
    return cost


@compiled
def score_all(w: Workspace, s: Subset, lists: Int) -> Int:
    """Fill in parts, ties and scores of all guesses of a set, from `lists` on. Return the column of the least score.

    A score is a lower bound of the set's cost by this guess. `ties` has the sum of squared part sizes, which breaks
    ties between scores.
    """
    if w.facts.weighted:
        score_by_weight(w, s, lists)
    elif s.size > w.facts.fast:
        score_large(w, s, lists)
    else:
        score_small(w, s, lists)
    return np.int64(np.argmin(w.scores[lists : lists + s.width]))


@inlined
def score_by_weight(w: Workspace, s: Subset, lists: Int) -> None:
    """Do the same as `score_all` for answers with different weights."""
    late, left = w.facts.late, s.left
    columns, parts, ties, scores, seen = w.columns, w.parts, w.ties, w.scores, w.seen
    matrix = Matrix(w.codes, s.codes, s.width, w.rows[s.start : s.start + s.size])
    answers = w.answers[s.start : s.start + s.size]
    weights = w.weights[answers]
    total = weights.sum()
    for column in range(s.width):
        at = lists + column
        saved, ties[at], parts[at] = saved_by_parts(matrix, column, weights, seen)
        scores[at] = 3 * total - saved
        if left == 1:
            scores[at] += late * s.size
        elif left == 2:
            scores[at] += late * (s.size - parts[at])
    for i in range(s.size):
        column = columns[s.start + i]
        if column >= 0:
            scores[lists + column] -= weights[i] + (late if left == 1 else 0)


@inlined
def score_large(w: Workspace, s: Subset, lists: Int) -> None:
    """Do the same as `score_all` for a set too large to compare every pair of rows."""
    end = lists + s.width
    columns, scores = w.columns, w.scores
    ideal = w.ideal[s.left - 1 if s.left > 0 else s.left]
    costs_of_parts(
        Matrix(w.codes, s.codes, s.width, w.rows[s.start : s.start + s.size]),
        ideal,
        len(w.seen),
        scores[lists:end],
        w.ties[lists:end],
        w.parts[lists:end],
    )
    for at in range(lists, end):  # compiles faster than adding a number to an array
        scores[at] += s.size
    for i in range(s.start, s.start + s.size):
        if columns[i] >= 0:
            scores[lists + columns[i]] -= ideal[1]


@inlined
def score_small(w: Workspace, s: Subset, lists: Int) -> None:
    """Do the same as `score_all` by comparing pairs of rows."""
    late, n = w.facts.late, s.size
    columns, parts, ties, scores = w.columns, w.parts, w.ties, w.scores
    bytes_a, bytes_b, pairs = w.bytes_a, w.bytes_b, w.pairs
    matrix = Matrix(w.codes, s.codes, s.width, w.rows[s.start : s.start + s.size])
    score_of = np.empty(n + 1, dtype=np.int64)
    for count in range(n + 1):
        score_of[count] = one_deep(late, n, count, np.int64(0), s.left)
    for first in range(0, s.width, BLOCK):
        size = min(BLOCK, s.width - first)
        at = lists + first
        count_parts(matrix, first, bytes_a[:size], pairs[:size], bytes_b[:size])
        for g in range(size):
            parts[at + g] = bytes_a[g]
            ties[at + g] = n + 2 * np.int64(pairs[g])
            scores[at + g] = score_of[bytes_a[g]]
    for i in range(s.start, s.start + n):
        if columns[i] >= 0:
            at = lists + columns[i]
            scores[at] = one_deep(late, n, np.int64(parts[at]), 1, s.left)


@compiled
def bound_set(w: Workspace, s: Subset, falling: bool, lists: Int) -> tuple[Int, Int]:
    """Return a lower bound of a set's cost that looks one guess ahead, and its guess if it is exact, else NO_GUESS.

    `lists` is the top of the stack of lists. `falling` means that `compact` made the list, so the guesses that split a
    larger set into the most parts come first.
    """
    facts, columns, ids = w.facts, w.columns, w.ids
    late, n, left = facts.late, s.size, s.left
    if facts.weighted or n > facts.fast:
        top = score_all(w, s, lists)
        exact = w.parts[lists + top] >= n - 1
        return w.scores[lists + top], np.int64(ids[s.ids + top]) if exact else NO_GUESS
    matrix = Matrix(w.codes, s.codes, s.width, w.rows[s.start : s.start + s.size])
    best = NEVER
    guess = NO_GUESS
    ideal = w.ideal[left, n]
    seen = w.seen
    for i in range(s.start, s.start + n):
        column = columns[i]
        if column >= 0:
            parts = parts_of(matrix, column, seen)
            cost = one_deep(late, n, parts, 1, left)
            if cost < best:
                best = cost
                guess = ids[s.ids + column] if parts >= n - 1 else NO_GUESS
                if cost == ideal:
                    return best, guess
    if best > one_deep(late, n, n, 0, left):
        at_most = w.parts[s.ids : s.ids + s.width] if falling else w.parts[:0]
        parts, column = most_parts(matrix, at_most, w.bytes_a, w.bytes_b)
        cost = one_deep(late, n, parts, 0, left)
        if cost < best:
            best = cost
            guess = ids[s.ids + column] if parts >= n - 1 else NO_GUESS
    return best, guess


@inlined
def estimate(w: Workspace, s: Subset, column: Int) -> Int:
    """Return the expected number of guesses from this guess on, by an estimator of Tyl (2023).

    If a of the n candidates are expected to be left, the estimate is 1 + ln n / ln(n / a). If the guess is expected to
    give H bits, the estimate is 1 + log2 n / H.
    """
    n, codes, rows, columns, seen = s.size, w.codes, w.rows, w.columns, w.seen
    winner = 0
    for i in range(s.start, s.start + n):
        winner |= columns[i] == column
        seen[codes[s.codes + rows[i] * s.width + column]] += 1
    squares = 0.0
    logs = 0.0
    for i in range(s.start, s.start + n):
        code = codes[s.codes + rows[i] * s.width + column]
        size = seen[code]
        seen[code] = 0
        if size:
            squares += size * size
            logs += size * np.log2(size)
    if w.facts.order == Order.STATISTICAL:
        needed = 1 + np.log(n) / np.log(n * n / squares)
    else:
        needed = 1 + np.log2(n) / (np.log2(n) - logs / n)
    return winner / n + (1 - winner / n) * needed


@inlined
def compact(w: Workspace, s: Subset, tops: Tops) -> Subset:
    """Copy a set with only the guesses worth trying: candidates, and one guess per partition, most parts first.

    With fewer guesses, all sets below are cheaper to score, and the order lets scans end early. `score_all` has filled
    in the scores and other columns at `tops.lists`; the copies follow them. The copies of the matrix and the set are at
    the tops of their stacks. If two candidates split the set in the same way, the score of the second becomes NEVER,
    but it stays in the list, because it may split smaller sets differently.
    """
    lists, into = tops.lists, tops.lists + s.width
    codes, rows, answers, columns = w.codes, w.rows, w.answers, w.columns
    ids, parts, ties, scores = w.ids, w.parts, w.ties, w.scores
    state, slots, stamps, kept = w.state[0], w.slots, w.stamps, w.kept
    hashes, label = w.hashes[: s.width], w.bytes_a
    for i in range(s.size):
        rows[tops.sets + i] = i
        answers[tops.sets + i] = answers[s.start + i]
        columns[tops.sets + i] = -1
    matrix = Matrix(codes, s.codes, s.width, rows[s.start : s.start + s.size])
    state.stamp += 1
    stamp = state.stamp
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
def copy_codes(codes: wk.Codes, start: Int, width: Int, rows: Int32s, kept: Int32s, target: Int) -> None:
    """Copy some rows and columns of the matrix at `start` to a new matrix at `target`."""
    for row in rows:
        source = start + row * width
        for column in range(len(kept)):
            codes[target + column] = codes[source + kept[column]]
        target += len(kept)


@inlined
def sort_by_parts(columns: Int32s, parts: Int32s, most: Int) -> None:
    """Sort columns by their number of parts, which is at most `most`, in descending order."""
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
    """Add a hash to the set of hashes with this stamp, and return whether it was new."""
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
    """Create the list and matrix that hard mode allows for a part, at the tops of their stacks. Return the new set.

    Until then, the part uses the list and matrix of the whole set.
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
        rows[i] = i - s.start
        columns[i] = np.searchsorted(kept, columns[i])
    return Subset(tops.codes, np.int64(n), tops.lists, hashed, s.start, s.size, s.left)


@compiled
def keep_allowed(hard: HardMode, guess: Int, code: Int, ids: Int32s, kept: Int32s) -> Int:
    """Fill `kept` with the columns whose guesses are allowed after this feedback on a guess. Return their number.

    This is the native twin of `wordle_kit.game.rules.hard_mode_mask`.
    """
    n = 0
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
    words = hard.symbols  # the loop is inlined, since a call per guess would take most of the time
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
