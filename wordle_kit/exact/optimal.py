"""`optimal`: perfect play from a position, with a tree, and a proof or bounds."""

from collections.abc import Callable, Iterable
from pathlib import Path

from wordle_kit.api import load_game
from wordle_kit.arguments import listed, path_of, positive, whole
from wordle_kit.errors import GameError
from wordle_kit.exact.objective import Objective
from wordle_kit.exact.search import DEFAULT_MEMORY, ORDERS
from wordle_kit.exact.solution import Progress, Solution
from wordle_kit.exact.solver import Effort, Solver
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Feedback
from wordle_kit.names import shown
from wordle_kit.strategy.position import Position
from wordle_kit.workers import Machines


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
    executor: Machines | None = None,
    checkpoint: Path | str | None = None,
    fresh: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Return perfect play of a one-board game, from the start or after some guesses, with a proof if it is finished.

    Pass the game as to `load_game`. `opener` is the next guess; without it, the best of all is found. `objective` is
    mean (least total), worst (least depth, then total) or within-K (most candidates solved by the next K guesses, then
    least total); `at_most` with mean limits the depth of the tree. `breadth` tries only that many guesses per set,
    which gives an upper bound. `workers` is the number of processes that compare first guesses; `executor` is a Cluster
    to use instead. `seconds` (of the clock, without compiling) or Ctrl-C end the search early, with the
    best tree so far. `memory` is in bytes. `checkpoint` is a file that stores the state of the search; a later call
    resumes from it unless it is `fresh`. Raises GameError if the game cannot be searched.
    """
    game = load_game(game)
    if executor is not None and not isinstance(executor, Machines):
        raise GameError(f"executor is {shown(executor)}; give a Cluster, or workers=N")
    effort = Effort(order, memory, breadth, workers if executor is None else executor.size, seconds, executor)
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
    """Raise GameError if the game or the effort is not one that can be searched."""
    if game.boards != 1:
        raise GameError(f"{game.name} has {game.boards} boards; perfect play is searched for one")
    if not isinstance(effort.order, str) or effort.order not in ORDERS:
        raise GameError(f"{shown(effort.order)} is not an order of search; choose {', '.join(ORDERS)}")
    for name, value in (("breadth", effort.breadth), ("workers", effort.workers), ("memory", effort.memory)):
        if value is not None:
            whole(name, value, 1)
    if effort.seconds is not None:
        positive("seconds", effort.seconds)
