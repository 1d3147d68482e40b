"""Deadlines: other people's code gets its seconds, and no more."""

import contextlib
import itertools
import signal
import threading
import time
from functools import partial

import pytest

from wordle_kit.tournaments import deadline as module
from wordle_kit.tournaments.deadline import Deadline, DeadlinePassed
from wordle_kit.tournaments.pool import Pool, in_order, watchdog_file

needs_timers = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="without interval timers code cannot be interrupted in this process"
)


def endless(argument):
    while True:
        pass


def endless_that_catches_exceptions(argument):
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


def endless_for_the_first_alarms(alarms):
    while True:
        try:
            time.sleep(0.01)
        except DeadlinePassed:
            alarms -= 1
            if alarms < 0:
                raise


def test_a_call_within_its_time_gives_its_result_and_how_long_it_took():
    made, taken = Deadline(60).call(str.upper, "abc")
    assert made == "ABC"
    assert 0 <= taken < 60


@needs_timers
@pytest.mark.parametrize("function", [endless, endless_that_catches_exceptions, endless_for_the_first_alarms])
def test_a_function_that_does_not_return_is_interrupted(function):
    with pytest.raises(DeadlinePassed):
        Deadline(0.05).call(function, 3)


def test_a_function_that_cannot_be_interrupted_is_reported_once_it_is_back():
    found = []

    def late(seconds):
        time.sleep(seconds)
        return "too late"

    def call():
        try:
            Deadline(0.05).call(late, 0.2)
        except DeadlinePassed as passed:
            found.append(passed)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert [type(passed) for passed in found] == [DeadlinePassed]


@needs_timers
@pytest.mark.parametrize("function", [str.upper, endless, int])
def test_no_alarm_is_left_behind(function):
    before = signal.getsignal(signal.SIGALRM)
    deadline = Deadline(0.05)
    with contextlib.suppress(DeadlinePassed, ValueError):
        deadline.call(function, "abc")
    deadline.stop()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


# The watchdog


def under_a_watchdog(function, *arguments):
    module.GRACE = 0.1  # in this worker alone
    deadline = Deadline(0.1, watchdog_file())
    try:
        return deadline.call(lambda _: function(*arguments), None)[0]
    finally:
        deadline.stop()


def native_code():
    sum(itertools.repeat(0, 10**12))


@pytest.mark.slow
@needs_timers
def test_the_watchdog_ends_a_process_that_cannot_be_interrupted():
    with Pool(1) as pool:
        ((_, died),) = pool.run(in_order([partial(under_a_watchdog, native_code)]))
    assert "native_code" in died.traceback


@needs_timers
def test_a_call_in_a_call_leaves_the_outer_one_its_alarm():
    def plays_a_game(_):
        Deadline(60).call(str.upper, "abc")
        endless(None)

    with pytest.raises(DeadlinePassed):
        Deadline(0.1).call(plays_a_game, None)
