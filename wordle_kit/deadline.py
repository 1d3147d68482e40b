"""Time limits for other people's code in this process: an alarm that raises, then a watchdog that kills.

Work of the engine that this code asks for does not count.
"""

import contextlib
import faulthandler
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, TextIO, TypeVar

from wordle_kit.arguments import positive
from wordle_kit.errors import MachineError
from wordle_kit.machine import shortage

Given = TypeVar("Given")
Made = TypeVar("Made")

_running = threading.local()
"""The deadline of the current call in each thread."""

ALARM_INTERVAL = 0.1
"""The seconds between two alarms, in case the code suppressed the exception of the first."""

SOON = 1e-6
"""The seconds until an overdue alarm rings."""

GRACE = 5.0
"""The seconds, in addition to three deadlines, after which the watchdog ends a worker process that could not be
interrupted.
"""

LONGEST_DEADLINE = 1e6
"""The longest deadline in seconds. Longer ones are shortened to it, since they would exceed the system's timers."""


class DeadlinePassed(BaseException):
    """Raised inside code that takes too long. It is not an Exception, so `except Exception` does not suppress it."""


class Deadline:
    """Calls functions, each with a limit of seconds.

    If it is used in the main thread and the system has interval timers, a function that takes too long is interrupted
    as soon as it runs Python code again. Otherwise, the time is only checked afterwards. With a `watchdog` file, a call
    that could not be interrupted ends the whole process and leaves its traceback in that file. Use this only in worker
    processes.

    Setting a timer takes longer than a decision of a simple strategy. So the alarm is not set for each call. It may
    ring during a later call, and is then set for the rest of that call's time.
    """

    def __init__(self, seconds: float, watchdog: Path | None = None) -> None:
        self.seconds = min(positive("deadline", seconds), LONGEST_DEADLINE)
        self.watchdog = watchdog
        self._armed = False
        self._before: Any = None
        self._set_before = (0.0, 0.0, 0.0)
        """The delay and interval of the timer that was set before the first call, and the time of that call."""
        self._watched_since = float("-inf")
        self._file: TextIO | None = None
        self._interrupts = False
        self._started = self._stopped = self._left_out = 0.0
        self._depth = self._free_codes = 0

    def call(self, function: Callable[[Given], Made], argument: Given, free_codes: int = 0) -> tuple[Made, float]:
        """Return the result of a function and the seconds it took. Raises DeadlinePassed if it takes too long.

        Work of the engine does not count as long as it computes at most `free_codes` feedback codes.
        """
        self._depth, self._free_codes, self._left_out = 0, free_codes, 0.0
        self._interrupts = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
        self._watch()
        self._started = time.perf_counter()
        before, _running.deadline = getattr(_running, "deadline", None), self
        try:
            made = self._interruptible(function, argument) if self._interrupts else function(argument)
        finally:
            _running.deadline = before
        taken = time.perf_counter() - self._started - self._left_out
        if taken > self.seconds:
            raise DeadlinePassed
        return made, taken

    def stop(self, codes: int) -> bool:
        """Stop the alarm and the watchdog while the engine works. Return False if the call has no free codes left."""
        if self._depth == 0:
            if codes > self._free_codes:
                return False
            self._free_codes -= codes
            self._armed = False
            if self.watchdog is not None:
                faulthandler.cancel_dump_traceback_later()
            self._stopped = time.perf_counter()
        self._depth += 1
        return True

    def resume(self) -> None:
        """Set the alarm for the remaining time, and restart the watchdog."""
        self._depth -= 1
        if self._depth == 0:
            now = time.perf_counter()
            self._left_out += now - self._stopped
            self._watched_since = float("-inf")
            self._watch()
            if self._interrupts:
                self._armed = True
                self._set_alarm(now)

    def restore(self) -> None:
        """Restore the alarm as it was before the first call, and stop the watchdog."""
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            self._before = None
            delay, interval, since = self._set_before
            if delay:  # another deadline's alarm: a strategy may play a game to decide
                signal.setitimer(signal.ITIMER_REAL, max(delay - (time.perf_counter() - since), SOON), interval)
        if self.watchdog is not None:
            faulthandler.cancel_dump_traceback_later()
            self._watched_since = float("-inf")

    def _interruptible(self, function: Callable[[Given], Made], argument: Given) -> Made:
        if self._before is None:
            self._set_before = (*signal.setitimer(signal.ITIMER_REAL, 0), time.perf_counter())
            self._before = signal.signal(signal.SIGALRM, self._ring)
        try:
            try:
                self._armed = True
                self._set_alarm(self._started)
                return function(argument)
            finally:
                self._armed = False
        finally:  # twice, since the alarm may ring in the first `finally`
            self._armed = False

    def _set_alarm(self, now: float) -> None:
        """Set the alarm for the end of this call's time, unless it will ring before that."""
        left = max(self._started + self._left_out + self.seconds - now, SOON)
        if not 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= left:  # the called code may have stopped it
            signal.setitimer(signal.ITIMER_REAL, left, ALARM_INTERVAL)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        left = self._started + self._left_out + self.seconds - time.perf_counter()
        if self._armed and left <= 0:
            raise DeadlinePassed
        signal.setitimer(signal.ITIMER_REAL, max(left, SOON) if self._armed else 0, ALARM_INTERVAL)

    def _watch(self) -> None:
        """Restart the watchdog, unless it was restarted less than a deadline ago."""
        now = time.monotonic()
        if self.watchdog is None or now - self._watched_since < self.seconds:
            return
        self._watched_since = now
        if self._file is None:
            self._file = self.watchdog.open("w")
        faulthandler.dump_traceback_later(longest_silence(self.seconds), exit=True, file=self._file)


def longest_silence(seconds: float) -> float:
    """Return the seconds after which the watchdog ends a worker whose call with this deadline has not returned."""
    return 3 * seconds + GRACE


@contextlib.contextmanager
def engine_work(codes: int = 0) -> Iterator[None]:
    """Stop the clock of this thread's call, if there is one, for the length of a `with` block.

    `codes` is the number of feedback codes that the engine works through. A decision has a limited number of free
    codes. Raises MachineError if the machine is short of memory or of another resource.
    """
    deadline: Deadline | None = getattr(_running, "deadline", None)
    granted = deadline is not None and deadline.stop(codes)
    try:
        yield
    except (MemoryError, OSError) as error:
        problem = shortage(error)
        if problem is None:
            raise
        settings = ["memory", "workers"] if isinstance(error, MemoryError) else []
        raise MachineError(problem, settings=settings) from error
    finally:
        if granted and deadline is not None:
            deadline.resume()
