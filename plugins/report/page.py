"""The page of a leaderboard: one HTML file, made only from stored runs.

It has the table, the number of guesses of every play, and replays of as many puzzles as fit.
"""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.pages.html import compressed, html_of

from wordle_kit.errors import WordleKitError
from wordle_kit.game.files import WEIGHTED
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, mark_names
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import Row, place_of, ranked_by
from wordle_kit.leaderboard.plays import words_left
from wordle_kit.leaderboard.significance import holm, sign_flip_p_value
from wordle_kit.strategy.strategy import written
from wordle_kit.texts import label, line, number_of
from wordle_kit.tournaments.runs import StoredRun

HERE = Path(__file__).parent

MOST_FEEDBACK = 1_000_000
"""The most feedback in the replays of a page, one for each guess and board: about 3 MB."""

Taken = npt.NDArray[np.int64]
"""The number of guesses that each play counts as, taken[n_strategies, n_puzzles]."""


def page_of(board: Leaderboard, columns: str | Sequence[str] | None = None) -> str:
    """Return the page of a leaderboard as HTML, with these columns of its table. Nothing is played.

    If the leaderboard has its game, the page shows tiles and the number of words left after each guess. Raises
    WordleKitError if there are no strategies, or unless words were hidden as usual: another host may have made each
    strategy find other words, so no word belongs to a puzzle.
    """
    if not board.runs:
        raise WordleKitError("a page needs at least one strategy")
    rows, facts = board.rows, board.facts[0]
    if facts.host != "hidden":
        raise WordleKitError(
            f"a page shows hidden words, and these games had the host {line(facts.host)}; choose others",
            settings=["game", "puzzles"],
        )
    by_name = {run.facts.strategy: run.taken for run in board.runs}
    taken = np.array([by_name[row.strategy] for row in rows])
    kept = kept_puzzles(taken, facts.boards)
    return html_of(
        HERE,
        compressed(_data_of(board, taken, kept)),
        title=facts.game if board.game is None else board.game.title,
        facts=facts,
        game=board.game,
        is_weighted=ranked_by(facts) == "weighted_mean",
        ranks=ranks_of(rows),
        table=board.as_table(columns).rows,
        axis=axis_of(rows),
        headline=headline(rows),
        notes=board.notes,
        kept=len(kept),
        level=f"{100 * (1 - board.confidence):.6g}%",
        command=command_of(rows, board.game_file),
    )


def page_of_one(boards: Iterable[Leaderboard], columns: str | Sequence[str] | None = None) -> str:
    """Return the page of a leaderboard. Raises WordleKitError if there are several."""
    first, *others = boards
    if others:
        raise WordleKitError(
            "a page shows one leaderboard, and several were chosen; choose one", settings=["game", "puzzles", "hard"]
        )
    return page_of(first, columns)


def ranks_of(rows: Sequence[Row]) -> list[str]:
    """Return the rank of each row, the best first, such as `1`, `2=`, `2=`, `4`. Rows with the same rank have `=`."""
    keys = [place_of(row)[:2] for row in rows]
    return [f"{keys.index(key) + 1}{'=' * (keys.count(key) > 1)}" for key in keys]


def headline(rows: Sequence[Row]) -> str:
    """Return a sentence with the main result: the best strategy, its mean, and how far it is from perfect play."""
    best, more = rows[0], _over_perfect(rows[0])
    mean, failures, _ = place_of(best)
    said = f"{label(best.strategy)} needs {mean:.3f} guesses on average"
    if more == 0:
        said += ", as many as perfect play"
    elif more is not None:
        said += f", in all {number_of(more, 'guess', 'guesses')} more than perfect play"
    if best.failed:
        said += f", and fails on {number_of(best.failed, 'puzzle')}"
    ties = [label(row.strategy) for row in rows[1:] if place_of(row)[:2] == (mean, failures)]
    if ties:
        said += f"; so {'does' if len(ties) == 1 else 'do'} {', '.join(ties[:3])}{' and others' * (len(ties) > 3)}"
    return f"{said}."


def _over_perfect(row: Row) -> int | None:
    """Return the total of guesses minus that of perfect play, or None if strategies are ranked by something else."""
    return row.over_perfect if ranked_by(row.facts) == "mean" else None


class Axis(NamedTuple):
    """The means of all strategies on one axis, whose ends are texts. Places on it are in percent of its length."""

    first: str
    last: str
    means: list[float]
    intervals: list[tuple[float, float]]
    """The confidence interval of each mean, cut off where no mean is possible, or the mean twice."""
    perfect: float | None
    """Perfect play, if it is known."""


def axis_of(rows: Sequence[Row]) -> Axis:
    """Return the means by which strategies are ranked on one axis."""
    means = [place_of(row)[0] for row in rows]
    most = rows[0].facts.cap + 1
    intervals = [
        (max(1.0, row.interval[0]), min(most, row.interval[1])) if row.interval else (mean, mean)
        for row, mean in zip(rows, means, strict=True)
    ]
    more = _over_perfect(rows[0])
    perfect = None if more is None else means[0] - more / rows[0].games
    every = [*np.ravel(intervals), *([] if perfect is None else [perfect])]
    first, last = float(min(every)), float(max(every))

    def place(value: float) -> float:
        return round(100 * (value - first) / (last - first or 1), 2)

    return Axis(
        f"{first:.3f}",
        f"{last:.3f}",
        [place(mean) for mean in means],
        [(place(low), place(high)) for low, high in intervals],
        None if perfect is None else place(perfect),
    )


def kept_puzzles(taken: Taken, boards: int, most: int = MOST_FEEDBACK) -> list[int]:
    """Return the puzzles that can be replayed: the hardest ones, with at most `most` pieces of feedback."""
    pieces = taken.sum(axis=0) * boards
    hardest = np.argsort(-pieces, kind="stable")
    return sorted(hardest[np.cumsum(pieces[hardest]) <= most].tolist())


def significance_of(rows: Sequence[Row], taken: Taken, confidence: float) -> list[list[bool | None]]:
    """Return for each two strategies whether their difference is significant, or None if it has no p-value.

    The p-values are those of `compare`, adjusted by Holm's method for all pairs. Only samples have them, and only
    strategies that were able to play.
    """
    pairs = list(combinations([place for place, row in enumerate(rows) if row.interval], 2))
    p_values = holm([sign_flip_p_value(taken[first] - taken[second]) for first, second in pairs])
    found: list[list[bool | None]] = [[None] * len(rows) for _ in rows]
    for (first, second), p_value in zip(pairs, p_values, strict=True):
        found[first][second] = found[second][first] = p_value <= 1 - confidence
    return found


def command_of(rows: Sequence[Row], game: str | None = None) -> str:
    """Return the command line that plays these strategies again, with a seed or a secret for the random ones.

    `game` is the name or the file of the game, by default the name under which it was played. FILE stands for a file of
    puzzles or weights whose path is not known.
    """
    facts = rows[0].facts
    seeds = [row.facts.seed for row in rows if row.facts.stochastic and row.facts.secret is None]
    secrets = {row.facts.secret for row in rows if row.facts.secret is not None}
    several = facts.game.endswith(f"-x{facts.boards}")
    name, weighted, _ = facts.game.removesuffix(f"-x{facts.boards}").partition(WEIGHTED)
    drawn = facts.drawn_with is not None
    options: dict[str, Any] = {
        "--game": game or name,
        "--weights": "FILE" if weighted else None,
        "--boards": facts.boards if several else None,
        "--hard": facts.hard_mode,
        "--puzzles": facts.n_puzzles if drawn else None if facts.is_all else "FILE",
        "--sample": facts.is_sample and not facts.is_all and not drawn,
        "--seed": facts.drawn_with if drawn else min(seeds, default=None),
        "--secret": secrets.pop() if len(secrets) == 1 and not seeds else None,
        "--repeats": facts.repeats,
    }
    words = ["wordle-kit", "tournament"]
    for option, value in options.items():
        if value is not None and value is not False:
            words += [option] if value is True else [option, str(value)]
    return shlex.join([*words, *(word for row in rows for word in ("-s", row.strategy))])


def _data_of(board: Leaderboard, taken: Taken, kept: Sequence[int]) -> dict[str, Any]:
    """Return the data for the page's script. Words and feedback are numbered, and plays have their numbers."""
    rows, facts, game = board.rows, board.facts[0], board.game
    rule = None if game is None else game.rule
    words, feedback = _numbers(), _numbers()
    puzzles: list[list[int]] = []
    plays = {}
    for run in board.runs:
        puzzles = puzzles or [[words[word] for word in play.puzzle] for play in run.plays]
        plays[run.facts.strategy] = _plays_of(run, kept, game, words, feedback)
    return {
        "strategies": [
            _strategy_of(row) | plays[row.strategy] | {"taken": own.tolist()}
            for row, own in zip(rows, taken, strict=True)
        ],
        "puzzles": puzzles,
        "kept": list(kept),
        "significant": significance_of(rows, taken, board.confidence),
        "boards": facts.boards,
        "maxGuesses": facts.max_guesses,
        "cap": facts.cap,
        "weights": facts.weights if ranked_by(facts) == "weighted_mean" else None,
        "words": [[line(word)] if game is None else list(game.alphabet.split(word)) for word in words],
        "separator": "" if game is None else game.alphabet.separator,
        "feedback": list(feedback),
        "pictures": [text if game is None or not text else game.read_feedback(text).tiles for text in feedback],
        "marks": mark_names(rule),
        "legend": "" if rule is None or isinstance(rule, MarksRule) else line(rule.legend(), None),
    }


def _strategy_of(row: Row) -> dict[str, Any]:
    """Return what the view of a strategy shows: its parameters and its figures as the leaderboard shows them."""
    left_out = {"strategy", "distribution"} | ({"boards"} if row.facts.boards == 1 else set())
    figures = [
        (line(metric.header), line(str(cell)))
        for metric in row.metrics
        if metric.header is not None and metric.name not in left_out
        if (cell := metric.cell(row)) not in (None, "")
    ]
    return {
        "name": label(row.strategy),
        "summary": line(row.facts.summary),
        "parameters": [f"{line(name)}={line(written(value))}" for name, value in row.facts.parameters.items()],
        "figures": figures,
        "distribution": list(row.distribution.items()),
        "isRandom": row.facts.stochastic,
    }


def _plays_of(
    run: StoredRun, kept: Sequence[int], game: Game | None, words: dict[str, int], feedback: dict[str, int]
) -> dict[str, Any]:
    """Return the plays to replay, and how those ended that did not solve their puzzle, by place.

    A play is a list of turns. A turn is a list: the guess, the feedback of each board, and the number of words left on
    each board if the game is known.
    """
    plays = [run.plays[puzzle] for puzzle in kept]
    left = None if game is None else words_left(StoredRun(run.id, run.facts, tuple(plays), 0, 0.0), game)
    return {
        "plays": [
            [
                [words[guess], *(feedback[text] for text in seen), *([] if left is None else left[place][turn])]
                for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True))
            ]
            for place, play in enumerate(plays)
        ],
        "failures": {
            place: line(f"{play.outcome.value}: {play.message}" if play.message else play.outcome.value)
            for place, play in enumerate(plays)
            if play.outcome != "solved"
        },
    }


def _numbers() -> defaultdict[str, int]:
    """Return numbers for texts, in the order in which they are first looked up: 0, 1, 2, ..."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers
