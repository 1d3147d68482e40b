"""Worker processes that search first guesses, each with a copy of the search made by a fork."""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from wordle_kit.errors import WordleKitError
from wordle_kit.exact.proof import Known, Standing, Task, refine
from wordle_kit.exact.search import Search, Stopped

PR_SET_PDEATHSIG = 1

LOOK = 0.2
"""Seconds between two looks at whether the search was asked to stop."""


class WorkerDied(WordleKitError):  # noqa: N818 - says what happened
    """A worker process ended although nobody asked it to."""


class Workers:
    """Processes that carry out tasks, and end with the process that started them.

    Each has a pipe of its own, of which no other process has its end, so that the pipe closes whenever the worker
    dies, be it in the middle of an answer.
    """

    def __init__(self, search: Search, count: int) -> None:
        if sys.platform == "win32":
            raise WordleKitError("several workers cannot search on Windows; use one")
        self.search = search
        self.count = count
        self._processes: dict[Connection, BaseProcess] = {}

    def start(self) -> None:
        """Start the processes. `run` does so when it has the first task, since nobody looks after them before."""
        context = multiprocessing.get_context("fork")
        try:
            for _ in range(self.count):
                ours, theirs = context.Pipe()
                facts = (self.search, theirs, [*self._processes, ours], os.getpid())
                process = context.Process(target=_work, args=facts, daemon=True)
                process.start()
                theirs.close()
                self._processes[ours] = process
        except OSError as error:
            raise WordleKitError(f"cannot start {self.count} workers: {error.strerror or error}; use fewer") from error

    def run(self, tasks: Iterator[Task], standing: Standing) -> Iterator[tuple[int, Known]]:
        """Carry out tasks in the order in which they are given, and yield what is known as they end.

        Raises Stopped where the search was asked to stop, and WorkerDied.
        """
        if not self._processes:
            self.start()
        idle = list(self._processes)
        busy: set[Connection] = set()
        while True:
            while idle and (task := next_task(tasks, standing)) is not None:
                worker = idle.pop()
                self._send(worker, task)
                busy.add(worker)
            if not busy:
                return
            for worker in busy.intersection(wait(list(busy), LOOK)):
                answers = self._receive(worker)
                busy.remove(worker)
                idle.append(worker)
                for column, known in answers:
                    standing.done += 1
                    yield column, known
            if self.search.is_stopped:
                raise Stopped

    def close(self) -> None:
        """End all workers at once."""
        for process in self._processes.values():
            process.kill()
        for connection, process in self._processes.items():
            process.join()
            connection.close()

    def _send(self, worker: Connection, task: Task) -> None:
        try:
            worker.send(task)
        except OSError as error:
            raise self._death(worker) from error

    def _receive(self, worker: Connection) -> list[tuple[int, Known]]:
        try:
            answers = worker.recv()
        except (EOFError, OSError) as error:
            raise self._death(worker) from error
        if isinstance(answers, BaseException):
            raise answers
        found: list[tuple[int, Known]] = answers
        return found

    def _death(self, worker: Connection) -> WorkerDied:
        process = self._processes[worker]
        process.join()
        code = process.exitcode or 0
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return WorkerDied(f"a worker process was ended {how}, perhaps because memory ran out; use fewer workers")


def next_task(tasks: Iterator[Task], standing: Standing) -> Task | None:
    """Return the next task without the first guesses that are out by now, or None after the last one."""
    for what, columns, left, _ in tasks:
        still = [column for column in columns if standing.lower.get(column, 0) <= standing.limit]
        standing.done += len(columns) - len(still)
        if still:
            return what, still, left, standing.limit
    return None


def _work(search: Search, connection: Connection, inherited: Sequence[Connection], parent: int) -> None:
    """Carry out tasks until the process that sends them closes its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    for other in inherited:
        other.close()
    while True:
        try:
            what, columns, left, limit = connection.recv()
        except EOFError:
            return
        try:
            connection.send([(column, refine(search, what, column, left, limit)) for column in columns])
        except Exception as error:
            connection.send(error)
