"""Control groups (cgroup v2): the kernel counts a program's memory and processes, and can end them all together.

Only the group that this process may use is changed. Mounts, groups of other programs, and controllers outside a
delegated group stay as they are. If the kernel cannot count something because a group or a controller is missing, the
supervisor counts it.
"""

import contextlib
import os
import re
import time
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wordle_kit.sandbox.limits import MEBIBYTE, Limits
from wordle_kit.temporary import PREFIX, is_dead, owner_name

WANTED = frozenset({"memory", "pids", "cpu"})

OWN = f"{PREFIX}itself"
"""The group to which this process moves. A group that contains processes cannot pass on controllers."""

DELEGATED = ("user.delegate", "trusted.delegate")
"""Attributes with which systemd marks a group that belongs to the programs in it."""

SHARE = 50
"""The weight of a program's share of processor time. The weight of this process is 100."""

SECONDS_TO_END = 2.0
"""The seconds to wait until killed processes have ended."""


@dataclass(frozen=True)
class Home:
    """The parent of the programs' control groups, and the controllers that it passes on to them."""

    folder: Path
    controllers: frozenset[str]


class ControlGroup:
    """The control group of a program. The program joins it through the descriptor `entrance`."""

    def __init__(self, home: Home, limits: Limits) -> None:
        """Create the group. Raises OSError if the system does not allow it."""
        self.folder = home.folder / f"{PREFIX}{owner_name()}-{uuid.uuid4().hex}"
        self.folder.mkdir()
        try:
            for name, value in _settings(home.controllers, limits).items():
                if (self.folder / name).exists():  # some kernels lack some files
                    (self.folder / name).write_text(value)
            # Opened now, since the namespace of a sandbox may not allow it later.
            self.entrance = os.open(self.folder / "cgroup.procs", os.O_WRONLY)
        except BaseException:
            self.folder.rmdir()
            raise

    @property
    def used_up_memory(self) -> bool:
        """Whether the kernel ended the program because it used too much memory.

        It is false if the kernel ended it because the machine had no memory left.
        """
        events = self.folder / "memory.events"
        return _count(events, "oom_kill") > 0 and _count(events, "oom") > 0

    @property
    def used_up_processes(self) -> bool:
        """Whether the kernel refused the program a process or thread because it had too many."""
        return _count(self.folder / "pids.events", "max") > 0

    def end(self) -> None:
        """End all processes in the group."""
        _end(self.folder)

    def remove(self) -> None:
        """End all processes in the group and remove the group."""
        if self.entrance >= 0:
            os.close(self.entrance)
            self.entrance = -1
            _remove(self.folder)


def memory_warning() -> str | None:
    """Return a line that says how memory is counted, or None if a control group counts it."""
    home = _home()
    if home is not None and "memory" in home.controllers:
        return None
    return "no control group for memory, so less is stopped: it is counted five times a second"


def new_group(limits: Limits) -> ControlGroup | None:
    """Return a new control group for a program, or None if the system does not allow it."""
    home = _home()
    if home is not None:
        with contextlib.suppress(OSError):  # it is full or not ours any more: then only the supervisor counts
            return ControlGroup(home, limits)
    return None


@cache
def _home() -> Home | None:
    """Return where this process creates groups, after removing the groups that dead processes left there."""
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
    """Return the group in which to create groups, or None. The arguments are texts of /proc: `mountinfo` and `cgroup`.

    Of the process's group and the groups above it, it is the nearest that passes on the most controllers. If a group
    was delegated to this process, it is set up first.
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
    """Return the mount point of cgroup v2, and the folder of this process's group in it, or None."""
    path = next((line[3:] for line in membership.splitlines() if line.startswith("0::/")), None)
    if path is None or "/.." in path:  # outside the part that is visible here
        return None
    for line in mounts.splitlines():
        fields, _, kind = line.partition(" - ")
        root, place = (re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), text) for text in fields.split()[3:5])
        if kind.split()[0] == "cgroup2" and Path(path).is_relative_to(root):
            return Path(place), Path(place) / Path(path).relative_to(root)
    return None


def _is_ours(folder: Path) -> bool:
    """Return whether this process may create groups in a folder, and move processes into them and back."""
    files = ("", "cgroup.procs", "cgroup.subtree_control")
    return all(os.access(folder / name, os.W_OK) for name in files)  # also false on a read-only file system


def _is_delegated(group: Path) -> bool:
    for name in DELEGATED:
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _set_up(group: Path) -> None:
    """Move the processes of a delegated group into a new group inside it, and pass on its controllers."""
    wanted = WANTED & _words(group / "cgroup.controllers") - _words(group / "cgroup.subtree_control")
    if not wanted:
        return
    with contextlib.suppress(OSError):  # if others create groups there too, it stays unchanged
        own = group / OWN
        own.mkdir(exist_ok=True)
        for _ in range(10):  # others may start meanwhile
            processes = (group / "cgroup.procs").read_text().split()
            if not processes:
                break
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    (own / "cgroup.procs").write_text(process)
        (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(wanted)))


def _settings(controllers: frozenset[str], limits: Limits) -> dict[str, str]:
    """Return the text for each file of a group."""
    settings = {}
    if "memory" in controllers:
        # The kernel counts files in the sandbox's folder as memory, so the limit for files is added.
        settings["memory.max"] = str((limits.memory + limits.written) * MEBIBYTE)
        settings |= {"memory.swap.max": "0", "memory.oom.group": "1"}
    if "pids" in controllers:
        settings["pids.max"] = str(limits.processes)
    if "cpu" in controllers:
        settings["cpu.weight"] = str(SHARE)
    return settings


def _words(file: Path) -> frozenset[str]:
    with contextlib.suppress(OSError):
        return frozenset(file.read_text().split())
    return frozenset()


def _count(file: Path, name: str) -> int:
    """Return how often an event occurred, from a file that counts events; 0 if there is none."""
    with contextlib.suppress(OSError):
        for line in file.read_text().splitlines():
            event, _, count = line.partition(" ")
            if event == name:
                return int(count)
    return 0


def _end(folder: Path) -> None:
    with contextlib.suppress(OSError):  # kernels before 5.14 cannot do this; the supervisor does it
        if (folder / "cgroup.kill").exists():
            (folder / "cgroup.kill").write_text("1")


def _remove(folder: Path) -> None:
    """End all processes in a group, and remove the group when the last process has ended."""
    _end(folder)
    end = time.monotonic() + SECONDS_TO_END
    while time.monotonic() < end and _count(folder / "cgroup.events", "populated"):
        time.sleep(0.002)
    with contextlib.suppress(OSError):  # it has been removed, or the next process will remove it
        folder.rmdir()
