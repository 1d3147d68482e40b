"""The schema of stores: the tables, their rows, and checksums."""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from wordle_kit.texts import plain
from wordle_kit.tournaments.outcome import Outcome, Play, Skipped

APPLICATION_ID = 0x574B4954
"""The number that marks a SQLite file as a store of wordle-kit."""

VERSION = 3
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
    PRIMARY KEY (run, puzzle),
    FOREIGN KEY (run, chunk) REFERENCES chunks ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
"""
CHUNK = "SELECT chunk, puzzles, calls, seconds, unsure FROM chunks WHERE run = ? ORDER BY chunk"
PLAYS = """
SELECT chunk, puzzle, answers, guesses, feedback, outcome, turns, message, skipped
FROM plays WHERE run = ? ORDER BY puzzle
"""

Execute = Callable[..., Any]
Row = Sequence[Any]


def make(execute: Execute) -> None:
    """Create the tables of a new store, within a transaction."""
    (version,) = execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return  # another process has made them meanwhile
    for statement in TABLES.strip().split(";\n"):
        execute(statement)
    execute(f"PRAGMA application_id = {APPLICATION_ID}")
    execute(f"PRAGMA user_version = {VERSION}")


def digest(*facts: Any) -> str:
    """Return a checksum of facts: 32 hexadecimal digits."""
    return hashlib.sha256(json.dumps(facts, default=repr).encode()).hexdigest()[:32]


def digest_of_plays(run: int, chunk: Row, rows: Sequence[Row]) -> str:
    """Return the checksum of a chunk and the rows of its plays, without the last column where it is empty."""
    return digest(run, chunk, [list(row) if row[-1] else list(row)[:-1] for row in rows])


def row_of(play: Play) -> tuple[Any, ...]:
    """Return the row of a play. Raises ValueError if the play could not be read back unchanged."""
    try:
        answers, guesses = _joined(play.puzzle, "\n"), _joined(play.guesses, "\n")
        feedback = _feedback(play.feedback)
        play.message.encode()
        if not play.puzzle or play.guesses == ("",) or len(play.guesses) != len(play.feedback):
            raise ValueError("it has no words, or not the feedback of each guess")
    except (ValueError, AttributeError, TypeError) as error:
        raise ValueError(f"the play of {plain(', '.join(play.puzzle))} cannot be written: {error}") from error
    skipped = play.skipped.value if play.skipped is not None else ""
    return (answers, guesses, feedback, play.outcome.value, play.turns, play.message, skipped)


def _joined(texts: Sequence[str], separator: str) -> str:
    """Return texts as one. Raises ValueError if one of them has the separator or cannot be encoded."""
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
    answers: str, guesses: str, feedback: str, outcome: str, turns: int | None, message: str, skipped: str
) -> Play:
    """Return the play of a row. Raises ValueError if the row is not a play."""
    made = _texts(guesses, "\n") if guesses else ()
    seen = tuple(map(_of_turn, feedback.split("\n"))) if guesses else ()
    if len(made) != len(seen):
        raise ValueError(f"{len(made)} guesses have {len(seen)} lines of feedback")
    why = Skipped(skipped) if skipped else None
    return Play(_texts(answers, "\n"), made, seen, Outcome(outcome), turns, message, why)


def writable(value: Any) -> Any:
    """Return a JSON value with every text changed so that it can be written as UTF-8."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {writable(key): writable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [writable(one) for one in value]
    return value


def by_chunk(rows: Iterable[Row]) -> dict[int, list[Row]]:
    """Return the rows of plays by chunk, without the column of the chunk."""
    chunks: dict[int, list[Row]] = {}
    for chunk, *row in rows:
        chunks.setdefault(chunk, []).append(row)
    return chunks


@lru_cache(2**16)
def _of_turn(line: str) -> tuple[str, ...]:
    """Return the feedback of a turn on each board. Plays have the same few lines again and again."""
    return _texts(line, "\t")


def _texts(joined: str, separator: str) -> tuple[str, ...]:
    """Split a text. Equal parts are the same object, since plays of several boards have millions of them."""
    return tuple(map(sys.intern, joined.split(separator)))
