"""Data frames: leaderboards, plays and comparisons as columns for pandas, polars and Parquet files."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Protocol

from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.metrics import Row
from wordle_kit.leaderboard.turns import words_left
from wordle_kit.texts import plain
from wordle_kit.tournaments.store import RunFacts, StoredRun

if TYPE_CHECKING:
    import pandas
    import polars

Kind = Literal["text", "truth", "whole", "whole or none", "real"]

NO_COUNT = -1
"""What stands for a number of words left that nobody has counted."""


class Ranked(Protocol):
    """What a leaderboard's data frame is made of."""

    @property
    def facts(self) -> Sequence[RunFacts]:
        """What was played, the same for all strategies but for who played it."""

    @property
    def rows(self) -> Sequence[Row]:
        """A row a strategy."""


@dataclass
class Values:
    """A column: its values, all of one kind, of which the text and some numbers may be None."""

    kind: Kind
    values: list[Any] = field(default_factory=list)


@dataclass
class Words:
    """A column of texts of which few differ: their numbers, and the texts by number."""

    names: dict[str, int] = field(default_factory=dict)
    numbers: "array[int]" = field(default_factory=lambda: array("i"))

    def append(self, text: str) -> None:
        """Add a text."""
        self.numbers.append(self.names.setdefault(text, len(self.names)))

    @property
    def texts(self) -> list[str]:
        """The different texts by number, as UTF-8 can have them."""
        return [plain(text) for text in self.names]


@dataclass
class Counts:
    """A column of whole numbers, of which NO_COUNT is none."""

    numbers: "array[int]" = field(default_factory=lambda: array("i"))


Column = Values | Words | Counts
Columns = Mapping[str, Column]

ROW: dict[str, Kind] = {
    "game": "text",
    "hard_mode": "truth",
    "puzzles": "text",
    "strategy": "text",
    "version": "text",
    "plugin": "text",
    "games": "whole",
    "solved": "whole",
    "failed": "whole",
    "total_guesses": "whole",
    "mean": "real",
    "interval_low": "real",
    "interval_high": "real",
    "std": "real",
    "min": "whole",
    "median": "real",
    "max": "whole",
    "over_perfect": "whole or none",
    "excellent": "real",
    "failure": "real",
    "opener": "text",
    "opener_share": "real",
    "openers": "text",
    "slowest": "text",
    "decisions": "whole",
    "ms_per_decision": "real",
    "problem": "text",
}
"""The columns that the data frame of a leaderboard always has."""

COMPARISON: dict[str, Kind] = {
    "first": "text",
    "second": "text",
    "puzzles": "whole",
    "boards_solved": "whole or none",
    "wins": "whole",
    "ties": "whole",
    "losses": "whole",
    "mean_first": "real",
    "mean_second": "real",
    "mean_difference": "real",
    "interval_low": "real",
    "interval_high": "real",
}
"""The columns that the data frame of a comparison always has."""


def of_leaderboards(boards: Iterable[Ranked]) -> Columns:
    """Return leaderboards as columns, a row for each strategy of each."""
    rows = []
    for board in boards:
        played = board.facts[0]
        for row in board.rows:
            made = row.as_dict() | {"game": played.game, "hard_mode": played.hard_mode, "puzzles": played.puzzles}
            low, high = made.pop("interval") or (None, None)
            made |= {"interval_low": low, "interval_high": high}
            made["openers"] = ", ".join(made["openers"])
            made["slowest"] = " ".join(made["slowest"])
            made |= {f"took_{turns}": count for turns, count in made.pop("distribution").items()}
            made |= {f"board_{number}": turns for number, turns in enumerate(made.pop("boards"), start=1)}
            made |= {f"outcome_{outcome.replace(' ', '_')}": count for outcome, count in made.pop("outcomes").items()}
            rows.append(made)
    kinds = dict(ROW)
    further: dict[str, Kind] = {"board_": "real", "took_": "whole", "outcome_": "whole"}
    for prefix, kind in further.items():
        kinds |= dict.fromkeys(_numbered(rows, prefix), kind)
    return _columns(rows, kinds)


def of_comparison(comparison: Mapping[str, Any]) -> Columns:
    """Return a comparison as columns: a row for all boards, then on several boards one for each number solved."""
    names = {name: comparison[name] for name in ("first", "second", "puzzles")}
    rows = []
    for number, each in enumerate((comparison, *comparison["boards"])):
        low, high = each["interval"] or (None, None)
        made = names | {"boards_solved": number or None, "interval_low": low, "interval_high": high}
        made |= {name: value for name, value in each.items() if name in COMPARISON and name not in names}
        rows.append(made | {f"difference_{by}": count for by, count in each["differences"].items()})
    counts: dict[str, Kind] = dict.fromkeys(_numbered(rows, "difference_"), "whole")
    return _columns(rows, COMPARISON | counts)


def of_plays(runs: Iterable[StoredRun], game: Game | None = None) -> Columns:
    """Return plays as columns: a row for each guess of each play, and on several boards for each that was unsolved.

    The runs are read one at a time. The words left are counted if the game is given, else they are none.
    """
    strategy, answer, guess, feedback, outcome = (Words() for _ in range(5))
    puzzle, board, turn, left = (array("i") for _ in range(4))
    boards = 1
    for run in runs:
        boards = run.facts.boards
        counted = words_left(run, game) if game is not None else None
        for number, play in enumerate(run.plays):
            for at, (word, seen) in enumerate(zip(play.guesses, play.feedback, strict=True)):
                for place, shown in enumerate(seen):
                    if not shown:
                        continue
                    strategy.append(run.facts.strategy)
                    puzzle.append(number + 1)
                    answer.append(play.puzzle[place])
                    board.append(place + 1)
                    turn.append(at + 1)
                    guess.append(word)
                    feedback.append(shown)
                    left.append(NO_COUNT if counted is None else counted[number][at][place])
                    outcome.append(play.outcome.value)
    several = {"board": Counts(board)} if boards > 1 else {}
    return {
        "strategy": strategy,
        "puzzle": Counts(puzzle),
        "answer": answer,
        **several,
        "turn": Counts(turn),
        "guess": guess,
        "feedback": feedback,
        "left": Counts(left),
        "outcome": outcome,
    }


def to_pandas(columns: Columns) -> "pandas.DataFrame":
    """Return columns as a data frame of pandas."""
    pandas = needed("pandas", "data frames of pandas", "pandas")
    kinds = {"text": None, "truth": "bool", "whole": "int64", "whole or none": "Int64", "real": "float64"}
    made = {}
    for name, column in columns.items():
        if isinstance(column, Words):
            made[name] = pandas.Series(pandas.Categorical.from_codes(column.numbers, column.texts))
        elif isinstance(column, Counts):
            counts = pandas.Series(pandas.array(column.numbers, dtype="Int32"))
            made[name] = counts.mask(counts == NO_COUNT) if name == "left" else counts.astype("int32")
        else:
            made[name] = pandas.Series(column.values, dtype=kinds[column.kind])
    return pandas.DataFrame(made)


def to_polars(columns: Columns) -> "polars.DataFrame":
    """Return columns as a data frame of polars."""
    polars = needed("polars", "data frames of polars", "polars")
    whole = polars.Int64
    kinds = {"text": polars.String, "truth": polars.Boolean, "whole": whole, "whole or none": whole}
    made = {}
    for name, column in columns.items():
        if isinstance(column, Words):
            texts = polars.Series(name, column.texts, dtype=polars.Categorical)
            made[name] = texts.gather(polars.Series(_numbers(column.numbers)))
        elif isinstance(column, Counts):
            counts = polars.Series(name, _numbers(column.numbers))
            made[name] = counts.set(counts == NO_COUNT, None) if name == "left" else counts
        else:
            made[name] = polars.Series(name, column.values, dtype=kinds.get(column.kind, polars.Float64))
    return polars.DataFrame(made)


def write_parquet(columns: Columns, target: Path | BinaryIO) -> None:
    """Write columns as a Parquet file."""
    needed("pyarrow", "Parquet", "parquet")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    kinds = {"text": arrow.string(), "truth": arrow.bool_(), "real": arrow.float64()}
    made = {}
    for name, column in columns.items():
        if isinstance(column, Words):
            made[name] = arrow.DictionaryArray.from_arrays(
                _numbers(column.numbers), arrow.array(column.texts, arrow.string())
            )
        elif isinstance(column, Counts):
            counts = _numbers(column.numbers)
            made[name] = arrow.array(counts, mask=counts == NO_COUNT)
        else:
            made[name] = arrow.array(column.values, kinds.get(column.kind, arrow.int64()))
    parquet.write_table(arrow.table(made), target)


def needed(module: str, what: str, extra: str) -> Any:
    """Return an optional module. Raises WordleKitError, naming the extra that brings it, if it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        raise WordleKitError(
            f"{what}: {module} is not installed; install it with: pip install 'wordle-kit[{extra}]'"
        ) from error


def _numbered(rows: Iterable[Mapping[str, Any]], prefix: str) -> list[str]:
    """Return the keys with this prefix, those with numbers in their order before the others."""

    def order(key: str) -> tuple[bool, int, str]:
        rest = key.removeprefix(prefix)
        return (False, int(rest), "") if rest.lstrip("+-").isdigit() else (True, 0, rest)

    return sorted({key for row in rows for key in row if key.startswith(prefix)}, key=order)


def _columns(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, Kind]) -> Columns:
    """Return rows as columns. A number of puzzles that a row does not have is 0, anything else none."""
    made: dict[str, Column] = {}
    for name, kind in kinds.items():
        values = [row.get(name, 0 if kind == "whole" else None) for row in rows]
        made[name] = Values(kind, [plain(value) if isinstance(value, str) else value for value in values])
    return made


def _numbers(numbers: "array[int]") -> Any:
    """Return numbers as an array of numpy that shares their memory."""
    import numpy as np

    return np.frombuffer(numbers, dtype=np.int32) if numbers else np.array([], dtype=np.int32)
