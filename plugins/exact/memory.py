"""The memory of a search: the arrays of the compiled code, and the meaning of their numbers.

Other threads watch and stop a search through the numbers in `Workspace.state`.
"""

from enum import IntEnum, unique
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled.kernels import BLOCK, Int, Int32s, Int64s
from wordle_kit_plugins.exact.compiled.transposition_table import Table, new_table
from wordle_kit_plugins.exact.objective import ideal_costs

import wordle_kit as wk

ABORTED = -1
"""Returned in place of a cost if the search was aborted."""

NEVER = 2**62
"""A number greater than any cost."""

UNLIMITED = -1
"""Used for the number of guesses left if late answers cost no more than others."""

TRIED = 8
"""The number of guesses tried on a set before the guesses worth trying are copied to a shorter list."""


@unique
class Order(IntEnum):
    """The orders in which guesses are tried."""

    BY_BOUND = 0
    STATISTICAL = 1
    ENTROPIC = 2


STATE = np.dtype([(name, "i8") for name in ("nodes", "most_nodes", "stop", "stamp")])
"""A record of numbers that other threads read and write.

`nodes` sets have been searched, out of at most `most_nodes`. `stop` tells the search to stop. `stamp` is the number of
the latest set of partitions in `Workspace.slots`.
"""


@unique
class Bound(IntEnum):
    """How the bound of a part was computed: from its size alone, by looking one guess ahead, or exactly."""

    UNBOUNDED = 0
    BOUNDED = 1
    KNOWN = 2


Part = Any
"""A record of `PART`: the fields of a `Subset`, a lower bound of its cost, and the kind of that bound."""

PART = np.dtype(
    [(name, "i8") for name in ("codes", "width", "ids", "start", "size", "bound", "known")] + [("list_hash", "u8")]
)


class Facts(NamedTuple):
    """The constants of a search, as integers."""

    winning: Int
    """The winning code."""
    late: Int
    """The extra cost of a late candidate."""
    order: Int
    """The order in which guesses are tried, an `Order`."""
    hard: Int
    """Whether the game is in hard mode."""
    weighted: Int
    """Whether the answers have different weights."""
    fast: Int
    """The largest size of sets whose parts are counted by comparing pairs of rows."""


class Subset(NamedTuple):
    """A set of candidates with the guesses allowed for it, as offsets into the stacks of the workspace."""

    codes: Int
    """The offset of its matrix in `Workspace.codes`."""
    width: Int
    """The number of guesses."""
    ids: Int
    """The offset of its list of guesses in `Workspace.ids`."""
    list_hash: Int
    """The hash of the list in hard mode, or 0 if all guesses are allowed."""
    start: Int
    """The offset of its candidates in `Workspace.rows`."""
    size: Int
    """The number of candidates."""
    left: Int
    """The number of guesses left, or UNLIMITED."""


class Tops(NamedTuple):
    """The first free positions on the stacks of matrices, sets and lists."""

    codes: Int
    sets: Int
    lists: Int


class HardMode(NamedTuple):
    """The requirements of hard mode as arrays, which are empty without hard mode."""

    symbols: npt.NDArray[np.int32]
    """The guesses as indices of symbols, int32[length, n_guesses]."""
    needed: Int64s
    """The symbol that a guess must use after a symbol got a mark, or -1: int64[n_symbols, base]."""
    in_place: npt.NDArray[np.bool_]
    """Whether that symbol must be in the same place, bool[n_symbols, base]."""
    counts_copies: bool


class Workspace(NamedTuple):
    """The memory of a search.

    When compiled code reads an attribute, numba unpacks the whole workspace, into seven numbers for each array. So
    functions read each attribute once, into a local variable.
    """

    facts: Facts
    state: npt.NDArray[Any]
    """One record of `STATE`."""
    table: Table
    zobrist: npt.NDArray[np.uint64]
    """Random numbers, uint64[n_answers + n_guesses, 2]. The hash of a set is the XOR of its members' numbers."""
    ideal: Int64s
    """The least possible cost of n candidates, int64[K + 2, n + 1], with a row per number of guesses left. The
    last row is for UNLIMITED.
    """
    weights: Int64s
    """The weights of the candidates in descending order, int64[n_answers]."""
    codes: wk.Codes
    """The stack of matrices."""
    rows: Int32s
    """The stack of sets: the rows of candidates in their matrix. The next two arrays have the same indices."""
    answers: Int64s
    columns: Int64s
    """The column of each candidate as a guess, or -1."""
    part_stack: npt.NDArray[Any]
    """The stack of parts."""
    part_order: Int64s
    """The order of a set's parts by size, smallest first, as indices. It starts at the same index as the parts."""
    ids: Int32s
    """The stack of lists: the guesses of a matrix. Their parts, ties and scores have the same indices."""
    parts: Int32s
    ties: Int32s
    scores: Int64s
    seen: Int64s
    """This array and the following ones are scratch memory."""
    bytes_a: npt.NDArray[np.uint8]
    bytes_b: npt.NDArray[np.uint8]
    pairs: npt.NDArray[np.uint16]
    hashes: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.uint64]
    stamps: Int64s
    kept: Int32s
    hard: HardMode


def new_workspace(
    game: wk.Game, candidates: wk.Ids, guesses: wk.Ids, weights: Int64s, facts: Facts, within: int | None, most: int
) -> Workspace:
    """Return the memory for a search, with the codes of all guesses against all candidates.

    `within` is the largest number of guesses that is counted, or None if it does not matter. Raises GameError if the
    game needs more than `most` bytes.
    """
    n, width, table = len(candidates), len(guesses), game.table
    needed = 2 * n * width * table.dtype.itemsize
    if needed > most:
        raise wk.GameError(
            f"{game.name}: {n:,} candidates and {width:,} guesses need {needed / 2**20:,.0f} MB of memory, but "
            f"only {most / 2**20:,.0f} MB are allowed; allow more memory, or use fewer words",
            settings=["memory"],
        )
    # The stacks have room for the deepest recursion, or take a share of the memory. Unused memory costs nothing.
    codes = np.zeros(2 * n * width + min(n * n * width, most // 4 // table.dtype.itemsize), dtype=table.dtype)
    sets = 3 * n + min(n * n, most // 8 // (PART.itemsize + 28))
    lists = 3 * width + min(n * n * width, most // 4 // 20)
    matrix = codes[: n * width].reshape(n, width)
    for block, part, rows in table.blocks(candidates, None if width == len(game.guesses) else guesses):
        matrix[:, block] = part[rows]
    state = np.zeros(1, dtype=STATE)
    state["most_nodes"] = NEVER
    slots = max(2, 2 ** (2 * width).bit_length())
    return Workspace(
        facts=facts,
        state=state,
        table=new_table(most // 64),
        zobrist=np.random.default_rng(20220131).integers(0, 2**64, (n + width, 2), dtype=np.uint64),
        ideal=ideal_costs(n, table.n_codes, within, int(facts.late)),
        weights=weights,
        codes=codes,
        rows=np.zeros(sets, dtype=np.int32),
        answers=np.zeros(sets, dtype=np.int64),
        columns=np.zeros(sets, dtype=np.int64),
        part_stack=np.zeros(sets, dtype=PART),
        part_order=np.zeros(sets, dtype=np.int64),
        ids=np.zeros(lists, dtype=np.int32),
        parts=np.zeros(lists, dtype=np.int32),
        ties=np.zeros(lists, dtype=np.int32),
        scores=np.zeros(lists, dtype=np.int64),
        seen=np.zeros(table.n_codes, dtype=np.int64),
        bytes_a=np.zeros(BLOCK, dtype=np.uint8),
        bytes_b=np.zeros(BLOCK, dtype=np.uint8),
        pairs=np.zeros(BLOCK, dtype=np.uint16),
        hashes=np.zeros(width, dtype=np.uint64),
        slots=np.zeros(slots, dtype=np.uint64),
        stamps=np.zeros(slots, dtype=np.int64),
        kept=np.zeros(width, dtype=np.int32),
        hard=hard_mode_of(game, guesses),
    )


def hard_mode_of(game: wk.Game, guesses: wk.Ids) -> HardMode:
    """Return the requirements of hard mode for some guesses of a game, numbered by their position in `guesses`.

    Raises GameError if the rule has no marks or a hard mode of its own.
    """
    rule = game.rule
    if not game.hard_mode:
        none = np.zeros((0, 0), dtype=np.int32)
        return HardMode(none, none.astype(np.int64), none.astype(np.bool_), False)
    if not (isinstance(rule, wk.MarksRule) and rule.hard_mode_follows_needs):
        raise wk.GameError(
            f"{game.name}: perfect play in hard mode needs marks as in Wordle, unlike the rule {rule.name!r}"
        )
    alphabet = game.alphabet.symbols
    needed = np.full((len(alphabet), rule.base), -1, dtype=np.int64)  # the index of the symbol, or -1 for none
    in_place = np.zeros(needed.shape, dtype=np.bool_)
    for i, symbol in enumerate(alphabet):
        for mark in range(rule.base):
            need = rule.needs(symbol, mark)
            if need is not None:
                needed[i, mark], in_place[i, mark] = game.alphabet.index.get(need[0], len(alphabet)), need[1]
    symbols = np.ascontiguousarray(game.guess_symbols[guesses].T, dtype=np.int32)
    return HardMode(symbols, needed, in_place, rule.counts_copies)
