"""Perfect play from a position: its value, bounds that close, and a tree, checked by playing it."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from wordle_kit.api import load_game
from wordle_kit.arguments import listed, path_of, positive, whole
from wordle_kit.errors import GameError, WordleKitError
from wordle_kit.exact.checkpoint import Checkpoint
from wordle_kit.exact.compiled.workspace import NEVER
from wordle_kit.exact.objective import LONGEST, Objective, weights_of
from wordle_kit.exact.opening import QUICK, Opening
from wordle_kit.exact.parallel import run_in_workers
from wordle_kit.exact.proof import Known, Standing, rank_all, refuted, run_here
from wordle_kit.exact.search import DEFAULT_MEMORY, ORDERS, Search, Stopped
from wordle_kit.exact.solution import Progress, Solution
from wordle_kit.exact.watch import Ending, watched
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Feedback
from wordle_kit.names import shown
from wordle_kit.strategy.position import Position
from wordle_kit.trees.tree import Node, Tree

AT_ONCE = 255
"""Up to so many candidates the best first guess is searched as one set; beyond, first guesses are ranked."""

PAUSE = 30.0
"""Seconds between two checkpoints."""


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
    """Return perfect play of a one-board game, from the start or after some guesses, with a proof where it is finished.

    The game may be given as `load_game` takes it. `opener` is the next guess; without it the best of all is found.
    `objective` is mean (least total), worst (least depth, then total) or within-K (most candidates solved by the next K
    guesses, then least total); `at_most` with mean asks for trees no deeper. `breadth` tries only so many guesses a
    set, which gives an upper bound. `seconds` of the clock, compiling not counted, or Ctrl-C end the search early, with
    the best tree so far. `memory` is in bytes. `checkpoint` is a file that keeps what is known, from which a later call
    goes on unless it is `fresh`. Raises GameError for what cannot be searched.
    """
    game = load_game(game)
    position = Position.start(_checked(game, memory, order, breadth, seconds, workers))
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
    run = _Run(
        position,
        None if opener is None else game.guess_ids[opener],
        Objective.read(objective, at_most),
        order,
        memory,
        breadth,
        workers,
        progress,
    )
    return run.carry_out(seconds, None if checkpoint is None else path_of("checkpoint", checkpoint), fresh)


def _checked(game: Game, memory: int, order: str, breadth: int | None, seconds: float | None, workers: int) -> Game:
    if game.boards != 1:
        raise GameError(f"{game.name} has {game.boards} boards; perfect play is searched for one")
    if order not in ORDERS:
        raise GameError(f"{shown(order)} is not an order of search; choose {', '.join(ORDERS)}")
    for name, value in (("breadth", breadth), ("workers", workers), ("memory", memory)):
        if value is not None:
            whole(name, value, 1)
    if seconds is not None:
        positive("seconds", seconds)
    return game


class _Run:
    """One call of `optimal`: what is searched, and what is known by now."""

    def __init__(
        self,
        position: Position,
        opener: int | None,
        objective: Objective,
        order: str,
        memory: int,
        breadth: int | None,
        workers: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.position = position
        self.objective = objective
        self.breadth = breadth
        self.workers = workers
        self.progress = progress
        candidates = position.board.candidates
        self.search = Search(
            position.game, candidates, position.allowed, objective=objective, order=order, memory=memory
        )
        self.n = len(candidates)
        self.column = None if opener is None else int(self.search.column_of[opener])
        self.left, self.ceiling = -1, NEVER
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
        self._unwritten: dict[int, Known] = {}
        self._written = time.monotonic()

    def carry_out(self, seconds: float | None, path: Path | None, fresh: bool) -> Solution:
        """Search until it is finished or stopped, and return what came out, checked."""
        self.search.load()
        self.begun = time.process_time()
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            if path is not None:
                self.store = Checkpoint(path, self.search)
                if fresh:
                    self.store.forget()
                self.store.load_sets()
            ending = watched(
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
        return self._solution(ending, spent)

    @property
    def _is_shared(self) -> bool:
        """Whether first guesses are ranked in workers."""
        return self.workers > 1 and self.column is None and self.n > AT_ONCE and self.breadth is None

    def _work(self) -> None:
        """Search. Called again after a rest, it goes on where it was."""
        while True:
            if self.breadth is not None:
                self._bound_only()
            elif self.column is not None:
                self._solve_opening(self.column)
            elif self.n <= AT_ONCE:
                self._solve_at_once()
            else:
                self._rank()
            if self.lower <= self.ceiling:
                return
            if self.objective.kind != "worst":
                own = (
                    "" if self.column is None else f" from {self.search.game.guesses[self.search.guesses[self.column]]}"
                )
                limit = self.objective.at_most
                raise WordleKitError(
                    f"no tree{own} solves every answer within {limit} guesses; ask for objective worst"
                )
            if self.left == LONGEST:
                raise WordleKitError(f"no tree solves every answer within {LONGEST} guesses")
            self._write_openings()  # what is known so far is of so many guesses left and no others
            self.left += 1
            self.opening, self.standing, self.lower, self.upper = None, None, 0, NEVER

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

    def _solve_at_once(self) -> None:
        everything = self.search.everything
        self.lower = max(self.lower, self.search.bound(everything, self.left)[0])
        self.lower = self.search.solve(everything, self.left, self.ceiling)
        self.is_exact = self.lower <= self.ceiling

    def _rank(self) -> None:
        if self.standing is None:
            standing = Standing(self.left, limit=self.ceiling)
            for column, what in self._kept_openings().items():
                standing.learn(column, what)
            self.standing = standing
        if self.workers == 1:
            rank_all(self.search, self.standing, run_here(self.search), self._learnt)
        else:
            try:
                with run_in_workers(self.search, self.workers) as run:
                    rank_all(self.search, self.standing, run, self._learnt)
            except WordleKitError:  # a worker died, say: keep what is known by then
                self._write_openings()
                raise
        self.lower, self.is_exact = self.standing.least, self.standing.best is not None
        if self.standing.best is not None:
            self.lower = self.standing.exact[self.standing.best]

    def _kept_openings(self) -> dict[int, Known]:
        """Return what the checkpoint has of first guesses. Raises StoreError where a search finds it untrue."""
        if self.store is None:
            return {}
        known = self.store.openings(self.left)
        wrong = refuted(self.search, self.left, known)
        if wrong is not None:
            word = self.search.game.guesses[self.search.guesses[wrong]]
            raise self.store.contradicted(f"a cost of {word} that a search refutes")
        return known

    def _learnt(self, column: int, known: Known) -> None:
        self._unwritten[column] = known
        if self.store is not None and time.monotonic() - self._written > 5:
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
        if self.progress is None:
            return
        lower, upper = self.lower, self.upper
        phase, done, total = "", 0, 0
        if self.standing is not None:
            best = self.standing.best
            lower, upper = self.standing.least, NEVER if best is None else self.standing.exact[best]
            phase, done, total = self.standing.phase, self.standing.done, self.standing.total
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
        search = self.search
        exact = self.is_exact and ending is Ending.DONE
        before = tuple(zip(self.position.guess_ids, self.position.board.codes, strict=True))
        tree = Tree(search.game, self._tree(exact), before)
        lower = self._lower_now()
        tree.check()  # by playing it: every value is checked before it is called proved
        depths = np.array([len(tree.paths[answer]) - len(before) for answer in self.position.board.candidates.tolist()])
        counts = np.bincount(depths)[1:]
        weights = weights_of(search.game, self.position.board.candidates)
        scaled = np.zeros(len(search.game.answers), dtype=np.int64)
        scaled[search.candidates] = search.weights
        scaled = scaled[self.position.board.candidates]
        is_late = depths > self.left if self.left >= 0 else np.zeros(self.n, dtype=np.bool_)
        units = int((is_late * (scaled if self.objective.weighs_late else 1)).sum())
        played = int((depths * scaled).sum()) + search.late * units
        if exact and played != lower:
            raise WordleKitError(f"the tree costs {played} and not {lower} as proved; please report this")
        lower_late, lower_total = divmod(min(lower, played), search.late) if self.left >= 0 else (0, min(lower, played))
        return Solution(
            game=search.game,
            objective=self.objective,
            total=float((depths * weights).sum()),
            lower=lower_total / search.scale,
            is_proved=(exact or lower == played) and not (units and self.ceiling < NEVER),
            weight=float(weights.sum()),
            counts=tuple(counts.tolist()),
            worst_lower=self.left + (lower_late > 0) if self.objective.kind == "worst" else 1,
            late=float((is_late * weights).sum()) if self.objective.weighs_late else 0.0,
            late_lower=lower_late / search.scale if self.objective.weighs_late else 0.0,
            tree=tree,
            nodes=search.nodes,
            seconds=spent,
            nbytes=search.nbytes,
            ending=ending,
        )

    def _lower_now(self) -> int:
        if self.standing is not None and not self.is_exact:
            return self.standing.least
        if self.opening is not None:
            return self.opening.lower
        return self.lower

    def _tree(self, exact: bool) -> Node:
        search, everything = self.search, self.search.everything
        breadth = self.breadth or QUICK
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
        with suppress(Stopped):
            if self.column is None:
                search.solve(everything, -1, quick=breadth)
                return search.tree(everything, -1, quick=breadth)
        opening = Opening(search, self.column or 0, -1)
        opening.guess_quickly(breadth)
        return opening.tree(breadth)
