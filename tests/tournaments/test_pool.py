"""Processes that carry out tasks, whatever happens in them."""

import os
import signal
import sys
import threading
import time
from functools import partial

import pytest
from calls import (
    die_in_the_middle,
    die_once,
    leave_a_child_and_die,
    leave_a_traceback,
    press_ctrl_c,
    print_a_line,
)

from wordle_kit.tournaments import pool as module
from wordle_kit.tournaments.pool import Died, Pool, in_order

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process numbers as POSIX has them")


@pytest.fixture(params=[True, pytest.param(False, marks=pytest.mark.slow)], ids=["forked", "new"])
def forks(request, monkeypatch):
    """Have workers be forked, or be new processes."""
    monkeypatch.setattr(module, "can_fork", lambda: request.param)


def results(*tasks, count=1):
    with Pool(count) as pool:
        found = dict(pool.run(in_order(tasks)))
    return [found[task] for task in tasks]


def test_a_worker_does_not_heed_ctrl_c(forks):
    assert results(press_ctrl_c) == ["went on"]


def test_output_of_a_worker_goes_to_standard_error(forks, capfd):
    results(partial(print_a_line, 1))
    out, complaints = capfd.readouterr()
    assert out == ""
    assert sorted(complaints.splitlines()) == ["through print", "through the descriptor"]


def test_a_task_that_ends_its_process_twice_has_died_and_the_others_are_done(forks):
    died, *others = results(leave_a_traceback, *(partial(bytes, number) for number in range(4)), count=2)
    assert isinstance(died, Died)
    assert "exit code 3" in died.how
    assert died.traceback.endswith(" was here")
    assert others == [bytes(number) for number in range(4)]


def test_a_task_whose_process_ends_is_tried_again_alone(forks, tmp_path):
    tasks = [partial(die_once, tmp_path / str(number)) for number in range(3)]
    assert results(*tasks, count=2) == ["survived"] * 3


def test_a_worker_takes_its_next_task_by_its_last(forks):
    waiting = [partial(divmod, 7, 2), partial(divmod, 9, 2)]
    asked = []

    def take(last):
        asked.append(last)
        return waiting.pop(0) if waiting else None

    with Pool(1) as pool:
        done = [task for task, _ in pool.run(take)]
    assert asked == [None, *done]


def test_what_may_be_taken_after_a_second_try_is_carried_out_too(forks, tmp_path):
    first, second = partial(die_once, tmp_path / "first"), partial(divmod, 9, 2)
    waiting, done = [first], []
    with Pool(2) as pool:
        for task, _ in pool.run(lambda last: waiting.pop() if waiting else None):
            done.append(task)
            if task is first:
                waiting.append(second)
    assert done == [first, second]


LARGE = 400_000
"""Bytes of a result that the parent has to take in several parts."""


@pytest.mark.slow
@pytest.mark.parametrize("place", [3, LARGE - 1])
def test_a_worker_that_dies_in_the_middle_of_a_result_is_noticed_and_the_others_go_on(place):
    died, *others = results(partial(die_in_the_middle, LARGE, place), partial(bytes, LARGE), partial(bytes, 3), count=2)
    assert isinstance(died, Died)
    assert list(map(len, others)) == [LARGE, 3]


@pytest.mark.slow
def test_a_worker_that_dies_is_noticed_though_a_child_of_its_own_keeps_its_pipe_open(tmp_path):
    (died,) = results(partial(leave_a_child_and_die, tmp_path / "children"))
    for number in (tmp_path / "children").read_text().split():
        os.kill(int(number), signal.SIGKILL)
    assert isinstance(died, Died)


@pytest.mark.slow
def test_a_worker_that_was_killed_while_it_did_nothing_is_replaced(forks):
    with Pool(1) as pool:
        ((_, number),) = pool.run(in_order([os.getpid]))
        os.kill(number, signal.SIGKILL)
        ((_, other),) = pool.run(in_order([os.getpid]))
    assert other != number


@pytest.mark.slow
def test_workers_are_killed_whatever_they_do_when_their_pool_is_left_by_an_error():
    numbers = []

    def leave():
        if numbers:
            raise KeyboardInterrupt

    def work():
        with Pool(2) as pool:
            for _, number in pool.run(in_order([os.getpid, partial(time.sleep, 600)]), leave):
                numbers.append(number)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert numbers
    with pytest.raises(ProcessLookupError):
        os.kill(numbers[0], 0)


def raise_what_cannot_be_sent():
    class LocalError(Exception):
        pass

    raise LocalError("stays here")


@pytest.mark.parametrize(
    ("task", "error"),
    [(partial(int, "x"), ValueError), (raise_what_cannot_be_sent, RuntimeError)],
    ids=["an error", "an error that cannot be sent"],
)
def test_an_exception_in_a_task_is_raised(task, error):
    with pytest.raises(error), Pool(1) as pool:
        list(pool.run(in_order([task])))


def test_beside_another_thread_workers_are_new_processes():
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert not module.can_fork()
    finally:
        over.set()
        thread.join()
