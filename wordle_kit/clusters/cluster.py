"""`Cluster`: the workers of a Dask cluster, elsewhere or started on this machine, as machines that play."""

import logging
import os
import pickle
import re
import sys
import uuid
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing import resource_tracker
from types import TracebackType
from typing import Any, Self

from wordle_kit.clusters.parcel import Parcel, pack, pickled
from wordle_kit.clusters.station import Reply, Station, carry_out_call, problem_with
from wordle_kit.errors import WordleKitError
from wordle_kit.extras import needed
from wordle_kit.machines import CallPool, Machines
from wordle_kit.names import shown
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import raised
from wordle_kit.workers import WorkerDied, blocked_ctrl_c

LOCAL = re.compile(r"local(?::(?P<count>.*))?")

ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?(?:\[[0-9a-fA-F:.]+\]|[^\[\]/:\s]+):[0-9]{1,5}")

PATIENCE = 10.0
"""Seconds to wait for the scheduler's reply."""

RESUBMISSIONS = 2
"""How often a call is submitted again after its Dask workers died, which may be the fault of another call."""


class Cluster(Machines):
    """The workers of a Dask cluster. Give it to `tournament` as `executor`, and close it afterwards.

    `where` is the address of a scheduler, such as `tcp://10.0.0.5:8786`; `local` or `local:4` for worker processes on
    this machine; or a `distributed.Client`. Raises WordleKitError if there is no such scheduler.
    """

    def __init__(self, where: Any) -> None:
        self._distributed = needed("distributed", "a Dask cluster", "dask")
        self._open = ExitStack()
        self._installed: str | None = None
        if isinstance(where, self._distributed.Client):
            self.client = where
        elif not isinstance(where, str):
            raise WordleKitError(f"{shown(where)} is not a Dask cluster; give its address, local:N or a Client")
        elif local := LOCAL.fullmatch(where):
            self.client = self._start(where, local["count"])
        else:
            self.client = self._connect(where)
        self.address = str(self.client.scheduler.address)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def size(self) -> int:
        """The number of threads of all workers now, at least 1."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    @property
    def has_workers(self) -> bool:
        """Whether a worker has joined the cluster."""
        return bool(self.client.nthreads())

    def pool(
        self, most: int, *, shared: Sequence[object] = (), initialize: Callable[[], object] | None = None
    ) -> CallPool:
        """Return a pool whose calls are carried out in processes of the workers.

        Raises WordleKitError if wordle-kit or a plugin is not the same on a worker.
        """
        parcel = pack(shared, initialize)
        if self._installed != parcel.name:
            self.dismiss()
            self._install(parcel)
        return _Calls(self, parcel.name, shared, uuid.uuid4().hex if most == 1 else "")

    def dismiss(self) -> None:
        """End the processes on the workers."""
        if self._installed is not None:
            name, self._installed = self._installed, None
            with suppress(Exception):  # the connection is lost, so the workers have ended or will not hear
                self.client.unregister_worker_plugin(name)

    def close(self) -> None:
        """End the processes on the workers, the connection, and the cluster if it was started here."""
        self.dismiss()
        self._open.close()

    def _install(self, parcel: Parcel) -> None:
        self._installed = parcel.name
        try:
            self.client.register_plugin(Station(parcel), name=parcel.name)
            problems: dict[str, str | None] = self.client.run(problem_with, parcel.name)
        except Exception as error:
            raise WordleKitError(
                f"a worker of {self.address} cannot use wordle-kit: {raised(error)}; install the same version there"
            ) from error
        for address, problem in problems.items():
            if problem is not None:
                raise _refusal(address, problem)

    def _start(self, where: str, count: str | None) -> Any:
        if count is not None and not (count.isdecimal() and int(count)):
            raise WordleKitError(f"{where!r} is not a cluster; give local:N, with N from 1 up")
        cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        resource_tracker.ensure_running()  # when it starts, it lets Ctrl-C through
        with blocked_ctrl_c():  # the workers inherit that
            cluster = self._distributed.LocalCluster(
                n_workers=int(count) if count is not None else cores,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                worker_dashboard_address=None,
                memory_limit=0,
                local_directory=str(self._open.enter_context(temporary_folder())),
                silence_logs=logging.CRITICAL,
            )
            self._open.callback(cluster.close)
            return self._open.enter_context(self._distributed.Client(cluster, set_as_default=False))

    def _connect(self, address: str) -> Any:
        if not ADDRESS.fullmatch(address):
            raise WordleKitError(
                f"{address!r} is not the address of a Dask scheduler; give one such as tcp://10.0.0.5:8786, or local:N"
            )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about versions, which are compared before anything is played
                client = self._distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise WordleKitError(
                f"no Dask scheduler answers at {address!r}: {reason}; give the address that the scheduler prints when "
                "it starts"
            ) from error
        return self._open.enter_context(client)


class _Calls(CallPool):
    """Calls that a cluster carries out."""

    def __init__(self, cluster: Cluster, parcel: str, shared: Sequence[object], group: str) -> None:
        self._cluster = cluster
        self._parcel = parcel
        self._shared = shared
        self._group = group
        self._tasks: dict[Future[Any], Any] = {}
        self._closed = False

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a worker carry out a call, and return the future of the result."""
        future: Future[Any] = Future()
        try:
            self._send(future, pickled((function, arguments), self._shared), RESUBMISSIONS)
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self, *, kill: bool = False) -> None:
        """Cancel calls that are not finished; with `kill`, end the processes on the workers too."""
        self._closed = True
        with suppress(Exception):  # the connection is lost
            self._cluster.client.cancel(list(self._tasks.values()))
        self._tasks.clear()
        if kill:
            self._cluster.dismiss()

    def _send(self, future: "Future[Any]", call: bytes, left: int) -> None:
        key = f"wordle-kit-call-{uuid.uuid4().hex}"
        arguments = (self._parcel, self._group, call)
        task = self._cluster.client.submit(carry_out_call, *arguments, key=key, pure=False)
        self._tasks[future] = task
        task.add_done_callback(partial(self._settle, future, call, left))

    def _settle(self, future: "Future[Any]", call: bytes, left: int, task: Any) -> None:
        """Set the result of a call. Runs in a thread of Dask's client."""
        if self._closed:
            return
        try:
            reply: Reply = task.result()
            self._tasks.pop(future, None)
            returned, value = self._read(reply)
        except CancelledError:
            returned, value = False, WordleKitError(f"the connection to {self._cluster.address} is lost")
        except self._cluster._distributed.scheduler.KilledWorker as error:
            if left:
                self._send(future, call, left - 1)
                return
            returned, value = False, WorkerDied(str(error))
        except Exception as error:
            returned, value = False, error
        if returned:
            future.set_result(value)
        else:
            future.set_exception(value)

    def _read(self, reply: Reply) -> tuple[bool, Any]:
        if reply.refusal:
            return False, _refusal(reply.address, reply.refusal)
        if reply.result is None:
            return False, WorkerDied(reply.death, reply.last_words)
        returned, value = pickle.loads(reply.result)  # noqa: S301 - from our own worker
        if not returned and isinstance(value, WordleKitError):
            value = WordleKitError(f"worker {reply.address}: {value}", settings=value.settings)
        return returned, value


def _refusal(address: str, problem: str) -> WordleKitError:
    return WordleKitError(f"worker {address}: {problem}; install the same on every machine")
