"""Temporary folders, named after the process that made them so that those of dead processes can be removed."""

import contextlib
import os
import stat
import tempfile
import uuid
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from wordle_kit.removal import remove

PREFIX = "wordle-kit-"

STRANGERS = range(20_000, 60_000)
"""The user numbers that root lends to isolated programs, whose folders root has to remove."""


def owner_name() -> str:
    """Return a name for this process that no other process ever has, or an empty text if there is no /proc."""
    started = _started(os.getpid())
    return "" if started is None else f"{_system()}-{os.getpid()}-{started}"


def is_dead(owner: str) -> bool:
    """Return whether the process with this name has certainly ended. Processes of other systems count as alive."""
    system, _, process = owner.partition("-")
    number, _, started = process.partition("-")
    if not number.isdigit() or not started or system != _system():
        return False
    return _started(int(number)) != started


def new_folder_name() -> str:
    """Remove the folders of dead processes, and return a name for a new temporary folder of this one."""
    _remove_leftovers(tempfile.gettempdir())
    owner = owner_name()
    return f"{PREFIX}{owner}{'-' if owner else ''}{uuid.uuid4().hex}"


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder that only this user can read, for the length of a `with` block."""
    folder = Path(tempfile.gettempdir(), new_folder_name())
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        remove(folder)


@cache
def _remove_leftovers(place: str) -> None:
    """Remove the folders of this user's dead processes, once for each process and place."""
    for folder in Path(place).glob(f"{PREFIX}*-*-*-*"):
        owner = folder.name.removeprefix(PREFIX).rpartition("-")[0]
        with contextlib.suppress(OSError):  # another process removes it too
            if is_dead(owner) and _is_mine(folder.lstat()):
                remove(folder)


def _is_mine(facts: os.stat_result) -> bool:
    mine = facts.st_uid == os.geteuid() or (os.geteuid() == 0 and facts.st_uid in STRANGERS)
    return stat.S_ISDIR(facts.st_mode) and mine


@cache
def _system() -> str:
    """Return a text for this boot of this machine and container, outside which process numbers mean nothing."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip().replace("-", "")
        namespace = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116 - not the link
    except OSError:
        return "unknown"
    return f"{boot[:16]}{namespace:x}"


def _started(process: int) -> str | None:
    """Return the start time of a process, in ticks since the system started, or None if there is no such process."""
    try:
        facts = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return None
    state, *rest = facts.rpartition(")")[2].split()
    return None if state in "ZX" else rest[18]
