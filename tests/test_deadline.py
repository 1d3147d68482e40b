"""Deadlines: other people's code gets its seconds, and no more."""

import contextlib
import itertools
import signal
import threading
import time
from functools import partial

import pytest

from wordle_kit import deadline as module
from wordle_kit.deadline import Deadline, DeadlinePassed, engine_work
from wordle_kit.pool import Pool, in_order, own_file

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
    deadline.restore()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


@pytest.mark.slow
@needs_timers
def test_an_alarm_that_was_set_for_an_earlier_call_leaves_a_later_one_its_time():
    deadline = Deadline(0.6)
    for pause in (0.35, 0.6):  # it rings in the second call, and again after it
        assert deadline.call(time.sleep, 0.15)[1] >= 0.15
        time.sleep(pause)
    start = time.perf_counter()
    with pytest.raises(DeadlinePassed):
        deadline.call(endless, None)
    assert time.perf_counter() - start >= 0.6
    deadline.restore()


def test_an_exception_passes_through():
    with pytest.raises(ValueError, match="abc"):
        Deadline(60).call(int, "abc")


# The engine's own work


def engine_works(seconds, codes=0):
    with engine_work(codes):
        with engine_work(codes):
            time.sleep(seconds)
        time.sleep(seconds)
    return "done"


@pytest.mark.slow
def test_the_engine_s_own_work_does_not_count():
    made, taken = Deadline(0.2).call(engine_works, 0.3)
    assert made == "done"
    assert taken < 0.2


@pytest.mark.slow
def test_in_another_thread_it_does_not_count_either():
    found = []
    thread = threading.Thread(target=lambda: found.append(Deadline(0.2).call(engine_works, 0.3)))
    thread.start()
    thread.join()
    assert found[0][1] < 0.2


def endless_engine_work(codes):
    while True:
        engine_works(0.01, codes)


@pytest.mark.slow
@needs_timers
def test_the_engine_s_work_on_more_codes_than_are_granted_counts():
    made, _ = Deadline(0.2).call(lambda codes: engine_works(0.2, codes), 100, 100)
    assert made == "done"
    with pytest.raises(DeadlinePassed):
        Deadline(0.2).call(lambda codes: engine_works(0.2, codes), 101, 100)
    with pytest.raises(DeadlinePassed):
        Deadline(0.2).call(endless_engine_work, 1, 20)


@pytest.mark.slow
@needs_timers
@pytest.mark.parametrize("function", [endless, endless_that_catches_exceptions])
def test_a_strategys_own_work_after_the_engines_is_interrupted(function):
    def first_the_engine_s(argument):
        engine_works(0.1)
        function(argument)

    start = time.perf_counter()
    with pytest.raises(DeadlinePassed):
        Deadline(0.1).call(first_the_engine_s, None)
    assert time.perf_counter() - start >= 0.3


@pytest.mark.slow
@needs_timers
def test_a_strategys_time_before_the_engines_work_counts():
    def before_and_after(seconds):
        time.sleep(seconds)
        engine_works(0.01)
        time.sleep(seconds)

    with pytest.raises(DeadlinePassed):
        Deadline(0.5).call(before_and_after, 0.4)


def under_a_watchdog(function, *arguments):
    module.GRACE = 0.1  # in this worker alone
    deadline = Deadline(0.1, own_file())
    try:
        return deadline.call(lambda _: function(*arguments), None)[0]
    finally:
        deadline.restore()


@pytest.mark.slow
@needs_timers
def test_the_watchdog_waits_for_the_engine_and_then_watches_on():
    tasks = [partial(under_a_watchdog, engine_works, 0.5), partial(under_a_watchdog, engine_then_native_code)]
    with Pool(1) as pool:
        (_, done), (_, died) = pool.run(in_order(tasks))
    assert done == "done"
    assert "engine_then_native_code" in died.last_words


def engine_then_native_code():
    engine_works(0.5)
    sum(itertools.repeat(0, 10**12))
