"""A pool of processes that carry out tasks. A task whose process dies gets a second try, alone.

Workers are forked where that is safe: they share this process's tables, and classes typed into a notebook. Elsewhere,
and beside other threads, each worker is a new Python. Workers end with their parent, leave Ctrl-C to it, and do not
write to standard output.
"""

import contextlib
import ctypes
import gc
import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Self, TypeVar

from wordle_kit.errors import WordleKitError
from wordle_kit.identity import loaded_files

Task = TypeVar("Task", bound=Callable[[], Any])

PR_SET_PDEATHSIG = 1

TICK = 0.2
"""The seconds after which `tick` is called again while tasks are carried out."""

TIME_TO_END = 15.0
"""The seconds that a worker has to clean up and end after its last task."""

ALLOCATIONS = 10_000
"""The number of new objects in a worker after which Python collects unreachable cycles, since cycles of a strategy may
hold large arrays.
"""


@dataclass(frozen=True)
class Died:
    """What came of a task whose process ended: how it ended, and the traceback of its watchdog, if any."""

    how: str
    last_words: str


idle_threads = 0
"""The number of other threads that certainly hold no lock, such as threads left from an earlier test."""

_starting = threading.Lock()


_one_core = False
"""Whether this process was told to use only one core."""


def cores() -> int:
    """Return the number of processor cores that a computation of the engine may use. It is 1 in a worker process."""
    return 1 if _one_core or multiprocessing.parent_process() is not None else available_cores()


def use_one_core() -> None:
    """Let each computation of the engine in this process use only one core."""
    global _one_core
    _one_core = True


def available_cores(root: Path = Path("/")) -> int:
    """Return the number of cores that this process may use, at least 1.

    It is the number of cores on which the process may run, or less if its control groups limit its processor time.
    `root` is the folder that contains `proc` and `sys`.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([allowed, *map(math.ceil, _limits(root))]))


def _limits(root: Path) -> Iterator[float]:
    """Yield the limits, in cores, of the process's control group and of the groups that contain it."""
    mount = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        group = mount / path.removeprefix("/")
        if not controllers and ".." not in group.parts:
            for folder in (group, *group.parents):  # in a container, some of them are not visible
                quota, _, period = _text(folder / "cpu.max").partition(" ")
                if quota.isdigit():  # otherwise it is "max"
                    yield int(quota) / int(period)


def _text(file: Path) -> str:
    """Return the text of a file, or an empty text if it cannot be read."""
    try:
        return file.read_text()
    except OSError:
        return ""


def can_fork() -> bool:
    """Return whether workers are forked: on Linux, unless another thread is running.

    Another thread may hold a lock at that moment, for example for an import. In a forked worker, that lock would never
    be released.
    """
    return sys.platform == "linux" and hasattr(os, "fork") and threading.active_count() - idle_threads <= 1


class Pool:
    """At most `count` processes that carry out tasks, and are started when they are needed.

    `afresh` is called in each new Python before its first task. Forked workers have what this process has.
    """

    def __init__(self, count: int, *, afresh: Callable[[], object] | None = None) -> None:
        self._count = count
        self._afresh = afresh
        self._folder = TemporaryDirectory(prefix="wordle-kit-", ignore_cleanup_errors=True)
        self._workers: list[_Worker] = []
        # If nobody closes the pool, its workers are killed when this process exits, so that it need not wait for them.
        self._last_resort = Finalize(None, self._kill, exitpriority=100)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.close(kill=kind is not None)

    def close(self, *, kill: bool = False) -> None:
        """End all workers, with `kill` in the middle of their tasks."""
        if not kill:
            for worker in self._workers:
                worker.send(b"")
            for worker in self._workers:
                worker.process.join(TIME_TO_END)
        self._kill()
        self._last_resort.cancel()
        self._folder.cleanup()

    def run(
        self, take: Callable[[Task | None], Task | None], tick: Callable[[], object] = lambda: None
    ) -> Iterator[tuple[Task, Any]]:
        """Yield each task with its result, in the order in which they end. An exception of a task is raised.

        `take(last)` is called when a worker is free: it returns the next task for a worker whose last task was `last`,
        or None if there is none now. If the worker dies, its task is carried out again when all others are done, alone
        in a new process. If that dies too, the result is a `Died`. So it is at once if the watchdog ended the worker.
        `tick` is called several times a second.
        """
        suspects: list[Task] = []
        busy: dict[_Worker, Task] = {}
        while True:
            for worker in self._idle(busy):
                task = take(worker.last)
                if task is None:
                    break
                worker.begin(task)
                busy[worker] = task
            if busy:
                for worker in _finished(busy):
                    task, result = busy.pop(worker), worker.result()
                    if isinstance(result, Died):
                        self._remove(worker)
                    if isinstance(result, Died) and not result.last_words:
                        suspects.append(task)
                    else:
                        yield task, result
                tick()
            elif suspects:
                yield self._alone(suspects.pop(0), tick)  # afterwards, there may be more to take
            else:
                return

    def _alone(self, task: Task, tick: Callable[[], object]) -> tuple[Task, Any]:
        """Carry out a task while nothing else is carried out, and return it with its result."""
        worker = self._start()
        worker.begin(task)
        while not _finished([worker]):
            tick()
        result = worker.result()
        self._remove(worker)
        return task, result

    def _idle(self, busy: dict["_Worker", Any]) -> Iterator["_Worker"]:
        """Yield the workers that are not busy, then new ones as long as there may be more."""
        yield from [worker for worker in self._workers if worker not in busy]
        while len(self._workers) < self._count:
            yield self._start()

    def _start(self) -> "_Worker":
        try:
            worker = _Worker(Path(self._folder.name, str(len(self._workers))), self._afresh)
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise WordleKitError(f"cannot start a worker process: {reason}; use fewer workers") from error
        self._workers.append(worker)
        return worker

    def _remove(self, worker: "_Worker") -> None:
        worker.kill()
        self._workers.remove(worker)

    def _kill(self) -> None:
        for worker in self._workers:
            worker.kill()


class _Worker:
    """The parent's side of a worker."""

    def __init__(self, file: Path, afresh: Callable[[], object] | None) -> None:
        self.last: Any = None
        """The last task that it was given."""
        self._file = file
        file.write_text("")
        self._forks = can_fork()
        self.connection, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork" if self._forks else "spawn")
        arguments = (theirs, file, os.getpid(), None if self._forks else pickled_by_value(afresh))
        self.process = context.Process(target=_work, args=arguments)  # type: ignore[attr-defined]  # both have it
        with theirs, _starting, _blocked_ctrl_c(), contextlib.nullcontext() if self._forks else _without_main():
            self.process.start()
        # A worker's own children may keep its pipe open, and the one by which multiprocessing notices its end.
        has_number = hasattr(os, "pidfd_open")
        self.ended: int = os.pidfd_open(self.process.pid) if has_number else self.process.sentinel
        self._descriptor = self.ended if has_number else None

    def begin(self, task: Callable[[], Any]) -> None:
        """Send a task."""
        self.last = task
        self.send(pickle.dumps(task, pickle.HIGHEST_PROTOCOL) if self._forks else pickled_by_value(task))

    def send(self, message: bytes) -> None:
        """Send a message. If the worker has ended, that is noticed when its result is awaited."""
        with contextlib.suppress(OSError):
            self.connection.send_bytes(message)

    def result(self) -> Any:
        """Return the result of its task, or a Died. An exception of the task is raised."""
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
        """End it, and let go of what belongs to it."""
        if not self.connection.closed:
            self.process.kill()
            self.process.join()
            self.connection.close()
            if self._descriptor is not None:
                os.close(self._descriptor)


def in_order(tasks: Iterable[Task]) -> Callable[[Task | None], Task | None]:
    """Return a function for `Pool.run` that gives the next task to any worker."""
    waiting = iter(tasks)
    return lambda last: next(waiting, None)


def _finished(workers: Iterable[_Worker]) -> list[_Worker]:
    """Return the workers that have a result or have ended, after at most a tick."""
    of: dict[Any, _Worker] = {each: worker for worker in workers for each in (worker.connection, worker.ended)}
    return list(dict.fromkeys(of[each] for each in wait(list(of), TICK)))


@contextlib.contextmanager
def _blocked_ctrl_c() -> Iterator[None]:
    """Delay Ctrl-C in this thread until the context ends, and in new workers until they ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Hide the user's script: a new Python would run it again, and it may play a tournament."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def pickled_by_value(value: object) -> bytes:
    """Return an object pickled for a new Python process, with what it needs of `__main__` and of plugins' files."""
    from numba import cloudpickle  # numba's copy, with which numba pickles functions

    for name in loaded_files:
        if name in sys.modules:
            cloudpickle.register_pickle_by_value(sys.modules[name])  # type: ignore[no-untyped-call]
    pickled: bytes = cloudpickle.dumps(value, pickle.HIGHEST_PROTOCOL)  # type: ignore[no-untyped-call]
    return pickled


# What runs in a worker


_own_file: Path | None = None


def own_file() -> Path | None:
    """Return this worker's file, for the last words of its watchdog, or None if this process is not a worker."""
    return _own_file


def end_with(parent: int) -> None:
    """Have this process end when its parent does, and leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def _work(connection: Connection, file: Path, parent: int, afresh: bytes | None) -> None:
    """Carry out tasks until the parent sends an empty one, or is gone."""
    global _own_file
    end_with(parent)
    _own_file = file
    os.dup2(2, 1)  # a strategy's output must not mix with a command's results
    # The parent's streams are not used: a console's stream may need a thread, which a forked worker does not have.
    sys.stdout = sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    gc.freeze()  # the parent's objects stay, so the collector need not visit them
    gc.set_threshold(ALLOCATIONS)
    before = None if afresh is None else pickle.loads(afresh)  # noqa: S301 - from the parent
    with contextlib.suppress(EOFError), connection:
        while message := connection.recv_bytes():
            connection.send_bytes(_carried_out(message, before))
            before = None


def _carried_out(message: bytes, before: Callable[[], object] | None) -> bytes:
    """Carry out a task, and return its error (or None) and its result, pickled."""
    try:
        if before is not None:
            before()
        task = pickle.loads(message)  # noqa: S301 - from the parent
        return pickle.dumps((None, task()), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        error.add_note(text)
        try:
            pickled = pickle.dumps((error, None), pickle.HIGHEST_PROTOCOL)
            pickle.loads(pickled)  # noqa: S301 - its own bytes
        except Exception:
            return pickle.dumps((RuntimeError(text), None))
        return pickled
