"""Find the one file to grade in each student's submission, which may be a notebook, without running any code."""

import hashlib
import itertools
import json
import os
import re
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from wordle_kit.errors import WordleKitError
from wordle_kit.texts import line, plain

# Notebooks


REGISTERING_CELL = re.compile(r"^[ \t]*(async[ \t]+)?def[ \t]+register_strategies\b", re.MULTILINE)
IMPORTS = re.compile(r"^[ \t]*(import|from)[ \t]+wordle_kit\b", re.MULTILINE)
"""Only spaces and tabs may come first. Other white space would match all empty lines that follow, from each of them."""

MAGIC = re.compile(r"^(\s*)(%%?[A-Za-z]|!|\?\w|[\w.]+\?+\s*$)")
"""Lines that only a notebook understands; the last alternative is a query such as `Strategy?`."""

OTHER_LANGUAGE = re.compile(r"^\s*%%(?!time\b|timeit\b|capture\b|prun\b|writefile\s+\S+\.py\b)")
"""The beginning of a cell that is not Python."""


class Unusable(Exception):  # noqa: N818 - a result, not an error
    """Raised if there is nothing to grade in a student's submission, with the reason."""


def code_of(notebook: bytes) -> bytes:
    """Return the code of the one cell that registers a strategy, as a Python file.

    Unless that cell imports wordle_kit itself, the code cells before it come first. Lines that only a notebook
    understands are left out. Raises Unusable if there is no such cell, or more than one.
    """
    cells = _code_cells(notebook)
    registering = [number for number, cell in enumerate(cells) if REGISTERING_CELL.search(cell)]
    if not registering:
        raise Unusable("none of its code cells defines register_strategies")
    if len(registering) > 1:
        raise Unusable(f"{len(registering)} of its code cells define register_strategies; keep the one that counts")
    (number,) = registering
    first = number if IMPORTS.search(cells[number]) else 0
    return plain("\n\n".join(cells[first : number + 1]) + "\n").encode()


def _code_cells(notebook: bytes) -> list[str]:
    """Return the Python code of each code cell."""
    try:
        read = json.loads(notebook)
    except (ValueError, RecursionError) as error:
        raise Unusable("it is not a notebook") from error
    cells = read.get("cells") if isinstance(read, dict) else None
    if not isinstance(cells, list):
        raise Unusable("it is not a notebook of version 4")
    codes = []
    for cell in cells:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source")
            lines = [source] if isinstance(source, str) else source
            if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
                raise Unusable("it is not a notebook of version 4")
            code = "".join(lines)
            if not OTHER_LANGUAGE.match(code):
                codes.append("\n".join(map(_without_magic, code.split("\n"))))
    return codes


def _without_magic(line: str) -> str:
    """Return a line, or a line without effect instead of one that only a notebook understands."""
    match = MAGIC.match(line)
    return f"{match[1]}pass  # {line.strip()}" if match else line


# Files, folders and zips


LARGEST = 2**20
"""The most bytes of one file."""

LARGEST_NOTEBOOK = 20 * 2**20
"""The most bytes of a notebook, which may have pictures."""

LARGEST_ZIP = 50 * 2**20
"""The most bytes of a zip, and of the unpacked content of a zip or a folder."""

MOST_FILES = 2000
"""The most files in a zip, and the most files and folders in a folder."""

LONGEST_ENTRY = 1024
"""Bytes of a file's entry in the directory of a zip, on average."""

LONGEST_ENDING = 2**16 + 22
"""Bytes at the end of a zip in which the position of its directory is found."""

TOO_MUCH = f"the zip holds more than {MOST_FILES:,} files or {LARGEST_ZIP:,} bytes; hand in one file"

DEEPEST = 20
"""The deepest nesting of folders."""

LONGEST_PATH = 4000
"""The most bytes of a folder's path; systems refuse longer ones."""

LONGEST_NAME = 60
"""The most characters of a student's or a file's name; each takes up to four bytes, and file names are limited."""

INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that are not shown (Unicode's Default_Ignorable_Code_Point). Some of them count as letters."""

REGISTERS = re.compile(rb"\bregister_strategies\b")

CODE = (".py", ".ipynb")
GRADED = (*CODE, ".zip")
WANTED = "is not a .py file, a notebook, a folder or a .zip"
NO_CODE = "it has no .py file and no notebook"

OF_THE_CLASS = {".csv", ".tsv", ".xls", ".xlsx", ".db"} | {".md", ".html", ".log"}
OF_THE_CLASS |= {".json", ".toml", ".ini", ".yml", ".yaml"}
NAMES_OF_THE_CLASS = {"readme", "grades", "roster", "index", "instructions", "notes", "license", "thumbs"}
"""Files next to submissions that are not submissions, by their endings or by their names."""


@dataclass(frozen=True)
class Submission:
    """A student's submission: a file and its text, or the reason why there is none."""

    student: str
    file: str = ""
    text: bytes = b""
    problem: str = ""
    of: int = 1
    """The number of the student's files of which this one counts."""

    @property
    def digest(self) -> str:
        """A hash of the file's name and text."""
        return hashlib.sha256(self.file.encode() + b"\0" + self.text).hexdigest()


@dataclass(frozen=True)
class Ignored:
    """An entry in a folder of submissions that is not a submission, with the reason."""

    name: str
    reason: str


def collect(path: Path) -> list[Submission]:
    """Return the submissions in a folder: each file, folder or zip in it belongs to one student.

    A student may have several, the oldest first. Submissions that cannot be graded are included, with the reason.
    Raises WordleKitError if there are none at all.
    """
    if not path.is_dir():
        return files_in([path])
    handed_in, _ = _entries(path)
    if not handed_in:
        raise WordleKitError(f"{path}: has no submissions; a submission is a .py file, a notebook, a folder or a .zip")
    made = []
    for key, student in _students(handed_in).items():
        entries = sorted(handed_in[key], key=lambda entry: (entry.lstat().st_mtime, entry.name))
        if usable := [entry for entry in entries if entry.is_dir() or _suffix(entry) in GRADED]:
            made += files_in(usable, student)
        else:
            listed = line(", ".join(entry.name for entry in entries), 300)
            made.append(Submission(student, problem=f"{listed} {WANTED}"))
    return made


def ignored_in(path: Path) -> list[Ignored]:
    """Return the entries of a folder of submissions that are not submissions."""
    return _entries(path)[1] if path.is_dir() else []


def collect_one(path: Path) -> Submission:
    """Return one student's submission: a .py file, a notebook, a folder or a zip; of several files, the last one.

    Raises WordleKitError for any other file.
    """
    return files_in([path])[-1]


def files_in(paths: Sequence[Path], student: str | None = None) -> list[Submission]:
    """Return the files that one student handed in as .py files, notebooks, folders or zips, the oldest first.

    The order is that of the paths, and within a folder or a zip that of the times of its files, then of their names.
    Files that cannot be graded are left out if others can be. Raises WordleKitError for any other file.
    """
    student = student or student_of(paths[0])
    files: dict[str, bytes] = {}
    problem = ""
    for path in paths:
        if not os.path.lexists(path):
            raise WordleKitError(f"{path}: there is no such submission")
        if not (path.is_dir() or _suffix(path) in GRADED):
            raise WordleKitError(f"{path}: {WANTED}")
        try:
            for name, text in _files(path).items():
                files[f"{path.stem}/{name}" if len(paths) > 1 else name] = text
        except Unusable as why:
            problem = line(str(why))
        except OSError as error:
            problem = f"cannot be read: {error.strerror or error}"
    registering = files
    if len(files) > 1:
        code = {name: text for name, text in files.items() if not PurePosixPath(name).name.startswith("test_")}
        registering = {name: text for name, text in code.items() if REGISTERS.search(text)}
    if not registering and not problem:
        listed = line(", ".join(sorted(files)), 300)
        problem = f"none of its files has register_strategies: {listed}" if files else NO_CODE
    different: dict[str, Submission] = {}
    for name, text in registering.items():
        try:
            one = Submission(student, f"{_stem(name)}.py", _code(name, text))
        except Unusable as why:
            problem = line(str(why))
        else:
            different.pop(one.digest, None)  # the same file again counts as handed in last
            different[one.digest] = one
    return list(different.values()) or [Submission(student, problem=problem)]


def _stem(name: str) -> str:
    """Return the name of a file without its ending. Raises Unusable if it cannot be shown or used elsewhere."""
    stem = PurePosixPath(name).stem
    if not stem.isprintable() or len(stem) > LONGEST_NAME:
        raise Unusable(
            f"the file's name, {stem[:60]!a}, is too long or cannot be displayed; hand it in with another name"
        )
    return stem


def student_of(path: Path) -> str:
    """Return the student's name: that of the file or folder, as submissions spell it."""
    name = path.resolve().name if path.name in ("", "..") else path.name
    return as_student(name if path.is_dir() else Path(name).stem)


def as_student(name: str) -> str:
    """Return a name as submissions spell it: without characters special in a table or a path.

    A name with invisible letters gets a hash, so that nobody takes it for the name without them.
    """
    stem = unicodedata.normalize("NFC", name)
    clean = re.sub(r"^[-+=@. ]", "_", re.sub(r"[^\w .@+,-]", "_", stem))
    # Names with the same beginning stay different too.
    return _with_hash(clean, stem) if len(clean) > LONGEST_NAME or INVISIBLE.search(stem) else clean


def _students(handed_in: dict[str, list[Path]]) -> dict[str, str]:
    """Return a different name for each student. A name that needs no change stays, whatever the other names are.

    Other names get a hash if they could be confused.
    """
    cleaned = {key: student_of(entries[0]) for key, entries in handed_in.items()}
    alike = Counter(name.casefold() for name in cleaned.values())
    taken = {key for key, name in cleaned.items() if name.casefold() == key}
    names = dict(cleaned)
    for key in [key for key in cleaned if key not in taken]:
        hashed = key
        if alike[cleaned[key].casefold()] > 1:
            names[key] = _with_hash(cleaned[key], hashed)
        while names[key].casefold() in taken:  # another student has that very name
            hashed += "\0"
            names[key] = _with_hash(cleaned[key], hashed)
        taken.add(names[key].casefold())
    return names


def _with_hash(name: str, of: str) -> str:
    return f"{name[: LONGEST_NAME - 9]}-{hashlib.sha256(of.encode(errors='surrogateescape')).hexdigest()[:8]}"


def _entries(folder: Path) -> tuple[dict[str, list[Path]], list[Ignored]]:
    """Return the submissions in a folder by the names of the students, and the entries that are not submissions.

    Names that a file system may not distinguish count as one: `Ada` and `ada`, and accented letters in two encodings.
    """
    handed_in: dict[str, list[Path]] = {}
    others: dict[str, list[Path]] = {}
    ignored = []
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise WordleKitError(f"{folder}: cannot be read: {error.strerror or error}") from error
    for entry in found:
        is_folder = entry.is_dir()
        key = unicodedata.normalize("NFC", entry.name if is_folder else entry.stem).casefold()
        if entry.name.startswith(".") or entry.name in ("__MACOSX", "__pycache__"):
            ignored.append(Ignored(line(entry.name), "is a hidden file, or made by a program"))
        elif is_folder or _suffix(entry) in GRADED:
            handed_in.setdefault(key, []).append(entry)
        elif _suffix(entry) in OF_THE_CLASS or key in NAMES_OF_THE_CLASS:
            ignored.append(Ignored(line(entry.name), WANTED))
        else:
            others.setdefault(key, []).append(entry)
    for key, entries in others.items():
        if key in handed_in:
            ignored += [Ignored(line(entry.name), WANTED) for entry in entries]
        else:
            handed_in[key] = entries
    return handed_in, ignored


def _suffix(path: Path | PurePosixPath) -> str:
    return path.suffix.lower()


def _is_noise(name: str) -> bool:
    return name.startswith((".", "__"))


def _files(path: Path) -> dict[str, bytes]:
    """Return the files with code in a submission, by their names, the oldest first."""
    if path.is_symlink():
        raise Unusable(f"{path.name} is a link; hand in the file itself")
    if path.is_dir():
        found = list(_in_folder(path))
    elif _suffix(path) == ".zip":
        found = list(_in_zip(path))
    else:
        with _open(path) as file:
            return {path.name: _within_bounds(file, path.name)}
    return {name: text for _, _, name, text in sorted((when, _natural(name), name, text) for name, text, when in found)}


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a key by which names are sorted as people count: `mine`, `mine-2`, `mine-10`."""
    parts = re.findall(r"\d{1,18}|\D+|\d+", PurePosixPath(name).with_suffix("").as_posix())
    return [(int(part), "") if part.isdecimal() and len(part) <= 18 else (-1, part) for part in parts]


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes, float]]:
    """Yield the name, the text and the time of each file with code, also of those in zips.

    A zip that cannot be unpacked does not count if there is other code.
    """
    waiting = [PurePosixPath()]
    seen = size = 0
    problem: Unusable | None = None
    while waiting:
        here = waiting.pop()
        with os.scandir(folder / here) as scanned:
            entries = sorted(itertools.islice(scanned, MOST_FILES + 1), key=lambda entry: entry.name)
        seen += len(entries)
        if seen > MOST_FILES:
            raise Unusable(f"it has more than {MOST_FILES:,} files and folders; hand in one file")
        for entry in entries:
            name = here / entry.name
            if _is_noise(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                if len(name.parts) > DEEPEST:
                    raise Unusable(f"its folders are nested more than {DEEPEST} deep; hand in one file")
                if len(os.fsencode(folder / name)) > LONGEST_PATH:
                    raise Unusable("the names of its nested folders are too long; hand in one file")
                waiting.append(name)
            elif _suffix(name) in GRADED:
                when = entry.stat(follow_symlinks=False).st_mtime
                try:
                    files = _files(folder / name)
                except Unusable as why:
                    if _suffix(name) in CODE:
                        raise
                    problem = why
                    continue
                for number, (inner, text) in enumerate(files.items()):
                    size += len(text)
                    if size > LARGEST_ZIP:
                        raise Unusable(f"its files have more than {LARGEST_ZIP:,} bytes; hand in one file")
                    # The files of a zip stay in their order.
                    yield name.as_posix() if _suffix(name) in CODE else f"{name}/{inner}", text, when + number / 1e6
    if problem is not None and not size:
        raise problem


def _open(path: Path) -> BinaryIO:
    """Open a regular file, but no link, and no pipe, which could block."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not stat.S_ISREG(path.lstat().st_mode):
        raise Unusable(f"{path.name} is not a file")
    file = os.fdopen(os.open(path, flags), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise Unusable(f"{path.name} is not a file")
    return file


def _within_bounds(file: IO[bytes], name: str) -> bytes:
    longest = LARGEST_NOTEBOOK if name.lower().endswith(".ipynb") else LARGEST
    text = file.read(longest + 1)
    if len(text) > longest:
        raise Unusable(f"{name} has more than {longest:,} bytes")
    return text


def _in_zip(path: Path) -> Iterator[tuple[str, bytes, float]]:
    try:
        with _open(path) as packed:
            if os.fstat(packed.fileno()).st_size > LARGEST_ZIP:
                raise Unusable(f"the zip has more than {LARGEST_ZIP:,} bytes; hand in one file")
            if _bytes_of_names(packed) > MOST_FILES * LONGEST_ENTRY:
                raise Unusable(TOO_MUCH)
            with zipfile.ZipFile(packed) as archive:
                yield from _in_archive(archive)
    except (Unusable, OSError):
        raise
    except Exception as error:  # zipfile raises errors of many kinds for malformed files
        raise Unusable(f"the zip cannot be unpacked: {line(str(error), 200)}") from error


def _bytes_of_names(packed: BinaryIO) -> int:
    """Return the length of a zip's directory, as the end of the zip states it. Reading a long directory takes long.

    If the mark of the end occurs several times, the longest length counts.
    """
    size = packed.seek(0, os.SEEK_END)
    packed.seek(max(0, size - LONGEST_ENDING))
    ending = packed.read()
    places = (match.start() for match in re.finditer(b"(?=PK\5\6)", ending))
    return max((int.from_bytes(ending[place + 12 : place + 16], "little") for place in places), default=0)


def _in_archive(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes, float]]:
    members = archive.infolist()
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > LARGEST_ZIP:
        raise Unusable(TOO_MUCH)
    for member in members:
        name = PurePosixPath(member.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts:
            raise Unusable(f"the zip has a file outside its folder, {member.filename[:100]!r}")
        if _suffix(name) in CODE and not member.is_dir() and not any(map(_is_noise, name.parts)):
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Unusable(f"the zip cannot be unpacked: {name.name[:100]!r} uses a rare compression method")
            with archive.open(member) as file:
                year, month, day, *clock = member.date_time  # perhaps not a time that exists
                when = float(f"{year:04}{month:02}{day:02}" + "".join(f"{part:02}" for part in clock))
                yield name.as_posix(), _within_bounds(file, name.name), when


def _code(name: str, text: bytes) -> bytes:
    """Return the Python code of a file, which may be a notebook."""
    if _suffix(PurePosixPath(name)) != ".ipynb":
        return text
    try:
        code = code_of(text)
    except Unusable as why:
        raise Unusable(f"{PurePosixPath(name).name}: {why}") from why
    if len(code) > LARGEST:
        raise Unusable(f"{PurePosixPath(name).name} has more than {LARGEST:,} bytes of code")
    return code
