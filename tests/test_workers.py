"""Worker processes, whatever runs in them."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures.process import BrokenProcessPool
from pickle import PicklingError

import pytest
from calls import leave_last_words, press_ctrl_c, print_a_line

from wordle_kit import workers as module
from wordle_kit.workers import HEADER, WorkerDied, Workers

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process numbers as POSIX has them")


def sleep_for_ever():
    time.sleep(600)


def test_a_worker_does_not_heed_ctrl_c():
    with Workers(1) as workers:
        assert workers.submit(press_ctrl_c).result() == "went on"


def test_output_of_a_worker_goes_to_standard_error(capfd):
    with Workers(1) as workers:
        workers.submit(print_a_line, 1).result()
    out, complaints = capfd.readouterr()
    assert out == ""
    assert sorted(complaints.splitlines()) == ["through print", "through the descriptor"]


def test_the_last_words_of_a_worker_come_with_the_error_of_its_call():
    with Workers(1) as workers:
        with pytest.raises(WorkerDied, match="exit code 3") as died:
            workers.submit(leave_last_words).result()
        assert died.value.last_words.endswith(" was here")
        folder = workers.folder
    assert not folder.exists()


def sleep_a_little(kind):
    time.sleep(0.01)
    return kind, os.getpid()


@pytest.mark.slow
def test_calls_of_one_kind_go_to_one_worker_until_only_one_kind_is_left():
    with Workers(2, kind=str) as workers:
        futures = [workers.submit(sleep_a_little, number // 4) for number in range(20)]
        carried_out = {future.result() for future in futures}
    assert {kind for kind, _ in carried_out} == set(range(5))
    assert len(carried_out) <= 6


def press_ctrl_c_while_workers_sleep(numbers):
    with Workers(2) as workers:
        for _ in range(2):
            workers.submit(sleep_for_ever)
        while len(numbers) < 2:
            time.sleep(0.01)
            numbers[:] = [int(file.name) for file in workers.folder.iterdir()]
        raise KeyboardInterrupt


@pytest.mark.slow
def test_workers_are_killed_whatever_they_do_when_their_pool_is_left_by_an_error():
    numbers = []
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c_while_workers_sleep(numbers)
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


LARGE = 400_000
"""Bytes of a result that the parent has to take in several parts."""

SOON = 60.0
"""Seconds after which a test says that nothing came; deaths are noticed in a fraction of a second."""


def die_in_the_middle(place):
    """Return a large result, of which this many bytes are sent before the worker is killed."""

    def send(parent_socket, message):
        assert len(message) > LARGE
        parent_socket.sendall((len(message).to_bytes(HEADER, "big") + message)[:place])
        os.kill(os.getpid(), signal.SIGKILL)

    module._send = send  # in this worker alone
    return bytes(LARGE)


EDGES = [0, 1, HEADER - 1, HEADER, HEADER + 1, LARGE]
PLACES = EDGES + [random.Random(0).randrange(LARGE) for _ in range(20 - len(EDGES))]


@pytest.mark.slow
def test_a_worker_that_dies_at_any_byte_of_a_result_is_noticed_and_the_others_go_on():
    for place in PLACES:
        with Workers(2) as workers:
            dying = workers.submit(die_in_the_middle, place)
            others = [workers.submit(bytes, LARGE) for _ in range(2)]
            with pytest.raises(WorkerDied):
                dying.result(SOON)
            assert [len(other.result(SOON)) for other in others] == [LARGE, LARGE]


def leave_a_child_and_die(place):
    if os.fork() == 0:
        time.sleep(600)
    return die_in_the_middle(place)


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, HEADER + 1, LARGE])
def test_a_worker_that_dies_is_noticed_though_a_child_of_its_own_keeps_its_socket_open(place):
    with Workers(1) as workers:
        group = workers._processes[0].pid
        os.setpgid(group, group)
        dying = workers.submit(leave_a_child_and_die, place)
        with pytest.raises(WorkerDied):
            dying.result(SOON)
    os.killpg(group, signal.SIGKILL)


@pytest.mark.slow
def test_workers_that_are_killed_from_outside_while_they_do_nothing_are_noticed():
    with Workers(2) as workers:
        for process in workers._processes:
            os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(BrokenProcessPool):
            workers.submit(press_ctrl_c).result(SOON)


def raise_what_cannot_be_sent():
    class LocalError(Exception):
        pass

    raise LocalError("stays here")


def test_an_exception_in_a_call_is_raised_in_the_parent_and_the_worker_goes_on():
    with Workers(1) as workers:
        with pytest.raises(ValueError, match="'x'"):
            workers.submit(int, "x").result(SOON)
        with pytest.raises(RuntimeError, match="stays here"):
            workers.submit(raise_what_cannot_be_sent).result(SOON)
        with pytest.raises((AttributeError, PicklingError), match="<lambda>"):
            workers.submit(int, lambda: 0).result(SOON)
        assert workers.submit(int, "7").result(SOON) == 7


def wait_for_a_lock():
    lock = threading.Lock()
    with lock, lock:
        pass


def compute(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "computed"


def wait_for_a_child(seconds):
    return subprocess.run(["sleep", str(seconds)], check=True).returncode


def look_again_and_again(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.05)
    return "looked"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the system tells what a process does in /proc")
def test_a_worker_that_does_nothing_at_all_is_ended_but_not_one_that_works_or_waits_for_a_child():
    with Workers(4, idle=1.0) as workers:
        stuck = workers.submit(wait_for_a_lock)
        others = [workers.submit(each, 5.0) for each in (compute, wait_for_a_child, look_again_and_again)]
        with pytest.raises(WorkerDied, match="worker"):
            stuck.result(SOON)
        assert [other.result(SOON) for other in others] == ["computed", 0, "looked"]


@pytest.fixture
def another_thread():
    """Have another thread run during a test, so that no worker is forked."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.mark.slow
def test_a_new_python_that_dies_is_noticed(another_thread):
    with Workers(1) as workers:
        with pytest.raises(WorkerDied, match="exit code 3") as died:
            workers.submit(leave_last_words).result(SOON)
        assert died.value.last_words.endswith(" was here")


@pytest.mark.slow
def test_calls_that_have_not_begun_are_cancelled_when_a_pool_is_left_and_those_that_have_are_done():
    with Workers(1) as workers:
        begun = workers.submit(time.sleep, 0.3)
        while not begun.running():
            time.sleep(0.01)
        waiting = workers.submit(press_ctrl_c)
    assert begun.result(0) is None
    assert waiting.cancelled()
