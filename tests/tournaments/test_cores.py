"""The cores that this process may use: those that it may run on, and what control groups leave of them."""

import os

import pytest

from wordle_kit.tournaments.pool import available_cores


def test_the_number_of_cores_counts_where_no_affinity_is_known(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for count, available in ((5, 5), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert available_cores(tmp_path) == available


@pytest.mark.parametrize(
    ("limit", "count"),
    [
        (None, 16),
        ("max 100000\n", 16),
        ("200000 100000\n", 2),
        ("150000 100000\n", 2),
        ("10000 100000\n", 1),
        ("6400000 100000\n", 16),
        ("50000 25000\n", 2),
    ],
)
def test_a_control_group_limits_the_cores_that_the_process_may_run_on(tmp_path, monkeypatch, limit, count):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(16)), raising=False)
    if limit is not None:
        for name, text in (("proc/self/cgroup", "0::/mine\n"), ("sys/fs/cgroup/mine/cpu.max", limit)):
            (tmp_path / name).parent.mkdir(parents=True)
            (tmp_path / name).write_text(text)
    assert available_cores(tmp_path) == count
