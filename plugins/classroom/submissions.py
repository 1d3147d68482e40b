"""The files that students handed in: one for each student, or a reason why it cannot be graded. No code runs here."""

import io
import os
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wordle_kit.errors import WordleKitError
from wordle_kit.texts import line

CODE = (".py", ".ipynb")
WANTED = "a submission is a .py file, a notebook, or a folder or zip with one of them"

LARGEST = 2_000_000
"""The most bytes of a file with code, and the most of all code in a folder or zip."""

MOST_FILES = 1000
"""The most entries of a folder or zip that are looked at."""


@dataclass(frozen=True)
class Submission:
    """What a student handed in: the name of its file and the bytes of it, or why it cannot be graded."""

    name: str
    """The student: the name of the file or folder, without its ending."""
    file: str = ""
    code: bytes = b""
    problem: str = ""

    @property
    def is_notebook(self) -> bool:
        """Whether it is a notebook."""
        return self.file.lower().endswith(".ipynb")


class _UnusableError(Exception):
    """Raised for an entry that cannot be graded, with the reason for its student."""


def collect(folder: Path) -> list[Submission]:
    """Return the submissions in a folder: each file, folder or zip in it belongs to one student.

    Hidden files do not count. Raises WordleKitError if the folder cannot be read, or has no submission at all.
    """
    try:
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith((".", "__")))
    except OSError as error:
        raise WordleKitError(f"{folder}: cannot be read: {error.strerror or error}") from error
    if not entries:
        raise WordleKitError(f"{folder}: has no submissions; {WANTED}")
    found = [collect_one(entry) for entry in entries]
    counts = Counter(one.name.casefold() for one in found)
    twice = "two entries have this name; keep one of them"
    return [one if counts[one.name.casefold()] == 1 else Submission(one.name, problem=twice) for one in found]


def collect_one(entry: Path) -> Submission:
    """Return the submission in a file, a folder or a zip."""
    name = line(entry.resolve().name if entry.is_dir() else entry.stem)
    try:
        files = dict(_files(entry))
        if len(files) > 1:
            files = {file: code for file, code in files.items() if b"Strategy" in code}
        if len(files) != 1:
            listed = line(", ".join(sorted(files)), 200)
            raise _UnusableError(
                f"{len(files)} of its files have a strategy, {listed}; hand in one" if files else WANTED
            )
        ((file, code),) = files.items()
    except _UnusableError as why:
        return Submission(name, problem=line(str(why), 400))
    except OSError as error:
        return Submission(name, problem=f"cannot be read: {error.strerror or error}")
    return Submission(name, line(file), code)


def _files(entry: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file with code in an entry."""
    if entry.is_symlink():
        raise _UnusableError("it is a link; hand in the file itself")
    if entry.is_dir():
        yield from _in_folder(entry)
    elif entry.suffix.lower() == ".zip":
        yield from _in_zip(entry)
    elif entry.suffix.lower() in CODE:
        yield entry.name, _read(entry)
    else:
        raise _UnusableError(WANTED)


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    seen = size = 0
    for here, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        seen += len(folders) + len(files)
        if seen > MOST_FILES:
            raise _UnusableError(f"it has more than {MOST_FILES:,} files and folders; hand in one file")
        for name in sorted(files):
            if Path(name).suffix.lower() in CODE and not name.startswith((".", "__", "test_")):
                code = _read(Path(here, name))
                size += len(code)
                if size > LARGEST:
                    raise _UnusableError(f"its code has more than {LARGEST:,} bytes; hand in one file")
                yield Path(here, name).relative_to(folder).as_posix(), code


def _in_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(_read(path, 10 * LARGEST))) as archive:
            members = archive.infolist()
            if len(members) > MOST_FILES:
                raise _UnusableError(f"the zip has more than {MOST_FILES:,} files; hand in one file")
            size = 0
            for member in members:
                name = PurePosixPath(member.filename.replace("\\", "/"))
                is_code = name.suffix.lower() in CODE and not any(part.startswith((".", "__")) for part in name.parts)
                if is_code and not member.is_dir() and not name.name.startswith("test_"):
                    with archive.open(member) as file:
                        code = file.read(LARGEST - size + 1)
                    size += len(code)
                    if size > LARGEST:
                        raise _UnusableError(f"its code has more than {LARGEST:,} bytes; hand in one file")
                    yield name.as_posix(), code
    except (_UnusableError, OSError):
        raise
    except Exception as error:  # zipfile raises errors of many kinds for malformed files
        raise _UnusableError(f"the zip cannot be unpacked: {line(str(error), 200)}") from error


def _read(path: Path, longest: int = LARGEST) -> bytes:
    """Return the bytes of a regular file, but of no link or pipe, and not more than one too many."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise _UnusableError(f"{path.name} is not a file")
    with path.open("rb") as file:
        code = file.read(longest + 1)
    if len(code) > longest:
        raise _UnusableError(f"{path.name} has more than {longest:,} bytes")
    return code
