"""A pool of worker processes that end with their parent, ignore Ctrl-C and leave standard output alone.

Any worker may die at any time. A thread in the parent hands out calls and collects results. It never waits for a single
worker: sockets do not block, a message counts once it is complete, and the thread notices that a worker has ended even
if another process still holds its socket open.
"""

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import selectors
import signal
import socket
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from wordle_kit.errors import WordleKitError
from wordle_kit.machines import CallPool
from wordle_kit.removal import remove
from wordle_kit.temporary import new_folder_name

PR_SET_PDEATHSIG = 1

FORKS = sys.platform == "linux"
"""Whether workers are forked by default: they then share the parent's words, tables and classes typed in a notebook."""

LOOK = 0.2
"""Seconds between two checks whether a worker has ended."""

PATIENCE = 15.0
"""Seconds that a worker has to clean up and end after its last call."""

HEADER = 8
"""Bytes at the start of a message that give its length."""

ROOM = 2**16
"""Bytes to receive at a time."""

ALLOCATIONS = 10_000
"""New objects in a worker after which Python looks for unreachable cycles, to which a strategy may tie large arrays."""


Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]
"""A call that waits for a worker: the future of its result, the function and its arguments."""


class WorkerDied(BrokenProcessPool):
    """The worker process ended before it finished this call."""

    def __init__(self, message: str, last_words: str = "") -> None:
        super().__init__(message, last_words)
        self.last_words = last_words
        """The traceback that the watchdog wrote when it ended the worker, or an empty text."""

    def __str__(self) -> str:
        return str(self.args[0])


class Workers(CallPool):
    """A process pool. Each process has a file in `folder`, named after its process ID, for the watchdog to write to.

    Calls of the same kind, which `kind` tells from their arguments, go to the same worker while others have something
    else to do, since that worker may have kept results that they need. Each worker first calls `initialize`, which only
    a forked worker takes without pickling it. If a worker dies, its call raises WorkerDied and the others go on; if no
    worker is left, calls that have not begun raise BrokenProcessPool. Raises WordleKitError if the system cannot start
    that many processes.
    """

    def __init__(
        self,
        count: int,
        initialize: Callable[[], object] | None = None,
        *,
        fork: bool = FORKS,
        kind: Callable[..., Hashable] | None = None,
    ) -> None:
        self.folder = Path(gettempdir(), new_folder_name())
        self.folder.mkdir(mode=0o700)
        self._kind = kind
        self._waiting: dict[Hashable, deque[Call]] = {}
        self._lock = threading.Lock()
        self._closing = self._ended = False
        self._woken, self._wake = socket.socketpair()
        self._workers: list[_Worker] = []
        self._processes: list[BaseProcess] = []
        # If nobody closes the pool, kill its workers when this process exits, so that it need not wait for them.
        self._last_resort = Finalize(None, _kill, (self._processes,), exitpriority=100)
        self._thread = threading.Thread(target=self._manage, name="wordle-kit workers", daemon=True)
        try:
            for end in (self._woken, self._wake):
                end.setblocking(False)
            for _ in range(count):
                self._start(initialize, fork)
            self._thread.start()
        except BaseException as error:
            self.kill()
            self._clean_up()
            if isinstance(error, OSError):
                reason = error.strerror or error
                raise WordleKitError(f"cannot start {count} worker processes: {reason}; use fewer workers") from error
            raise

    def close(self, *, kill: bool = False) -> None:
        """End all workers: once they have finished the calls they are carrying out, or immediately with `kill`."""
        if kill:
            self.kill()
        with self._lock:
            self._closing = True
            for future in self._take_all():
                future.cancel()
        self._wake_thread()
        self._thread.join()
        end = time.monotonic() + PATIENCE
        for process in self._processes:
            process.join(max(0.0, end - time.monotonic()))
        self.kill()
        self._clean_up()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a worker call a function, and return the future of the result."""
        future: Future[Any] = Future()
        with self._lock:
            if self._ended or self._closing:
                future.set_exception(BrokenProcessPool("no worker is left"))
                return future
            kind = self._kind(*arguments) if self._kind is not None else None
            self._waiting.setdefault(kind, deque()).append((future, function, arguments))
        self._wake_thread()
        return future

    def kill(self) -> None:
        """End all workers immediately."""
        _kill(self._processes)

    def _start(self, initialize: Callable[[], object] | None, fork: bool) -> None:
        ours, theirs = socket.socketpair()
        try:
            context: Any = multiprocessing.get_context("fork" if fork else "spawn")
            inherited = [self._woken, self._wake, ours, *(worker.socket for worker in self._workers)] if fork else []
            facts = (theirs, inherited, self.folder, os.getpid(), initialize)
            process = context.Process(target=_work, args=facts, name="wordle-kit worker")
            with blocked_ctrl_c():
                process.start()
                self._processes.append(process)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._workers.append(_Worker(process, ours, self.folder))

    def _wake_thread(self) -> None:
        with contextlib.suppress(OSError):  # the buffer is full of earlier wake-ups, or the thread has ended
            self._wake.send(b"!")

    def _clean_up(self) -> None:
        for process in self._processes:
            process.join()
        self._last_resort.cancel()
        for end in (self._woken, self._wake, *(worker.socket for worker in self._workers)):
            end.close()
        remove(self.folder)

    def _manage(self) -> None:
        """Hand out calls and collect results until the pool is closed. Runs in a thread."""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._woken, selectors.EVENT_READ)
                while self._hand_out():
                    for worker in self._workers:
                        worker.watch(selector)
                    selector.select(LOOK)
                    with contextlib.suppress(BlockingIOError):
                        self._woken.recv(ROOM)
                    for worker in self._workers:
                        worker.serve()
        finally:
            with self._lock:
                self._ended = True
                lost = self._take_all()
            lost += [worker.future for worker in self._workers if worker.future is not None]
            for future in lost:
                if not future.done():
                    future.set_exception(BrokenProcessPool("no worker is left"))
            for worker in self._workers:
                worker.socket.close()  # tells the worker to end

    def _hand_out(self) -> bool:
        """Give each idle worker a call. Return whether the thread has anything left to do or to wait for."""
        living = [worker for worker in self._workers if worker.is_alive]
        for worker in living:
            while worker.future is None:
                with self._lock:
                    if not self._waiting:
                        break
                    call = self._take(worker)
                worker.send(*call)
        busy = any(worker.future is not None for worker in living)
        return bool(living) and (busy or not self._closing)

    def _take(self, worker: "_Worker") -> "Call":
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


class _Worker:
    """The parent's side of a worker: the call that it carries out, and the parts of messages sent and received."""

    def __init__(self, process: BaseProcess, ours: socket.socket, folder: Path) -> None:
        self.process = process
        self.socket = ours
        self.folder = folder
        self.future: Future[Any] | None = None
        self.kind: Hashable = None
        """The kind of the call that it carried out last."""
        self.is_alive = True
        self._sending = memoryview(b"")
        self._received = bytearray()
        self._watched = 0
        ours.setblocking(False)

    def send(self, future: "Future[Any]", function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Begin to send a call to the worker."""
        if not future.set_running_or_notify_cancel():
            return
        try:
            self._sending = memoryview(_pack((function, arguments)))
        except Exception as error:
            future.set_exception(error)
            return
        self.future = future

    def watch(self, selector: selectors.BaseSelector) -> None:
        """Have the selector wake up when this worker's socket can be read, or written if there is something to send."""
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._sending else 0) if self.is_alive else 0
        if wanted == self._watched:
            return
        if self._watched and wanted:
            selector.modify(self.socket, wanted)
        elif wanted:
            selector.register(self.socket, wanted)
        else:
            selector.unregister(self.socket)
        self._watched = wanted

    def serve(self) -> None:
        """Send and receive as much as possible without blocking, and find out whether the worker has ended."""
        if not self.is_alive:
            return
        ended = self.process.exitcode is not None  # checked first, so that all it sent is read below
        ended |= not self._receive()
        with contextlib.suppress(BlockingIOError):
            try:
                while self._sending and not ended:
                    self._sending = self._sending[self.socket.send(self._sending) :]
            except (BrokenPipeError, ConnectionError):
                ended |= not self._receive()
        if ended:
            self.is_alive = False
            self._sending = memoryview(b"")
            self.process.kill()  # it may have closed its socket and still be running
            if self.future is not None:
                self.process.join()
                self.future.set_exception(WorkerDied(f"a worker process {_how(self.process)}", self._last_words()))
                self.future = None

    def _last_words(self) -> str:
        file = self.folder / str(self.process.pid)
        return file.read_text(errors="replace") if file.exists() else ""

    def _receive(self) -> bool:
        """Read what has arrived. Return whether more can come."""
        while True:
            try:
                part = self.socket.recv(ROOM)
            except BlockingIOError:
                return True
            except ConnectionError:
                return False
            if not part:
                return False
            self._received += part
            size = HEADER + int.from_bytes(self._received[:HEADER], "big")
            if len(self._received) >= max(size, HEADER + 1):
                message, self._received = bytes(self._received[HEADER:size]), bytearray()
                self._settle(message)

    def _settle(self, message: bytes) -> None:
        future, self.future = self.future, None
        if future is None:
            return
        try:
            returned, value = pickle.loads(message)  # noqa: S301 - from a worker
        except Exception as error:
            returned, value = False, error
        if returned:
            future.set_result(value)
        else:
            future.set_exception(value)


_own_file: list[Path] = []
"""In a worker, its file in the folder of its pool."""


def own_file() -> Path | None:
    """Return this worker's file for the watchdog, or None if this process is not a worker."""
    return _own_file[-1] if _own_file else None


def _how(process: BaseProcess) -> str:
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


def _kill(processes: Iterable[BaseProcess]) -> None:
    for process in processes:
        process.kill()


def _work(
    parent_socket: socket.socket,
    inherited: Iterable[socket.socket],
    folder: Path,
    parent: int,
    initialize: Callable[[], object] | None,
) -> None:
    """Carry out calls until the parent closes its socket. Runs in a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for other in inherited:
        other.close()
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


def _pack(message: object) -> bytes:
    """Return a message pickled, with its length in front."""
    pickled = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(pickled).to_bytes(HEADER, "big") + pickled
