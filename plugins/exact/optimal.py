"""`optimal`: perfect play from a position, as a tree, with a proof or bounds."""

import math
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from wordle_kit_plugins.exact.memory import NEVER, UNLIMITED
from wordle_kit_plugins.exact.objective import LONGEST, Objective, weights_of
from wordle_kit_plugins.exact.progress import Progress, ProgressFile
from wordle_kit_plugins.exact.proof import Opening, Ranking
from wordle_kit_plugins.exact.search import DEFAULT_MEMORY, Search, SearchStopped

import wordle_kit as wk
from wordle_kit.errors import positive, whole
from wordle_kit.tournaments.pool import available_cores

LARGEST_SET = 255
"""The most candidates that are searched as one set for the best guess. For more, first guesses are ranked."""

QUICK = 2
"""The number of guesses tried per set for an upper bound, unless a breadth is given."""

REPORT_INTERVAL = 0.05
"""Seconds between two progress reports."""

Ending = Literal["done", "stopped", "interrupted"]
"""Why a search ended: it finished, reached a limit on seconds or nodes, or got Ctrl-C."""


@dataclass(frozen=True)
class Solution:
    """Perfect play from a position, or the best play found so far and the remaining gap."""

    game: wk.Game
    objective: Objective
    total: float
    """The sum over all candidates of the guesses that the tree needs, each times the candidate's weight."""
    lower: float
    """A lower bound of the total of all trees or, with `worst`, of all trees with the same worst depth."""
    is_proved: bool
    """Whether the tree is proved to be the best."""
    weight: float
    """The number of candidates, or the sum of their weights. The mean is the total divided by this number."""
    counts: tuple[int, ...]
    """How many candidates the tree solves with each guess, from the first on."""
    worst_lower: int
    """With `worst`, a lower bound of the worst depth of all trees, otherwise 1."""
    tree: wk.Tree
    nodes: int
    """The number of sets of candidates searched, not counting those searched by worker processes."""
    seconds: float
    """The CPU seconds of the search, not counting those of worker processes."""
    ending: Ending

    def __repr__(self) -> str:
        proved = "proved" if self.is_proved else "not proved"
        return (
            f"<Solution of {self.game.name}: {self.opener} first, mean {self.mean:.4f}, worst {self.worst}, {proved}>"
        )

    @property
    def opener(self) -> str:
        """The first guess of the tree."""
        return self.game.guesses[self.tree.root.guess]

    @property
    def mean(self) -> float:
        """The mean number of guesses of the tree."""
        return self.total / self.weight

    @property
    def worst(self) -> int:
        """The largest number of guesses that the tree needs."""
        return len(self.counts)


def optimal(
    game: wk.Game | str | Path,
    opener: str | None = None,
    *,
    after: Iterable[tuple[str, str | wk.Feedback]] = (),
    objective: str = "mean",
    at_most: int | None = None,
    breadth: int | None = None,
    order: str = "bound",
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    workers: int | None = None,
    progress: Path | str | None = None,
    watch: Callable[[Progress], None] | None = None,
) -> Solution:
    """Return perfect play of a one-board game, from the start or after some guesses, with a proof if it finishes.

    `game` is given as for `load_game`. `opener` is the next guess; by default, the best one is found.

    `objective` is `mean` (least total) or `worst` (least depth, then least total). With `mean`, `at_most` limits the
    depth of the tree. With `breadth`, only that many guesses are tried per set, and the result is an upper bound.
    `order` is the order in which guesses are tried: `bound`, or one of Tyl's estimators `statistical` and `entropic`.

    The search ends after `seconds` of real time (without compiling), after `nodes` searched sets, or at Ctrl-C, and
    returns the best tree so far. `memory` is in MB. `workers` is the number of processes that compare first guesses, by
    default one per core; with `nodes` it is one. `progress` is a file to which the bounds are written as they change.
    Openers that it already lists are read first, so the same search of all openers resumes from it. `watch` is called
    with the progress several times a second.

    Raises GameError if the game cannot be searched, and WordleKitError for other invalid arguments or if no tree
    exists.
    """
    game = wk.load_game(game)
    if game.boards != 1:
        raise wk.GameError(f"{game.name} has {game.boards} boards; perfect play is searched for one")
    if breadth is not None:
        whole("breadth", breadth, 1)
    if seconds is not None:
        positive("seconds", seconds)
    position = wk.Position.start(game)
    for guess, feedback in after:
        position = position.after(guess, feedback)
    if not position.open_boards:
        raise wk.GameError("the hidden word has been guessed already")
    if opener is not None and (problem := position.problem_with(opener)):
        raise wk.GameError(problem)
    search = Search(
        game,
        position.board.candidates,
        position.allowed,
        objective=Objective(objective, at_most),
        order=order,
        memory=whole("memory", memory, 1),
    )
    count = available_cores() if workers is None else whole("workers", workers, 1)
    if watch is not None:
        watch(Progress(0, 0, None, 0, "compiling"))
    search.load()
    if nodes is not None:
        count = 1
        search.limit_nodes(whole("nodes", nodes, 1))
    solver = Solver(position, search, opener, breadth, count, watch)
    if progress is None:
        return solver.solve(seconds)
    solver.file = ProgressFile(Path(progress), search, opener)
    with closing(solver.file):
        return solver.solve(seconds)


class Solver:
    """A search for perfect play from a position, and its results so far."""

    def __init__(
        self,
        position: wk.Position,
        search: Search,
        opener: str | None,
        breadth: int | None,
        workers: int,
        watch: Callable[[Progress], None] | None,
    ) -> None:
        self.position = position
        self.search = search
        self.opener = opener
        self.breadth = breadth
        self.workers = workers
        self.watch = watch
        self.file: ProgressFile | None = None
        self.is_worst = search.objective.kind == "worst"
        self.left = 1 if self.is_worst else search.objective.at_most or UNLIMITED
        self.ceiling = NEVER if self.left == UNLIMITED else search.late - 1
        """The largest cost of a tree that solves all candidates within the guesses left."""
        self.found: Opening | Ranking = Opening(search, None, self.left)

    def solve(self, seconds: float | None) -> Solution:
        """Search until finished or stopped, and return the solution."""
        begun = time.process_time()
        ending = self._search_until(math.inf if seconds is None else time.monotonic() + seconds, begun)
        spent = time.process_time() - begun
        self.search.resume()
        solution = self._solution(ending, spent)
        self._report(Progress(spent, solution.lower, solution.total, solution.nodes))
        return solution

    def _search_until(self, deadline: float, begun: float) -> Ending:
        """Search in another thread, so that Ctrl-C ends it, until the deadline on the clock of `time.monotonic`."""
        ending: Ending = "stopped"
        with ThreadPoolExecutor(1) as thread:
            searching = thread.submit(self._search)
            try:
                while (left := deadline - time.monotonic()) > 0 and not wait(
                    [searching], min(REPORT_INTERVAL, left)
                ).done:
                    self._report(self._progress(time.process_time() - begun))
            except KeyboardInterrupt:
                ending = "interrupted"
            finally:  # also if the deadline of a strategy interrupts the wait
                self.search.stop()
        try:
            searching.result()
        except SearchStopped:
            return ending
        return "done"

    def _search(self) -> None:
        """Search; for `worst`, with ever more guesses."""
        while True:
            self._search_within()
            if self.found.lower <= self.ceiling:
                return
            if not self.is_worst or self.left == LONGEST:
                start = "" if self.opener is None else f" from {self.opener}"
                advice = "" if self.is_worst else "; ask for objective worst"
                raise wk.WordleKitError(f"no tree{start} solves every answer within {self.left} guesses{advice}")
            self.left += 1

    def _search_within(self) -> None:
        """Search for a tree within the guesses left."""
        search = self.search
        if self.opener is None and self.breadth is None and len(search.everything) > LARGEST_SET:
            known = [] if self.file is None else self.file.settled(self.left)
            self.found = ranking = Ranking(search, self.left, self.ceiling, known, self.workers)
            ranking.find_best()
            return
        self.found = opening = Opening(search, None if self.opener is None else search.column(self.opener), self.left)
        if self.breadth is not None:
            opening.bound()
            return
        if self.opener is not None and self.ceiling == NEVER and (self.watch or self.file):
            opening.guess_quickly(QUICK)
        opening.solve(self.ceiling)

    def _progress(self, spent: float) -> Progress:
        found, scale = self.found, self.search.scale
        upper = None if found.upper >= NEVER else found.upper / scale
        return Progress(spent, found.lower / scale, upper, self.search.nodes, found.phase, found.done, found.total)

    def _report(self, now: Progress) -> None:
        if self.file is not None:
            self.file.write(now, self.found if isinstance(self.found, Ranking) else None)
        if self.watch is not None:
            self.watch(now)

    def _solution(self, ending: Ending, spent: float) -> Solution:
        search = self.search
        before = tuple(zip(self.position.guess_ids, self.position.board.codes, strict=True))
        tree = wk.Tree(search.game, self.found.tree(self.breadth or QUICK), before)
        tree.check()  # plays the tree, so every value is checked before it is called proved
        depths = np.array([len(tree.paths[answer]) - len(before) for answer in search.candidates.tolist()])
        weights = weights_of(search.game, search.candidates)
        late = int((depths > self.left).sum()) if self.left >= 0 else 0
        cost = int((depths * search.weights).sum()) + search.late * late
        if self.found.is_exact and ending == "done" and cost != self.found.lower:
            raise wk.WordleKitError(f"the tree costs {cost}, but {self.found.lower} was proved; please report this")
        lower = min(self.found.lower, cost)
        least_late, least_total = divmod(lower, search.late) if self.left >= 0 else (0, lower)
        return Solution(
            game=search.game,
            objective=search.objective,
            total=float((depths * weights).sum()),
            lower=least_total / search.scale,
            is_proved=lower == cost <= self.ceiling,
            weight=float(weights.sum()),
            counts=tuple(np.bincount(depths)[1:].tolist()),
            worst_lower=self.left + (least_late > 0) if self.is_worst else 1,
            tree=tree,
            nodes=search.nodes,
            seconds=spent,
            ending=ending,
        )
