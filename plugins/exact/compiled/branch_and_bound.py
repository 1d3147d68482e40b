"""The compiled search: branch and bound over the guesses of a set of candidates, and recursively over their parts.

`solve` returns the least cost of a set if it is within a budget, else a lower bound above the budget. It allocates
little memory: matrices of codes, sets, lists of guesses and parts are on the stacks of the `Workspace`, whose tops are
passed down. If a stack is too short, or the search is told to stop, every call returns ABORTED; the sets solved by then
are in the transposition table.

`choose` tries the guesses of a set and maintains an invariant. `best` is the least cost found. `limit` is the largest
cost still wanted: the budget at first, then one less than `best`. A guess is refuted when a lower bound of its cost
exceeds the current limit; `refuted` is the least of these bounds. So every guess tried costs at least `best` or at
least `refuted`, and a guess still waiting costs at least its score. At the end, no guess is waiting. If `best` is
within the budget, it is the least cost of the set. Otherwise `refuted` is a lower bound of that cost, above the budget.
"""

import numpy as np
from wordle_kit_plugins.exact.compiled import compiled, inlined
from wordle_kit_plugins.exact.compiled.guesses import (
    bound_set,
    compact,
    estimate,
    ideal_cost,
    narrow,
    score_all,
)
from wordle_kit_plugins.exact.compiled.kernels import Int, Int64s
from wordle_kit_plugins.exact.compiled.transposition_table import (
    NO_GUESS,
    UNKNOWN,
    Hashes,
    cost_at,
    find,
    hash_of,
    is_exact,
    keep,
)
from wordle_kit_plugins.exact.memory import (
    ABORTED,
    NEVER,
    TRIED,
    UNLIMITED,
    Bound,
    Order,
    Part,
    Subset,
    Tops,
    Workspace,
)


@compiled
def solve(w: Workspace, s: Subset, budget: Int, breadth: Int, tops: Tops) -> Int:
    """Return the least cost of a set if it is within the budget, else a lower bound above the budget, or ABORTED.

    At most `breadth` guesses are tried per set.
    """
    n = s.size
    facts, state, table = w.facts, w.state[0], w.table
    answers = w.answers[s.start : s.start + n]
    if n <= 2:
        return ideal_cost(facts, w.ideal, w.weights, answers, s.left)
    late = 0
    if s.left == 0:  # all candidates will be late; the least total is still to be found
        late = facts.late * n
        budget -= late
        s = Subset(s.codes, s.width, s.ids, s.list_hash, s.start, n, np.int64(UNLIMITED))
    hashes = hash_of(w.zobrist, answers, s.left, s.list_hash)
    slot = find(table, hashes[0], hashes[1])
    if slot != UNKNOWN and (is_exact(table, slot) or cost_at(table, slot) > budget):
        return cost_at(table, slot) + late
    if state.stop != 0 or state.nodes >= state.most_nodes or lacks_memory(w, s, tops):
        return ABORTED
    state.nodes += 1
    top = score_all(w, s, tops.lists)
    least = w.scores[tops.lists + top]
    exact = w.parts[tops.lists + top] >= n - 1
    if exact or least > budget:
        keep(table, hashes[0], hashes[1], n, least, bool(exact), np.int64(w.ids[s.ids + top]))
        return least + late
    best, best_guess, refuted = choose(w, s, least, budget, breadth, tops)
    if best == ABORTED:
        return ABORTED
    found = best <= budget
    if not found:
        best = max(refuted, budget + 1)  # with a breadth, untried guesses may cost less
    keep(table, hashes[0], hashes[1], n, best, found, best_guess)
    return best + late


@inlined
def choose(w: Workspace, s: Subset, least: Int, budget: Int, breadth: Int, tops: Tops) -> tuple[Int, Int, Int]:
    """Try the guesses scored by `score_all`, while one of them may be the best. The module explains the invariant.

    Return the least cost found or NEVER, its guess, and the least bound of the refuted guesses. The cost is ABORTED if
    the search was aborted. `least` is the least score.
    """
    facts, scores, ids = w.facts, w.scores, w.ids
    best, best_guess, limit, refuted = np.int64(NEVER), np.int64(NO_GUESS), budget, np.int64(NEVER)
    is_compact, falling = bool(facts.hard) or s.size > facts.fast, bool(0)  # `False` would be another type
    tier, tried = least, 0
    while tier <= limit and tried < breadth:
        if tried >= TRIED and not is_compact:
            s = compact(w, s, tops)
            tops = Tops(tops.codes + s.size * s.width, tops.sets + s.size, s.ids)
            is_compact = falling = True
        columns, tier = next_columns(w, s, tops.lists, tier, limit)
        for column in columns:
            total = scores[tops.lists + column]
            if total > limit:
                refuted = min(refuted, total)
                continue
            if tried == breadth:
                refuted = min(refuted, total)
                break
            tried += 1
            total = try_guess(w, s, column, limit, falling, breadth, tops)
            if total == ABORTED:
                return np.int64(ABORTED), best_guess, refuted
            if total <= limit:
                best, best_guess, limit = total, np.int64(ids[s.ids + column]), total - 1
            else:
                refuted = min(refuted, total)
    return best, best_guess, min(refuted, tier)


@inlined
def try_guess(w: Workspace, s: Subset, column: Int, limit: Int, falling: bool, breadth: Int, tops: Tops) -> Int:
    """Return the least cost of a set by one guess if it is within the limit, else a lower bound above it, or ABORTED.

    First, all parts get bounds. Then each part of unknown cost is searched within the rest of the limit, after
    the bounds of all other parts are subtracted.
    """
    stack, part_order = w.part_stack, w.part_order
    parts = split(w, s, column, tops.sets)
    above = Tops(tops.codes, tops.sets + s.size, tops.lists + s.width)
    total, above = look_up_parts(w, s, column, parts, w.scores[tops.lists + column], limit, falling, tops.sets, above)
    total = bound_parts(w, parts, left_after(s.left), total, limit, falling, tops.sets, above.lists)
    for i in range(parts):
        if total > limit:
            break
        part = stack[part_order[tops.sets + i]]
        if part.known == Bound.KNOWN:
            continue
        bound = part.bound
        own = subset_of_part(part, left_after(s.left))
        cost = solve(w, own, limit - total + bound, breadth, above)
        if cost == ABORTED:
            return ABORTED
        total += cost - bound
    return total


@inlined
def left_after(left: Int) -> Int:
    """Return the number of guesses left after one more guess."""
    return left - 1 if left > 0 else left


@inlined
def lacks_memory(w: Workspace, s: Subset, tops: Tops) -> bool:
    """Return whether a stack is too short to search a set."""
    n, fast, hard = s.size, w.facts.fast, w.facts.hard
    codes = n * s.width if n <= fast or hard else 0
    lists = (n // 3 + 3 if hard else 3) * s.width
    enough = tops.codes + codes <= len(w.codes) and tops.sets + 2 * n <= len(w.rows)
    return not (enough and tops.lists + lists <= len(w.ids))


@inlined
def next_columns(w: Workspace, s: Subset, lists: Int, tier: Int, limit: Int) -> tuple[Int64s, Int]:
    """Return the columns to try next, best first, and the least score among the columns after them.

    In the order BY_BOUND, these are the columns with the score `tier`; otherwise, those with scores from `tier` to
    `limit`.
    """
    by_bound = w.facts.order == Order.BY_BOUND
    reach = tier if by_bound else limit
    many = 0
    following = NEVER
    scores, parts, ties = w.scores, w.parts, w.ties
    for score in scores[lists : lists + s.width]:
        many += tier <= score <= reach
        following = min(following, score if score > reach else NEVER)
    columns, keys = np.empty(many, dtype=np.int64), np.empty(many, dtype=np.float64)
    many = 0
    for column in range(s.width):
        at = lists + column
        if tier <= scores[at] <= reach and parts[at] > 1:
            columns[many] = column
            if by_bound:
                keys[many] = scores[at] + ties[at] / (s.size * s.size + 1.0)
            else:
                keys[many] = estimate(w, s, column)
            many += 1
    return columns[np.argsort(keys[:many])], following


@inlined
def split(w: Workspace, s: Subset, column: Int, top: Int) -> Int:
    """Split a set by a guess into parts at the top of the stack of sets. Return the number of parts.

    The starts, the sizes and the order by size of the parts have the same indices on their stacks. The winning part is
    left out.
    """
    seen, winning, codes = w.seen, w.facts.winning, w.codes
    rows, answers, columns = w.rows, w.answers, w.columns
    stack, order = w.part_stack, w.part_order
    parts = 0
    for i in range(s.start, s.start + s.size):
        code = codes[s.codes + rows[i] * s.width + column]
        if code == winning:
            continue
        if not seen[code]:
            stack[top + parts].size = 0
            parts += 1
            seen[code] = parts
        stack[top + seen[code] - 1].size += 1
    at = top
    for i in range(top, top + parts):
        part = stack[i]
        part.start = at
        at += part.size
        part.size = 0
    for i in range(s.start, s.start + s.size):
        code = codes[s.codes + rows[i] * s.width + column]
        if code == winning:
            continue
        part = stack[top + seen[code] - 1]
        to = part.start + part.size
        rows[to] = rows[i]
        answers[to] = answers[i]
        columns[to] = columns[i]
        part.size += 1
    for i in range(s.start, s.start + s.size):
        seen[codes[s.codes + rows[i] * s.width + column]] = 0
    for i in range(top, top + parts):
        to = i
        while to > top and stack[order[to - 1]].size > stack[i].size:
            order[to] = order[to - 1]
            to -= 1
        order[to] = i
    return parts


@inlined
def subset_of_part(part: Part, left: Int) -> Subset:
    """Return a part as a set."""
    return Subset(part.codes, part.width, part.ids, part.list_hash, part.start, part.size, left)


@inlined
def look_up_parts(
    w: Workspace, s: Subset, column: Int, parts: Int, total: Int, limit: Int, falling: bool, top: Int, above: Tops
) -> tuple[Int, Tops]:
    """Take the bounds of parts from the transposition table, largest part first, while the total is within the limit.

    In hard mode, each part gets its own list and matrix, and a part that is not in the table gets a bound. Return the
    total raised by the bounds, and the tops of the stacks after the additions.
    """
    facts, table, stack, part_order = w.facts, w.table, w.part_stack, w.part_order
    after = left_after(s.left)
    for i in range(parts - 1, -1, -1):
        part = stack[part_order[top + i]]
        part.known = Bound.KNOWN
        start, size = part.start, part.size
        if size <= 2:
            continue
        own = Subset(s.codes, s.width, s.ids, np.uint64(0), start, size, after)
        if facts.hard:
            code = w.codes[s.codes + w.rows[start] * s.width + column]
            own = narrow(w, own, np.int64(w.ids[s.ids + column]), code, above)
            above = Tops(above.codes + size * own.width, above.sets, above.lists + own.width)
        part.codes = own.codes
        part.width = own.width
        part.ids = own.ids
        part.list_hash = own.list_hash
        answers = w.answers[start : start + size]
        base = ideal_cost(facts, w.ideal, w.weights, answers, after)
        hashes = hash_of(w.zobrist, answers, after, own.list_hash)
        slot = find(table, hashes[0], hashes[1])
        if slot != UNKNOWN:
            part.bound = cost_at(table, slot)
            part.known = Bound.KNOWN if is_exact(table, slot) else Bound.BOUNDED
        elif facts.hard and after != 0:
            bound_part(w, own, part, hashes, falling, above.lists)
        else:
            part.bound = base
            part.known = Bound.UNBOUNDED
        total += part.bound - base
        if total > limit:
            break
    return total, above


@inlined
def bound_part(w: Workspace, s: Subset, part: Part, hashes: Hashes, falling: bool, lists: Int) -> None:
    """Compute the bound of a part one guess deep and store it in the part and the transposition table."""
    bound, guess = bound_set(w, s, falling, lists)
    is_known = guess != NO_GUESS
    keep(w.table, hashes[0], hashes[1], s.size, bound, is_known, np.int64(guess))
    part.bound = bound
    part.known = Bound.KNOWN if is_known else Bound.BOUNDED


@inlined
def bound_parts(
    w: Workspace, parts: Int, left: Int, total: Int, limit: Int, falling: bool, top: Int, lists: Int
) -> Int:
    """Return the total, raised by the bounds of parts missing in the table, smallest part first.

    It stops when the total exceeds the limit.
    """
    stack, part_order, answers, zobrist = w.part_stack, w.part_order, w.answers, w.zobrist
    for i in range(parts):
        if total > limit:
            break
        part = stack[part_order[top + i]]
        if part.known != Bound.UNBOUNDED or left == 0:
            continue
        base = part.bound
        own = subset_of_part(part, left)
        hashes = hash_of(zobrist, answers[own.start : own.start + own.size], left, own.list_hash)
        bound_part(w, own, part, hashes, falling, lists)
        total += part.bound - base
    return total
