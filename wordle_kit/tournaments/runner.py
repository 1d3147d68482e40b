"""The runner: hands the chunks of tournaments to workers, and stores what they played.

A chunk is played again alone if its worker died.
"""

import contextlib
import pickle
import signal
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from operator import attrgetter

from wordle_kit import deadline
from wordle_kit.deadline import longest_silence
from wordle_kit.errors import StoreError
from wordle_kit.game.game import Game
from wordle_kit.machine import available_cores
from wordle_kit.plugin_modules import finding_files
from wordle_kit.programs.program import Program, shared_table
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.chunks import Chunk, Played, play_chunk, play_chunk_elsewhere
from wordle_kit.tournaments.entrants import portable_identity
from wordle_kit.tournaments.player import IN_PREPARE, PREPARING, prepared
from wordle_kit.tournaments.runs import Outcome, Play
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import PlannedRun, Tournament
from wordle_kit.workers import IDLE, CallPool, Machines, WorkerDied, Workers, can_fork, pickled_by_value

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of plays that are done and their total number."""

RunCallback = Callable[..., None]
"""A function that is called with each `run`, a `StoredRun`, when all its puzzles have been played."""

Add = Callable[[Chunk, Played], None]
"""A function that gets a chunk and its result."""

ALARM = (signal.__file__, deadline.__file__)
"""The files of the alarm. It may be ringing, in vain, when the watchdog writes the traceback of a strategy."""

PlayChunk = Callable[[Chunk], Played]
"""A function that plays a chunk in a worker."""

StartPool = Callable[[int], CallPool]
"""A function that starts a pool of at most this many workers. A pool of one worker is a new process."""


def play_tournaments(
    tournaments: Iterable[Tournament],
    store: Store,
    *,
    workers: int | None = None,
    executor: Executor | Machines | None = None,
    fresh: bool = False,
    keep_timeouts: bool = False,
    progress: ProgressCallback | None = None,
    run_finished: RunCallback | None = None,
) -> list[int]:
    """Play what the store does not have yet, and return the number of each entrant's run in the store.

    All tournaments must be on the same game, with the same workers and deadline.

    Plays are unsure if they ended as they did because of the machine. They are played again, but not with
    `keep_timeouts`. With `fresh`, everything is played again, and each new run replaces the stored one when it is
    complete.

    `executor` may be other machines, or any executor whose workers can import the strategies. By default, worker
    processes are started. Results do not depend on the number of workers. If a strategy ends its worker, here or on
    another machine, only the chunk that it was playing is lost.
    """
    session = _Session(store, progress, run_finished)
    for tournament in tournaments:
        for planned in tournament.planned_runs(store.secret()):
            session.enter(planned, fresh=fresh, sure=not keep_timeouts)
    session.report()
    try:
        _play_all(session.chunks, session.add, workers or available_cores(), executor)
    except BaseException:
        session.discard()
        raise
    return session.runs


class _Session:
    """The chunks of tournaments that are still to be played, and the store for their results."""

    def __init__(self, store: Store, progress: ProgressCallback | None, run_finished: RunCallback | None) -> None:
        self.store = store
        self.progress = progress
        self.run_finished = run_finished
        self.chunks: list[Chunk] = []
        self.runs: list[int] = []
        """The number of each entrant's run in the store."""
        self._name = uuid.uuid4().hex
        self._left: Counter[int] = Counter()
        """The number of chunks that are still to be played, for each run."""
        self._pending: set[int] = set()
        """The runs that will replace stored ones when they are complete."""
        self._done = self._total = 0

    def enter(self, planned: PlannedRun, *, fresh: bool, sure: bool) -> None:
        """Find the chunks of a run that the store has, and add the others to those that have to be played."""
        found = None if fresh else self.store.find(planned.key)
        finished = set() if found is None else self.store.finished_chunks(found, sure=sure)
        run = (self.store.replacement if fresh else self.store.run)(planned.key, planned.facts)
        chunks = list(planned.chunks(run, finished, self._name))
        self.runs.append(run)
        self._left[run] += len(chunks)
        if fresh:
            self._pending.add(run)
        self.chunks += chunks
        puzzles = planned.tournament.puzzles
        self._total += len(puzzles)
        self._done += len(puzzles) - sum(len(chunk.puzzles) for chunk in chunks)

    def add(self, chunk: Chunk, played: Played) -> None:
        """Store the result of a chunk."""
        run, plays = chunk.run, played.plays
        self.store.add(run, chunk.number, chunk.numbers, plays, played.calls, played.seconds, played.unsure)
        self._left[run] -= 1
        if not self._left[run]:
            if run in self._pending:
                self.store.publish(run)
                self._pending.remove(run)
            if self.run_finished is not None:
                self.run_finished(run=self.store.read(run))
        self._done += len(chunk.puzzles)
        self.report()

    def report(self) -> None:
        """Report the progress."""
        if self.progress is not None:
            self.progress(self._done, self._total)

    def discard(self) -> None:
        """Delete the replacements that are not complete."""
        with contextlib.suppress(StoreError):  # the first error is the one to report
            for run in self._pending:
                self.store.discard(run)


def _play_all(chunks: Sequence[Chunk], add: Add, workers: int, executor: Executor | Machines | None) -> None:
    """Play chunks in an executor, on other machines or in processes of this machine."""
    if isinstance(executor, Executor):
        futures = {executor.submit(play_chunk, chunk): chunk for chunk in chunks}
        for future in as_completed(futures):
            add(futures[future], future.result())
        return
    problems = {run: pickling_problem(strategy) for run, strategy in _strategies(chunks).items()}
    for chunk in chunks:
        problem = problems[chunk.run]
        if problem is not None:
            add(chunk, unplayed(chunk, Outcome.CRASHED, problem, unsure=False))
    chunks = [chunk for chunk in chunks if problems[chunk.run] is None]
    if executor is not None and chunks:
        _play_elsewhere(chunks, add, executor)
    elif chunks:
        _play_here(chunks, add, workers)


def _play_elsewhere(chunks: Sequence[Chunk], add: Add, machines: Machines) -> None:
    """Play chunks on other machines, where each strategy must be the same as here."""
    identities = {run: portable_identity(strategy) for run, strategy in _strategies(chunks).items()}
    play, start = partial(play_chunk_elsewhere, identities), partial(machines.pool, shared=(chunks[0].puzzles.game,))
    play_in_processes(chunks, machines.size, add, play, start)


def _play_here(chunks: Sequence[Chunk], add: Add, workers: int) -> None:
    """Play chunks in worker processes. Chunks whose strategy cannot be sent to a worker are played in this process."""
    game = chunks[0].puzzles.game
    game.table.prepare()  # done before workers are started, so that they share it
    strategies = _strategies(chunks)
    if game.table.is_dense and any(isinstance(one, Program) and one.serves for one in strategies.values()):
        shared_table(game)  # before workers are started, so that they share it
    sent = {run: can_be_sent(strategy, game) for run, strategy in strategies.items()}
    idle = IDLE + max(longest_silence(chunks[0].deadline), PREPARING)
    # The chunks of a run share decisions, so they go to the same worker where possible.
    begin = partial(Workers, afresh=(finding_files(),), kind=attrgetter("run"), idle=idle)
    uses_kernels = any(isinstance(strategy, PartitionStrategy) for strategy in strategies.values())
    if can_fork() and uses_kernels and min(workers, len(chunks)) > 1:
        load_kernels(game)  # done once, before workers are forked
    those = [chunk for chunk in chunks if sent[chunk.run]]
    play_in_processes(those, workers, add, play_chunk, begin)
    for chunk in chunks:
        if not sent[chunk.run]:
            add(chunk, play_chunk(chunk))


def _strategies(chunks: Sequence[Chunk]) -> dict[int, Strategy]:
    return {chunk.run: chunk.strategy for chunk in chunks}


def play_in_processes(chunks: Sequence[Chunk], count: int, add: Add, play: PlayChunk, start: StartPool) -> None:
    """Play chunks in a pool of `count` workers.

    If a worker dies, its chunk is played again alone, to find out which strategy is to blame.
    """
    waiting = list(chunks)
    while waiting:
        suspects, left = [], []
        with start(min(count, len(waiting))) as workers:
            futures = {workers.submit(play, chunk): chunk for chunk in waiting}
            for future in as_completed(futures):
                chunk = futures[future]
                try:
                    played = future.result()
                except WorkerDied:
                    suspects.append(chunk)
                    continue
                except BrokenProcessPool:
                    left.append(chunk)
                    continue
                add(chunk, played)
        for suspect in suspects:
            add(suspect, _play_alone(suspect, play, start))
        waiting = left


def _play_alone(chunk: Chunk, play: PlayChunk, start: StartPool) -> Played:
    with start(1) as workers:
        try:
            played: Played = workers.submit(play, chunk).result()
            return played
        except BrokenProcessPool as error:
            last_words = error.last_words if isinstance(error, WorkerDied) else ""
    outcome, message = _post_mortem(last_words, chunk.deadline)
    return unplayed(chunk, outcome, message, unsure=True)


def _post_mortem(last_words: str, deadline: float) -> tuple[Outcome, str]:
    """Return the outcome and the message for a worker that died, from the traceback that its watchdog left, if any."""
    if not last_words:
        return Outcome.CRASHED, "its process died while it played this group of puzzles"
    lines = [line.strip() for line in last_words.splitlines() if line.strip().startswith("File")]
    lines = [line for line in lines if not any(f'"{file}"' in line for file in ALARM)]
    where = lines[0] if lines else "in native code"
    which, seconds = (IN_PREPARE, PREPARING) if f"in {prepared.__name__}\n" in last_words else ("", deadline)
    return Outcome.TIMED_OUT, f"{which}took more than {seconds:g} s and could not be interrupted: {where}"


def unplayed(chunk: Chunk, outcome: Outcome, message: str, *, unsure: bool) -> Played:
    """Return the result of a chunk in which no puzzle was played."""
    puzzles = chunk.puzzles
    plays = [Play(puzzles.words(i), (), (), outcome, None, message) for i in range(len(puzzles))]
    return Played(plays, 0, 0.0, len(plays) if unsure else 0)


def pickling_problem(strategy: Strategy) -> str | None:
    """Return why a strategy cannot be sent to a worker, or None if it can."""
    try:
        pickle.loads(pickle.dumps(strategy))  # noqa: S301 - its own bytes
    except Exception as error:
        return f"cannot be sent to a worker process: {raised(error)}"
    return None


def can_be_sent(strategy: Strategy, game: Game) -> bool:
    """Return whether a worker that this process starts can get a strategy: by forking, or by pickling its code.

    Code that is typed into a notebook may refer to something that cannot be pickled, such as an open connection.
    """
    if can_fork():
        return True
    try:
        pickled_by_value((strategy, game))
    except Exception:
        return False
    return True
