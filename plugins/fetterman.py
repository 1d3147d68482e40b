"""The entropy strategy of Fetterman (2022). With his rule and word order, it plays as in the paper."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal

import numpy as np
from wordle_kit_plugins.partition import costs_in_order

import wordle_kit as wk

MASK = 2**32 - 1


class GreedyEntropy(wk.PartitionStrategy):
    """Choose the guess with the most expected information; ties go to the first word in the list.

    Fetterman (2022), section 3. For several boards, section 5 describes the sum method (`combine=sum`) and Vern's
    gambit (`combine=min`). In the paper, a word that is certain to solve a board scores -100; here, every partition
    strategy guesses such a word first. The rule wordle-left-to-right and the word lists in his order reproduce the
    paper's figures.
    """

    ties: wk.Ties = "list-order"
    summed: Literal["fast", "as-printed"] = "fast"
    """Whether to add the terms of a score in the fastest way, or by the author's formula in his order, which reproduces
    every printed digit.
    """

    bits = "missing"  # as in Table 3.1 of the paper

    def problem_with(self, game: wk.Game) -> str | None:
        """Return a message if the author's order needs marks that the rule lacks, or if the opener is not a guess."""
        if self.summed == "as-printed" and not isinstance(game.rule, wk.MarksRule):
            return f"summed: the rule {game.rule.name!r} gives no marks to single symbols"
        return super().problem_with(game)

    def scores(self, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the bits expected to be missing after each guess."""
        if self.summed == "fast":
            return super().scores(board, guesses)
        return costs_in_order(board, bits_as_printed, hash_order(board.game), guesses) / board.mass

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size of each part, multiplied by the bits that are still missing in it."""
        return size * np.log2(size)


def bits_as_printed(size: wk.Floats) -> wk.Floats:
    """Return the size of a part times its remaining entropy in bits, computed in the same steps as by the author."""
    return np.array([math.log(n) * n / math.log(2) for n in size.tolist()])


@cache
def hash_order(game: wk.Game) -> list[int]:
    """Return the codes in the iteration order of a Clojure hash map whose keys are vectors of marks."""
    assert isinstance(game.rule, wk.MarksRule)  # noqa: S101 - problem_with has seen to it
    marks = {code: game.rule.digits(code, game.length) for code in range(game.rule.n_codes(game.length))}
    return sorted(marks, key=lambda code: path_of(vector_hash(marks[code])))


def vector_hash(numbers: Sequence[int]) -> int:
    """Return Clojure's hash of a vector of non-negative integers."""
    ordered = 1
    for number in numbers:
        ordered = (31 * ordered + (murmur3([number, 0], 8) if number else 0)) & MASK
    return murmur3([ordered], len(numbers))


def murmur3(words: Sequence[int], length: int) -> int:
    """Return the Murmur3 hash, with seed 0, of 32-bit words."""
    hashed = 0
    for word in words:
        hashed ^= rotated(word * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK
        hashed = (rotated(hashed, 13) * 5 + 0xE6546B64) & MASK
    hashed ^= length
    hashed = (hashed ^ hashed >> 16) * 0x85EBCA6B & MASK
    hashed = (hashed ^ hashed >> 13) * 0xC2B2AE35 & MASK
    return hashed ^ hashed >> 16


def rotated(word: int, bits: int) -> int:
    """Return a 32-bit word rotated to the left."""
    return (word << bits | word >> (32 - bits)) & MASK


def path_of(hashed: int) -> tuple[int, ...]:
    """Return the path of a hash in a hash map: groups of five bits, the lowest first."""
    return tuple(hashed >> shift & 31 for shift in range(0, 32, 5))


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategy."""
    register(GreedyEntropy())
