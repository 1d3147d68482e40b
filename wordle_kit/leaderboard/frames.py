"""Leaderboards, plays and comparisons as columns, for data frames and Parquet files."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from wordle_kit.dataframes import NO_COUNT, Column, Columns, Counts, Kind, Values, Words
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.metrics import WEIGHTED, Row
from wordle_kit.leaderboard.turns import words_left
from wordle_kit.texts import plain
from wordle_kit.tournaments.runs import RunFacts, StoredRun


class Ranked(Protocol):
    """The part of a leaderboard that data frames need."""

    @property
    def facts(self) -> Sequence[RunFacts]:
        """The facts of the tournament; between strategies, they differ only in the strategy."""

    @property
    def rows(self) -> Sequence[Row]:
        """A row for each strategy."""


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
    """Return leaderboards as columns, with a row for each strategy of each leaderboard."""
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
    kinds |= {name: "real" for name in WEIGHTED if any(name in row for row in rows)}
    further: dict[str, Kind] = {"board_": "real", "took_": "whole", "outcome_": "whole"}
    for prefix, kind in further.items():
        kinds |= dict.fromkeys(_numbered(rows, prefix), kind)
    return _columns(rows, kinds)


def of_comparison(comparison: Mapping[str, Any]) -> Columns:
    """Return a comparison as columns: a row for all boards and, with several, one for each number of solved boards."""
    names = {name: comparison[name] for name in ("first", "second", "puzzles")}
    rows = []
    for number, each in enumerate((comparison, *comparison["boards"])):
        low, high = each["interval"] or (None, None)
        made = names | {"boards_solved": number or None, "interval_low": low, "interval_high": high}
        made |= {name: value for name, value in each.items() if name in COMPARISON and name not in names}
        rows.append(made | {f"difference_{by}": count for by, count in each["differences"].items()})
    if "weighted" in comparison:
        rows[0] |= {f"weighted_{name}": value for name, value in comparison["weighted"].items()}
    kinds: dict[str, Kind] = dict.fromkeys(_numbered(rows, "difference_"), "whole")
    kinds |= dict.fromkeys((f"weighted_{name}" for name in comparison.get("weighted", ())), "real")
    return _columns(rows, COMPARISON | kinds)


def of_plays(runs: Iterable[StoredRun], game: Game | None = None) -> Columns:
    """Return plays as columns: a row for each guess of each play, and with several boards for each unsolved one.

    The runs are read one at a time. The remaining words are counted if the game is given; otherwise they are missing.
    If puzzles have weights, so do the rows.
    """
    strategy, answer, guess, feedback, outcome = (Words() for _ in range(5))
    puzzle, board, turn, left = (array("i") for _ in range(4))
    weight = Values("real")
    boards, weights = 1, None
    for run in runs:
        boards, weights = run.facts.boards, run.facts.weights
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
                    if weights is not None:
                        weight.values.append(weights[number])
    several = {"board": Counts(board)} if boards > 1 else {}
    return {
        "strategy": strategy,
        "puzzle": Counts(puzzle),
        "answer": answer,
        **several,
        "turn": Counts(turn),
        "guess": guess,
        "feedback": feedback,
        "left": Counts(left, has_gaps=True),
        "outcome": outcome,
        **({"weight": weight} if weights is not None else {}),
    }


def _numbered(rows: Iterable[Mapping[str, Any]], prefix: str) -> list[str]:
    """Return the keys with this prefix: first those that end in numbers, in numerical order, then the others."""

    def order(key: str) -> tuple[bool, int, str]:
        rest = key.removeprefix(prefix)
        return (False, int(rest), "") if rest.lstrip("+-").isdigit() else (True, 0, rest)

    return sorted({key for row in rows for key in row if key.startswith(prefix)}, key=order)


def _columns(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, Kind]) -> Columns:
    """Return rows as columns. A number of puzzles that a row lacks is 0; any other value is None."""
    made: dict[str, Column] = {}
    for name, kind in kinds.items():
        values = [row.get(name, 0 if kind == "whole" else None) for row in rows]
        made[name] = Values(kind, [plain(value) if isinstance(value, str) else value for value in values])
    return made
