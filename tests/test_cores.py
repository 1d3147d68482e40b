"""The cores that this process may use: those that it may run on, and what control groups leave of them."""

import os
import subprocess
import sys

import pytest

from wordle_kit.pool import available_cores


@pytest.fixture(autouse=True)
def sixteen_cores(monkeypatch):
    """Have this process run on 16 cores."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(16)), raising=False)


def system(folder, **files):
    """Return a folder with these files."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def version_2(folder, group, **limits):
    """Return a system with control groups of version 2, in which this process belongs to `group`."""
    files = {f"sys/fs/cgroup{path}/cpu.max": text for path, text in limits.items()}
    return system(folder, **{"proc/self/cgroup": f"0::{group}\n", **files})


def test_without_control_groups_all_cores_that_the_process_may_run_on_count(tmp_path):
    assert available_cores(tmp_path) == 16


def test_the_number_of_cores_counts_where_no_affinity_is_known(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert available_cores(tmp_path) == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert available_cores(tmp_path) == 1


@pytest.mark.parametrize(
    ("limit", "count"),
    [
        ("max 100000\n", 16),
        ("200000 100000\n", 2),
        ("150000 100000\n", 2),
        ("10000 100000\n", 1),
        ("6400000 100000\n", 16),
        ("50000 25000\n", 2),
    ],
)
def test_a_group_of_version_2_limits_the_cores(tmp_path, limit, count):
    assert available_cores(version_2(tmp_path, "/mine", **{"/mine": limit})) == count


COUNTED = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from concurrent.futures import Future
from wordle_kit import api, pool
from wordle_kit.tournaments import runner
from wordle_kit.pool import Pool

started = []
class Counted(Pool):
    def __init__(self, count, *arguments, **options):
        started.append(count)
        super().__init__(count, *arguments, **options)
runner.Pool = Counted
game = {"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"}
api.tournament(game, ["first-consistent"])
print(pool.cores(), started)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a process that may run on some cores only")
def test_a_tournament_starts_a_worker_for_each_core_that_the_process_may_run_on():
    ran = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, check=True)
    assert ran.stdout == "1 [1]\n"
