"""The compiled search: branch and bound over the guesses of a set of candidates, and over those of its parts.

`solve` returns the least cost of a set where that is within a budget, else a lower bound above it. Little is allocated:
matrices of codes, sets, lists of guesses and parts lie on stacks of the `Workspace`, whose tops are passed down. Where
a stack is too short, or somebody asked to stop, everything returns ABORTED; what was solved by then is in the table.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.compiled.kernels import Int, Int64s
from wordle_kit.exact.compiled.narrowing import compact, list_of_part
from wordle_kit.exact.compiled.scores import bound_set, estimate, ideal_cost, late_units, score_all
from wordle_kit.exact.compiled.transposition_table import NO_GUESS, UNKNOWN, cost_at, find, is_exact, keep
from wordle_kit.exact.compiled.workspace import ABORTED, NEVER, UNLIMITED, Bound, Fact, Need, Order, State, Workspace


@njit(cache=True, nogil=True)
def split(w: Workspace, mat: Int, width: Int, start: Int, n: Int, column: Int, items: Int) -> Int:
    """Part a set by a guess: sets one after the other at `items`, their starts, sizes and order by size there too.

    The winning code's part is left out. Returns how many parts there are.
    """
    seen = w.seen
    parts = 0
    for i in range(start, start + n):
        code = w.codes[mat + w.rows[i] * width + column]
        if code == w.facts[Fact.WINNING.value]:
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
        if code == w.facts[Fact.WINNING.value]:
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
    """Return which stack is too short for a set with its matrix and list to be searched, or Need.ENOUGH."""
    if (n <= w.facts[Fact.FAST.value] or w.facts[Fact.HARD.value]) and arena + n * width > len(w.codes):
        return Need.MORE_CODES
    if items + 2 * n > len(w.rows):
        return Need.MORE_SETS
    if lists + (n // 3 + 3 if w.facts[Fact.HARD.value] else 3) * width > len(w.ids):
        return Need.MORE_LISTS
    return Need.ENOUGH


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
        return ideal_cost(w.facts[Fact.WEIGHTED.value], w.ideal, w.weights, own, left, w.facts[Fact.LATE.value])
    late = 0
    if left == 0:  # everything is late, and what is left is to find the least total
        late = w.facts[Fact.LATE.value] * late_units(
            w.facts[Fact.WEIGHTED.value], w.weights, w.answers[start : start + n]
        )
        left = np.int64(UNLIMITED)
        budget -= late
    first, second = hash_of(w.zobrist, w.answers[start : start + n], left, list_hash)
    slot = find(w.table, first, second)
    if slot != UNKNOWN and (is_exact(w.table, slot) or cost_at(w.table, slot) > budget):
        return cost_at(w.table, slot) + late
    w.state[State.NEEDS.value] = room(w, width, n, arena, items, lists)
    if w.state[State.ENTRIES.value] > w.state[State.MOST_ENTRIES.value]:
        w.state[State.NEEDS.value] = Need.MORE_TABLE
    if w.state[State.NEEDS.value] != Need.ENOUGH or w.state[State.STOP.value]:
        return ABORTED
    w.state[State.NODES.value] += 1

    top = score_all(w, mat, width, lists, start, n, left)
    least = w.scores[lists + top]
    exact = w.parts[lists + top] >= n - 1
    if exact or least > budget:
        w.state[State.ENTRIES.value] += keep(w.table, first, second, n, least, bool(exact), np.int64(w.ids[ids + top]))
        return least + late
    after = left - 1 if left > 0 else left
    weighted, ideal, weights, late_cost = w.facts[Fact.WEIGHTED.value], w.ideal, w.weights, w.facts[Fact.LATE.value]
    zobrist, answers, table = w.zobrist, w.answers, w.table
    best = NEVER
    best_guess = np.int64(NO_GUESS)
    limit = budget
    refuted = NEVER
    tried = 0
    compacted = bool(w.facts[Fact.HARD.value]) or n > w.facts[Fact.FAST.value]
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
            if tried >= w.facts[Fact.TRIED.value] and not compacted:
                into = lists + width
                kept = compact(w, mat, width, ids, lists, start, n, arena, items, into)
                mat, arena = arena, arena + n * kept
                start, items = items, items + n
                ids, lists, width = into, into, kept
                own_top, own_lists = items + n, lists + width
                compacted = True
                falling = True
            by_bound = w.facts[Fact.ORDER.value] == Order.BY_BOUND
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
        w.state[State.EVALUATED.value] += 1
        if level == 0:
            w.state[State.LOWER.value] = (
                min(refuted, min(total if w.facts[Fact.ORDER.value] == Order.BY_BOUND else least, best)) + late
            )
            w.state[State.UPPER.value] = best + late if best < NEVER else NEVER
            w.state[State.BEST.value] = best_guess
        guess = np.int64(w.ids[ids + column])
        parts = split(w, mat, width, start, n, column, items)
        child_arena, child_lists = arena, own_lists
        for turned in range(parts - 1, -1, -1):
            part = w.part_order[items + turned]
            size = w.part_size[part]
            w.part_known[part] = Bound.KNOWN
            if size <= 2:
                continue
            part_start = w.part_start[part]
            own = answers[part_start : part_start + size]
            base = ideal_cost(weighted, ideal, weights, own, after, late_cost)
            part_hash = np.uint64(0)
            part_mat, part_width, part_ids = mat, width, ids
            if w.facts[Fact.HARD.value]:
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
                w.part_known[part] = Bound.KNOWN if is_exact(table, slot) else Bound.BOUNDED
            elif w.facts[Fact.HARD.value] and after != 0:
                bound, answer = bound_set(
                    w, part_mat, part_width, part_ids, part_start, size, after, False, child_lists
                )
                w.state[State.ENTRIES.value] += keep(table, one, two, size, bound, answer != NO_GUESS, np.int64(answer))
                w.part_bound[part] = bound
                w.part_known[part] = Bound.KNOWN if answer != NO_GUESS else Bound.BOUNDED
            else:
                w.part_bound[part] = base
                w.part_known[part] = Bound.UNBOUNDED
            total += w.part_bound[part] - base
            if total > limit:
                break
        for turned in range(parts):
            if total > limit:
                break
            part = w.part_order[items + turned]
            if w.part_known[part] != Bound.UNBOUNDED or after == 0:
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
            w.state[State.ENTRIES.value] += keep(table, one, two, size, bound, answer != NO_GUESS, np.int64(answer))
            w.part_bound[part] = bound
            w.part_known[part] = Bound.KNOWN if answer != NO_GUESS else Bound.BOUNDED
            total += bound - base
        if total <= limit:
            for turned in range(parts):
                part = w.part_order[items + turned]
                if w.part_known[part] == Bound.KNOWN:
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
        w.state[State.ENTRIES.value] += keep(table, first, second, n, best, True, np.int64(best_guess))
        return best + late
    refuted = max(refuted, budget + 1)  # with a breadth, guesses that were not tried may cost less
    w.state[State.ENTRIES.value] += keep(table, first, second, n, refuted, False, np.int64(NO_GUESS))
    return refuted + late
