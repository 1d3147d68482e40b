"""Worker processes: what holds for whatever runs in them."""

import os
import signal
import sys
import time
from concurrent.futures.process import BrokenProcessPool

import pytest

from wordle_kit.tournaments.workers import Workers, own_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process numbers as POSIX has them")


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    return "went on"


def print_a_line(descriptor):
    print("through print")
    os.write(descriptor, b"through the descriptor\n")


def leave_last_words(folder):
    own_file(folder).write_text(f"{os.getpid()} was here")
    os._exit(3)


def sleep_for_ever():
    time.sleep(600)


def test_a_worker_does_not_heed_ctrl_c():
    with Workers(1) as workers:
        assert workers.submit(press_ctrl_c).result() == "went on"


def test_what_a_worker_prints_goes_to_standard_error(capfd):
    with Workers(1) as workers:
        workers.submit(print_a_line, 1).result()
    out, complaints = capfd.readouterr()
    assert out == ""
    assert sorted(complaints.splitlines()) == ["through print", "through the descriptor"]


def test_the_last_words_of_a_worker_are_kept_until_its_pool_is_done():
    with Workers(1) as workers:
        with pytest.raises(BrokenProcessPool):
            workers.submit(leave_last_words, workers.folder).result()
        assert workers.last_words().endswith(" was here")
        folder = workers.folder
    assert not folder.exists()


def press_ctrl_c_while_workers_sleep(numbers):
    with Workers(2) as workers:
        for _ in range(2):
            workers.submit(sleep_for_ever)
        while len(numbers) < 2:
            time.sleep(0.01)
            numbers[:] = [int(file.name) for file in workers.folder.iterdir()]
        raise KeyboardInterrupt


def test_workers_are_killed_whatever_they_do_when_their_pool_is_left_by_an_error():
    numbers = []
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c_while_workers_sleep(numbers)
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
