"""The memory of the compiled search: its arrays, and what the numbers in them mean."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordle_kit.exact.hard import HardMode
from wordle_kit.exact.kernels import Codes, Int32s, Int64s
from wordle_kit.exact.solved import Table

ABORTED = -1
NEVER = 2**62
"""More than any cost."""

UNLIMITED = -1
"""In place of the number of guesses left: late answers cost no more than others."""

# What the numbers in `Workspace.facts` are. WEIGHTED is 1 with weights, and 2 if those that are late count by them too.
WINNING, LATE, ORDER, HARD, WEIGHTED, FAST, TRIED = range(7)

# What the numbers in `Workspace.state` are: counters, then how the search is told to stop and tells why it did.
NODES, EVALUATED, BOUNDED, ENTRIES, STOP, NEEDS, LOWER, UPPER, BEST, STAMP, MOST_ENTRIES = range(11)

ENOUGH, MORE_CODES, MORE_SETS, MORE_LISTS, MORE_TABLE = range(5)

BY_BOUND, STATISTICAL, ENTROPIC = range(3)

# What is known of the bound of a part: nothing but its size, one guess deep, or its exact cost.
UNBOUNDED, BOUNDED, KNOWN = range(3)


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
    """UNBOUNDED, BOUNDED or KNOWN; by the index of a part from the first item of its set, as the four before."""
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
