"""The native kernels for few candidates, whose parts are found by comparing codes instead of counting them."""

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.compiled_code import find_folder

find_folder(__file__)

Codes = npt.NDArray[np.unsignedinteger]
Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]

WIDTH = 1024
"""Guesses whose codes are compared at a time, so that everything about them stays in the cache."""


@njit(cache=True, nogil=True)
def costs_of_three(codes: Codes, rows: Ids, units: Ids, cost: Floats, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of the parts of at most three candidates, which split in few ways."""
    n = len(rows)
    a, b, c = units[0], units[1] if n > 1 else 0, units[2] if n > 2 else 0
    together = cost[a + b + c]
    if largest:
        first_alone = max(cost[a], cost[b + c])
        second_alone = max(cost[b], cost[a + c])
        third_alone = max(cost[c], cost[a + b])
        all_alone = max(cost[a], cost[b], cost[c])
    else:
        first_alone = cost[a] + cost[b + c]
        second_alone = cost[b] + cost[a + c]
        third_alone = cost[c] + cost[a + b]
        all_alone = cost[a] + cost[b] + cost[c]
    first, second, third = codes[rows[0]], codes[rows[n // 2]], codes[rows[n - 1]]
    for g in range(codes.shape[1]):
        x, y, z = first[g], second[g], third[g]
        if x == y:
            out[g] = together if x == z else third_alone
        elif x == z:
            out[g] = second_alone
        else:
            out[g] = first_alone if y == z else all_alone


@njit(cache=True, nogil=True)
def costs_of_sequences(codes: Codes, rows: Ids, cost: Floats, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of the parts of at most 15 candidates, whose sequences of sizes fit 16 bits.

    The sizes of the parts of a guess, in the order of their first candidates, are a sequence that adds up to n. It is
    written as bits: after each part, the bit of the number of candidates so far. So 4 candidates in parts of 3 and 1
    have the bits 3 and 4. Codes are compared in pairs, for many guesses with one instruction.
    """
    n, n_guesses = len(rows), codes.shape[1]
    totals = totals_of_sequences(n, cost, largest)
    so_far, after, sequence = np.empty(WIDTH, np.uint16), np.empty(WIDTH, np.uint16), np.empty(WIDTH, np.uint16)
    in_earlier = np.empty((n, WIDTH), np.uint16)
    for start in range(0, n_guesses, WIDTH):
        width = min(WIDTH, n_guesses - start)
        so_far[:], sequence[:], in_earlier[:] = 1, 0, 0
        for i in range(n):
            own = codes[rows[i], start : start + width]
            for g in range(width):
                after[g] = np.uint16(so_far[g] + so_far[g])
            for j in range(i + 1, n):
                other, known = codes[rows[j], start : start + width], in_earlier[j]
                for g in range(width):
                    same = np.uint16(0xFFFF) if own[g] == other[g] else np.uint16(0)
                    after[g] += after[g] & same
                    known[g] |= same
            known = in_earlier[i]
            for g in range(width):
                so_far[g] = np.uint16((after[g] & ~known[g]) | (so_far[g] & known[g]))
                sequence[g] |= so_far[g]
        block = out[start : start + width]
        for g in range(width):
            block[g] = totals[sequence[g] >> 1]


@njit(cache=True, nogil=True)
def totals_of_sequences(n: int, cost: Floats, largest: bool) -> Floats:
    """Return the sum, or the largest, of cost[size] over the parts of each sequence, float64[2**n].

    Bit i of an index means that a part ends with candidate i. To each sequence that ends with candidate `before`, a
    last part up to candidate `end` is added, so costs are added in the order of the parts.
    """
    totals = np.empty(1 << n)
    totals[0] = -np.inf if largest else 0.0
    for end in range(n):
        for before in range(-1, end):
            last = cost[end - before]
            fewer = totals[1 << before : 2 << before] if before >= 0 else totals[:1]
            more = totals[(1 << end) + (1 << before) :] if before >= 0 else totals[1 << end :]
            for i in range(len(fewer)):
                more[i] = max(fewer[i], last) if largest else fewer[i] + last
    return totals


@njit(cache=True, nogil=True)
def costs_of_partitions(codes: Codes, rows: Ids, cost: Floats, largest: bool, out: Floats) -> None:
    """Fill out[n_guesses] with the costs of the parts of at most 8 candidates, whose partitions have 16-bit numbers.

    cost[2**n] has the cost of each set of candidates, a bit for each in the index. The number of a partition adds up i!
    times the number of the first candidate of candidate i's part, for each i.
    """
    n, n_guesses = len(rows), codes.shape[1]
    totals = totals_of_partitions(n, cost, largest)
    first, partition = np.empty(WIDTH, np.uint16), np.empty(WIDTH, np.uint16)
    for start in range(0, n_guesses, WIDTH):
        width = min(WIDTH, n_guesses - start)
        partition[:] = 0
        factorial = 1
        for i in range(1, n):
            factorial *= i
            place = np.uint16(factorial)
            own = codes[rows[i], start : start + width]
            first[:] = i
            for before in range(i):
                j = np.uint16(i - 1 - before)
                other = codes[rows[j], start : start + width]
                for g in range(width):
                    first[g] = j if own[g] == other[g] else first[g]
            for g in range(width):
                partition[g] += first[g] * place
        block = out[start : start + width]
        for g in range(width):
            block[g] = totals[partition[g]]


@njit(cache=True, nogil=True)
def totals_of_partitions(n: int, cost: Floats, largest: bool) -> Floats:
    """Return the sum, or the largest, of the costs of the parts of each partition, by its number, float64[n!].

    Costs are added in the order of the parts' first candidates. A part is added to the candidates that are left: one
    with the first of them and any others.
    """
    numbers = np.zeros(1 << n, np.int64)  # of a set of candidates: the sum of their factorials
    factorial = 1
    for i in range(n):
        factorial *= max(1, i)
        for before in range(1 << i):
            numbers[(1 << i) + before] = numbers[before] + factorial
    totals = np.empty(factorial * n)
    left, total_of, number_of = np.empty(1 << n, np.int64), np.empty(1 << n), np.empty(1 << n, np.int64)
    left[0], total_of[0], number_of[0] = (1 << n) - 1, -np.inf if largest else 0.0, 0
    waiting = 1
    while waiting:
        waiting -= 1
        here, total, number = left[waiting], total_of[waiting], number_of[waiting]
        first = 0
        while not here >> first & 1:
            first += 1
        others = here ^ (1 << first)
        chosen = others
        while chosen >= 0:
            part = chosen | (1 << first)
            sum_or_largest = max(total, cost[part]) if largest else total + cost[part]
            partition = number + first * numbers[part]
            if chosen == others:
                totals[partition] = sum_or_largest
            else:
                left[waiting], total_of[waiting], number_of[waiting] = others ^ chosen, sum_or_largest, partition
                waiting += 1
            chosen = (chosen - 1) & others if chosen else -1
    return totals
