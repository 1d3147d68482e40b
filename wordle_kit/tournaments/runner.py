"""The runner: cuts a tournament into chunks, hands them to workers, and stores what they played."""

import contextlib
import hashlib
import importlib.metadata
import os
import pickle
import platform
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from wordle_kit._version import __version__
from wordle_kit.errors import StoreError
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins
from wordle_kit.strategy.partition import MEMO
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.chance import Chance, derived, shuffled
from wordle_kit.tournaments.confirm import confirmed
from wordle_kit.tournaments.deadline import Allotment, Budget
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.outcome import NOT_PLAYED, Outcome, Play
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.store import RunFacts, Store
from wordle_kit.workers import FORKS, WorkerDied, Workers, own_file

CHUNK = 256
"""Puzzles that a worker plays at a time, and that are stored together."""

REFEREES_KEPT = 4

FOR_WANT_OF_TIME = (Outcome.TIMED_OUT, Outcome.INCONSISTENT)
"""How plays may end because other strategies kept the machine busy: one that gave no guess again is inconsistent."""

ALONE_SHARE, ALONE_LEAST = 0.5, 60.0
"""How long chunks are played again alone, in all: this part of the time that everything took, or so many seconds."""

CUT_SHORT = Allotment(0.0, "there was no time left to play it again alone")

Progress = Callable[[int, int], None]
"""Told how many plays are done, and how many there are in all."""


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
    """Which call of `run_all` it belongs to: what a strategy did in an earlier one is not taken for granted."""
    budget: Allotment | None = None


@dataclass(frozen=True)
class Played:
    """What came of a task: its plays, how often the strategy was asked, and the seconds it thought."""

    plays: Sequence[Play]
    calls: int
    seconds: float
    unsure: int
    """How many plays ended as they did because of the machine: in time, memory, or a process that ended."""
    lasted: float = 0.0
    """The seconds that it took in all, with what started processes and played again."""


def run_all(
    game: Game,
    entrants: Sequence[Entrant],
    puzzles: Puzzles,
    store: Store,
    *,
    seed: int | None = None,
    secret: str | None = None,
    base: str | None = None,
    deadline: float,
    workers: int | None = None,
    executor: Executor | None = None,
    fresh: bool = False,
    keep_timeouts: bool = False,
    progress: Progress | None = None,
    plugins: Plugins | None = None,
) -> list[int]:
    """Play what the store does not have yet, and return the number of each entrant's run in it.

    What ended as it did because of the machine is played again, unless `keep_timeouts`. If `fresh`, everything is, and
    replaces what is stored once it is complete. Chunks are the same whatever the workers, and so are the results.
    `executor` may be any whose workers can import the strategies; without one, processes are started, and one that a
    strategy brings down costs only that chunk.

    Random numbers come from `secret` if that is given; else from `seed`, but not those of strategies in processes of
    their own, which could guess it; else from a secret that follows from `base`, by default the store's own.
    """
    base = base or store.secret()
    runs = []
    tasks = []
    unsendable: dict[int, str] = {}
    tournament = uuid.uuid4().hex
    for entrant in entrants:
        chance = _chance(entrant, puzzles, seed, secret, base)
        facts, key = _facts(game, entrant, puzzles, chance, deadline)
        run = store.replacement(key, facts) if fresh else store.run(key, facts)
        runs.append(run)
        problem = pickling_problem(entrant.strategy) if executor is None else None
        if problem is not None:
            unsendable[run] = problem
        if entrant.budget is not None:
            store.drop(run, partial(_had_another_budget, NOT_PLAYED + entrant.budget.reason))
        finished = store.finished_chunks(run, sure=not keep_timeouts)
        order: Sequence[int] = range(len(puzzles))
        if entrant.strategy.is_untrusted:  # the words of a chunk must not be neighbours
            order = shuffled(order, derived(store.secret(), entrant.identity, puzzles.fingerprint))
        for chunk in range(-(-len(puzzles) // CHUNK)):
            if chunk not in finished:
                numbers = order[chunk * CHUNK : (chunk + 1) * CHUNK]
                part = replace(puzzles, ids=tuple(puzzles.ids[number] for number in numbers))
                share = entrant.budget and entrant.budget.share(len(part) / len(puzzles))
                whose = (entrant.strategy, entrant.identity, part, numbers, chance, deadline)
                tasks.append(Task(run, chunk, *whose, tournament, share))
    total = len(entrants) * len(puzzles)
    done = total - sum(len(task.puzzles) for task in tasks)

    def store_played(task: Task, played: Played) -> None:
        nonlocal done
        store.add(task.run, task.chunk, task.numbers, played.plays, played.calls, played.seconds, played.unsure)
        done += len(task.puzzles)
        if progress is not None:
            progress(done, total)

    if progress is not None:
        progress(done, total)
    try:
        _play_all(game, tasks, unsendable, store_played, workers or os.cpu_count() or 1, executor, plugins)
    except BaseException:
        with contextlib.suppress(StoreError):  # the first error is the one to tell
            for run in runs if fresh else ():
                store.discard(run)
        raise
    for run in runs if fresh else ():
        store.publish(run)
    return runs


def _play_all(
    game: Game,
    tasks: Sequence[Task],
    unsendable: dict[int, str],
    store_played: Callable[[Task, Played], None],
    workers: int,
    executor: Executor | None,
    plugins: Plugins | None,
) -> None:
    """Play the tasks, in an executor or in processes; `unsendable` says why those of some runs cannot be sent there."""
    if tasks and executor is not None:
        futures = {executor.submit(play_task, task, None): task for task in tasks}
        for future in as_completed(futures):
            store_played(futures[future], future.result())
    elif tasks:
        for task in tasks:
            if task.run in unsendable:
                store_played(task, _spoilt(task, Outcome.CRASHED, unsendable[task.run], unsure=False))
        tasks = [task for task in tasks if task.run not in unsendable]
        if tasks:
            game.table.prepare()  # before workers are made, who then share it
            for strategy in {task.run: task.strategy for task in tasks}.values():
                strategy.prepare_workers(game)
        _play_in_processes(tasks, workers, store_played, _preparation(plugins))


def _had_another_budget(reason: str, message: str) -> bool:
    return message.startswith(NOT_PLAYED) and message != reason


def play_task(task: Task, folder: Path | None) -> Played:
    """Return what came of a task; runs in a worker."""
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
"""The referees that this process used last: decisions are shared between the chunks of a strategy."""


def _referee(task: Task, watchdog: Path | None) -> Referee:
    key = (task.puzzles.game, task.identity, task.chance, task.deadline, task.tournament, threading.get_ident())
    if task.strategy.is_untrusted:
        # Code that is not trusted may keep what it likes. Started anew, it cannot matter which chunk was before.
        task.strategy.end_process(for_good=True)
        _referees.pop(key, None)
    if key not in _referees:
        MEMO.clear()  # a notebook may have edited what scores are made of
        _referees[key] = Referee(task.puzzles.game, task.strategy, task.chance.key, task.deadline, watchdog)
    _referees.move_to_end(key)
    if len(_referees) > REFEREES_KEPT:
        _referees.popitem(last=False)
    return _referees[key]


def _play_in_processes(
    tasks: Sequence[Task],
    count: int,
    store_played: Callable[[Task, Played], None],
    prepare: Callable[[], object] | None,
) -> None:
    """Play the tasks in a pool; what a worker was playing as it died is played alone, to find whose fault it is.

    Where strategies are isolated, a task in which one timed out beside others, be it when it was asked again, is played
    again alone: see _settled.
    """
    began = time.monotonic()
    waiting = list(tasks)
    crowded: list[tuple[Task, Played]] = []
    isolates = any(task.strategy.is_isolated for task in tasks)
    while waiting:
        suspects, left = [], []
        beside = isolates and min(count, len(waiting)) > 1
        with Workers(min(count, len(waiting)), prepare) as workers:
            futures = {workers.submit(play_task, task, workers.folder): task for task in waiting}
            for future in as_completed(futures):
                task = futures[future]
                try:
                    played = future.result()
                except WorkerDied:
                    suspects.append(task)
                    continue
                except BrokenProcessPool:
                    left.append(task)
                    continue
                if beside and any(play.outcome in FOR_WANT_OF_TIME for play in played.plays):
                    crowded.append((task, played))
                else:
                    store_played(task, played)
        for task in suspects:
            store_played(task, _play_alone(task, prepare))
        waiting = left
    time_left = max(ALONE_LEAST, ALONE_SHARE * (time.monotonic() - began))
    for task, played in sorted(crowded, key=lambda one: (one[1].lasted, tasks.index(one[0]))):
        start = time.monotonic()
        store_played(task, _settled(task, played, time_left, prepare))
        time_left -= time.monotonic() - start


def _settled(task: Task, beside: Played, left: float, prepare: Callable[[], object] | None) -> Played:
    """Return what counts of a task in which a strategy timed out beside code that may have kept it waiting.

    It is played again alone, and that counts if it gets through. It has what it took before, less what timed out, with
    two deadlines on top, and no more than what is `left` for all. So strategies that always time out cannot make
    a tournament much longer.
    """
    late = [play for play in beside.plays if play.outcome is Outcome.TIMED_OUT and not play.is_unplayed]
    waited = task.deadline * len({(play.guesses, play.feedback) for play in late})
    seconds = min(left, max(0.0, beside.lasted - waited) + 2 * task.deadline)
    if seconds <= 0:
        return beside
    own = task.budget
    allotted = own if own is not None and own.seconds <= seconds else replace(CUT_SHORT, seconds=seconds)
    alone = _play_alone(replace(task, budget=allotted), prepare)
    cut = any(play.is_unplayed and CUT_SHORT.reason in play.message for play in alone.plays)
    return beside if cut else alone


def _play_alone(task: Task, prepare: Callable[[], object] | None) -> Played:
    with Workers(1, prepare) as workers:
        try:
            played: Played = workers.submit(play_task, task, workers.folder).result()
            return played
        except BrokenProcessPool:
            outcome, message = _post_mortem(workers.last_words(), task.deadline)
    return _spoilt(task, outcome, message, unsure=True)


def _spoilt(task: Task, outcome: Outcome, message: str, *, unsure: bool) -> Played:
    """Return a task of which nothing came."""
    puzzles = task.puzzles
    plays = [Play(puzzles.words(i), (), (), outcome, None, message) for i in range(len(puzzles))]
    return Played(plays, 0, 0.0, len(plays) if unsure else 0)


def pickling_problem(strategy: Strategy) -> str | None:
    """Return why a strategy cannot be sent to a worker, or None where it can."""
    try:
        pickle.loads(pickle.dumps(strategy))  # noqa: S301 - its own bytes
    except Exception as error:
        return f"cannot be sent to a worker process: {raised(error)}"
    return None


def _post_mortem(last_words: str, deadline: float) -> tuple[Outcome, str]:
    if not last_words:
        return Outcome.CRASHED, "its process died while it played this group of puzzles"
    lines = [line.strip() for line in last_words.splitlines() if line.strip().startswith("File")]
    where = lines[0] if lines else "in native code"
    return Outcome.TIMED_OUT, f"took more than {deadline:g} s and could not be interrupted: {where}"


def _preparation(plugins: Plugins | None) -> Callable[[], object] | None:
    """Return a function that loads the plugins in a worker, or None if workers inherit them."""
    if plugins is None or FORKS:
        return None
    return partial(Plugins.load, plugins.requested, plugins.folders)


def _chance(entrant: Entrant, puzzles: Puzzles, seed: int | None, secret: str | None, base: str) -> Chance:
    """Return what the random numbers of an entrant come from.

    A secret is shown after the tournament. So one that is not given belongs to the entrant's code alone: whoever reads
    it and hands in something else, meets another.
    """
    if secret is None and entrant.strategy.is_isolated:
        secret = derived(base, entrant.identity, puzzles.fingerprint)
    elif secret is None and seed is None:
        secret = derived(base, "trusted")
    return Chance(seed, secret)


def _facts(game: Game, entrant: Entrant, puzzles: Puzzles, chance: Chance, deadline: float) -> tuple[RunFacts, str]:
    strategy = entrant.strategy
    facts = RunFacts(
        game=game.name,
        fingerprint=game.fingerprint,
        boards=game.boards,
        max_guesses=game.max_guesses,
        cap=game.cap,
        hard_mode=game.hard_mode,
        puzzles=puzzles.label,
        puzzles_fingerprint=puzzles.fingerprint,
        n_puzzles=len(puzzles),
        is_sample=puzzles.is_sample,
        is_all=puzzles.is_all,
        seed=chance.seed or 0,
        strategy=entrant.label,
        version=strategy.version,
        plugin=entrant.plugin,
        stochastic=strategy.stochastic,
        parameters=strategy.parameters(),
        versions=versions(),
        secret=chance.secret if strategy.stochastic else None,
    )
    dice = chance.key if strategy.stochastic else None
    key = (
        __version__,
        game.fingerprint,
        puzzles.fingerprint,
        entrant.label,
        entrant.identity,
        dice,
        deadline,
        "shuffled" if strategy.is_untrusted else "in order",
    )
    return facts, hashlib.sha256(repr(key).encode()).hexdigest()


def versions() -> dict[str, str]:
    """Return the versions that a result was made with."""
    packages = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    return {"wordle-kit": __version__, "python": platform.python_version(), **packages}
