"""The cache that processes share: with real forks, real kills, threads, and a plain dictionary as its model."""

import multiprocessing
import os
import signal
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordle_kit.strategy.shared_cache import END, ENTRY, SharedCache

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")

ROOM = 2**16


def floats(number, count=3):
    return np.full(count, number, dtype=np.float64)


def nothing():
    raise AssertionError("asked for what another process has made")


def in_child(function):
    """Call a function in a forked process, and return how that process ended."""
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


def test_what_one_process_has_made_the_others_need_not():
    cache = SharedCache(ROOM)
    assert in_child(lambda: cache.get(b"key", lambda: floats(7))) == 0
    assert in_child(lambda: cache.get(b"key", nothing)) == 0
    found = cache.get(b"key", nothing)
    assert found.tolist() == [7, 7, 7]
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1


@pytest.mark.parametrize("kind", [np.float32, np.int64, np.bool_])
def test_results_of_another_type_keep_it_and_are_not_shared(kind):
    cache = SharedCache(ROOM)
    for _ in range(2):
        assert cache.get(b"key", lambda: np.ones(2, dtype=kind)).dtype == kind
    with pytest.raises(AssertionError, match="another process"):
        cache.get(b"key", nothing)


@settings(deadline=None, max_examples=50)
@given(
    capacity=st.integers(END.size, 2000),
    wanted=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 30)), max_size=40),
)
def test_it_is_a_dictionary_until_it_is_full(capacity, wanted):
    cache, model, used = SharedCache(capacity), {}, END.size
    for key, count in wanted:
        made = []
        found = cache.get(bytes([key]), lambda: made.append(count) or floats(key, count))  # noqa: B023
        assert found.tolist() == [key] * model.get(key, count)
        assert bool(made) == (key not in model)
        size = ENTRY.size + 8 * count
        if key not in model and used + size <= capacity:
            model[key], used = count, used + size


def test_processes_that_add_at_the_same_time_read_what_was_written():
    cache, made = SharedCache(2**22), []

    def work():
        dice = np.random.default_rng(os.getpid())
        for key in dice.integers(500, size=5000).tolist():
            found = cache.get(b"%d" % key, lambda key=key: made.append(key) or floats(key, key))
            assert found.tolist() == [key] * key

    children = [multiprocessing.get_context("fork").Process(target=work) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0] * 4
    work()
    assert len(made) < 50  # of 500: the children have made nearly all


def test_threads_read_what_was_written(monkeypatch):
    cache, problems = SharedCache(2**22), []
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work(number):
        try:
            for key in np.random.default_rng(number).permutation(2000).tolist():
                if cache.get(b"%d" % key, lambda key=key: floats(key, 1 + key % 50)).tolist() != [key] * (1 + key % 50):
                    problems.append(key)
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert problems == []


def test_a_process_that_is_killed_while_it_adds_stops_only_the_sharing():
    cache = SharedCache(ROOM)

    class Deadly(np.ndarray):
        def tobytes(self, order="C"):
            os.kill(os.getpid(), signal.SIGKILL)

    for make in (lambda: floats(1), nothing):
        assert cache.get(b"before", make)[0] == 1
    killed = in_child(lambda: cache.get(b"key", lambda: floats(2).view(Deadly)))
    assert killed == -signal.SIGKILL
    assert cache.get(b"before", nothing)[0] == 1
    for number in (3, 4):
        assert cache.get(b"key", lambda number=number: floats(number))[0] == number
