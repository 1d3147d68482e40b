"""One call of `optimal`: the search, the bounds so far, and the solution, checked by playing it."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import TreeError, WordleKitError
from wordle_kit.exact.checkpoint import Checkpoint
from wordle_kit.exact.compiled.workspace import NEVER, UNLIMITED
from wordle_kit.exact.objective import LONGEST, Objective, weights_of
from wordle_kit.exact.opening import QUICK, Opening
from wordle_kit.exact.parallel import run_in_workers
from wordle_kit.exact.proof import KnownCost, Standing, find_contradiction, rank_all, run_here
from wordle_kit.exact.search import Search, SearchStopped
from wordle_kit.exact.solution import Progress, Solution
from wordle_kit.exact.watch import Ending, run_watched
from wordle_kit.strategy.position import Position
from wordle_kit.trees.tree import Node, Tree
from wordle_kit.workers import Machines

LARGEST_SET = 255
"""The most candidates that are searched as one set to find the best guess; for more, first guesses are ranked."""

PAUSE = 30.0
"""Seconds between two checkpoints of solved sets."""

WRITE = 5.0
"""Seconds between two checkpoints of first guesses."""


class Effort(NamedTuple):
    """How to search: the order of guesses, and what the search may use."""

    order: str
    memory: int
    """Bytes."""
    breadth: int | None
    """Guesses to try per set, or None for all."""
    workers: int
    seconds: float | None
    machines: Machines | None = None
    """Machines that rank first guesses in place of workers."""


class Solver:
    """A search for perfect play, and its results so far."""

    def __init__(
        self,
        position: Position,
        opener: int | None,
        objective: Objective,
        effort: Effort,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.position = position
        self.objective = objective
        self.effort = effort
        self.progress = progress
        candidates = position.board.candidates
        self.search = Search(
            position.game, candidates, position.allowed, objective=objective, order=effort.order, memory=effort.memory
        )
        self.n = len(candidates)
        self.column = None if opener is None else int(self.search.column_of[opener])
        self.left, self.ceiling = UNLIMITED, NEVER
        if objective.kind == "within":
            self.left = objective.within or 0
        elif objective.at_most is not None:
            self.left, self.ceiling = objective.at_most, self.search.late - 1
        elif objective.kind == "worst":
            self.left, self.ceiling = 1, self.search.late - 1
        self.opening: Opening | None = None
        self.standing: Standing | None = None
        self.lower, self.upper = 0, NEVER
        self.is_exact = False
        self.begun = time.process_time()
        self.store: Checkpoint | None = None
        self._unwritten: dict[int, KnownCost] = {}
        self._written = time.monotonic()

    def solve(self, checkpoint: Path | None, fresh: bool) -> Solution:
        """Search until the search is finished or stopped, and return the solution."""
        self.search.load()
        self.begun = time.process_time()
        seconds = self.effort.seconds
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            if checkpoint is not None:
                self.store = Checkpoint(checkpoint, self.search)
                if fresh:
                    self.store.forget()
                self.store.load_sets()
            ending = run_watched(
                self._work,
                self.search.stop,
                deadline=deadline,
                look=self._look,
                pause=PAUSE if self.store is not None and not self._is_shared else None,
                rest=self._rest,
            )
            if self.store is not None and time.process_time() - self.begun > PAUSE / 3:
                self._rest()
        finally:
            if self.store is not None:
                self.store.close()
        self.search.stop(False)
        spent = time.process_time() - self.begun
        solution = self._solution(ending, spent)
        if self.progress is not None:
            late = (solution.late_lower, solution.late)
            bounds = late if self.objective.weighs_late else (solution.lower, solution.total)
            self.progress(Progress(spent, *bounds, solution.nodes))
        return solution

    @property
    def _is_shared(self) -> bool:
        """Whether workers rank first guesses."""
        effort = self.effort
        several = effort.workers > 1 or effort.machines is not None
        return several and self.column is None and self.n > LARGEST_SET and effort.breadth is None

    def _work(self) -> None:
        """Search. Called again after a rest, it resumes where it stopped."""
        while True:
            if self.effort.breadth is not None:
                self._bound_only()
            elif self.column is not None:
                self._solve_opening(self.column)
            elif self.n <= LARGEST_SET:
                self._solve_as_one_set()
            else:
                self._rank()
            if self.lower <= self.ceiling:
                return
            if self.objective.kind != "worst":
                limit, word = self.objective.at_most, "" if self.column is None else f" from {self._word(self.column)}"
                raise WordleKitError(
                    f"no tree{word} solves every answer within {limit} guesses; ask for objective worst"
                )
            if self.left == LONGEST:
                raise WordleKitError(f"no tree solves every answer within {LONGEST} guesses")
            self._write_openings()  # the bounds so far are for this number of guesses left
            self.left += 1
            self.opening, self.standing, self.lower, self.upper = None, None, 0, NEVER

    def _word(self, column: int) -> str:
        return self.search.game.guesses[int(self.search.guesses[column])]

    def _bound_only(self) -> None:
        if self.column is None:
            self.lower, self.is_exact = self.search.bound(self.search.everything, self.left)
            return
        opening = Opening(self.search, self.column, self.left)
        opening.bound()
        self.lower, self.is_exact = opening.lower, opening.is_exact

    def _solve_opening(self, column: int) -> None:
        if self.opening is None:
            self.opening = Opening(self.search, column, self.left)
        if self.progress is not None and self.ceiling == NEVER:
            self.opening.guess_quickly(QUICK)
        self.opening.solve(self.ceiling)
        self.lower, self.is_exact = self.opening.lower, self.opening.is_exact

    def _solve_as_one_set(self) -> None:
        everything = self.search.everything
        self.lower = max(self.lower, self.search.bound(everything, self.left)[0])
        self.lower = self.search.solve(everything, self.left, self.ceiling)
        self.is_exact = self.lower <= self.ceiling

    def _rank(self) -> None:
        if self.standing is None:
            standing = Standing(self.left, limit=self.ceiling)
            for column, known in self._stored_openings().items():
                standing.learn(column, known)
            self.standing = standing
        if self.effort.workers == 1 and self.effort.machines is None:
            rank_all(self.search, self.standing, run_here(self.search), self._learn)
        else:
            try:
                with run_in_workers(self.search, self.effort.workers, self.effort.machines) as run:
                    rank_all(self.search, self.standing, run, self._learn)
            except WordleKitError:  # a worker died, for example: store the results so far
                self._write_openings()
                raise
        self.lower, self.is_exact = self.standing.least, self.standing.best is not None
        if self.standing.best is not None:
            self.lower = self.standing.exact[self.standing.best]

    def _stored_openings(self) -> dict[int, KnownCost]:
        """Return the stored results of first guesses. Raises StoreError if a search refutes one of them."""
        if self.store is None:
            return {}
        known = self.store.openings(self.left)
        wrong = find_contradiction(self.search, self.left, known)
        if wrong is not None:
            raise self.store.contradiction(self._word(wrong))
        return known

    def _learn(self, column: int, known: KnownCost) -> None:
        self._unwritten[column] = known
        if self.store is not None and time.monotonic() - self._written > WRITE:
            self._write_openings()

    def _write_openings(self) -> None:
        if self.store is not None and self._unwritten:
            self.store.keep_openings(self.left, self._unwritten)
            self._unwritten = {}
            self._written = time.monotonic()

    def _rest(self) -> None:
        if self.store is not None:
            self._write_openings()
            self.store.keep_sets()

    def _look(self) -> None:
        """Report the progress."""
        if self.progress is None:
            return
        lower, upper = self.lower, self.upper
        phase, done, total = "", 0, 0
        if self.standing is not None:
            best = self.standing.best
            lower, upper = self.standing.least, NEVER if best is None else self.standing.exact[best]
            phase, done, total = self.standing.phase.value, self.standing.done, self.standing.total
        elif self.opening is not None:
            lower, upper = self.opening.look()
        elif self.column is None and not self.is_exact:
            low, high = self.search.bounds_now
            lower, upper = max(lower, low), min(upper, high)
        unit = self.search.late if self.objective.weighs_late else 1
        self.progress(
            Progress(
                time.process_time() - self.begun,
                lower // unit / self.search.scale,
                None if upper >= NEVER else upper // unit / self.search.scale,
                self.search.nodes,
                phase,
                done,
                total,
            )
        )

    def _solution(self, ending: Ending, spent: float) -> Solution:
        search, answers = self.search, self.position.board.candidates
        exact = self.is_exact and ending is Ending.DONE
        before = tuple(zip(self.position.guess_ids, self.position.board.codes, strict=True))
        tree = Tree(search.game, self._tree(exact), before)
        lower = self._lower_now()
        try:
            tree.check()  # by playing it: every value is checked before it is called proved
        except TreeError as error:
            if search.game.hard_mode:  # sets of one or two candidates are not checked before
                raise search.forbidden_candidates() from error
            raise
        depths = np.array([len(tree.paths[answer]) - len(before) for answer in answers.tolist()])
        weights = weights_of(search.game, answers)
        is_late = depths > self.left if self.left >= 0 else np.zeros(self.n, dtype=np.bool_)
        played, units = self._cost_of(depths, is_late)
        if exact and played != lower:
            raise WordleKitError(f"the tree costs {played}, but {lower} was proved; please report this")
        lower_late, lower_total = divmod(min(lower, played), search.late) if self.left >= 0 else (0, min(lower, played))
        return Solution(
            game=search.game,
            objective=self.objective,
            total=float((depths * weights).sum()),
            lower=lower_total / search.scale,
            is_proved=(exact or lower == played) and not (units and self.ceiling < NEVER),
            weight=float(weights.sum()),
            counts=tuple(np.bincount(depths)[1:].tolist()),
            worst_lower=self.left + (lower_late > 0) if self.objective.kind == "worst" else 1,
            late=float((is_late * weights).sum()) if self.objective.weighs_late else 0.0,
            late_lower=lower_late / search.scale if self.objective.weighs_late else 0.0,
            tree=tree,
            nodes=search.nodes,
            seconds=spent,
            nbytes=search.nbytes,
            ending=ending,
        )

    def _cost_of(self, depths: npt.NDArray[np.int64], is_late: npt.NDArray[np.bool_]) -> tuple[int, int]:
        """Return the cost of play of these depths in the units of the search, and how often that includes `late`."""
        search = self.search
        scaled = np.zeros(len(search.game.answers), dtype=np.int64)
        scaled[search.candidates] = search.weights
        scaled = scaled[self.position.board.candidates]
        units = int((is_late * (scaled if self.objective.weighs_late else 1)).sum())
        return int((depths * scaled).sum()) + search.late * units, units

    def _lower_now(self) -> int:
        if self.standing is not None and not self.is_exact:
            return self.standing.least
        if self.opening is not None:
            return self.opening.lower
        return self.lower

    def _tree(self, exact: bool) -> Node:
        search, everything = self.search, self.search.everything
        breadth = self.effort.breadth or QUICK
        if self.standing is not None and self.standing.best is not None:
            best = Opening(search, self.standing.best, self.left)
            best.solve()
            return best.tree(breadth)
        if exact and self.opening is None:
            return search.tree(everything, self.left, first=self.column)
        if self.opening is not None and (exact or self.objective.kind != "worst"):
            if not exact:
                self.opening.guess_quickly(breadth)
            return self.opening.tree(breadth)
        with suppress(SearchStopped):
            if self.column is None:
                search.solve(everything, UNLIMITED, quick=breadth)
                return search.tree(everything, UNLIMITED, quick=breadth)
        opening = Opening(search, self.column or 0, UNLIMITED)
        opening.guess_quickly(breadth)
        return opening.tree(breadth)
