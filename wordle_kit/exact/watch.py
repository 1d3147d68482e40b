"""Running a search in a thread, so that it can be watched, and stopped by a clock or by Ctrl-C."""

import threading
import time
from collections.abc import Callable
from enum import StrEnum

from wordle_kit.exact.search import Stopped

LOOK = 0.1
"""Seconds between two looks at a search."""


class Ending(StrEnum):
    """How a watched search ended."""

    DONE = "done"
    TIME = "out of time"
    INTERRUPTED = "interrupted"


def watched(
    job: Callable[[], None],
    stop: Callable[[bool], None],
    *,
    deadline: float | None = None,
    look: Callable[[], None] | None = None,
    pause: float | None = None,
    rest: Callable[[], None] | None = None,
) -> Ending:
    """Run a job that raises Stopped after `stop(True)`, and return how it ended.

    `deadline` is a time of `time.monotonic`; `look` is called all along, `rest` every `pause` seconds while the job is
    stopped, after which it is run again. Other exceptions of the job are raised here.
    """
    failures: list[BaseException] = []
    ended = threading.Event()  # and not Thread.join, which takes a running thread for ended when Ctrl-C interrupts it

    def work() -> None:
        try:
            job()
        except BaseException as failure:
            failures.append(failure)
        finally:
            ended.set()

    ending = Ending.DONE
    while True:
        failures.clear()
        ended.clear()
        stop(False)
        thread = threading.Thread(target=work, daemon=True)
        resting = None if pause is None else time.monotonic() + pause
        thread.start()
        wait = 0.002
        try:
            while not ended.wait(wait):
                wait = min(LOOK, 2 * wait)
                if look is not None:
                    look()
                now = time.monotonic()
                if deadline is not None and now > deadline:
                    ending = Ending.TIME
                if ending is not Ending.DONE or (resting is not None and now > resting):
                    stop(True)
                    resting = None
        except KeyboardInterrupt:
            ending = Ending.INTERRUPTED
        stop(True)
        ended.wait()
        if not failures:
            return Ending.DONE
        if not isinstance(failures[0], Stopped):
            raise failures[0]
        if rest is not None:
            rest()
        if ending is not Ending.DONE:
            return ending
