"""The runner: hands the chunks of a tournament to workers, and stores what they played.

Chunks whose worker died, or whose strategy was kept waiting by others, are played again alone.
"""

import contextlib
import math
import pickle
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

from wordle_kit.deadline import Allotment, longest_silence
from wordle_kit.engine import available_cores, out_of_memory_kills
from wordle_kit.errors import MachineError, StoreError
from wordle_kit.game.game import Game
from wordle_kit.plugin_sources import finding_files
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.chunks import Chunk, Played, play_chunk, play_chunk_elsewhere
from wordle_kit.tournaments.entrants import portable_identity
from wordle_kit.tournaments.outcome import IN_PREPARE, NOT_PLAYED, Outcome, Play, prepared
from wordle_kit.tournaments.player import PREPARING
from wordle_kit.tournaments.runs import StoredRun
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import PlannedRun, Tournament
from wordle_kit.workers import IDLE, CallPool, Machines, WorkerDied, Workers, can_fork, pickled_by_value

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of plays that are done and the total."""

RunCallback = Callable[[StoredRun], None]
"""A function that is called with each run that was played to its end."""

Add = Callable[[Chunk, Played], None]
"""A function that takes the result of a chunk."""

ALONE_SHARE, ALONE_LEAST = 0.5, 60.0
"""Limit for playing chunks again alone: this share of the seconds that all chunks took, but at least the second."""

CUT_SHORT = Allotment(0.0, "there was no time left to play it again alone")

PlayChunk = Callable[[Chunk], Played]
"""A function that plays a chunk in a worker."""

StartPool = Callable[[int], CallPool]
"""A function that starts a pool of at most this many workers. A pool of one is a new process."""


def play_tournament(
    tournament: Tournament,
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

    Unsure plays, which ended as they did because of the machine, are played again, unless `keep_timeouts`. With
    `fresh`, everything is played again, and each new run replaces the stored one once it is complete. A run on draws of
    its own is stored whole or not at all. If it has to be played again, its puzzles are drawn anew.

    `executor` may be other machines, or any executor whose workers can import the strategies. Without one, worker
    processes are started. Chunks do not depend on the workers, so results do not either. A strategy that ends its
    worker, here or on other machines, loses only the chunk that it was playing.
    """
    session = _Session(store, progress, run_finished)
    for planned in tournament.planned_runs(store.secret()):
        session.enter(planned, fresh=fresh, sure=not keep_timeouts)
    session.report()
    try:
        _play_all(session.chunks, session.add, workers or available_cores(), executor)
    except BaseException:
        session.discard()
        raise
    return session.runs


@dataclass
class _Place:
    """Where the plays of an entrant are stored, and how many of its chunks are still to be played."""

    planned: PlannedRun
    run: int
    pending: bool
    """Whether the run replaces another one when it is complete."""
    left: int = 0


class _Session:
    """What is still to be played of a tournament, and where it is stored."""

    def __init__(self, store: Store, progress: ProgressCallback | None, run_finished: RunCallback | None) -> None:
        self.store = store
        self.progress = progress
        self.run_finished = run_finished
        self.chunks: list[Chunk] = []
        self._name = uuid.uuid4().hex
        self._order: list[int] = []
        self._places: dict[int, _Place] = {}
        """The place of each entrant's plays, by the run that its chunks name."""
        self._done = self._total = 0

    @property
    def runs(self) -> list[int]:
        """The number of each entrant's run in the store."""
        return [self._places[run].run for run in self._order]

    def enter(self, planned: PlannedRun, *, fresh: bool, sure: bool) -> None:
        """Find what the store has of a run, and add its other chunks to those that have to be played."""
        found = None if fresh else self.store.find(planned.key)
        if found is not None and planned.entrant.budget is not None:
            self.store.drop_unplayed(found, NOT_PLAYED + planned.entrant.budget.reason)
        finished = set() if found is None else self.store.finished_chunks(found, sure=sure)
        pending = fresh or (planned.puzzles.for_one and not finished)
        begin = self.store.replacement if pending else self.store.run
        run = begin(planned.key, planned.facts)
        chunks = list(planned.chunks(run, finished, self._name))
        self._order.append(run)
        self._places.setdefault(run, _Place(planned, run, pending)).left += len(chunks)
        self.chunks += chunks
        self._total += len(planned.puzzles)
        self._done += len(planned.puzzles) - sum(len(chunk.puzzles) for chunk in chunks)

    def add(self, chunk: Chunk, played: Played) -> None:
        """Store the result of a chunk."""
        place = self._places[chunk.run]
        if chunk.puzzles.for_one and chunk.chance != place.planned.chance:
            self._draw_anew(place, chunk)
        numbers, plays = chunk.numbers, played.plays
        self.store.add(place.run, chunk.number, numbers, plays, played.calls, played.seconds, played.unsure)
        place.left -= 1
        if not place.left:
            if place.pending:
                self.store.publish(place.run)
                place.pending = False
            if self.run_finished is not None:
                self.run_finished(self.store.read(place.run))
        self._done += len(chunk.puzzles)
        self.report()

    def _draw_anew(self, place: _Place, chunk: Chunk) -> None:
        """Have a run on draws of its own begin again, with the draws of a chunk that had to be played again."""
        self.store.discard(place.run)
        place.planned = replace(place.planned, puzzles=chunk.puzzles, chance=chunk.chance)
        place.run, place.pending = self.store.replacement(place.planned.key, place.planned.facts), True

    def report(self) -> None:
        """Report the progress."""
        if self.progress is not None:
            self.progress(self._done, self._total)

    def discard(self) -> None:
        """Delete the replacements that are not complete."""
        with contextlib.suppress(StoreError):  # the first error is the one to report
            for place in self._places.values():
                if place.pending:
                    self.store.discard(place.run)


def _play_all(chunks: Sequence[Chunk], add: Add, workers: int, executor: Executor | Machines | None) -> None:
    """Play chunks in an executor, on other machines or in processes here."""
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
    chunks = [replace(chunk, strategy=chunk.player.for_elsewhere().strategy) for chunk in chunks]
    identities = {run: portable_identity(strategy) for run, strategy in _strategies(chunks).items()}
    play, start = partial(play_chunk_elsewhere, identities), partial(machines.pool, shared=(chunks[0].puzzles.game,))
    play_in_processes(chunks, machines.size, add, play, start)


def _play_here(chunks: Sequence[Chunk], add: Add, workers: int) -> None:
    """Play chunks in worker processes; in this process, those whose strategy cannot be sent to one."""
    game = chunks[0].puzzles.game
    game.table.prepare()  # before workers are started, so that they share it
    players = {chunk.run: chunk.player for chunk in chunks}
    for player in players.values():
        player.prepare_workers(game)
    sent = {run: can_be_sent(player.strategy, game) for run, player in players.items()}
    idle = IDLE + max(longest_silence(chunks[0].deadline), PREPARING)
    # The chunks of a run share decisions, so one worker plays as many as possible.
    begin = partial(Workers, afresh=(finding_files(),), kind=attrgetter("run"), idle=idle)
    uses_kernels = any(isinstance(player.strategy, PartitionStrategy) for player in players.values())
    if can_fork() and uses_kernels and min(workers, len(chunks)) > 1:
        load_kernels(game)  # once, before workers are forked
    those = [chunk for chunk in chunks if sent[chunk.run]]
    play_in_processes(those, workers, add, play_chunk, begin)
    for chunk in chunks:
        if not sent[chunk.run]:
            add(chunk, play_chunk(chunk))


def _strategies(chunks: Sequence[Chunk]) -> dict[int, Strategy]:
    return {chunk.run: chunk.strategy for chunk in chunks}


def play_in_processes(
    chunks: Sequence[Chunk],
    count: int,
    store_played: Callable[[Chunk, Played], None],
    play: PlayChunk,
    start: StartPool,
) -> None:
    """Play chunks in a pool of `count` workers.

    If a worker dies, its chunk is played again alone, to find out which strategy is to blame. The guesses of an
    isolated strategy that timed out while others were running are asked for again alone: see `settle`.
    """
    began = time.monotonic()
    waiting = list(chunks)
    crowded: list[tuple[Chunk, Played]] = []
    isolates = any(chunk.player.is_isolated for chunk in chunks)
    while waiting:
        suspects, left = [], []
        is_crowded = isolates and min(count, len(waiting)) > 1
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
                if is_crowded and any(play.outcome is Outcome.TIMED_OUT for play in played.plays):
                    crowded.append((chunk, played))
                else:
                    store_played(chunk, played)
        for chunk in (suspect.anew() for suspect in suspects):
            store_played(chunk, _play_alone(chunk, play, start))
        waiting = left
    end = time.monotonic() + seconds_alone(began)
    for chunk, played in sorted(crowded, key=lambda one: (one[1].lasted, chunks.index(one[0]))):
        store_played(chunk, settle(chunk, played, end - time.monotonic(), play, start))


def seconds_alone(began: float) -> float:
    """Return the limit for playing again alone, in seconds, after everything that began at a time."""
    return max(ALONE_LEAST, ALONE_SHARE * (time.monotonic() - began))


def settle(chunk: Chunk, crowded: Played, left: float, play: PlayChunk, start: StartPool) -> Played:
    """Ask a strategy alone for the guesses that timed out while others were running, and return the result.

    The guesses that it gave in time count, so being late on purpose gains nothing. The second result counts if it is
    complete.

    The time for the chunk is the least of three numbers of seconds:

    - what it took before, without the decisions that timed out, plus two deadlines;
    - `left`, the time for all such chunks, so that strategies that always time out delay a tournament only a little;
    - what remains of its budget, from which only processor time was taken, since others may have kept it waiting.
    """
    late = [play for play in crowded.plays if play.outcome is Outcome.TIMED_OUT and not play.is_unplayed]
    waited = chunk.deadline * len({(play.guesses, play.feedback) for play in late})
    own = math.inf if chunk.budget is None else chunk.budget.seconds - crowded.seconds
    seconds = min(left, own, max(0.0, crowded.lasted - waited) + 2 * chunk.deadline)
    if seconds <= 0:
        return crowded
    rest = replace(chunk, budget=replace(CUT_SHORT, seconds=seconds), before=crowded.plays)
    alone = _play_alone(rest, play, start)
    if any(play.is_unplayed for play in alone.plays):
        return crowded
    return replace(alone, calls=crowded.calls + alone.calls, seconds=crowded.seconds + alone.seconds)


def _play_alone(chunk: Chunk, play: PlayChunk, start: StartPool) -> Played:
    kills = out_of_memory_kills()
    with start(1) as workers:
        try:
            played: Played = workers.submit(play, chunk).result()
            return played
        except BrokenProcessPool as error:
            if chunk.player.is_isolated and out_of_memory_kills() > kills:
                why = f"the system ended the process that asked {chunk.strategy.name} for guesses, for want of memory"
                raise MachineError(f"{why}; free some, or use fewer workers", settings=["workers"]) from error
            last_words = error.last_words if isinstance(error, WorkerDied) else ""
    outcome, message = _post_mortem(last_words, chunk.deadline)
    return unplayed(chunk, outcome, message, unsure=True)


def _post_mortem(last_words: str, deadline: float) -> tuple[Outcome, str]:
    """Return why a worker died, from the traceback that its watchdog left, if any."""
    if not last_words:
        return Outcome.CRASHED, "its process died while it played this group of puzzles"
    lines = [line.strip() for line in last_words.splitlines() if line.strip().startswith("File")]
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
    """Return whether a worker that this process starts can get a strategy: it is forked, or the code can be pickled.

    What is typed into a notebook may refer to something that cannot, such as an open connection.
    """
    if can_fork():
        return True
    try:
        pickled_by_value((strategy, game))
    except Exception:
        return False
    return True
