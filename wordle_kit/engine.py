"""The engine's own work: its time is not a strategy's, and what the machine lacks for it is not a strategy's fault."""

import contextlib
import errno
import threading
from collections.abc import Iterator
from typing import Protocol

from wordle_kit.errors import MachineError

SHORTAGES = {errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE}
"""What the system says when memory, disk space or open files are used up."""


class Clock(Protocol):
    """What times the decisions of a strategy."""

    def stop(self, codes: int) -> bool:
        """Stop for the engine's work on so many codes, and return whether that was granted."""

    def go_on(self) -> None:
        """Go on after the work that was granted."""


_running = threading.local()
"""Of each thread: the clock that runs there."""


@contextlib.contextmanager
def timed_by(clock: Clock) -> Iterator[None]:
    """Let a clock run in this thread until the end of the context."""
    before = getattr(_running, "clock", None)
    _running.clock = clock
    try:
        yield
    finally:
        _running.clock = before


@contextlib.contextmanager
def engine_work(codes: int = 0) -> Iterator[None]:
    """Stop the clock of this thread, if one runs, until the end of the context.

    `codes` says how many feedback codes the engine works through, where a strategy could have it do so again and again.
    Raises MachineError for what the machine lacks.
    """
    clock: Clock | None = getattr(_running, "clock", None)
    granted = clock is not None and clock.stop(codes)
    try:
        yield
    except (MemoryError, OSError, RuntimeError) as error:
        problem = lack(error)
        if problem is None:
            raise
        settings = ["memory", "workers"] if isinstance(error, MemoryError) else []
        raise MachineError(problem, settings=settings) from error
    finally:
        if granted and clock is not None:
            clock.go_on()


def lack(error: BaseException) -> str | None:
    """Return what the machine lacks according to an exception, and what to do, or None where it lacks nothing."""
    if isinstance(error, MemoryError):
        return "there is not enough memory; give the feedback table less, or use fewer workers"
    if isinstance(error, RuntimeError) and "no locator available" in str(error):
        return "there is no folder for compiled code; set NUMBA_CACHE_DIR to one that can be written to"
    # Its number is read as it is stored, whatever a subclass would make of it.
    number = vars(OSError)["errno"].__get__(error) if isinstance(error, OSError) else None
    if type(number) is int and number in SHORTAGES:
        return f"the system has run short: {errno.errorcode[number]}; free memory, disk space or open files"
    return None
