"""The store: plays in SQLite, so that nothing is played twice and an interrupted tournament can continue."""

import contextlib
import json
import sqlite3
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter

from wordle_kit.errors import StoreError
from wordle_kit.names import current_label
from wordle_kit.temporary import is_dead, owner_name
from wordle_kit.texts import line
from wordle_kit.tournaments import schema
from wordle_kit.tournaments.chance import new_secret
from wordle_kit.tournaments.outcome import NOT_PLAYED, UNREPEATED, Play, Skipped
from wordle_kit.tournaments.runs import RunFacts, StoredRun

BUSY_SECONDS = 60.0

PENDING = "fresh"
"""The beginning of the key of a run that will replace another. The process, a number and the other key follow."""


FACTS = TypeAdapter(RunFacts)


class Store:
    """A file of results, or a store in memory without a path. Every method is one transaction.

    Several processes may use one file at the same time. Every row has a checksum, so that damage is noticed. A file
    that is damaged, or not a store, is reported and not changed.
    """

    def __init__(self, path: Path | None = None, aliases: Mapping[str, str] | None = None) -> None:
        """Open a file, or create it. Strategies that were played under an alias are read by their current names."""
        self.path = path
        self.aliases = aliases or {}
        self._keys: dict[int, str] = {}
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path or ":memory:", timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._connection.close()
                raise
        except OSError as error:
            raise StoreError(
                f"{path}: cannot be created: {error.strerror or error}; choose another file", settings=["store"]
            ) from error
        except (sqlite3.Error, ValueError) as error:
            raise self._refusal(error) from error

    @classmethod
    def existing(cls, path: Path, aliases: Mapping[str, str] | None = None) -> Self:
        """Open a file to read its results. Raises StoreError if there is none, or an empty one; nothing is written."""
        if not path.is_file() or path.stat().st_size == 0:
            raise StoreError(f"{path}: has no results yet; play a tournament first")
        return cls(path, aliases)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def run(self, key: str, facts: RunFacts) -> int:
        """Return the number of the run with this key, which is added if there is none."""
        with self._transaction() as execute:
            run = self._find(execute, key)
            return self._new(execute, key, facts) if run is None else run

    def find(self, key: str) -> int | None:
        """Return the number of the run with this key, or None if there is none."""
        with self._transaction() as execute:
            return self._find(execute, key)

    def replacement(self, key: str, facts: RunFacts) -> int:
        """Add a run that replaces the one with this key when `publish` is called, and return its number.

        Replacements that dead processes left unfinished are deleted.
        """
        with self._transaction() as execute:
            for run, pending in execute("SELECT id, key FROM runs WHERE key LIKE ?", (f"{PENDING} %",)).fetchall():
                if is_dead(pending.split(" ")[1]):
                    execute("DELETE FROM runs WHERE id = ?", (run,))
            return self._new(execute, f"{PENDING} {owner_name()} {uuid.uuid4().hex} {key}", facts)

    def publish(self, run: int) -> None:
        """Put a replacement in the place of the run that it replaces."""
        key = self._keys[run].split(" ", 3)[3]
        with self._transaction() as execute:
            (facts,) = execute("SELECT facts FROM runs WHERE id = ?", (run,)).fetchone()
            execute("DELETE FROM runs WHERE key = ?", (key,))
            execute("UPDATE runs SET key = ?, digest = ? WHERE id = ?", (key, schema.digest(run, key, facts), run))
        self._keys[run] = key

    def drop_unplayed(self, run: int, message: str) -> None:
        """Delete the chunks of a run in which time ran out, perhaps only when asked again, for another reason.

        They are then played again, with the time that there is now.
        """
        late = "(skipped = ? AND message != ? OR message LIKE ? AND message != ?)"
        unplayed = f"SELECT chunk FROM plays WHERE run = ? AND {late}"  # noqa: S608 - fixed text
        with self._transaction() as execute:
            query = f"DELETE FROM chunks WHERE run = ? AND chunk IN ({unplayed})"  # noqa: S608 - fixed text
            unrepeated = (f"{UNREPEATED}{NOT_PLAYED}%", UNREPEATED + message)
            execute(query, (run, run, Skipped.NO_TIME.value, message, *unrepeated))

    def discard(self, run: int) -> None:
        """Delete a replacement that was not published."""
        with self._transaction() as execute:
            execute("DELETE FROM runs WHERE id = ? AND key LIKE ?", (run, f"{PENDING} %"))

    def secret(self) -> str:
        """Return the secret of this store, which is drawn on the first call."""
        with self._transaction() as execute:
            execute("CREATE TABLE IF NOT EXISTS secrets (secret TEXT NOT NULL) STRICT")
            row = execute("SELECT secret FROM secrets").fetchone()
            if row is None:
                row = (new_secret(),)
                execute("INSERT INTO secrets VALUES (?)", row)
            return str(row[0])

    def finished_chunks(self, run: int, *, sure: bool = False) -> set[int]:
        """Return the stored chunks of a run; with `sure`, without those that depended on the machine."""
        with self._transaction() as execute:
            rows = execute("SELECT chunk, unsure FROM chunks WHERE run = ?", (self._current(execute, run),)).fetchall()
        return {chunk for chunk, unsure in rows if not (sure and unsure)}

    def add(
        self,
        run: int,
        chunk: int,
        puzzles: int | Sequence[int],
        plays: Sequence[Play],
        calls: int,
        seconds: float,
        unsure: int = 0,
    ) -> None:
        """Store the plays of a chunk: of the puzzles with these numbers, or from this number on.

        `unsure` plays depended on the machine. A stored chunk with such plays is replaced; any other is kept.
        """
        numbers = range(puzzles, puzzles + len(plays)) if isinstance(puzzles, int) else puzzles
        try:
            rows = sorted((puzzle, *schema.row_of(play)) for puzzle, play in zip(numbers, plays, strict=True))
        except ValueError as error:
            raise StoreError(f"{self.path or 'the store'}: {error}") from error
        facts = (chunk, len(plays), calls, seconds, unsure)
        with self._transaction() as execute:
            run = self._current(execute, run)
            execute("DELETE FROM chunks WHERE run = ? AND chunk = ? AND unsure > 0", (run, chunk))
            made = schema.digest_of_plays(run, facts, rows)
            added = execute("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", (run, *facts, made))
            if added.rowcount:
                numbered = [(run, chunk, *row) for row in rows]
                self._connection.executemany("INSERT INTO plays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", numbered)

    def runs(self) -> list[tuple[int, RunFacts, int]]:
        """Return all runs, oldest first: number, facts, and the number of puzzles played."""
        with self._transaction("BEGIN") as execute:
            played = dict(execute("SELECT run, count(*) FROM plays GROUP BY run").fetchall())
            rows = execute("SELECT id, key, facts, digest FROM runs ORDER BY id").fetchall()
        facts = [(row[0], row[1], self._facts(*row)) for row in rows]
        return [(run, known, played.get(run, 0)) for run, key, known in facts if not key.startswith(f"{PENDING} ")]

    def read(self, run: int) -> StoredRun:
        """Return a run with its plays; if it has been replaced, the run that replaced it."""
        with self._transaction("BEGIN") as execute:
            run = self._current(execute, run)
            facts = execute("SELECT id, key, facts, digest FROM runs WHERE id = ?", (run,)).fetchone()
            chunks = execute(schema.CHUNK, (run,)).fetchall()
            digests = dict(execute("SELECT chunk, digest FROM chunks WHERE run = ?", (run,)).fetchall())
            rows = schema.by_chunk(execute(schema.PLAYS, (run,)))
        if facts is None:
            raise StoreError(f"{self.path or 'the store'}: run {run} is no longer there; it has been played again")
        known = self._facts(*facts)
        calls, seconds = sum(row[2] for row in chunks), sum(row[3] for row in chunks)
        if rows.keys() - digests.keys():
            raise self._refusal(ValueError(f"plays of {known.strategy} belong to no group"))
        for chunk in chunks:
            if schema.digest_of_plays(run, chunk, rows.get(chunk[0], [])) != digests[chunk[0]]:
                raise self._refusal(ValueError(f"the checksum of plays of {known.strategy} is wrong"))
        try:
            every = sorted((row for part in rows.values() for row in part), key=lambda row: int(row[0]))
            plays = tuple(schema.play_of(*row[1:]) for row in every)
        except (ValueError, TypeError, AttributeError) as error:
            raise self._refusal(error) from error
        return StoredRun(run, known, plays, calls, seconds)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Keep the store as it is now for reading in a `with` block, whatever others write."""
        with self._transaction("BEGIN"):
            yield

    def _new(self, execute: schema.Execute, key: str, facts: RunFacts) -> int:
        try:
            text = json.dumps(schema.writable(facts.stored()))
            FACTS.validate_json(text)  # so that nothing is written that cannot be read back
        except (ValueError, TypeError) as error:
            raise StoreError(line(f"{facts.strategy}: its parameters cannot be stored: {error}")) from error
        run = int(execute("INSERT INTO runs (key, facts, digest) VALUES (?, ?, '')", (key, text)).lastrowid)
        execute("UPDATE runs SET digest = ? WHERE id = ?", (schema.digest(run, key, text), run))
        self._keys[run] = key
        return run

    def _find(self, execute: schema.Execute, key: str) -> int | None:
        """Return the number of the run with a key, checked against its row, since an index may be damaged."""
        found = execute("SELECT id FROM runs WHERE key = ?", (key,)).fetchone()
        if found is None:
            return None
        row = execute("SELECT id, key, facts, digest FROM runs WHERE id = ?", found).fetchone()
        if row is None or row[1] != key:
            raise ValueError("its index is wrong")
        self._facts(*row)
        self._keys[row[0]] = key
        return int(row[0])

    def _current(self, execute: schema.Execute, run: int) -> int:
        """Return the number of a run, or of the run that has replaced it."""
        found = self._find(execute, self._keys[run]) if run in self._keys else run
        return run if found is None else found

    def _open(self) -> None:
        connection = self._connection
        connection.execute("PRAGMA foreign_keys = ON")
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if tables and application != schema.APPLICATION_ID:
            raise StoreError(f"{self.path}: is a database of another program; choose another file", settings=["store"])
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if tables and version != schema.VERSION:
            raise StoreError(
                f"{self.path}: was written by another version of wordle-kit (schema {version}, here "
                f"{schema.VERSION}); choose another file",
                settings=["store"],
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        if version != schema.VERSION:
            with self._transaction() as execute:
                schema.make(execute)

    @contextlib.contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[schema.Execute]:
        if self._connection.in_transaction:
            yield self._connection.execute
            return
        try:
            self._connection.execute(begin)
            try:
                yield self._connection.execute
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # the first error is the one to report
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except (sqlite3.Error, ValueError) as error:
            raise self._refusal(error) from error

    def _facts(self, run: int, key: str, text: str, digest: str) -> RunFacts:
        if schema.digest(run, key, text) != digest:
            raise self._refusal(ValueError("the checksum of a run is wrong"))
        try:
            facts = FACTS.validate_json(text)
        except ValueError as error:
            raise self._refusal(error) from error
        return replace(facts, strategy=current_label(facts.strategy, self.aliases))

    def _refusal(self, error: Exception) -> StoreError:
        why = line(str(error))
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # a missing table or column
        if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            return StoreError(f"{self.path}: cannot be used as a store: {why}; choose another file", settings=["store"])
        return StoreError(
            f"{self.path}: is damaged or not a store of wordle-kit ({why}); it has not been changed: "
            "move it away, or choose another file",
            settings=["store"],
        )
