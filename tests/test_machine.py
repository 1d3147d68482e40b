"""The cores that this process may use: those that it may run on, and what control groups leave of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wordle_kit import machine
from wordle_kit.machine import available_cores


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


def test_the_lowest_limit_of_the_group_and_those_that_contain_it_counts(tmp_path):
    limits = {"/a": "300000 100000", "/a/b": "max 100000", "/a/b/c": "800000 100000", "/other": "100000 100000"}
    assert available_cores(version_2(tmp_path, "/a/b/c", **limits)) == 3


def test_in_a_container_the_limit_is_in_the_folder_that_it_sees(tmp_path):
    assert available_cores(version_2(tmp_path, "/", **{"": "400000 100000"})) == 4
    assert available_cores(version_2(tmp_path, "/../outside", **{"": "400000 100000"})) == 4


@pytest.mark.parametrize("mount", ["cpu", "cpu,cpuacct"])
@pytest.mark.parametrize(("quota", "count"), [("-1", 16), ("250000", 3), ("1000", 1)])
def test_a_group_of_version_1_limits_the_cores(tmp_path, mount, quota, count):
    group = f"sys/fs/cgroup/{mount}/docker/abc"
    files = {f"{group}/cpu.cfs_quota_us": f"{quota}\n", f"{group}/cpu.cfs_period_us": "100000\n"}
    membership = f"9:memory:/docker/other\n2:{mount}:/docker/abc\n1:name=systemd:/\n0::/\n"
    assert available_cores(system(tmp_path, **{"proc/self/cgroup": membership, **files})) == count


def test_in_a_container_of_version_1_the_limit_is_in_the_folder_that_it_sees(tmp_path):
    files = {"cpu.cfs_quota_us": "200000\n", "cpu.cfs_period_us": "100000\n"}
    groups = {f"sys/fs/cgroup/cpu/{name}": text for name, text in files.items()}
    assert available_cores(system(tmp_path, **{"proc/self/cgroup": "2:cpu:/docker/abc\n", **groups})) == 2


COUNTED = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from concurrent.futures import Future
from wordle_kit import machine, api
from wordle_kit.tournaments import runner
from wordle_kit.workers import Workers

started = []
class Counted(Workers):
    def __init__(self, count, *arguments, **options):
        started.append(count)
        super().__init__(count, *arguments, **options)
runner.Workers = Counted
game = {"name": "letters", "alphabet": "abcdef", "length": 4, "answers": "all"}
api.tournament(game, ["first-consistent"])
print(machine.cores(), started)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a process that may run on some cores only")
def test_a_tournament_starts_a_worker_for_each_core_that_the_process_may_run_on():
    ran = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, check=True)
    assert ran.stdout == "1 [1]\n"


def test_no_other_module_counts_cores():
    modules = [path for path in Path(machine.__file__).parent.rglob("*.py") if path.name != "machine.py"]
    texts = {path.name: path.read_text(encoding="utf-8") for path in modules}
    assert [name for name, text in texts.items() if "cpu_count" in text or "sched_getaffinity" in text] == []
