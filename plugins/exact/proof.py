"""The cost of a first guess, and the best of all first guesses with a proof.

Bounds rule out nearly all first guesses. First, the most promising ones are solved, which gives a limit. Then the bound
of every other guess is raised until it exceeds the limit. The remaining guesses are searched, the lowest bound first.
If none of the promising guesses solves all candidates in the guesses left, crowds rule out first guesses before that.

A `KnownCost` says what is known about a first guess. Checkpoints store it, and workers send it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.crowds import GUESSES_LEFT
from wordle_kit_plugins.exact.memory import NEVER, UNLIMITED, Columns, Members, SearchStopped
from wordle_kit_plugins.exact.search import Search, best_tree

from wordle_kit.errors import WordleKitError
from wordle_kit.pool import Died, Pool, in_order
from wordle_kit.trees import Node

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


QUICK = 2
"""The number of guesses tried per set for an upper bound, unless a breadth is given."""


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
    def upper(self) -> int:
        """An upper bound of the cost of this guess."""
        return min(NEVER, self.own + sum(part.upper for part in self.parts))

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
                self.search.memory.forget_bounds()  # the bounds belong to the previous part
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
        low, high = self.search.memory.bounds
        part.lower = max(part.lower, min(low, part.upper))
        if high < part.upper:
            part.upper = high
            part.best = self.search.memory.best

    def look(self) -> tuple[int, int]:
        """Return the current lower and upper bound. It may be called while another thread searches."""
        part = self._now
        low, high = self.search.memory.bounds
        if part is not self._now or low >= NEVER:  # the search is at another part, or has no bound yet
            part = None
        lower = self.own + sum(max(one.lower, low) if one is part else one.lower for one in self.parts)
        upper = self.own + sum(min(one.upper, high) if one is part else one.upper for one in self.parts)
        return lower, min(NEVER, upper)

    def tree(self, breadth: int) -> Node:
        """Return a tree: perfect for the parts whose cost is exact, and from a quick search for the others."""
        search = self.search
        children = {}
        for part in self.parts:
            quick = 0 if part.is_exact or part.best is not None else breadth
            first = None if part.is_exact else part.best
            children[part.code] = best_tree(search, part.members, self.after, part.columns, quick=quick, first=first)
        return Node(int(search.memory.guesses[self.column]), children)


BATCH = 16
"""The number of first guesses in one task that computes bounds."""
FIRST = 48
"""The number of first guesses whose bounds are computed to choose the most promising ones."""
SOLVED = 6
"""The number of most promising first guesses that are solved to get a limit."""
VERIFIED = 12
"""The number of most promising first guesses for which a quick search verifies the bounds in a checkpoint."""


class KnownCost(NamedTuple):
    """What is known about a first guess: a lower bound of its cost, and whether that bound is exact."""

    lower: int
    is_exact: bool


class Action(StrEnum):
    """What a task does with first guesses. The values are texts for a progress bar."""

    RULE_OUT = "ruling out"
    BOUND = "bounding"
    SOLVE = "searching"


class Task(NamedTuple):
    """An action, and the first guesses to which it is applied."""

    action: Action
    columns: list[int]
    left: int
    """The number of guesses left, or UNLIMITED."""
    limit: int
    """The cost above which a first guess is ruled out."""


@dataclass
class Standing:
    """What is known about all first guesses, by column."""

    left: int
    lower: dict[int, int] = field(default_factory=dict)
    exact: dict[int, int] = field(default_factory=dict)
    limit: int = NEVER
    """The cost above which a first guess is ruled out: one less than the least exact cost, or a budget."""
    phase: Action = Action.BOUND
    done: int = 0
    total: int = 0

    def learn(self, column: int, known: KnownCost) -> bool:
        """Add known bounds of a first guess. Return whether any of them is new."""
        before = (self.lower.get(column), column in self.exact)
        self.lower[column] = max(known.lower, self.lower.get(column, 0))
        if known.is_exact and known.lower < self.exact.get(column, NEVER):
            self.exact[column] = known.lower
            self.limit = min(self.limit, known.lower - 1)
        return before != (self.lower[column], column in self.exact)

    @property
    def best(self) -> int | None:
        """The column of the first guess with the least exact cost, or None."""
        return min(self.exact, key=lambda column: (self.exact[column], column), default=None)

    @property
    def least(self) -> int:
        """A lower bound of the cost of every first guess."""
        return min(self.lower.values(), default=0)

    def open_columns(self, columns: Iterable[int]) -> list[int]:
        """Return the columns that are not ruled out."""
        return [column for column in columns if self.lower.get(column, 0) <= self.limit]

    def unsolved(self) -> list[int]:
        """Return the columns that are neither ruled out nor solved, the lowest bound first."""
        unsolved = (column for column in self.open_columns(self.lower) if column not in self.exact)
        return sorted(unsolved, key=lambda column: (self.lower[column], column))


Run = Callable[[Iterator[Task], Standing], Iterator[tuple[int, KnownCost]]]
"""A function that carries out tasks. It yields each first guess with the bounds that are known after its task."""


def rank_all(
    search: Search,
    standing: Standing,
    run: Run,
    report: Callable[[int, KnownCost], None] | None = None,
) -> None:
    """Find the first guess with the least cost, if that cost is at most the limit of `standing`.

    `run` carries out tasks, in this process or in workers. `report` is called with every result.
    """
    scores = search.scores(standing.left)
    for column in first_of_equals(search):
        standing.learn(column, KnownCost(int(scores[column]), False))

    def carry_out(action: Action, batches: Iterable[list[int]]) -> None:
        tasks = (Task(action, batch, standing.left, standing.limit) for batch in batches)
        for column, known in run(tasks, standing):
            if standing.learn(column, known) and report is not None:
                report(column, known)

    def carry_out_phase(action: Action, columns: list[int], size: int) -> None:
        standing.phase, standing.done, standing.total = action, 0, len(columns)
        carry_out(action, (columns[start : start + size] for start in range(0, len(columns), size)))

    if not standing.exact:
        promising = standing.unsolved()[:FIRST]
        carry_out(Action.BOUND, [promising])
        promising.sort(key=lambda column: standing.lower[column])
        carry_out(Action.SOLVE, ([column] for column in promising[:SOLVED]))
    if not standing.exact and standing.limit < search.late and standing.left == GUESSES_LEFT + 1:
        carry_out_phase(Action.RULE_OUT, standing.unsolved(), BATCH)
    unbounded = [column for column in standing.unsolved() if standing.lower[column] == scores[column]]
    carry_out_phase(Action.BOUND, unbounded, BATCH)
    carry_out_phase(Action.SOLVE, standing.unsolved(), 1)


def run_here(search: Search) -> Run:
    """Return a function that carries out tasks in this process."""

    def run(tasks: Iterator[Task], standing: Standing) -> Iterator[tuple[int, KnownCost]]:
        for task in tasks:
            for column in task.columns:
                if standing.open_columns([column]):
                    yield column, refine(search, task._replace(limit=standing.limit), column)
                standing.done += 1

    return run


def refine(search: Search, task: Task, column: int) -> KnownCost:
    """Carry out a task for one of its first guesses, and return the bounds that are known afterwards."""
    if task.action is Action.RULE_OUT:
        return KnownCost(search.late if search.crowds.rule_out(column) else 0, False)
    opening = Opening(search, column, task.left)
    if task.action is Action.BOUND:
        opening.bound(task.limit)
    else:
        opening.solve(task.limit)
    return KnownCost(opening.lower, opening.is_exact)


def find_contradiction(search: Search, left: int, known: Mapping[int, KnownCost]) -> int | None:
    """Return the column of a first guess with a known cost that is found to be false, or None.

    Two things are checked. An exact cost must not be less than the bound that looks one guess ahead. A lower bound must
    not be above the cost of a tree. For the most promising first guesses, it is compared with a tree from a quick
    search.
    """
    scores = search.scores(left)
    for column, (cost, is_exact) in known.items():
        if is_exact and cost < scores[column]:
            return column
    promising = sorted(known, key=lambda column: (scores[column], column))[:VERIFIED]
    for column in promising:
        opening = Opening(search, column, left)
        opening.guess_quickly(QUICK)
        if known[column].lower > opening.upper:
            return column
    return None


_own_search: list[Search] = []
"""The search of a worker: a copy, or that of the process from which it was forked."""


@contextmanager
def run_in_workers(search: Search, count: int) -> Iterator[Run]:
    """Start workers, yield a function that carries out tasks in them, and end the workers with the context.

    The function yields results as they arrive. It raises SearchStopped if the search was told to stop, and
    WordleKitError if a worker died twice at the same task. Workers that are not forked create a copy of the search.
    """
    _own_search[:] = [search]
    with Pool(count, afresh=partial(_begin, search.recipe())) as pool:

        def run(tasks: Iterator[Task], standing: Standing) -> Iterator[tuple[int, KnownCost]]:
            waiting = in_order(partial(carry_out, task) for task in _without_ruled_out(tasks, standing))
            for _, found in pool.run(waiting, search.memory.check_stopped):
                if isinstance(found, Died):
                    raise WordleKitError(f"{found.how}, perhaps because memory ran out; use fewer workers")
                for column, known in found:
                    standing.done += 1
                    yield column, known

        yield run


def _begin(recipe: Callable[[], Search]) -> None:
    """Create the search of this process if the process was not forked."""
    search = recipe()
    search.load()
    _own_search[:] = [search]


def _without_ruled_out(tasks: Iterable[Task], standing: Standing) -> Iterator[Task]:
    """Yield tasks without the first guesses that have been ruled out meanwhile."""
    for task in tasks:
        columns = standing.open_columns(task.columns)
        standing.done += len(task.columns) - len(columns)
        if columns:
            yield task._replace(columns=columns, limit=standing.limit)


def carry_out(task: Task) -> list[tuple[int, KnownCost]]:
    """Carry out a task, and return the bounds then known for each of its first guesses. It runs in a worker."""
    return [(column, refine(_own_search[0], task, column)) for column in task.columns]
