"""The runner: hands chunks of puzzles to workers or an executor, and stores the plays."""

import pickle
import re
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial

from wordle_kit.errors import whole
from wordle_kit.faults import is_authors
from wordle_kit.game.game import Game
from wordle_kit.programs.program import Program
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.calls import IN_PREPARE, call_prepare
from wordle_kit.tournaments.pool import Died, Pool, available_cores, can_fork, pickled_by_value, watchdog_file
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import LATE_MESSAGE, PREPARE_SECONDS, Referee
from wordle_kit.tournaments.runs import Outcome, Play, Played
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament, random_key

MAX_TREE_PUZZLES = 5000
"""The maximum number of puzzles that a program plays as one tree, in which it is asked once in each position."""

ProgressCallback = Callable[[int, int], None]
"""A function called with the number of finished plays and the total number."""


@dataclass(frozen=True)
class Chunk:
    """A group of puzzles of a run that a worker plays together. It does not depend on the number of workers."""

    run: int
    number: int
    strategy: Strategy
    puzzles: Puzzles
    numbers: Sequence[int]
    """The number of each puzzle in the run, counted from 0."""
    key: str
    """The text from which random numbers are derived."""
    deadline: float
    call_id: str
    """The identifier of the `play_tournament` call that made the chunk. Decisions from earlier calls are not reused."""

    def __call__(self) -> Played:
        """Play the puzzles and return their plays."""
        return self._referee().play(self.puzzles, self.numbers, gives_up=self.is_first)

    @property
    def is_first(self) -> bool:
        """Whether it is the first chunk of its run, which is played before the others."""
        return self.number == 0

    def failed(self, outcome: Outcome, message: str, *, is_hopeless: bool = False) -> Played:
        """Return plays without guesses that all end in this outcome and are unsure."""
        puzzles = self.puzzles
        plays = [Play(puzzles.words(i), (), (), outcome, None, message) for i in range(len(puzzles))]
        return Played(plays, unsure=len(plays), is_hopeless=is_hopeless)

    def _referee(self) -> Referee:
        """Return the referee of the run in this thread, which knows the decisions of earlier chunks."""
        if _kept.run != (self.call_id, self.run):
            _kept.referee = Referee(self.puzzles.game, self.strategy, self.key, self.deadline, watchdog_file())
            _kept.run = (self.call_id, self.run)
        return _kept.referee


class _Kept(threading.local):
    """The referee of a thread's last chunk."""

    referee: Referee
    run: tuple[str, int] | None = None
    """The `call_id` of the referee's chunks and the number of their run."""


_kept = _Kept()


def play_tournament(
    tournament: Tournament,
    store: Store,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    fresh: bool = False,
    progress: ProgressCallback | None = None,
    run_finished: Callable[..., object] | None = None,
) -> list[int]:
    """Play the puzzles that the store does not have yet, and return the number of each entrant's run in the store.

    Unsure plays, which the machine may have spoilt, are played again. With `fresh`, stored runs are deleted and
    everything is played again. `run_finished` is called with each `run`, a `StoredRun`, when all its puzzles have been
    played.

    `executor` may be any executor whose workers can import the strategies, such as a Cluster. By default, worker
    processes are started. Results do not depend on the number of workers. If a strategy ends its worker, only the chunk
    that it was playing is lost.
    """
    missing: dict[int, list[Chunk]] = {}
    call_id = uuid.uuid4().hex
    for entrant in tournament.entrants:
        run = store.ensure_run(tournament.key_of(entrant), tournament.facts_of(entrant), fresh=fresh)
        finished = store.finished_chunks(run)
        key = random_key(tournament.seed, store.facts(run).secret)
        every = _chunks(tournament.puzzles, entrant.strategy, run, key, tournament.deadline, call_id)
        missing[run] = [chunk for chunk in every if chunk.number not in finished]
    left = {run: len(chunks) for run, chunks in missing.items()}
    total = len(missing) * len(tournament.puzzles)
    done = total - sum(len(chunk.puzzles) for chunks in missing.values() for chunk in chunks)
    if progress is not None:
        progress(done, total)
    for chunk, played in _results(missing, workers or available_cores(), executor):
        store.add(chunk.run, chunk.number, chunk.numbers, played)
        left[chunk.run] -= 1
        if not left[chunk.run] and run_finished is not None:
            run_finished(run=store.read(chunk.run))
        done += len(chunk.puzzles)
        if progress is not None:
            progress(done, total)
    return list(missing)


def _chunks(puzzles: Puzzles, strategy: Strategy, run: int, key: str, deadline: float, call_id: str) -> Iterator[Chunk]:
    """Yield the chunks of a run.

    A program that is not random plays all puzzles at once, as a tree. If they were split into chunks, it would be
    asked repeatedly in the same position, and could learn which answers are in the same chunk.
    """
    size = whole(f"{strategy.name}: chunk", strategy.chunk, 1)
    if isinstance(strategy, Program) and not strategy.stochastic and len(puzzles) <= MAX_TREE_PUZZLES:
        size = max(size, len(puzzles))
    everything = range(len(puzzles))
    for number, first in enumerate(everything[::size]):
        numbers = everything[first : first + size]
        yield Chunk(run, number, strategy, puzzles.chosen(numbers), numbers, key, deadline, call_id)


def _results(
    missing: Mapping[int, Sequence[Chunk]], workers: int, executor: Executor | None
) -> Iterator[tuple[Chunk, Played]]:
    """Yield each missing chunk of each run with its plays, in the order of completion.

    A strategy that cannot be sent to a worker, such as one that refers to an open connection, is asked in this process.
    """
    sent: list[Sequence[Chunk]] = []
    kept: list[Sequence[Chunk]] = []
    for chunks in filter(None, missing.values()):
        (sent if _can_be_sent(chunks[0].strategy, executor) else kept).append(chunks)
    if executor is not None:
        yield from _played(sent, partial(_on_executor, executor))
    elif sent:
        _prepare(sent[0][0].puzzles.game, (chunks[0].strategy for chunks in sent))
        with Pool(min(workers, sum(map(len, sent)))) as pool:
            yield from _played(sent, pool.run)
    yield from _played(kept, _here)


def _can_be_sent(strategy: Strategy, executor: Executor | None) -> bool:
    """Return whether a strategy can be sent to its worker."""
    if isinstance(executor, ThreadPoolExecutor):
        return True
    pickled = pickle.dumps if executor is None and can_fork() else pickled_by_value
    try:
        pickle.loads(pickled(strategy))  # noqa: S301 - its own bytes
    except Exception:  # raised by the author's code
        return False
    return True


def _prepare(game: Game, strategies: Iterable[Strategy]) -> None:
    """Make the feedback table and the compiled kernels, so that workers share them."""
    game.table.prepare()
    if can_fork() and any(not isinstance(strategy, Program) or strategy.serves for strategy in strategies):
        load_kernels(game)


Take = Callable[[Chunk | None], Chunk | None]
"""A function that takes a worker's last chunk and returns its next one, or None if none is available now."""

Results = Iterator[tuple[Chunk, Played | Died]]


def _on_executor(executor: Executor, take: Take) -> Results:
    """Yield each chunk with the result that an executor gives."""
    futures: dict[Future[Played | Died], Chunk] = {}
    chunk = None
    while True:
        while chunk := take(chunk):
            futures[executor.submit(chunk)] = chunk
        if not futures:
            return
        for future in wait(futures, return_when=FIRST_COMPLETED).done:
            yield futures.pop(future), future.result()


def _here(take: Take) -> Results:
    """Play each chunk in this process, and yield it with its plays."""
    chunk = None
    while chunk := take(chunk):
        yield chunk, chunk()


def _played(runs: Iterable[Sequence[Chunk]], play: Callable[[Take], Results]) -> Iterator[tuple[Chunk, Played]]:
    """Yield the chunks of these runs with their plays. `play` plays the chunks that it takes.

    A worker stays with one run, since it has cached that strategy's decisions. The first chunk of a run is finished
    before the others begin. If its strategy is always late, they are not played.
    """
    ready = {chunks[0].run: deque(chunks) for chunks in runs}  # the runs that no worker has begun come first
    held: dict[int, deque[Chunk]] = {}  # the other chunks of runs whose first chunk is being played

    def take(last: Chunk | None) -> Chunk | None:
        if not ready:
            return None
        run = last.run if last is not None and last.run in ready else next(iter(ready))
        chunks = ready.pop(run)
        chunk = chunks.popleft()
        if chunks:
            (held if chunk.is_first else ready)[run] = chunks
        return chunk

    for chunk, result in play(take):
        played = _failed(chunk, result) if isinstance(result, Died) else result
        yield chunk, played
        others = held.pop(chunk.run, None) if chunk.is_first else None
        if others and played.is_hopeless:
            yield from ((other, other.failed(Outcome.NOT_ASKED, LATE_MESSAGE)) for other in others)
        elif others:
            ready[chunk.run] = others


def _failed(chunk: Chunk, died: Died) -> Played:
    """Return the plays of a chunk whose process ended. A traceback of the watchdog means that the strategy was late."""
    if not died.traceback:
        return chunk.failed(Outcome.CRASHED, "its process died while it played this group of puzzles")
    frames = re.findall(r'File "(.*)", line (\d+)', died.traceback)
    where = next((f"{file}, line {number}" for file, number in frames if is_authors(file)), "in native code")
    is_preparing = f"in {call_prepare.__name__}\n" in died.traceback
    which, seconds = (IN_PREPARE, PREPARE_SECONDS) if is_preparing else ("", chunk.deadline)
    why = f"{which}took more than {seconds:g} s and could not be interrupted: {where}"
    return chunk.failed(Outcome.TIMED_OUT, why, is_hopeless=chunk.is_first)
