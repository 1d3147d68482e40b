"""The files that students handed in, or the reasons why they cannot be graded. No student's code runs here."""

import os
import stat
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO

import wordle_kit as wk
from wordle_kit.texts import one_line

CODE = (".py", ".ipynb")
HIDDEN = (".", "__")
"""The prefixes of the names of files and folders that are ignored."""

WANTED = "a submission is a .py file, a notebook, or a folder or zip with one of them"

LARGEST = 2_000_000
"""The maximum number of bytes in a code file, and in all code files of a folder or zip."""

MOST_FILES = 1000
"""The maximum number of files that are examined in a folder or zip."""


@dataclass(frozen=True)
class Submission:
    """What a student handed in: the name and bytes of its file, or why it cannot be graded."""

    name: str
    """The student's name, which is the name of the file or folder without its suffix."""
    file: str = ""
    code: bytes = b""
    problem: str = ""

    @property
    def is_notebook(self) -> bool:
        """Whether it is a notebook."""
        return self.file.lower().endswith(".ipynb")


class _UnusableError(Exception):
    """Raised for an entry that cannot be graded, with the reason for the student."""


def collect(folder: Path) -> list[Submission]:
    """Return the submissions in a folder, where each file, folder or zip belongs to one student.

    Hidden files are ignored. Raises WordleKitError if the folder cannot be read or has no submissions.
    """
    try:
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith(HIDDEN))
    except OSError as error:
        raise wk.WordleKitError(f"{folder}: cannot be read: {error.strerror or error}") from error
    if not entries:
        raise wk.WordleKitError(f"{folder}: has no submissions; {WANTED}")
    found = [collect_one(entry) for entry in entries]
    counts = Counter(one.name.casefold() for one in found)
    twice = "two entries have this name; keep one of them"
    return [one if counts[one.name.casefold()] == 1 else Submission(one.name, problem=twice) for one in found]


def collect_one(entry: Path) -> Submission:
    """Return the submission in a file, a folder or a zip."""
    name = one_line(entry.resolve().name if entry.is_dir() else entry.stem)
    try:
        files = _files(entry)
        if len(files) > 1:
            files = {file: code for file, code in files.items() if b"Strategy" in code}
        if len(files) != 1:
            listed = one_line(", ".join(sorted(files)), 200)
            raise _UnusableError(
                f"{len(files)} of its files have a strategy, {listed}; hand in one" if files else WANTED
            )
        ((file, code),) = files.items()
    except _UnusableError as why:
        return Submission(name, problem=one_line(str(why), 400))
    except OSError as error:
        return Submission(name, problem=f"cannot be read: {error.strerror or error}")
    return Submission(name, one_line(file), code)


def _files(entry: Path) -> dict[str, bytes]:
    """Return the bytes of each code file in an entry, by file name."""
    if entry.is_symlink():
        raise _UnusableError("it is a link; hand in the file itself")
    if entry.is_dir():
        return _read({name: partial(_open, entry / name) for name in _code_in(_names(entry))})
    if entry.suffix.lower() == ".zip":
        try:
            with _open(entry) as file, zipfile.ZipFile(file) as archive:
                return _read({name: partial(archive.open, name) for name in _code_in(archive.namelist())})
        except (_UnusableError, OSError):
            raise
        except Exception as error:  # zipfile raises many kinds of errors for malformed files
            raise _UnusableError(f"the zip cannot be unpacked: {one_line(str(error), 200)}") from error
    if entry.suffix.lower() in CODE:
        return _read({entry.name: partial(_open, entry)})
    raise _UnusableError(WANTED)


def _names(folder: Path) -> Iterator[str]:
    """Yield the names of the files in a folder and its subfolders, except hidden folders."""
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(HIDDEN)]
        yield from (Path(here, name).relative_to(folder).as_posix() for name in files)


def _code_in(names: Iterable[str]) -> list[str]:
    """Return, in order, the names of files that may be the one to grade."""
    listed = list(islice(names, MOST_FILES + 1))
    if len(listed) > MOST_FILES:
        raise _UnusableError(f"it has more than {MOST_FILES:,} files; hand in one file")
    return [name for name in sorted(listed) if _may_count(PurePosixPath(name.replace("\\", "/")))]


def _may_count(path: PurePosixPath) -> bool:
    """Return whether a file may be the one to grade: code that is neither hidden nor a test."""
    hidden = any(part.startswith(HIDDEN) for part in path.parts)
    return path.suffix.lower() in CODE and not hidden and not path.name.startswith("test_")


def _read(files: Mapping[str, Callable[[], IO[bytes]]]) -> dict[str, bytes]:
    """Return the bytes of each file, given functions that open them."""
    codes, left = {}, LARGEST
    for name, opened in files.items():
        with opened() as file:
            codes[name] = file.read(left + 1)
        left -= len(codes[name])
        if left < 0:
            raise _UnusableError(f"it has more than {LARGEST:,} bytes of code; hand in one file")
    return codes


def _open(path: Path) -> IO[bytes]:
    """Open a regular file. Links and pipes are refused."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise _UnusableError(f"{path.name} is not a file")
    return path.open("rb")
