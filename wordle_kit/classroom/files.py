"""Writes files so that they are there as a whole or not at all."""

import os
from pathlib import Path

from wordle_kit.errors import WordleKitError


def write(path: Path, text: str | bytes) -> None:
    """Write a file, and the folders that it is in. Raises WordleKitError where that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".new-{os.getpid()}")
        new.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace"))
        new.replace(path)
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be written: {error.strerror or error}") from error
