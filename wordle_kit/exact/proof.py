"""The best of all first guesses, proved: bounds rule out nearly all of them, and the rest are searched.

First the most promising ones are solved, which gives a limit. Then every other one is bounded until it is above that,
and what is left is searched, the lowest bound first. Where none of the promising ones solves all candidates in the
guesses left, crowds rule out what they can before. What is known of each first guess is a lower bound of its cost and
whether that is exact: `Known` is what a checkpoint keeps and what workers send.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from wordle_kit.exact.compiled.workspace import NEVER
from wordle_kit.exact.crowds import GUESSES_LEFT
from wordle_kit.exact.opening import QUICK, Opening
from wordle_kit.exact.search import Search
from wordle_kit.exact.symmetry import first_of_equals

BATCH = 16
"""First guesses that are bounded in one task."""
FIRST = 48
"""First guesses that are bounded to choose the most promising ones from."""
SOLVED = 6
"""The most promising first guesses, which are solved for a limit."""

VERIFIED = 12
"""The most promising first guesses, of which a quick search verifies what a checkpoint claims."""
Known = tuple[int, bool]
"""A lower bound of a first guess's cost, and whether it is exact."""


@dataclass
class Standing:
    """What is known of all first guesses, by column."""

    left: int
    lower: dict[int, int] = field(default_factory=dict)
    exact: dict[int, int] = field(default_factory=dict)
    limit: int = NEVER
    """Who is above it is out: one less than the least exact cost, or a budget."""
    phase: str = "bounding"
    done: int = 0
    total: int = 0

    def learn(self, column: int, known: Known) -> None:
        """Take in what was found out about a first guess."""
        cost, exact = known
        self.lower[column] = max(cost, self.lower.get(column, 0))
        if exact and cost < self.exact.get(column, NEVER):
            self.exact[column] = cost
            self.limit = min(self.limit, cost - 1)

    @property
    def best(self) -> int | None:
        """The column of the least exact cost, or None."""
        return min(self.exact, key=lambda column: (self.exact[column], column), default=None)

    @property
    def least(self) -> int:
        """A lower bound of the cost of every first guess."""
        return min(self.lower.values(), default=0)


Task = tuple[str, list[int], int, int]
"""What to do with first guesses (rule out, bound or solve), their columns, the guesses left, and the limit."""

Run = Callable[[Iterator[Task], Standing], Iterator[tuple[int, Known]]]
"""Carries out tasks and yields what is then known of each first guess."""


def rank_all(
    search: Search,
    standing: Standing,
    run: Run,
    learnt: Callable[[int, Known], None] | None = None,
) -> None:
    """Find out of all first guesses which costs least, if that is at most the standing's limit.

    `run` carries out tasks, here or in workers; `learnt` hears of everything that was found out.
    """
    scores = search.scores(standing.left)
    for column in first_of_equals(search):
        standing.learn(column, (int(scores[column]), False))

    def carry_out(tasks: Iterator[Task]) -> None:
        for column, known in run(tasks, standing):
            before = (standing.lower.get(column), column in standing.exact)
            standing.learn(column, known)
            if learnt is not None and before != (standing.lower[column], column in standing.exact):
                learnt(column, known)

    def open_columns() -> list[int]:
        still = [column for column, lower in standing.lower.items() if lower <= standing.limit]
        return sorted(
            (c for c in still if c not in standing.exact), key=lambda column: (standing.lower[column], column)
        )

    if not standing.exact:
        promising = open_columns()[:FIRST]
        carry_out(iter([("bound", promising, standing.left, standing.limit)]))
        promising.sort(key=lambda column: standing.lower[column])
        carry_out(iter([("solve", [column], standing.left, standing.limit) for column in promising[:SOLVED]]))
    if not standing.exact and standing.limit < search.late and standing.left == GUESSES_LEFT + 1:
        candidates = open_columns()
        standing.phase, standing.done, standing.total = "ruling out", 0, len(candidates)
        batches = [candidates[start : start + BATCH] for start in range(0, len(candidates), BATCH)]
        carry_out(("rule out", batch, standing.left, standing.limit) for batch in batches)
    unbounded = [column for column in open_columns() if standing.lower[column] == scores[column]]
    standing.phase, standing.done, standing.total = "bounding", 0, len(unbounded)
    batches = [unbounded[start : start + BATCH] for start in range(0, len(unbounded), BATCH)]
    carry_out(("bound", batch, standing.left, standing.limit) for batch in batches)
    waiting = open_columns()
    standing.phase, standing.done, standing.total = "searching", 0, len(waiting)
    carry_out(("solve", [column], standing.left, standing.limit) for column in waiting)


def run_here(search: Search) -> Run:
    """Return what carries out tasks in this process."""

    def run(tasks: Iterator[Task], standing: Standing) -> Iterator[tuple[int, Known]]:
        for what, columns, left, _ in tasks:
            for column in columns:
                if standing.lower.get(column, 0) <= standing.limit:
                    yield column, refine(search, what, column, left, standing.limit)
                standing.done += 1

    return run


def refine(search: Search, what: str, column: int, left: int, limit: int) -> Known:
    """Return what is known of a first guess after it was tried to rule it out, or it was bounded or solved."""
    if what == "rule out":
        return (search.late if search.crowds.rule_out(column) else 0), False
    opening = Opening(search, column, left)
    if what == "bound":
        opening.bound(limit)
    else:
        opening.solve(limit)
    return opening.lower, opening.is_exact


def refuted(search: Search, left: int, known: Mapping[int, Known]) -> int | None:
    """Return the column of a first guess of which something untrue is known, or None where nothing is found to be.

    An exact cost is not below the bound one guess deep. What a lower bound is above costs no tree, so those of the most
    promising first guesses are compared with the cost of a tree that is found quickly.
    """
    scores = search.scores(left)
    for column, (cost, is_exact) in known.items():
        if is_exact and cost < scores[column]:
            return column
    promising = sorted(known, key=lambda column: (scores[column], column))[:VERIFIED]
    for column in promising:
        opening = Opening(search, column, left)
        opening.guess_quickly(QUICK)
        if known[column][0] > opening.upper:
            return column
    return None
