"""The runner: cuts a tournament into chunks, hands them to workers, and stores what they played."""

import contextlib
import hashlib
import importlib.metadata
import platform
import secrets
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import replace
from functools import cache, partial

from wordle_kit._version import __version__
from wordle_kit.cores import available_cores
from wordle_kit.deadline import longest_silence
from wordle_kit.errors import StoreError
from wordle_kit.game.game import Game
from wordle_kit.machines import Machines
from wordle_kit.plugin_sources import finding_files
from wordle_kit.sources import object_source
from wordle_kit.tournaments.chance import Chance, derived, new_secret
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
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.identity import portable_identity
from wordle_kit.tournaments.outcome import NOT_PLAYED, Outcome
from wordle_kit.tournaments.player import player_of
from wordle_kit.tournaments.pool import play_in_processes, score_first_guesses, sharing_scores
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import RunFacts
from wordle_kit.tournaments.store import Store
from wordle_kit.workers import IDLE, Workers

CHUNK = 256
"""The number of puzzles that a worker plays at a time and the store keeps in one transaction."""

TREE = 5000
"""The most puzzles that an untrusted deterministic strategy plays as one tree, asked once in each position."""

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of plays that are done and the total."""


def run_all(
    game: Game,
    entrants: Sequence[Entrant],
    puzzles: Puzzles | Sequence[Puzzles],
    store: Store,
    *,
    seed: int | None = None,
    secret: str | None = None,
    base: str | None = None,
    deadline: float,
    workers: int | None = None,
    executor: Executor | Machines | None = None,
    fresh: bool = False,
    keep_timeouts: bool = False,
    progress: ProgressCallback | None = None,
) -> list[int]:
    """Play what the store does not have yet, and return the number of each entrant's run in the store.

    All entrants play the same puzzles, unless there is a sequence with those of each.

    Plays that ended as they did because of the machine are played again, unless `keep_timeouts`. With `fresh`,
    everything is played again and replaces the stored run once it is complete. Chunks do not depend on the workers, and
    so neither do results. A run on draws of its own is stored whole or not at all, and drawn anew if it has to be
    played again. `executor` may be other machines, or any executor whose workers can import the strategies; without
    one, worker processes are started. A strategy that ends its worker, here or on other machines, loses only that
    chunk.

    Random numbers come from `secret` if it is given, otherwise from `seed`, except those of isolated strategies, whose
    code could guess a seed; otherwise from a secret derived from `base`, by default the store's own.
    """
    base = base or store.secret()
    runs: list[int] = []
    pending: dict[int, tuple[Entrant, Chance]] = {}
    chunks: list[Chunk] = []
    total = 0
    unsendable: dict[int, str] = {}
    tournament = uuid.uuid4().hex
    each = [puzzles] * len(entrants) if isinstance(puzzles, Puzzles) else puzzles
    for entrant, own in zip(entrants, each, strict=True):
        chance = _chance(entrant, own, seed, secret, base)
        facts, key = _facts(game, entrant, own, chance, deadline)
        found = None if fresh else store.find(key)
        if found is not None and entrant.budget is not None:
            store.drop_unplayed(found, NOT_PLAYED + entrant.budget.reason)
        finished = set() if found is None else store.finished_chunks(found, sure=not keep_timeouts)
        if fresh or (own.for_one and not finished):
            run = store.replacement(key, facts)
            pending[run] = (entrant, chance)
        else:
            run = store.run(key, facts)
        runs.append(run)
        problem = None if isinstance(executor, Executor) else pickling_problem(entrant.strategy)
        if problem is not None:
            unsendable[run] = problem
        total += len(own)
        size = _chunk_size(entrant, own)
        for number in range(-(-len(own) // size)):
            if number not in finished:
                numbers = range(len(own))[number * size : (number + 1) * size]
                part = replace(own, ids=tuple(own.ids[i] for i in numbers))
                share = entrant.budget and entrant.budget.share(len(part) / len(own))
                whose = (entrant.strategy, entrant.identity, part, numbers, chance, deadline)
                chunks.append(Chunk(run, number, *whose, tournament, share))
    done = total - sum(len(chunk.puzzles) for chunk in chunks)
    left = Counter(chunk.run for chunk in chunks)

    def store_played(chunk: Chunk, played: Played) -> None:
        nonlocal done
        run = chunk.run
        if chunk.puzzles.for_one and chunk.chance != pending[run][1]:  # it was drawn anew
            entrant, _ = pending.pop(run)
            store.discard(run)
            facts, key = _facts(game, entrant, chunk.puzzles, chunk.chance, deadline)
            place = runs.index(run)
            run = runs[place] = store.replacement(key, facts)
            pending[run] = (entrant, chunk.chance)
        store.add(run, chunk.number, chunk.numbers, played.plays, played.calls, played.seconds, played.unsure)
        left[chunk.run] -= 1
        if run in pending and not left[chunk.run]:
            store.publish(run)
            del pending[run]
        done += len(chunk.puzzles)
        if progress is not None:
            progress(done, total)

    if progress is not None:
        progress(done, total)
    try:
        _play_all(game, chunks, unsendable, store_played, workers or available_cores(), executor)
    except BaseException:
        with contextlib.suppress(StoreError):  # the first error is the one to report
            for run in pending:
                store.discard(run)
        raise
    return runs


def _chunk_size(entrant: Entrant, puzzles: Puzzles) -> int:
    """Return the number of puzzles that an entrant plays at a time, in one process if it is untrusted.

    Chunks share nothing, so an untrusted deterministic strategy that played several would be asked several times in the
    same position, and could tell the answers apart by the chunk that they are in.
    """
    as_tree = entrant.player.is_untrusted and not entrant.strategy.stochastic
    return max(CHUNK, len(puzzles)) if puzzles.for_one or (as_tree and len(puzzles) <= TREE) else CHUNK


def _play_all(
    game: Game,
    chunks: Sequence[Chunk],
    unsendable: dict[int, str],
    store_played: Callable[[Chunk, Played], None],
    workers: int,
    executor: Executor | Machines | None,
) -> None:
    """Play chunks in an executor, on other machines or in processes; some runs are `unsendable` for this reason."""
    if chunks and isinstance(executor, Executor):
        futures = {executor.submit(play_chunk, chunk): chunk for chunk in chunks}
        for future in as_completed(futures):
            store_played(futures[future], future.result())
        return
    for chunk in chunks:
        if chunk.run in unsendable:
            store_played(chunk, unplayed(chunk, Outcome.CRASHED, unsendable[chunk.run], unsure=False))
    chunks = [chunk for chunk in chunks if chunk.run not in unsendable]
    if isinstance(executor, Machines) and chunks:
        chunks = [replace(chunk, strategy=chunk.player.for_elsewhere().strategy) for chunk in chunks]
        identities = {run: portable_identity(one) for run, one in {each.run: each.strategy for each in chunks}.items()}
        play, start = partial(play_chunk_elsewhere, identities), partial(executor.pool, shared=(game,))
        play_in_processes(chunks, executor.size, store_played, play, start)
    elif chunks:
        game.table.prepare()  # before workers are started, so that they share it
        strategies = {chunk.run: chunk.strategy for chunk in chunks}
        for strategy in strategies.values():
            player_of(strategy).prepare_workers(game)
        score_first_guesses(chunks, workers)
        sent = {run: can_be_sent(strategy, game) for run, strategy in strategies.items()}
        idle = IDLE + longest_silence(chunks[0].deadline)
        begin = partial(Workers, afresh=(finding_files(),), kind=run_of, idle=idle)
        with sharing_scores(chunks, workers):
            those = [chunk for chunk in chunks if sent[chunk.run]]
            play_in_processes(those, workers, store_played, play_chunk, begin)
        for chunk in chunks:
            if not sent[chunk.run]:
                store_played(chunk, play_chunk(chunk))


def _chance(entrant: Entrant, puzzles: Puzzles, seed: int | None, secret: str | None, base: str) -> Chance:
    """Return the source of an entrant's random numbers.

    Leaderboards show secrets. A derived secret therefore depends on the entrant's code: someone who reads it and then
    changes the code gets a different one.
    """
    if puzzles.for_one:
        secret = new_secret()
    elif secret is None and entrant.player.is_isolated:
        secret = derived(base, entrant.identity, puzzles.fingerprint)
    elif secret is None and seed is None:
        secret = derived(base, "trusted")
    return Chance(seed, secret)


def _facts(game: Game, entrant: Entrant, puzzles: Puzzles, chance: Chance, deadline: float) -> tuple[RunFacts, str]:
    """Return the facts of a run, and the key that finds it: a hash of everything that can change its plays."""
    strategy = entrant.strategy
    facts = RunFacts(
        game=game.name,
        fingerprint=game.fingerprint,
        boards=game.boards,
        max_guesses=game.max_guesses,
        cap=game.cap,
        hard_mode=game.hard_mode,
        **puzzles.facts,
        seed=chance.seed or 0,
        strategy=entrant.label,
        version=strategy.version,
        plugin=entrant.plugin,
        stochastic=strategy.stochastic,
        parameters=strategy.parameters(),
        versions=versions(),
        secret=chance.secret if strategy.stochastic else None,
    )
    dice = chance.key if strategy.stochastic and not puzzles.for_one else None
    key = (
        __version__,
        game.fingerprint,
        object_source(game.rule) or secrets.token_hex(),
        puzzles.key,
        entrant.label,
        entrant.identity,
        dice,
        deadline,
    )
    return facts, hashlib.sha256(repr(key).encode()).hexdigest()


@cache
def versions() -> dict[str, str]:
    """Return the versions of wordle-kit, Python and the packages that compute results."""
    packages = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    return {"wordle-kit": __version__, "python": platform.python_version(), **packages}
