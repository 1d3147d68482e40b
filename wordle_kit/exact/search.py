"""The search of one game: its memory, which grows as needed, and the questions that the compiled search answers."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError
from wordle_kit.exact.bounds import ideal_costs
from wordle_kit.exact.compiled import branch_and_bound, scores, transposition_table
from wordle_kit.exact.compiled.hard import hard_mode_of
from wordle_kit.exact.compiled.kernels import BLOCK, MOST_PAIRED
from wordle_kit.exact.compiled.transposition_table import new_table
from wordle_kit.exact.compiled.workspace import ABORTED, NEVER, Fact, Need, State, Workspace
from wordle_kit.exact.crowds import Crowds
from wordle_kit.exact.objective import Objective, scaled_weights
from wordle_kit.game.game import Game
from wordle_kit.game.table import Ids
from wordle_kit.trees.tree import Node

DEFAULT_MEMORY = 2 * 2**30
ORDERS = ("bound", "statistical", "entropic")
"""The names of the orders in which guesses are tried, as `Order` numbers them."""
SMALL_TABLE = 2**23
QUICK_TABLE = 2**22
TRIED = 8
"""Guesses tried at a node before what is worth trying is copied together."""

Members = npt.NDArray[np.int64]
Columns = npt.NDArray[np.int64]


class Stopped(Exception):  # noqa: N818 - not an error
    """The search was asked to stop."""


class Search:
    """Searches sets of the candidates that it was made for.

    Candidates go by their index here, the heaviest first, guesses by their index among those allowed
    (`columns`).
    """

    def __init__(
        self,
        game: Game,
        candidates: Ids,
        allowed: Ids | None = None,
        *,
        objective: Objective,
        order: str = "bound",
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self.game = game
        self.objective = objective
        self.memory = memory
        weights, self.scale = scaled_weights(game, candidates, objective)
        heaviest_first = np.argsort(-weights, kind="stable")
        self.candidates = candidates[heaviest_first]
        self.weights = weights[heaviest_first]
        self.weighted = bool((self.weights != 1).any())
        self.guesses = np.arange(len(game.guesses), dtype=np.int32) if allowed is None else allowed
        self.column_of = np.full(len(game.guesses), -1, dtype=np.int64)
        self.column_of[self.guesses] = np.arange(len(self.guesses))
        n = len(self.candidates)
        most = (n + 1) * (int(self.weights.sum()) + n) + 1 if self.weighted else n * (n + 3) // 2
        self.late = 1 << most.bit_length()  # more than any tree costs, its first guess wasted
        self._make_workspace(order)

    def _make_workspace(self, order: str) -> None:
        game, table = self.game, self.game.table
        n, width = len(self.candidates), len(self.guesses)
        self._check_memory(2 * n * width * table.dtype.itemsize)
        self.base = n * width
        codes = np.zeros(self.base + min(max(self.base, 2**16), 2**23), dtype=table.dtype)
        matrix = codes[: self.base].reshape(n, width)
        for block, part, rows in table.blocks(self.candidates, None if width == len(game.guesses) else self.guesses):
            matrix[:, block] = part[rows]
        self._own = self.column_of[game.guess_of_answer[self.candidates]]
        within = self.objective.limit(n)
        stack, lists = 8 * n + 1024, 4 * width + 1024
        pooled = max(2, 2 ** (2 * width).bit_length())
        facts = np.zeros(len(Fact), dtype=np.int64)
        facts[Fact.WINNING], facts[Fact.LATE] = game.winning_code, self.late
        facts[Fact.ORDER], facts[Fact.HARD] = ORDERS.index(order), game.hard_mode
        facts[Fact.WEIGHTED] = self.weighted + (self.weighted and self.objective.weighs_late)
        facts[Fact.FAST], facts[Fact.TRIED] = min(MOST_PAIRED, table.n_codes), TRIED
        random = np.random.default_rng(20220131)
        zobrist = random.integers(0, 2**64, (len(game.answers) + len(game.guesses), 2), dtype=np.uint64)
        self._w = Workspace(
            facts=facts,
            state=np.zeros(len(State), dtype=np.int64),
            table=new_table(min(SMALL_TABLE, self.memory // 8)),
            zobrist=np.concatenate([zobrist[self.candidates], zobrist[len(game.answers) + self.guesses]]),
            ideal=ideal_costs(n, table.n_codes, within, self.late),
            weights=self.weights,
            codes=codes,
            rows=np.zeros(stack, dtype=np.int32),
            answers=np.zeros(stack, dtype=np.int64),
            columns=np.zeros(stack, dtype=np.int64),
            part_start=np.zeros(stack, dtype=np.int64),
            part_size=np.zeros(stack, dtype=np.int64),
            part_order=np.zeros(stack, dtype=np.int64),
            part_bound=np.zeros(stack, dtype=np.int64),
            part_known=np.zeros(stack, dtype=np.int32),
            part_matrix=np.zeros((stack, 3), dtype=np.int64),
            part_hash=np.zeros(stack, dtype=np.uint64),
            ids=np.zeros(lists, dtype=np.int32),
            parts=np.zeros(lists, dtype=np.int32),
            ties=np.zeros(lists, dtype=np.int32),
            scores=np.zeros(lists, dtype=np.int64),
            seen=np.zeros(table.n_codes, dtype=np.int64),
            bytes_a=np.zeros(BLOCK, dtype=np.uint8),
            bytes_b=np.zeros(BLOCK, dtype=np.uint8),
            pairs=np.zeros(BLOCK, dtype=np.uint16),
            hashes=np.zeros(width, dtype=np.uint64),
            slots=np.zeros(pooled, dtype=np.uint64),
            stamps=np.zeros(pooled, dtype=np.int64),
            kept=np.zeros(width, dtype=np.int32),
            hard=hard_mode_of(game, self.guesses),
        )
        self._w.state[State.MOST_ENTRIES] = len(self._w.table) // 2
        self._quick = new_table(min(QUICK_TABLE, self.memory // 16))
        self._check_memory(self.nbytes)

    def _check_memory(self, needed: int) -> None:
        if needed > self.memory:
            raise GameError(
                f"{self.game.name}: {len(self.candidates):,} candidates and {len(self.guesses):,} guesses need "
                f"{needed / 2**20:,.0f} MB of memory, more than the {self.memory / 2**20:,.0f} MB that there are; "
                "give more with --memory, or fewer words"
            )

    @property
    def everything(self) -> Members:
        """All candidates."""
        return np.arange(len(self.candidates), dtype=np.int64)

    @property
    def matrix(self) -> npt.NDArray[np.unsignedinteger]:
        """The codes of all guesses against all candidates, [n_candidates, n_guesses]."""
        return self._w.codes[: self.base].reshape(len(self.candidates), -1)

    @property
    def nodes(self) -> int:
        """How many sets were searched so far."""
        return int(self._w.state[State.NODES])

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays."""
        arrays = (*self._w[:-1], *self._w.hard[:2], self._w.hard.masks, self._quick)
        return sum(array.nbytes for array in arrays) + (self.crowds.nbytes if "crowds" in self.__dict__ else 0)

    def stop(self, now: bool = True) -> None:
        """Ask the search to stop, from another thread, or let it go on."""
        self._w.state[State.STOP] = now

    @property
    def is_stopped(self) -> bool:
        """Whether the search was asked to stop."""
        return bool(self._w.state[State.STOP])

    def load(self) -> None:
        """Load the compiled search, or compile it where that was not done before, so that no clock runs meanwhile."""
        self.solve(self.everything[:1], -1)

    def check_stopped(self) -> None:
        """Raise Stopped if the search was asked to stop."""
        if self.is_stopped:
            raise Stopped

    @cached_property
    def crowds(self) -> Crowds:
        """What tells that three guesses do not solve a set."""
        return Crowds(self, self.memory // 8)

    def solve(
        self, members: Members, left: int, budget: int = NEVER, columns: Columns | None = None, *, quick: int = 0
    ) -> int:
        """Return the least cost of a set with so many guesses left, or -1 for any number, if it is within the budget.

        Otherwise a lower bound above the budget. `columns` are the guesses that hard mode allows. `quick` tries so many
        guesses a set and gives an upper bound. Raises Stopped.
        """
        breadth = quick or NEVER
        while True:
            w = self._w._replace(table=self._quick) if quick else self._w
            placed = self._place(members, columns)
            if placed is not None:
                mat, width, ids, hashed, arena, lists = placed
                entries, most = w.state[State.ENTRIES], w.state[State.MOST_ENTRIES]
                if quick:
                    w.state[State.MOST_ENTRIES] = NEVER
                n = len(members)
                self.forget_bounds()
                cost = branch_and_bound.solve(
                    w, mat, width, ids, hashed, 0, n, left, budget, breadth, 0, arena, n, lists
                )
                if quick:
                    w.state[State.ENTRIES], w.state[State.MOST_ENTRIES] = entries, most
                if cost != ABORTED:
                    return int(cost)
                if w.state[State.STOP]:
                    raise Stopped
                needs = int(w.state[State.NEEDS])
            else:
                needs = Need.MORE_CODES
            self._grow(needs)

    @property
    def bounds_now(self) -> tuple[int, int]:
        """The bounds of the set that is being searched, as another thread sees them."""
        return int(self._w.state[State.LOWER]), int(self._w.state[State.UPPER])

    def forget_bounds(self) -> None:
        """Begin anew with `bounds_now`, before another set is searched."""
        self._w.state[State.LOWER], self._w.state[State.UPPER] = 0, NEVER

    @property
    def best_now(self) -> int:
        """The column of the guess that the upper bound of `bounds_now` is of."""
        return int(self._w.state[State.BEST])

    def late_units(self, members: Members) -> int:
        """Return how many times a set costs `late` if all of it is late: its size, or its weight within K guesses."""
        return int(self.weights[members].sum()) if self.objective.weighs_late else len(members)

    def ideal(self, members: Members, left: int) -> int:
        """Return what a set costs at best by its size alone, exact for one and two candidates."""
        if self.weighted:
            late = self.late_units(members[{0: 0, 1: 1}.get(left, len(members)) :]) * self.late
            return int(2 * self.weights[members].sum() - self.weights[members[0]]) + late
        return int(self._w.ideal[left, len(members)])

    def scores(self, left: int) -> npt.NDArray[np.int64]:
        """Return the bound one guess deep of every guess for all candidates, int64[n_guesses]."""
        n, width = len(self.candidates), len(self.guesses)
        self._place(self.everything, None)
        scores.score_all(self._w, 0, width, 0, 0, n, left)
        return self._w.scores[:width].copy()

    def bound(self, members: Members, left: int, columns: Columns | None = None) -> tuple[int, bool]:
        """Return a lower bound of what a set costs, and whether it is exact. Raises Stopped."""
        self.check_stopped()
        n = len(members)
        if left == 0:
            cost, exact = self.bound(members, -1, columns)
            return cost + self.late_units(members) * self.late, exact
        while (placed := self._place(members, columns)) is None:
            self._grow(Need.MORE_CODES)
        mat, width, ids, hashed, _, lists = placed
        w = self._w
        if n <= 2:
            return self.ideal(members, left), True
        first, second = map(np.uint64, branch_and_bound.hash_of(w.zobrist, members, left, hashed))
        slot = transposition_table.find(w.table, first, second)
        if slot >= 0:
            return int(transposition_table.cost_at(w.table, slot)), bool(transposition_table.is_exact(w.table, slot))
        cost, guess = scores.bound_set(w, mat, width, ids, 0, n, left, False, lists)
        w.state[State.ENTRIES] += transposition_table.keep(w.table, first, second, n, cost, guess >= 0, guess)
        return int(cost), guess >= 0

    def best_guess(self, members: Members, left: int, columns: Columns | None = None, *, quick: int = 0) -> int:
        """Return the column of a guess that has the least cost, searching if it is not known (any more)."""
        if len(members) <= 2:
            return int(self._own[members[0]])
        left = -1 if left == 0 else left
        for _ in range(2):
            placed = self._place(members, columns)
            if placed is not None:
                first, second = map(np.uint64, branch_and_bound.hash_of(self._w.zobrist, members, left, placed[3]))
                table = self._quick if quick else self._w.table
                slot = transposition_table.find(table, first, second)
                if (
                    slot >= 0
                    and transposition_table.is_exact(table, slot)
                    and transposition_table.guess_at(table, slot) >= 0
                ):
                    return int(transposition_table.guess_at(table, slot))
            self.solve(members, left, columns=columns, quick=quick)
        raise AssertionError("the table lost what was just stored in it")

    def entries(self, most: int) -> npt.NDArray[np.uint64]:
        """Return what the transposition table has of the largest sets, at most so many, uint64[n, 4]."""
        table = self._w.table
        size = transposition_table.sizes(table)
        largest = np.argsort(-size, kind="stable")[:most]
        return table[largest[size[largest] > 0]]

    def can_have(self, entries: npt.NDArray[np.uint64]) -> bool:
        """Return whether entries name only sets of possible sizes and guesses that there are."""
        sizes, guesses = transposition_table.sizes(entries), entries[:, 3] >> np.uint64(32)
        return bool((sizes <= len(self.candidates)).all() and (guesses <= len(self.guesses)).all())

    def add_entries(self, entries: npt.NDArray[np.uint64]) -> None:
        """Put entries into the transposition table."""
        while 2 * len(entries) > len(self._w.table) and self._w.state[State.MOST_ENTRIES] != NEVER:
            self._grow(Need.MORE_TABLE)
        self._w.state[State.ENTRIES] += transposition_table.copy_entries(entries, self._w.table)

    def split(self, members: Members, column: int) -> dict[int, Members]:
        """Return the parts that a guess makes of a set, by code, the winning one left out."""
        width = len(self.guesses)
        codes = self._w.codes[members * width + column]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != self.game.winning_code}

    def allowed_after(self, column: int, code: int, columns: Columns | None) -> Columns | None:
        """Return the guesses that hard mode allows after one got a code; None where all are allowed."""
        if not self.game.hard_mode:
            return None
        mask = self.game.allowed_after(int(self.guesses[column]), code)[self.guesses]
        return np.flatnonzero(mask) if columns is None else columns[mask[columns]]

    def tree(
        self, members: Members, left: int, columns: Columns | None = None, *, quick: int = 0, first: int | None = None
    ) -> Node:
        """Return a tree of least cost, or one that begins with a given column."""
        column = self.best_guess(members, left, columns, quick=quick) if first is None else first
        after = left - 1 if left > 0 else -1
        children = {
            code: self.tree(part, after, self.allowed_after(column, code, columns), quick=quick)
            for code, part in self.split(members, column).items()
        }
        return Node(int(self.guesses[column]), children)

    def _place(self, members: Members, columns: Columns | None) -> tuple[int, int, int, np.uint64, int, int] | None:
        """Put a set where the compiled search begins; return its matrix, width, list and hash, and the stacks' tops.

        None where the matrix does not fit.
        """
        w, n, width = self._w, len(members), len(self.guesses)
        if n > len(w.rows) or width > len(w.ids):
            raise AssertionError("stacks are made to hold all candidates and guesses")
        w.answers[:n] = members
        if columns is None:
            w.rows[:n] = members
            w.columns[:n] = self._own[members]
            w.ids[:width] = np.arange(width)
            hashed = np.uint64(0)
            if self.game.hard_mode:
                hashed = np.bitwise_xor.reduce(w.zobrist[len(self.candidates) :, 0])
            return 0, width, 0, hashed, self.base, width
        kept = len(columns)
        if self.base + n * kept > len(w.codes):
            return None
        w.rows[:n] = np.arange(n)
        matrix = w.codes[: self.base].reshape(-1, width)
        w.codes[self.base : self.base + n * kept] = matrix[np.ix_(members, columns)].ravel()
        places = np.searchsorted(columns, self._own[members])
        found = columns[np.minimum(places, kept - 1)] == self._own[members]
        w.columns[:n] = np.where(found, places, -1)
        w.ids[:kept] = columns
        hashed = np.bitwise_xor.reduce(w.zobrist[len(self.candidates) + columns, 0])
        return self.base, kept, 0, hashed, self.base + n * kept, kept

    def _grow(self, needs: int) -> None:
        """Make longer what was too short for the search, the table only while it fits the memory."""
        w = self._w
        fields: Sequence[str] = ()
        if needs == Need.MORE_CODES:
            fields = ("codes",)
        elif needs == Need.MORE_SETS:
            fields = ("rows", "answers", "columns", "part_start", "part_size", "part_order", "part_bound")
            fields = (*fields, "part_known", "part_matrix", "part_hash")
        elif needs == Need.MORE_LISTS:
            fields = ("ids", "parts", "ties", "scores")
        elif needs == Need.MORE_TABLE:
            if self.nbytes + 2 * w.table.nbytes > self.memory:
                w.state[State.MOST_ENTRIES] = NEVER
                return
            table = new_table(2 * w.table.nbytes)
            w.state[State.ENTRIES] = transposition_table.copy_entries(w.table, table)
            w.state[State.MOST_ENTRIES] = len(table) // 2
            self._w = w._replace(table=table)
            return
        longer = {}
        for name in fields:
            array = getattr(w, name)
            longer[name] = np.concatenate([array, np.zeros_like(array)])
        self._w = Workspace(**(w._asdict() | longer))
