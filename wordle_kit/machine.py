"""The machine: its cores, what it is short of, and the progress of long work of the engine."""

import contextlib
import errno
import math
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from wordle_kit.errors import MachineError

SHORTAGES = {errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE}
"""System errors that mean too little memory or disk space, too many open files, or a file that is too large."""

ShowProgress = Callable[[int, int], None]
"""A function that is called with the amount done and the total."""

_show: Callable[[str], AbstractContextManager[ShowProgress | None]] | None = None
"""Shows the progress of long work."""

_one_core = False
"""Whether this process was told to use only one core."""


def cores() -> int:
    """Return the number of processor cores that a computation of the engine may use. It is 1 in a worker process."""
    return 1 if _one_core or _is_worker() else available_cores()


def _is_worker() -> bool:
    import multiprocessing

    return multiprocessing.parent_process() is not None


def use_one_core() -> None:
    """Let each computation of the engine in this process use only one core."""
    global _one_core
    _one_core = True


def show_long_work(show: Callable[[str], AbstractContextManager[ShowProgress | None]]) -> None:
    """Set the function that is called with a few words when long work begins. It yields a function for the progress."""
    global _show
    _show = show


def long_work(doing: str) -> AbstractContextManager[ShowProgress | None]:
    """Return a context for work that takes many seconds. It yields a function to call with the progress, or None."""
    return contextlib.nullcontext() if _show is None or _is_worker() else _show(doing)


def available_cores(root: Path = Path("/")) -> int:
    """Return the number of cores that this process may use, at least 1.

    It is the number of cores on which the process may run, or less if its control groups limit its processor time.
    `root` is the folder that contains `proc` and `sys`.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([allowed, *map(math.ceil, _limits(root))]))


def shortage(error: BaseException) -> str | None:
    """Return what the machine is short of according to an exception, and what to do, or None."""
    if isinstance(error, MemoryError):
        return "there is not enough memory; give the feedback table less, or use fewer workers"
    if isinstance(error, OSError) and error.errno in SHORTAGES:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{os.strerror(error.errno)}; free memory, disk space or open files"
    return None


@contextlib.contextmanager
def blaming_the_machine() -> Iterator[None]:
    """Raise MachineError, instead of what the engine's work raises, if the machine is short of a resource."""
    try:
        yield
    except (MemoryError, OSError) as error:
        problem = shortage(error)
        if problem is None:
            raise
        settings = ["memory", "workers"] if isinstance(error, MemoryError) else []
        raise MachineError(problem, settings=settings) from error


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
