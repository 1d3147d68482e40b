"""Exceptions in other people's code: one line that says whose they are, and the traceback for listeners."""

import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wordle_kit.errors import PluginError
from wordle_kit.texts import line

ENGINE_FOLDER = Path(__file__).resolve().parent

PYTHON_FOLDERS = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib"))

PACKAGE_FOLDERS = ("site-packages", "dist-packages")
"""The names of folders of installed packages."""

LONGEST_TRACEBACK = 20_000
"""The most characters of a traceback that are shown."""

LONGEST_NOTE = 2000

_listeners: list[Callable[[str], None]] = []


def blamed_line(error: BaseException, modules: Iterable[str] = ()) -> str:
    """Return the file and line of an author's code that raised an exception, or an empty text if there is none.

    Lines of the engine, of Python and of installed packages do not count. An author's package may be installed too, so
    the packages of `modules` count.
    """
    own = {module.partition(".")[0] for module in modules}
    frames = traceback.extract_tb(BaseException.__getattribute__(error, "__traceback__"))
    theirs = [frame for frame in frames if is_authors(frame.filename, own)]
    return f"{theirs[-1].filename}, line {theirs[-1].lineno}" if theirs else ""


def is_authors(file: str, packages: Iterable[str] = ()) -> bool:
    """Return whether a file belongs to an author of plugins, and not to the engine, Python or an installed package."""
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
            return bool(below) and below[0].removesuffix(".py") in packages
    return not any(path.is_relative_to(folder) for folder in PYTHON_FOLDERS)


def send_traceback(error: BaseException) -> None:
    """Send the traceback of an exception to the listeners."""
    if _listeners:
        try:
            text = "".join(traceback.format_exception(error))
        except Exception:  # raised by the author's code
            text = f"{type(error).__name__}: its traceback cannot be shown\n"
        send_text(text)


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
    print(f"wordle-kit: {line(text, LONGEST_NOTE)}", file=sys.stderr)


def error_line(error: BaseException, origin: str) -> str:
    """Return an error as one line that names the file and line of the plugin that raised it."""
    message = " ".join(str(error).partition("For further information")[0].split())  # pydantic adds an address
    if getattr(error, "code", None) == "model-field-missing-annotation":
        error = PluginError(f"{message.split('`')[1]!r} has no type; write one, as in `depth: int = 2`")
        message = str(error)
    if isinstance(error, SyntaxError):
        return f"{error.filename or origin}, line {error.lineno or 1}: {type(error).__name__}: {error.msg}"
    blamed = blamed_line(error, [origin.rpartition(" ")[2]])  # the origin of an installed plugin ends with its module
    where = f"{blamed}: " if blamed else ""
    if isinstance(error, PluginError):
        return f"{where}{message}"
    kind = type(error).__name__
    return f"{where}{kind}: {message}" if message else f"{where}{kind}"
