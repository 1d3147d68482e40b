"""Play on a Dask cluster: an executor that runs each chunk in a separate process on one of the cluster's workers.

Thus a strategy that ends its process, or must be ended, does not affect the Dask worker. If a Dask worker is lost, Dask
gives its chunks to another one.
"""

import logging
import multiprocessing
import pickle
import platform
import re
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from contextlib import ExitStack, suppress
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

from wordle_kit.errors import WordleKitError
from wordle_kit.faults import error_line
from wordle_kit.identity import FILE_PREFIX, file_hash, source_hash
from wordle_kit.lazy import needed
from wordle_kit.texts import short_repr
from wordle_kit.tournaments.entrants import files_of
from wordle_kit.tournaments.pool import Pool, in_order, pickled_by_value
from wordle_kit.tournaments.runner import Chunk
from wordle_kit.tournaments.tournament import versions

LOCAL = re.compile(r"local(:(?P<count>[1-9][0-9]*))?")

PATIENCE = 10.0
"""The seconds to wait for the scheduler's answer."""


class Cluster(Executor):
    """The workers of a Dask cluster. Pass it to `tournament` as `executor`, in a `with` block.

    `where` is the address of a scheduler, such as `tcp://10.0.0.5:8786`; `local` or `local:4` for worker processes on
    this machine; or a `distributed.Client`. Raises WordleKitError if there is no such scheduler.
    """

    def __init__(self, where: Any) -> None:
        self._distributed = needed("distributed", "a Dask cluster", "dask")
        self._open = ExitStack()
        if isinstance(where, self._distributed.Client):
            self.client = where
        elif not isinstance(where, str):
            raise WordleKitError(f"{short_repr(where)} is not a Dask cluster; give its address, local:N or a Client")
        else:
            local = LOCAL.fullmatch(where)
            self.client = self._connected(where) if local is None else self._started(local["count"])
        self._executor = self.client.get_executor(pure=False)

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":
        """Have a worker carry out a task, such as a chunk, and return the future of its result.

        The future raises WordleKitError if wordle-kit or the strategy differs on the worker's machine.
        """
        call = pickled_by_value(partial(task, *arguments, **named) if arguments or named else task)
        future: Future[Any] = self._executor.submit(_in_a_process, _needs(task), call)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes on the workers, close the connection, and end the cluster if this object started it."""
        self._executor.shutdown(wait=False)
        with suppress(Exception):  # the connection is lost
            self.client.run(_end_processes)
        self._open.close()

    def _started(self, count: str | None) -> Any:
        folder = self._open.enter_context(TemporaryDirectory(prefix="wordle-kit-", ignore_cleanup_errors=True))
        cluster = self._distributed.LocalCluster(
            n_workers=None if count is None else int(count),
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            local_directory=folder,
            silence_logs=logging.CRITICAL,
        )
        self._open.callback(cluster.close)
        return self._open.enter_context(self._distributed.Client(cluster, set_as_default=False))

    def _connected(self, address: str) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about versions, which are compared by each task
                client = self._distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise WordleKitError(
                f"no Dask scheduler answers at {address!r}: {reason}; give the address that it prints when it starts, "
                "such as tcp://10.0.0.5:8786, or local:N"
            ) from error
        return self._open.enter_context(client)


def _needs(task: object) -> dict[str, str]:
    """Return the versions, and the hashes of a strategy's code and files, that must be the same on all machines.

    The code of plugins' files is sent, so it need not be compared.
    """
    needs = versions() | {"python": ".".join(platform.python_version_tuple()[:2])}
    if isinstance(task, Chunk):
        kind = type(task.strategy)
        if kind.__module__ in sys.modules and not kind.__module__.startswith(("__main__", FILE_PREFIX)):
            needs[f"the code of {task.strategy.name}"] = source_hash(kind) or ""
        needs |= {f"the file {path}": file_hash(path) for path in files_of(task.strategy)}
    return needs


# What runs on a worker


_pools: dict[int, Pool] = {}
"""The pool, of one process, for each thread of this Dask worker."""


def _in_a_process(needs: Mapping[str, str], pickled: bytes) -> Any:
    """Carry out a task in the process that belongs to this thread of a Dask worker. Return its result or a Died."""
    from distributed import get_worker

    multiprocessing.current_process().daemon = False  # Dask's may have no children; this one's end with it
    thread = threading.get_ident()
    if thread not in _pools:
        _pools[thread] = Pool(1)
    try:
        ((_, result),) = _pools[thread].run(in_order([partial(_carry_out, needs, pickled)]))
    except WordleKitError as error:
        raise WordleKitError(f"worker {get_worker().address}: {error}") from error
    return result


def _carry_out(needs: Mapping[str, str], pickled: bytes) -> Any:
    """Carry out a task and return its result. Raises WordleKitError if a version or hash that it needs differs here."""
    try:
        task = pickle.loads(pickled)  # noqa: S301 - from the process that started the tournament
    except (ImportError, AttributeError) as error:
        raise WordleKitError(f"{error_line(error)}; install the same plugins everywhere") from error
    here = _needs(task)
    for name, wanted in needs.items():
        if here.get(name) != wanted:
            found = f"is {here.get(name, 'missing')} there and {wanted} here"
            raise WordleKitError(f"{name} {found}; install the same everywhere")
    return task()


def _end_processes() -> None:
    """End the processes of a Dask worker, even in the middle of a call. This function runs in each worker."""
    while _pools:
        _pools.popitem()[1].close(kill=True)
