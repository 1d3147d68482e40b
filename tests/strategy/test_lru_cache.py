"""The cache, compared with a plain model of it: the entries it keeps, and those it drops."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordle_kit.strategy.lru_cache import ENTRY, LRUCache

KIB = 1024


def array(size):
    """Return a function that makes an array of this many bytes."""
    return lambda: np.full(size, size % 100, dtype=np.uint8)


def nothing():
    raise AssertionError("asked for what should be kept")


@settings(deadline=None)
@given(capacity=st.integers(0, 20 * KIB), sizes=st.lists(st.sampled_from([0, 1, 100, 1000, 3000, 8000, 30000])))
def test_it_keeps_the_entries_used_last(capacity, sizes):
    cache, model = LRUCache(capacity), {}
    for size in sizes:  # which is its key as well
        made = []
        found = cache.get(size, lambda size=size, made=made: made.append(size) or array(size)())
        assert made == ([] if size in model else [size])
        assert found.tolist() == array(size)().tolist()
        model.pop(size, None)
        model[size] = ENTRY + size
        while sum(model.values()) > capacity and len(model) > 1:
            del model[next(iter(model))]
        assert (len(cache), cache.nbytes) == (len(model), sum(model.values()))
        assert cache.nbytes <= capacity or len(cache) == 1


def test_a_result_comes_back_as_the_same_array():
    cache = LRUCache(KIB)
    first = cache.get("key", array(10))
    assert cache.get("key", nothing) is first


def test_the_least_recently_used_entry_is_dropped():
    cache = LRUCache(2 * (ENTRY + 100))
    for key in ("a", "b", "a", "c"):
        cache.get(key, array(100))
    cache.get("a", nothing)
    cache.get("c", nothing)
    with pytest.raises(AssertionError, match="should be kept"):
        cache.get("b", nothing)


def test_arrays_are_read_only_from_the_first_time_on():
    cache = LRUCache(KIB)
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            cache.get("key", array(10))[0] = 7


def test_a_result_larger_than_the_limit_is_still_returned():
    cache = LRUCache(0)
    for size in (1000, 2000):
        assert cache.get(size, array(size)).nbytes == size
        assert len(cache) == 1


def test_nothing_is_kept_if_it_cannot_be_made():
    cache = LRUCache(KIB)
    with pytest.raises(AssertionError, match="should be kept"):
        cache.get("key", nothing)
    assert (len(cache), cache.nbytes) == (0, 0)
    assert len(cache.get("key", array(10))) == 10


def test_two_threads_that_make_the_same_count_it_once():
    cache, together = LRUCache(10**6), threading.Barrier(5)

    def make():
        together.wait()
        return np.zeros(1000)

    threads = [threading.Thread(target=cache.get, args=("key", make)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(cache), cache.nbytes) == (1, 8500)
