"""Proofs of the least cost: of all candidates as one set, of one opener, and of all openers.

Bounds rule out nearly all first guesses. First, the most promising ones are solved, which gives a limit. Then the bound
of every other guess is raised until it exceeds the limit. The remaining guesses are searched, lowest bound first. If
none of the promising guesses solves all candidates in the guesses left, crowds rule out first guesses before that.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from wordle_kit_plugins.exact.compiled.kernels import Int64s
from wordle_kit_plugins.exact.crowds import GUESSES_LEFT
from wordle_kit_plugins.exact.memory import NEVER, UNLIMITED
from wordle_kit_plugins.exact.search import Search

import wordle_kit as wk
from wordle_kit.tournaments.pool import Died, Pool, in_order


def first_of_equals(search: Search) -> list[int]:
    """Return the columns of all first guesses, with only the first of those that a symmetry makes equal.

    No guesses are equal by symmetry with weights or in hard mode, where a rule may depend on more than codes.
    """
    first = leader = np.arange(len(search.guesses))
    if search.weighted or search.game.hard_mode:
        return first.tolist()
    permutations = list(symmetries(search))
    while True:
        before = leader
        for permutation in permutations:
            leader = np.minimum(leader, leader[permutation])
        if (leader == before).all():
            return np.flatnonzero(leader == first).tolist()


def symmetries(search: Search) -> Iterator[Int64s]:
    """Yield the new position of each guess for every exchange of two symbols or two places that changes no code."""
    game, codes = search.game, search.matrix
    answers = game.answer_symbols[search.candidates].astype(np.int64)
    guesses = game.guess_symbols[search.guesses].astype(np.int64)
    for n, are_places in ((len(game.alphabet.symbols), False), (game.length, True)):
        for first, second in combinations(range(n), 2):
            by = np.arange(n)
            by[[first, second]] = second, first
            to, moved = (_find_words(words, words[:, by] if are_places else by[words]) for words in (answers, guesses))
            are_words = (to >= 0).all() and (moved >= 0).all()
            if are_words and all((codes[to[i]][moved] == row).all() for i, row in enumerate(codes)):
                yield moved


def _find_words(words: Int64s, renamed: Int64s) -> Int64s:
    """Return the index of each renamed word among the words, or -1 if it is missing."""
    index = {word.tobytes(): i for i, word in enumerate(words)}
    return np.array([index.get(word.tobytes(), -1) for word in np.ascontiguousarray(renamed)])


@dataclass(slots=True)
class PartBounds:
    """A set of candidates with bounds of its cost."""

    code: int
    members: Int64s
    columns: Int64s | None
    lower: int
    is_exact: bool
    upper: int


class Opening:
    """The bounds of all trees that begin with a first guess or, if `column` is None, of all trees.

    `left` is the number of guesses left, or UNLIMITED.
    """

    phase, done, total = "", 0, 0

    def __init__(self, search: Search, column: int | None, left: int) -> None:
        self.search = search
        self.column = column
        if column is None:
            self.left, self.own, sets = left, 0, {0: search.everything}
        else:
            self.left = left - 1 if left > 0 else UNLIMITED
            self.own = int(search.weights.sum())
            sets = search.split(search.everything, column)
        self.parts = []
        for code, members in sorted(sets.items(), key=lambda item: len(item[1])):
            columns = None if column is None else search.allowed_after(column, code, None)
            lower, is_exact = search.ideal(members, self.left), len(members) <= 2
            self.parts.append(PartBounds(code, members, columns, lower, is_exact, lower if is_exact else NEVER))

    @property
    def lower(self) -> int:
        """A lower bound of the cost."""
        return self.own + sum(part.lower for part in self.parts)

    @property
    def upper(self) -> int:
        """An upper bound of the cost, or NEVER."""
        return min(NEVER, self.own + sum(part.upper for part in self.parts))

    @property
    def is_exact(self) -> bool:
        """Whether the lower bound is the exact cost."""
        return all(part.is_exact for part in self.parts)

    def bound(self, limit: int = NEVER) -> None:
        """Raise the lower bound by looking one guess ahead, part by part, until it exceeds the limit."""
        self._raise(limit, lambda part, budget: self.search.bound(part.members, self.left, part.columns))

    def guess_quickly(self, breadth: int) -> None:
        """Find an upper bound of the cost by trying only `breadth` guesses per set."""
        for part in self.parts:
            if part.upper == NEVER:
                part.upper = self.search.solve(part.members, self.left, columns=part.columns, breadth=breadth)

    def solve(self, limit: int = NEVER) -> None:
        """Search the parts until all are exact or the lower bound exceeds the limit."""

        def searched(part: PartBounds, budget: int) -> tuple[int, bool]:
            cost = self.search.solve(part.members, self.left, budget, part.columns)
            return cost, cost <= budget

        self.bound(limit)
        self._raise(limit, searched)

    def _raise(self, limit: int, find: Callable[[PartBounds, int], tuple[int, bool]]) -> None:
        """Raise the lower bounds of parts, the smallest first. `find` gets a part and a budget for it."""
        lower = self.lower
        for part in self.parts:
            if lower > limit:
                return
            if not part.is_exact:
                lower -= part.lower
                cost, part.is_exact = find(part, limit - lower)
                part.lower = max(part.lower, cost)
                if part.is_exact:
                    part.upper = part.lower
                lower += part.lower

    def tree(self, breadth: int) -> wk.Node:
        """Return a tree that plays parts of exact cost perfectly, and other parts by a search with this breadth."""
        children = {}
        for part in self.parts:
            tried = NEVER if part.is_exact else breadth
            children[part.code] = self.search.best_tree(part.members, self.left, part.columns, breadth=tried)
        return children[0] if self.column is None else wk.Node(int(self.search.guesses[self.column]), children)


BATCH = 16
"""The number of first guesses per task that computes bounds."""
FIRST = 48
"""The number of first guesses whose bounds are computed to choose the most promising ones."""
SOLVED = 6
"""The number of most promising first guesses that are solved to get a limit."""

RULE_OUT, BOUND, SOLVE = "ruling out", "bounding", "searching"
"""The actions on first guesses, as named in progress reports."""

Result = tuple[int, int, bool]
"""The column of a first guess, a lower bound of its cost, and whether that bound is exact."""


class Ranking:
    """The bounds of all first guesses, and the search for the best of them.

    A first guess is ruled out if its cost is above `limit`: a budget, or one less than the least exact cost.
    """

    def __init__(self, search: Search, left: int, limit: int, known: list[Result], workers: int) -> None:
        self.search = search
        self.left = left
        self.limit = limit
        self.workers = workers
        self.bounds: dict[int, int] = {}
        self.exact: dict[int, int] = {}
        self.news: deque[Result] = deque()
        """The results that have not been collected for storage yet."""
        self.phase, self.done, self.total = BOUND, 0, 0
        self._scores = search.scores(left)
        for column in first_of_equals(search):
            self._learn(column, int(self._scores[column]), False)
        for result in known:
            self._learn(*result)

    @property
    def lower(self) -> int:
        """A lower bound of the cost of every first guess."""
        return min(self.bounds.values())

    @property
    def upper(self) -> int:
        """The least exact cost, or NEVER."""
        return min(self.exact.values(), default=NEVER)

    @property
    def is_exact(self) -> bool:
        """Whether the best first guess is known, which it is once every other is ruled out."""
        return bool(self.exact)

    def tree(self, breadth: int) -> wk.Node:
        """Return a tree of the best solved first guess or, if none is solved, from a search with this breadth."""
        opening = Opening(self.search, min(self.exact, key=lambda at: (self.exact[at], at), default=None), self.left)
        if self.exact:
            opening.solve()
        return opening.tree(breadth)

    def find_best(self) -> None:
        """Find the first guess with the least cost, if that cost is at most the limit."""
        with Pool(self.workers) as pool:
            if not self.exact:
                promising = self._unsolved()[:FIRST]
                self._carry_out(pool, BOUND, promising, BATCH)
                promising.sort(key=lambda column: self.bounds[column])
                self._carry_out(pool, SOLVE, promising[:SOLVED])
            if not self.exact and self.limit < self.search.late and self.left == GUESSES_LEFT + 1:
                self._carry_out(pool, RULE_OUT, self._unsolved(), BATCH)
            unbounded = [column for column in self._unsolved() if self.bounds[column] == self._scores[column]]
            self._carry_out(pool, BOUND, unbounded, BATCH)
            self._carry_out(pool, SOLVE, self._unsolved())

    def _is_open(self, column: int) -> bool:
        """Return whether a first guess is not ruled out."""
        return self.bounds[column] <= self.limit

    def _unsolved(self) -> list[int]:
        """Return the columns neither ruled out nor solved, lowest bound first."""
        unsolved = (column for column in self.bounds if self._is_open(column) and column not in self.exact)
        return sorted(unsolved, key=lambda column: (self.bounds[column], column))

    def _carry_out(self, pool: Pool, action: str, columns: list[int], size: int = 1) -> None:
        """Perform an action on first guesses, in batches of this size, and learn the results as they arrive.

        Raises SearchStopped if the search was told to stop, and WordleKitError if a worker died twice on a batch.
        """
        self.phase, self.done, self.total = action, 0, len(columns)
        if self.workers == 1:
            for column in columns:
                if self._is_open(column):
                    self._settle(refine(self.search, action, column, self.left, self.limit))
                self.done += 1
            return
        for _, found in pool.run(in_order(self._tasks(action, columns, size)), self.search.check_stopped):
            if isinstance(found, Died):
                raise wk.WordleKitError(f"{found.how}, perhaps because memory ran out; use fewer workers")
            for result in found:
                self._settle(result)
            self.done += len(found)

    def _tasks(self, action: str, columns: list[int], size: int) -> Iterator[Callable[[], list[Result]]]:
        for start in range(0, len(columns), size):
            batch = [column for column in columns[start : start + size] if self._is_open(column)]
            self.done += len(columns[start : start + size]) - len(batch)
            if batch:
                yield partial(_refine_in_worker, self.search.copy, action, batch, self.left, self.limit)

    def _settle(self, result: Result) -> None:
        self._learn(*result)
        column, _, exact = result
        self.news.append((column, self.bounds[column], exact))

    def _learn(self, column: int, lower: int, exact: bool) -> None:
        self.bounds[column] = max(lower, self.bounds.get(column, 0))
        if exact:
            self.exact[column] = lower
            self.limit = min(self.limit, lower - 1)


_own_search: list[Search] = []
"""The search of a worker process."""


def _refine_in_worker(
    copy: Callable[[], Search], action: str, columns: list[int], left: int, limit: int
) -> list[Result]:
    if not _own_search:
        _own_search.append(copy())
        _own_search[0].load()
    return [refine(_own_search[0], action, column, left, limit) for column in columns]


def refine(search: Search, action: str, column: int, left: int, limit: int) -> Result:
    """Return the result of an action on a first guess, which ends when its cost is known or exceeds the limit."""
    if action == RULE_OUT:
        return column, search.late if search.crowds.rule_out(column) else 0, False
    opening = Opening(search, column, left)
    if action == BOUND:
        opening.bound(limit)
    else:
        opening.solve(limit)
    return column, opening.lower, opening.is_exact
