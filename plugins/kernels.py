"""Native kernels of the bundled rules and of some strategies.

The rules' kernels fill codes[n_answers, n_guesses], which must be zero, from answers[n_answers, length] and
guesses_t[length, n_guesses]. rules.py has a readable form of each rule, and tests compare the two.

A table has millions of codes, so the innermost loops run over blocks of guesses: a symbol of the answer is compared
with one place of all guesses in a block, then with the next place. The compiler turns such a loop into instructions
that compare many guesses at once.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

import wordle_kit as wk
from wordle_kit.strategy.kernels import prepare_numba

prepare_numba()

Symbols = npt.NDArray[np.unsignedinteger]
"""Words as the indices of their symbols."""

BLOCK = 4096
"""Guesses in a block. Their symbols in one place, their codes and their counts fit in the L1 cache."""

TILE = 32
"""Guesses in a tile, whose parts are summed together. Two sums for each code fit in the L2 cache."""

UNCOUNTED = 127
"""Used as an unlimited count: more copies of a symbol than a word can have."""


@njit(cache=True, nogil=True, inline="always")
def first_of_its_kind(word: Symbols, place: int) -> bool:
    """Return whether no earlier place of the word has the same symbol."""
    seen = False
    for earlier in range(place):
        seen |= word[earlier] == word[place]
    return not seen


@njit(cache=True, nogil=True, inline="always")
def count_in(word: Symbols, symbol: int) -> int:
    """Return how often the symbol occurs in the word."""
    count = 0
    for place in range(len(word)):
        count += word[place] == symbol
    return count


@njit(cache=True, nogil=True)
def place_values(length: int, base: int) -> npt.NDArray[np.int64]:
    """Return what a mark of 1 in each place adds to the code. The first place is the most significant."""
    values = np.ones(length, dtype=np.int64)
    for place in range(length - 2, -1, -1):
        values[place] = values[place + 1] * base
    return values


@njit(cache=True, nogil=True)
def wordle(answers: Symbols, guesses_t: Symbols, correct_first: bool, counted: bool, out: wk.Codes) -> None:
    """Fill in the codes of the standard rule, or of a variant with marks for correct and present symbols.

    Each symbol of an answer is handled separately. It has one mark for each of its copies in the answer. By the
    standard rule, correct places of a guess use up marks first; then the other places use up the rest from the left.

    Without `correct_first`, marks are used up from the left in a single pass. A correct place uses one even if none is
    left; the count then falls below zero, and later places are marked as present again. Without `counted`, the number
    of marks is unlimited.
    """
    n_answers, length = answers.shape
    n_guesses = guesses_t.shape[1]
    values = place_values(length, 3)
    left = np.empty(BLOCK, dtype=np.int8)
    for start in range(0, n_guesses, BLOCK):
        size = min(BLOCK, n_guesses - start)
        for a in range(n_answers):
            answer = answers[a]
            codes = out[a, start : start + size]
            for p in range(length):
                if not first_of_its_kind(answer, p):
                    continue
                symbol = answer[p]
                left[:size] = count_in(answer, symbol) if counted else UNCOUNTED
                for step in range(2 * length if correct_first else length):
                    place = step % length
                    correct = answer[place] == symbol
                    if correct_first and correct != (step < length):
                        continue
                    guess = guesses_t[place, start : start + size]
                    value = 2 * values[place] if correct else values[place]
                    for g in range(size):
                        hit = (guess[g] == symbol) & (correct | (left[g] != 0))
                        left[g] -= np.int8(hit)
                        codes[g] += value * hit


@njit(cache=True, nogil=True)
def common_symbols(answers: Symbols, guesses_t: Symbols, in_place: bool, out: wk.Codes) -> None:
    """Fill in the number of common symbols, plus one for the answer itself.

    With `in_place`, these are the codes of Mastermind: each common symbol adds 1 to the code, or length + 1 if it is in
    the right place.
    """
    n_answers, length = answers.shape
    n_guesses = guesses_t.shape[1]
    seen, placed = np.empty(BLOCK, dtype=np.int8), np.empty(BLOCK, dtype=np.int8)
    for start in range(0, n_guesses, BLOCK):
        size = min(BLOCK, n_guesses - start)
        for a in range(n_answers):
            answer = answers[a]
            codes = out[a, start : start + size]
            placed[:size] = 0
            for p in range(length):
                guess = guesses_t[p, start : start + size]
                for g in range(size):
                    placed[g] += np.int8(guess[g] == answer[p])
                if first_of_its_kind(answer, p):
                    add_common(guesses_t[:, start : start + size], answer[p], count_in(answer, answer[p]), seen, codes)
            for g in range(size):
                codes[g] += length * placed[g] if in_place else np.int64(placed[g] == length)


@njit(cache=True, nogil=True, inline="always")
def add_common(guesses_t: Symbols, symbol: int, most: int, seen: npt.NDArray[np.int8], codes: wk.Codes) -> None:
    """Add to the codes of a block how often the symbol occurs in each guess, counted up to `most`."""
    length, size = guesses_t.shape
    seen[:size] = 0
    for place in range(length):
        symbols = guesses_t[place]
        for g in range(size):
            seen[g] += np.int8(symbols[g] == symbol)
    for g in range(size):
        codes[g] += min(seen[g], np.int8(most))


@njit(cache=True, nogil=True)
def case_aware(answers: Symbols, guesses_t: Symbols, others: npt.NDArray[np.int64], out: wk.Codes) -> None:
    """Fill in the codes of the case-aware rule. others[symbol] is its other case, or the alphabet size if none."""
    n_answers, length = answers.shape
    n_guesses = guesses_t.shape[1]
    values = place_values(length, 5)
    left = np.zeros(len(others) + 1, dtype=np.int8)
    for a in range(n_answers):
        for g in range(n_guesses):
            for p in range(length):
                left[answers[a, p]] += 1
            code = 0
            open_places = (1 << length) - 1
            for step in range(4):
                mark = (2, 3, 1, 4)[step]
                for p in range(length):
                    symbol = np.int64(guesses_t[p, g])
                    wanted = symbol if step % 2 == 0 else others[symbol]
                    free = open_places >> p & 1 and left[wanted] > 0
                    if free and (step >= 2 or answers[a, p] == wanted):
                        left[wanted] -= 1
                        open_places &= ~(1 << p)
                        code += mark * values[p]
            out[a, g] = code
            for p in range(length):
                left[answers[a, p]] = 0


@njit(cache=True, nogil=True)
def weighted_guesses(
    codes: wk.Codes,
    rows: wk.Ids,
    weights: wk.Floats,
    winning_code: int,
    n_codes: int,
    out: wk.Floats,
) -> None:
    """Fill out[n_guesses] with the sum of mass * sqrt(1 + entropy) over the parts of each guess that do not win.

    codes[n_answers, n_guesses] are the feedback codes. rows[n] and weights[n] are the candidates' rows and weights.

    A part with the weights w has the mass m, the sum of w, and the entropy log2 m - (sum of w log2 w) / m. So the
    kernel needs two sums for each part, while the `part_cost` of a partition strategy gets only the mass. The sums for
    a tile of guesses are completed first, then read and reset. If there are fewer candidates than codes, the sums of a
    part are read at its first candidate.
    """
    n = len(rows)
    n_guesses = codes.shape[1]
    logs = np.zeros(n)
    for i in range(n):
        if weights[i] > 0:
            logs[i] = weights[i] * np.log2(weights[i])
    sums = np.zeros((TILE, n_codes, 2))
    for start in range(0, n_guesses, TILE):
        width = min(TILE, n_guesses - start)
        for i in range(n):
            tile = codes[rows[i], start : start + width]
            for g in range(width):
                part = sums[g, tile[g]]
                part[0] += weights[i]
                part[1] += logs[i]
        for g in range(width):
            total = 0.0
            for step in range(min(n, n_codes)):
                code = step if n > n_codes else codes[rows[step], start + g]
                mass, information = sums[g, code]
                if mass > 0 and code != winning_code:
                    total += mass * np.sqrt(1 + max(0.0, np.log2(mass) - information / mass))
                sums[g, code] = 0
            out[start + g] = total
