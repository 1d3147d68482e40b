"""The tasks of a proof, carried out by workers that each have a copy of the search."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial

from wordle_kit.errors import WordleKitError
from wordle_kit.exact.proof import KnownCost, Run, Standing, Task, refine
from wordle_kit.exact.search import Search
from wordle_kit.plugin_sources import finding_files
from wordle_kit.workers import CallPool, Machines, Workers

LOOK = 0.2
"""Seconds between two checks whether the search was asked to stop."""

_own_search: list[Search] = []
"""In a worker, its copy of the search."""


@contextmanager
def run_in_workers(search: Search, count: int, machines: Machines | None = None) -> Iterator[Run]:
    """Start workers, give a function that carries out tasks in them, and end them with the context.

    Workers that are not forked, and processes of other machines, make a search of their own. The function yields
    results as they arrive. It raises SearchStopped if the search was asked to stop, and WordleKitError if a worker
    died.
    """
    with _pool(search, count, machines) as workers:

        def run(tasks: Iterator[Task], standing: Standing) -> Iterator[tuple[int, KnownCost]]:
            busy: set[Future[list[tuple[int, KnownCost]]]] = set()
            while True:
                most = count if machines is None else machines.size  # more may have joined
                while len(busy) < most and (task := next_task(tasks, standing)) is not None:
                    busy.add(workers.submit(carry_out, task))
                if not busy:
                    return
                done, busy = wait(busy, LOOK, FIRST_COMPLETED)
                for future in done:
                    for column, known in _result(future):
                        standing.done += 1
                        yield column, known
                search.check_stopped()

        yield run


def _pool(search: Search, count: int, machines: Machines | None) -> CallPool:
    if machines is None:
        afresh = (finding_files(), partial(_begin, search.recipe()))
        return Workers(count, partial(_own_search.append, search), afresh=afresh)
    return machines.pool(count, shared=(search.game,), initialize=partial(_begin, search.recipe()))


def _begin(recipe: Callable[[], Search]) -> None:
    """Make the search of this process, in place of an earlier one, if it was not forked."""
    search = recipe()
    search.load()
    _own_search[:] = [search]


def next_task(tasks: Iterator[Task], standing: Standing) -> Task | None:
    """Return the next task without the first guesses that are ruled out by now, or None after the last task."""
    for task in tasks:
        columns = standing.open_columns(task.columns)
        standing.done += len(task.columns) - len(columns)
        if columns:
            return task._replace(columns=columns, limit=standing.limit)
    return None


def carry_out(task: Task) -> list[tuple[int, KnownCost]]:
    """Carry out a task, and return the bounds then known for each of its first guesses. Runs in a worker."""
    return [(column, refine(_own_search[0], task, column)) for column in task.columns]


def _result(future: Future[list[tuple[int, KnownCost]]]) -> list[tuple[int, KnownCost]]:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise WordleKitError(f"{error}, perhaps because memory ran out; use fewer workers") from error
