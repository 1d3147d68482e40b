"""The progress of a search: bounds while it runs, and the file of bounds from which a search of all openers resumes."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from wordle_kit_plugins.exact.search import Search

import wordle_kit as wk
from wordle_kit import __version__

if TYPE_CHECKING:
    from wordle_kit_plugins.exact.proof import Ranking

BETWEEN_LINES = 0.1
"""The least seconds between two lines of a file, unless the bounds change."""

Known = dict[int, tuple[int, bool]]
"""For first guesses, by column: a lower bound of the cost, and whether that bound is exact."""


@dataclass(frozen=True)
class Progress:
    """The progress of a search, with bounds in guesses. The upper bound is None until one is known."""

    seconds: float
    """The CPU seconds of this process since the search began."""
    lower: float
    upper: float | None
    nodes: int
    """The number of sets of candidates that were searched."""
    phase: str = ""
    """The current step. While first guesses are ranked, it is finished for `done` of `total` guesses."""
    done: int = 0
    total: int = 0


class ProgressFile:
    """A file with a line of JSON for each change of the bounds of a search. Its lines have what `Progress` has.

    While openers are ranked, lines also have the costs of openers that were settled meanwhile. A later search of the
    same kind reads them. Raises WordleKitError if the file cannot be read or written.
    """

    def __init__(self, path: Path, search: Search, opener: str | None) -> None:
        self._path = path
        self._search = search
        self._opener = opener
        self._words = [search.game.guesses[guess] for guess in search.memory.guesses.tolist()]
        digest = hashlib.sha256(repr((__version__, search.game.fingerprint, search.late, search.scale)).encode())
        digest.update(search.memory.candidates.tobytes() + search.memory.guesses.tobytes())
        self._key = digest.hexdigest()[:24]
        self._bounds: tuple[float, float | None] | None = None
        self._seconds = self._before = max((row["seconds"] for row in self._rows()), default=0.0)
        self._file = self._opened()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def settled(self, left: int) -> Known:
        """Return the costs of openers that earlier searches found for this number of guesses left."""
        columns = {word: column for column, word in enumerate(self._words)}
        rows = (row["settled"] for row in self._rows() if row.get("left") == left)
        return {columns[word]: (lower, exact) for row in rows for word, (lower, exact) in row.items()}

    def write(self, now: Progress, ranking: "Ranking | None") -> None:
        """Write a line if there is news or some time has passed. The seconds continue those of earlier searches."""
        settled = {} if ranking is None else ranking.settled.copy()
        seconds, bounds = self._before + now.seconds, (now.lower, now.upper)
        if not settled and bounds == self._bounds and seconds - self._seconds < BETWEEN_LINES:
            return
        self._bounds, self._seconds = bounds, seconds
        row = {"search": self._key, "opener": self._opener, "seconds": round(seconds, 4)}
        row |= {"lower": now.lower, "upper": now.upper, "nodes": now.nodes}
        if ranking is not None and settled:
            row |= {"left": ranking.left, "settled": {self._words[column]: settled[column] for column in settled}}
            for column in settled:
                del ranking.settled[column]
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()

    def _rows(self) -> list[dict[str, Any]]:
        """Return the lines of this search in the file. A line that was cut off is left out."""
        rows = []
        try:
            for line in self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else ():
                if self._key in line:
                    with suppress(ValueError):
                        rows.append(json.loads(line))
        except (OSError, UnicodeDecodeError) as error:
            raise wk.WordleKitError(f"{self._path}: cannot be read: {error}") from error
        return rows

    def _opened(self) -> IO[str]:
        try:
            file = self._path.open("a+", encoding="utf-8")
        except OSError as error:
            raise wk.WordleKitError(f"{self._path}: cannot be written: {error.strerror or error}") from error
        if file.tell() and not self._path.read_bytes().endswith(b"\n"):
            file.write("\n")
        return file
