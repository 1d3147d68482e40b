"""The leaderboard page: one HTML file, made only from stored runs.

It has the table, the number of guesses of every play, and replays of as many puzzles as fit.
"""

import shlex
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.pages.html import compressed, html_of

import wordle_kit as wk
from wordle_kit.game.files import WEIGHTED
from wordle_kit.game.rules import mark_labels
from wordle_kit.leaderboard.plays import words_left
from wordle_kit.leaderboard.rows import Row, ranked_by, ranking_key
from wordle_kit.leaderboard.significance import holm, sign_flip_p_value
from wordle_kit.strategy.strategy import in_spec
from wordle_kit.texts import number_of, one_line

HERE = Path(__file__).parent

MOST_FEEDBACK = 1_000_000
"""The most pieces of feedback in the replays of a page, one per guess and board: about 3 MB."""

Taken = npt.NDArray[np.int64]
"""The number of guesses counted for each play, taken[n_strategies, n_puzzles]."""


def page_of(board: wk.Leaderboard, columns: str | Sequence[str] | None = None) -> str:
    """Return the HTML page of a leaderboard, with these columns in its table. Nothing is played.

    Raises WordleKitError if there are no strategies, if the leaderboard does not have its game, or if the host did not
    hide words as usual: then strategies may have found different words, so a puzzle has no fixed word.
    """
    if not board.runs:
        raise wk.WordleKitError("a page needs at least one strategy")
    rows, facts, game = board.rows, board.facts[0], board.game
    if facts.host != "hidden":
        raise wk.WordleKitError(
            f"a page shows hidden words, and these games had the host {one_line(facts.host)}; choose others",
            settings=["game", "puzzles"],
        )
    if game is None:
        raise wk.WordleKitError(
            f"a page needs the game {one_line(facts.game)} as it was played, which is not known; name its file",
            settings=["game"],
        )
    by_name = {run.facts.strategy: run.guess_counts for run in board.runs}
    taken = np.array([by_name[row.strategy] for row in rows])
    kept = kept_puzzles(taken, facts.boards)
    return html_of(
        HERE,
        compressed(_data_of(board, game, taken, kept)),
        title=game.title,
        facts=facts,
        is_weighted=ranked_by(facts) == "weighted_mean",
        ranks=ranks_of(rows),
        table=board.as_table(columns).rows,
        axis=axis_of(rows),
        headline=headline(rows[0]),
        notes=board.notes,
        kept=len(kept),
        level=f"{100 * (1 - board.confidence):.6g}%",
        command=command_of(rows),
    )


def ranks_of(rows: Sequence[Row]) -> list[str]:
    """Return the ranks of the rows, best first, such as `1`, `2=`, `2=`, `4`. Ties have `=`."""
    keys = [ranking_key(row)[:2] for row in rows]
    return [f"{keys.index(key) + 1}{'=' * (keys.count(key) > 1)}" for key in keys]


def headline(best: Row) -> str:
    """Return a sentence with the mean of the best strategy, and how far it is from perfect play."""
    more = _over_perfect(best)
    said = f"{one_line(best.strategy)} needs {ranking_key(best)[0]:.3f} guesses on average"
    if more == 0:
        return f"{said}, as many as perfect play."
    if more is not None:
        said += f", in all {number_of(more, 'guess', 'guesses')} more than perfect play"
    return f"{said}."


def _over_perfect(row: Row) -> int | None:
    """Return the total number of guesses minus that of perfect play, or None if another figure ranks strategies."""
    return row.over_perfect if ranked_by(row.facts) == "mean" else None


class Axis(NamedTuple):
    """The means of all strategies on one axis, with its ends as texts. Places on it are percentages of its length."""

    first: str
    last: str
    means: list[float]
    intervals: list[tuple[float, float]]
    """The confidence interval of each mean, cut off at the limits of possible means, or the mean as both ends."""
    perfect: float | None
    """Perfect play, if it is known."""


def axis_of(rows: Sequence[Row]) -> Axis:
    """Return the means that rank the strategies, on one axis."""
    means = [ranking_key(row)[0] for row in rows]
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
    """Return the puzzles that can be replayed: the hardest ones, up to `most` pieces of feedback."""
    pieces = taken.sum(axis=0) * boards
    hardest = np.argsort(-pieces, kind="stable")
    return sorted(hardest[np.cumsum(pieces[hardest]) <= most].tolist())


def significance_of(rows: Sequence[Row], taken: Taken, confidence: float) -> list[list[bool | None]]:
    """Return for each pair of strategies whether their difference is significant, or None if it has no p-value.

    The p-values are those of `compare`, adjusted by Holm's method for all pairs. Only samples have them, and only
    strategies that were able to play.
    """
    pairs = list(combinations([place for place, row in enumerate(rows) if row.interval], 2))
    p_values = holm([sign_flip_p_value(taken[first] - taken[second]) for first, second in pairs])
    found: list[list[bool | None]] = [[None] * len(rows) for _ in rows]
    for (first, second), p_value in zip(pairs, p_values, strict=True):
        found[first][second] = found[second][first] = p_value <= 1 - confidence
    return found


def command_of(rows: Sequence[Row]) -> str:
    """Return the command line that replays these strategies, with a seed or secret for the random ones.

    The game is named as it was played. FILE stands for a file of puzzles or weights, whose path is not known.
    """
    facts = rows[0].facts
    seeds = [row.facts.seed for row in rows if row.facts.stochastic and row.facts.secret is None]
    secrets = {row.facts.secret for row in rows if row.facts.secret is not None}
    several = facts.game.endswith(f"-x{facts.boards}")
    name, weighted, _ = facts.game.removesuffix(f"-x{facts.boards}").partition(WEIGHTED)
    drawn = facts.drawn_with is not None
    options: dict[str, Any] = {
        "--game": name,
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


def _data_of(board: wk.Leaderboard, game: wk.Game, taken: Taken, kept: Sequence[int]) -> dict[str, Any]:
    """Return the data for the page's script, in which words, feedback and plays are numbers."""
    rows, facts, rule = board.rows, board.facts[0], game.rule
    words, feedback = _numbers(), _numbers()
    puzzles: list[list[int]] = []
    plays = {}
    for run in board.runs:
        puzzles = puzzles or [[words[word] for word in play.puzzle] for play in run.plays]
        plays[run.facts.strategy] = _plays_of([run.plays[puzzle] for puzzle in kept], game, words, feedback)
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
        "words": list(map(game.alphabet.split, words)),
        "separator": game.alphabet.separator,
        "texts": list(feedback),
        "pictures": [text and game.read_feedback(text).tiles for text in feedback],
        "marks": mark_labels(rule),
        "legend": "" if isinstance(rule, wk.MarksRule) else one_line(rule.legend(), None),
    }


def _strategy_of(row: Row) -> dict[str, Any]:
    """Return what the view of a strategy shows: its parameters, and its figures as on the leaderboard."""
    left_out = {"strategy", "distribution"} | ({"boards"} if row.facts.boards == 1 else set())
    figures = [
        (one_line(metric.header), one_line(str(cell)))
        for metric in row.metrics
        if metric.header is not None and metric.name not in left_out
        if (cell := metric.cell(row)) not in (None, "")
    ]
    return {
        "name": one_line(row.strategy),
        "summary": one_line(row.facts.summary),
        "parameters": [f"{one_line(name)}={one_line(in_spec(value))}" for name, value in row.facts.parameters.items()],
        "figures": figures,
        "distribution": list(row.distribution.items()),
        "isRandom": row.facts.stochastic,
    }


def _plays_of(
    plays: Sequence[wk.Play], game: wk.Game, words: dict[str, int], feedback: dict[str, int]
) -> dict[str, Any]:
    """Return the guesses of each play, the feedback and words left by turn and board, and failures by place.

    A failure says how a play that did not solve its puzzle ended.
    """
    return {
        "guesses": [[words[guess] for guess in play.guesses] for play in plays],
        "feedback": [[[feedback[text] for text in seen] for seen in play.feedback] for play in plays],
        "left": words_left(plays, game),
        "failures": {
            place: one_line(f"{play.outcome.value}: {play.message}" if play.message else play.outcome.value)
            for place, play in enumerate(plays)
            if play.outcome != "solved"
        },
    }


def _numbers() -> defaultdict[str, int]:
    """Return numbers for texts in the order of their first look-up: 0, 1, 2, ..."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers
