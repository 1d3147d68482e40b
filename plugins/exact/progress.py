"""The progress of a search: live bounds, and the file of bounds from which a search of all openers resumes."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordle_kit_plugins.exact.proof import Ranking, Result
from wordle_kit_plugins.exact.search import Search

import wordle_kit as wk


@dataclass(frozen=True)
class Progress:
    """The progress of a search, with bounds in guesses. The upper bound is None until one is known."""

    seconds: float
    """CPU seconds of this process since the search began."""
    lower: float
    upper: float | None
    nodes: int
    """The number of sets of candidates searched."""
    phase: str = ""
    """The current step. While first guesses are ranked, `done` of `total` guesses have finished it."""
    done: int = 0
    total: int = 0


class ProgressFile:
    """A file with a line of JSON for each change of a search's bounds.

    While openers are ranked, lines also have the openers settled since the last line, each with a lower bound of its
    cost and whether it is exact. A later search of the same kind reads them. Raises WordleKitError if the file cannot
    be read or written.
    """

    def __init__(self, path: Path, search: Search, opener: str | None) -> None:
        game, self._opener = search.game, opener
        self._words = [game.guesses[guess] for guess in search.guesses.tolist()]
        kind = wk.__version__, game.fingerprint, search.candidates.tolist(), self._words, search.late, search.scale
        self._key = hashlib.sha256(repr(kind).encode()).hexdigest()[:24]
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            if text and '"search"' not in text.partition("\n")[0]:
                raise wk.WordleKitError(f"{path} is not a file of progress; give the name of a new file")
            self._file = path.open("a", encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise wk.WordleKitError(f"{path}: cannot be read and written: {error}") from error
        self._earlier: list[dict[str, Any]] = []
        for line in text.splitlines():
            if self._key in line:
                with suppress(ValueError):  # a line that was cut off
                    self._earlier.append(json.loads(line))
        if text and not text.endswith("\n"):
            self._file.write("\n")
        self._bounds: tuple[float, float | None] | None = None
        self._before = max((row["seconds"] for row in self._earlier), default=0.0)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def settled(self, left: int) -> list[Result]:
        """Return the results of earlier searches for openers with this number of guesses left."""
        columns = {word: column for column, word in enumerate(self._words)}
        rows = (row["settled"] for row in self._earlier if row.get("left") == left)
        return [(columns[word], lower, exact) for row in rows for word, (lower, exact) in row.items()]

    def write(self, now: Progress, ranking: Ranking | None) -> None:
        """Write a line if something is new. Seconds continue those of earlier searches."""
        row: dict[str, Any] = {"search": self._key, "opener": self._opener, "seconds": self._before + now.seconds}
        row |= {"lower": now.lower, "upper": now.upper, "nodes": now.nodes}
        if ranking is not None and ranking.news:
            news = [ranking.news.popleft() for _ in range(len(ranking.news))]
            row |= {"left": ranking.left, "settled": {self._words[at]: (lower, exact) for at, lower, exact in news}}
        elif (now.lower, now.upper) == self._bounds:
            return
        self._bounds = now.lower, now.upper
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()
