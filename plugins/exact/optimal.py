"""`optimal`: perfect play from a position, with a tree, and a proof or bounds."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from wordle_kit_plugins.exact.memory import NEVER, UNLIMITED, SearchStopped, forbidden_candidates
from wordle_kit_plugins.exact.objective import LONGEST, Objective, weights_of
from wordle_kit_plugins.exact.progress import Progress, ProgressFile
from wordle_kit_plugins.exact.proof import Opening, Ranking, run_here, run_in_workers
from wordle_kit_plugins.exact.search import DEFAULT_MEMORY, Search, best_tree

import wordle_kit as wk
from wordle_kit.errors import listed, positive, whole
from wordle_kit.files import path_of
from wordle_kit.pool import available_cores
from wordle_kit.texts import shown

LARGEST_SET = 255
"""The most candidates that are searched as one set to find the best guess. For more, first guesses are ranked."""

QUICK = 2
"""The number of guesses tried per set for an upper bound, unless a breadth is given."""

REPORT_INTERVAL = 0.1
"""The seconds between two reports of progress."""

Ending = Literal["done", "stopped", "interrupted"]
"""Why a search ended: it was finished, it reached a limit of seconds or nodes, or Ctrl-C."""


@dataclass(frozen=True)
class Solution:
    """Perfect play from a position; or the best play found so far, and the remaining gap."""

    game: wk.Game
    objective: Objective
    total: float
    """The sum over all candidates of the guesses that the tree needs, each times the candidate's weight."""
    lower: float
    """A lower bound of the total of all trees. With `worst`, it is for trees with the same worst depth."""
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
    """The number of sets of candidates that were searched, without those of worker processes."""
    seconds: float
    """The CPU seconds of the search, without those of worker processes."""
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

    @cached_property
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
    """Return perfect play of a one-board game, from the start or after some guesses, with a proof if it is finished.

    `game` is given as for `load_game`. `opener` is the next guess. By default, the best next guess is found.

    `objective` is `mean` (least total) or `worst` (least depth, then least total). With `mean`, `at_most` limits the
    depth of the tree. With `breadth`, only so many guesses are tried per set, and the result is an upper bound. `order`
    is `bound`, or one of Tyl's estimators `statistical` and `entropic`, by which guesses are tried.

    The search ends after `seconds` of real time (without compiling), after `nodes` searched sets, or at Ctrl-C. It then
    returns the best tree so far. `memory` is in MB. `workers` is the number of processes that compare first guesses, by
    default one per core; with `nodes` it is one. `progress` is a file to which the bounds are written as they change.
    What it says about openers is read first, so the same search of all openers resumes from it. `watch` is called with
    the progress several times a second.

    Raises GameError if the game cannot be searched, and WordleKitError for other arguments or if no tree exists.
    """
    game = wk.load_game(game)
    if game.boards != 1:
        raise wk.GameError(f"{game.name} has {game.boards} boards; perfect play is searched for one")
    if breadth is not None:
        whole("breadth", breadth, 1)
    if seconds is not None:
        positive("seconds", seconds)
    position = wk.Position.start(game)
    for move in listed(after):
        if not isinstance(move, tuple | list) or len(move) != 2:
            raise wk.GameError(
                f"after: {shown(move)} is not a guess with its feedback; give pairs such as ('crane', '00210')"
            )
        position = position.after(*move)
    if not position.open_boards:
        raise wk.GameError("the hidden word has been guessed already")
    if opener is not None and (problem := position.allows(opener)):
        raise wk.GameError(problem)
    search = Search(
        game,
        position.board.candidates,
        position.allowed,
        objective=Objective.read(objective, at_most),
        order=order,
        memory=whole("memory", memory, 1),
    )
    count = available_cores() if workers is None else whole("workers", workers, 1)
    solver = Solver(position, search, opener, breadth, 1 if nodes else count, watch)
    if watch is not None:
        watch(Progress(0, 0, None, 0, "compiling"))
    search.load()
    if nodes is not None:
        search.memory.limit_nodes(whole("nodes", nodes, 1))
    if progress is not None:
        solver.file = ProgressFile(path_of("progress", progress), search, opener)
    try:
        return solver.solve(seconds)
    finally:
        if solver.file is not None:
            solver.file.close()


class Solver:
    """A search for perfect play, and its results so far."""

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
        self.objective = search.objective
        self.opener = opener
        self.breadth = breadth
        self.workers = workers
        self.watch = watch
        self.file: ProgressFile | None = None
        self.left = 1 if self.objective.kind == "worst" else self.objective.at_most or UNLIMITED
        self.ceiling = NEVER if self.left == UNLIMITED else search.late - 1
        """The largest cost of a tree that solves all candidates in the guesses left."""
        self.opening: Opening | None = None
        self.ranking: Ranking | None = None
        self.lower = 0
        self.is_exact = False

    def solve(self, seconds: float | None) -> Solution:
        """Search until the search is finished or stopped, and return the solution."""
        self.begun = time.process_time()
        ending = self._run(None if seconds is None else time.monotonic() + seconds)
        spent = time.process_time() - self.begun
        self.search.memory.resume()
        solution = self._solution(ending, spent)
        self._report(Progress(spent, solution.lower, solution.total, solution.nodes))
        return solution

    def _run(self, deadline: float | None) -> Ending:
        """Search in another thread, so that Ctrl-C ends it, until the deadline, a time of `time.monotonic`."""
        failures: list[BaseException] = []
        ended = threading.Event()  # when Ctrl-C interrupts Thread.join, it takes a running thread for ended

        def work() -> None:
            try:
                self._search()
            except BaseException as failure:
                failures.append(failure)
            finally:
                ended.set()

        threading.Thread(target=work, daemon=True).start()
        ending: Ending = "stopped"
        wait = 0.002
        try:
            while not ended.wait(wait) and (deadline is None or time.monotonic() < deadline):
                wait = min(REPORT_INTERVAL, 2 * wait)
                self._look()
        except KeyboardInterrupt:
            ending = "interrupted"
        finally:  # also if the deadline of a strategy interrupts the wait
            self.search.memory.stop()
            ended.wait()
        if not failures:
            return "done"
        if not isinstance(failures[0], SearchStopped):
            raise failures[0]
        return ending

    def _search(self) -> None:
        """Search, for `worst` with ever more guesses."""
        while True:
            if self.opener is not None:
                self._search_opening(self.search.column(self.opener))
            else:
                self._search_all()
            if self.lower <= self.ceiling:
                return
            if self.objective.kind != "worst":
                start = "" if self.opener is None else f" from {self.opener}"
                raise wk.WordleKitError(
                    f"no tree{start} solves every answer within {self.left} guesses; ask for objective worst"
                )
            if self.left == LONGEST:
                raise wk.WordleKitError(f"no tree solves every answer within {LONGEST} guesses")
            self.left += 1
            self.opening, self.ranking, self.lower = None, None, 0

    def _search_opening(self, column: int) -> None:
        self.opening = Opening(self.search, column, self.left)
        if self.breadth is not None:
            self.opening.bound()
        else:
            if (self.watch or self.file) and self.ceiling == NEVER:
                self.opening.guess_quickly(QUICK)
            self.opening.solve(self.ceiling)
        self.lower, self.is_exact = self.opening.lower, self.opening.is_exact

    def _search_all(self) -> None:
        search, everything = self.search, self.search.memory.everything
        if self.breadth is not None:
            self.lower, self.is_exact = search.bound(everything, self.left)
        elif len(everything) <= LARGEST_SET:
            self.lower = search.bound(everything, self.left)[0]
            self.lower = search.solve(everything, self.left, self.ceiling)
            self.is_exact = self.lower <= self.ceiling
        else:
            known = {} if self.file is None else self.file.settled(self.left)
            self.ranking = ranking = Ranking(search, self.left, self.ceiling, known)
            if self.workers > 1:
                with run_in_workers(ranking, self.workers) as run:
                    ranking.find_best(run)
            else:
                ranking.find_best(run_here(ranking))
            self.lower, self.is_exact = ranking.least, ranking.best is not None

    def _look(self) -> None:
        """Report the bounds so far. It is called while another thread searches."""
        if self.watch is None and self.file is None:
            return
        lower, upper, ranking, opening = self.lower, NEVER, self.ranking, self.opening
        if ranking is not None:
            lower, upper = ranking.least, min(ranking.exact.values(), default=NEVER)
        elif opening is not None:
            lower, upper = opening.look()
        elif not self.is_exact:
            lower, upper = max(lower, self.search.bounds[0]), self.search.bounds[1]
        scale = self.search.scale
        step = ("", 0, 0) if ranking is None else (ranking.phase, ranking.done, ranking.total)
        self._report(
            Progress(
                time.process_time() - self.begun,
                lower / scale,
                None if upper >= NEVER else upper / scale,
                self.search.memory.nodes,
                *step,
            )
        )

    def _report(self, now: Progress) -> None:
        if self.file is not None:
            self.file.write(now, self.ranking)
        if self.watch is not None:
            self.watch(now)

    def _solution(self, ending: Ending, spent: float) -> Solution:
        search, answers = self.search, self.position.board.candidates
        exact = self.is_exact and ending == "done"
        before = tuple(zip(self.position.guess_ids, self.position.board.codes, strict=True))
        tree = wk.Tree(search.game, self._tree(exact), before)
        if self.ranking is not None:
            lower = self.ranking.least
        else:
            lower = self.lower if self.opening is None else self.opening.lower
        try:
            tree.check()  # plays the tree: every value is checked before it is called proved
        except wk.TreeError as error:
            if search.game.hard_mode:  # sets of one or two candidates have not been checked
                raise forbidden_candidates(search.game) from error
            raise
        depths = np.array([len(tree.paths[answer]) - len(before) for answer in answers.tolist()])
        weights = weights_of(search.game, answers)
        scaled = search.weights[np.argsort(search.memory.candidates)]  # in the order of the answers
        late = int((depths > self.left).sum()) if self.left >= 0 else 0
        played = int((depths * scaled).sum()) + search.late * late
        if exact and played != lower:
            raise wk.WordleKitError(f"the tree costs {played}, but {lower} was proved; please report this")
        lower_late, lower_total = divmod(min(lower, played), search.late) if self.left >= 0 else (0, min(lower, played))
        return Solution(
            game=search.game,
            objective=self.objective,
            total=float((depths * weights).sum()),
            lower=lower_total / search.scale,
            is_proved=(exact or lower == played) and not (late and self.ceiling < NEVER),
            weight=float(weights.sum()),
            counts=tuple(np.bincount(depths)[1:].tolist()),
            worst_lower=self.left + (lower_late > 0) if self.objective.kind == "worst" else 1,
            tree=tree,
            nodes=search.memory.nodes,
            seconds=spent,
            ending=ending,
        )

    def _tree(self, exact: bool) -> wk.Node:
        """Return a perfect tree; or one from a quick search, where the search was stopped."""
        search, everything = self.search, self.search.memory.everything
        quick = self.breadth or QUICK
        opening = self.opening
        if self.ranking is not None and self.ranking.best is not None:
            opening = Opening(search, self.ranking.best, self.left)
            opening.solve()
        if opening is not None:
            return opening.tree(quick)
        return best_tree(search, everything, self.left, quick=0 if exact else quick)
