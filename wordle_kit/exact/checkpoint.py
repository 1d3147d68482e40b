"""Checkpoints: what a search knows, in an SQLite file, so that it can go on after it was stopped or killed."""

import hashlib
import sqlite3
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import StoreError
from wordle_kit.exact.search import Search

VERSION = 3
MOST_SETS = 200_000
"""Sets that are kept of a search, the largest ones: the others are quick to search again."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS openings (
    search TEXT, left INTEGER, guess INTEGER, lower INTEGER, exact INTEGER, PRIMARY KEY (search, left, guess)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS solved (search TEXT PRIMARY KEY, entries BLOB);
"""


class Checkpoint:
    """What is known of one search, in a file that many searches can share. Everything is written in transactions."""

    def __init__(self, path: Path, search: Search) -> None:
        self.path = path
        self.search = search
        objective = search.objective.weighs_late if search.weighted else None
        facts = (VERSION, search.game.fingerprint, search.weighted, search.late, search.scale, objective)
        digest = hashlib.sha256(repr(facts).encode())
        digest.update(search.candidates.tobytes())
        digest.update(search.guesses.tobytes())
        self.key = digest.hexdigest()[:24]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._store = sqlite3.connect(path, timeout=60, check_same_thread=False)
            self._store.executescript(SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{path}: cannot keep a search there: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def forget(self) -> None:
        """Drop what is known of this search."""
        with self._store:
            for table in ("openings", "solved"):
                self._store.execute(f"DELETE FROM {table} WHERE search = ?", (self.key,))  # noqa: S608 - of a constant

    def openings(self, left: int) -> dict[int, tuple[int, bool]]:
        """Return what is known of first guesses with so many guesses left: lower bound, and whether it is exact."""
        rows = self._store.execute(
            "SELECT guess, lower, exact FROM openings WHERE search = ? AND left = ?", (self.key, left)
        )
        return {guess: (lower, bool(exact)) for guess, lower, exact in rows}

    def keep_openings(self, left: int, known: dict[int, tuple[int, bool]]) -> None:
        """Store what is known of first guesses."""
        rows = [(self.key, left, guess, lower, int(exact)) for guess, (lower, exact) in known.items()]
        with self._store:
            self._store.executemany("INSERT OR REPLACE INTO openings VALUES (?, ?, ?, ?, ?)", rows)

    def keep_sets(self) -> None:
        """Store the largest sets of the transposition table. The search must be at rest."""
        entries = self.search.entries(MOST_SETS)
        with self._store:
            self._store.execute("INSERT OR REPLACE INTO solved VALUES (?, ?)", (self.key, entries.tobytes()))

    def load_sets(self) -> int:
        """Put the stored sets into the transposition table, and return how many there were."""
        row = self._store.execute("SELECT entries FROM solved WHERE search = ?", (self.key,)).fetchone()
        if row is None:
            return 0
        entries: npt.NDArray[np.uint64] = np.frombuffer(row[0], dtype=np.uint64).reshape(-1, 4)
        self.search.add_entries(entries)
        return len(entries)
