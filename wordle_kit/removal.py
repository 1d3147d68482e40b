"""Removes a folder with everything in it, however deep it is and whatever its permissions are.

The supervisor of isolated programs runs this file by itself, so it imports only the standard library.
"""

import contextlib
import os
from pathlib import Path

OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def remove(top: Path) -> None:
    """Remove a folder and everything in it, except entries that cannot be removed.

    It never follows a link and never holds more than two folders open, so it can remove very long paths and thousands
    of nested folders. The time is proportional to the number of entries.
    """
    with contextlib.suppress(OSError):
        here = _open(str(top))
        try:
            _empty(here)
        finally:
            os.close(here)
        top.rmdir()


def _open(name: str, above: int | None = None) -> int:
    """Open a folder, by its name in the open folder `above`, and make it one that its owner can empty.

    Whatever is done, is done to a descriptor: another process may put a link, or a hard link, under the name meanwhile.
    """
    try:
        folder = os.open(name, OPEN, dir_fd=above)
    except PermissionError:
        folder = _open_forbidden(name, above)
    with contextlib.suppress(PermissionError):  # another user's: nobody but root can empty it, who needs no permission
        os.fchmod(folder, 0o700)
    return folder


def _open_forbidden(name: str, above: int | None) -> int:
    """Open a folder of this user that this user may not read."""
    handle = os.open(name, OPEN | getattr(os, "O_PATH", 0), dir_fd=above)  # O_PATH needs no permission
    try:
        Path(f"/proc/self/fd/{handle}").chmod(0o700)  # fchmod() does not take such a descriptor
        return os.open(".", OPEN, dir_fd=handle)
    finally:
        os.close(handle)


def _empty(top: int) -> None:
    """Remove the contents of an open folder: go down into each folder, and up again through `..` when it is empty."""
    here = os.dup(top)
    above: list[
        tuple[str, tuple[int, int], list[str]]
    ] = []  # for each folder on the way: name, identity, remaining folders
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
    """Remove the files in an open folder, and return the names of its folders."""
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
