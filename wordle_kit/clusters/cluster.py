"""`Cluster`: the workers of a Dask cluster, which play instead of processes on this machine.

A plugin in each Dask worker carries out calls in separate processes, so that calls cannot harm the worker.
"""

import logging
import pickle
import re
import threading
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, Self

from wordle_kit.clusters.bundle import Bundle, carry_out, difference, pack, pickled, unpack, versions_here
from wordle_kit.errors import WordleKitError
from wordle_kit.lazy import needed
from wordle_kit.machine import available_cores
from wordle_kit.plugin_sources import note
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import raised, shown
from wordle_kit.workers import CallPool, Machines, WorkerDied, Workers, blocked_ctrl_c

if TYPE_CHECKING:
    WorkerPlugin = object
else:
    try:
        from distributed import WorkerPlugin
    except ImportError:  # the extra is missing, which Cluster reports
        WorkerPlugin = object

LOCAL = re.compile(r"local(?::(?P<count>.*))?")

ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?(?:\[[0-9a-fA-F:.]+\]|[^\[\]/:\s]+):[0-9]{1,5}")

PATIENCE = 10.0
"""The seconds to wait for an answer of the scheduler."""

WATCH_INTERVAL = 1.0
"""The seconds between two checks for new workers."""

ATTEMPTS = 2
"""How many processes a call is given to at most, if they had ended before the call."""


class Cluster(Machines):
    """The workers of a Dask cluster. Pass it to `tournament` as `executor`, and close it afterwards.

    `where` is the address of a scheduler, such as `tcp://10.0.0.5:8786`; `local` or `local:4` for worker processes on
    this machine; or a `distributed.Client`. Raises WordleKitError if there is no such scheduler.
    """

    def __init__(self, where: Any) -> None:
        self._distributed = needed("distributed", "a Dask cluster", "dask")
        self.killed_worker: type[Exception] = self._distributed.scheduler.KilledWorker
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
        """The current number of threads of all workers, at least 1."""
        return max(1, sum(self.threads.values()))

    @property
    def threads(self) -> dict[str, int]:
        """The current number of threads of each worker, by its address."""
        return dict(self.client.nthreads())

    def pool(
        self, most: int, *, shared: Sequence[object] = (), initialize: Callable[[], object] | None = None
    ) -> CallPool:
        """Return a pool that carries out calls in processes of the workers.

        Raises WordleKitError if wordle-kit or a plugin is different on a worker.
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
            with suppress(Exception):  # the connection is lost: the workers have ended or cannot be told
                self.client.unregister_worker_plugin(name)

    def close(self) -> None:
        """End the processes on the workers, the connection, and the cluster if it was started by this object."""
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
                raise WordleKitError(f"worker {address}: {problem}")

    def _start(self, where: str, count: str | None) -> Any:
        if count is not None and not (count.isdecimal() and int(count)):
            raise WordleKitError(f"{where!r} is not a cluster; give local:N, with N from 1 up")
        resource_tracker.ensure_running()  # while it starts, it does not block Ctrl-C
        with blocked_ctrl_c():  # inherited by the workers
            cluster = self._distributed.LocalCluster(
                n_workers=int(count) if count is not None else available_cores(),
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                worker_dashboard_address="127.0.0.1:0",
                memory_limit=0,
                scheduler_kwargs={
                    "dashboard": False,
                    "dashboard_address": "127.0.0.1:0",  # for the health checks, which always have a server
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
                warnings.simplefilter("ignore")  # about versions, which are compared separately
                client = self._distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise WordleKitError(
                f"no Dask scheduler answers at {address!r}: {reason}; give the address that the scheduler prints when "
                "it starts"
            ) from error
        return self._open.enter_context(client)


class _Calls(CallPool):
    """Calls that a cluster carries out.

    At any time, only as many are submitted as the workers have threads. Dask expects all calls to take equally long. If
    more calls were submitted, it would queue some behind much longer ones while other workers are idle.
    """

    def __init__(self, cluster: Cluster, bundle: str, shared: Sequence[object], group: str) -> None:
        self._cluster = cluster
        self._bundle = bundle
        self._shared = shared
        self._group = group
        self._most = cluster.size
        self._waiting: deque[tuple[Future[Any], bytes]] = deque()
        self._tasks: dict[Future[Any], Any] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        threading.Thread(target=self._look, name="wordle-kit cluster", daemon=True).start()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Let a worker carry out a call, and return the future of its result."""
        future: Future[Any] = Future()
        try:
            text = pickled((function, arguments), self._shared)
        except Exception as error:
            future.set_exception(error)
            return future
        self._waiting.append((future, text))
        self._send()
        return future

    def close(self, *, kill: bool = False) -> None:
        """Cancel unfinished calls. With `kill`, also end the processes on the workers."""
        self._closed.set()
        with self._lock:
            tasks = list(self._tasks.values())
            self._waiting.clear()
        with suppress(Exception):  # the connection is lost
            self._cluster.client.cancel(tasks)
        if kill:
            self._cluster.dismiss()

    def _look(self) -> None:
        """Submit more calls when workers have joined, and report lost workers. It runs in a thread."""
        known: set[str] = set()
        while not self._closed.wait(WATCH_INTERVAL):
            with suppress(Exception):  # the connection is lost, as the calls will show
                threads = self._cluster.threads
                for address in sorted(known - threads.keys()):
                    instead = "others do what it had" if threads else "what it had waits for another worker"
                    note(f"Dask worker {address} was lost; {instead}")
                known = set(threads)
                self._most = max(1, sum(threads.values()))
                self._send()

    def _send(self) -> None:
        """Submit as many waiting calls as there are idle threads."""
        sent = []
        with self._lock:
            while self._waiting and len(self._tasks) < self._most and not self._closed.is_set():
                future, text = self._waiting.popleft()
                key = f"wordle-kit-call-{uuid.uuid4().hex}"
                arguments = (self._bundle, self._group, text)
                self._tasks[future] = self._cluster.client.submit(carry_out_call, *arguments, key=key, pure=False)
                sent.append((future, self._tasks[future]))
        for future, task in sent:
            task.add_done_callback(partial(self._settle, future))

    def _settle(self, future: "Future[Any]", task: Any) -> None:
        """Set the result of a call. It runs in a thread of Dask's client."""
        if self._closed.is_set():
            return
        with self._lock:
            self._tasks.pop(future, None)
        try:
            self._send()  # comes first, so that the worker need not wait
            value = pickle.loads(task.result())  # noqa: S301 - from our own worker
        except CancelledError:
            future.set_exception(WordleKitError(f"the connection to {self._cluster.address} is lost"))
        except self._cluster.killed_worker as error:
            future.set_exception(WorkerDied(str(error)))
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(value)


# Code that runs in a Dask worker


class WorkerProcesses(WorkerPlugin):
    """Keeps the processes of a Dask worker. Workers that join late also get this plugin before their first call."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.name = bundle.name

    def setup(self, worker: Any) -> None:
        """Compare versions. It runs when the worker gets this plugin."""
        self.address = str(worker.address)
        problem = difference(self.bundle.versions, versions_here())
        self.problem = None if problem is None else f"{problem}; install the same on every machine"
        self._lock = threading.Lock()
        self._idle: list[tuple[str, Workers]] = []
        self._all: set[Workers] = set()
        self._closed = False

    def teardown(self, worker: Any) -> None:
        """End all processes, even in the middle of a call."""
        with self._lock:
            self._closed = True
            processes = list(self._all)
        for process in processes:
            process.kill()
        for process in processes:
            process.close(kill=True)

    def carry_out(self, call: bytes, group: str) -> bytes:
        """Carry out a call in a process that has had only calls of the same group, and return its result, pickled.

        Raises WorkerDied if that process died.
        """
        try:
            if self.problem is not None:
                raise WordleKitError(self.problem)
            for _ in range(ATTEMPTS):
                process = self._take(group)
                try:
                    result: bytes = process.submit(carry_out, call).result()
                except BaseException as error:
                    self._end(process)
                    if not isinstance(error, BrokenProcessPool):
                        raise
                    self._check_open()
                    if isinstance(error, WorkerDied):
                        raise
                    continue  # the process had ended before this call
                with self._lock:
                    self._idle.append((group, process))
                return result
        except WordleKitError as error:
            raise WordleKitError(f"worker {self.address}: {error}", settings=error.settings) from error
        raise WorkerDied("a worker process could not be started")

    def _take(self, group: str) -> Workers:
        """Return an idle process of this group, or a new one that replaces an idle one of another group."""
        with self._lock:
            mine = next((one for one in self._idle if one[0] == group), None)
            other = next(iter(self._idle), None) if mine is None else None
            for one in (mine, other):
                if one is not None:
                    self._idle.remove(one)
        if mine is not None:
            return mine[1]
        if other is not None:
            self._end(other[1])
        process = Workers(1, partial(unpack, self.bundle))
        with self._lock:
            self._all.add(process)
            closed = self._closed
        if closed:
            self._end(process)
        return process

    def _end(self, process: Workers) -> None:
        process.close(kill=True)
        with self._lock:
            self._all.discard(process)

    def _check_open(self) -> None:
        """Make Dask give the call to another worker if this one is being closed."""
        if self._closed:
            from distributed import Reschedule

            raise Reschedule


def carry_out_call(name: str, group: str, call: bytes) -> bytes:
    """Carry out a call in a process of this Dask worker. This function is the task that is sent to Dask."""
    from distributed import get_worker

    processes: WorkerProcesses = get_worker().plugins[name]
    return processes.carry_out(call, group)


def problem_with(name: str, dask_worker: Any) -> str | None:
    """Return why this Dask worker cannot play, or None if it can."""
    problem: str | None = dask_worker.plugins[name].problem
    return problem
