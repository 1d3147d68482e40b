"""The search of one game: results for sets of candidates, computed by compiled code, and trees of least cost."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled import branch_and_bound, guesses
from wordle_kit_plugins.exact.compiled.kernels import MOST_PAIRED
from wordle_kit_plugins.exact.compiled.transposition_table import cost_at, find, guess_at, is_exact, keep
from wordle_kit_plugins.exact.crowds import Crowds
from wordle_kit_plugins.exact.memory import (
    ABORTED,
    NEVER,
    UNLIMITED,
    Columns,
    Facts,
    Members,
    Memory,
    Need,
    Order,
)
from wordle_kit_plugins.exact.objective import Objective, scaled_weights

import wordle_kit as wk
from wordle_kit.texts import shown

DEFAULT_MEMORY = 2048
"""The MB that a search may use."""

ORDERS = {"bound": Order.BY_BOUND, "statistical": Order.STATISTICAL, "entropic": Order.ENTROPIC}
"""The orders in which guesses are tried, by name."""


class Search:
    """Searches sets of candidates of a game.

    The attribute `memory` has the numbers of candidates and guesses. Raises GameError if the game needs too many bytes,
    or if hard mode forbids a candidate.
    """

    def __init__(
        self,
        game: wk.Game,
        candidates: wk.Ids,
        allowed: wk.Ids | None = None,
        *,
        objective: Objective,
        order: str = "bound",
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        if order not in ORDERS:
            raise wk.GameError(f"{shown(order)} is not an order of search; choose {', '.join(ORDERS)}")
        self.game = game
        self.objective = objective
        self._order = order
        weights, self.scale = scaled_weights(game, candidates, objective)
        heaviest_first = np.argsort(-weights, kind="stable")
        self.weights = weights[heaviest_first]
        self.weighted = bool((self.weights != 1).any())
        n = len(candidates)
        most = (n + 1) * (int(self.weights.sum()) + n) + 1 if self.weighted else n * (n + 3) // 2
        self.late = 1 << most.bit_length()  # more than any tree costs, even after a wasted guess
        facts = Facts(
            winning=game.winning_code,
            late=self.late,
            order=int(ORDERS[order]),
            hard=int(game.hard_mode),
            weighted=int(self.weighted),
            fast=min(MOST_PAIRED, game.table.n_codes),
        )
        self.memory = Memory(
            game,
            candidates[heaviest_first],
            np.arange(len(game.guesses), dtype=np.int32) if allowed is None else allowed,
            self.weights,
            facts,
            objective.limit(n),
            memory * 2**20,
        )

    def recipe(self) -> "Callable[[], Search]":
        """Return a function that creates the same search on another machine, without results."""
        how: dict[str, Any] = {"objective": self.objective, "order": self._order, "memory": self.memory.most // 2**20}
        return partial(Search, self.game, self.memory.candidates, self.memory.guesses, **how)

    def column(self, guess: str) -> int:
        """Return the column of a guess."""
        return int(self.memory.column_of[self.game.guess_ids[guess]])

    def load(self) -> None:
        """Load the compiled search, or compile it the first time. Call it before measuring time."""
        self.solve(self.memory.everything[:1], UNLIMITED)

    @cached_property
    def crowds(self) -> Crowds:
        """The crowds found so far. They prove for sets that three guesses do not solve them."""
        return Crowds(self.memory, self.game.table.n_codes, self.memory.most // 8)

    def solve(
        self, members: Members, left: int, budget: int = NEVER, columns: Columns | None = None, *, quick: int = 0
    ) -> int:
        """Return the least cost of a set if it is within the budget, else a lower bound above the budget.

        `left` is the number of guesses left, or UNLIMITED. `columns` are the guesses that hard mode allows. With
        `quick`, only that many guesses are tried per set, and the result is an upper bound. Raises SearchStopped.
        """
        breadth = quick or NEVER
        while True:
            subset, tops = self.memory.place(members, left, columns)
            w = self.memory.workspace
            if quick:
                w = w._replace(table=self.memory.quick_table)
            self.forget_bounds()
            cost = branch_and_bound.solve(w, subset, budget, breadth, 0, tops)
            if cost != ABORTED:
                return int(cost)
            self.memory.check_stopped()
            self.memory.provide(Need(self.memory.state.needs))

    @property
    def bounds(self) -> tuple[int, int]:
        """The bounds of the set that is being searched. Another thread may ask for them."""
        return int(self.memory.state.lower), int(self.memory.state.upper)

    def forget_bounds(self) -> None:
        """Reset the bounds before another set is searched."""
        self.memory.state.lower, self.memory.state.upper = 0, NEVER

    def ideal(self, members: Members, left: int) -> int:
        """Return the least possible cost of a set by its size and weights. It is exact for one and two candidates."""
        w = self.memory.workspace
        return int(guesses.ideal_cost(w.facts, w.ideal, self.weights, members, left))

    def scores(self, left: int) -> npt.NDArray[np.int64]:
        """Return a lower bound of the cost of each guess for all candidates, int64[n_guesses].

        The bound looks one guess ahead.
        """
        subset, _ = self.memory.place(self.memory.everything, left, None)
        w = self.memory.workspace
        guesses.score_all(w, subset, 0)
        return w.scores[: subset.width].copy()

    def bound(self, members: Members, left: int, columns: Columns | None = None) -> tuple[int, bool]:
        """Return a lower bound of the cost of a set, and whether it is exact. Raises SearchStopped."""
        self.memory.check_stopped()
        if left == 0:
            cost, exact = self.bound(members, UNLIMITED, columns)
            return cost + len(members) * self.late, exact
        if len(members) <= 2:
            return self.ideal(members, left), True
        subset, tops = self.memory.place(members, left, columns)
        w, hashes = self.memory.workspace, self.memory.hashes(members, subset)
        slot = find(w.table, *hashes)
        if slot >= 0:
            return int(cost_at(w.table, slot)), bool(is_exact(w.table, slot))
        cost, guess = guesses.bound_set(w, subset, False, tops.lists)
        keep(w.table, *hashes, len(members), cost, guess >= 0, guess)
        return int(cost), guess >= 0

    def best_guess(self, members: Members, left: int, columns: Columns | None = None, *, quick: int = 0) -> int:
        """Return the column of a guess of least cost. If the table does not have the guess, the set is searched."""
        if len(members) <= 2:
            return int(self.memory.own[members[0]])
        left = UNLIMITED if left == 0 else left
        for _ in range(2):
            subset, _ = self.memory.place(members, left, columns)
            table = self.memory.quick_table if quick else self.memory.workspace.table
            slot = find(table, *self.memory.hashes(members, subset))
            if slot >= 0 and is_exact(table, slot) and guess_at(table, slot) >= 0:
                return int(guess_at(table, slot))
            self.solve(members, left, columns=columns, quick=quick)
        raise AssertionError("the table lost the entry that was just stored")

    def allowed_after(self, column: int, code: int, columns: Columns | None) -> Columns | None:
        """Return the columns that hard mode allows after a guess got a code, or None if all are allowed."""
        if not self.game.hard_mode:
            return None
        guesses = self.memory.guesses
        mask = self.game.allowed_after(int(guesses[column]), code)[guesses]
        return np.flatnonzero(mask) if columns is None else columns[mask[columns]]


def best_tree(
    search: Search,
    members: Members,
    left: int,
    columns: Columns | None = None,
    *,
    quick: int = 0,
    first: int | None = None,
) -> wk.Node:
    """Return a tree of least cost; with `first`, among the trees that begin with the guess in that column."""
    column = search.best_guess(members, left, columns, quick=quick) if first is None else first
    after = left - 1 if left > 0 else UNLIMITED
    children = {
        code: best_tree(search, part, after, search.allowed_after(column, code, columns), quick=quick)
        for code, part in search.memory.split(members, column).items()
    }
    return wk.Node(int(search.memory.guesses[column]), children)
