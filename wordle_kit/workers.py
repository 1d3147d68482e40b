"""A pool of worker processes that end with their parent, ignore Ctrl-C and leave standard output alone.

Any worker may die at any time. Each has a thread in the parent, which gives it calls and waits for their results. The
thread looks several times a second whether the worker has ended, even if another process still holds its socket open,
and sometimes whether it still does anything.
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
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import spawn
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import gettempdir
from typing import Any, TypeVar

from wordle_kit.engine import use_one_core
from wordle_kit.errors import WordleKitError
from wordle_kit.machines import CallPool
from wordle_kit.removal import remove
from wordle_kit.temporary import new_folder_name

PR_SET_PDEATHSIG = 1

LOOK = 0.2
"""Seconds between two checks whether a worker has ended."""

PATIENCE = 15.0
"""Seconds that a worker has to clean up and end after its last call."""

IDLE = 30.0
"""Seconds after which a worker that has done nothing at all during a call is ended: it waits for what never comes."""

HEADER = 8
"""Bytes at the start of a message that give its length."""

ROOM = 2**16
"""Bytes to receive at a time."""

ALLOCATIONS = 10_000
"""New objects in a worker after which Python looks for unreachable cycles, to which a strategy may tie large arrays."""


Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]
"""A call that waits for a worker: the future of its result, the function and its arguments."""

Given = TypeVar("Given")
Done = TypeVar("Done")


class WorkerDied(BrokenProcessPool):
    """The worker process ended before it finished this call."""

    def __init__(self, message: str, last_words: str = "") -> None:
        super().__init__(message, last_words)
        self.last_words = last_words
        """The traceback that the watchdog wrote when it ended the worker, or an empty text."""

    def __str__(self) -> str:
        return str(self.args[0])


idle_threads = 0
"""The number of other threads that are known to hold no lock, as those that an earlier test left behind."""


def can_fork() -> bool:
    """Return whether workers are forked: on Linux, unless another thread runs.

    Forked workers share the parent's words, tables and classes typed into a notebook. But a lock that another thread
    holds while this process is forked, as for an import, stays locked in the worker for ever.
    """
    return sys.platform == "linux" and threading.active_count() - idle_threads <= 1


class Workers(CallPool):
    """A process pool. Each process has a file in `folder`, named after its process ID, for the watchdog to write to.

    Calls of the same kind, which `kind` tells from their arguments, go to the same worker while others have something
    else to do, since that worker may have kept results that they need. Each worker first calls `initialize`, which a
    forked worker takes without pickling it. Where workers cannot be forked, each is a new Python, which first calls the
    functions `afresh` instead, if there are any. If a worker dies, or does nothing for more than `idle` seconds, its
    call raises WorkerDied and the others go on; if no worker is left, calls that have not begun raise
    BrokenProcessPool. Raises WordleKitError if the system cannot start that many processes.
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
        self._workers: list[_Worker] = []
        self._processes: list[BaseProcess | _NewPython] = []
        self._threads: list[threading.Thread] = []
        # If nobody closes the pool, kill its workers when this process exits, so that it need not wait for them.
        self._last_resort = Finalize(None, _kill, (self._processes,), exitpriority=100)
        try:
            for _ in range(count):
                self._start(initialize, afresh or [each for each in (initialize,) if each is not None])
            for worker in self._workers:
                thread = threading.Thread(target=self._serve, args=(worker,), name="wordle-kit worker", daemon=True)
                thread.start()
                self._threads.append(thread)
        except BaseException as error:
            self.close(kill=True)
            if isinstance(error, OSError | RuntimeError):
                reason = getattr(error, "strerror", None) or error
                raise WordleKitError(f"cannot start {count} worker processes: {reason}; use fewer workers") from error
            raise

    def close(self, *, kill: bool = False) -> None:
        """End all workers: once they have finished the calls they are carrying out, or immediately with `kill`."""
        if kill:
            self.kill()
        with self._changed:
            self._closing = True
            for future in self._take_all():
                future.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        end = time.monotonic() + PATIENCE
        for process in self._processes:
            process.join(max(0.0, end - time.monotonic()))
        self.kill()
        for process in self._processes:
            process.join()
        for worker in self._workers:
            worker.socket.close()
        self._last_resort.cancel()
        remove(self.folder)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a worker call a function, and return the future of the result."""
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
        _kill(self._processes)

    def _start(self, initialize: Callable[[], object] | None, afresh: Sequence[Callable[[], object]]) -> None:
        ours, theirs = socket.socketpair()
        process: BaseProcess | _NewPython
        try:
            with blocked_ctrl_c():  # the worker inherits that
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
        finally:
            theirs.close()
        first = [] if self._forks else [_pack((function, ()), by_value=True) for function in afresh]
        self._workers.append(_Worker(process, ours, first, self._idle))

    def _serve(self, worker: "_Worker") -> None:
        """Have a worker carry out calls until it ends or the pool is closed. Runs in a thread."""
        try:
            while (call := self._next(worker)) is not None:
                self._carry_out(worker, *call)
        finally:
            with self._changed:
                worker.is_alive = False
                left = [] if any(other.is_alive for other in self._workers) else self._take_all()
            for future in left:
                future.set_exception(BrokenProcessPool("no worker is left"))
            with contextlib.suppress(OSError):  # it has ended
                worker.socket.shutdown(socket.SHUT_RDWR)  # tells it to end, whoever else has a copy of the socket

    def _next(self, worker: "_Worker") -> Call | None:
        """Wait for a call and return it, or None if the worker has ended or the pool is closed."""
        with self._changed:
            while not (self._waiting or self._closing) and worker.process.exitcode is None:
                self._changed.wait(LOOK)
            if not self._waiting or worker.process.exitcode is not None:
                return None
            return self._take(worker)

    def _take(self, worker: "_Worker") -> Call:
        """Take the oldest call of the worker's kind, otherwise, if possible, one of a kind that no other worker has."""
        if worker.kind not in self._waiting:
            others = {other.kind for other in self._workers if other.is_alive}
            free = (kind for kind in self._waiting if kind not in others)
            worker.kind = next(free, next(iter(self._waiting)))
        calls = self._waiting[worker.kind]
        call = calls.popleft()
        if not calls:
            del self._waiting[worker.kind]
        return call

    def _take_all(self) -> "list[Future[Any]]":
        """Take all calls that have not begun, and return their futures."""
        futures = [future for calls in self._waiting.values() for future, _, _ in calls]
        self._waiting.clear()
        return futures

    def _carry_out(
        self, worker: "_Worker", future: "Future[Any]", function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        """Have a worker carry out a call, and set its result or exception."""
        if not future.set_running_or_notify_cancel():
            return
        try:
            returned, value = worker.ask(_pack((function, arguments), by_value=not self._forks))
        except _NoReply as reason:
            worker.process.kill()  # it may have closed its socket and still be running, or wait for ever
            worker.process.join()
            file = self.folder / str(worker.process.pid)
            last_words = file.read_text(errors="replace") if file.exists() else ""
            how = str(reason) or _how(worker.process)
            returned, value = False, WorkerDied(f"a worker process {how}", last_words)
        except Exception as error:
            returned, value = False, error
        if returned:
            future.set_result(value)
        else:
            future.set_exception(value)


class _NewPython(subprocess.Popen[bytes]):
    """A worker that is a new Python, as a process of multiprocessing.

    Those that multiprocessing starts run the parent's script once more, which may play a tournament.
    """

    def __init__(self, theirs: socket.socket, folder: Path) -> None:
        begin = f"from wordle_kit import workers; workers.begin({str(folder)!r}, {os.getpid()})"
        command = [os.fsdecode(spawn.get_executable()), "-c", f"import sys; sys.path[:] = {sys.path!r}; {begin}"]
        if sys.platform == "win32":
            super().__init__(command, stdin=subprocess.PIPE)
            assert self.stdin is not None  # noqa: S101 - it was asked for
            with self.stdin:
                self.stdin.write(theirs.share(self.pid))
        else:
            super().__init__(command, stdin=theirs.fileno())

    @property
    def exitcode(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self.poll()

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended, or for so many seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(timeout)


class _NoReply(Exception):  # noqa: N818 - the pool makes an error of it
    """A worker has ended, or the message says why it should be ended."""


class _Worker:
    """The parent's side of a worker."""

    def __init__(self, process: BaseProcess | _NewPython, ours: socket.socket, first: list[bytes], idle: float) -> None:
        self.process = process
        self.socket = ours
        self.kind: Hashable = None
        """The kind of the call that it carried out last."""
        self.is_alive = True
        self._first = first
        """Calls that have to succeed before all others."""
        self._idle = idle
        self._looks = 0
        self._activity: list[str] = []
        ours.settimeout(LOOK)

    def ask(self, call: bytes) -> tuple[bool, Any]:
        """Send a call, and return whether it succeeded and its value or error. Raises _NoReply."""
        while self._first:
            succeeded, value = self._exchange(self._first[0])
            if not succeeded:
                return succeeded, value
            del self._first[0]
        return self._exchange(call)

    def _exchange(self, call: bytes) -> tuple[bool, Any]:
        self._looks, self._activity = 0, []
        unsent = memoryview(call)
        while unsent:
            unsent = unsent[self._patiently(self.socket.send, unsent) :]
        succeeded, value = pickle.loads(self._receive(int.from_bytes(self._receive(HEADER), "big")))  # noqa: S301 - from a worker
        return succeeded, value

    def _receive(self, size: int) -> bytes:
        received = bytearray()
        while len(received) < size:
            part = self._patiently(self.socket.recv, min(ROOM, size - len(received)))
            if not part:
                raise _NoReply
            received += part
        return bytes(received)

    def _patiently(self, transfer: Callable[[Given], Done], given: Given) -> Done:
        """Return what a transfer returns, which is tried again while the worker runs."""
        while True:
            has_ended = self.process.exitcode is not None  # checked first, so that all it sent is read
            try:
                return transfer(given)
            except TimeoutError:
                if has_ended:
                    raise _NoReply from None
                self._check_activity()
            except ConnectionError:
                raise _NoReply from None

    def _check_activity(self) -> None:
        """Raise _NoReply if the worker has done nothing in so many looks, during which this process has run."""
        self._looks += 1
        if self._looks * LOOK < self._idle:
            return
        before, self._activity, self._looks = self._activity, _activity(self.process.pid), 0
        if self._activity and self._activity == before:
            raise _NoReply(f"did nothing for {self._idle:g} s")


def _activity(process: int | None) -> list[str]:
    """Return texts that change while a thread of a process runs, or nothing if it has children or cannot be seen."""
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
"""In a worker, its file in the folder of its pool."""


def own_file() -> Path | None:
    """Return this worker's file for the watchdog, or None if this process is not a worker."""
    return _own_file[-1] if _own_file else None


def _how(process: BaseProcess | _NewPython) -> str:
    """Return how a process ended, in words."""
    code = process.exitcode or 0
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


@contextlib.contextmanager
def blocked_ctrl_c() -> Iterator[None]:
    """Delay Ctrl-C in this thread until the context ends, and in forked workers until they ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _kill(processes: Iterable[BaseProcess | _NewPython]) -> None:
    for process in processes:
        process.kill()


def begin(folder: str, parent: int) -> None:
    """Carry out calls in a new Python that has the socket as standard input. Runs in a worker."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in a forked worker, numpy needs no threads of its own
    use_one_core()
    parent_socket: socket.socket
    if sys.platform == "win32":
        parent_socket = socket.fromshare(sys.stdin.buffer.read())
    else:
        parent_socket = socket.socket(fileno=os.dup(0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _work(parent_socket, Path(folder), parent, None)


def _work(parent_socket: socket.socket, folder: Path, parent: int, initialize: Callable[[], object] | None) -> None:
    """Carry out calls until the parent closes its socket. Runs in a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    _own_file.append(folder / str(os.getpid()))
    _own_file[-1].touch()
    sys.stdout = sys.stderr
    os.dup2(2, 1)  # output of a strategy must not mix with the results that a command prints
    gc.freeze()  # objects of the parent stay, so do not search them again and again
    gc.set_threshold(ALLOCATIONS)
    if initialize is not None:
        initialize()
    with parent_socket, parent_socket.makefile("rb") as calls:
        while len(header := calls.read(HEADER)) == HEADER:
            result = _carry_out(calls.read(int.from_bytes(header, "big")))
            _send(parent_socket, result)


def _carry_out(call: bytes) -> bytes:
    """Carry out a call, and return its packed result."""
    try:
        function, arguments = pickle.loads(call)  # noqa: S301 - from the parent
        return _pack((True, function(*arguments)))
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))
        try:
            packed = _pack((False, error))
            pickle.loads(packed[HEADER:])  # noqa: S301 - its own bytes
        except Exception:
            return _pack((False, RuntimeError("".join(traceback.format_exception(error)))))
        return packed


def _send(parent_socket: socket.socket, message: bytes) -> None:
    parent_socket.sendall(message)


def _pack(message: object, *, by_value: bool = False) -> bytes:
    """Return a message pickled, with its length in front."""
    pickled = pickled_by_value(message) if by_value else pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(pickled).to_bytes(HEADER, "big") + pickled


def pickled_by_value(message: object) -> bytes:
    """Return an object pickled for a new Python: with the classes and functions of `__main__` that it needs."""
    from numba import cloudpickle  # numba's copy, which numba itself uses to pickle functions

    pickled: bytes = cloudpickle.dumps(message, pickle.HIGHEST_PROTOCOL)  # type: ignore[no-untyped-call]
    return pickled
