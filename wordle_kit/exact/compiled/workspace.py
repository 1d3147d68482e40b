"""The memory of the compiled search: its arrays, and the meaning of the numbers in them."""

from enum import IntEnum, unique
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wordle_kit.exact.compiled.kernels import BLOCK, MOST_PAIRED, Codes, Int, Int32s, Int64s
from wordle_kit.exact.compiled.transposition_table import Table

ABORTED = -1
"""In place of a cost: the search gave up."""

NEVER = 2**62
"""More than any cost."""

UNLIMITED = -1
"""In place of the number of guesses left: late answers cost no more than others."""

TRIED = 8
"""Guesses tried at a set before the guesses worth trying are copied together."""


@unique
class Weighting(IntEnum):
    """What the weight of an answer multiplies."""

    EQUAL = 0
    """Nothing: all weights are 1."""
    TOTAL = 1
    """Its guesses."""
    TOTAL_AND_LATE = 2
    """Its guesses, and the extra cost if it is late."""


@unique
class Order(IntEnum):
    """The orders in which guesses are tried."""

    BY_BOUND = 0
    STATISTICAL = 1
    ENTROPIC = 2


@unique
class State(IntEnum):
    """The numbers in `Workspace.state`: counters, bounds that other threads read, and requests to stop.

    Compiled code writes `state[State.NODES.value]`: older versions of numba take no enumeration member as an index.
    """

    NODES = 0
    """Sets searched."""
    EVALUATED = 1
    """Guesses whose parts were examined."""
    BOUNDED = 2
    """Sets bounded one guess deep."""
    ENTRIES = 3
    """Entries in the transposition table."""
    MOST_ENTRIES = 4
    """The number of entries above which the table grows."""
    STOP = 5
    """Whether the search was asked to stop."""
    NEEDS = 6
    """Why the search gave up, a `Need`."""
    LOWER = 7
    """The lower bound of the set with which the search began."""
    UPPER = 8
    """The upper bound of that set."""
    BEST = 9
    """The guess that gives the upper bound."""
    STAMP = 10
    """The number of the latest set of partitions in `slots`."""


@unique
class Need(IntEnum):
    """What the search needed when it gave up."""

    ENOUGH = 0
    MORE_CODES = 1
    MORE_SETS = 2
    MORE_LISTS = 3
    MORE_TABLE = 4
    ALLOWED_CANDIDATES = 5
    """Hard mode forbids a candidate, which no search of this kind can handle."""


@unique
class Bound(IntEnum):
    """How the cost of a part is bounded: by its size alone, by one guess, or exactly."""

    UNBOUNDED = 0
    BOUNDED = 1
    KNOWN = 2


Part = Any
"""A part of a set, a record: what a `Subset` has, then a lower bound of its cost and a `Bound`."""

PART = np.dtype(
    {
        "names": ["codes", "width", "ids", "list_hash", "start", "size", "bound", "known"],
        "formats": ["i8", "i8", "i8", "u8", "i8", "i8", "i8", "i8"],
    }
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
    weighting: Int
    """A `Weighting`."""
    fast: Int
    """The largest set whose parts are counted by comparing pairs of rows."""


class Subset(NamedTuple):
    """A set of candidates with the guesses allowed there, as offsets into the stacks of the workspace."""

    codes: Int
    """Where its matrix begins in `Workspace.codes`."""
    width: Int
    """The number of guesses."""
    ids: Int
    """Where its list of guesses begins in `Workspace.ids`."""
    list_hash: Int
    """The hash of the list in hard mode, 0 where all guesses are allowed."""
    start: Int
    """Where its candidates begin in `Workspace.rows`."""
    size: Int
    """The number of candidates."""
    left: Int
    """The number of guesses left, or UNLIMITED."""


class Tops(NamedTuple):
    """The first free places on the stacks of matrices, sets and lists."""

    codes: Int
    sets: Int
    lists: Int


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


class Workspace(NamedTuple):
    """The memory of a search.

    Wherever compiled code reads an attribute, numba takes the whole workspace apart, into seven numbers for each array.
    Functions therefore read each attribute that they need once, into a local variable.
    """

    facts: Facts
    state: Int64s
    table: Table
    zobrist: npt.NDArray[np.uint64]
    """Random numbers, uint64[n_answers + n_guesses, 2]. A set's hash is the exclusive or of its members' numbers."""
    ideal: Int64s
    """The least possible cost of n candidates, int64[K + 2, n + 1]: a row per guesses left, the last for UNLIMITED."""
    weights: Int64s
    """int64[n_answers], in falling order."""
    codes: Codes
    """Stack of matrices."""
    rows: Int32s
    """Stack of sets: the rows of the candidates in their matrix. The next two arrays have the same indices."""
    answers: Int64s
    columns: Int64s
    """The column of each candidate as a guess, or -1."""
    part_stack: npt.NDArray[Any]
    """Stack of parts."""
    part_order: Int64s
    """The indices of the parts of a set by size, the smallest first, from the same index on."""
    ids: Int32s
    """Stack of lists: the guesses of a matrix. Their parts, ties and scores have the same indices."""
    parts: Int32s
    ties: Int32s
    scores: Int64s
    seen: Int64s
    """Scratch memory from here on."""
    bytes_a: npt.NDArray[np.uint8]
    bytes_b: npt.NDArray[np.uint8]
    pairs: npt.NDArray[np.uint16]
    hashes: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.uint64]
    stamps: Int64s
    kept: Int32s
    hard: HardMode


STACKS = {
    Need.MORE_CODES: ("codes",),
    Need.MORE_SETS: ("rows", "answers", "columns", "part_stack", "part_order"),
    Need.MORE_LISTS: ("ids", "parts", "ties", "scores"),
}
"""The arrays to make longer when a stack is too short."""


def new_workspace(
    facts: Facts,
    *,
    codes: Codes,
    n_codes: int,
    table: Table,
    zobrist: npt.NDArray[np.uint64],
    ideal: Int64s,
    weights: Int64s,
    hard: HardMode,
) -> Workspace:
    """Return the memory for a search of len(weights) candidates, with as many guesses as `zobrist` has beyond them."""
    n = len(weights)
    width = len(zobrist) - n
    stack, lists = 8 * n + 1024, 4 * width + 1024
    slots = max(2, 2 ** (2 * width).bit_length())
    state = np.zeros(len(State), dtype=np.int64)
    state[State.MOST_ENTRIES] = len(table) // 2
    return Workspace(
        facts=facts,
        state=state,
        table=table,
        zobrist=zobrist,
        ideal=ideal,
        weights=weights,
        codes=codes,
        rows=np.zeros(stack, dtype=np.int32),
        answers=np.zeros(stack, dtype=np.int64),
        columns=np.zeros(stack, dtype=np.int64),
        part_stack=np.zeros(stack, dtype=PART),
        part_order=np.zeros(stack, dtype=np.int64),
        ids=np.zeros(lists, dtype=np.int32),
        parts=np.zeros(lists, dtype=np.int32),
        ties=np.zeros(lists, dtype=np.int32),
        scores=np.zeros(lists, dtype=np.int64),
        seen=np.zeros(n_codes, dtype=np.int64),
        bytes_a=np.zeros(BLOCK, dtype=np.uint8),
        bytes_b=np.zeros(BLOCK, dtype=np.uint8),
        pairs=np.zeros(BLOCK, dtype=np.uint16),
        hashes=np.zeros(width, dtype=np.uint64),
        slots=np.zeros(slots, dtype=np.uint64),
        stamps=np.zeros(slots, dtype=np.int64),
        kept=np.zeros(width, dtype=np.int32),
        hard=hard,
    )


def lengthen(w: Workspace, need: Need) -> Workspace:
    """Return the workspace with a stack of twice the length."""
    longer = {name: getattr(w, name) for name in STACKS[need]}
    longer = {name: np.concatenate([array, np.zeros_like(array)]) for name, array in longer.items()}
    return w._replace(**longer)


def nbytes(w: Workspace) -> int:
    """Return the number of bytes in all arrays."""
    return sum(array.nbytes for array in (*w, *w.hard) if isinstance(array, np.ndarray))


def largest_fast(n_codes: int) -> int:
    """Return the largest set whose parts are counted by comparing pairs of rows."""
    return min(MOST_PAIRED, n_codes)
