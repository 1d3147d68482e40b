"""`Cluster`: the workers of a Dask cluster, which play in place of processes on this machine."""

import logging
import pickle
import re
import threading
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import resource_tracker
from typing import Any, Self

from wordle_kit.clusters.bundle import Bundle, pack, pickled
from wordle_kit.clusters.dask_worker import Reply, WorkerProcesses, carry_out_call, problem_with
from wordle_kit.engine import available_cores
from wordle_kit.errors import WordleKitError
from wordle_kit.extras import needed
from wordle_kit.names import shown
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import raised
from wordle_kit.workers import CallPool, Machines, WorkerDied, blocked_ctrl_c

LOCAL = re.compile(r"local(?::(?P<count>.*))?")

ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?(?:\[[0-9a-fA-F:.]+\]|[^\[\]/:\s]+):[0-9]{1,5}")

PATIENCE = 10.0
"""Seconds to wait for the scheduler's reply."""

LOOK = 1.0
"""Seconds between two checks for new workers."""

RESUBMISSIONS = 2
"""How often a call is submitted again after its Dask workers died, unless no other call could be at fault."""


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

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def size(self) -> int:
        """The number of threads of all workers now, at least 1."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    @property
    def killed_worker(self) -> type[Exception]:
        """The exception of a call whose Dask workers died."""
        kind: type[Exception] = self._distributed.scheduler.KilledWorker
        return kind

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
        bundle = pack(shared, initialize)
        if self._installed != bundle.name:
            self.dismiss()
            self._install(bundle)
        return _Calls(self, bundle.name, shared, uuid.uuid4().hex if most == 1 else "")

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

    def _install(self, bundle: Bundle) -> None:
        self._installed = bundle.name
        try:
            self.client.register_plugin(WorkerProcesses(bundle), name=bundle.name)
            problems: dict[str, str | None] = self.client.run(problem_with, bundle.name)
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
        resource_tracker.ensure_running()  # when it starts, it lets Ctrl-C through
        with blocked_ctrl_c():  # the workers inherit that
            cluster = self._distributed.LocalCluster(
                n_workers=int(count) if count is not None else available_cores(),
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                worker_dashboard_address="127.0.0.1:0",
                memory_limit=0,
                scheduler_kwargs={
                    "allowed_failures": 0,  # calls are submitted again here
                    "dashboard": False,
                    "dashboard_address": "127.0.0.1:0",  # of a server for health checks, which is always started
                },
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


@dataclass(frozen=True)
class _Call:
    """A call that is waiting to be submitted, or submitted."""

    future: "Future[Any]"
    text: bytes
    left: int
    """How often it may be submitted again."""


class _Calls(CallPool):
    """Calls that a cluster carries out.

    No more are submitted at a time than the workers have threads. Otherwise Dask, which expects all calls to take
    equally long, would queue some behind much longer ones while other workers are idle.
    """

    def __init__(self, cluster: Cluster, bundle: str, shared: Sequence[object], group: str) -> None:
        self._cluster = cluster
        self._bundle = bundle
        self._shared = shared
        self._group = group
        self._most = cluster.size
        self._waiting: deque[_Call] = deque()
        self._tasks: dict[Future[Any], Any] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        threading.Thread(target=self._look, name="wordle-kit cluster", daemon=True).start()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a worker carry out a call, and return the future of the result."""
        future: Future[Any] = Future()
        try:
            text = pickled((function, arguments), self._shared)
        except Exception as error:
            future.set_exception(error)
            return future
        self._waiting.append(_Call(future, text, 0 if self._group else RESUBMISSIONS))
        self._send()
        return future

    def close(self, *, kill: bool = False) -> None:
        """Cancel calls that are not finished; with `kill`, end the processes on the workers too."""
        self._closed.set()
        with self._lock:
            tasks = list(self._tasks.values())
            self._waiting.clear()
        with suppress(Exception):  # the connection is lost
            self._cluster.client.cancel(tasks)
        if kill:
            self._cluster.dismiss()

    def _look(self) -> None:
        """Submit more calls when workers have joined. Runs in a thread."""
        while not self._closed.wait(LOOK):
            with suppress(Exception):  # the connection is lost, which the calls will show
                self._most = self._cluster.size
                self._send()

    def _send(self) -> None:
        """Submit as many waiting calls as there are idle threads."""
        sent = []
        with self._lock:
            while self._waiting and len(self._tasks) < self._most and not self._closed.is_set():
                call = self._waiting.popleft()
                key = f"wordle-kit-call-{uuid.uuid4().hex}"
                arguments = (self._bundle, self._group, call.text)
                task = self._cluster.client.submit(carry_out_call, *arguments, key=key, pure=False)
                self._tasks[call.future] = task
                sent.append((call, task))
        for call, task in sent:
            task.add_done_callback(partial(self._settle, call))

    def _settle(self, call: _Call, task: Any) -> None:
        """Set the result of a call. Runs in a thread of Dask's client."""
        if self._closed.is_set():
            return
        with self._lock:
            self._tasks.pop(call.future, None)
        try:
            self._send()  # first, so that the worker need not wait
            returned, value = self._read(task.result())
        except CancelledError:
            returned, value = False, WordleKitError(f"the connection to {self._cluster.address} is lost")
        except self._cluster.killed_worker as error:
            if call.left:
                self._waiting.append(replace(call, left=call.left - 1))
                self._most = self._cluster.size  # fewer now, or Dask would queue the call behind another
                self._send()
                return
            returned, value = False, WorkerDied(str(error))
        except Exception as error:
            returned, value = False, error
        if returned:
            call.future.set_result(value)
        else:
            call.future.set_exception(value)

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
