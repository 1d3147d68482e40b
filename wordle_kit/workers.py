"""Processes that carry out calls: worker processes on this machine, and the interface to those on other machines.

Workers end with their parent, ignore Ctrl-C and do not write to standard output. A worker may die at any time, even
while it sends a result. Processes that it has started may then keep its socket open. They may also keep open the pipe
by which multiprocessing notices the end of a process. So a thread of the pool asks the system several times a second
whether a worker has ended. If so, it shuts the worker's socket down, which ends the wait of the thread that reads
results from it.
"""

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from types import TracebackType
from typing import Any, BinaryIO, Self

from wordle_kit.errors import WordleKitError
from wordle_kit.faults import refuse_breakpoints
from wordle_kit.machine import use_one_core
from wordle_kit.temporary import new_folder_name, remove

PR_SET_PDEATHSIG = 1

WATCH_INTERVAL = 0.2
"""The seconds between two checks whether a worker has ended."""

TIME_TO_END = 15.0
"""The seconds that a worker has to clean up and end after its last call."""

IDLE = 30.0
"""The seconds without any activity during a call after which a worker is ended: it waits for something that never
comes.
"""

HEADER = 8
"""The number of bytes at the start of a message that give its length."""

ALLOCATIONS = 10_000
"""The number of new objects in a worker after which Python collects unreachable cycles, since cycles of a strategy may
hold large arrays.
"""

Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]
"""A call that waits for a worker: the future of its result, the function and its arguments."""


class CallPool(ABC):
    """Processes that carry out calls. If a process dies, its call raises WorkerDied."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(kill=kind is not None)

    @abstractmethod
    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Let a process call a function, and return the future of the result."""

    @abstractmethod
    def close(self, *, kill: bool = False) -> None:
        """End the pool after the calls that have begun, or immediately with `kill`."""


class Machines(ABC):
    """Machines whose processes play chunks and carry out other calls, instead of processes on this machine."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of calls that can be carried out at the same time."""

    @abstractmethod
    def pool(
        self, most: int, *, shared: Sequence[object] = (), initialize: Callable[[], object] | None = None
    ) -> CallPool:
        """Return a pool for at most `most` calls at a time. A pool for one call at a time starts a new process.

        Each process calls `initialize` first. It gets the objects `shared` only once, and calls refer to them.
        """


class WorkerDied(BrokenProcessPool):
    """Raised if the worker process ended before it finished this call."""

    def __init__(self, message: str, last_words: str = "") -> None:
        super().__init__(message, last_words)
        self.last_words = last_words
        """The traceback that the watchdog wrote when it ended the worker, or an empty text."""

    def __str__(self) -> str:
        return str(self.args[0])


idle_threads = 0
"""The number of other threads that certainly hold no lock, such as threads left from an earlier test."""


def can_fork() -> bool:
    """Return whether workers are forked: on Linux, unless another thread is running.

    Forked workers share the parent's words, tables and classes typed into a notebook. But another thread may hold a
    lock at that moment, for example for an import. In a forked worker, that lock would never be released.
    """
    return sys.platform == "linux" and threading.active_count() - idle_threads <= 1


class Workers(CallPool):
    """A process pool. Each process has a file in `folder`, named after its process ID, for the watchdog to write to.

    `kind` returns the kind of a call, given its arguments. Calls of one kind go to the same worker, since it may have
    kept results that they need. Another worker gets them only if it has nothing else to do.

    Each worker first calls `initialize`, which is not pickled for a forked worker. Where workers cannot be forked, each
    is a new Python process. It calls the functions `afresh`, if there are any, instead of `initialize`.

    If a worker dies, or does nothing for more than `idle` seconds, its call raises WorkerDied and the other workers go
    on. If no worker is left, calls that have not begun raise BrokenProcessPool. Raises WordleKitError if the system
    cannot start so many processes.
    """

    def __init__(
        self,
        count: int,
        initialize: Callable[[], object] | None = None,
        *,
        afresh: Sequence[Callable[[], object]] = (),
        kind: Callable[..., Hashable] | None = None,
        idle: float = IDLE,
    ) -> None:
        self.folder = Path(gettempdir(), new_folder_name())
        self.folder.mkdir(mode=0o700)
        self._kind = kind
        self._idle = idle
        self._forks = can_fork()
        self._waiting: dict[Hashable, deque[Call]] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._over = threading.Event()
        self._workers: list[_Worker] = []
        self._processes: list[BaseProcess | _NewPython] = []
        self._threads: list[Thread] = []
        # If nobody closes the pool, its workers are killed when this process exits, so that it need not wait for them.
        self._last_resort = Finalize(None, self.kill, exitpriority=100)
        try:
            for _ in range(count):
                self._start(initialize, afresh or [each for each in (initialize,) if each is not None])
            self._threads = [Thread(target=self._serve, args=(worker,), daemon=True) for worker in self._workers]
            self._threads.append(Thread(target=self._watch, daemon=True))
            for thread in self._threads:
                thread.start()
        except BaseException as error:
            self.close(kill=True)
            if isinstance(error, OSError | RuntimeError):
                reason = getattr(error, "strerror", None) or error
                raise WordleKitError(f"cannot start {count} worker processes: {reason}; use fewer workers") from error
            raise

    def close(self, *, kill: bool = False) -> None:
        """End all workers after their current calls, or immediately with `kill`."""
        if kill:
            self.kill()
        with self._changed:
            self._closing = True
            for future in self._take_all():
                future.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            if thread.ident is not None:  # the thread was started
                thread.join()
        end = time.monotonic() + TIME_TO_END
        for process in self._processes:
            process.join(max(0.0, end - time.monotonic()))
        self.kill()
        for process in self._processes:
            process.join()
        for worker in self._workers:
            worker.results.close()
            worker.socket.close()
        self._last_resort.cancel()
        remove(self.folder)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Let a worker call a function, and return the future of the result."""
        future: Future[Any] = Future()
        with self._changed:
            if self._closing or not any(worker.is_alive for worker in self._workers):
                future.set_exception(BrokenProcessPool("no worker is left"))
                return future
            kind = self._kind(*arguments) if self._kind is not None else None
            self._waiting.setdefault(kind, deque()).append((future, function, arguments))
            self._changed.notify()
        return future

    def kill(self) -> None:
        """End all workers immediately."""
        for process in self._processes:
            process.kill()

    def _start(self, initialize: Callable[[], object] | None, afresh: Sequence[Callable[[], object]]) -> None:
        ours, theirs = socket.socketpair()
        process: BaseProcess | _NewPython
        try:
            with theirs, blocked_ctrl_c():  # inherited by the worker
                if self._forks:
                    facts = (theirs, self.folder, os.getpid(), initialize)
                    process = multiprocessing.get_context("fork").Process(target=_work, args=facts)
                    process.start()
                else:
                    process = _NewPython(theirs, self.folder)
                self._processes.append(process)
        except BaseException:
            ours.close()
            raise
        self._workers.append(_Worker(process, ours, () if self._forks else afresh, self._idle))

    def _watch(self) -> None:
        """End workers that have died or do nothing, until no worker is left. It runs in a thread."""
        while not self._over.wait(WATCH_INTERVAL):
            for worker in self._workers:
                if worker.is_alive and (worker.has_ended() or worker.is_idle()):
                    worker.end()
                    with self._changed:
                        self._changed.notify_all()

    def _serve(self, worker: "_Worker") -> None:
        """Let a worker carry out calls until it ends or the pool is closed. It runs in a thread."""
        try:
            while (call := self._next(worker)) is not None:
                self._carry_out(worker, *call)
        finally:
            with self._changed:
                worker.is_alive = False
                left = [] if any(other.is_alive for other in self._workers) else self._take_all()
            for future in left:
                future.set_exception(BrokenProcessPool("no worker is left"))
            worker.shut_down()  # ends the worker, even if other processes have its socket
            if not any(other.is_alive for other in self._workers):
                self._over.set()

    def _next(self, worker: "_Worker") -> Call | None:
        """Wait for a call and return it, or None if the worker has ended or the pool is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing or worker.has_ended())
            return self._take(worker) if self._waiting and not worker.has_ended() else None

    def _take(self, worker: "_Worker") -> Call:
        """Return the oldest call of the worker's kind. If there is none, prefer a kind that no other worker has."""
        if worker.kind not in self._waiting:
            others = {other.kind for other in self._workers if other.is_alive}
            free = (kind for kind in self._waiting if kind not in others)
            worker.kind = next(free, next(iter(self._waiting)))
        calls = self._waiting[worker.kind]
        call = calls.popleft()
        if not calls:
            del self._waiting[worker.kind]
        return call

    def _pickled(self, message: object) -> bytes:
        return pickle.dumps(message, pickle.HIGHEST_PROTOCOL) if self._forks else pickled_by_value(message)

    def _take_all(self) -> "list[Future[Any]]":
        """Remove all calls that have not begun, and return their futures."""
        futures = [future for calls in self._waiting.values() for future, _, _ in calls]
        self._waiting.clear()
        return futures

    def _carry_out(
        self, worker: "_Worker", future: "Future[Any]", function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        """Let a worker carry out a call, and set its result or exception."""
        if not future.set_running_or_notify_cancel():
            return
        try:
            call = self._pickled((function, arguments))
            if worker.first:
                call = self._pickled((_after, (worker.first, call)))
            result = worker.exchange(call)
            if result is None:
                worker.end()  # it may have closed its socket and still be running
                file = self.folder / str(worker.process.pid)
                last_words = file.read_text(errors="replace") if file.exists() else ""
                raise WorkerDied(f"a worker process {worker.how_it_ended()}", last_words)
            error, value = pickle.loads(result)  # noqa: S301 - from a worker
            if error is not None:
                raise error
        except Exception as error:
            future.set_exception(error)
        else:
            worker.first = ()
            future.set_result(value)


class _NewPython(subprocess.Popen[bytes]):
    """A worker that is a new Python process, with the interface of a process of multiprocessing.

    The processes that multiprocessing starts would run the parent's script again, which may play a tournament.
    """

    def __init__(self, theirs: socket.socket, folder: Path) -> None:
        begin = f"from wordle_kit import workers; workers.begin({str(folder)!r}, {os.getpid()})"
        command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {begin}"]
        super().__init__(command, stdin=theirs.fileno())

    @property
    def exitcode(self) -> int | None:
        """The exit code, or None while it is running."""
        return self.poll()

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended, or for at most `timeout` seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(timeout)


class _Worker:
    """The parent's side of a worker."""

    def __init__(
        self, process: BaseProcess | _NewPython, ours: socket.socket, first: Sequence[Callable[[], object]], idle: float
    ) -> None:
        self.process = process
        self.socket = ours
        self.results = ours.makefile("rb")
        self.first = first
        """The functions that the worker has to call before anything else."""
        self.kind: Hashable = None
        """The kind of the last call that the worker carried out."""
        self.is_alive = True
        """Whether the worker may get another call."""
        self._asking = threading.Lock()
        """Held while the system is asked about the process, since only one thread is told that it has ended."""
        self._idle = idle
        self._is_busy = self._was_idle = False
        self._looks = 0
        self._activity: list[str] = []

    def exchange(self, call: bytes) -> bytes | None:
        """Send a call and return its packed result, or None if the worker has ended or closed its socket."""
        self._is_busy = True
        try:
            _send(self.socket, call)
            return _read(self.results)
        except OSError:
            return None
        finally:
            self._is_busy = False

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        with self._asking:
            return self.process.exitcode is not None

    def is_idle(self) -> bool:
        """Return whether the worker has done nothing for a long time during a call.

        Call it once every WATCH_INTERVAL seconds. It counts its calls and not seconds, since this process may be
        suspended.
        """
        self._looks = self._looks + 1 if self._is_busy else 0
        if self._looks * WATCH_INTERVAL >= self._idle:
            before, self._activity, self._looks = self._activity, _activity(self.process.pid), 0
            self._was_idle = bool(self._activity) and self._activity == before
        return self._was_idle

    def end(self) -> None:
        """End the process immediately, so that the thread that waits for it continues."""
        with self._asking:
            self.process.kill()
            self.process.join()
        self.shut_down()

    def shut_down(self) -> None:
        """Shut the socket down, so that neither side waits for the other. What has arrived can still be read."""
        with contextlib.suppress(OSError):  # the worker has ended
            self.socket.shutdown(socket.SHUT_RDWR)

    def how_it_ended(self) -> str:
        """Return a text that says how the process ended."""
        if self._was_idle:
            return f"did nothing for {self._idle:g} s"
        code = self.process.exitcode or 0
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


def _activity(process: int | None) -> list[str]:
    """Return texts that change while any thread of a process is running.

    Return an empty list if the process has children, for which it may be waiting, or if the system does not say.
    """
    tasks = list(Path(f"/proc/{process}/task").glob("*"))
    try:
        if any((task / "children").read_text() for task in tasks):
            return []
        times = [(task / "stat").read_text().rpartition(")")[2].split()[11:13] for task in tasks]
        switches = [(task / "status").read_text().partition("voluntary_ctxt_switches")[2] for task in tasks]
    except OSError:  # a thread has just ended
        return []
    return [str(times), *switches] if tasks else []


_own_file: list[Path] = []
"""In a worker, the file for the watchdog, in the folder of the pool."""


def own_file() -> Path | None:
    """Return this worker's file for the watchdog, or None if this process is not a worker."""
    return _own_file[-1] if _own_file else None


@contextlib.contextmanager
def blocked_ctrl_c() -> Iterator[None]:
    """Delay Ctrl-C in this thread until the context ends, and in forked workers until they ignore it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin(folder: str, parent: int) -> None:
    """Run a worker in a new Python process. Its standard input is the socket to the parent."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in a forked worker, numpy needs no threads
    use_one_core()
    parent_socket = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _work(parent_socket, Path(folder), parent, None)


def end_with(parent: int) -> None:
    """Have this process end when its parent does, and leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def _work(parent_socket: socket.socket, folder: Path, parent: int, initialize: Callable[[], object] | None) -> None:
    """Carry out calls until the parent closes its socket. It runs in a worker."""
    end_with(parent)
    _own_file.append(folder / str(os.getpid()))
    _own_file[-1].touch()
    os.dup2(2, 1)  # a strategy's output must not mix with a command's results
    # The parent's streams are not used: a console's stream may need a thread, which a forked worker does not have.
    sys.stdout = sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    refuse_breakpoints()
    gc.freeze()  # the parent's objects stay, so the collector need not visit them
    gc.set_threshold(ALLOCATIONS)
    if initialize is not None:
        initialize()
    with parent_socket, parent_socket.makefile("rb") as calls:
        while (call := _read(calls)) is not None:
            result = _carry_out(call)
            _send(parent_socket, result)


def _after(first: Sequence[Callable[[], object]], call: bytes) -> Any:
    """Call the functions on which a call may depend. Then carry out the call and return its result."""
    for each in first:
        each()
    function, arguments = pickle.loads(call)  # noqa: S301 - from the parent
    return function(*arguments)


def _carry_out(call: bytes) -> bytes:
    """Carry out a call, and return its error (or None) and its result, pickled."""
    try:
        function, arguments = pickle.loads(call)  # noqa: S301 - from the parent
        return pickle.dumps((None, function(*arguments)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        error.add_note(text)
        try:
            pickled = pickle.dumps((error, None), pickle.HIGHEST_PROTOCOL)
            pickle.loads(pickled)  # noqa: S301 - its own bytes
        except Exception:
            return pickle.dumps((RuntimeError(text), None))
        return pickled


def _send(to: socket.socket, message: bytes) -> None:
    """Send a message with its length in front."""
    to.sendall(len(message).to_bytes(HEADER, "big") + message)


def _read(messages: BinaryIO) -> bytes | None:
    """Return the next message, or None if the other side has ended."""
    size = int.from_bytes(messages.read(HEADER), "big")
    message = messages.read(size)
    return message if size and len(message) == size else None


def pickled_by_value(message: object) -> bytes:
    """Return an object pickled for a new Python process, with the classes and functions of `__main__` that it needs."""
    from numba import cloudpickle  # numba's copy, with which numba pickles functions

    pickled: bytes = cloudpickle.dumps(message, pickle.HIGHEST_PROTOCOL)  # type: ignore[no-untyped-call]
    return pickled
