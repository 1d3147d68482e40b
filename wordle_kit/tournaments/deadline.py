"""Deadlines for other people's code in this process: an alarm raises an exception, then a watchdog ends the process."""

import faulthandler
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TextIO, TypeVar

from wordle_kit.errors import positive

Given = TypeVar("Given")
Made = TypeVar("Made")

DEADLINE = 10.0
"""The default number of seconds for each decision."""

ALARM_INTERVAL = 0.1
"""The number of seconds between alarms, which are repeated in case the code suppresses the exception."""

GRACE = 5.0
"""The seconds, in addition to three deadlines, after which the watchdog ends a process."""

LONGEST_DEADLINE = 1e6
"""The longest deadline in seconds. Longer ones are shortened to it, since they would exceed the system's timers."""


class DeadlinePassed(BaseException):
    """Raised inside code that takes too long. It is not an Exception, so `except Exception` does not suppress it."""


class Deadline:
    """A time limit for functions called with `call`. Raises WordleKitError unless `seconds` is a number above 0.

    In the main thread of a system with interval timers, a function that takes too long is interrupted as soon as it
    runs Python code again; elsewhere, the time is only checked afterwards. With a `watchdog` file, a call that could
    not be interrupted ends the whole process and leaves its traceback in that file. Use this only in worker processes.
    """

    def __init__(self, seconds: float, watchdog: Path | None = None) -> None:
        self.seconds = min(positive("deadline", seconds), LONGEST_DEADLINE)
        self.watchdog = watchdog
        self._file: TextIO | None = None
        self._watched_until = 0.0
        self._armed = False

    def call(self, function: Callable[[Given], Made], argument: Given, extra: float = 0.0) -> tuple[Made, float]:
        """Return the result of a function and the seconds it took. Raises DeadlinePassed if it takes too long.

        This call may take `extra` seconds longer than other calls.
        """
        seconds = self.seconds + extra
        self._watch(seconds)
        interrupts = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
        started = time.perf_counter()
        made = self._interruptible(function, argument, seconds) if interrupts else function(argument)
        taken = time.perf_counter() - started
        if taken > seconds:
            raise DeadlinePassed
        return made, taken

    def stop(self) -> None:
        """Stop the watchdog. It is kept running between calls, since starting it takes longer than many decisions."""
        if self._watched_until:
            faulthandler.cancel_dump_traceback_later()
            self._watched_until = 0.0

    def _interruptible(self, function: Callable[[Given], Made], argument: Given, seconds: float) -> Made:
        started = time.perf_counter()
        outer = signal.signal(signal.SIGALRM, self._ring)
        delay, interval = signal.setitimer(signal.ITIMER_REAL, seconds, ALARM_INTERVAL)
        try:
            try:
                self._armed = True
                return function(argument)
            finally:
                self._armed = False
        finally:  # twice, since the alarm may ring in the first `finally`
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, outer)
            if delay:  # the strategy plays a game in order to decide, so this call is made within another
                signal.setitimer(signal.ITIMER_REAL, max(delay - (time.perf_counter() - started), 1e-6), interval)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            raise DeadlinePassed

    def _watch(self, seconds: float) -> None:
        """Have the watchdog wait for at least two more deadlines, and at most three."""
        now = time.monotonic()
        if self.watchdog is None or now + 2 * seconds + GRACE <= self._watched_until:
            return
        if self._file is None:
            self._file = self.watchdog.open("w")
        self._watched_until = now + 3 * seconds + GRACE
        faulthandler.dump_traceback_later(3 * seconds + GRACE, exit=True, file=self._file)
