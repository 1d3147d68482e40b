"""A file in the user's data folder with the puzzles that a player has finished, and the statistics of a game."""

import hashlib
from collections import Counter
from pathlib import Path

import platformdirs
from pydantic import TypeAdapter, ValidationError

from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.session import Session

Record = dict[str, dict[str, int]]
"""For each game, by its fingerprint: the guesses of each finished puzzle, oldest first, or 0 if it was not solved. A
puzzle is named by a hash of its hidden words.
"""

RECORD = TypeAdapter(Record)


def record_path() -> Path:
    """Return the path of the file of the record."""
    return platformdirs.user_data_path("wordle-kit", appauthor=False) / "games.json"


def read_record(path: Path) -> Record:
    """Return the record in a file, or an empty one if there is no file. Raises WordleKitError if it is not a record."""
    try:
        return RECORD.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        raise WordleKitError(f"{path}: cannot be read as a record of games; move it away to start a new one") from error


def keep(path: Path, session: Session) -> Record:
    """Write a game that is over to the file of the record, and return the record. A first result is kept."""
    record = read_record(path)
    puzzle = hashlib.sha256(" ".join(session.answers).encode()).hexdigest()[:16]
    turns = len(session.position.guess_ids) if session.is_solved else 0
    record.setdefault(session.game.fingerprint, {}).setdefault(puzzle, turns)
    write_file(path, RECORD.dump_json(record, indent=1).decode() + "\n", make_folder=True)
    return record


def statistics_of(record: Record, session: Session, block: str) -> str:
    """Return a player's statistics of a game, with bars of this block. The guesses that this puzzle took are marked."""
    turns = list(record[session.game.fingerprint].values())
    streaks = [len(streak) for streak in "".join("x" if guesses else " " for guesses in turns).split(" ")]
    counts = Counter(filter(None, turns))
    solved = f"{counts.total() / len(turns):.0%}"
    lines = [f"played {len(turns)}, solved {solved}, current streak {streaks[-1]}, longest {max(streaks)}"]
    for number in range(1, session.game.max_guesses + 1):
        if session.game.max_guesses <= 10 or counts[number]:
            bar = block * round(counts[number] / max(counts.values(), default=1) * 20)
            mine = " <" if session.is_solved and len(session.position.guess_ids) == number else ""
            lines.append(f"{number:>3} {bar}{' ' if bar else ''}{counts[number]}{mine}")
    return "\n".join(lines)
