"""Unused users for programs that root runs: no two processes on a machine have the same one."""

import fcntl
import os
import pwd
import random
import struct
import tempfile
from pathlib import Path

from wordle_kit.errors import MachineError

FIRST, COUNT = 20_000, 40_000
"""The range of the users' numbers."""

LOCKS = "wordle-kit-users"
"""The file whose byte n is locked while any process uses the user FIRST + n. It is always empty."""

FOLDERS = (Path("/run"), Path("/var/lock"), Path(tempfile.gettempdir()))


def claim_user() -> tuple[int, int]:
    """Reserve a user without processes. Return its number, and a descriptor that keeps it reserved until it is closed.

    A process that inherits the descriptor keeps the reservation too, which ends with the last of
    these processes, however they end.
    """
    descriptor = _open_locks()
    try:
        busy = {entry.pw_uid for entry in pwd.getpwall()} | _users_with_processes()
        start = random.randrange(COUNT)
        for number in range(COUNT):
            place = (start + number) % COUNT
            # Checked again after locking, since a process of another command may have started in between.
            if FIRST + place not in busy and _try_lock(descriptor, place):
                if FIRST + place not in _users_with_processes():
                    return FIRST + place, descriptor
                _unlock(descriptor, place)
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    raise MachineError(f"all users from {FIRST} to {FIRST + COUNT - 1} have processes; end some")


def _open_locks() -> int:
    """Open the file with the locks, which only root can open, and return a new descriptor."""
    problem = ""
    for folder in FOLDERS:
        path = folder / LOCKS
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            problem = problem or f"{path}: {error.strerror}"
            continue
        if os.fstat(descriptor).st_uid == os.getuid() and not os.fstat(descriptor).st_mode & 0o077:
            return descriptor
        os.close(descriptor)
        problem = problem or f"{path}: other users can open it; remove it"
    raise MachineError(f"there is no file for reserving users: {problem}")


def _try_lock(descriptor: int, place: int) -> bool:
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _lock(fcntl.F_WRLCK, place))
    except (BlockingIOError, PermissionError):  # another process has it
        return False
    return True


def _unlock(descriptor: int, place: int) -> None:
    fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _lock(fcntl.F_UNLCK, place))


def _lock(kind: int, place: int) -> bytes:
    """Return a `struct flock` of one byte: type, whence, start, length, process."""
    return struct.pack("@hhqqi0q", kind, os.SEEK_SET, place, 1, 0)


def _users_with_processes() -> set[int]:
    """Return the real and effective users of all visible processes."""
    found: set[int] = set()
    for name in os.listdir("/proc"):  # noqa: PTH208 - names are all it takes
        if name.isdigit():
            try:
                status = Path(f"/proc/{name}/status").read_text(errors="replace")
            except OSError:  # it has just ended
                continue
            found |= set(map(int, status.partition("\nUid:")[2].partition("\n")[0].split()))
    return found
