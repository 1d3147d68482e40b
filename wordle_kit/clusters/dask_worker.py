"""The plugin of each Dask worker. It carries out calls in other processes, so that they cannot harm the worker."""

import threading
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from wordle_kit.clusters.bundle import Bundle, carry_out, unpack
from wordle_kit.clusters.versions import difference, versions_here
from wordle_kit.workers import WorkerDied, Workers

if TYPE_CHECKING:
    WorkerPlugin = object
else:
    try:
        from distributed import WorkerPlugin
    except ImportError:  # the extra is not installed; Cluster says so
        WorkerPlugin = object

ATTEMPTS = 2
"""How often a call is given to another process if the first one had already ended."""


class Reply(NamedTuple):
    """How a call ended: with a result, with a process that died, or with a refusal."""

    result: bytes | None = None
    """Whether the call succeeded, and its pickled value or error."""
    death: str = ""
    last_words: str = ""
    refusal: str = ""
    address: str = ""


class WorkerProcesses(WorkerPlugin):
    """Keeps processes of a Dask worker. Workers that join late get it too, before their first call."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.name = bundle.name

    def setup(self, worker: Any) -> None:
        """Compare versions. Runs when the worker gets this plugin."""
        self.address = str(worker.address)
        self.problem = difference(self.bundle.versions, versions_here())
        self._lock = threading.Lock()
        self._idle: list[tuple[str, Workers]] = []
        self._all: set[Workers] = set()
        self._closed = False

    def teardown(self, worker: Any) -> None:
        """End all processes, whatever they are doing."""
        with self._lock:
            self._closed = True
            processes = list(self._all)
        for process in processes:
            process.kill()
        for process in processes:
            process.close(kill=True)

    def carry_out(self, call: bytes, group: str) -> Reply:
        """Carry out a call in a process that only calls of the same group have used."""
        if self.problem is not None:
            return Reply(refusal=self.problem, address=self.address)
        for _ in range(ATTEMPTS):
            process = self._take(group)
            try:
                result = process.submit(carry_out, call).result()
            except WorkerDied as died:
                self._end(process)
                self._check_open()
                return Reply(death=str(died), last_words=died.last_words, address=self.address)
            except BrokenProcessPool:  # it ended before this call
                self._end(process)
                self._check_open()
                continue
            except BaseException:
                self._end(process)
                raise
            with self._lock:
                self._idle.append((group, process))
            return Reply(result, address=self.address)
        return Reply(death="a worker process could not be started", address=self.address)

    def _take(self, group: str) -> Workers:
        """Return an idle process of a group, or a new one in place of an idle one of another group."""
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
        """Have Dask give the call to another worker if this one is being closed."""
        if self._closed:
            from distributed import Reschedule

            raise Reschedule


def carry_out_call(name: str, group: str, call: bytes) -> Reply:
    """Carry out a call in a process of this Dask worker. This is the task that Dask knows."""
    from distributed import get_worker

    processes: WorkerProcesses = get_worker().plugins[name]
    return processes.carry_out(call, group)


def problem_with(name: str, dask_worker: Any) -> str | None:
    """Return why this Dask worker cannot play, or None if it can."""
    problem: str | None = dask_worker.plugins[name].problem
    return problem
