"""The runner: hands the chunks of a tournament to workers, and stores what they played."""

import contextlib
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, replace
from functools import partial

from wordle_kit.cores import available_cores
from wordle_kit.deadline import longest_silence
from wordle_kit.errors import StoreError
from wordle_kit.machines import Machines
from wordle_kit.plugin_sources import finding_files
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chunks import (
    Chunk,
    Played,
    can_be_sent,
    pickling_problem,
    play_chunk,
    play_chunk_elsewhere,
    run_of,
    unplayed,
)
from wordle_kit.tournaments.identity import portable_identity
from wordle_kit.tournaments.outcome import NOT_PLAYED, Outcome
from wordle_kit.tournaments.pool import play_in_processes, score_first_guesses, sharing_scores
from wordle_kit.tournaments.runs import StoredRun
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import PlannedRun, Tournament
from wordle_kit.workers import IDLE, Workers

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of plays that are done and the total."""

RunCallback = Callable[[StoredRun], None]
"""A function that is called with each run that was played to its end."""

Add = Callable[[Chunk, Played], None]
"""A function that takes the result of a chunk."""


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

    Plays that ended as they did because of the machine are played again, unless `keep_timeouts`. With `fresh`,
    everything is played again and replaces the stored run once it is complete. Chunks do not depend on the workers, and
    so neither do results. A run on draws of its own is stored whole or not at all, and drawn anew if it has to be
    played again. `executor` may be other machines, or any executor whose workers can import the strategies; without
    one, worker processes are started. A strategy that ends its worker, here or on other machines, loses only that
    chunk.
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
    score_first_guesses(chunks, workers)
    sent = {run: can_be_sent(player.strategy, game) for run, player in players.items()}
    idle = IDLE + longest_silence(chunks[0].deadline)
    begin = partial(Workers, afresh=(finding_files(),), kind=run_of, idle=idle)
    with sharing_scores(chunks, workers):
        those = [chunk for chunk in chunks if sent[chunk.run]]
        play_in_processes(those, workers, add, play_chunk, begin)
    for chunk in chunks:
        if not sent[chunk.run]:
            add(chunk, play_chunk(chunk))


def _strategies(chunks: Sequence[Chunk]) -> dict[int, Strategy]:
    return {chunk.run: chunk.strategy for chunk in chunks}
