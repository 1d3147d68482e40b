"""The store: plays in SQLite, so that nothing is played twice and an interrupted tournament can continue."""

import contextlib
import hashlib
import json
import sqlite3
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from pydantic import TypeAdapter

from wordle_kit.errors import StoreError
from wordle_kit.strategy.specs import current_label
from wordle_kit.temporary import is_dead, owner_name
from wordle_kit.texts import line, plain
from wordle_kit.tournaments.chance import new_secret
from wordle_kit.tournaments.runs import Outcome, Play, RunFacts, Skipped, StoredRun

APPLICATION_ID = 0x574B4954
"""The number that marks a SQLite file as a store of wordle-kit."""

VERSION = 5
TABLES = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    facts TEXT NOT NULL,
    digest TEXT NOT NULL
) STRICT;
CREATE TABLE chunks (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    puzzles INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    unsure INTEGER NOT NULL,
    digest TEXT NOT NULL,
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
    skipped TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (run, puzzle),
    FOREIGN KEY (run, chunk) REFERENCES chunks ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
"""
CHUNKS = "SELECT chunk, puzzles, calls, seconds, unsure, digest FROM chunks WHERE run = ? ORDER BY chunk"
PLAYS = """
SELECT chunk, puzzle, answers, guesses, feedback, outcome, turns, message, skipped, notes
FROM plays WHERE run = ? ORDER BY puzzle
"""

Execute = Callable[..., Any]
Row = Sequence[Any]

BUSY_SECONDS = 60.0

PENDING = "fresh"
"""How the key of a run begins that will replace another run. Then come the process, a number and the other run's key.
"""


FACTS = TypeAdapter(RunFacts)


class Store:
    """A results file, or a store in memory if no path is given. Every method is one transaction.

    Several processes may use one file at the same time. Every row has a checksum, so damage is noticed. A file that is
    damaged or not a store is reported and not changed.
    """

    def __init__(self, path: Path | None = None, aliases: Mapping[str, str] | None = None) -> None:
        """Open a file, or create it. Strategies that were played under an alias get their current names."""
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
        """Open a file to read its results. Raises StoreError if the file is missing or empty. Nothing is written."""
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
        """Return the number of the run with this key. A missing run is added."""
        with self._transaction() as execute:
            run = self._find(execute, key)
            return self._new(execute, key, facts) if run is None else run

    def find(self, key: str) -> int | None:
        """Return the number of the run with this key, or None if there is no such run."""
        with self._transaction() as execute:
            return self._find(execute, key)

    def replacement(self, key: str, facts: RunFacts) -> int:
        """Add a run that will replace the one with this key when `publish` is called, and return its number.

        Unfinished replacements of processes that have died are deleted.
        """
        with self._transaction() as execute:
            for run, pending in execute("SELECT id, key FROM runs WHERE key LIKE ?", (f"{PENDING} %",)).fetchall():
                if is_dead(pending.split(" ")[1]):
                    execute("DELETE FROM runs WHERE id = ?", (run,))
            return self._new(execute, f"{PENDING} {owner_name()} {uuid.uuid4().hex} {key}", facts)

    def publish(self, run: int) -> None:
        """Put a replacement in place of the run that it replaces."""
        key = self._keys[run].split(" ", 3)[3]
        with self._transaction() as execute:
            (facts,) = execute("SELECT facts FROM runs WHERE id = ?", (run,)).fetchone()
            execute("DELETE FROM runs WHERE key = ?", (key,))
            execute("UPDATE runs SET key = ?, digest = ? WHERE id = ?", (key, digest(run, key, facts), run))
        self._keys[run] = key

    def discard(self, run: int) -> None:
        """Delete a replacement that was not published."""
        with self._transaction() as execute:
            execute("DELETE FROM runs WHERE id = ? AND key LIKE ?", (run, f"{PENDING} %"))

    def remove(self, run: int) -> None:
        """Delete a run with all its plays."""
        with self._transaction() as execute:
            execute("DELETE FROM runs WHERE id = ?", (run,))

    def secret(self) -> str:
        """Return the secret of this store. It is drawn on the first call."""
        with self._transaction() as execute:
            execute("CREATE TABLE IF NOT EXISTS secrets (secret TEXT NOT NULL) STRICT")
            row = execute("SELECT secret FROM secrets").fetchone()
            if row is None:
                row = (new_secret(),)
                execute("INSERT INTO secrets VALUES (?)", row)
            return str(row[0])

    def finished_chunks(self, run: int, *, sure: bool = False) -> set[int]:
        """Return the numbers of the stored chunks of a run. `sure` leaves out chunks with unsure plays."""
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
        """Store the plays of a chunk. `puzzles` are the numbers of its puzzles, or the first of consecutive numbers.

        `unsure` is the number of unsure plays. A stored chunk with unsure plays is replaced; any other chunk is kept.
        """
        numbers = range(puzzles, puzzles + len(plays)) if isinstance(puzzles, int) else puzzles
        try:
            rows = sorted((puzzle, *as_row(play)) for puzzle, play in zip(numbers, plays, strict=True))
        except ValueError as error:
            raise StoreError(f"{self.path or 'the store'}: {error}") from error
        facts = (chunk, len(plays), calls, seconds, unsure)
        with self._transaction() as execute:
            run = self._current(execute, run)
            self._put(execute, run, facts, rows)

    def runs(self) -> list[tuple[int, RunFacts, int]]:
        """Return all runs, oldest first: number, facts, and how many puzzles have been played."""
        with self._transaction("BEGIN") as execute:
            played = dict(execute("SELECT run, count(*) FROM plays GROUP BY run").fetchall())
            rows = execute("SELECT id, key, facts, digest FROM runs ORDER BY id").fetchall()
        facts = [(row[0], row[1], self._facts(*row)) for row in rows]
        return [(run, known, played.get(run, 0)) for run, key, known in facts if not key.startswith(f"{PENDING} ")]

    def read(self, run: int) -> StoredRun:
        """Return a run with its plays. If it has been replaced, return the run that replaced it."""
        with self._transaction("BEGIN") as execute:
            run = self._current(execute, run)
            facts = execute("SELECT id, key, facts, digest FROM runs WHERE id = ?", (run,)).fetchone()
            if facts is None:
                raise StoreError(f"{self.path or 'the store'}: run {run} is no longer there; it has been played again")
            known = self._facts(*facts)
            chunks = self._chunks(execute, run, known.strategy)
        calls, seconds = sum(chunk[2] for chunk, _ in chunks), sum(chunk[3] for chunk, _ in chunks)
        try:
            every = sorted((row for _, rows in chunks for row in rows), key=lambda row: int(row[0]))
            plays = tuple(play_of(*row[1:]) for row in every)
        except (ValueError, TypeError, AttributeError) as error:
            raise self._refusal(error) from error
        return StoredRun(run, known, plays, calls, seconds)

    def merge(self, other: "Store") -> int:
        """Add the plays of another store that this one lacks, and return the number of plays added.

        Raises StoreError if the stores played the same puzzle differently. In that case, nothing is added.
        """
        added = 0
        with other.snapshot(), self._transaction() as execute:
            for theirs, _, _ in other.runs():
                key, text = other._connection.execute("SELECT key, facts FROM runs WHERE id = ?", (theirs,)).fetchone()
                facts = FACTS.validate_json(text)
                found = self._find(execute, key)
                run = self._new(execute, key, facts) if found is None else found
                ours = {chunk[0]: (chunk, rows) for chunk, rows in self._chunks(execute, run, facts.strategy)}
                for chunk, rows in other._chunks(other._connection.execute, theirs, facts.strategy):
                    is_sure = not chunk[4]
                    if chunk[0] not in ours or (is_sure and ours[chunk[0]][0][4]):
                        added += len(rows)
                        self._put(execute, run, chunk, rows)
                    elif is_sure and outcomes(rows) != outcomes(ours[chunk[0]][1]):
                        raise _contradiction(self, other, facts, ours[chunk[0]][1], rows)
        return added

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let a `with` block read the store as it is now, even if other processes write to it meanwhile."""
        with self._transaction("BEGIN"):
            yield

    def _new(self, execute: Execute, key: str, facts: RunFacts) -> int:
        try:
            text = json.dumps(writable(vars(facts)))
            FACTS.validate_json(text)  # fails for text that could not be read back
        except (ValueError, TypeError) as error:
            raise StoreError(line(f"{facts.strategy}: its parameters cannot be stored: {error}")) from error
        run = int(execute("INSERT INTO runs (key, facts, digest) VALUES (?, ?, '')", (key, text)).lastrowid)
        execute("UPDATE runs SET digest = ? WHERE id = ?", (digest(run, key, text), run))
        self._keys[run] = key
        return run

    def _put(self, execute: Execute, run: int, chunk: Row, rows: Sequence[Row]) -> None:
        """Add a chunk and its rows. A stored chunk with unsure plays is replaced; any other chunk is kept."""
        execute("DELETE FROM chunks WHERE run = ? AND chunk = ? AND unsure > 0", (run, chunk[0]))
        made = digest(run, chunk, rows)
        if execute("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", (run, *chunk, made)).rowcount:
            numbered = [(run, chunk[0], *row) for row in rows]
            self._connection.executemany("INSERT INTO plays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", numbered)

    def _chunks(self, execute: Execute, run: int, strategy: str) -> list[tuple[Row, list[Row]]]:
        """Return the chunks of a run with the rows of their plays, after checking the checksums."""
        rows: dict[int, list[Row]] = {}
        for chunk, *row in execute(PLAYS, (run,)):
            rows.setdefault(chunk, []).append(row)
        chunks = []
        for *chunk, made in execute(CHUNKS, (run,)).fetchall():
            chunks.append((chunk, rows.pop(chunk[0], [])))
            if digest(run, *chunks[-1]) != made:
                raise self._refusal(ValueError(f"the checksum of plays of {strategy} is wrong"))
        if rows:
            raise self._refusal(ValueError(f"plays of {strategy} belong to no group"))
        return chunks

    def _find(self, execute: Execute, key: str) -> int | None:
        """Return the number of the run with a key. The run's row is checked, since an index may be damaged."""
        found = execute("SELECT id FROM runs WHERE key = ?", (key,)).fetchone()
        if found is None:
            return None
        row = execute("SELECT id, key, facts, digest FROM runs WHERE id = ?", found).fetchone()
        if row is None or row[1] != key:
            raise ValueError("its index is wrong")
        self._facts(*row)
        self._keys[row[0]] = key
        return int(row[0])

    def _current(self, execute: Execute, run: int) -> int:
        """Return the number of a run, or of the run that has replaced it."""
        found = self._find(execute, self._keys[run]) if run in self._keys else run
        return run if found is None else found

    def _open(self) -> None:
        connection = self._connection
        connection.execute("PRAGMA foreign_keys = ON")
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if tables and application != APPLICATION_ID:
            raise StoreError(f"{self.path}: is a database of another program; choose another file", settings=["store"])
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if tables and version != VERSION:
            raise StoreError(
                f"{self.path}: was written by another version of wordle-kit (schema {version}, here "
                f"{VERSION}); choose another file",
                settings=["store"],
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        if version != VERSION:
            with self._transaction() as execute:
                make(execute)

    @contextlib.contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[Execute]:
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

    def _facts(self, run: int, key: str, text: str, checksum: str) -> RunFacts:
        if digest(run, key, text) != checksum:
            raise self._refusal(ValueError("the checksum of a run is wrong"))
        try:
            facts = FACTS.validate_json(text)
        except ValueError as error:
            raise self._refusal(error) from error
        return replace(facts, strategy=current_label(facts.strategy, self.aliases))

    def _refusal(self, error: Exception) -> StoreError:
        why = line(str(error))
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # no code: a table or a column is missing
        if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            return StoreError(f"{self.path}: cannot be used as a store: {why}; choose another file", settings=["store"])
        return StoreError(
            f"{self.path}: is damaged or not a store of wordle-kit ({why}); it has not been changed: "
            "move it away, or choose another file",
            settings=["store"],
        )


def outcomes(rows: Iterable[Row]) -> dict[int, Row]:
    """Return words, guesses, feedback, outcome and turns of each play, by the number of its puzzle."""
    return {row[0]: tuple(row[1:6]) for row in rows}


def _contradiction(
    ours: Store, theirs: Store, facts: RunFacts, here: Iterable[Row], there: Iterable[Row]
) -> StoreError:
    """Return the error that says that two stores played a run differently."""
    one, other = outcomes(here), outcomes(there)
    puzzle = min(number for number in one.keys() | other.keys() if one.get(number) != other.get(number))
    played = [
        "not played" if row is None else f"{' '.join(row[1].split(chr(10)))} ({row[3]})"
        for row in (one.get(puzzle), other.get(puzzle))
    ]
    return StoreError(
        f"{ours.path} and {theirs.path} have different plays of {facts.strategy} on {facts.game}, puzzle {puzzle + 1}: "
        f"{line(played[0])} and {line(played[1])}; nothing was merged; play it again in one of them, with --fresh"
    )


# Rows and checksums


def make(execute: Execute) -> None:
    """Create the tables of a new store, within a transaction."""
    (version,) = execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return  # another process has created them meanwhile
    for statement in TABLES.strip().split(";\n"):
        execute(statement)
    execute(f"PRAGMA application_id = {APPLICATION_ID}")
    execute(f"PRAGMA user_version = {VERSION}")


def digest(*facts: Any) -> str:
    """Return a checksum of facts: 32 hexadecimal digits."""
    return hashlib.sha256(json.dumps(facts, default=repr).encode()).hexdigest()[:32]


def as_row(play: Play) -> tuple[Any, ...]:
    """Return the row of a play. Raises ValueError if the play would be different when it is read back."""
    try:
        answers, guesses = _joined(play.puzzle, "\n"), _joined(play.guesses, "\n")
        feedback = _feedback(play.feedback)
        play.message.encode()
        if not play.puzzle or play.guesses == ("",) or len(play.guesses) != len(play.feedback):
            raise ValueError("it has no words, or not the feedback of each guess")
    except (ValueError, AttributeError, TypeError) as error:
        raise ValueError(f"the play of {plain(', '.join(play.puzzle))} cannot be written: {error}") from error
    skipped = play.skipped.value if play.skipped is not None else ""
    notes = json.dumps(dict(play.notes))
    return (answers, guesses, feedback, play.outcome.value, play.turns, play.message, skipped, notes)


def _joined(texts: Sequence[str], separator: str) -> str:
    """Return texts joined to one. Raises ValueError if a text contains the separator or cannot be encoded."""
    joined = separator.join(texts)
    joined.encode()
    if texts and joined.count(separator) != len(texts) - 1:
        raise ValueError(f"a text in {joined!r} has the character {separator!r}")
    return joined


def _feedback(turns: Sequence[Sequence[str]]) -> str:
    """Return the feedback of all turns, one line each, with a tab between the boards."""
    if not all(isinstance(turn, tuple) and turn for turn in turns):
        raise ValueError("the feedback of a guess is missing, or not a tuple of texts")
    lines = _joined(list(map("\t".join, turns)), "\n")
    if lines.count("\t") != sum(map(len, turns)) - len(turns):
        raise ValueError(f"the feedback {lines!r} has a tab")
    return lines


def play_of(
    answers: str, guesses: str, feedback: str, outcome: str, turns: int | None, message: str, skipped: str, notes: str
) -> Play:
    """Return the play of a row. Raises ValueError if the row is not a play."""
    made = _texts(guesses, "\n") if guesses else ()
    seen = tuple(map(_of_turn, feedback.split("\n"))) if guesses else ()
    if len(made) != len(seen):
        raise ValueError(f"{len(made)} guesses have {len(seen)} lines of feedback")
    why = Skipped(skipped) if skipped else None
    return Play(_texts(answers, "\n"), made, seen, Outcome(outcome), turns, message, why, json.loads(notes))


def writable(value: Any) -> Any:
    """Return a JSON value with every text changed so that it can be written as UTF-8."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {writable(key): writable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [writable(one) for one in value]
    return value


@lru_cache(2**16)
def _of_turn(line: str) -> tuple[str, ...]:
    """Return the feedback of a turn on each board. It is cached, since the same few lines recur in all plays."""
    return _texts(line, "\t")


def _texts(joined: str, separator: str) -> tuple[str, ...]:
    """Return the parts of a text. Equal parts are one object, which saves memory: plays may have millions of parts."""
    return tuple(map(sys.intern, joined.split(separator)))
