"""Chunks: the puzzles that one strategy plays in a worker at a time, and what came of them."""

import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wordle_kit.deadline import Allotment, Budget
from wordle_kit.strategy.partition import SCORES
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.chance import Chance
from wordle_kit.tournaments.confirm import confirmed
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.workers import own_file

REFEREES_KEPT = 4


@dataclass(frozen=True)
class Task:
    """A chunk of puzzles for one strategy to play."""

    run: int
    chunk: int
    strategy: Strategy
    identity: str
    puzzles: Puzzles
    numbers: Sequence[int]
    """The number of each of these puzzles in the run, from 0."""
    chance: Chance
    deadline: float
    tournament: str
    """The call of `run_all` that made the task. What a strategy decided in an earlier call is not reused."""
    budget: Allotment | None = None


@dataclass(frozen=True)
class Played:
    """What came of a task: its plays, how often the strategy was asked, and how many seconds it thought."""

    plays: Sequence[Play]
    calls: int
    seconds: float
    unsure: int
    """The number of plays that ended as they did because of the machine: time, memory, or a process that ended."""
    lasted: float = 0.0
    """The seconds that the whole task took, including the time to start processes and to play puzzles again."""


def play_task(task: Task, folder: Path | None) -> Played:
    """Play a task and return what came of it. Runs in a worker; `folder` is the pool's, for the watchdog's file."""
    began = time.monotonic()
    watchdog = own_file(folder) if folder is not None else None
    referee = _referee(task, watchdog)
    referee.budget = task.budget.started() if task.budget is not None else Budget()
    calls, seconds = referee.calls, referee.seconds
    plays = referee.play(task.puzzles, task.numbers)
    calls, seconds, unsure = referee.calls - calls, referee.seconds - seconds, referee.unsure
    if task.strategy.is_untrusted:

        def again(some: Sequence[int]) -> list[Play]:
            puzzles = replace(task.puzzles, ids=tuple(task.puzzles.ids[i] for i in some))
            other = _referee(task, watchdog)
            other.budget = task.budget.share(2).started() if task.budget is not None else Budget()
            return other.play(puzzles, [task.numbers[i] for i in some])

        plays = confirmed(plays, again, task.strategy.stochastic, f"{task.chance.key}|{task.chunk}")
    return Played(plays, calls, seconds, unsure, time.monotonic() - began)


_referees: OrderedDict[tuple[object, ...], Referee] = OrderedDict()
"""The referees that this process used last, so that the chunks of a strategy share its decisions."""


def _referee(task: Task, watchdog: Path | None) -> Referee:
    key = (task.puzzles.game, task.identity, task.chance, task.deadline, task.tournament, threading.get_ident())
    if task.strategy.is_untrusted:
        # Untrusted code may remember anything. Its process starts anew, so that earlier chunks cannot matter.
        task.strategy.end_process(for_good=True)
        _referees.pop(key, None)
    if key not in _referees:
        SCORES.clear()  # a notebook may have edited the code that computes scores
        _referees[key] = Referee(task.puzzles.game, task.strategy, task.chance.key, task.deadline, watchdog)
    _referees.move_to_end(key)
    if len(_referees) > REFEREES_KEPT:
        _referees.popitem(last=False)
    return _referees[key]


def unplayed(task: Task, outcome: Outcome, message: str, *, unsure: bool) -> Played:
    """Return the result of a task in which no puzzle was played."""
    puzzles = task.puzzles
    plays = [Play(puzzles.words(i), (), (), outcome, None, message) for i in range(len(puzzles))]
    return Played(plays, 0, 0.0, len(plays) if unsure else 0)


def pickling_problem(strategy: Strategy) -> str | None:
    """Return why a strategy cannot be sent to a worker, or None if it can."""
    try:
        pickle.loads(pickle.dumps(strategy))  # noqa: S301 - its own bytes
    except Exception as error:
        return f"cannot be sent to a worker process: {raised(error)}"
    return None
