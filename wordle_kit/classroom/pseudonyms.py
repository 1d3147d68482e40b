"""Pseudonyms of students: drawn once, kept in a table of the teacher's, and the same in every tournament after that."""

import itertools
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from wordle_kit.classroom.roster import key_of, read_sheet
from wordle_kit.errors import WordleKitError
from wordle_kit.files import private_folder, write_file
from wordle_kit.tables import render

FILE = Path("teacher", "pseudonyms.csv")
"""The table, in the folder of an assignment."""

COLUMNS = ("name", "pseudonym")

FIRST = """
amber autumn azure bold brave bright calm cheerful clever cosmic crimson curious daring eager early
elegant friendly gentle golden happy honest jolly keen kind lively lucky lunar merry mighty misty noble
patient polar proud quick quiet rapid royal ruby silver smart solar sunny swift velvet violet vivid wise
"""

SECOND = """
badger beaver bison cheetah cormorant crane dolphin eagle falcon ferret finch fox gazelle gecko gibbon
heron hoopoe ibex ibis jaguar kestrel kingfisher kiwi lemur leopard lynx magpie marmot marten narwhal
ocelot octopus orca oriole osprey otter panda panther pelican penguin puffin puma raven robin salmon seal
sparrow starling stork swallow swan tapir tern tiger toucan turtle walrus weasel wren zebra
"""
"""The words of pseudonyms. None of them is unkind."""


def pseudonyms_of(students: Iterable[str], path: Path) -> Mapping[str, str]:
    """Return the pseudonym of each student, from the table at `path`, which gets those that it does not have yet.

    New ones come from the system's random numbers, so only the table says whose they are. The teacher may change them.
    Raises WordleKitError if two students have the same.
    """
    known: dict[str, tuple[str, str]] = {}
    taken: dict[str, str] = {}
    for entry in read_sheet(path, COLUMNS) if path.exists() else ():
        name, pseudonym = entry.student, entry.cells["pseudonym"]
        if taken.setdefault(pseudonym.casefold(), key_of(name)) != key_of(name):
            raise WordleKitError(f"{entry.where}: {pseudonym!r} is the pseudonym of another student too; change one")
        known[key_of(name)] = (name, pseudonym)
    students = list(students)
    new = [student for student in students if key_of(student) not in known]
    known |= {key_of(student): (student, _drawn(taken)) for student in new}
    if new:
        private_folder(path.parent)
        rows = [dict(zip(COLUMNS, known[key], strict=True)) for key in sorted(known)]
        write_file(path, render(rows, "csv"))
    return {student: known[key_of(student)][1] for student in students}


def _drawn(taken: dict[str, str]) -> str:
    """Return a pseudonym that nobody has, and note that it is taken."""
    for number in itertools.count(1):
        free = [f"{a} {b}" if number == 1 else f"{a} {b} {number}" for a in FIRST.split() for b in SECOND.split()]
        if free := [one for one in free if one not in taken]:
            break
    drawn = secrets.choice(free)
    taken[drawn] = drawn
    return drawn
