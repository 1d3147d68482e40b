"""What course systems hand over: whose each file is, when it was handed in, and what they import.

docs/classroom.md describes the formats.
"""

import contextlib
import csv
import io
import itertools
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from wordle_kit.classroom.gradebook import Times
from wordle_kit.classroom.reports import Grade, roster_columns
from wordle_kit.classroom.roster import Roster, key_of, moment
from wordle_kit.classroom.submissions import Ignored, Submission, as_student, entries_of, natural, submissions_of
from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import cell, line


@dataclass(frozen=True)
class HandedIn:
    """What one student handed in, as a course system stores it."""

    name: str
    numbers: Mapping[str, str]
    """What the system calls the student, by the keys of NUMBERS."""
    files: Mapping[Path, str] = field(default_factory=dict)
    """Files and folders, the oldest first, with the names that the student gave to them."""
    time: datetime | None = None
    late: bool = False
    """Whether the system marks it as late."""


@dataclass(frozen=True)
class Course:
    """Everything in a folder that a course system handed over."""

    handed_in: tuple[HandedIn, ...]
    ignored: tuple[Ignored, ...] = ()

    def submissions(self, roster: Roster | None) -> list[Submission]:
        """Return the submissions under the names on the roster, each student's oldest first."""
        made: list[Submission] = []
        for student, ones in self._by_student(roster).items():
            files = {path: name for one in ones for path, name in one.files.items()}
            made += submissions_of(student, files) if files else [Submission(student, problem="its files are missing")]
        return made

    def times(self, roster: Roster | None) -> Times:
        """Return the hand-in times that the system knows."""
        people = () if roster is None else roster.people
        known = {key_of(one.student): one.handed_in for one in people if one.handed_in is not None}
        late = set()
        for student, ones in self._by_student(roster).items():
            if times := [one.time for one in ones if one.time is not None]:
                known[key_of(student)] = max(times)
            if any(one.late for one in ones):
                late.add(key_of(student))
        return Times(known, late=frozenset(late - known.keys()))

    def _by_student(self, roster: Roster | None) -> dict[str, list[HandedIn]]:
        """Return what each student handed in. Two students of one name who are not on the roster get their numbers."""
        groups: dict[tuple[str, str | None], list[HandedIn]] = {}
        for one in self.handed_in:
            person = None if roster is None else roster.find(one.name, one.numbers)
            number = next(iter(one.numbers.values()), "")
            who = (as_student(one.name), number) if person is None else (person.student, None)
            groups.setdefault(who, []).append(one)
        namesakes = Counter(key_of(student) for student, _ in groups)
        found: dict[str, list[HandedIn]] = {}
        for (student, known_as), ones in groups.items():
            is_clear = known_as is None or namesakes[key_of(student)] == 1
            found.setdefault(student if is_clear else as_student(f"{ones[0].name} {known_as}"), []).extend(ones)
        return found


# Canvas and Moodle


NAMED = {
    "canvas": re.compile(
        r"(?:(?P<name>\w+?)_)??(?P<late>LATE_)?(?P<id>\d+|anon_[^\W_]+)_(?:(?P<file>\d+)_)?(?P<rest>.+)"
    ),
    "moodle": re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|(?P<text>onlinetext))(?:_(?P<rest>.*))?"),
}
"""The names of what is in a download.

A file in Canvas's is called `obrienzoë_LATE_12345_67890_mine.py`, with the numbers of the student and of the file. The
name is in lower case, the last name first, without spaces and marks. Texts that were typed in have no number.

An entry in Moodle's is the folder `Zoë OBrien_1234567_assignsubmission_file_`, or a file with this beginning. The
number is that of the participant, as in the grading worksheet. Moodle leaves out apostrophes.
"""


def from_names(system: str, folder: Path) -> Course:
    """Return what is in an unpacked download of submissions whose names say whose they are."""
    found: dict[str, list[tuple[Path, dict[str, str]]]] = {}
    ignored = []
    for path in _entries(folder):
        match = NAMED[system].fullmatch(path.name)
        if match is None or (system == "canvas" and path.is_dir()):
            ignored.append(Ignored(line(path.name), f"is not named as in {system.capitalize()}'s download"))
        else:
            parts = match.groupdict("")
            found.setdefault(match["id"], []).append((path, parts | {"rest": parts["rest"] or path.name}))
    handed_in = []
    for number, entries in found.items():
        # Canvas numbers files in the order of uploads.
        entries.sort(key=lambda entry: (int(entry[1].get("file") or 0), natural(entry[1]["rest"])))
        files = {path: parts["rest"] for path, parts in entries if not (parts.get("text") and path.is_dir())}
        name = next((parts["name"] for _, parts in entries if parts["name"]), number)
        late = any(parts.get("late") for _, parts in entries)
        handed_in.append(HandedIn(name, {f"{system} id": number}, files, late=late))
    return Course(tuple(handed_in), tuple(ignored))


# Gradescope


METADATA = "submission_metadata.yml"

VALUE = re.compile(r"(?P<indent> *)(?P<item>- )?(?P<key>:?[\w.\-]+):(?: +(?P<value>.*))?")


def from_gradescope(folder: Path) -> Course:
    """Return what is in an unpacked export of submissions from Gradescope.

    Several students who hand in together each have the submission. Raises WordleKitError for damaged metadata.
    """
    facts = read_metadata(folder / METADATA)
    handed_in = []
    for name, known in facts.items():
        path = folder / name
        files = {path: name} if path.exists() else {}
        for numbers in known.submitters or [{}]:
            who = numbers.get("name") or numbers.get("email") or numbers.get("sid") or name
            kept = {kind: numbers[kind] for kind in ("sid", "email") if numbers.get(kind)}
            handed_in.append(HandedIn(who, kept, files, time=known.time))
    others = [path.name for path in _entries(folder) if path.name not in {METADATA, *facts}]
    return Course(tuple(handed_in), tuple(Ignored(line(name), f"is not in {METADATA}") for name in others))


class OfGradescope(NamedTuple):
    """What Gradescope's metadata says of a submission."""

    submitters: list[dict[str, str]]
    time: datetime | None


def read_metadata(path: Path) -> dict[str, OfGradescope]:
    """Return the submitters and the time of each submission, by the names of the folders.

    This reads the lines that Gradescope writes, and not YAML in general: each submission is a key without indentation,
    its facts are indented by two spaces, and everything that is indented further is part of a fact. Raises
    WordleKitError, naming the line, if a value is written in another way.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeError) as error:
        raise WordleKitError(f"{path}: cannot be read; it belongs to Gradescope's export of submissions") from error
    found: dict[str, OfGradescope] = {}
    fact = ""
    for number, text in enumerate(lines, start=1):
        match = VALUE.fullmatch(text.rstrip())
        if match is None:
            continue
        indent, where = len(match["indent"]), f"{path}: line {number}"
        key = match["key"].removeprefix(":")
        if indent == 0 and not match["item"]:
            fact = key
            submission = found.setdefault(key, OfGradescope([], None))
        elif not found:
            continue
        elif indent == 2 and not match["item"]:
            fact = key
            if key == "created_at":
                time = moment(re.sub(r" (?=Z|[+-]\d)", "", _scalar(match["value"], where)), f"{where}: created_at")
                submission = found[[*found][-1]] = submission._replace(time=time)
        elif fact == "submitters" and (match["item"] or submission.submitters):
            if match["item"]:
                submission.submitters.append({})
            submission.submitters[-1][key] = _scalar(match["value"], where)
    if not found:
        raise WordleKitError(f"{path}: has no submissions; it should be the file in Gradescope's export")
    return found


def _scalar(text: str | None, where: str) -> str:
    """Return a value of YAML that is on one line, plain or in quotes."""
    text = (text or "").strip()
    if text.startswith("'") and text.endswith("'") and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text.startswith('"'):
        try:
            return str(json.loads(re.sub(r"\\x([0-9A-Fa-f]{2})", r"\\u00\1", text)))
        except ValueError as error:
            raise WordleKitError(f"{where}: {text[:80]!r} cannot be read; write the value without quotes") from error
    if text[:1] in set("&*!|>{[%@`'"):
        raise WordleKitError(f"{where}: {text[:80]!r} cannot be read; write the value in quotes on one line")
    return "" if text in ("~", "null") else text


# GitHub Classroom


SUBMISSIONS = "-submissions"
"""The ending of the folder that `gh classroom clone student-repos` makes."""


def from_github(folder: Path) -> Course:
    """Return what is in a folder of clones from GitHub Classroom, called after the assignment and the student.

    The hand-in time is that of the last commit, which is the student's own statement.
    """
    clones = [path for path in _entries(folder) if path.is_dir()]
    ignored = [Ignored(line(path.name), "is not a clone") for path in _entries(folder) if not path.is_dir()]
    here = folder.resolve().name
    slug = here.removesuffix(SUBMISSIONS) + "-" if here.endswith(SUBMISSIONS) else ""
    if not slug or not all(path.name.startswith(slug) for path in clones):
        same = zip(*(path.name.split("-")[:-1] for path in clones), strict=False)
        words = itertools.takewhile(lambda word: len(set(word)) == 1, same)
        slug = "".join(f"{word[0]}-" for word in words) if len(clones) > 1 else ""
    times = commit_times(clones)
    handed_in = []
    for path in clones:
        name = path.name.removeprefix(slug)
        handed_in.append(HandedIn(name, {"github": name}, {path: path.name}, time=times.get(path)))
    return Course(tuple(handed_in), tuple(ignored))


COMMITTER = re.compile(r"^committer .*> (\d{1,12}) ([+-]\d{4})$", re.MULTILINE)


def commit_times(clones: Sequence[Path]) -> dict[Path, datetime]:
    """Return the time of the commit that is checked out in each clone, for those that have one.

    git reads the objects of all clones from an empty repository, so the settings of a clone, which can name programs to
    run, are not used. Raises WordleKitError if git is not installed.
    """
    heads = {path: head for path in clones if (head := _head(path / ".git")) is not None}
    if not heads:
        return {}
    with temporary_folder() as folder:
        git = ["git", "--git-dir", str(folder / "empty")]
        _told([*git, "init", "--bare", "--quiet", "--template="])
        (folder / "empty" / "objects" / "info").mkdir(parents=True, exist_ok=True)
        objects = "".join(f"{(path / '.git' / 'objects').resolve()}\n" for path in heads)
        (folder / "empty" / "objects" / "info" / "alternates").write_text(objects, encoding="utf-8")
        told = _told([*git, "cat-file", "--batch"], "".join(f"{head}\n" for head in heads.values()).encode())
    times = {}
    for path in heads:
        header, _, told = told.partition(b"\n")
        if not header.endswith(b"missing"):
            size = int(header.rpartition(b" ")[2])
            commit, told = told[:size].partition(b"\n\n")[0].decode(errors="replace"), told[size + 1 :]
            if match := COMMITTER.search(commit):
                with contextlib.suppress(ValueError, OverflowError):  # a year or an offset that does not exist
                    offset = datetime.strptime(match[2], "%z").tzinfo
                    times[path] = datetime.fromtimestamp(int(match[1]), offset)
    return times


def _told(command: Sequence[str], asked: bytes = b"") -> bytes:
    """Return what git prints. Raises WordleKitError if it fails or is not installed."""
    try:
        return subprocess.run(command, input=asked, check=True, capture_output=True).stdout  # noqa: S603 - git
    except FileNotFoundError as error:
        raise WordleKitError("git is not installed, but the hand-in times are in the clones; install git") from error
    except subprocess.CalledProcessError as error:
        raise WordleKitError(f"git cannot read the clones: {line(error.stderr.decode(errors='replace'))}") from error


def _head(git: Path) -> str | None:
    """Return the hash of the commit that is checked out, if it can be read."""
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if head.startswith("ref: "):
            name = head.removeprefix("ref: ")
            packed = git / "packed-refs"
            if re.fullmatch(r"refs(/[\w.+@-]+)+", name) is None or ".." in name:
                return None
            if (git / name).is_file():
                head = (git / name).read_text(encoding="utf-8").strip()
            elif packed.is_file():
                rows = [row.split(" ") for row in packed.read_text(encoding="utf-8").splitlines()]
                head = next((row[0] for row in rows if row[-1] == name), "")
    except (OSError, UnicodeError):
        return None
    return head if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", head) else None


# All of them


SYSTEMS: Mapping[str, Callable[[Path], Course]] = {
    "canvas": partial(from_names, "canvas"),
    "moodle": partial(from_names, "moodle"),
    "gradescope": from_gradescope,
    "github": from_github,
}


def collect_from(system: str, folder: Path) -> Course:
    """Return what a course system handed over in a folder.

    Raises WordleKitError for an unknown system, and for a folder in which nothing was handed in.
    """
    if system not in SYSTEMS:
        raise WordleKitError(f"--from: {unknown('course system', system, SYSTEMS)}")
    if not folder.is_dir():
        raise WordleKitError(f"{folder}: is not a folder; unpack what {system} made, and give that folder")
    found = SYSTEMS[system](folder)
    if not found.handed_in:
        raise WordleKitError(f"{folder}: has no submissions that are named as by {system}; see docs/classroom.md")
    return found


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder, without hidden files and those that programs make."""
    return [path for path in entries_of(folder) if not path.name.startswith((".", "__"))]


# What they import


BOM = "\ufeff"
"""Without it, Excel shows `Zoë` as `ZoÃ«`. Canvas and Moodle skip it."""

MOODLE_GRADE = "Last modified (grade)"
"""A column of Moodle's grading worksheet, which Moodle checks when it imports one."""


def canvas_csv(grades: Sequence[Grade], title: str) -> str:
    """Return the points as Canvas's gradebook imports them. Canvas's own columns come from the roster."""
    own = ("ID", "SIS User ID", "SIS Login ID", "Section")
    named = next(
        (one for one in sorted(roster_columns(grades)) if re.fullmatch(re.escape(title) + r" \(\d+\)", one)), title
    )
    most = max((grade.most for grade in grades), default=0.0)
    rows = [["Student", *own, named], ["    Points Possible", *[""] * len(own), f"{most:.10g}"]]
    for grade in grades:
        ids = {} if grade.person is None else grade.person.numbers
        cells = [ids.get("canvas id", "") if column == "ID" else grade.columns.get(column, "") for column in own]
        rows.append([grade.name, *cells, f"{grade.points:.10g}"])
    return _csv(rows)


def moodle_csv(grades: Sequence[Grade], title: str) -> str:
    """Return the points as Moodle imports them.

    If the roster is Moodle's grading worksheet, this is the worksheet with grades. Otherwise it is a table for the
    gradebook's import, with the roster's columns.
    """
    columns = roster_columns(grades)
    if "Grade" in columns and MOODLE_GRADE in columns:
        filled = [{**grade.columns, "Grade": f"{grade.points:.10g}"} for grade in grades if grade.columns]
        return _csv([columns, *([row[column] for column in columns] for row in filled)])
    shown = [column for column in columns if column not in ("Full name", title)]
    rows = [["Full name", *shown, title]]
    for grade in grades:
        rows.append([grade.name, *(grade.columns.get(column, "") for column in shown), f"{grade.points:.10g}"])
    return _csv(rows)


EXPORTS: Mapping[str, Callable[[Sequence[Grade], str], str]] = {"canvas": canvas_csv, "moodle": moodle_csv}


def export_name(system: str) -> str:
    """Return the name of the file for a course system. Raises WordleKitError if nothing can be written for it."""
    if system not in EXPORTS:
        raise WordleKitError(f"--export: {unknown('course system', system, EXPORTS)}")
    return f"{system}.csv"


def exported(system: str, grades: Iterable[Grade], title: str) -> str:
    """Return the points of everyone who has not withdrawn as a course system imports them."""
    return EXPORTS[system]([grade for grade in grades if grade.counts], title)


def _csv(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV, in which no cell is a formula."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(map(cell, row) for row in rows)
    return BOM + out.getvalue()
