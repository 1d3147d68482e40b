"""A pool of processes that run tasks. A task whose process dies is tried once more, alone.

Workers are forked where that is safe, since they then share this process's tables, kernels and imports. Elsewhere, and
if other threads run, as in a notebook, each worker is a new Python process, which takes over a second to load them.
Workers end with their parent, leave Ctrl-C to it, and do not write to standard output.
"""

import contextlib
import ctypes
import gc
import itertools
import math
import multiprocessing
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper, lru_cache
from io import BytesIO
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, active_count
from types import ModuleType
from typing import Any, Self, TypeVar

from wordle_kit.errors import WordleKitError
from wordle_kit.identity import loaded_files

Task = TypeVar("Task", bound=Callable[[], Any])

PR_SET_PDEATHSIG = 1

TICK = 0.2
"""The maximum number of seconds between calls of `tick` while tasks run."""

TIME_TO_END = 15.0
"""The seconds that a worker has to clean up and end after its last task."""


@dataclass(frozen=True)
class Died:
    """The result of a task whose process died: how it ended, and its watchdog's traceback, if any."""

    how: str
    traceback: str


def can_fork() -> bool:
    """Return whether workers are forked, as they are on Linux unless another thread is running.

    Another thread may hold a lock at that moment, for example during an import. In a forked worker, that lock would
    never be released.
    """
    return sys.platform == "linux" and hasattr(os, "fork") and active_count() == 1


def available_cores(root: Path = Path("/")) -> int:
    """Return the number of cores that this process may use, at least 1.

    It is the number of cores on which the process may run, or fewer if its control group limits its processor time.
    `root` is the folder that contains `proc` and `sys`.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        group = (root / "proc/self/cgroup").read_text().rpartition(":")[2].strip("/\n")
        quota, period = (root / "sys/fs/cgroup" / group / "cpu.max").read_text().split()
        return max(1, min(allowed, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # there are no control groups, or the quota is "max"
        return allowed


class Pool:
    """A pool of at most `count` processes, started when needed, that run tasks."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._folder = TemporaryDirectory(prefix="wordle-kit-", ignore_cleanup_errors=True)
        self._workers: list[_Worker] = []
        self._numbers = itertools.count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.close(kill=kind is not None)

    def close(self, *, kill: bool = False) -> None:
        """End all workers. With `kill`, end them even in the middle of their tasks."""
        if not kill:
            for worker in self._workers:
                worker.send(b"")
            for worker in self._workers:
                worker.process.join(TIME_TO_END)
        for worker in self._workers:
            worker.kill()
        self._folder.cleanup()

    def run(
        self, take: Callable[[Task | None], Task | None], tick: Callable[[], object] = lambda: None
    ) -> Iterator[tuple[Task, Any]]:
        """Yield each task with its result, in the order of completion. Exceptions raised by a task are raised here.

        `take(last)` is called when a worker is free: it returns the next task for a worker whose last task was `last`,
        or None if there is none now. If the worker dies, its task runs again when all others are done, alone.
        If that worker dies too, the result is a `Died`. If the watchdog ended the first worker, the task is not run
        again, and the result is a `Died`. `tick` is called several times a second.
        """
        busy: dict[_Worker, Task] = {}
        suspects: list[Task] = []
        alone: Task | None = None
        while True:
            for worker in self._idle(busy):
                task = take(worker.last)
                if task is None and suspects and not busy:
                    task = alone = suspects.pop(0)
                if task is None:
                    break
                worker.begin(task)
                busy[worker] = task
            if not busy:
                return
            for worker in _finished(busy):
                task, result = busy.pop(worker), worker.result()
                if isinstance(result, Died):
                    self._workers.remove(worker)
                    worker.kill()
                    if not result.traceback and task is not alone:
                        suspects.append(task)
                        continue
                yield task, result
            tick()

    def _idle(self, busy: dict["_Worker", Any]) -> Iterator["_Worker"]:
        """Yield the workers that are not busy, then new ones as long as the limit allows more."""
        yield from [worker for worker in self._workers if worker not in busy]
        while len(self._workers) < self._count:
            try:
                self._workers.append(_Worker(Path(self._folder.name, str(next(self._numbers)))))
            except (OSError, RuntimeError) as error:
                reason = getattr(error, "strerror", None) or error
                raise WordleKitError(f"cannot start a worker process: {reason}; use fewer workers") from error
            yield self._workers[-1]


class _Worker:
    """The parent's side of a worker."""

    def __init__(self, file: Path) -> None:
        self.last: Any = None
        """The last task that the worker was given."""
        self._file = file
        file.write_text("")
        self._forks = can_fork()
        self.connection, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork" if self._forks else "spawn")
        # A daemon is killed when this process exits, even if nobody closes the pool.
        self.process = context.Process(target=_work, args=(theirs, file, os.getpid()), daemon=True)  # type: ignore[attr-defined]
        with theirs, contextlib.nullcontext() if self._forks else _without_main():
            self.process.start()

    def begin(self, task: Callable[[], Any]) -> None:
        """Send a task."""
        self.last = task
        self.send(pickle.dumps(task, pickle.HIGHEST_PROTOCOL) if self._forks else pickled_by_value(task))

    def send(self, message: bytes) -> None:
        """Send a message. If the worker has ended, waiting for its result will show it."""
        with contextlib.suppress(OSError):
            self.connection.send_bytes(message)

    def result(self) -> Any:
        """Return the result of the worker's task, or a Died. An exception raised by the task is raised here."""
        try:
            if not self.connection.poll():
                raise EOFError
            error, value = pickle.loads(self.connection.recv_bytes())  # noqa: S301 - from our own worker
        except (EOFError, OSError):
            self.process.kill()
            self.process.join()
            code = self.process.exitcode or 0
            how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            return Died(f"a worker process {how}", self._file.read_text(errors="replace"))
        if error is not None:
            raise error
        return value

    def kill(self) -> None:
        """Kill the worker and release its resources."""
        if not self.connection.closed:
            self.process.kill()
            self.process.join()
            self.connection.close()


def in_order(tasks: Iterable[Task]) -> Callable[[Task | None], Task | None]:
    """Return a function for `Pool.run` that gives the next task to any worker."""
    waiting = iter(tasks)
    return lambda last: next(waiting, None)


def _finished(workers: Iterable[_Worker]) -> list[_Worker]:
    """Return the workers that have a result or have ended, after waiting for at most a tick."""
    by_connection = {worker.connection: worker for worker in workers}
    with_result = wait(list(by_connection), TICK)
    # A dead worker's own children may keep its connection open.
    return [
        worker
        for connection, worker in by_connection.items()
        if connection in with_result or not worker.process.is_alive()
    ]


_hiding_main = Lock()


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Hide the user's script, since a new Python process would run it again, and it may play a tournament."""
    with _hiding_main:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def pickled_by_value(value: object) -> bytes:
    """Return an object pickled for a new Python process, with the code it needs from `__main__` and plugin files."""
    from numba import cloudpickle  # numba's copy, with which numba pickles functions

    for name in loaded_files:
        if name in sys.modules:
            cloudpickle.register_pickle_by_value(sys.modules[name])  # type: ignore[no-untyped-call]
    pickled = BytesIO()
    pickler = cloudpickle.Pickler(pickled, pickle.HIGHEST_PROTOCOL)  # type: ignore[no-untyped-call]
    pickler.dispatch_table[_lru_cache_wrapper] = _reduced_cache  # cloudpickle has the new process import them
    pickler.dump(value)  # type: ignore[no-untyped-call]
    return pickled.getvalue()


def _reduced_cache(cached: Any) -> str | tuple[Any, ...]:
    """Return what pickle needs to make a cached function anew, without its results."""
    if cached.__module__ != "__main__" and cached.__module__ not in loaded_files:
        return str(cached.__qualname__)
    return _new_cache, tuple(cached.cache_parameters().values()), vars(cached)


def _new_cache(maxsize: int | None, typed: bool) -> Callable[..., Any]:
    """Return a cached function whose `__wrapped__` is set afterwards, since that function may call the cached one."""

    @lru_cache(maxsize, typed)
    def cached(*arguments: Any, **named: Any) -> Any:
        return cached.__wrapped__(*arguments, **named)

    return cached


# What runs in a worker


_watchdog_file: Path | None = None


def watchdog_file() -> Path | None:
    """Return the file for the traceback of this worker's watchdog, or None if this process is not a worker."""
    return _watchdog_file


def _end_with(parent: int) -> None:
    """Have this process end when its parent does, and leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def _work(connection: Connection, file: Path, parent: int) -> None:
    """Run tasks until the parent sends an empty message or has ended."""
    global _watchdog_file
    _end_with(parent)
    multiprocessing.current_process().daemon = False  # a strategy may start processes
    _watchdog_file = file
    os.dup2(2, 1)  # a strategy's output must not mix with a command's results
    # The parent's streams are not used: a console's stream may need a thread, which a forked worker does not have.
    sys.stdout = sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    gc.freeze()  # the parent's objects stay, so the collector need not visit them
    with contextlib.suppress(EOFError), connection:
        while message := connection.recv_bytes():
            connection.send_bytes(_result_of(message))


def _result_of(message: bytes) -> bytes:
    """Run a task, and return its error (or None) and its result, pickled."""
    try:
        task = pickle.loads(message)  # noqa: S301 - from the parent
        return pickle.dumps((None, task()), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        error.add_note(text)
        try:
            return pickle.dumps((error, None), pickle.HIGHEST_PROTOCOL)
        except Exception:
            return pickle.dumps((RuntimeError(text), None))
