"""Worker processes: they outlive no parent, heed no Ctrl-C, keep off standard output, and can be killed."""

import ctypes
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PR_SET_PDEATHSIG = 1


class Workers:
    """A process pool whose processes each have a file in `folder` named by their number; the watchdog writes to it.

    `prepare` is called first in processes that inherit nothing from this one.
    """

    def __init__(self, count: int, prepare: Callable[[], object] | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="wordle-kit-")
        self.folder = Path(self._folder.name)
        # On Linux, forked workers share the parent's words and feedback table, and know classes from a notebook.
        method = "fork" if sys.platform == "linux" else "spawn"
        self._others = set(multiprocessing.active_children())
        facts = (self.folder, os.getpid(), None if method == "fork" else prepare)
        self._pool = ProcessPoolExecutor(count, multiprocessing.get_context(method), initializer=_begin, initargs=facts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._folder.cleanup()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Hand a call to a worker."""
        return self._pool.submit(function, *arguments)

    def kill(self) -> None:
        """End all workers at once, whatever they are doing."""
        for process in multiprocessing.active_children():
            if process not in self._others:
                process.kill()

    def last_words(self) -> str:
        """Return what the watchdog wrote as it ended a worker: where its code was, or nothing."""
        return "\n".join(filter(None, (file.read_text(errors="replace") for file in self.folder.iterdir())))


def own_file(folder: Path) -> Path:
    """Return this worker's file in the folder of its pool."""
    return folder / str(os.getpid())


def _begin(folder: Path, parent: int, prepare: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    own_file(folder).touch()
    sys.stdout = sys.stderr
    os.dup2(2, 1)  # what a strategy prints must not end up among the results
    if prepare is not None:
        prepare()
