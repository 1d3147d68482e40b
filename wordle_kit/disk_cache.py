"""A cache on disk for results that take long to compute, for later commands.

If a file is damaged, or cannot be read or written, the result is computed again.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wordle_kit.errors import WordleKitError
from wordle_kit.files import replacing

CACHE_VARIABLE = "WORDLE_KIT_CACHE"
"""The environment variable that names the cache folder. If it is empty, nothing is stored."""

CAPACITY = 2 * 2**30
"""The bytes that the files may take together. Beyond this, the least recently used files are removed."""

SUFFIX, UNFINISHED = ".kept", ".new-"
DIGEST = 32
"""The number of bytes at the start of a file that contain a hash of its name and content."""

ABANDONED = 86400.0
"""The seconds after which an unfinished file is taken to belong to a process that has ended."""


@dataclass(frozen=True)
class Kept:
    """A file of the cache."""

    path: Path
    nbytes: int
    used: float
    """When it was last used, in seconds since 1970."""


def folder() -> Path | None:
    """Return the path of the cache folder, which need not exist, or None if nothing is stored."""
    given = os.environ.get(CACHE_VARIABLE)
    if given is not None:
        return Path(given) if given else None
    import platformdirs

    return platformdirs.user_cache_path("wordle-kit", appauthor=False)


def recall(kind: str, key: str) -> memoryview | None:
    """Return the content that was stored with this kind and key, or None."""
    path = _path(kind, key)
    if path is None:
        return None
    try:
        content = memoryview(path.read_bytes())
        if content[:DIGEST] != _digest(path.name, content[DIGEST:]):
            path.unlink()
            return None
        os.utime(path)
    except OSError:
        return None
    return content[DIGEST:]


def keep(kind: str, key: str, content: bytes | memoryview) -> None:
    """Store content with this kind, a word, and key, if possible."""
    path = _path(kind, key)
    if path is None or len(content) > CAPACITY:
        return
    with contextlib.suppress(OSError, WordleKitError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(_digest(path.name, content))
            file.write(content)
        _make_room()


def contents() -> list[Kept]:
    """Return the files of the cache, the most recently used first."""
    return sorted(_files(), key=lambda kept: -kept.used)


def _path(kind: str, key: str) -> Path | None:
    place = folder()
    return None if place is None else place / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:32]}{SUFFIX}"


def _digest(name: str, content: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(name.encode() + b"\0")
    digest.update(content)
    return digest.digest()


def _files() -> Iterator[Kept]:
    """Yield the files in the folder that this module wrote, including unfinished files of killed processes."""
    place = folder()
    if place is None or not place.is_dir():
        return
    for path in place.iterdir():
        with contextlib.suppress(OSError):
            facts = path.stat()
            abandoned = path.name.startswith(UNFINISHED) and time.time() - facts.st_mtime > ABANDONED
            if path.suffix == SUFFIX or abandoned:
                yield Kept(path, facts.st_size, facts.st_mtime)


def _make_room() -> None:
    left = CAPACITY
    for kept in contents():
        left -= kept.nbytes
        if left < 0 or kept.path.suffix != SUFFIX:
            kept.path.unlink(missing_ok=True)
