"""Exceptions in other people's code: one line that says where they arose, and the traceback for listeners."""

import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wordle_kit.errors import WordleKitError
from wordle_kit.texts import one_line

ENGINE_FOLDER = Path(__file__).resolve().parent

PYTHON_FOLDERS = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib"))

PACKAGE_FOLDERS = ("site-packages", "dist-packages")
"""The names of folders of installed packages."""

LONGEST_TRACEBACK = 20_000
"""The maximum number of characters of a traceback that are shown."""

LONGEST_NOTE = 2000

_listeners: list[Callable[[str], None]] = []


def error_line(error: BaseException, module: str = "") -> str:
    """Return an exception as one line, such as `ValueError: no book (idea.py, line 3)`.

    The line is the last one of an author's code that took part, if any did. Lines of installed packages count only in
    the package of `module`, a text that ends with a module's name. The messages of wordle-kit need no class name.
    """
    text = str(error).partition("For further information")[0]  # pydantic adds an address
    if getattr(error, "code", None) == "model-field-missing-annotation":
        text = f"{text.split('`')[1]!r} has no type; write one, as in `depth: int = 2`"
    elif not isinstance(error, WordleKitError):
        kind = type(error).__name__
        text = f"{kind}: {text.strip()}" if text else kind
    package = module.rpartition(" ")[2].partition(".")[0]
    theirs = [frame for frame in traceback.extract_tb(error.__traceback__) if is_authors(frame.filename, package)]
    where = f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""
    return one_line(text) + where


def is_authors(file: str, package: str = "") -> bool:
    """Return whether a file belongs to an author of plugins, and not to the engine, Python or an installed package.

    Files of the installed package with the name `package` do.
    """
    if file.startswith(("<frozen", "<__array_function__")):
        return False
    if file.startswith("<"):  # typed at a prompt
        return True
    path = Path(file).resolve()
    if path.is_relative_to(ENGINE_FOLDER):
        return False
    for name in PACKAGE_FOLDERS:
        if name in path.parts:
            below = path.parts[path.parts.index(name) + 1 :]
            return bool(below) and below[0].removesuffix(".py") == package
    return not any(path.is_relative_to(folder) for folder in PYTHON_FOLDERS)


def send_traceback(error: BaseException) -> None:
    """Send the traceback of an exception to the listeners."""
    if _listeners:
        send_text("".join(traceback.format_exception(error)))


def send_text(text: str) -> None:
    """Send a traceback, as text, to the listeners."""
    for listener in _listeners:
        listener(text[-LONGEST_TRACEBACK:])


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Call `listener` with the traceback of each exception of other people's code."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def note(text: str) -> None:
    """Print a note as one line on standard error."""
    print(f"wordle-kit: {one_line(text, LONGEST_NOTE)}", file=sys.stderr)
