"""The store: plays in SQLite, so that nothing is played twice and an interrupted tournament can continue."""

import contextlib
import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from wordle_kit.errors import StoreError
from wordle_kit.texts import one_line
from wordle_kit.tournaments.runs import Outcome, Play, Played, RunFacts, StoredRun

APPLICATION_ID = 0x574B4954
"""The number that marks a SQLite file as a wordle-kit store."""

VERSION = 6
TABLES = f"""
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    facts TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS chunks (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    puzzles INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    unsure INTEGER NOT NULL,
    PRIMARY KEY (run, chunk)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS plays (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    puzzle INTEGER NOT NULL,
    answers TEXT NOT NULL,
    guesses TEXT NOT NULL,
    feedback TEXT NOT NULL,
    outcome TEXT NOT NULL,
    turns INTEGER,
    message TEXT NOT NULL,
    notes TEXT NOT NULL,
    PRIMARY KEY (run, puzzle)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION}
"""
CHUNKS = "SELECT chunk, puzzles, calls, seconds, unsure FROM chunks WHERE run = ?"
PLAYS = "SELECT * FROM plays WHERE run = ? ORDER BY puzzle"

Execute = Callable[..., Any]
Row = Sequence[Any]

READ, WRITE = "BEGIN", "BEGIN IMMEDIATE"

BUSY_SECONDS = 60.0


class Store:
    """A results file, or a store in memory if no path is given. Every method runs in one transaction.

    Several processes may use a file at the same time. A file of another program or another version of wordle-kit is
    rejected and left unchanged. All methods raise StoreError if the file cannot be used.
    """

    def __init__(self, path: Path | None = None, *, creates: bool = True) -> None:
        """Open a file. If it does not exist, create it unless `creates` is false."""
        self.path = path
        try:
            if path is not None and creates:
                path.parent.mkdir(parents=True, exist_ok=True)
            elif path is not None and not (path.is_file() and path.stat().st_size):
                raise StoreError(f"{path}: has no results yet; play a tournament first")
            self._connection = self._connected(path or ":memory:", creates)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error

    @classmethod
    def existing(cls, path: Path) -> Self:
        """Open a file that has results, which may be on read-only media. Raises StoreError if it has none."""
        return cls(path, creates=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def ensure_run(self, key: str, facts: RunFacts, *, fresh: bool = False) -> int:
        """Return the number of the run with this key. It is added if it is missing, and replaced if `fresh` is set."""
        with self._transaction(WRITE) as execute:
            if fresh:
                execute("DELETE FROM runs WHERE key = ?", (key,))
            return self._ensure_run(execute, key, facts)

    def facts(self, run: int) -> RunFacts:
        """Return the facts of a run."""
        with self._transaction() as execute:
            return self._facts(execute, run)

    def remove(self, runs: Iterable[int]) -> None:
        """Delete runs with all their plays."""
        with self._transaction(WRITE) as execute:
            for run in runs:
                execute("DELETE FROM runs WHERE id = ?", (run,))

    def finished_chunks(self, run: int) -> set[int]:
        """Return the numbers of the stored chunks of a run that have no unsure plays."""
        with self._transaction() as execute:
            return {chunk for chunk, *_, unsure in execute(CHUNKS, (run,)) if not unsure}

    def add(self, run: int, chunk: int, puzzles: Sequence[int], played: Played) -> None:
        """Store the plays of a chunk. A stored chunk with unsure plays is replaced; any other chunk is kept.

        `chunk` and `puzzles` are the numbers of the chunk and of its puzzles in the run, counted from 0.
        """
        rows = [(puzzle, *_row_from_play(play)) for puzzle, play in zip(puzzles, played.plays, strict=True)]
        with self._transaction(WRITE) as execute:
            self._facts(execute, run)  # raises an error if the run is no longer there
            self._put(execute, run, (chunk, len(rows), played.calls, played.seconds, played.unsure), rows)

    def runs(self) -> list[tuple[int, RunFacts, int]]:
        """Return the number, the facts and the number of played puzzles of each run, oldest first."""
        with self._transaction() as execute:
            played = dict(execute("SELECT run, sum(puzzles) FROM chunks GROUP BY run").fetchall())
            numbers = [run for (run,) in execute("SELECT id FROM runs ORDER BY id").fetchall()]
            return [(run, self._facts(execute, run), played.get(run, 0)) for run in numbers]

    def read(self, run: int) -> StoredRun:
        """Return a run with its plays."""
        with self._transaction() as execute:
            facts, chunks = self._facts(execute, run), execute(CHUNKS, (run,)).fetchall()
            plays = tuple(_play_from_row(*row) for _, _, _, *row in execute(PLAYS, (run,)))
        return StoredRun(run, facts, plays, sum(chunk[2] for chunk in chunks), sum(chunk[3] for chunk in chunks))

    def merge(self, other: "Store") -> int:
        """Add the plays of another store that this one lacks, and return the number of plays added.

        Raises StoreError if the stores played the same puzzle differently. In that case, nothing is added.
        """
        added = 0
        with other.snapshot(), self._transaction(WRITE) as execute:
            theirs = other._connection.execute
            for their_run, key in theirs("SELECT id, key FROM runs ORDER BY id").fetchall():
                facts = other._facts(theirs, their_run)
                run = self._ensure_run(execute, key, facts)
                if self._facts(execute, run).secret != facts.secret:  # other random numbers, so another run
                    run = self._ensure_run(execute, f"{key} {facts.secret}", facts)
                ours = {chunk[0]: chunk for chunk in execute(CHUNKS, (run,))}
                our_rows, their_rows = _rows(execute, run), _rows(theirs, their_run)
                for chunk in theirs(CHUNKS, (their_run,)).fetchall():
                    number, *_, unsure = chunk
                    if number not in ours or (ours[number][-1] and not unsure):
                        self._put(execute, run, chunk, their_rows[number])
                        added += len(their_rows[number])
                    elif not unsure and _played(our_rows[number]) != _played(their_rows[number]):
                        raise StoreError(
                            f"{self.path} and {other.path} have different plays of {one_line(facts.strategy)} on "
                            f"{one_line(facts.game)}; nothing was merged; remove them from one, with `store remove`"
                        )
        return added

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let a `with` block read the store as it is now, even while other processes write to it."""
        with self._transaction():
            yield

    def _ensure_run(self, execute: Execute, key: str, facts: RunFacts) -> int:
        execute("INSERT OR IGNORE INTO runs (key, facts) VALUES (?, ?)", (key, json.dumps(vars(facts))))
        return int(execute("SELECT id FROM runs WHERE key = ?", (key,)).fetchone()[0])

    def _facts(self, execute: Execute, run: int) -> RunFacts:
        row = execute("SELECT facts FROM runs WHERE id = ?", (run,)).fetchone()
        if row is None:
            raise StoreError(f"{self.path or 'the store'}: run {run} was removed meanwhile, perhaps to be played again")
        facts = json.loads(row[0])
        facts["weights"] = facts["weights"] and tuple(facts["weights"])
        return RunFacts(**facts)

    def _put(self, execute: Execute, run: int, chunk: Row, rows: Iterable[Row]) -> None:
        """Add a chunk and its rows. A stored chunk with unsure plays is replaced; any other chunk is kept."""
        execute("DELETE FROM chunks WHERE run = ? AND chunk = ? AND unsure > 0", (run, chunk[0]))
        if execute("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?, ?)", (run, *chunk)).rowcount:
            for row in rows:
                execute("INSERT OR REPLACE INTO plays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (run, chunk[0], *row))

    def _connected(self, path: Path | str, creates: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, uri=isinstance(path, str))
        try:
            execute = connection.execute
            # This is read before the marks, since another process may be creating the store.
            is_new = execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
            marks = [execute(f"PRAGMA {mark}").fetchone()[0] for mark in ("application_id", "user_version")]
            if not is_new and marks != [APPLICATION_ID, VERSION]:
                why = "is not a store, or one of another version of wordle-kit; choose another file"
                raise StoreError(f"{self.path}: {why}", settings=["store"])
            execute("PRAGMA foreign_keys = ON")
            if creates:
                execute("PRAGMA journal_mode = WAL")
                execute("PRAGMA synchronous = NORMAL")
            if creates and is_new:
                execute(WRITE)
                for statement in TABLES.split(";\n"):
                    execute(statement)
                execute("COMMIT")
            return connection
        except BaseException as error:
            connection.close()
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if isinstance(path, Path) and not creates and code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                # SQLite cannot make the files that it needs beside the store, so no process can write to it either.
                return self._connected(f"{path.resolve().as_uri()}?immutable=1", creates)
            raise

    @contextlib.contextmanager
    def _transaction(self, begin: str = READ) -> Iterator[Execute]:
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

    def _refusal(self, error: Exception) -> StoreError:
        why = one_line(str(error))
        return StoreError(f"{self.path}: cannot be used as a store: {why}; choose another file", settings=["store"])


# Rows


def _row_from_play(play: Play) -> tuple[Any, ...]:
    """Return the row of a play, without the numbers of its run, chunk and puzzle."""
    answers, guesses = "\n".join(play.puzzle), "\n".join(play.guesses)
    feedback = "\n".join(map("\t".join, play.feedback))
    return answers, guesses, feedback, play.outcome.value, play.turns, play.message, json.dumps(dict(play.notes))


def _play_from_row(
    answers: str, guesses: str, feedback: str, outcome: str, turns: int | None, message: str, notes: str
) -> Play:
    """Return the play of a row."""
    made = _texts(guesses, "\n") if guesses else ()
    seen = tuple(map(_of_turn, feedback.split("\n"))) if guesses else ()
    return Play(_texts(answers, "\n"), made, seen, Outcome(outcome), turns, message, json.loads(notes))


def _rows(execute: Execute, run: int) -> dict[int, list[Row]]:
    """Return the rows of a run by chunk, without the numbers of run and chunk."""
    rows: dict[int, list[Row]] = {}
    for _, chunk, *row in execute(PLAYS, (run,)):
        rows.setdefault(chunk, []).append(row)
    return rows


def _played(rows: Iterable[Row]) -> list[Row]:
    """Return the parts of rows that must agree if a chunk is played twice: all but messages and notes."""
    return [row[:6] for row in rows]


@lru_cache(2**16)
def _of_turn(line: str) -> tuple[str, ...]:
    """Return the feedback on each board in a turn. It is cached, since the same few lines recur in all plays."""
    return _texts(line, "\t")


def _texts(joined: str, separator: str) -> tuple[str, ...]:
    """Return the parts of a text. Equal parts are one object, which saves memory when there are millions of plays."""
    return tuple(map(sys.intern, joined.split(separator)))
