"""`--dask`: an option of every command that may play or search for a long time."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from wordle_kit.cli import options
from wordle_kit.cli.output import note

if TYPE_CHECKING:
    from wordle_kit.workers import Machines

Starter = Callable[[int | None], AbstractContextManager[Any]]
"""A function from the value of --workers to a context. The context starts the machines, yields them and ends them."""


def dask(
    dask: Annotated[
        str | None,
        options.advanced(metavar="ADDRESS|local:N", help="Play on this Dask cluster, or on N local workers."),
    ] = None,
) -> Starter:
    """Return a function that starts the cluster of --dask for a command that plays."""
    return partial(_cluster, dask)


def dask_to_search(
    dask: Annotated[
        str | None,
        options.advanced(
            metavar="ADDRESS|local:N", help="Compare first guesses on this Dask cluster, or on N local workers."
        ),
    ] = None,
) -> Starter:
    """Return a function that starts the cluster of --dask for a search."""
    return partial(_cluster, dask)


@contextmanager
def _cluster(where: str | None, workers: int | None) -> "Iterator[Machines | None]":
    if where is None:
        yield None
        return
    from wordle_kit.clusters.cluster import Cluster
    from wordle_kit.errors import WordleKitError

    if workers is not None:
        raise WordleKitError(
            "--workers is for processes on this machine; with --dask, give local:N or leave out --workers"
        )
    with Cluster(where) as machines:
        if not machines.threads:
            note(f"{where} has no workers yet; waiting for them")
        yield machines
