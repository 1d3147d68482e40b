"""The search of one game: results for sets of candidates from compiled code, and trees of least cost."""

from functools import cached_property, partial

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.compiled import branch_and_bound, guesses
from wordle_kit_plugins.exact.compiled.kernels import MOST_PAIRED, Int64s
from wordle_kit_plugins.exact.compiled.transposition_table import (
    Hashes,
    cost_at,
    find,
    guess_at,
    hash_of,
    is_exact,
    keep,
    new_table,
)
from wordle_kit_plugins.exact.crowds import Crowds
from wordle_kit_plugins.exact.memory import (
    ABORTED,
    NEVER,
    UNLIMITED,
    Facts,
    Order,
    Subset,
    Tops,
    new_workspace,
)
from wordle_kit_plugins.exact.objective import Objective, scaled_weights

import wordle_kit as wk

DEFAULT_MEMORY = 2048
"""Memory in MB that a search may use."""

QUICK_TABLE = 2**22
"""The size in bytes of the transposition table for searches with a breadth."""

ORDERS = {"bound": Order.BY_BOUND, "statistical": Order.STATISTICAL, "entropic": Order.ENTROPIC}
"""The orders in which guesses are tried, by name."""


class SearchStopped(Exception):  # noqa: N818 - not an error
    """Raised when the search was told to stop, or has searched as many sets as allowed."""


class Search:
    """The search of sets of candidates of a game.

    Candidates are numbered from the heaviest to the lightest, and guesses by their position in `guesses`. The number of
    a guess is called its column. Another thread may stop a search.

    Raises GameError if the game needs too much memory, or if hard mode forbids a candidate.
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
            raise wk.GameError(f"{order!r} is not an order of search; choose {', '.join(ORDERS)}")
        self.game = game
        self.objective = objective
        self.copy = partial(Search, game, candidates, allowed, objective=objective, order=order, memory=memory)
        """A function that returns the same search without results. It can be pickled."""
        weights, self.scale = scaled_weights(game, candidates, objective)
        heaviest_first = np.argsort(-weights, kind="stable")
        self.weights = weights[heaviest_first]
        self.weighted = bool((self.weights != 1).any())
        self.candidates = candidates[heaviest_first]
        self.everything = np.arange(len(candidates))
        self.guesses = np.arange(len(game.guesses), dtype=np.int32) if allowed is None else allowed
        own = game.guess_of_answer[self.candidates]
        if not np.isin(own, self.guesses).all():
            raise wk.GameError(
                f"{game.name}: the hard mode of the rule {game.rule.name!r} forbids answers that are still possible, "
                "so perfect play cannot be searched"
            )
        self.own = np.searchsorted(self.guesses, own)
        """The column of each candidate as a guess."""
        n = len(candidates)
        most = (n + 1) * (int(self.weights.sum()) + n) + 1 if self.weighted else n * (n + 3) // 2
        self.late = 1 << most.bit_length()
        """The extra cost of a late candidate: more than any tree costs, even after a wasted guess."""
        facts = Facts(
            winning=game.winning_code,
            late=self.late,
            order=int(ORDERS[order]),
            hard=int(game.hard_mode),
            weighted=int(self.weighted),
            fast=min(MOST_PAIRED, game.table.n_codes),
        )
        self.most_bytes = memory * 2**20
        self.workspace = new_workspace(
            game, self.candidates, self.guesses, self.weights, facts, objective.limit(n), self.most_bytes
        )
        self.matrix = self.workspace.codes[: n * len(self.guesses)].reshape(n, -1)
        """The codes of all guesses against all candidates, [n_candidates, n_guesses]."""
        self._quick = self.workspace._replace(table=new_table(min(QUICK_TABLE, self.most_bytes // 16)))
        self._state = self.workspace.state.view(np.recarray)[0]

    @cached_property
    def crowds(self) -> Crowds:
        """The crowds found so far, which prove that three guesses cannot solve certain sets."""
        return Crowds(self, self.most_bytes // 8)

    @property
    def nodes(self) -> int:
        """The number of sets searched so far."""
        return int(self._state.nodes)

    def column(self, guess: str) -> int:
        """Return the column of a guess."""
        return int(np.searchsorted(self.guesses, self.game.guess_index[guess]))

    def load(self) -> None:
        """Load the compiled search, or compile it the first time. Call this before measuring time."""
        self.solve(self.everything[:1], UNLIMITED)

    def stop(self) -> None:
        """Tell the search to stop."""
        self._state.stop = 1

    def resume(self) -> None:
        """Withdraw the request to stop and the limit on nodes."""
        self._state.stop, self._state.most_nodes = 0, NEVER

    def limit_nodes(self, nodes: int) -> None:
        """Let the search stop after this many more sets."""
        self._state.most_nodes = self.nodes + nodes

    def check_stopped(self) -> None:
        """Raise SearchStopped if the search was told to stop or has searched as many sets as allowed."""
        if self._state.stop or self.nodes >= self._state.most_nodes:
            raise SearchStopped

    def solve(
        self, members: Int64s, left: int, budget: int = NEVER, columns: Int64s | None = None, *, breadth: int = NEVER
    ) -> int:
        """Return the least cost of a set if it is within the budget, else a lower bound above the budget.

        `left` is the number of guesses left, or UNLIMITED. `columns` are the guesses that hard mode allows. With a
        breadth, only that many guesses are tried per set, and the result is an upper bound. Raises SearchStopped.
        """
        subset, tops = self._place(members, left, columns)
        w = self.workspace if breadth == NEVER else self._quick
        cost = int(branch_and_bound.solve(w, subset, budget, breadth, tops))
        if cost == ABORTED:
            self.check_stopped()
            raise wk.GameError(f"{self.game.name}: the search needs more memory", settings=["memory"])
        return cost

    def ideal(self, members: Int64s, left: int) -> int:
        """Return the least possible cost of a set by size and weights. It is exact for one and two candidates."""
        w = self.workspace
        return int(guesses.ideal_cost(w.facts, w.ideal, self.weights, members, left))

    def scores(self, left: int) -> npt.NDArray[np.int64]:
        """Return a lower bound of the cost of each guess for all candidates, int64[n_guesses].

        The bound looks one guess ahead.
        """
        subset, _ = self._place(self.everything, left, None)
        guesses.score_all(self.workspace, subset, 0)
        return self.workspace.scores[: subset.width].copy()

    def bound(self, members: Int64s, left: int, columns: Int64s | None = None) -> tuple[int, bool]:
        """Return a lower bound of the cost of a set, and whether it is exact. Raises SearchStopped."""
        self.check_stopped()
        if left == 0:
            cost, exact = self.bound(members, UNLIMITED, columns)
            return cost + len(members) * self.late, exact
        if len(members) <= 2:
            return self.ideal(members, left), True
        subset, tops = self._place(members, left, columns)
        table, hashes = self.workspace.table, self._hashes(members, subset)
        slot = find(table, *hashes)
        if slot >= 0:
            return int(cost_at(table, slot)), bool(is_exact(table, slot))
        cost, guess = guesses.bound_set(self.workspace, subset, False, tops.lists)
        keep(table, *hashes, len(members), cost, guess >= 0, guess)
        return int(cost), guess >= 0

    def best_guess(self, members: Int64s, left: int, columns: Int64s | None = None, *, breadth: int = NEVER) -> int:
        """Return the column of a guess of least cost, searching the set if the table does not have the guess."""
        if len(members) <= 2:
            return int(self.own[members[0]])
        left = UNLIMITED if left == 0 else left
        table = (self.workspace if breadth == NEVER else self._quick).table
        for _ in range(2):
            subset, _ = self._place(members, left, columns)
            slot = find(table, *self._hashes(members, subset))
            if slot >= 0 and is_exact(table, slot) and guess_at(table, slot) >= 0:
                return int(guess_at(table, slot))
            self.solve(members, left, columns=columns, breadth=breadth)
        raise AssertionError("the table lost the entry that was just stored")

    def best_tree(self, members: Int64s, left: int, columns: Int64s | None = None, *, breadth: int = NEVER) -> wk.Node:
        """Return a tree of least cost. With a breadth, only that many guesses are tried per set."""
        column = self.best_guess(members, left, columns, breadth=breadth)
        after = left - 1 if left > 0 else UNLIMITED
        children = {
            code: self.best_tree(part, after, self.allowed_after(column, code, columns), breadth=breadth)
            for code, part in self.split(members, column).items()
        }
        return wk.Node(int(self.guesses[column]), children)

    def split(self, members: Int64s, column: int) -> dict[int, Int64s]:
        """Return the parts into which a guess splits a set, by code, without the winning part."""
        codes = self.matrix[members, column]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != self.game.winning_code}

    def allowed_after(self, column: int, code: int, columns: Int64s | None) -> Int64s | None:
        """Return the columns that hard mode allows after this feedback on a guess, or None if all are allowed."""
        if not self.game.hard_mode:
            return None
        mask = self.game.allowed_after(int(self.guesses[column]), code)[self.guesses]
        return np.flatnonzero(mask) if columns is None else columns[mask[columns]]

    def _place(self, members: Int64s, left: int, columns: Int64s | None) -> tuple[Subset, Tops]:
        """Place a set where the compiled search starts. Return the set and the tops of the stacks above it."""
        w, n = self.workspace, len(members)
        start, rows, top = 0, members, self.matrix.size
        if columns is None:
            columns = np.arange(len(self.guesses))
        else:
            start, rows, top = top, np.arange(n), top + n * len(columns)
            w.codes[start:top] = self.matrix[np.ix_(members, columns)].ravel()
        width = len(columns)
        w.answers[:n], w.rows[:n], w.columns[:n] = members, rows, np.searchsorted(columns, self.own[members])
        w.ids[:width] = columns
        hashed = np.uint64(0)
        if self.game.hard_mode:
            hashed = np.bitwise_xor.reduce(w.zobrist[len(self.candidates) + columns, 0])
        return Subset(start, width, 0, hashed, 0, n, left), Tops(top, n, width)

    def _hashes(self, members: Int64s, subset: Subset) -> Hashes:
        """Return the hashes of a placed set in the transposition table."""
        first, second = hash_of(self.workspace.zobrist, members, subset.left, subset.list_hash)
        return np.uint64(first), np.uint64(second)
