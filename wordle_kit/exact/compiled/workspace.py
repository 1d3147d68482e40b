"""The memory of the compiled search: its arrays, and what the numbers in them mean."""

from enum import IntEnum, unique
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordle_kit.exact.compiled.hard import HardMode
from wordle_kit.exact.compiled.kernels import Codes, Int32s, Int64s
from wordle_kit.exact.compiled.transposition_table import Table

ABORTED = -1
NEVER = 2**62
"""More than any cost."""

UNLIMITED = -1
"""In place of the number of guesses left: late answers cost no more than others."""


@unique
class Fact(IntEnum):
    """The numbers in `Workspace.facts`, which do not change during a search.

    Compiled code writes `facts[Fact.LATE.value]`: older versions of numba take no member of an enumeration as an index.
    """

    WINNING = 0
    """The winning code."""
    LATE = 1
    """What a late candidate costs more."""
    ORDER = 2
    """The order in which guesses are tried, an `Order`."""
    HARD = 3
    """Whether hard mode is played."""
    WEIGHTED = 4
    """1 with weights, 2 if late candidates count by their weights too, else 0."""
    FAST = 5
    """Up to so many candidates, parts are counted by comparing pairs of rows."""
    TRIED = 6
    """Guesses tried at a set before those worth trying are copied together."""


@unique
class State(IntEnum):
    """The numbers in `Workspace.state`: counters, bounds that other threads read, and how a search is stopped."""

    NODES = 0
    """Sets searched."""
    EVALUATED = 1
    """Guesses whose parts were looked at."""
    BOUNDED = 2
    """Sets bounded one guess deep."""
    ENTRIES = 3
    """Entries in the transposition table."""
    MOST_ENTRIES = 4
    """Entries beyond which the table is made larger."""
    STOP = 5
    """Whether the search was asked to stop."""
    NEEDS = 6
    """Why the search gave up, a `Need`."""
    LOWER = 7
    """The lower bound of the set that the search began with."""
    UPPER = 8
    """Its upper bound."""
    BEST = 9
    """The guess that the upper bound is of."""
    STAMP = 10
    """The number of the latest set of partitions in `slots`."""


@unique
class Need(IntEnum):
    """What was too short for a search to go on."""

    ENOUGH = 0
    MORE_CODES = 1
    MORE_SETS = 2
    MORE_LISTS = 3
    MORE_TABLE = 4


@unique
class Order(IntEnum):
    """The orders in which guesses are tried."""

    BY_BOUND = 0
    STATISTICAL = 1
    ENTROPIC = 2


@unique
class Bound(IntEnum):
    """How the cost of a part is bounded: by its size alone, by one guess, or exactly."""

    UNBOUNDED = 0
    BOUNDED = 1
    KNOWN = 2


class Workspace(NamedTuple):
    """The memory of a search."""

    facts: Int64s
    state: Int64s
    table: Table
    zobrist: npt.NDArray[np.uint64]
    """Random numbers, uint64[n_answers + n_guesses, 2]: a set's hash is the exclusive or of its members' numbers."""
    ideal: Int64s
    """What n candidates cost at best with so many guesses left, int64[K + 2, n + 1]; the last row is for UNLIMITED."""
    weights: Int64s
    """int64[n_answers], falling."""
    codes: Codes
    """Stack of matrices."""
    rows: Int32s
    """Stack of sets: rows of the candidates in their matrix, and with the same indices the next two."""
    answers: Int64s
    columns: Int64s
    """The column of each candidate as a guess, or -1."""
    part_start: Int64s
    part_size: Int64s
    part_order: Int64s
    part_bound: Int64s
    part_known: Int32s
    """A `Bound`; by the index of a part from the first item of its set, as the four before."""
    part_matrix: Int64s
    """int64[., 3]: offset and width of the matrix of each part, offset of its list."""
    part_hash: npt.NDArray[np.uint64]
    """The hash of the list of each part, 0 where all guesses are allowed."""
    ids: Int32s
    """Stack of lists: the guesses of a matrix, and with the same indices their parts and scores."""
    parts: Int32s
    ties: Int32s
    scores: Int64s
    seen: Int64s
    bytes_a: npt.NDArray[np.uint8]
    bytes_b: npt.NDArray[np.uint8]
    pairs: npt.NDArray[np.uint16]
    hashes: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.uint64]
    stamps: Int64s
    kept: Int32s
    hard: HardMode
