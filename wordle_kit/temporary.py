"""Temporary folders: creates them, and removes them with everything in them, whatever their depth and permissions.

A folder is named after the process that created it, so that the folders of dead processes can be removed.

The supervisor of isolated programs runs this file as a script, so it imports only the standard library.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PREFIX = "wordle-kit-"

STRANGERS = range(20_000, 60_000)
"""The user numbers that root gives to isolated programs. Root has to remove the folders of these users."""

OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def owner_name() -> str:
    """Return a name for this process that no other process ever gets, or an empty text if there is no /proc."""
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
    """Remove the folders of dead processes, and return the name for a new temporary folder of this process."""
    _remove_leftovers(tempfile.gettempdir())
    owner = owner_name()
    return f"{PREFIX}{owner}{'-' if owner else ''}{os.urandom(16).hex()}"


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Create a folder that only this user can read, for the length of a `with` block."""
    folder = Path(tempfile.gettempdir(), new_folder_name())
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        remove(folder)


def remove(top: Path) -> None:
    """Remove a folder and everything in it, except entries that cannot be removed.

    It never follows links and never has more than two folders open. So it can remove very long paths and thousands of
    nested folders. The time is proportional to the number of entries.
    """
    with contextlib.suppress(OSError):
        here = _open(str(top))
        try:
            _empty(here)
        finally:
            os.close(here)
        top.rmdir()


@cache
def _remove_leftovers(place: str) -> None:
    """Remove the folders of this user's dead processes. This is done once for each process and place."""
    for folder in Path(place).glob(f"{PREFIX}*-*-*-*"):
        owner = folder.name.removeprefix(PREFIX).rpartition("-")[0]
        with contextlib.suppress(OSError):  # another process is removing it too
            if is_dead(owner) and _is_mine(folder.lstat()):
                remove(folder)


def _is_mine(facts: os.stat_result) -> bool:
    mine = facts.st_uid == os.geteuid() or (os.geteuid() == 0 and facts.st_uid in STRANGERS)
    return stat.S_ISDIR(facts.st_mode) and mine


@cache
def _system() -> str:
    """Return a text for this boot of this machine or container. Process numbers mean nothing outside of it."""
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


def _open(name: str, above: int | None = None) -> int:
    """Open a folder, by its name in the open folder `above`, and allow its owner to empty it.

    All changes go through the descriptor, since another process may meanwhile replace the name by a link.
    """
    try:
        folder = os.open(name, OPEN, dir_fd=above)
    except PermissionError:
        folder = _open_forbidden(name, above)
    with contextlib.suppress(PermissionError):  # another user's: only root can empty it, without permission
        os.fchmod(folder, 0o700)
    return folder


def _open_forbidden(name: str, above: int | None) -> int:
    """Open a folder that belongs to this user but that this user may not read."""
    handle = os.open(name, OPEN | getattr(os, "O_PATH", 0), dir_fd=above)  # O_PATH needs no permission
    try:
        Path(f"/proc/self/fd/{handle}").chmod(0o700)  # fchmod() does not accept this descriptor
        return os.open(".", OPEN, dir_fd=handle)
    finally:
        os.close(handle)


def _empty(top: int) -> None:
    """Remove the contents of an open folder. Go down into each folder, and go up through `..` when it is empty."""
    here = os.dup(top)
    above: list[tuple[str, tuple[int, int], list[str]]] = []
    """For each folder on the way: its name, its identity, and the folders in it that are still to be emptied."""
    left = _folders_in(here)
    try:
        while True:
            if left:
                name = left.pop()
                with contextlib.suppress(OSError):
                    below = _open(name, here)
                    above.append((name, _identity(here), left))
                    os.close(here)
                    here = below
                    left = _folders_in(here)
            elif above:
                name, identity, left = above.pop()
                upper = os.open("..", OPEN, dir_fd=here)
                os.close(here)
                here = upper
                if _identity(here) != identity:
                    return  # the folder has been moved meanwhile
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=here)
            else:
                return
    finally:
        os.close(here)


def _folders_in(folder: int) -> list[str]:
    """Remove the files in an open folder, and return the names of the folders in it."""
    names = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.name, dir_fd=folder)
    return names


def _identity(folder: int) -> tuple[int, int]:
    facts = os.fstat(folder)
    return facts.st_dev, facts.st_ino
