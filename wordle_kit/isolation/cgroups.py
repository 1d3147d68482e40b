"""Control groups (cgroup v2): the kernel counts the memory and processes of a program, and ends all of it at once.

Nothing of the system is changed but the group that this process may use: no mount, no group of others, no controller
switched on outside of a group that was delegated to this process. Where there is no such group, or it lacks a
controller, the supervisor's own counts stand alone.
"""

import contextlib
import os
import re
import time
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wordle_kit.isolation.limits import MEBIBYTE, Limits
from wordle_kit.temporary import PREFIX, is_dead, owner_name

WANTED = frozenset({"memory", "pids", "cpu"})

OWN = f"{PREFIX}itself"
"""The group that this process moves to, since a group with processes cannot pass controllers on."""

DELEGATED = ("user.delegate", "trusted.delegate")
"""Attributes by which systemd marks a group that belongs to the programs in it."""

SHARE = 50
"""The weight of a program's processor time, where that of the tournament is 100."""

PATIENCE = 2.0
"""Seconds that killed processes have to be gone."""


@dataclass(frozen=True)
class Home:
    """The group in which programs get groups of their own, and the controllers that these have."""

    folder: Path
    controllers: frozenset[str]


class Group:
    """The control group of a program, which joins it by the descriptor `entrance` and is ended with all it started."""

    def __init__(self, home: Home, limits: Limits) -> None:
        """Make the group. Raises OSError where the system does not let us."""
        self.folder = home.folder / f"{PREFIX}{owner_name()}-{uuid.uuid4().hex}"
        self.folder.mkdir()
        try:
            for name, value in _settings(home.controllers, limits).items():
                if (self.folder / name).exists():  # not all kernels have all
                    (self.folder / name).write_text(value)
            # Opened here, since a sandbox is in a namespace from which it may not be.
            self.entrance = os.open(self.folder / "cgroup.procs", os.O_WRONLY)
        except BaseException:
            self.folder.rmdir()
            raise

    @property
    def used_up_memory(self) -> bool:
        """Whether the kernel ended it because it used more memory than it may."""
        return _count(self.folder / "memory.events", "oom_kill") > 0

    @property
    def used_up_processes(self) -> bool:
        """Whether the kernel refused it a process or thread because it had as many as it may."""
        return _count(self.folder / "pids.events", "max") > 0

    def end(self) -> None:
        """End all processes in the group at once."""
        _end(self.folder)

    def remove(self) -> None:
        """End all processes in the group, and remove it."""
        if self.entrance >= 0:
            os.close(self.entrance)
            self.entrance = -1
            _remove(self.folder)


def new_group(limits: Limits) -> Group | None:
    """Return a new control group for a program, or None where the system lets us have none."""
    home = _home()
    if home is not None:
        with contextlib.suppress(OSError):  # it is no longer ours, or full: the supervisor's counts stand alone
            return Group(home, limits)
    return None


@cache
def _home() -> Home | None:
    """Return where this process makes groups; those that dead processes left there are removed first."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text()
        membership = Path("/proc/self/cgroup").read_text()
    except OSError:
        return None
    home = find_home(mounts, membership)
    if home is not None:
        remove_leftovers(home.folder)
    return home


def find_home(mounts: str, membership: str) -> Home | None:
    """Return the group to make groups in, by the texts of `mountinfo` and `cgroup` of /proc, or None.

    It is the nearest of the process's own group and those above it that passes on the most controllers. One that
    was delegated to this process is set up for it first.
    """
    own = _own_group(mounts, membership)
    if own is None:
        return None
    mount, group = own
    if _is_delegated(group) and _is_ours(group):
        _set_up(group)
    homes = [
        Home(folder, WANTED & _words(folder / "cgroup.subtree_control"))
        for folder in (group, *group.parents)
        if folder.is_relative_to(mount) and _is_ours(folder)
    ]
    return max(homes, key=lambda home: len(home.controllers - {"cpu"}), default=None)


def remove_leftovers(folder: Path) -> None:
    """End and remove the groups of dead processes."""
    for left in folder.glob(f"{PREFIX}*-*-*-*"):
        if is_dead(left.name.removeprefix(PREFIX).rpartition("-")[0]):
            _remove(left)


def _own_group(mounts: str, membership: str) -> tuple[Path, Path] | None:
    """Return where cgroup v2 is mounted, and the folder of this process's group in it."""
    path = next((line[3:] for line in membership.splitlines() if line.startswith("0::/")), None)
    if path is None or "/.." in path:  # it is outside of what can be seen here
        return None
    for line in mounts.splitlines():
        fields, _, kind = line.partition(" - ")
        root, place = (re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), text) for text in fields.split()[3:5])
        if kind.split()[0] == "cgroup2" and Path(path).is_relative_to(root):
            return Path(place), Path(place) / Path(path).relative_to(root)
    return None


def _is_ours(folder: Path) -> bool:
    """Return whether this process may make groups in a folder and move processes there and back."""
    files = ("", "cgroup.procs", "cgroup.subtree_control")
    return all(os.access(folder / name, os.W_OK) for name in files)  # not where the file system is read-only either


def _is_delegated(group: Path) -> bool:
    for name in DELEGATED:
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _set_up(group: Path) -> None:
    """Pass controllers on from a delegated group, having moved its processes to one of their own."""
    wanted = WANTED & _words(group / "cgroup.controllers") - _words(group / "cgroup.subtree_control")
    if not wanted:
        return
    with contextlib.suppress(OSError):  # others make groups there too: then it stays as it is
        own = group / OWN
        own.mkdir(exist_ok=True)
        for _ in range(10):  # some may be started meanwhile
            processes = (group / "cgroup.procs").read_text().split()
            if not processes:
                break
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    (own / "cgroup.procs").write_text(process)
        (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(wanted)))


def _settings(controllers: frozenset[str], limits: Limits) -> dict[str, str]:
    """Return what to write to which file of a group."""
    settings = {}
    if "memory" in controllers:
        # The kernel counts files in the sandbox's folder as memory, which have a limit of their own.
        settings["memory.max"] = str((limits.memory + limits.written) * MEBIBYTE)
        settings |= {"memory.swap.max": "0", "memory.oom.group": "1"}
    if "pids" in controllers:
        settings["pids.max"] = str(limits.processes)
    if "cpu" in controllers:
        settings["cpu.weight"] = str(SHARE)
    return settings


def _words(file: Path) -> frozenset[str]:
    try:
        return frozenset(file.read_text().split())
    except OSError:
        return frozenset()


def _count(file: Path, name: str) -> int:
    """Return how often something happened, by a file of events, or 0 where there is none."""
    with contextlib.suppress(OSError):
        for line in file.read_text().splitlines():
            event, _, count = line.partition(" ")
            if event == name:
                return int(count)
    return 0


def _end(folder: Path) -> None:
    with contextlib.suppress(OSError):  # kernels before 5.14 cannot, and the supervisor does it
        if (folder / "cgroup.kill").exists():
            (folder / "cgroup.kill").write_text("1")


def _remove(folder: Path) -> None:
    """End all in a group and remove it, as soon as the last process is gone."""
    _end(folder)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and _count(folder / "cgroup.events", "populated"):
        time.sleep(0.002)
    with contextlib.suppress(OSError):  # somebody else has removed it, or it goes with the next process's start
        folder.rmdir()
