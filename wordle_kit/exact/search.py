"""The search of one game: its memory, which grows as needed, and the questions that the compiled search answers."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError
from wordle_kit.exact.bounds import ideal_costs
from wordle_kit.exact.compiled import branch_and_bound, scores
from wordle_kit.exact.compiled.hard import hard_mode_of
from wordle_kit.exact.compiled.transposition_table import (
    Field,
    Table,
    copy_entries,
    cost_at,
    find,
    guess_at,
    is_exact,
    keep,
    new_table,
    sizes_of,
)
from wordle_kit.exact.compiled.workspace import (
    ABORTED,
    NEVER,
    UNLIMITED,
    Facts,
    Need,
    Order,
    State,
    Subset,
    Tops,
    Weighting,
    largest_fast,
    lengthen,
    nbytes,
    new_workspace,
)
from wordle_kit.exact.crowds import Crowds
from wordle_kit.exact.objective import Objective, scaled_weights
from wordle_kit.game.game import Game
from wordle_kit.game.table import Ids
from wordle_kit.trees.tree import Node

DEFAULT_MEMORY = 2 * 2**30
ORDERS = {"bound": Order.BY_BOUND, "statistical": Order.STATISTICAL, "entropic": Order.ENTROPIC}
"""The orders in which guesses are tried, by name."""
FIRST_TABLE = 2**23
"""Bytes of the transposition table at first."""
QUICK_TABLE = 2**22
"""Bytes of the table of quick searches."""

Members = npt.NDArray[np.int64]
Columns = npt.NDArray[np.int64]


class SearchStopped(Exception):  # noqa: N818 - not an error
    """The search was asked to stop."""


class Search:
    """Searches sets of candidates of a game.

    Candidates are numbered from the heaviest to the lightest, guesses by their place among the allowed ones
    (`columns`). Raises GameError if the game needs too much memory, or hard mode forbids a candidate.
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
        self._order = order
        weights, self.scale = scaled_weights(game, candidates, objective)
        heaviest_first = np.argsort(-weights, kind="stable")
        self.candidates = candidates[heaviest_first]
        self.weights = weights[heaviest_first]
        self.weighted = bool((self.weights != 1).any())
        self.guesses = np.arange(len(game.guesses), dtype=np.int32) if allowed is None else allowed
        self.column_of = np.full(len(game.guesses), -1, dtype=np.int64)
        self.column_of[self.guesses] = np.arange(len(self.guesses))
        self._own = self.column_of[game.guess_of_answer[self.candidates]]
        if (self._own < 0).any():
            raise self.forbidden_candidates()
        n = len(self.candidates)
        most = (n + 1) * (int(self.weights.sum()) + n) + 1 if self.weighted else n * (n + 3) // 2
        self.late = 1 << most.bit_length()  # more than any tree costs, even if its first guess is wasted
        self._make_workspace(ORDERS[order])

    def _make_workspace(self, order: Order) -> None:
        game, table = self.game, self.game.table
        n, width = len(self.candidates), len(self.guesses)
        self._check_memory(2 * n * width * table.dtype.itemsize)
        self.base = n * width
        codes = np.zeros(self.base + min(max(self.base, 2**16), 2**23), dtype=table.dtype)
        matrix = codes[: self.base].reshape(n, width)
        for block, part, rows in table.blocks(self.candidates, None if width == len(game.guesses) else self.guesses):
            matrix[:, block] = part[rows]
        weighting = Weighting.EQUAL
        if self.weighted:
            weighting = Weighting.TOTAL_AND_LATE if self.objective.weighs_late else Weighting.TOTAL
        facts = Facts(
            winning=game.winning_code,
            late=self.late,
            order=int(order),
            hard=int(game.hard_mode),
            weighting=int(weighting),
            fast=largest_fast(table.n_codes),
        )
        random = np.random.default_rng(20220131)
        zobrist = random.integers(0, 2**64, (len(game.answers) + len(game.guesses), 2), dtype=np.uint64)
        self._w = new_workspace(
            facts,
            codes=codes,
            n_codes=table.n_codes,
            table=new_table(min(FIRST_TABLE, self.memory // 8)),
            zobrist=np.concatenate([zobrist[self.candidates], zobrist[len(game.answers) + self.guesses]]),
            ideal=ideal_costs(n, table.n_codes, self.objective.limit(n), self.late),
            weights=self.weights,
            hard=hard_mode_of(game, self.guesses),
        )
        self._quick = new_table(min(QUICK_TABLE, self.memory // 16))
        self._check_memory(self.nbytes)

    def _check_memory(self, needed: int) -> None:
        if needed > self.memory:
            raise GameError(
                f"{self.game.name}: {len(self.candidates):,} candidates and {len(self.guesses):,} guesses need "
                f"{needed / 2**20:,.0f} MB of memory, but only {self.memory / 2**20:,.0f} MB are allowed; allow more "
                "memory, or use fewer words",
                settings=["memory"],
            )

    def forbidden_candidates(self) -> GameError:
        """Return the error for a hard mode that forbids a candidate, which the search takes to be allowed."""
        return GameError(
            f"{self.game.name}: the hard mode of the rule {self.game.rule.name!r} forbids answers that are still "
            "possible, so perfect play cannot be searched"
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
        """The number of sets searched so far."""
        return int(self._w.state[State.NODES])

    @property
    def nbytes(self) -> int:
        """The number of bytes in all arrays."""
        return nbytes(self._w) + self._quick.nbytes + (self.crowds.nbytes if "crowds" in self.__dict__ else 0)

    def stop(self, now: bool = True) -> None:
        """Ask the search to stop, from another thread, or withdraw the request."""
        self._w.state[State.STOP] = now

    @property
    def is_stopped(self) -> bool:
        """Whether the search was asked to stop."""
        return bool(self._w.state[State.STOP])

    def check_stopped(self) -> None:
        """Raise SearchStopped if the search was asked to stop."""
        if self.is_stopped:
            raise SearchStopped

    def recipe(self) -> "Callable[[], Search]":
        """Return a function that makes the same search on another machine, without the results so far."""
        how: dict[str, Any] = {"objective": self.objective, "order": self._order, "memory": self.memory}
        return partial(Search, self.game, self.candidates, self.guesses, **how)

    def load(self) -> None:
        """Load the compiled search, or compile it the first time, before a clock starts."""
        self.solve(self.everything[:1], UNLIMITED)

    @cached_property
    def crowds(self) -> Crowds:
        """The crowds found so far, which prove that three guesses do not solve a set."""
        return Crowds(self, self.game.table.n_codes, self.memory // 8)

    def solve(
        self, members: Members, left: int, budget: int = NEVER, columns: Columns | None = None, *, quick: int = 0
    ) -> int:
        """Return the least cost of a set if it is within the budget, else a lower bound above the budget.

        `left` is the number of guesses left, or UNLIMITED; `columns` are the guesses that hard mode allows. `quick`
        tries only that many guesses per set, and gives an upper bound. Raises SearchStopped.
        """
        breadth = quick or NEVER
        while True:
            subset, tops = self._place(members, left, columns)
            w = self._w._replace(table=self._quick) if quick else self._w
            entries, most = w.state[State.ENTRIES], w.state[State.MOST_ENTRIES]
            if quick:
                w.state[State.MOST_ENTRIES] = NEVER
            self.forget_bounds()
            cost = branch_and_bound.solve(w, subset, budget, breadth, 0, tops)
            if quick:
                w.state[State.ENTRIES], w.state[State.MOST_ENTRIES] = entries, most
            if cost != ABORTED:
                return int(cost)
            self.check_stopped()
            self._grow(Need(w.state[State.NEEDS]))

    @property
    def bounds_now(self) -> tuple[int, int]:
        """The bounds of the set being searched, as another thread sees them."""
        return int(self._w.state[State.LOWER]), int(self._w.state[State.UPPER])

    def forget_bounds(self) -> None:
        """Reset `bounds_now`, before another set is searched."""
        self._w.state[State.LOWER], self._w.state[State.UPPER] = 0, NEVER

    @property
    def best_now(self) -> int:
        """The column of the guess that gives the upper bound in `bounds_now`."""
        return int(self._w.state[State.BEST])

    def late_units(self, members: Members) -> int:
        """Return how many times a set costs `late` if all of it is late: its size, or its weight within K guesses."""
        return int(self.weights[members].sum()) if self.objective.weighs_late else len(members)

    def ideal(self, members: Members, left: int) -> int:
        """Return the least possible cost of a set by its size alone, which is exact for one and two candidates."""
        if self.weighted:
            late = self.late_units(members[{0: 0, 1: 1}.get(left, len(members)) :]) * self.late
            return int(2 * self.weights[members].sum() - self.weights[members[0]]) + late
        return int(self._w.ideal[left, len(members)])

    def scores(self, left: int) -> npt.NDArray[np.int64]:
        """Return the bound one guess deep of every guess for all candidates, int64[n_guesses]."""
        subset, _ = self._place(self.everything, left, None)
        scores.score_all(self._w, subset, 0)
        return self._w.scores[: len(self.guesses)].copy()

    def bound(self, members: Members, left: int, columns: Columns | None = None) -> tuple[int, bool]:
        """Return a lower bound of the cost of a set, and whether it is exact. Raises SearchStopped."""
        self.check_stopped()
        if left == 0:
            cost, exact = self.bound(members, UNLIMITED, columns)
            return cost + self.late_units(members) * self.late, exact
        if len(members) <= 2:
            return self.ideal(members, left), True
        subset, tops = self._place(members, left, columns)
        table = self._w.table
        hashes = self._hashes(members, subset)
        slot = find(table, *hashes)
        if slot >= 0:
            return int(cost_at(table, slot)), bool(is_exact(table, slot))
        cost, guess = scores.bound_set(self._w, subset, False, tops.lists)
        self._w.state[State.ENTRIES] += keep(table, *hashes, len(members), cost, guess >= 0, guess)
        return int(cost), guess >= 0

    def best_guess(self, members: Members, left: int, columns: Columns | None = None, *, quick: int = 0) -> int:
        """Return the column of a guess of least cost, and search the set if the guess is not or no longer known."""
        if len(members) <= 2:
            return int(self._own[members[0]])
        left = UNLIMITED if left == 0 else left
        for _ in range(2):
            subset, _ = self._place(members, left, columns)
            table = self._quick if quick else self._w.table
            slot = find(table, *self._hashes(members, subset))
            if slot >= 0 and is_exact(table, slot) and guess_at(table, slot) >= 0:
                return int(guess_at(table, slot))
            self.solve(members, left, columns=columns, quick=quick)
        raise AssertionError("the table lost the entry that was just stored")

    def _hashes(self, members: Members, subset: Subset) -> tuple[np.uint64, np.uint64]:
        first, second = branch_and_bound.hash_of(self._w.zobrist, members, subset.left, subset.list_hash)
        return np.uint64(first), np.uint64(second)

    def entries(self, most: int) -> Table:
        """Return the entries of the transposition table, of the largest sets if there are more than `most`."""
        table = self._w.table
        sizes = sizes_of(table)
        largest = np.argsort(-sizes, kind="stable")[:most]
        return table[largest[sizes[largest] > 0]]

    def can_have(self, entries: Table) -> bool:
        """Return whether entries name only possible sizes of sets and existing guesses."""
        sizes, guesses = sizes_of(entries), entries[:, Field.DETAILS] >> np.uint64(32)
        return bool((sizes <= len(self.candidates)).all() and (guesses <= len(self.guesses)).all())

    def add_entries(self, entries: Table) -> None:
        """Add entries to the transposition table."""
        while 2 * len(entries) > len(self._w.table) and self._w.state[State.MOST_ENTRIES] != NEVER:
            self._grow(Need.MORE_TABLE)
        self._w.state[State.ENTRIES] += copy_entries(entries, self._w.table)

    def split(self, members: Members, column: int) -> dict[int, Members]:
        """Return the parts into which a guess splits a set, by code, without that of the winning code."""
        width = len(self.guesses)
        codes = self._w.codes[members * width + column]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != self.game.winning_code}

    def allowed_after(self, column: int, code: int, columns: Columns | None) -> Columns | None:
        """Return the columns of guesses that hard mode allows after a guess got a code; None if all are allowed."""
        if not self.game.hard_mode:
            return None
        mask = self.game.allowed_after(int(self.guesses[column]), code)[self.guesses]
        return np.flatnonzero(mask) if columns is None else columns[mask[columns]]

    def tree(
        self, members: Members, left: int, columns: Columns | None = None, *, quick: int = 0, first: int | None = None
    ) -> Node:
        """Return a tree of least cost, or of least cost among those that begin with the column `first`."""
        column = self.best_guess(members, left, columns, quick=quick) if first is None else first
        after = left - 1 if left > 0 else UNLIMITED
        children = {
            code: self.tree(part, after, self.allowed_after(column, code, columns), quick=quick)
            for code, part in self.split(members, column).items()
        }
        return Node(int(self.guesses[column]), children)

    def _place(self, members: Members, left: int, columns: Columns | None) -> tuple[Subset, Tops]:
        """Put a set where the compiled search begins. Return it, and the tops of the stacks above it."""
        n, width = len(members), len(self.guesses)
        while columns is not None and self.base + n * len(columns) > len(self._w.codes):
            self._grow(Need.MORE_CODES)
        w = self._w
        if n > len(w.rows) or width > len(w.ids):
            raise AssertionError("the stacks must hold all candidates and guesses")
        w.answers[:n] = members
        if columns is None:
            w.rows[:n] = members
            w.columns[:n] = self._own[members]
            w.ids[:width] = np.arange(width)
            hashed = np.uint64(0)
            if self.game.hard_mode:
                hashed = np.bitwise_xor.reduce(w.zobrist[len(self.candidates) :, 0])
            return Subset(0, width, 0, hashed, 0, n, left), Tops(self.base, n, width)
        kept = len(columns)
        places = np.searchsorted(columns, self._own[members])
        if not np.isin(self._own[members], columns).all():
            raise self.forbidden_candidates()
        w.columns[:n] = places
        w.rows[:n] = np.arange(n)
        matrix = w.codes[: self.base].reshape(-1, width)
        w.codes[self.base : self.base + n * kept] = matrix[np.ix_(members, columns)].ravel()
        w.ids[:kept] = columns
        hashed = np.bitwise_xor.reduce(w.zobrist[len(self.candidates) + columns, 0])
        return Subset(self.base, kept, 0, hashed, 0, n, left), Tops(self.base + n * kept, n, kept)

    def _grow(self, need: Need) -> None:
        """Provide what the search lacked: longer stacks, or a larger table as long as it fits the memory."""
        w = self._w
        if need is Need.ALLOWED_CANDIDATES:
            raise self.forbidden_candidates()
        if need is not Need.MORE_TABLE:
            self._w = lengthen(w, need)
        elif self.nbytes + 2 * w.table.nbytes > self.memory:
            w.state[State.MOST_ENTRIES] = NEVER
        else:
            table = new_table(2 * w.table.nbytes)
            w.state[State.ENTRIES] = copy_entries(w.table, table)
            w.state[State.MOST_ENTRIES] = len(table) // 2
            self._w = w._replace(table=table)
