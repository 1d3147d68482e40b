"""The search of one first guess, from the bounds of its parts to the exact cost. It resumes where it was stopped."""

from dataclasses import dataclass

from wordle_kit.exact.compiled.workspace import NEVER, UNLIMITED
from wordle_kit.exact.memory import Columns, Members, SearchStopped
from wordle_kit.exact.search import Search, best_tree
from wordle_kit.trees.tree import Node

QUICK = 2
"""Guesses tried per set for an upper bound, unless another breadth is asked for."""


@dataclass(slots=True)
class Part:
    """A part of the candidates after the first guess: bounds of its cost, and whether the lower one is exact."""

    code: int
    members: Members
    columns: Columns | None
    lower: int = 0
    is_exact: bool = False
    is_bounded: bool = False
    upper: int = NEVER
    best: int | None = None
    """The guess that gives the upper bound, if the search was stopped after it."""


class Opening:
    """A first guess in a search of all candidates, with `left` guesses left, or UNLIMITED."""

    def __init__(self, search: Search, column: int, left: int) -> None:
        self.search = search
        self.column = column
        self.left = left
        self.after = left - 1 if left > 0 else UNLIMITED
        everything = search.memory.everything
        self.own = int(search.weights.sum()) + (search.late * search.late_units(everything) if left == 0 else 0)
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
        """Whether the lower bound is the cost."""
        return all(part.is_exact for part in self.parts)

    def bound(self, limit: int = NEVER) -> None:
        """Raise the lower bound by bounding the parts, the smallest first, until it exceeds the limit."""
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
        """Find an upper bound of the cost by trying this many guesses per set."""
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
                self.search.signals.forget_bounds()  # they belong to the previous part
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
        low, high = self.search.signals.bounds
        part.lower = max(part.lower, min(low, part.upper))
        if high < part.upper:
            part.upper = high
            part.best = self.search.signals.best

    def look(self) -> tuple[int, int]:
        """Return the current lower and upper bound, while another thread searches."""
        part = self._now
        low, high = self.search.signals.bounds
        if part is not self._now or low >= NEVER:  # the search has moved on to another part, or has no bound yet
            part = None
        lower = self.own + sum(max(one.lower, low) if one is part else one.lower for one in self.parts)
        upper = self.own + sum(min(one.upper, high) if one is part else one.upper for one in self.parts)
        return lower, min(NEVER, upper)

    def tree(self, breadth: int) -> Node:
        """Return a tree, which is best for the parts that are exact, and found by a quick search for the others."""
        search = self.search
        children = {}
        for part in self.parts:
            quick = 0 if part.is_exact or part.best is not None else breadth
            first = None if part.is_exact else part.best
            children[part.code] = best_tree(search, part.members, self.after, part.columns, quick=quick, first=first)
        return Node(int(search.memory.guesses[self.column]), children)
