"""Move the files of students who have left the class to a folder of their own."""

import shutil
from collections.abc import Collection
from pathlib import Path

from wordle_kit.errors import WordleKitError


def put_away(out: Path, students: Collection[str]) -> list[str]:
    """Move the files of students who are not among these to the folder `gone`, and return their names.

    Files there of students who are back are removed. Raises WordleKitError if files cannot be moved.
    """
    names = set()
    try:
        for folder, ending in (("feedback", ".md"), ("results", ""), ("submissions", "")):
            for path in (out / "gone" / folder).glob(f"*{ending}"):
                if path.name.removesuffix(ending) in students:
                    _remove(path)
            for path in sorted((out / folder).glob(f"*{ending}")):
                student = path.name.removesuffix(ending)
                if student not in students:
                    names.add(student)
                    place = out / "gone" / folder / path.name
                    place.parent.mkdir(parents=True, exist_ok=True)
                    _remove(place)
                    path.rename(place)
    except OSError as error:
        raise WordleKitError(f"{out / 'gone'}: cannot be written: {error.strerror or error}") from error
    return sorted(names)


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
