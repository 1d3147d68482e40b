"""Writing files completely or not at all, and reading texts and templates."""

import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO

from wordle_kit.errors import WordleKitError
from wordle_kit.texts import short_repr


def write_file(path: Path, content: str | bytes, *, make_folder: bool = False) -> None:
    """Write a file. Other processes see either the old content or the complete new content.

    Raises WordleKitError if it cannot be written. Text is written as UTF-8. Characters that UTF-8 cannot encode become
    escape sequences.
    """
    with replacing(path, make_folder=make_folder) as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))


def read_text(path: Path, refusal: type[WordleKitError] = WordleKitError) -> str:
    """Return the text of a UTF-8 file. Raises `refusal`, which names the file, if it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise refusal(f"{path}: line {line}: is not UTF-8 text; save the file as UTF-8") from error
    except (OSError, ValueError) as error:  # a ValueError means an impossible file name
        raise refusal(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def from_template(package: str, template: str, facts: Mapping[str, str]) -> str:
    """Return the text of a package's template. Its names in double braces are replaced by the values in `facts`."""
    text = resources.files(package).joinpath(f"template/{template}.txt").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: facts[match[1]], text)


def path_of(name: str, value: Any) -> Path:
    """Return a path. Raises WordleKitError, which names the argument, if it is neither a text nor a path."""
    if not isinstance(value, str | Path) or not str(value).strip():
        raise WordleKitError(f"{name} is {short_repr(value)}; give the path of a file")
    return Path(os.path.expanduser(value))  # noqa: PTH111 - a name after ~ need not be a user


@contextmanager
def replacing(path: Path, *, make_folder: bool = False) -> Iterator[BinaryIO]:
    """Yield a file to write to. It replaces the file at `path` if the context ends without an exception.

    If `path` is not a regular file, such as a terminal or a pipe, it is written to directly. Raises WordleKitError if
    the file cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        target = Path(os.path.realpath(path))  # a link remains a link
        if make_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f".new-{secrets.token_hex(8)}")
        try:
            with new.open("xb") as file:
                if target.exists():
                    shutil.copymode(target, new)
                yield file
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be written: {error.strerror or error}") from error
