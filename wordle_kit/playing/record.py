"""A file in the user's data folder with the games that a player has finished or left."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError

from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.game.game import Game
from wordle_kit.playing.session import Session


class Finished(BaseModel):
    """A puzzle that the player has finished."""

    model_config = ConfigDict(frozen=True)

    game: str
    """The fingerprint of the game."""
    puzzle: str
    """A hash of the hidden words."""
    guesses: int
    """The number of guesses, or 0 if the puzzle was not solved."""


class Unfinished(BaseModel):
    """A game that the player has left, with everything that is needed to continue it."""

    model_config = ConfigDict(frozen=True)

    option: str
    """The option with which others play the same puzzle, such as `--seed 7`."""
    answers: tuple[str, ...]
    guesses: tuple[str, ...]
    helps: dict[str, int]


@dataclass(frozen=True)
class Statistics:
    """A player's statistics of a game: puzzles finished, solved within the guesses allowed, and guesses taken."""

    played: int
    solved: int
    current: int
    """The number of puzzles solved since the last unsolved one."""
    longest: int
    """The longest series of solved puzzles."""
    counts: Counter[int]
    """The number of puzzles for each number of guesses."""


class Record(BaseModel):
    """A player's games: the finished ones, oldest first, and for each game the one that was left."""

    model_config = ConfigDict(frozen=True)

    finished: tuple[Finished, ...] = ()
    unfinished: dict[str, Unfinished] = {}

    def after(self, session: Session) -> "Record":
        """Return the record with a game that is over. If a puzzle is played again, the first result is kept."""
        game = session.game
        puzzle = hashlib.sha256(" ".join(session.answers).encode()).hexdigest()[:16]
        rest = {key: left for key, left in self.unfinished.items() if key != game.fingerprint}
        ended = Finished(
            game=game.fingerprint,
            puzzle=puzzle,
            guesses=len(session.position.guess_ids) if session.is_solved else 0,
        )
        known = any((one.game, one.puzzle) == (ended.game, ended.puzzle) for one in self.finished)
        return Record(finished=self.finished if known else (*self.finished, ended), unfinished=rest)

    def leaving(self, session: Session, option: str) -> "Record":
        """Return the record with a game that the player leaves before it is over."""
        guesses, helps = session.position.guesses, dict(session.helps)
        left = Unfinished(option=option, answers=session.answers, guesses=guesses, helps=helps)
        return Record(finished=self.finished, unfinished={**self.unfinished, session.game.fingerprint: left})

    def statistics(self, game: Game) -> Statistics:
        """Return the statistics of a game."""
        turns = [one.guesses for one in self.finished if one.game == game.fingerprint]
        current = longest = 0
        for guesses in turns:
            current = current + 1 if guesses else 0
            longest = max(longest, current)
        solved = Counter(guesses for guesses in turns if guesses)
        return Statistics(len(turns), solved.total(), current, longest, solved)


def statistics_of(record: Record, session: Session, block: str) -> str:
    """Return a player's statistics of a game, with bars of this block. The guesses that this puzzle took are marked."""
    found = record.statistics(session.game)
    share = f"{found.solved / max(1, found.played):.0%}"
    lines = [f"played {found.played}, solved {share}, current streak {found.current}, longest {found.longest}"]
    most = max(found.counts.values(), default=1)
    for turns in range(1, session.game.max_guesses + 1):
        count = found.counts[turns]
        if session.game.max_guesses > 10 and not count:
            continue
        bar = block * round(count / most * 20)
        this = " <" if session.is_solved and len(session.position.guess_ids) == turns else ""
        lines.append(f"{turns:>3} {bar}{' ' if bar else ''}{count}{this}")
    return "\n".join(lines)


def record_path() -> Path:
    """Return the path of the file of the record."""
    return platformdirs.user_data_path("wordle-kit", appauthor=False) / "games.json"


def read_record(path: Path) -> Record:
    """Return the record in a file, or an empty record if there is no file.

    Raises WordleKitError if it is not a record.
    """
    try:
        return Record.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Record()
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        raise WordleKitError(f"{path}: is not a record of games; move it away to start a new one") from error


def write_record(path: Path, record: Record) -> None:
    """Write a record to a file. Raises WordleKitError if it cannot be written."""
    write_file(path, record.model_dump_json(indent=1) + "\n", make_folder=True)
