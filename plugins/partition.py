"""The textbook heuristics: score a guess by the sizes of the parts into which it splits the candidates."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar

import numpy as np

import wordle_kit as wk

COUNTS_AT_ONCE = 2**22
"""The largest number of part sizes or masses in memory at a time."""


class Entropy(wk.PartitionStrategy):
    """Choose the guess with the most expected information.

    The expected information is the entropy of the feedback. Neuwirth, "Some strategies for Mastermind" (1982).
    """

    bits: ClassVar[wk.Bits | None] = "missing"

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size of each part, multiplied by the bits that are still missing in it."""
        return size * np.log2(size)


class EntropyAsPrinted(Entropy):
    """Play like `entropy`, but let rounding errors break ties, as public solvers do.

    The terms p log2 p of the parts are added one by one, and only identical sums count as ties.
    """

    tolerance = 0.0
    by_name_only = True
    more_is_better = True
    bits = "gained"

    def scores(self, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the negated expected bits of each guess."""

        def part_cost(size: wk.Floats) -> wk.Floats:
            shares = (size / board.mass).tolist()
            return np.array([share * math.log2(share) for share in shares])

        return costs_in_order(board, part_cost, last_place_first(board.game), guesses)


@cache
def last_place_first(game: wk.Game) -> list[int]:
    """Return the codes ordered by their last mark, then by the one before it, and so on.

    Absent sorts before correct, and correct before the other marks. For a rule without marks, codes are in ascending
    order.
    """
    rule = game.rule
    codes = range(rule.n_codes(game.length))
    if not isinstance(rule, wk.MarksRule):
        return list(codes)
    rank = [0, 2, 1, *range(3, rule.base)]
    return sorted(codes, key=lambda code: [rank[mark] for mark in reversed(rule.digits(code, game.length))])


class ExpectedSize(wk.PartitionStrategy):
    """Choose the guess with the fewest expected candidates left.

    Irving, "Towards an optimum Mastermind strategy" (1978-79).
    """

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size squared."""
        return size * size


class Minimax(wk.PartitionStrategy):
    """Choose the guess that leaves the fewest candidates in the worst case.

    Knuth, "The computer as Master Mind" (1976-77).
    """

    over_parts = "max"
    weighted = False  # the worst case does not depend on probabilities

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size."""
        return size


class MostParts(wk.PartitionStrategy):
    """Choose the guess that splits the candidates into the most parts.

    Kooi, "Yet another Mastermind strategy" (2005).
    """

    more_is_better = True  # as shown: the number of parts divided by the number of candidates
    weighted = False  # each part counts once

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return -1 for every part."""
        return -np.ones_like(size)


def costs_in_order(
    board: wk.Board,
    part_cost: wk.PartCost,
    codes: Sequence[int],
    guesses: wk.Ids | None = None,
) -> wk.Floats:
    """Return the sum of `part_cost` over the parts of each guess, float64[n_guesses], added in the order of `codes`.

    With weights, `part_cost` gets the masses of parts. `board.costs` is much faster, but adds in a different order.
    """
    every = np.arange(len(board.game.guesses), dtype=np.int32) if guesses is None else guesses
    cost = np.zeros(len(board) + 1)  # a part of size 0 costs nothing
    if not board.game.is_weighted:
        cost[1:] = part_cost(np.arange(1, len(board) + 1, dtype=np.float64))
    sums = np.zeros(len(every))
    step = max(1, COUNTS_AT_ONCE // board.game.table.n_codes)
    for start in range(0, len(every), step):
        some, total = every[start : start + step], sums[start : start + step]
        if board.game.is_weighted:
            masses = board.part_masses(some)
            for code in codes:
                held = masses[:, code] > 0
                total[held] += part_cost(masses[held, code])
        else:
            sizes = board.part_sizes(some)
            for code in codes:
                total += cost[sizes[:, code]]
    return sums


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the textbook heuristics."""
    for strategy in (Entropy(), EntropyAsPrinted(), ExpectedSize(), Minimax(), MostParts()):
        register(strategy)
