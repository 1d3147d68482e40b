"""Submissions: finds the one file of each student in what was handed in, without running any of it."""

import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wordle_kit.errors import WordleKitError

LARGEST = 2**20
"""Bytes of one file; no strategy is longer."""

LARGEST_ZIP = 50 * 2**20
"""Bytes of all that a zip holds, unpacked."""

MOST_FILES = 2000

LONGEST_NAME = 60
"""Letters of a student's name or a file's, of up to four bytes each, so that files can be named by them."""

REGISTERS = re.compile(rb"\bregister_strategies\b")


class Unusable(Exception):  # noqa: N818 - a result, not an error
    """Why there is nothing to grade in what a student handed in."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in: a file and its text, or why there is none."""

    student: str
    file: str = ""
    text: bytes = b""
    problem: str = ""

    @property
    def digest(self) -> str:
        """A hash of the file's name and text."""
        return hashlib.sha256(self.file.encode() + b"\0" + self.text).hexdigest()


def collect(path: Path) -> list[Submission]:
    """Return what is in a folder of submissions: each file, folder or zip in it is one student's.

    Raises WordleKitError where there are none, or two of one name.
    """
    if not path.is_dir():
        return [collect_one(path)]
    entries = [entry for entry in sorted(path.iterdir()) if not _is_noise(entry.name) and _may_be_one(entry)]
    if not entries:
        raise WordleKitError(f"{path}: no submissions are in it; a submission is a .py file, a folder or a .zip")
    found: dict[str, Path] = {}
    for entry in entries:
        other = found.setdefault(student_of(entry), entry)
        if other is not entry:
            raise WordleKitError(f"{path}: {other.name} and {entry.name} have one student's name; rename one")
    return [collect_one(entry, student) for student, entry in found.items()]


def collect_one(path: Path, student: str | None = None) -> Submission:
    """Return what one student handed in: a .py file, a folder or a zip. Raises WordleKitError for anything else."""
    if not path.exists():
        raise WordleKitError(f"{path}: there is no such submission")
    if not _may_be_one(path):
        raise WordleKitError(f"{path}: is neither a .py file nor a folder nor a .zip")
    student = student or student_of(path)
    try:
        if path.is_dir():
            files = dict(_in_folder(path))
        elif path.suffix == ".zip":
            files = dict(_in_zip(path))
        else:
            files = {path.name: _read(path)}
        name = _chosen(files)
        file = _nameable(PurePosixPath(name).name)
    except Unusable as why:
        return Submission(student, problem=str(why))
    except OSError as error:
        return Submission(student, problem=f"cannot be read: {error.strerror or error}")
    return Submission(student, file, files[name])


def student_of(path: Path) -> str:
    """Return the student's name: that of the file or folder, without what could mean something in a table or a path."""
    name = path.resolve().name if path.name in ("", "..") else path.name
    stem = name if path.is_dir() else Path(name).stem
    clean = re.sub(r"^[-+=@. ]", "_", re.sub(r"[^\w .@+,-]", "_", stem))
    if len(clean) > LONGEST_NAME:  # names that begin alike stay apart
        clean = f"{clean[: LONGEST_NAME - 9]}-{hashlib.sha256(stem.encode(errors='surrogateescape')).hexdigest()[:8]}"
    return clean


def _may_be_one(path: Path) -> bool:
    return path.is_dir() or path.suffix in (".py", ".zip")


def _is_noise(name: str) -> bool:
    return name.startswith((".", "__"))


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    files = sorted(path for path in folder.rglob("*.py") if not path.is_dir())
    if len(files) > MOST_FILES:
        raise Unusable(f"it has {len(files):,} files; hand in one")
    for path in files:
        name = path.relative_to(folder)
        if not any(map(_is_noise, name.parts)):
            if path.is_symlink() or not path.resolve().is_relative_to(folder.resolve()):
                raise Unusable(f"{name} is a link; hand in the file itself")
            yield name.as_posix(), _read(path)


def _read(path: Path) -> bytes:
    if path.is_symlink():
        raise Unusable(f"{path.name} is a link; hand in the file itself")
    if not path.is_file():
        raise Unusable(f"{path.name} is no file")
    with path.open("rb") as file:
        return _within_bounds(file.read(LARGEST + 1), path.name)


def _within_bounds(text: bytes, name: str) -> bytes:
    if len(text) > LARGEST:
        raise Unusable(f"{name} has more than {LARGEST:,} bytes")
    return text


def _in_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MOST_FILES or sum(member.file_size for member in members) > LARGEST_ZIP:
                raise Unusable(
                    f"the zip holds more than {MOST_FILES:,} files or {LARGEST_ZIP:,} bytes; hand in one file"
                )
            for member in members:
                name = PurePosixPath(member.filename.replace("\\", "/"))
                if name.is_absolute() or ".." in name.parts:
                    raise Unusable(f"the zip has a file outside of its folder, {member.filename[:100]!r}")
                if name.suffix == ".py" and not member.is_dir() and not any(map(_is_noise, name.parts)):
                    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                        raise Unusable(f"the zip cannot be unpacked: {name.name[:100]!r} is not packed in a usual way")
                    with archive.open(member) as file:
                        yield name.as_posix(), _within_bounds(file.read(LARGEST + 1), name.name)
    except (Unusable, OSError):
        raise
    except Exception as error:  # zipfile raises errors of many kinds for what somebody made up
        raise Unusable(f"the zip cannot be unpacked: {' '.join(str(error).split())[:200]}") from error


def _nameable(name: str) -> str:
    """Return a file's name, if it can be written to a page and to another folder."""
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise Unusable(f"the file's name, {name[:60]!a}, is too long or cannot be shown; hand it in with another")
    return name


def _chosen(files: dict[str, bytes]) -> str:
    """Return the one file that registers a strategy."""
    if not files:
        raise Unusable("there is no .py file in it")
    if len(files) == 1:
        return next(iter(files))
    registering = [
        name
        for name, text in files.items()
        if REGISTERS.search(text) and not PurePosixPath(name).name.startswith("test_")
    ]
    if not registering:
        raise Unusable(f"none of its files has register_strategies: {_listed(files)}")
    if len(registering) > 1:
        names = _listed(registering)
        raise Unusable(f"several files have register_strategies: {names}; hand in the one that counts")
    return registering[0]


def _listed(names: Iterable[str]) -> str:
    """Return names as they can be written to a page: a student may have chosen what a terminal obeys."""
    return ", ".join(name if name.isprintable() else ascii(name) for name in sorted(names))[:300]
