"""The compiled search: branch and bound over the guesses of a set of candidates, and over those of its parts.

`solve` returns the least cost of a set where that is within a budget, else a lower bound above it. Little is allocated:
matrices of codes, sets, lists of guesses and parts lie on stacks of the `Workspace`, whose tops are passed down. Where
a stack is too short, or somebody asked to stop, everything returns ABORTED; what was solved by then is in the table.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.hard import HardMode, keep_allowed
from wordle_kit.exact.kernels import (
    BLOCK,
    Codes,
    Int,
    Int32s,
    Int64s,
    costs_of_parts,
    count_pairs,
    count_parts,
    hash_partitions,
    most_parts,
    parts_of,
    saved_by_parts,
)
from wordle_kit.exact.solved import NO_GUESS, UNKNOWN, Table, cost_at, find, is_exact, keep

ABORTED = -1
NEVER = 2**62
"""More than any cost."""

UNLIMITED = -1
"""In place of the number of guesses left: late answers cost no more than others."""

# What the numbers in `Workspace.facts` are. WEIGHTED is 1 with weights, and 2 if those that are late count by them too.
WINNING, LATE, ORDER, HARD, WEIGHTED, FAST, CROWD = range(7)

# What the numbers in `Workspace.state` are: counters, then how the search is told to stop and tells why it did.
NODES, EVALUATED, BOUNDED, ENTRIES, STOP, NEEDS, LOWER, UPPER, BEST, STAMP, MOST_ENTRIES = range(11)

ENOUGH, MORE_CODES, MORE_SETS, MORE_LISTS, MORE_TABLE = range(5)

BY_BOUND, STATISTICAL, ENTROPIC = range(3)

# What is known of the bound of a part: nothing but its size, one guess deep, or its exact cost.
UNBOUNDED, BOUNDED, KNOWN = range(3)


class Workspace(NamedTuple):
    """The memory of a search."""

    facts: Int64s
    state: Int64s
    table: Table
    zobrist: npt.NDArray[np.uint64]
    """Random numbers, uint64[n_answers + n_guesses, 2]: a set's hash is the exclusive or of its members' numbers."""
    ideal: Int64s
    """What n candidates cost at best with so many guesses left, int64[K + 2, n + 1]; the last row is for UNLIMITED."""
    weights: Int64s
    """int64[n_answers], falling."""
    codes: Codes
    """Stack of matrices."""
    rows: Int32s
    """Stack of sets: rows of the candidates in their matrix, and with the same indices the next two."""
    answers: Int64s
    columns: Int64s
    """The column of each candidate as a guess, or -1."""
    part_start: Int64s
    part_size: Int64s
    part_order: Int64s
    part_bound: Int64s
    part_known: Int32s
    """UNBOUNDED, BOUNDED or KNOWN; by the index of a part from the first item of its set, as the four before."""
    part_matrix: Int64s
    """int64[., 3]: offset and width of the matrix of each part, offset of its list."""
    part_hash: npt.NDArray[np.uint64]
    """The hash of the list of each part, 0 where all guesses are allowed."""
    ids: Int32s
    """Stack of lists: the guesses of a matrix, and with the same indices their parts and scores."""
    parts: Int32s
    ties: Int32s
    scores: Int64s
    seen: Int64s
    bytes_a: npt.NDArray[np.uint8]
    bytes_b: npt.NDArray[np.uint8]
    pairs: npt.NDArray[np.uint16]
    hashes: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.uint64]
    stamps: Int64s
    kept: Int32s
    hard: HardMode


@njit(cache=True, nogil=True)
def one_deep(late: Int, n: Int, parts: Int, candidate: Int, left: Int) -> Int:
    """Return what n candidates cost at best by a guess that makes so many parts of them; `candidate` is 1 or 0.

    n for the guess itself and 2m - 1 for a part of m; what cannot be solved within the guesses left is late.
    """
    cost = 3 * n - parts - candidate
    if left == 1:
        cost += late * (n - candidate)
    elif left == 2:
        cost += late * (n - parts)
    return cost


@njit(cache=True, nogil=True)
def late_units(weighted: Int, weights: Int64s, answers: Int64s) -> Int:
    """Return how many times late candidates cost what a late one costs: their number, or their weight."""
    if weighted < 2:
        return len(answers)
    total = 0
    for answer in answers:
        total += weights[answer]
    return total


@njit(cache=True, nogil=True)
def ideal_cost(weighted: Int, ideal: Int64s, weights: Int64s, answers: Int64s, left: Int, late: Int) -> Int:
    """Return what a set costs at best, exact for one and two candidates."""
    if not weighted:
        return ideal[left, len(answers)]
    total = 0
    for answer in answers:
        total += weights[answer]
    cost = 2 * total - weights[answers[0]]
    if left == 0 or left == 1:
        cost += late * (late_units(weighted, weights, answers) - left * late_units(weighted, weights, answers[:1]))
    return cost


@njit(cache=True, nogil=True)
def set_scores(
    counts: npt.NDArray[np.uint8],
    pairs: npt.NDArray[np.uint16],
    parts: Int32s,
    ties: Int32s,
    scores: Int64s,
    n: Int,
    left: Int,
    late: Int,
) -> None:
    """Fill what `score_all` gives of a block of guesses, from their numbers of parts and of pairs left together."""
    score_of = np.empty(n + 1, dtype=np.int64)
    for count in range(n + 1):
        score_of[count] = one_deep(late, n, count, np.int64(0), left)
    for g in range(len(counts)):
        parts[g] = counts[g]
        ties[g] = n + 2 * np.int64(pairs[g])
        scores[g] = score_of[counts[g]]


@njit(cache=True, nogil=True)
def score_all(w: Workspace, mat: Int, width: Int, lists: Int, start: Int, n: Int, left: Int) -> Int:
    """Fill the parts, ties and scores of all guesses of a list at `lists`, and return the column of the least score."""
    late = w.facts[LATE]
    scores = w.scores[lists : lists + width]
    rows = w.rows[start : start + n]
    parts, ties = w.parts[lists : lists + width], w.ties[lists : lists + width]
    if w.facts[WEIGHTED]:
        weights = w.weights[w.answers[start : start + n]]
        by_weight = w.facts[WEIGHTED] == 2
        everything = late_units(w.facts[WEIGHTED], w.weights, w.answers[start : start + n])
        for column in range(width):
            saved, ties[column], parts[column] = saved_by_parts(w.codes, mat, width, rows, column, weights, w.seen)
            scores[column] = 3 * weights.sum() - saved
            if left == 1:
                scores[column] += late * everything
            elif left == 2:
                scores[column] += late * (everything - (saved if by_weight else parts[column]))
        for i in range(start, start + n):
            if w.columns[i] >= 0:
                own = w.weights[w.answers[i]]
                scores[w.columns[i]] -= own + (late * (own if by_weight else 1) if left == 1 else 0)
    elif n > w.facts[FAST]:
        after = left - 1 if left > 0 else left
        costs_of_parts(w.codes, mat, width, rows, w.ideal[after], len(w.seen), scores, ties, parts)
        scores += n
        for i in range(start, start + n):
            if w.columns[i] >= 0:
                scores[w.columns[i]] -= w.ideal[after, 1]
    else:
        for first in range(0, width, BLOCK):
            size = min(BLOCK, width - first)
            count_parts(w.codes, mat, width, rows, first, w.bytes_a[:size], w.bytes_b[:size])
            count_pairs(w.codes, mat, width, rows, first, w.pairs[:size])
            set_scores(
                w.bytes_a[:size],
                w.pairs,
                w.parts[lists + first : lists + first + size],
                w.ties[lists + first :],
                scores[first:],
                n,
                left,
                late,
            )
        for i in range(start, start + n):
            if w.columns[i] >= 0:
                at = lists + w.columns[i]
                w.scores[at] = one_deep(late, n, np.int64(w.parts[at]), 1, left)
    return np.int64(np.argmin(scores))


@njit(cache=True, nogil=True)
def bound_set(
    w: Workspace, mat: Int, width: Int, ids: Int, start: Int, n: Int, left: Int, falling: bool, lists: Int
) -> tuple[Int, Int]:
    """Return a lower bound of a set's cost by the best of all guesses one deep, and a guess if it is exact, or -1.

    `lists` is the top of the lists. `falling` says that `compact` made the list, most parts of a larger set first.
    """
    w.state[BOUNDED] += 1
    rows = w.rows[start : start + n]
    best = NEVER
    guess = NO_GUESS
    late = w.facts[LATE]
    ideal = ideal_cost(w.facts[WEIGHTED], w.ideal, w.weights, w.answers[start : start + n], left, late)
    if w.facts[WEIGHTED] or n > w.facts[FAST]:
        top = score_all(w, mat, width, lists, start, n, left)
        exact = w.parts[lists + top] >= n - 1
        return w.scores[lists + top], np.int64(w.ids[ids + top]) if exact else NO_GUESS
    for i in range(start, start + n):
        column = w.columns[i]
        if column >= 0:
            parts = parts_of(w.codes, mat, width, rows, column, w.seen)
            cost = one_deep(late, n, parts, 1, left)
            if cost < best:
                best = cost
                guess = w.ids[ids + column] if parts >= n - 1 else NO_GUESS
                if cost == ideal:
                    return best, guess
    if best > one_deep(late, n, n, 0, left):
        parts, column = most_parts(
            w.codes, mat, width, rows, w.parts[ids : ids + width] if falling else w.parts[:0], w.bytes_a, w.bytes_b
        )
        cost = one_deep(late, n, parts, 0, left)
        if cost < best:
            best = cost
            guess = w.ids[ids + column] if parts >= n - 1 else NO_GUESS
    return best, guess


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
    w.state[STAMP] += 1
    stamp = w.state[STAMP]
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
def split(w: Workspace, mat: Int, width: Int, start: Int, n: Int, column: Int, items: Int) -> Int:
    """Part a set by a guess: sets one after the other at `items`, their starts, sizes and order by size there too.

    The winning code's part is left out. Returns how many parts there are.
    """
    seen = w.seen
    parts = 0
    for i in range(start, start + n):
        code = w.codes[mat + w.rows[i] * width + column]
        if code == w.facts[WINNING]:
            continue
        if not seen[code]:
            w.part_size[items + parts] = 0
            parts += 1
            seen[code] = parts
        w.part_size[items + seen[code] - 1] += 1
    at = items
    for part in range(parts):
        w.part_start[items + part] = at
        at += w.part_size[items + part]
        w.part_size[items + part] = 0
    for i in range(start, start + n):
        code = w.codes[mat + w.rows[i] * width + column]
        if code == w.facts[WINNING]:
            continue
        part = items + seen[code] - 1
        to = w.part_start[part] + w.part_size[part]
        w.rows[to] = w.rows[i]
        w.answers[to] = w.answers[i]
        w.columns[to] = w.columns[i]
        w.part_size[part] += 1
    for i in range(start, start + n):
        seen[w.codes[mat + w.rows[i] * width + column]] = 0
    for part in range(parts):
        to = items + part
        while to > items and w.part_size[w.part_order[to - 1]] > w.part_size[items + part]:
            w.part_order[to] = w.part_order[to - 1]
            to -= 1
        w.part_order[to] = items + part
    return parts


@njit(cache=True, nogil=True)
def hash_of(
    zobrist: npt.NDArray[np.uint64], answers: Int64s, left: Int, list_hash: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the two hashes of a set with so many guesses left and, in hard mode, its list of guesses."""
    first = list_hash ^ (np.uint64(left + 1) * np.uint64(0xD6E8FEB86659FD93))
    second = list_hash ^ (np.uint64(left + 1) * np.uint64(0xA0761D6478BD642F))
    for answer in answers:
        first ^= zobrist[answer, 0]
        second ^= zobrist[answer, 1]
    return first, second


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


@njit(cache=True, nogil=True)
def estimate(w: Workspace, mat: Int, width: Int, start: Int, n: Int, column: Int) -> Int:
    """Return how many guesses are needed from a guess on by an estimator of Tyl (2023).

    With a candidates left of n as expected, 1 + ln n / ln(n / a); with H bits expected, 1 + log2 n / H.
    """
    winner = 0
    for i in range(start, start + n):
        winner |= w.columns[i] == column
        w.seen[w.codes[mat + w.rows[i] * width + column]] += 1
    squares = 0.0
    logs = 0.0
    for i in range(start, start + n):
        code = w.codes[mat + w.rows[i] * width + column]
        size = w.seen[code]
        w.seen[code] = 0
        if size:
            squares += size * size
            logs += size * np.log2(size)
    if w.facts[ORDER] == STATISTICAL:
        needed = 1 + np.log(n) / np.log(n * n / squares)
    else:
        needed = 1 + np.log2(n) / (np.log2(n) - logs / n)
    return winner / n + (1 - winner / n) * needed


@njit(cache=True, nogil=True)
def next_tier(scores: Int64s, tier: Int, reach: Int) -> tuple[Int, Int]:
    """Return how many scores of a list are from `tier` to `reach`, and the least beyond."""
    many = 0
    following = NEVER
    for score in scores:
        many += tier <= score <= reach
        following = min(following, score if score > reach else NEVER)
    return many, following


@njit(cache=True, nogil=True)
def room(w: Workspace, width: Int, n: Int, arena: Int, items: Int, lists: Int) -> Int:
    """Return which stack is too short for a set with its matrix and list to be searched, or ENOUGH."""
    if (n <= w.facts[FAST] or w.facts[HARD]) and arena + n * width > len(w.codes):
        return MORE_CODES
    if items + 2 * n > len(w.rows):
        return MORE_SETS
    if lists + (n // 3 + 3 if w.facts[HARD] else 3) * width > len(w.ids):
        return MORE_LISTS
    return ENOUGH


@njit(cache=True, nogil=True)
def solve(
    w: Workspace,
    mat: Int,
    width: Int,
    ids: Int,
    list_hash: np.uint64,
    start: Int,
    n: Int,
    left: Int,
    budget: Int,
    breadth: Int,
    level: Int,
    arena: Int,
    items: Int,
    lists: Int,
) -> Int:
    """Return the least cost of a set if it is within the budget, else a lower bound above the budget, or ABORTED."""
    if n <= 2:
        own = w.answers[start : start + n]
        return ideal_cost(w.facts[WEIGHTED], w.ideal, w.weights, own, left, w.facts[LATE])
    late = 0
    if left == 0:  # everything is late, and what is left is to find the least total
        late = w.facts[LATE] * late_units(w.facts[WEIGHTED], w.weights, w.answers[start : start + n])
        left = np.int64(UNLIMITED)
        budget -= late
    first, second = hash_of(w.zobrist, w.answers[start : start + n], left, list_hash)
    slot = find(w.table, first, second)
    if slot != UNKNOWN and (is_exact(w.table, slot) or cost_at(w.table, slot) > budget):
        return cost_at(w.table, slot) + late
    w.state[NEEDS] = room(w, width, n, arena, items, lists)
    if w.state[ENTRIES] > w.state[MOST_ENTRIES]:
        w.state[NEEDS] = MORE_TABLE
    if w.state[NEEDS] != ENOUGH or w.state[STOP]:
        return ABORTED
    w.state[NODES] += 1

    top = score_all(w, mat, width, lists, start, n, left)
    least = w.scores[lists + top]
    exact = w.parts[lists + top] >= n - 1
    if exact or least > budget:
        w.state[ENTRIES] += keep(w.table, first, second, n, least, bool(exact), np.int64(w.ids[ids + top]))
        return least + late
    after = left - 1 if left > 0 else left
    weighted, ideal, weights, late_cost = w.facts[WEIGHTED], w.ideal, w.weights, w.facts[LATE]
    zobrist, answers, table = w.zobrist, w.answers, w.table
    best = NEVER
    best_guess = np.int64(NO_GUESS)
    limit = budget
    refuted = NEVER
    tried = 0
    compacted = bool(w.facts[HARD]) or n > w.facts[FAST]
    falling = False
    own_top, own_lists = items + n, lists + width
    tier = least
    many = 0
    turn = 0
    while True:
        if turn == many:
            if tier > limit or tried == breadth:
                refuted = min(refuted, tier)
                break
            if tried >= w.facts[CROWD] and not compacted:
                into = lists + width
                kept = compact(w, mat, width, ids, lists, start, n, arena, items, into)
                mat, arena = arena, arena + n * kept
                start, items = items, items + n
                ids, lists, width = into, into, kept
                own_top, own_lists = items + n, lists + width
                compacted = True
                falling = True
            by_bound = w.facts[ORDER] == BY_BOUND
            reach = tier if by_bound else limit
            many, following = next_tier(w.scores[lists : lists + width], tier, reach)
            columns, keys = np.empty(many, dtype=np.int64), np.empty(many, dtype=np.float64)
            many = 0
            for column in range(width):
                at = lists + column
                if tier <= w.scores[at] <= reach and w.parts[at] > 1:
                    columns[many] = column
                    if by_bound:
                        keys[many] = w.scores[at] + w.ties[at] / (n * n + 1.0)
                    else:
                        keys[many] = estimate(w, mat, width, start, n, column)
                    many += 1
            order = np.argsort(keys[:many])
            tier = following
            turn = 0
            continue
        column = columns[order[turn]]
        turn += 1
        total = w.scores[lists + column]
        if total > limit:
            refuted = min(refuted, total)
            continue
        if tried == breadth:
            refuted = min(refuted, total)
            break
        tried += 1
        w.state[EVALUATED] += 1
        if level == 0:
            w.state[LOWER] = min(refuted, min(total if w.facts[ORDER] == BY_BOUND else least, best)) + late
            w.state[UPPER] = best + late if best < NEVER else NEVER
            w.state[BEST] = best_guess
        guess = np.int64(w.ids[ids + column])
        parts = split(w, mat, width, start, n, column, items)
        child_arena, child_lists = arena, own_lists
        for turned in range(parts - 1, -1, -1):
            part = w.part_order[items + turned]
            size = w.part_size[part]
            w.part_known[part] = KNOWN
            if size <= 2:
                continue
            part_start = w.part_start[part]
            own = answers[part_start : part_start + size]
            base = ideal_cost(weighted, ideal, weights, own, after, late_cost)
            part_hash = np.uint64(0)
            part_mat, part_width, part_ids = mat, width, ids
            if w.facts[HARD]:
                code = w.codes[mat + w.rows[part_start] * width + column]
                part_mat, part_ids = child_arena, child_lists
                part_width, part_hash = list_of_part(
                    w, mat, width, ids, guess, code, part_start, size, child_arena, child_lists
                )
                child_arena += size * part_width
                child_lists += part_width
            w.part_matrix[part, 0] = part_mat
            w.part_matrix[part, 1] = part_width
            w.part_matrix[part, 2] = part_ids
            w.part_hash[part] = part_hash
            one, two = hash_of(zobrist, own, after, part_hash)
            slot = find(table, one, two)
            if slot != UNKNOWN:
                w.part_bound[part] = cost_at(table, slot)
                w.part_known[part] = KNOWN if is_exact(table, slot) else BOUNDED
            elif w.facts[HARD] and after != 0:
                bound, answer = bound_set(
                    w, part_mat, part_width, part_ids, part_start, size, after, False, child_lists
                )
                w.state[ENTRIES] += keep(table, one, two, size, bound, answer != NO_GUESS, np.int64(answer))
                w.part_bound[part] = bound
                w.part_known[part] = KNOWN if answer != NO_GUESS else BOUNDED
            else:
                w.part_bound[part] = base
                w.part_known[part] = UNBOUNDED
            total += w.part_bound[part] - base
            if total > limit:
                break
        for turned in range(parts):
            if total > limit:
                break
            part = w.part_order[items + turned]
            if w.part_known[part] != UNBOUNDED or after == 0:
                continue
            part_start, size = w.part_start[part], w.part_size[part]
            base = w.part_bound[part]
            bound, answer = bound_set(
                w,
                w.part_matrix[part, 0],
                w.part_matrix[part, 1],
                w.part_matrix[part, 2],
                part_start,
                size,
                after,
                falling,
                child_lists,
            )
            one, two = hash_of(zobrist, answers[part_start : part_start + size], after, w.part_hash[part])
            w.state[ENTRIES] += keep(table, one, two, size, bound, answer != NO_GUESS, np.int64(answer))
            w.part_bound[part] = bound
            w.part_known[part] = KNOWN if answer != NO_GUESS else BOUNDED
            total += bound - base
        if total <= limit:
            for turned in range(parts):
                part = w.part_order[items + turned]
                if w.part_known[part] == KNOWN:
                    continue
                bound = w.part_bound[part]
                cost = solve(
                    w,
                    w.part_matrix[part, 0],
                    w.part_matrix[part, 1],
                    w.part_matrix[part, 2],
                    w.part_hash[part],
                    w.part_start[part],
                    w.part_size[part],
                    after,
                    limit - total + bound,
                    breadth,
                    level + 1,
                    child_arena,
                    own_top,
                    child_lists,
                )
                if cost == ABORTED:
                    return ABORTED
                total += cost - bound
                if total > limit:
                    break
        if total <= limit:
            best = total
            best_guess = guess
            limit = best - 1
        else:
            refuted = min(refuted, total)
    if best <= budget:
        w.state[ENTRIES] += keep(table, first, second, n, best, True, np.int64(best_guess))
        return best + late
    w.state[ENTRIES] += keep(table, first, second, n, refuted, False, np.int64(NO_GUESS))
    return refuted + late
