"""`optimal`: perfect play from a position, with a tree, and a proof or bounds."""

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from wordle_kit_plugins.exact.checkpoint import Checkpoint
from wordle_kit_plugins.exact.memory import NEVER, UNLIMITED, SearchStopped, forbidden_candidates
from wordle_kit_plugins.exact.objective import LONGEST, Objective, weights_of
from wordle_kit_plugins.exact.proof import (
    QUICK,
    KnownCost,
    Opening,
    Standing,
    find_contradiction,
    rank_all,
    run_here,
    run_in_workers,
)
from wordle_kit_plugins.exact.search import DEFAULT_MEMORY, ORDERS, Search, best_tree

from wordle_kit.api import load_game
from wordle_kit.errors import GameError, TreeError, WordleKitError, listed, positive, whole
from wordle_kit.files import path_of
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Feedback
from wordle_kit.strategy.position import Position
from wordle_kit.texts import shown
from wordle_kit.trees import Node, Tree

LARGEST_SET = 255
"""The most candidates that are searched as one set to find the best guess. For more, first guesses are ranked."""

REPORT_INTERVAL = 0.1
"""The seconds between two reports of progress."""

PAUSE = 30.0
"""The seconds between two checkpoints of solved sets."""

WRITE = 5.0
"""The seconds between two checkpoints of first guesses."""


class Ending(StrEnum):
    """Why a search was no longer waited for."""

    DONE = "done"
    TIME = "out of time"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Progress:
    """The progress of a search, with bounds in guesses. The upper bound is None until one is known."""

    seconds: float
    """The CPU seconds of this process since the search began."""
    lower: float
    upper: float | None
    nodes: int
    phase: str = ""
    """The current step while first guesses are ranked. It is finished for `done` of `total` guesses."""
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Solution:
    """Perfect play from a position; or the best play found so far, and the remaining gap."""

    game: Game
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
    tree: Tree
    nodes: int
    seconds: float
    """The CPU seconds of the search, without those of its workers."""
    nbytes: int
    """The bytes of memory of the search, without those of its workers."""
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


class Effort(NamedTuple):
    """How to search: the order of guesses, and the resources that the search may use."""

    order: str
    memory: int
    """The bytes of memory that the search may use."""
    breadth: int | None
    """The number of guesses to try per set, or None for all."""
    workers: int
    seconds: float | None


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
        self.column = None if opener is None else int(self.search.memory.column_of[opener])
        self.left, self.ceiling = UNLIMITED, NEVER
        if objective.at_most is not None:
            self.left, self.ceiling = objective.at_most, self.search.late - 1
        elif objective.kind == "worst":
            self.left, self.ceiling = 1, self.search.late - 1
        self.opening: Opening | None = None
        self.standing: Standing | None = None
        self.lower = 0
        self.is_exact = False
        self.begun = time.process_time()
        self.store: Checkpoint | None = None
        self._unwritten: dict[int, KnownCost] = {}
        self._written = time.monotonic()

    def solve(self, checkpoint: Path | None, fresh: bool) -> Solution:
        """Search until the search is finished or stopped, and return the solution."""
        self.search.load()
        self.begun = time.process_time()
        deadline = math.inf if self.effort.seconds is None else time.monotonic() + self.effort.seconds
        try:
            if checkpoint is not None:
                self.store = Checkpoint(checkpoint, self.search)
                if fresh:
                    self.store.forget()
                self.store.load_sets()
            ending = self._watch(deadline)
            if time.process_time() - self.begun > PAUSE / 3:
                self._rest()
        finally:
            if self.store is not None:
                self.store.close()
        self.search.memory.stop(False)
        spent = time.process_time() - self.begun
        solution = self._solution(ending, spent)
        if self.progress is not None:
            self.progress(Progress(spent, solution.lower, solution.total, solution.nodes))
        return solution

    def _watch(self, deadline: float) -> Ending:
        """Search in another thread until the deadline, a time of `time.monotonic`.

        Return whether the search is done, out of time or interrupted. Every PAUSE seconds, the search is stopped, its
        results are stored, and it continues. Its exceptions are raised here.
        """
        failures: list[BaseException] = []
        ended = threading.Event()  # when Ctrl-C interrupts Thread.join, it takes a running thread for ended

        def work() -> None:
            try:
                self._work()
            except BaseException as failure:
                failures.append(failure)
            finally:
                ended.set()

        memory, ending = self.search.memory, Ending.DONE
        while True:
            failures.clear()
            ended.clear()
            memory.stop(False)
            threading.Thread(target=work, daemon=True).start()
            pause_at = math.inf if self.store is None or self._is_shared else time.monotonic() + PAUSE
            wait = 0.002
            try:
                while not ended.wait(wait):
                    wait = min(REPORT_INTERVAL, 2 * wait)
                    self._look()
                    now = time.monotonic()
                    if now > deadline:
                        ending = Ending.TIME
                    if now > min(deadline, pause_at):
                        memory.stop()
                        pause_at = math.inf
            except KeyboardInterrupt:
                ending = Ending.INTERRUPTED
            memory.stop()
            ended.wait()
            if not failures:
                return Ending.DONE
            if not isinstance(failures[0], SearchStopped):
                raise failures[0]
            self._rest()
            if ending is not Ending.DONE:
                return ending

    @property
    def _is_shared(self) -> bool:
        """Whether worker processes rank first guesses."""
        effort = self.effort
        return effort.workers > 1 and self.column is None and self.n > LARGEST_SET and effort.breadth is None

    def _work(self) -> None:
        """Search. When it is called again after a stop, it continues where it stopped."""
        everything = self.search.memory.everything
        while True:
            if self.column is not None:
                self._search_opening(self.column)
            elif self.effort.breadth is not None:
                self.lower, self.is_exact = self.search.bound(everything, self.left)
            elif self.n <= LARGEST_SET:
                self.lower = max(self.lower, self.search.bound(everything, self.left)[0])
                self.lower = self.search.solve(everything, self.left, self.ceiling)
                self.is_exact = self.lower <= self.ceiling
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
            self.opening, self.standing, self.lower = None, None, 0

    def _word(self, column: int) -> str:
        return self.search.game.guesses[int(self.search.memory.guesses[column])]

    def _search_opening(self, column: int) -> None:
        """Search a first guess. With a breadth, only compute its bounds."""
        opening = self.opening or Opening(self.search, column, self.left)
        if self.effort.breadth is not None:
            opening.bound()
        else:
            self.opening = opening
            if self.progress is not None and self.ceiling == NEVER:
                opening.guess_quickly(QUICK)
            opening.solve(self.ceiling)
        self.lower, self.is_exact = opening.lower, opening.is_exact

    def _rank(self) -> None:
        if self.standing is None:
            standing = Standing(self.left, limit=self.ceiling)
            for column, known in self._stored_openings().items():
                standing.learn(column, known)
            self.standing = standing
        try:
            if self._is_shared:
                with run_in_workers(self.search, self.effort.workers) as run:
                    rank_all(self.search, self.standing, run, self._learn)
            else:
                rank_all(self.search, self.standing, run_here(self.search), self._learn)
        except WordleKitError:  # for example, a worker died: store the results so far
            self._write_openings()
            raise
        self.lower, self.is_exact = self.standing.least, self.standing.best is not None

    def _stored_openings(self) -> dict[int, KnownCost]:
        """Return the stored results for first guesses. Raises StoreError if the search refutes one of them."""
        if self.store is None:
            return {}
        known = self.store.openings(self.left)
        wrong = find_contradiction(self.search, self.left, known)
        if wrong is not None:
            raise self.store.damaged(f"it claims a cost of {self._word(wrong)} that a search refutes")
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
        standing, memory = self.standing, self.search.memory
        lower, upper = self.lower, NEVER
        if standing is not None:
            lower, upper = standing.least, min(standing.exact.values(), default=NEVER)
        elif self.opening is not None:
            lower, upper = self.opening.look()
        elif self.column is None and not self.is_exact:
            lower, upper = max(lower, memory.bounds[0]), memory.bounds[1]
        least = lower / self.search.scale
        most = None if upper >= NEVER else upper / self.search.scale
        step = ("", 0, 0) if standing is None else (standing.phase.value, standing.done, standing.total)
        self.progress(Progress(time.process_time() - self.begun, least, most, memory.nodes, *step))

    def _solution(self, ending: Ending, spent: float) -> Solution:
        search, answers = self.search, self.position.board.candidates
        exact = self.is_exact and ending is Ending.DONE
        before = tuple(zip(self.position.guess_ids, self.position.board.codes, strict=True))
        tree = Tree(search.game, self._tree(exact), before)
        known = self.standing.least if self.standing is not None else self.lower
        lower = known if self.opening is None else self.opening.lower
        try:
            tree.check()  # plays the tree: every value is checked before it is called proved
        except TreeError as error:
            if search.game.hard_mode:  # sets of one or two candidates have not been checked
                raise forbidden_candidates(search.game) from error
            raise
        depths = np.array([len(tree.paths[answer]) - len(before) for answer in answers.tolist()])
        weights = weights_of(search.game, answers)
        is_late = depths > self.left if self.left >= 0 else np.zeros(self.n, dtype=np.bool_)
        scaled = search.weights[np.argsort(search.memory.candidates)]  # in the order of the answers
        units = int(is_late.sum())
        played = int((depths * scaled).sum()) + search.late * units
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
            tree=tree,
            nodes=search.memory.nodes,
            seconds=spent,
            nbytes=search.memory.nbytes,
            ending=ending,
        )

    def _tree(self, exact: bool) -> Node:
        search, everything = self.search, self.search.memory.everything
        breadth = self.effort.breadth or QUICK
        if self.standing is not None and self.standing.best is not None:
            best = Opening(search, self.standing.best, self.left)
            best.solve()
            return best.tree(breadth)
        if exact and self.opening is None:
            return best_tree(search, everything, self.left, first=self.column)
        if self.opening is not None and (exact or self.objective.kind != "worst"):
            if not exact:
                self.opening.guess_quickly(breadth)
            return self.opening.tree(breadth)
        if self.column is None:
            search.solve(everything, UNLIMITED, quick=breadth)
            return best_tree(search, everything, UNLIMITED, quick=breadth)
        opening = Opening(search, self.column, UNLIMITED)
        opening.guess_quickly(breadth)
        return opening.tree(breadth)


def optimal(
    game: Game | str | Path,
    opener: str | None = None,
    *,
    after: Iterable[tuple[str, str | Feedback]] = (),
    objective: str = "mean",
    at_most: int | None = None,
    breadth: int | None = None,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
    order: str = "bound",
    workers: int = 1,
    checkpoint: Path | str | None = None,
    fresh: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Return perfect play of a one-board game, from the start or after some guesses, with a proof if it is finished.

    `game` is given as for `load_game`. `opener` is the next guess. By default, the best next guess is found.

    `objective` is `mean` (least total) or `worst` (least depth, then least total). With `mean`, `at_most` limits the
    depth of the tree. With `breadth`, only so many guesses are tried per set, and the result is an upper bound.

    `workers` is the number of processes that compare first guesses. The search ends after `seconds` of real time
    (without compiling), or at Ctrl-C. It then returns the best tree so far. `memory` is in bytes. `checkpoint` is a
    file in which the state of the search is stored. A later call resumes from it, unless `fresh` is true. Raises
    GameError if the game cannot be searched.
    """
    game = load_game(game)
    effort = Effort(order, memory, breadth, workers, seconds)
    _check(game, effort)
    position = Position.start(game)
    for move in listed(after):
        if not isinstance(move, tuple | list) or len(move) != 2:
            raise GameError(
                f"after: {shown(move)} is not a guess with its feedback; give pairs such as ('crane', '00210')"
            )
        position = position.after(*move)
    if not position.open_boards:
        raise GameError("the hidden word has been guessed already")
    if opener is not None and (problem := position.allows(opener)):
        raise GameError(problem)
    column = None if opener is None else game.guess_ids[opener]
    solver = Solver(position, column, Objective.read(objective, at_most), effort, progress)
    return solver.solve(None if checkpoint is None else path_of("checkpoint", checkpoint), fresh)


def _check(game: Game, effort: Effort) -> None:
    """Raise GameError if the game cannot be searched, or not with these settings."""
    if game.boards != 1:
        raise GameError(f"{game.name} has {game.boards} boards; perfect play is searched for one")
    if not isinstance(effort.order, str) or effort.order not in ORDERS:
        raise GameError(f"{shown(effort.order)} is not an order of search; choose {', '.join(ORDERS)}")
    for name, value in (("breadth", effort.breadth), ("workers", effort.workers), ("memory", effort.memory)):
        if value is not None:
            whole(name, value, 1)
    if effort.seconds is not None:
        positive("seconds", effort.seconds)
