"""The runner: hands the chunks of tournaments to workers or to an executor, and stores what they played."""

import pickle
import re
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from functools import partial

from wordle_kit.faults import is_authors
from wordle_kit.pool import Died, Pool, available_cores, can_fork, pickled_by_value
from wordle_kit.programs.program import Program, shared_table
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.chunks import Chunk, Played, chunks_of
from wordle_kit.tournaments.referee import IN_PREPARE, LATE, PREPARING, prepared
from wordle_kit.tournaments.runs import Outcome
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import PlannedRun, Tournament

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of plays that are done and their total number."""

RunCallback = Callable[..., None]
"""A function that is called with each `run`, a `StoredRun`, when all its puzzles have been played."""


def play_tournaments(
    tournaments: Iterable[Tournament],
    store: Store,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    fresh: bool = False,
    keep_timeouts: bool = False,
    progress: ProgressCallback | None = None,
    run_finished: RunCallback | None = None,
) -> list[int]:
    """Play what the store does not have yet, and return the number of each entrant's run in the store.

    All tournaments must be on the same game, with the same workers and deadline.

    Plays are unsure if they ended as they did because of the machine. They are played again, but not with
    `keep_timeouts`. With `fresh`, stored runs are deleted and everything is played again.

    `executor` may be any executor whose workers can import the strategies, such as a Cluster. By default, worker
    processes are started. Results do not depend on the number of workers. If a strategy ends its worker, only the chunk
    that it was playing is lost.
    """
    session, total = uuid.uuid4().hex, 0
    runs: list[int] = []
    chunks: list[Chunk] = []
    for planned in [PlannedRun(tournament, entrant) for tournament in tournaments for entrant in tournament.entrants]:
        run = store.run(planned.key, planned.facts, fresh=fresh)
        finished = store.finished_chunks(run, sure=not keep_timeouts)
        chunks += chunks_of(planned, run, store.facts(run).secret, finished, session)
        runs.append(run)
        total += len(planned.tournament.puzzles)
    left = Counter(chunk.run for chunk in chunks)
    done = total - sum(len(chunk.puzzles) for chunk in chunks)
    if progress is not None:
        progress(done, total)
    for chunk, played in _played(chunks, workers or available_cores(), executor):
        run = chunk.run
        store.add(run, chunk.number, chunk.numbers, played.plays, played.calls, played.seconds, played.unsure)
        left[run] -= 1
        if not left[run] and run_finished is not None:
            run_finished(run=store.read(run))
        done += len(chunk.puzzles)
        if progress is not None:
            progress(done, total)
    return runs


def _played(chunks: Sequence[Chunk], workers: int, executor: Executor | None) -> Iterator[tuple[Chunk, Played]]:
    """Yield each chunk with its result, in the order in which they end."""
    sent: list[Chunk] = []
    kept: list[Chunk] = []
    for those in _by_run(chunks).values():
        problem = _problem_of_sending(those[0].strategy, executor)
        if problem is None:
            sent += those
        elif executor is None and not can_fork():  # a class in a notebook may refer to an open connection
            kept += those
        else:
            for chunk in those:
                yield chunk, chunk.failed(Outcome.CRASHED, f"cannot be sent to a worker process: {problem}")
    waiting = _Waiting(sent)
    if executor is not None:
        yield from waiting.judged(_played_by(executor, waiting.take))
    elif sent:
        _prepare(sent, workers)
        with Pool(min(workers, len(sent))) as pool:
            yield from waiting.judged(pool.run(waiting.take))
    waiting = _Waiting(kept)
    yield from waiting.judged((chunk, chunk()) for chunk in iter(partial(waiting.take, None), None))


def _played_by(executor: Executor, take: Callable[[None], Chunk | None]) -> Iterator[tuple[Chunk, Played | Died]]:
    """Yield each chunk with the result that an executor gives."""
    futures: dict[Future[Played | Died], Chunk] = {}
    while True:
        futures |= {executor.submit(chunk): chunk for chunk in iter(partial(take, None), None)}
        if not futures:
            return
        for future in wait(futures, return_when=FIRST_COMPLETED).done:
            yield futures.pop(future), future.result()


def _by_run(chunks: Iterable[Chunk]) -> dict[int, deque[Chunk]]:
    by_run: dict[int, deque[Chunk]] = {}
    for chunk in chunks:
        by_run.setdefault(chunk.run, deque()).append(chunk)
    return by_run


def _prepare(chunks: Sequence[Chunk], workers: int) -> None:
    """Make what workers share before they are started: the feedback table, and compiled kernels."""
    game, strategies = chunks[0].puzzles.game, [chunk.strategy for chunk in chunks]
    game.table.prepare()
    if game.table.is_dense and any(isinstance(one, Program) and one.serves for one in strategies):
        shared_table(game)
    if can_fork() and not all(isinstance(one, Program) for one in strategies) and min(workers, len(chunks)) > 1:
        load_kernels(game)


class _Waiting:
    """The chunks that wait for a worker. A worker keeps to a run, since it has the decisions of the run's strategy.

    The first chunk of a run is finished before the others begin. If its strategy is always late, they do not begin.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._waiting = _by_run(chunks)
        self._begun: set[int] = set()
        self._held: set[int] = set()
        """The runs whose first chunk is being played."""

    def take(self, last: Chunk | None) -> Chunk | None:
        """Return the next chunk for a worker whose last chunk was `last`, or None if there is none now."""
        ready = [run for run, chunks in self._waiting.items() if chunks and run not in self._held]
        if not ready:
            return None
        if last is not None and last.run in ready:
            run = last.run
        else:
            run = next((one for one in ready if one not in self._begun), ready[0])
        self._begun.add(run)
        chunk = self._waiting[run].popleft()
        if chunk.is_first:
            self._held.add(run)
        return chunk

    def judged(self, results: Iterable[tuple[Chunk, Played | Died]]) -> Iterator[tuple[Chunk, Played]]:
        """Yield results, and those of the chunks that are not played because of them."""
        for chunk, result in results:
            played = _unplayed(chunk, result) if isinstance(result, Died) else result
            yield chunk, played
            if chunk.is_first:
                self._held.discard(chunk.run)
            while played.is_hopeless and self._waiting[chunk.run]:
                other = self._waiting[chunk.run].popleft()
                yield other, other.failed(Outcome.TIMED_OUT, LATE, unsure=True)


def _problem_of_sending(strategy: Strategy, executor: Executor | None) -> str | None:
    """Return why a strategy cannot be sent to where it plays, or None if it can."""
    if isinstance(executor, ThreadPoolExecutor):
        return None
    pickled = pickle.dumps if executor is None and can_fork() else pickled_by_value
    try:
        pickle.loads(pickled(strategy))  # noqa: S301 - its own bytes
    except Exception as error:
        return raised(error)
    return None


def _unplayed(chunk: Chunk, died: Died) -> Played:
    """Return the result of a chunk whose process ended. A traceback of the watchdog means that it was late."""
    if not died.last_words:
        return chunk.failed(Outcome.CRASHED, "its process died while it played this group of puzzles", unsure=True)
    frames = re.findall(r'File "(.*)", line (\d+)', died.last_words)
    where = next((f"{file}, line {number}" for file, number in frames if is_authors(file)), "in native code")
    is_preparing = f"in {prepared.__name__}\n" in died.last_words
    which, seconds = (IN_PREPARE, PREPARING) if is_preparing else ("", chunk.deadline)
    why = f"{which}took more than {seconds:g} s and could not be interrupted: {where}"
    return chunk.failed(Outcome.TIMED_OUT, why, unsure=True, is_hopeless=chunk.is_first)
