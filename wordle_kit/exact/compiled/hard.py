"""Hard mode in the compiled search: which guesses of a list are allowed after a guess got a code."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError
from wordle_kit.exact.compiled.decorators import compiled
from wordle_kit.exact.compiled.kernels import Int, Int32s, Int64s
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.game.table import Ids

MOST_MASKS = 2**29
"""The most bytes that the masks of a rule without marks may take."""


class HardMode(NamedTuple):
    """The demands of hard mode as arrays, some of them empty: either the first three, or `masks`, or all."""

    symbols: npt.NDArray[np.int32]
    """The guesses as indices of symbols, int32[length, n_guesses]."""
    needed: Int64s
    """The symbol that a guess must use once a symbol got a mark, or -1: int64[n_symbols, base]."""
    in_place: npt.NDArray[np.bool_]
    """Whether it must stand in the same place, bool[n_symbols, base]."""
    counts_copies: bool
    masks: npt.NDArray[np.bool_]
    """For rules without marks, the guesses that each guess and code allow: bool[n_guesses, n_codes, n_guesses].

    Codes that no answer gives allow nothing.
    """


def hard_mode_of(game: Game, guesses: Ids) -> HardMode:
    """Return the demands of a game's hard mode on some of its guesses, which are numbered by their place here.

    Raises GameError if a rule has a hard mode of its own and the masks for all guesses and codes are too large.
    """
    symbols = np.zeros((0, 0), dtype=np.int32)
    needed, in_place = np.zeros((0, 0), dtype=np.int64), np.zeros((0, 0), dtype=np.bool_)
    masks = np.zeros((0, 0, 0), dtype=np.bool_)
    rule = game.rule
    if not game.hard_mode:
        return HardMode(symbols, needed, in_place, False, masks)
    if isinstance(rule, MarksRule) and rule.hard_mode_follows_needs:
        symbols = np.ascontiguousarray(game.guess_symbols[guesses].T, dtype=np.int32)
        needed, in_place = rule.needs_table(game.alphabet)
        return HardMode(symbols, needed, in_place, rule.counts_copies, masks)
    n, n_codes = len(guesses), game.table.n_codes
    if n * n_codes * n > MOST_MASKS:
        raise GameError(
            f"{game.name}: perfect play in the hard mode of the rule {rule.name!r} takes too much memory for {n:,} "
            "guesses; use fewer words"
        )
    masks = np.zeros((n, n_codes, n), dtype=np.bool_)
    answers = np.arange(len(game.answers), dtype=np.int32)
    for column, guess in enumerate(guesses.tolist()):
        for code in np.unique(game.table.column(guess, answers)).tolist():  # few codes of a rule may occur
            masks[column, code] = game.allowed_after(guess, code)[guesses]
    return HardMode(symbols, needed, in_place, False, masks)


@compiled
def keep_allowed(hard: HardMode, guess: Int, code: Int, ids: Int32s, kept: Int32s) -> Int:
    """Fill `kept` with the columns of a list whose guesses are allowed after a guess got a code. Return their number.

    This is the native twin of `Rule.hard_mode_mask`.
    """
    n = 0
    if not len(hard.needed):
        for i in range(len(ids)):
            if hard.masks[guess, code, ids[i]]:
                kept[n] = i
                n += 1
        return n
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
    words = hard.symbols  # the loop is spelt out here: a call for each guess would take most of the time
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
