"""The memory of a search: the arrays of the compiled code, and the meaning of their numbers.

Other threads watch a search, and stop it, through the numbers in `Workspace.state`.
"""

from enum import IntEnum, unique
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled.kernels import BLOCK, Int, Int32s, Int64s
from wordle_kit_plugins.exact.compiled.transposition_table import Table, hash_of, new_table
from wordle_kit_plugins.exact.objective import ideal_costs

import wordle_kit as wk

SMALLEST_TABLE = 2**7
"""The number of bytes of the transposition table for one candidate. It doubles with each, up to a share of the memory.
"""
QUICK_TABLE = 2**22
"""The number of bytes of the table for quick searches."""

ABORTED = -1
"""Returned in place of a cost if the search was given up."""

NEVER = 2**62
"""A number above any cost."""

UNLIMITED = -1
"""Used in place of the number of guesses left if late answers cost no more than others."""

TRIED = 8
"""The number of guesses tried at a set before the guesses worth trying are copied together."""


@unique
class Order(IntEnum):
    """The orders in which guesses are tried."""

    BY_BOUND = 0
    STATISTICAL = 1
    ENTROPIC = 2


STATE = np.dtype([(name, "i8") for name in ("nodes", "most_nodes", "stop", "needs", "lower", "upper", "best", "stamp")])
"""A record of numbers that other threads read and write.

`nodes` sets have been searched, of at most `most_nodes`. `stop` tells the search to stop. `needs` is the `Need` for
which it was given up. `lower` and `upper` are bounds of the set that the search began with, and `best` is the guess
that gives the upper bound. `stamp` is the number of the latest set of partitions in `Workspace.slots`.
"""


@unique
class Need(IntEnum):
    """What the search needed when it was given up."""

    ENOUGH = 0
    MORE_CODES = 1
    MORE_SETS = 2
    MORE_LISTS = 3
    ALLOWED_CANDIDATES = 4
    """Hard mode forbids a candidate, which this kind of search cannot handle."""


@unique
class Bound(IntEnum):
    """How the bound of a part was computed: from its size alone, by looking one guess ahead, or exactly."""

    UNBOUNDED = 0
    BOUNDED = 1
    KNOWN = 2


Part = Any
"""A record of `PART`: the fields of a `Subset`, a lower bound of the part's cost, and the `Bound` that it is."""

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
    """The first free places on the stacks of matrices, sets and lists."""

    codes: Int
    sets: Int
    lists: Int


class HardMode(NamedTuple):
    """The requirements of hard mode as arrays. They are empty without hard mode."""

    symbols: npt.NDArray[np.int32]
    """The guesses as indices of symbols, int32[length, n_guesses]."""
    needed: Int64s
    """The symbol that a guess must use after a symbol got a mark, or -1: int64[n_symbols, base]."""
    in_place: npt.NDArray[np.bool_]
    """Whether that symbol must be in the same place, bool[n_symbols, base]."""
    counts_copies: bool


class Workspace(NamedTuple):
    """The memory of a search.

    When compiled code reads an attribute, numba takes the whole workspace apart, into seven numbers for each array. So
    functions read each attribute once, into a local variable.
    """

    facts: Facts
    state: npt.NDArray[Any]
    """One record of `STATE`."""
    table: Table
    zobrist: npt.NDArray[np.uint64]
    """Random numbers, uint64[n_answers + n_guesses, 2]. The hash of a set is the exclusive or of its members' numbers.
    """
    ideal: Int64s
    """The least possible cost of n candidates, int64[K + 2, n + 1]: a row per number of guesses left, the last for
    UNLIMITED.
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
    """The order of a set's parts by size, smallest first, as indices. It begins at the same index as the parts."""
    ids: Int32s
    """The stack of lists: the guesses of a matrix. Their parts, ties and scores have the same indices."""
    parts: Int32s
    ties: Int32s
    scores: Int64s
    seen: Int64s
    """This array and those after it are scratch memory."""
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
"""The arrays that are doubled when a stack is too short."""


Members = npt.NDArray[np.int64]
Columns = npt.NDArray[np.int64]


class SearchStopped(Exception):  # noqa: N818 - not an error
    """Raised when the search was told to stop, or has searched as many sets as it may."""


class Memory:
    """The memory of a search: its workspace, and a small transposition table for quick searches.

    Candidates are numbered in the order in which they are given, which must be from the heaviest to the lightest.
    Guesses are numbered by their position in `guesses` (`columns`). Raises GameError if the game needs more than `most`
    bytes, or if hard mode forbids a candidate.
    """

    def __init__(
        self,
        game: wk.Game,
        candidates: wk.Ids,
        guesses: wk.Ids,
        weights: Int64s,
        facts: Facts,
        within: int | None,
        most: int,
    ) -> None:
        self.game = game
        self.candidates = candidates
        self.guesses = guesses
        self.most = most
        self.column_of = np.full(len(game.guesses), -1, dtype=np.int64)
        self.column_of[guesses] = np.arange(len(guesses))
        self.own = self.column_of[game.guess_of_answer[candidates]]
        """The column of each candidate as a guess."""
        if (self.own < 0).any():
            raise forbidden_candidates(game)
        n, width, table = len(candidates), len(guesses), game.table
        needed = 2 * n * width * table.dtype.itemsize
        if needed > most:
            raise wk.GameError(
                f"{game.name}: {n:,} candidates and {width:,} guesses need {needed / 2**20:,.0f} MB of memory, but "
                f"only {most / 2**20:,.0f} MB are allowed; allow more memory, or use fewer words",
                settings=["memory"],
            )
        self.base = n * width
        codes = np.zeros(self.base + min(max(self.base, 2**16), 2**23), dtype=table.dtype)
        matrix = codes[: self.base].reshape(n, width)
        for block, part, rows in table.blocks(candidates, None if width == len(game.guesses) else guesses):
            matrix[:, block] = part[rows]
        random = np.random.default_rng(20220131)
        zobrist = random.integers(0, 2**64, (len(game.answers) + len(game.guesses), 2), dtype=np.uint64)
        state = np.zeros(1, dtype=STATE)
        self.state = state.view(np.recarray)[0]
        self.state.most_nodes = NEVER
        sets, lists = 8 * n + 1024, 4 * width + 1024
        slots = max(2, 2 ** (2 * width).bit_length())
        self.workspace = Workspace(
            facts=facts,
            state=state,
            table=new_table(min(most // 64, SMALLEST_TABLE << min(n, 30))),
            zobrist=np.concatenate([zobrist[candidates], zobrist[len(game.answers) + guesses]]),
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
        self.quick_table = new_table(min(QUICK_TABLE, most // 16))

    def stop(self) -> None:
        """Tell the search to stop."""
        self.state.stop = 1

    def resume(self) -> None:
        """Withdraw the request to stop and the limit of nodes."""
        self.state.stop, self.state.most_nodes = 0, NEVER

    def limit_nodes(self, nodes: int) -> None:
        """Let the search stop after it has searched this many more sets."""
        self.state.most_nodes = self.nodes + nodes

    def check_stopped(self) -> None:
        """Raise SearchStopped if the search was told to stop, or has searched as many sets as it may."""
        if self.state.stop or self.nodes >= self.state.most_nodes:
            raise SearchStopped

    @property
    def nodes(self) -> int:
        """The number of sets searched so far."""
        return int(self.state.nodes)

    @property
    def matrix(self) -> npt.NDArray[np.unsignedinteger]:
        """The codes of all guesses against all candidates, [n_candidates, n_guesses]."""
        return self.workspace.codes[: self.base].reshape(len(self.candidates), -1)

    @property
    def everything(self) -> Members:
        """All candidates."""
        return np.arange(len(self.candidates), dtype=np.int64)

    def split(self, members: Members, column: int) -> dict[int, Members]:
        """Return the parts into which a guess splits a set, by code, without the part of the winning code."""
        codes = self.workspace.codes[members * len(self.guesses) + column]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != self.game.winning_code}

    def place(self, members: Members, left: int, columns: Columns | None) -> tuple[Subset, Tops]:
        """Put a set where the compiled search begins. Return the set, and the tops of the stacks above it."""
        n, width = len(members), len(self.guesses)
        while columns is not None and self.base + n * len(columns) > len(self.workspace.codes):
            self.provide(Need.MORE_CODES)
        w = self.workspace
        if n > len(w.rows) or width > len(w.ids):
            raise AssertionError("the stacks must hold all candidates and guesses")
        w.answers[:n] = members
        if columns is None:
            w.rows[:n] = members
            w.columns[:n] = self.own[members]
            w.ids[:width] = np.arange(width)
            hashed = np.uint64(0)
            if self.game.hard_mode:
                hashed = np.bitwise_xor.reduce(w.zobrist[len(self.candidates) :, 0])
            return Subset(0, width, 0, hashed, 0, n, left), Tops(self.base, n, width)
        kept = len(columns)
        if not np.isin(self.own[members], columns).all():
            raise forbidden_candidates(self.game)
        w.columns[:n] = np.searchsorted(columns, self.own[members])
        w.rows[:n] = np.arange(n)
        w.codes[self.base : self.base + n * kept] = self.matrix[np.ix_(members, columns)].ravel()
        w.ids[:kept] = columns
        hashed = np.bitwise_xor.reduce(w.zobrist[len(self.candidates) + columns, 0])
        return Subset(self.base, kept, 0, hashed, 0, n, left), Tops(self.base + n * kept, n, kept)

    def hashes(self, members: Members, subset: Subset) -> tuple[np.uint64, np.uint64]:
        """Return the hashes under which the transposition table has a set, after it was placed."""
        first, second = hash_of(self.workspace.zobrist, members, subset.left, subset.list_hash)
        return np.uint64(first), np.uint64(second)

    def provide(self, need: Need) -> None:
        """Double the stacks that were too short. Raises GameError if hard mode forbids a candidate."""
        if need is Need.ALLOWED_CANDIDATES:
            raise forbidden_candidates(self.game)
        stacks: dict[str, Any] = {name: getattr(self.workspace, name) for name in STACKS[need]}
        longer: dict[str, Any] = {name: np.concatenate([array, np.zeros_like(array)]) for name, array in stacks.items()}
        self.workspace = self.workspace._replace(**longer)


def forbidden_candidates(game: wk.Game) -> wk.GameError:
    """Return the error for a game whose hard mode forbids a candidate, which the search cannot handle."""
    return wk.GameError(
        f"{game.name}: the hard mode of the rule {game.rule.name!r} forbids answers that are still "
        "possible, so perfect play cannot be searched"
    )


def hard_mode_of(game: wk.Game, guesses: wk.Ids) -> HardMode:
    """Return the requirements of hard mode for some guesses of a game. Their position in `guesses` is their number.

    Raises GameError if the rule has no marks, or a hard mode of its own.
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
