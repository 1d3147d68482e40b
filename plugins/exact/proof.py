"""The cost of a first guess, and the best of all first guesses with a proof.

Bounds rule out nearly all first guesses. First, the most promising ones are solved, which gives a limit. Then the bound
of every other guess is raised until it exceeds the limit. The remaining guesses are searched, the lowest bound first.
If none of the promising guesses solves all candidates in the guesses left, crowds rule out first guesses before that.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.crowds import GUESSES_LEFT
from wordle_kit_plugins.exact.memory import NEVER, UNLIMITED, Columns, Members, SearchStopped
from wordle_kit_plugins.exact.progress import Known
from wordle_kit_plugins.exact.search import Search, best_tree

import wordle_kit as wk
from wordle_kit.pool import Died, Pool, in_order

Permutation = npt.NDArray[np.int64]


def first_of_equals(search: Search) -> list[int]:
    """Return the columns of all first guesses. Of guesses that a symmetry makes equal, only the first is returned.

    With weights, no guesses are equal by symmetry. The same holds in hard mode, where a rule may depend on more than
    codes.
    """
    leader = np.arange(len(search.memory.guesses))
    if search.weighted or search.game.hard_mode:
        return leader.tolist()
    permutations = list(symmetries(search))
    changed = bool(permutations)
    while changed:
        before = leader.copy()
        for permutation in permutations:
            leader = np.minimum(leader, leader[permutation])
            np.minimum.at(leader, permutation, leader)
        changed = bool((leader != before).any())
    return np.flatnonzero(leader == np.arange(len(leader))).tolist()


def symmetries(search: Search) -> Iterator[Permutation]:
    """Yield the new position of each guess, for every exchange of two symbols or two places that changes no code."""
    game, codes = search.game, search.memory.matrix
    answers = game.answer_symbols[search.memory.candidates].astype(np.int64)
    guesses = game.guess_symbols[search.memory.guesses].astype(np.int64)
    for n, are_places in ((len(game.alphabet.symbols), False), (game.length, True)):
        for first, second in combinations(range(n), 2):
            by = np.arange(n)
            by[[first, second]] = second, first
            to, moved = (_find_words(words, words[:, by] if are_places else by[words]) for words in (answers, guesses))
            are_words = (to >= 0).all() and (moved >= 0).all()
            if are_words and all((codes[to[i]][moved] == row).all() for i, row in enumerate(codes)):
                yield moved


def _find_words(words: Permutation, renamed: Permutation) -> Permutation:
    """Return the index of each renamed word among the words, or -1 if it is not there."""
    index = {word.tobytes(): i for i, word in enumerate(words)}
    return np.array([index.get(word.tobytes(), -1) for word in np.ascontiguousarray(renamed)])


@dataclass(slots=True)
class Part:
    """A part of the candidates after the first guess: bounds of its cost, and whether the lower bound is exact."""

    code: int
    members: Members
    columns: Columns | None
    lower: int = 0
    is_exact: bool = False
    is_bounded: bool = False
    upper: int = NEVER
    best: int | None = None
    """The guess that gives the upper bound, if the search was stopped after it was found."""


class Opening:
    """A first guess in a search of all candidates. `left` is the number of guesses left, or UNLIMITED."""

    def __init__(self, search: Search, column: int, left: int) -> None:
        self.search = search
        self.column = column
        self.left = left
        self.after = left - 1 if left > 0 else UNLIMITED
        everything = search.memory.everything
        self.own = int(search.weights.sum()) + (search.late * len(everything) if left == 0 else 0)
        parts = search.memory.split(everything, column)
        self.parts = [
            Part(code, members, search.allowed_after(column, code, None))
            for code, members in sorted(parts.items(), key=lambda part: len(part[1]))
        ]
        self._now: Part | None = None
        for part in self.parts:
            part.lower = search.ideal(part.members, self.after)
            part.is_exact = len(part.members) <= 2
            part.is_bounded = part.is_exact
            part.upper = part.lower if part.is_exact else NEVER

    @property
    def lower(self) -> int:
        """A lower bound of the cost of this guess."""
        return self.own + sum(part.lower for part in self.parts)

    @property
    def is_exact(self) -> bool:
        """Whether the lower bound is the exact cost."""
        return all(part.is_exact for part in self.parts)

    def bound(self, limit: int = NEVER) -> None:
        """Raise the lower bound by computing bounds of parts, the smallest first, until it exceeds the limit."""
        lower = self.lower
        for part in self.parts:
            if lower > limit:
                return
            if not part.is_bounded:
                lower -= part.lower
                cost, exact = self.search.bound(part.members, self.after, part.columns)
                part.is_bounded = True
                self._raise(part, cost, exact)
                lower += part.lower

    def guess_quickly(self, breadth: int) -> None:
        """Find an upper bound of the cost by trying only `breadth` guesses per set."""
        for part in self.parts:
            if part.upper == NEVER:
                part.upper = self.search.solve(part.members, self.after, columns=part.columns, quick=breadth)

    def solve(self, limit: int = NEVER) -> None:
        """Search the parts, the smallest first, until all are exact or the lower bound exceeds the limit."""
        self.bound(limit)
        lower = self.lower
        for part in self.parts:
            if lower > limit:
                return
            if not part.is_exact:
                lower -= part.lower
                budget = limit - lower
                self.search.forget_bounds()  # the bounds belong to the previous part
                self._now = part
                try:
                    cost = self.search.solve(part.members, self.after, budget, part.columns)
                except SearchStopped:
                    self._keep_bounds(part)
                    raise
                finally:
                    self._now = None
                self._raise(part, cost, cost <= budget)
                lower += part.lower

    def _raise(self, part: Part, cost: int, exact: bool) -> None:
        part.lower = max(part.lower, cost)
        part.is_exact = exact
        if exact:
            part.upper = part.lower

    def _keep_bounds(self, part: Part) -> None:
        low, high = self.search.bounds
        part.lower = max(part.lower, min(low, part.upper))
        if high < part.upper:
            part.upper = high
            part.best = int(self.search.memory.state.best)

    def look(self) -> tuple[int, int]:
        """Return the current lower and upper bound. It may be called while another thread searches."""
        part = self._now
        low, high = self.search.bounds
        if part is not self._now or low >= NEVER:  # the search is at another part, or has no bound yet
            part = None
        lower = self.own + sum(max(one.lower, low) if one is part else one.lower for one in self.parts)
        upper = self.own + sum(min(one.upper, high) if one is part else one.upper for one in self.parts)
        return lower, min(NEVER, upper)

    def tree(self, breadth: int) -> wk.Node:
        """Return a tree: perfect for the parts whose cost is exact, and from a quick search for the others."""
        search = self.search
        children = {}
        for part in self.parts:
            quick = 0 if part.is_exact or part.best is not None else breadth
            first = None if part.is_exact else part.best
            children[part.code] = best_tree(search, part.members, self.after, part.columns, quick=quick, first=first)
        return wk.Node(int(search.memory.guesses[self.column]), children)


BATCH = 16
"""The number of first guesses in one task that computes bounds."""
FIRST = 48
"""The number of first guesses whose bounds are computed to choose the most promising ones."""
SOLVED = 6
"""The number of most promising first guesses that are solved to get a limit."""

RULE_OUT, BOUND, SOLVE = "ruling out", "bounding", "searching"
"""What is done with first guesses. The texts are for a progress bar."""

Batches = Iterable[list[int]]
Run = Callable[[str, Batches], Iterator[tuple[int, int, bool]]]
"""A function that does one of the three things with batches of first guesses.

It yields each first guess with the lower bound of its cost that is then known, and whether that bound is exact.
"""


class Ranking:
    """What is known about all first guesses, by column, and the search for the best of them.

    A first guess is ruled out if its cost is above `limit`: a budget, or one less than the least exact cost.
    """

    def __init__(self, search: Search, left: int, limit: int, known: Known) -> None:
        self.search = search
        self.left = left
        self.limit = limit
        self.lower: dict[int, int] = {}
        self.exact: dict[int, int] = {}
        self.settled: Known = {}
        """What was learnt about first guesses and is not stored yet."""
        self.phase, self.done, self.total = BOUND, 0, 0
        self._scores = search.scores(left)
        for column in first_of_equals(search):
            self._learn(column, int(self._scores[column]), False)
        for column, (lower, exact) in known.items():
            self._learn(column, lower, exact)

    @property
    def best(self) -> int | None:
        """The column of the first guess with the least exact cost, or None."""
        return min(self.exact, key=lambda column: (self.exact[column], column), default=None)

    @property
    def least(self) -> int:
        """A lower bound of the cost of every first guess."""
        return min(self.lower.values())

    def is_open(self, column: int) -> bool:
        """Return whether a first guess is not ruled out."""
        return self.lower[column] <= self.limit

    def unsolved(self) -> list[int]:
        """Return the columns that are neither ruled out nor solved, the lowest bound first."""
        unsolved = (column for column in self.lower if self.is_open(column) and column not in self.exact)
        return sorted(unsolved, key=lambda column: (self.lower[column], column))

    def find_best(self, run: Run) -> None:
        """Find the first guess with the least cost, if that cost is at most the limit."""
        if not self.exact:
            promising = self.unsolved()[:FIRST]
            self._carry_out(run(BOUND, [promising]))
            promising.sort(key=lambda column: self.lower[column])
            self._carry_out(run(SOLVE, ([column] for column in promising[:SOLVED])))
        if not self.exact and self.limit < self.search.late and self.left == GUESSES_LEFT + 1:
            self._carry_out_phase(run, RULE_OUT, self.unsolved(), BATCH)
        unbounded = [column for column in self.unsolved() if self.lower[column] == self._scores[column]]
        self._carry_out_phase(run, BOUND, unbounded, BATCH)
        self._carry_out_phase(run, SOLVE, self.unsolved(), 1)

    def _carry_out_phase(self, run: Run, action: str, columns: list[int], size: int) -> None:
        self.phase, self.done, self.total = action, 0, len(columns)
        self._carry_out(run(action, (columns[start : start + size] for start in range(0, len(columns), size))))

    def _carry_out(self, results: Iterable[tuple[int, int, bool]]) -> None:
        for column, lower, exact in results:
            self._learn(column, lower, exact)
            self.settled[column] = self.lower[column], column in self.exact
            self.done += 1

    def _learn(self, column: int, lower: int, exact: bool) -> None:
        self.lower[column] = max(lower, self.lower.get(column, 0))
        if exact:
            self.exact[column] = lower
            self.limit = min(self.limit, lower - 1)


def run_here(ranking: Ranking) -> Run:
    """Return a function that works in this process."""

    def run(action: str, batches: Batches) -> Iterator[tuple[int, int, bool]]:
        for column in chain.from_iterable(batches):
            if ranking.is_open(column):
                yield refine(ranking.search, action, column, ranking.left, ranking.limit)
            else:
                ranking.done += 1

    return run


@contextmanager
def run_in_workers(ranking: Ranking, count: int) -> Iterator[Run]:
    """Yield a function that works in `count` processes, which end with the context.

    The function yields results as they arrive. It raises SearchStopped if the search was told to stop, and
    WordleKitError if a worker died twice at the same task.
    """
    search = ranking.search
    _own_search[:] = [search]

    def tasks(action: str, batches: Batches) -> Iterator[Callable[[], list[tuple[int, int, bool]]]]:
        for batch in batches:
            columns = [column for column in batch if ranking.is_open(column)]
            ranking.done += len(batch) - len(columns)
            if columns:
                yield partial(_refine_batch, action, columns, ranking.left, ranking.limit)

    with Pool(count, afresh=partial(_begin, search.recipe())) as pool:

        def run(action: str, batches: Batches) -> Iterator[tuple[int, int, bool]]:
            for _, found in pool.run(in_order(tasks(action, batches)), search.memory.check_stopped):
                if isinstance(found, Died):
                    raise wk.WordleKitError(f"{found.how}, perhaps because memory ran out; use fewer workers")
                yield from found

        yield run


_own_search: list[Search] = []
"""The search of a worker: a copy, or that of the process from which it was forked."""


def _begin(recipe: Callable[[], Search]) -> None:
    """Create the search of this process if the process was not forked."""
    search = recipe()
    search.load()
    _own_search[:] = [search]


def _refine_batch(action: str, columns: list[int], left: int, limit: int) -> list[tuple[int, int, bool]]:
    return [refine(_own_search[0], action, column, left, limit) for column in columns]


def refine(search: Search, action: str, column: int, left: int, limit: int) -> tuple[int, int, bool]:
    """Learn more about a first guess until its cost is known or above the limit.

    Return its column, the lower bound that is then known, and whether it is exact.
    """
    if action == RULE_OUT:
        return column, search.late if search.crowds.rule_out(column) else 0, False
    opening = Opening(search, column, left)
    if action == BOUND:
        opening.bound(limit)
    else:
        opening.solve(limit)
    return column, opening.lower, opening.is_exact
