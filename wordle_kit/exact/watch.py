"""A search run in a thread, so that another thread can watch it, and a time limit or Ctrl-C can stop it."""

import threading
import time
from collections.abc import Callable
from enum import StrEnum

from wordle_kit.exact.search import SearchStopped

LOOK = 0.1
"""Seconds between two looks at a search."""


class Ending(StrEnum):
    """How a watched search ended."""

    DONE = "done"
    TIME = "out of time"
    INTERRUPTED = "interrupted"


def run_watched(
    job: Callable[[], None],
    stop: Callable[[bool], None],
    *,
    deadline: float | None = None,
    look: Callable[[], None] | None = None,
    pause: float | None = None,
    rest: Callable[[], None] | None = None,
) -> Ending:
    """Run a job that raises SearchStopped after `stop(True)`, and return how it ended.

    `deadline` is a time of `time.monotonic`. `look` is called repeatedly while the job runs. Every `pause` seconds the
    job is stopped, `rest` is called, and the job is run again. Other exceptions of the job are raised here.
    """
    failures: list[BaseException] = []
    ended = threading.Event()  # Thread.join would take a running thread for ended when Ctrl-C interrupts it

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
        pause_at = None if pause is None else time.monotonic() + pause
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
                if ending is not Ending.DONE or (pause_at is not None and now > pause_at):
                    stop(True)
                    pause_at = None
        except KeyboardInterrupt:
            ending = Ending.INTERRUPTED
        stop(True)
        ended.wait()
        if not failures:
            return Ending.DONE
        if not isinstance(failures[0], SearchStopped):
            raise failures[0]
        if rest is not None:
            rest()
        if ending is not Ending.DONE:
            return ending
