"""What guesses can cost at best: bounds one guess deep, for one set of candidates and all guesses of a list."""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.exact.compiled.kernels import (
    BLOCK,
    Int,
    Int32s,
    Int64s,
    costs_of_parts,
    count_pairs,
    count_parts,
    most_parts,
    parts_of,
    saved_by_parts,
)
from wordle_kit.exact.compiled.transposition_table import NO_GUESS
from wordle_kit.exact.compiled.workspace import NEVER, Fact, Order, State, Workspace


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
    late = w.facts[Fact.LATE.value]
    scores = w.scores[lists : lists + width]
    rows = w.rows[start : start + n]
    parts, ties = w.parts[lists : lists + width], w.ties[lists : lists + width]
    if w.facts[Fact.WEIGHTED.value]:
        weights = w.weights[w.answers[start : start + n]]
        by_weight = w.facts[Fact.WEIGHTED.value] == 2
        everything = late_units(w.facts[Fact.WEIGHTED.value], w.weights, w.answers[start : start + n])
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
    elif n > w.facts[Fact.FAST.value]:
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
    w.state[State.BOUNDED.value] += 1
    rows = w.rows[start : start + n]
    best = NEVER
    guess = NO_GUESS
    late = w.facts[Fact.LATE.value]
    ideal = ideal_cost(w.facts[Fact.WEIGHTED.value], w.ideal, w.weights, w.answers[start : start + n], left, late)
    if w.facts[Fact.WEIGHTED.value] or n > w.facts[Fact.FAST.value]:
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
    if w.facts[Fact.ORDER.value] == Order.STATISTICAL:
        needed = 1 + np.log(n) / np.log(n * n / squares)
    else:
        needed = 1 + np.log2(n) / (np.log2(n) - logs / n)
    return winner / n + (1 - winner / n) * needed
