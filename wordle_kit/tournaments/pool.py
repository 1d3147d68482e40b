"""Plays chunks in pools of processes, and plays again alone those whose process died or was kept waiting."""

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

from wordle_kit.deadline import Allotment
from wordle_kit.engine import out_of_memory_kills, use_cores
from wordle_kit.errors import MachineError
from wordle_kit.machines import CallPool
from wordle_kit.strategy.board_scores import sharing
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.openings import is_large, learn_scores
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.tournaments.chunks import Chunk, Played, first_scores_of, unplayed
from wordle_kit.tournaments.outcome import Outcome
from wordle_kit.workers import WorkerDied, Workers, can_fork

ALONE_SHARE, ALONE_LEAST = 0.5, 60.0
"""Limit for playing chunks again alone: this share of the time that all chunks took, or this many seconds if more."""

CUT_SHORT = Allotment(0.0, "there was no time left to play it again alone")

PlayChunk = Callable[[Chunk], Played]
"""A function that plays a chunk in a worker."""

StartPool = Callable[[int], CallPool]
"""A function that starts a pool of at most this many workers. A pool of one is a new process."""


def play_in_processes(
    chunks: Sequence[Chunk],
    count: int,
    store_played: Callable[[Chunk, Played], None],
    play: PlayChunk,
    start: StartPool,
) -> None:
    """Play chunks in a pool of `count` workers.

    If a worker dies, its chunk is played again alone, to find out which strategy is to blame. If a strategy runs in
    another process and timed out while others played, its chunk is played again alone too: see `settle`.
    """
    began = time.monotonic()
    waiting = list(chunks)
    crowded: list[tuple[Chunk, Played]] = []
    isolates = any(chunk.player.is_isolated for chunk in chunks)
    while waiting:
        suspects, left = [], []
        beside = isolates and min(count, len(waiting)) > 1
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
                if beside and any(play.outcome is Outcome.TIMED_OUT for play in played.plays):
                    crowded.append((chunk, played))
                else:
                    store_played(chunk, played)
        for chunk in (suspect.anew() for suspect in suspects):
            store_played(chunk, _play_alone(chunk, play, start))
        waiting = left
    time_left = max(ALONE_LEAST, ALONE_SHARE * (time.monotonic() - began))
    for chunk, played in sorted(crowded, key=lambda one: (one[1].lasted, chunks.index(one[0]))):
        resumed = time.monotonic()
        store_played(chunk, settle(chunk, played, time_left, play, start))
        time_left -= time.monotonic() - resumed


def score_first_guesses(chunks: Sequence[Chunk], count: int) -> None:
    """In a large game, have `count` processes score first guesses, so that workers forked afterwards share the scores.

    Strategies make their first guess under their deadline. If that fails, it fails again when they play.
    """
    game = chunks[0].puzzles.game
    runs = {chunk.run: chunk for chunk in chunks if isinstance(chunk.strategy, PartitionStrategy)}
    if not can_fork() or not runs or not is_large(game) or not chunks[0].puzzles.is_usual:
        return
    processes = min(count, len(runs))
    with Workers(processes, partial(use_cores, count // processes)) as workers:
        for future in as_completed([workers.submit(first_scores_of, chunk) for chunk in runs.values()]):
            with contextlib.suppress(BrokenProcessPool):
                learn_scores(future.result())


def sharing_scores(chunks: Sequence[Chunk], count: int) -> AbstractContextManager[None]:
    """Load the native kernels for forked workers, and return a context in which they share scores of several boards."""
    game = chunks[0].puzzles.game
    few = not any(isinstance(chunk.strategy, PartitionStrategy) for chunk in chunks) or min(count, len(chunks)) == 1
    if not can_fork() or few:
        return contextlib.nullcontext()
    if game.table.is_dense:  # a larger game has kernels of its own
        load_kernels(game)
    return sharing() if game.boards > 1 else contextlib.nullcontext()


def settle(chunk: Chunk, beside: Played, left: float, play: PlayChunk, start: StartPool) -> Played:
    """Ask a strategy alone for the guesses that it did not give in time beside others, and return the result.

    The guesses that it gave before count, so it gains nothing by being late on purpose when it is unlucky. The second
    result counts if it is complete. The chunk gets the time that it took before, less what timed out, plus two
    deadlines. It gets at most what remains of its budget, from which only its processor time was spent, since others
    may have kept it waiting, and of the `left` seconds for all chunks. So strategies that always time out cannot make a
    tournament much longer.
    """
    late = [play for play in beside.plays if play.outcome is Outcome.TIMED_OUT and not play.is_unplayed]
    waited = chunk.deadline * len({(play.guesses, play.feedback) for play in late})
    own = math.inf if chunk.budget is None else chunk.budget.seconds - beside.seconds
    seconds = min(left, own, max(0.0, beside.lasted - waited) + 2 * chunk.deadline)
    if seconds <= 0:
        return beside
    rest = replace(chunk, budget=replace(CUT_SHORT, seconds=seconds), before=beside.plays)
    alone = _play_alone(rest, play, start)
    if any(play.is_unplayed for play in alone.plays):
        return beside
    return replace(alone, calls=beside.calls + alone.calls, seconds=beside.seconds + alone.seconds)


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
    return Outcome.TIMED_OUT, f"took more than {deadline:g} s and could not be interrupted: {where}"
