"""The number of processor cores that this process may use."""

import math
import os
from collections.abc import Iterator
from pathlib import Path

V1_MOUNTS = ("cpu", "cpu,cpuacct", "cpuacct,cpu")
"""The folders where systems mount the controller of processor time of cgroup version 1."""


def available_cores(root: Path = Path("/")) -> int:
    """Return the number of cores that this process may use, at least 1.

    It is the number of cores that the process may run on, or less if its control groups limit its processor time.
    `root` is the folder that contains `proc` and `sys`.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([allowed, *map(math.ceil, _limits(root))]))


def _limits(root: Path) -> Iterator[float]:
    """Yield the limits of the process's control groups and of those that contain them, in cores."""
    mounts = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            for folder in _group_and_parents(mounts, path):
                quota, _, period = _text(folder / "cpu.max").partition(" ")
                if quota.isdigit():  # otherwise it is "max"
                    yield int(quota) / int(period)
        elif "cpu" in controllers.split(","):
            for folder in (each for mount in V1_MOUNTS for each in _group_and_parents(mounts / mount, path)):
                quota = _text(folder / "cpu.cfs_quota_us").strip()
                if quota.isdigit():  # otherwise it is -1
                    yield int(quota) / int(_text(folder / "cpu.cfs_period_us"))


def _group_and_parents(mount: Path, path: str) -> list[Path]:
    """Return the folders of a group and of those that contain it; in a container, some of them cannot be seen."""
    group = mount / path.removeprefix("/")
    return [folder for folder in (group, *group.parents) if folder.is_relative_to(mount) and ".." not in folder.parts]


def _text(file: Path) -> str:
    """Return the text of a file, or an empty text if it cannot be read."""
    try:
        return file.read_text()
    except OSError:
        return ""
