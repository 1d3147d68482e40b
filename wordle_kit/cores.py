"""The number of processor cores that the engine may use."""

import math
import multiprocessing
import os
from pathlib import Path

_one_core = False
"""Whether this process was told to use only one core."""


def cores() -> int:
    """Return the number of processor cores that a computation of the engine may use. It is 1 in a worker process."""
    return 1 if _one_core or multiprocessing.parent_process() is not None else available_cores()


def use_one_core() -> None:
    """Let each computation of the engine in this process use only one core."""
    global _one_core
    _one_core = True


def available_cores(root: Path = Path("/")) -> int:
    """Return the number of cores that this process may use, at least 1.

    It is the number of cores on which the process may run, or fewer if its control group limits its processor time.
    `root` is the folder that contains `proc` and `sys`.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        group = (root / "proc/self/cgroup").read_text().rpartition(":")[2].strip("/\n")
        quota, period = (root / "sys/fs/cgroup" / group / "cpu.max").read_text().split()
        return max(1, min(allowed, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # there are no control groups, or the quota is "max"
        return allowed
