"""Worker processes: they outlive no parent, heed no Ctrl-C, keep off standard output, and may die at any time.

A thread in the parent hands out tasks and takes results. It never waits for a single worker: sockets do not block, a
message is taken once it is whole, and a worker that has ended is noticed whatever still holds its socket open.
"""

import contextlib
import ctypes
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
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import gettempdir
from types import TracebackType
from typing import Any, Self

from wordle_kit.removal import remove
from wordle_kit.temporary import new_folder_name

PR_SET_PDEATHSIG = 1

LOOK = 0.2
"""Seconds between two looks at whether workers have ended."""

PATIENCE = 15.0
"""Seconds that a worker has to tidy up and end when there is nothing more to do."""

HEADER = 8
"""Bytes before a message that say how long it is."""

ROOM = 2**16

Result = tuple[bool, Any]
"""Whether a call returned, and what it returned or raised."""


class WorkerDied(BrokenProcessPool):
    """The worker that was carrying out this call ended before it was done."""


class Workers:
    """A process pool whose processes each have a file in `folder` named by their number; the watchdog writes to it.

    `prepare` is called first in processes that inherit nothing from this one. Where a worker dies, its call raises
    WorkerDied, and the others go on; where none is left, calls that have not begun raise BrokenProcessPool.
    """

    def __init__(self, count: int, prepare: Callable[[], object] | None = None) -> None:
        self.folder = Path(gettempdir(), new_folder_name())
        self.folder.mkdir(mode=0o700)
        self._waiting: deque[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = deque()
        self._lock = threading.Lock()
        self._closing = self._ended = False
        self._woken, self._wake = socket.socketpair()
        self._workers: list[_Worker] = []
        self._processes: list[BaseProcess] = []
        # Whatever happens, this process does not wait for workers that nobody will tell to end.
        self._last_resort = Finalize(None, _kill, (self._processes,), exitpriority=100)
        self._thread = threading.Thread(target=self._manage, name="wordle-kit workers", daemon=True)
        try:
            for end in (self._woken, self._wake):
                end.setblocking(False)
            for _ in range(count):
                self._start(prepare)
            self._thread.start()
        except BaseException:
            self.kill()
            self._tidy()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(kill=kind is not None)

    def close(self, *, kill: bool = False) -> None:
        """End all workers: once they have done what they have begun, or at once."""
        if kill:
            self.kill()
        with self._lock:
            self._closing = True
            while self._waiting:
                self._waiting.popleft()[0].cancel()
        self._poke()
        self._thread.join()
        end = time.monotonic() + PATIENCE
        for process in self._processes:
            process.join(max(0.0, end - time.monotonic()))
        self.kill()
        self._tidy()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Hand a call to a worker."""
        future: Future[Any] = Future()
        with self._lock:
            if self._ended or self._closing:
                future.set_exception(BrokenProcessPool("no worker is left"))
                return future
            self._waiting.append((future, function, arguments))
        self._poke()
        return future

    def kill(self) -> None:
        """End all workers at once, whatever they are doing."""
        _kill(self._processes)

    def last_words(self) -> str:
        """Return what the watchdog wrote as it ended a worker: where its code was, or nothing."""
        return "\n".join(filter(None, (file.read_text(errors="replace") for file in self.folder.iterdir())))

    def _start(self, prepare: Callable[[], object] | None) -> None:
        ours, theirs = socket.socketpair()
        try:
            # On Linux, forked workers share the parent's words and feedback table, and know classes from a notebook.
            forks = sys.platform == "linux"
            context: Any = multiprocessing.get_context("fork" if forks else "spawn")
            inherited = [self._woken, self._wake, ours, *(worker.socket for worker in self._workers)] if forks else []
            facts = (theirs, inherited, self.folder, os.getpid(), None if forks else prepare)
            process = context.Process(target=_work, args=facts, name="wordle-kit worker")
            with _without_ctrl_c():
                process.start()
                self._processes.append(process)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._workers.append(_Worker(process, ours))

    def _poke(self) -> None:
        with contextlib.suppress(OSError):  # full: it has not heeded the last ones yet, or is no more
            self._wake.send(b"!")

    def _tidy(self) -> None:
        for process in self._processes:
            process.join()
        self._last_resort.cancel()
        for end in (self._woken, self._wake, *(worker.socket for worker in self._workers)):
            end.close()
        remove(self.folder)

    def _manage(self) -> None:
        """Hand out calls and take results until there are no more; runs in a thread."""
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
                lost = [future for future, _, _ in self._waiting]
                self._waiting.clear()
            lost += [worker.future for worker in self._workers if worker.future is not None]
            for future in lost:
                if not future.done():
                    future.set_exception(BrokenProcessPool("no worker is left"))
            for worker in self._workers:
                worker.socket.close()  # which tells it to end

    def _hand_out(self) -> bool:
        """Give each idle worker a call, and return whether there is anything left to do or to wait for."""
        living = [worker for worker in self._workers if worker.is_alive]
        for worker in living:
            while worker.future is None:
                with self._lock:
                    if not self._waiting:
                        break
                    call = self._waiting.popleft()
                worker.give(*call)
        busy = any(worker.future is not None for worker in living)
        return bool(living) and (busy or not self._closing)


class _Worker:
    """The parent's side of a worker: what it is doing, and the parts of messages that are on the way."""

    def __init__(self, process: BaseProcess, ours: socket.socket) -> None:
        self.process = process
        self.socket = ours
        self.future: Future[Any] | None = None
        self.is_alive = True
        self._sending = memoryview(b"")
        self._received = bytearray()
        self._watched = 0
        ours.setblocking(False)

    def give(self, future: "Future[Any]", function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Begin to send it a call."""
        if not future.set_running_or_notify_cancel():
            return
        try:
            self._sending = memoryview(_packed((function, arguments)))
        except Exception as error:
            future.set_exception(error)
            return
        self.future = future

    def watch(self, selector: selectors.BaseSelector) -> None:
        """Have the selector wake up for what concerns this worker."""
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
        """Send and receive what can be at once, and notice whether the worker has ended."""
        if not self.is_alive:
            return
        ended = self.process.exitcode is not None  # looked at first, so that all it sent is read below
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
            self.process.kill()  # it may have closed its socket and gone on
            if self.future is not None:
                self.future.set_exception(WorkerDied("a worker process ended before it was done"))
                self.future = None

    def _receive(self) -> bool:
        """Take what has arrived, and return whether more can come."""
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
            returned, what = pickle.loads(message)  # noqa: S301 - from a worker
        except Exception as error:
            returned, what = False, error
        if returned:
            future.set_result(what)
        else:
            future.set_exception(what)


def own_file(folder: Path) -> Path:
    """Return this worker's file in the folder of its pool."""
    return folder / str(os.getpid())


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Put Ctrl-C off, here and in what is forked, until the end of the context or until a worker ignores it."""
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
    prepare: Callable[[], object] | None,
) -> None:
    """Carry out calls until there are no more; runs in a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for other in inherited:
        other.close()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    own_file(folder).touch()
    sys.stdout = sys.stderr
    os.dup2(2, 1)  # what a strategy prints must not end up among the results
    if prepare is not None:
        prepare()
    with parent_socket, parent_socket.makefile("rb") as calls:
        while len(header := calls.read(HEADER)) == HEADER:
            result = _carried_out(calls.read(int.from_bytes(header, "big")))
            _send(parent_socket, result)


def _carried_out(call: bytes) -> bytes:
    """Return the result of a call, packed."""
    try:
        function, arguments = pickle.loads(call)  # noqa: S301 - from the parent
        return _packed((True, function(*arguments)))
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))
        try:
            packed = _packed((False, error))
            pickle.loads(packed[HEADER:])  # noqa: S301 - its own bytes
        except Exception:
            return _packed((False, RuntimeError("".join(traceback.format_exception(error)))))
        return packed


def _send(parent_socket: socket.socket, message: bytes) -> None:
    parent_socket.sendall(message)


def _packed(message: object) -> bytes:
    pickled = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(pickled).to_bytes(HEADER, "big") + pickled
