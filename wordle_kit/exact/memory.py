"""The memory of a search: the arrays that compiled code works on, which grow as needed, and what other threads see."""

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError
from wordle_kit.exact.compiled import branch_and_bound
from wordle_kit.exact.compiled.kernels import Int64s
from wordle_kit.exact.compiled.transposition_table import Field, Table, copy_entries, new_table, sizes_of
from wordle_kit.exact.compiled.workspace import (
    NEVER,
    Facts,
    HardMode,
    Need,
    State,
    Subset,
    Tops,
    lengthen,
    nbytes,
    new_workspace,
)
from wordle_kit.exact.objective import ideal_costs
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.game.table import Ids

FIRST_TABLE = 2**23
"""Bytes of the transposition table at first."""
QUICK_TABLE = 2**22
"""Bytes of the table of quick searches."""
MOST_MASKS = 2**29
"""The most bytes that the masks of a rule without marks may take."""

Members = npt.NDArray[np.int64]
Columns = npt.NDArray[np.int64]


class SearchStopped(Exception):  # noqa: N818 - not an error
    """The search was asked to stop."""


class Signals:
    """The numbers through which a search and other threads see each other."""

    def __init__(self, state: Int64s) -> None:
        self._state = state

    def stop(self, now: bool = True) -> None:
        """Ask the search to stop, or withdraw the request."""
        self._state[State.STOP] = now

    def check_stopped(self) -> None:
        """Raise SearchStopped if the search was asked to stop."""
        if self._state[State.STOP]:
            raise SearchStopped

    @property
    def nodes(self) -> int:
        """The number of sets searched so far."""
        return int(self._state[State.NODES])

    @property
    def bounds(self) -> tuple[int, int]:
        """The bounds of the set that is being searched."""
        return int(self._state[State.LOWER]), int(self._state[State.UPPER])

    @property
    def best(self) -> int:
        """The column of the guess that gives the upper bound."""
        return int(self._state[State.BEST])

    def forget_bounds(self) -> None:
        """Reset the bounds, before another set is searched."""
        self._state[State.LOWER], self._state[State.UPPER] = 0, NEVER


class Memory:
    """The memory of a search: its workspace, and a small transposition table for quick searches.

    Candidates are numbered from the heaviest to the lightest, in the order in which they are given, and guesses by
    their place among `guesses` (`columns`). Raises GameError if the game needs more than `most` bytes, or if hard mode
    forbids a candidate.
    """

    def __init__(
        self,
        game: Game,
        candidates: Ids,
        guesses: Ids,
        weights: npt.NDArray[np.int64],
        facts: Facts,
        within: int | None,
        most: int,
    ) -> None:
        self.game = game
        self.candidates = candidates
        self.guesses = guesses
        self.most = most
        self.crowds_bytes = 0
        """Bytes that the crowds of this search take."""
        self.column_of = np.full(len(game.guesses), -1, dtype=np.int64)
        self.column_of[guesses] = np.arange(len(guesses))
        self.own = self.column_of[game.guess_of_answer[candidates]]
        """The column of each candidate as a guess."""
        if (self.own < 0).any():
            raise forbidden_candidates(game)
        n, width, table = len(candidates), len(guesses), game.table
        self._check(2 * n * width * table.dtype.itemsize)
        self.base = n * width
        codes = np.zeros(self.base + min(max(self.base, 2**16), 2**23), dtype=table.dtype)
        matrix = codes[: self.base].reshape(n, width)
        for block, part, rows in table.blocks(candidates, None if width == len(game.guesses) else guesses):
            matrix[:, block] = part[rows]
        random = np.random.default_rng(20220131)
        zobrist = random.integers(0, 2**64, (len(game.answers) + len(game.guesses), 2), dtype=np.uint64)
        self.workspace = new_workspace(
            facts,
            codes=codes,
            n_codes=table.n_codes,
            table=new_table(min(FIRST_TABLE, most // 8)),
            zobrist=np.concatenate([zobrist[candidates], zobrist[len(game.answers) + guesses]]),
            ideal=ideal_costs(n, table.n_codes, within, int(facts.late)),
            weights=weights,
            hard=hard_mode_of(game, guesses),
        )
        self.quick_table = new_table(min(QUICK_TABLE, most // 16))
        self.signals = Signals(self.workspace.state)
        self._check(self.nbytes)

    def _check(self, needed: int) -> None:
        if needed > self.most:
            raise GameError(
                f"{self.game.name}: {len(self.candidates):,} candidates and {len(self.guesses):,} guesses need "
                f"{needed / 2**20:,.0f} MB of memory, but only {self.most / 2**20:,.0f} MB are allowed; allow more "
                "memory, or use fewer words",
                settings=["memory"],
            )

    @property
    def nbytes(self) -> int:
        """The number of bytes in all arrays."""
        return nbytes(self.workspace) + self.quick_table.nbytes + self.crowds_bytes

    @property
    def matrix(self) -> npt.NDArray[np.unsignedinteger]:
        """The codes of all guesses against all candidates, [n_candidates, n_guesses]."""
        return self.workspace.codes[: self.base].reshape(len(self.candidates), -1)

    @property
    def everything(self) -> Members:
        """All candidates."""
        return np.arange(len(self.candidates), dtype=np.int64)

    def split(self, members: Members, column: int) -> dict[int, Members]:
        """Return the parts into which a guess splits a set, by code, without that of the winning code."""
        codes = self.workspace.codes[members * len(self.guesses) + column]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != self.game.winning_code}

    def place(self, members: Members, left: int, columns: Columns | None) -> tuple[Subset, Tops]:
        """Put a set where the compiled search begins. Return it, and the tops of the stacks above it."""
        n, width = len(members), len(self.guesses)
        while columns is not None and self.base + n * len(columns) > len(self.workspace.codes):
            self.grow(Need.MORE_CODES)
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
        """Return the hashes of a set that was placed, under which the transposition table has it."""
        first, second = branch_and_bound.hash_of(self.workspace.zobrist, members, subset.left, subset.list_hash)
        return np.uint64(first), np.uint64(second)

    def grow(self, need: Need) -> None:
        """Provide what the search needs: longer stacks, or a larger table as long as it fits the memory."""
        w = self.workspace
        if need is Need.ALLOWED_CANDIDATES:
            raise forbidden_candidates(self.game)
        if need is not Need.MORE_TABLE:
            self.workspace = lengthen(w, need)
        elif self.nbytes + 2 * w.table.nbytes > self.most:
            w.state[State.MOST_ENTRIES] = NEVER
        else:
            table = new_table(2 * w.table.nbytes)
            w.state[State.ENTRIES] = copy_entries(w.table, table)
            w.state[State.MOST_ENTRIES] = len(table) // 2
            self.workspace = w._replace(table=table)

    def entries(self, most: int) -> Table:
        """Return the entries of the transposition table, of the largest sets if there are more than `most`."""
        table = self.workspace.table
        sizes = sizes_of(table)
        largest = np.argsort(-sizes, kind="stable")[:most]
        return table[largest[sizes[largest] > 0]]

    def can_have(self, entries: Table) -> bool:
        """Return whether entries name only possible sizes of sets and existing guesses."""
        sizes, guesses = sizes_of(entries), entries[:, Field.DETAILS] >> np.uint64(32)
        return bool((sizes <= len(self.candidates)).all() and (guesses <= len(self.guesses)).all())

    def add_entries(self, entries: Table) -> None:
        """Add entries to the transposition table."""
        state = self.workspace.state
        while 2 * len(entries) > len(self.workspace.table) and state[State.MOST_ENTRIES] != NEVER:
            self.grow(Need.MORE_TABLE)
        state[State.ENTRIES] += copy_entries(entries, self.workspace.table)


def forbidden_candidates(game: Game) -> GameError:
    """Return the error for a hard mode that forbids a candidate, which the search takes to be allowed."""
    return GameError(
        f"{game.name}: the hard mode of the rule {game.rule.name!r} forbids answers that are still "
        "possible, so perfect play cannot be searched"
    )


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
