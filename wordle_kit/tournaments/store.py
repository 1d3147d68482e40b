"""The store: results of plays in SQLite, so that nothing is played twice and an interrupted tournament goes on."""

import contextlib
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import TypeAdapter

from wordle_kit.errors import StoreError
from wordle_kit.tournaments.referee import Outcome, Play

APPLICATION_ID = 0x574B4954
"""What marks a file as a store of wordle-kit."""

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    facts TEXT NOT NULL
) STRICT;
CREATE TABLE chunks (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    puzzles INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run, chunk)
) STRICT, WITHOUT ROWID;
CREATE TABLE plays (
    run INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    puzzle INTEGER NOT NULL,
    answers TEXT NOT NULL,
    guesses TEXT NOT NULL,
    feedback TEXT NOT NULL,
    outcome TEXT NOT NULL,
    turns INTEGER,
    message TEXT NOT NULL,
    PRIMARY KEY (run, puzzle),
    FOREIGN KEY (run, chunk) REFERENCES chunks ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
"""
BUSY_SECONDS = 60.0


@dataclass(frozen=True)
class RunFacts:
    """What is played by whom: everything a leaderboard needs to know of a run besides its plays."""

    game: str
    fingerprint: str
    boards: int
    max_guesses: int
    cap: int
    hard_mode: bool
    puzzles: str
    puzzles_fingerprint: str
    n_puzzles: int
    is_sample: bool
    seed: int
    strategy: str
    version: str
    plugin: str
    stochastic: bool
    parameters: dict[str, Any]
    versions: dict[str, str]


FACTS = TypeAdapter(RunFacts)


@dataclass(frozen=True)
class StoredRun:
    """A run as the store has it: its facts, its plays in the order of the puzzles, and the thinking they took."""

    id: int
    facts: RunFacts
    plays: tuple[Play, ...]
    calls: int
    seconds: float


class Store:
    """A file of results, or a store in memory without a path. Every method is one transaction.

    Several processes may use one file at once. A file that is damaged, or no store, is reported and left as it is.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
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
                f"{path}: cannot be made: {error.strerror or error}; choose another with --store"
            ) from error
        except (sqlite3.Error, UnicodeError) as error:
            raise self._refusal(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def run(self, key: str, facts: RunFacts) -> int:
        """Return the number of the run with this key, a new one if there is none."""
        with self._transaction() as execute:
            execute("INSERT OR IGNORE INTO runs (key, facts) VALUES (?, ?)", (key, json.dumps(vars(facts))))
            row = execute("SELECT id FROM runs WHERE key = ?", (key,)).fetchone()
            return int(row[0])

    def forget(self, run: int) -> None:
        """Drop what a run has played so far."""
        with self._transaction() as execute:
            execute("DELETE FROM chunks WHERE run = ?", (run,))

    def drop(self, run: int, unwanted: Callable[[str], bool]) -> None:
        """Drop the chunks of a run in which a play has a message that is not wanted, so that they are played again."""
        with self._transaction() as execute:
            messages = execute("SELECT DISTINCT chunk, message FROM plays WHERE run = ?", (run,)).fetchall()
            for chunk in {chunk for chunk, message in messages if unwanted(message)}:
                execute("DELETE FROM chunks WHERE run = ? AND chunk = ?", (run, chunk))

    def finished_chunks(self, run: int) -> set[int]:
        """Return the chunks of a run that are stored."""
        with self._transaction() as execute:
            return {chunk for (chunk,) in execute("SELECT chunk FROM chunks WHERE run = ?", (run,))}

    def add(self, run: int, chunk: int, first: int, plays: Sequence[Play], calls: int, seconds: float) -> None:
        """Store the plays of a chunk, the first of puzzle `first`; one that is there already stays as it is."""
        with self._transaction() as execute:
            added = execute(
                "INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?)", (run, chunk, len(plays), calls, seconds)
            )
            if not added.rowcount:
                return
            for puzzle, play in enumerate(plays, start=first):
                texts = ["\n".join(part) for part in (play.puzzle, play.guesses, map("\t".join, play.feedback))]
                ending = (play.outcome.value, play.turns, play.message)
                execute(
                    "INSERT INTO plays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (run, chunk, puzzle, *texts, *ending),
                )

    def runs(self) -> list[tuple[int, RunFacts, int]]:
        """Return all runs, the oldest first: number, facts, and how many puzzles are played."""
        with self._transaction() as execute:
            rows = execute(
                "SELECT id, facts, (SELECT count(*) FROM plays WHERE run = id) FROM runs ORDER BY id"
            ).fetchall()
        return [(number, self._facts(facts), played) for number, facts, played in rows]

    def read(self, run: int) -> StoredRun:
        """Return a run with its plays."""
        with self._transaction() as execute:
            (facts,) = execute("SELECT facts FROM runs WHERE id = ?", (run,)).fetchone()
            sums = "SELECT total(puzzles), total(calls), total(seconds) FROM chunks WHERE run = ?"
            puzzles, calls, seconds = execute(sums, (run,)).fetchone()
            rows = execute(
                "SELECT answers, guesses, feedback, outcome, turns, message FROM plays WHERE run = ? ORDER BY puzzle",
                (run,),
            ).fetchall()
        try:
            plays = tuple(_play(*row) for row in rows)
        except (ValueError, TypeError, AttributeError) as error:
            raise self._refusal(error) from error
        if len(plays) != puzzles:
            raise self._refusal(ValueError(f"of {puzzles:g} plays {len(plays)} are left"))
        return StoredRun(run, self._facts(facts), plays, int(calls), seconds)

    def _open(self) -> None:
        connection = self._connection
        connection.execute("PRAGMA foreign_keys = ON")
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if tables and application != APPLICATION_ID:
            raise StoreError(f"{self.path}: is a database of another program; choose another file with --store")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if tables and version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path}: was written by another version of wordle-kit (schema {version}, here "
                f"{SCHEMA_VERSION}); choose another file with --store"
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with self._transaction() as execute:
            (version,) = execute("PRAGMA user_version").fetchone()
            if version != SCHEMA_VERSION:  # nobody else has made the tables in the meantime
                for statement in SCHEMA.strip().split(";\n"):
                    execute(statement)
                execute(f"PRAGMA application_id = {APPLICATION_ID}")
                execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Any]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # the first error is the one to tell
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except (sqlite3.Error, UnicodeError) as error:
            raise self._refusal(error) from error

    def _facts(self, text: str) -> RunFacts:
        try:
            return FACTS.validate_json(text)
        except ValueError as error:
            raise self._refusal(error) from error

    def _refusal(self, error: Exception) -> StoreError:
        why = " ".join(str(error).split())
        if isinstance(error, sqlite3.OperationalError):
            return StoreError(f"{self.path}: cannot be used as a store: {why}; choose another file with --store")
        return StoreError(
            f"{self.path}: is damaged or no store of wordle-kit ({why}); it is left as it is: "
            "move it away, or choose another file with --store"
        )


def _play(answers: str, guesses: str, feedback: str, outcome: str, turns: int | None, message: str) -> Play:
    made = _texts(guesses, "\n") if guesses else ()
    seen = tuple(_texts(line, "\t") for line in feedback.split("\n")) if guesses else ()
    if len(made) != len(seen):
        raise ValueError(f"{len(made)} guesses have {len(seen)} lines of feedback")
    return Play(_texts(answers, "\n"), made, seen, Outcome(outcome), turns, message)


def _texts(joined: str, separator: str) -> tuple[str, ...]:
    """Return the texts in one; equal ones are one object, since plays of several boards have millions of them."""
    return tuple(map(sys.intern, joined.split(separator)))
