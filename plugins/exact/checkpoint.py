"""Checkpoints: the state of a search in an SQLite file, from which a search that was stopped or killed can resume.

The file is marked as a search file, and no other file is ever written to. Every row has a checksum, so a damaged file
is refused and never used in a proof.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.exact.proof import KnownCost
from wordle_kit_plugins.exact.search import Search

from wordle_kit.errors import StoreError

VERSION = 3
"""The version of what bounds mean. Bounds of other versions are ignored."""
MOST_SETS = 200_000
"""The most sets that are stored per search. The largest are stored, since the others are quick to search again."""

APPLICATION_ID = 0x574B5345
"""The number that marks an SQLite file as a search file of wordle-kit."""
FILE_VERSION = 1
"""The version of the tables."""
BUSY_SECONDS = 60.0
HEADER = b"SQLite format 3\0"

SCHEMA = (
    """CREATE TABLE openings (
        search TEXT, left INTEGER, guess INTEGER, lower INTEGER, exact INTEGER, checksum BLOB,
        PRIMARY KEY (search, left, guess)
    ) WITHOUT ROWID""",
    "CREATE TABLE solved (search TEXT PRIMARY KEY, entries BLOB, checksum BLOB)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FILE_VERSION}",
)


class Checkpoint:
    """The state of one search, in a file that many searches can share. Everything is written in transactions.

    Raises StoreError for a file that is not a search file, is damaged, or cannot be read or written.
    """

    def __init__(self, path: Path, search: Search) -> None:
        self.path = path
        self.search = search
        facts = (VERSION, search.game.fingerprint, search.weighted, search.late, search.scale)
        digest = hashlib.sha256(repr(facts).encode())
        digest.update(search.memory.candidates.tobytes())
        digest.update(search.memory.guesses.tobytes())
        self.key = digest.hexdigest()[:24]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            is_new = self._is_new()
        except OSError as error:
            raise StoreError(f"{path}: cannot keep a search there: {error.strerror or error}") from error
        with self._reported():
            self._store = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)
            try:
                self._open(is_new)
            except BaseException:
                self._store.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def forget(self) -> None:
        """Delete the stored state of this search."""
        with self._transaction() as execute:
            execute("DELETE FROM openings WHERE search = ?", (self.key,))
            execute("DELETE FROM solved WHERE search = ?", (self.key,))

    def openings(self, left: int) -> dict[int, KnownCost]:
        """Return the stored bounds of first guesses, by column, for this number of guesses left."""
        with self._reported():
            rows = self._store.execute(
                "SELECT guess, lower, exact, checksum FROM openings WHERE search = ? AND left = ?", (self.key, left)
            ).fetchall()
        known = {}
        for guess, lower, exact, checksum in rows:
            if checksum != checksum_of(self.key, left, guess, lower, exact):
                raise self.damaged("the checksum of a bound is wrong")
            if not (0 <= guess < len(self.search.memory.guesses) and lower >= 0):
                raise self.damaged(f"it has a bound of {lower} for guess {guess}")
            known[guess] = KnownCost(lower, bool(exact))
        return known

    def keep_openings(self, left: int, known: dict[int, KnownCost]) -> None:
        """Store the bounds of first guesses, for this number of guesses left."""
        rows = [(self.key, left, guess, lower, int(exact)) for guess, (lower, exact) in known.items()]
        with self._transaction() as execute:
            for row in rows:
                execute("INSERT OR REPLACE INTO openings VALUES (?, ?, ?, ?, ?, ?)", (*row, checksum_of(*row)))

    def keep_sets(self) -> None:
        """Store the largest sets of the transposition table. The search must not be running meanwhile."""
        row = (self.key, self.search.memory.entries(MOST_SETS).tobytes())
        with self._transaction() as execute:
            execute("INSERT OR REPLACE INTO solved VALUES (?, ?, ?)", (*row, checksum_of(*row)))

    def load_sets(self) -> None:
        """Add the stored sets to the transposition table."""
        with self._reported():
            select = "SELECT entries, checksum FROM solved WHERE search = ?"
            rows = self._store.execute(select, (self.key,)).fetchall()
        for stored, checksum in rows:
            if checksum != checksum_of(self.key, stored):
                raise self.damaged("the checksum of the solved sets is wrong")
            entries: npt.NDArray[np.uint64] = np.frombuffer(stored, dtype=np.uint64).reshape(-1, 4)
            if not self.search.memory.can_have(entries):
                raise self.damaged("it has sets that the search cannot have")
            self.search.memory.add_entries(entries)

    def damaged(self, how: str) -> StoreError:
        """Return the error for a damaged file, or for one whose bounds a search has refuted."""
        return StoreError(f"{self.path}: the search file is damaged: {how}; delete it to start the search again")

    def _is_new(self) -> bool:
        """Return whether the file is missing or empty.

        Raises StoreError for any other file that is not a search file.
        """
        if not self.path.exists():
            return True
        if not self.path.is_file():
            raise StoreError(f"{self.path}: is not a file; choose another path to keep the search in")
        with self.path.open("rb") as file:
            header = file.read(100)
        application = int.from_bytes(header[68:72], "big")
        if header and not (header.startswith(HEADER) and application == APPLICATION_ID):
            raise self._foreign()
        return not header

    def _open(self, is_new: bool) -> None:
        """Create the tables of a new file, or check an existing one. Raises StoreError for another version."""
        if is_new:
            with self._transaction() as execute:
                if execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):  # unless another process was first
                    if execute("SELECT name FROM sqlite_master").fetchone():
                        raise self._foreign()
                    for statement in SCHEMA:
                        execute(statement)
        (version,) = self._store.execute("PRAGMA user_version").fetchone()
        if version != FILE_VERSION:
            raise StoreError(
                f"{self.path}: was written by another version of wordle-kit (its format is {version}, not "
                f"{FILE_VERSION}); delete it, or choose another file"
            )

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """Yield a function that executes statements. Either all of them take effect, or none."""
        with self._reported(), self._store:
            self._store.execute("BEGIN IMMEDIATE")
            yield self._store.execute

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Turn errors of SQLite into StoreError."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            what = "".join(symbol if symbol.isprintable() else " " for symbol in str(error))  # it may quote the file
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
                raise self.damaged(what) from error
            if code == sqlite3.SQLITE_BUSY:
                raise StoreError(f"{self.path}: another process has been writing to it for too long") from error
            raise StoreError(
                f"{self.path}: cannot keep a search there: {what}; make room, or choose another file"
            ) from error
        except UnicodeError as error:  # in a message that quotes the file
            raise self.damaged("it has text that is not UTF-8") from error

    def _foreign(self) -> StoreError:
        return StoreError(f"{self.path}: is not a search file; choose another file to keep the search in")


def checksum_of(*row: str | int | bytes) -> bytes:
    """Return the checksum of the values in a row."""
    return hashlib.blake2b(repr(row).encode(), digest_size=16).digest()
