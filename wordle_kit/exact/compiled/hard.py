"""Hard mode inside the compiled search: which of a list of guesses are allowed after a guess got a code."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from wordle_kit.errors import GameError
from wordle_kit.exact.compiled.kernels import Int, Int32s, Int64s
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.game.table import Ids

MOST_MASKS = 2**29
"""Bytes that the masks of a rule without marks may take."""


class HardMode(NamedTuple):
    """What hard mode asks for, in arrays; all but one empty where it is not played."""

    symbols: npt.NDArray[np.int32]
    """The guesses as indices of symbols, int32[length, n_guesses]."""
    needs: Int64s
    """For a symbol with a mark: the symbol to be used, or -1, and whether in its place; int64[n_symbols, base, 2]."""
    counts_copies: bool
    masks: npt.NDArray[np.bool_]
    """For rules without marks, which guesses each guess and code allow: bool[n_guesses, n_codes, n_guesses]."""


def hard_mode_of(game: Game, guesses: Ids) -> HardMode:
    """Return what hard mode asks for in a game, for some of its guesses, which go by their place among these.

    Raises GameError where a rule has its own hard mode and the masks for all guesses and codes are too large.
    """
    symbols = np.zeros((0, 0), dtype=np.int32)
    needs = np.zeros((0, 0, 2), dtype=np.int64)
    masks = np.zeros((0, 0, 0), dtype=np.bool_)
    rule = game.rule
    if not game.hard_mode:
        return HardMode(symbols, needs, False, masks)
    if isinstance(rule, MarksRule) and not overrides(rule, "hard_mode_mask", "obligations", "digits"):
        symbols = np.ascontiguousarray(game.guess_symbols[guesses].T, dtype=np.int32)
        needs = np.full((len(game.alphabet.symbols), rule.base, 2), -1, dtype=np.int64)
        for i, symbol in enumerate(game.alphabet.symbols):
            for mark in range(rule.base):
                needed = rule.needs(symbol, mark)
                if needed is not None:  # a symbol that is not in the alphabet gets a number that no guess has
                    needs[i, mark] = game.alphabet.index.get(needed[0], len(needs)), needed[1]
        return HardMode(symbols, needs, rule.counts_copies, masks)
    n, n_codes = len(guesses), game.table.n_codes
    if n * n_codes * n > MOST_MASKS:
        raise GameError(f"{game.name}: hard mode of the rule {rule.name!r} is not searched for {n:,} guesses")
    masks = np.array(
        [[game.allowed_after(guess, code)[guesses] for code in range(n_codes)] for guess in guesses.tolist()]
    )
    return HardMode(symbols, needs, False, masks)


def overrides(rule: MarksRule, *names: str) -> bool:
    """Return whether a rule has its own version of a method of MarksRule."""
    return any(getattr(type(rule), name) is not getattr(MarksRule, name) for name in names)


@njit(cache=True, nogil=True)
def keep_allowed(hard: HardMode, guess: Int, code: Int, ids: Int32s, kept: Int32s) -> Int:
    """Fill `kept` with the columns of a list whose guesses are allowed after a guess got a code; return how many."""
    n = 0
    if not len(hard.needs):
        for i in range(len(ids)):
            if hard.masks[guess, code, ids[i]]:
                kept[n] = i
                n += 1
        return n
    length = len(hard.symbols)
    base = hard.needs.shape[1]
    placed = np.full(length, -1, dtype=np.int32)
    symbols = np.full(length, -1, dtype=np.int32)
    counts = np.zeros(length, dtype=np.int64)
    for place in range(length - 1, -1, -1):
        mark = code % base
        code //= base
        needed = hard.needs[hard.symbols[place, guess], mark]
        if needed[0] < 0:
            continue
        slot = 0
        while symbols[slot] >= 0 and symbols[slot] != needed[0]:
            slot += 1
        symbols[slot] = needed[0]
        if needed[1]:
            placed[place] = needed[0]
        if hard.counts_copies or needed[1]:
            counts[slot] += 1
    for i in range(len(ids)):
        other = ids[i]
        fine = True
        for place in range(length):
            fine &= placed[place] < 0 or hard.symbols[place, other] == placed[place]
        slot = 0
        while fine and slot < length and symbols[slot] >= 0:
            count = 0
            for place in range(length):
                count += hard.symbols[place, other] == symbols[slot]
            fine = count >= max(1, counts[slot])
            slot += 1
        if fine:
            kept[n] = i
            n += 1
    return n
