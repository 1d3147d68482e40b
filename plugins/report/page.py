"""The page of a leaderboard: one self-contained HTML file, made only from stored runs.

It has the table, the number of guesses of every play, and replays of as many puzzles as fit.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.pages.html import Numbering, html_of, packed, varints

from wordle_kit.errors import WordleKitError
from wordle_kit.game.files import WEIGHTED
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, mark_names
from wordle_kit.leaderboard.columns import BARS, bars_of, columns_in, default_columns, weighted_note
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import Metric, Row, place_of, ranked_by, row_of, works
from wordle_kit.leaderboard.plays import Left, turns_of, walk
from wordle_kit.leaderboard.significance import (
    half_width_per_deviation,
    holm,
    in_percent,
    least_deviation,
    sign_flip_p_value,
)
from wordle_kit.strategy.strategy import written
from wordle_kit.texts import label, line, number_of, shell_word
from wordle_kit.tournaments.host import HIDDEN, Adversary
from wordle_kit.tournaments.runs import RunFacts, StoredRun

HERE = Path(__file__).parent

MESSAGES = 200
"""The most different failure messages per strategy on a page. Further failures are shown without a message."""


Turns = npt.NDArray[np.uint16]
"""The number of guesses that each play counts as, turns[n_strategies, n_puzzles]."""

MOST_FEEDBACK = 2_000_000
"""The approximate maximum of feedback in the replays of a page, one for each guess and board: about 4 MB when packed.
"""

OF_A_PAIR = 20
"""For each pair of strategies, the page lists this many puzzles on which they differ most. For each strategy, it lists
this many on which it took longest.
"""

ABOUT_RANK = "The place by mean guesses, then by failures. Strategies with the same figures share a place."


class Ranked(NamedTuple):
    """The result of reading a run once: its figures, each puzzle's guesses, and its place among the given runs."""

    row: Row
    taken: npt.NDArray[np.int32]
    place: int


def ranked(board: Leaderboard) -> list[Ranked]:
    """Return the figures of the runs of a leaderboard, the best run first.

    Each run is read only once, because reading takes longer than everything else, and is not kept.
    """
    read = [
        Ranked(row_of(run, board.metrics, board.confidence), np.array(run.taken, dtype=np.int32), place)
        for place, run in enumerate(board.runs)
    ]
    return sorted(read, key=lambda one: place_of(one.row))


@dataclass(frozen=True)
class Cell:
    """A cell of the leaderboard: its text and its sort key."""

    column: str
    text: str
    value: str
    is_number: bool


def page_of_one(boards: Iterable[Leaderboard]) -> str:
    """Return the page of a leaderboard. Raises WordleKitError if there are several."""
    first, *more = itertools.islice(boards, 2)
    if more:
        raise WordleKitError(
            "a page shows one leaderboard, and several were chosen; choose one", settings=["game", "puzzles", "hard"]
        )
    return page_of(first)


def page_of(board: Leaderboard) -> str:
    """Return the page of a leaderboard as HTML. Nothing is played.

    Runs are read one at a time, and each is read twice, so they may be in a store. If the leaderboard has its game, the
    page shows tiles and the number of words left after each guess. It shows the command that plays again.
    """
    runs, game, confidence = board.runs, board.game, board.confidence
    if not len(runs):
        raise WordleKitError("a page needs at least one strategy")
    check_hides_words("a page", runs[0].facts, ["game", "puzzles"])
    read = ranked(board)
    rows = [one.row for one in read]
    facts = rows[0].facts
    strategies = [row.strategy for row in rows]
    seeds = sorted({row.facts.seed for row in rows if row.facts.stochastic and row.facts.secret is None})
    secrets = sorted({row.facts.secret for row in rows if row.facts.secret is not None})
    if game is not None and game.fingerprint != facts.fingerprint:
        raise WordleKitError(
            f"{game.name} is not the game that was played, or its words or rule have changed since then"
        )
    usual = ["distribution" if name == BARS else name for name in default_columns(rows)]
    columns = columns_in(rows)
    columns = {name: columns[name] for name in dict.fromkeys((*usual, *columns))}
    turns = np.array([one.taken for one in read], dtype=np.uint16)
    kept = kept_puzzles(turns, facts.boards)
    return html_of(
        HERE,
        _payload(runs, read, turns, kept, game, confidence),
        title=game.title if game is not None else facts.game,
        facts=facts,
        game=game,
        rows=rows,
        ranks=ranks_of(rows),
        cells=[[cell_of(row, metric) for metric in columns.values()] for row in rows],
        bars=bars_of(rows),
        headline=headline(rows, facts),
        means=means_of(rows, facts),
        columns={name: line(str(metric.header)) for name, metric in columns.items()},
        sentences={"rank": ABOUT_RANK, **{name: metric.sentence for name, metric in columns.items()}},
        usual=usual,
        ranked_by=ranked_by(facts),
        weighted_note=weighted_note(facts),
        left_out=(*board.left_out, *board.not_kept),
        kept=len(kept),
        seeds=seeds,
        secrets=secrets,
        confidence=in_percent(confidence),
        level=in_percent(1 - confidence),
        command=command_of(
            facts,
            strategies,
            seeds[0] if seeds else None,
            board.game_file,
            secrets[0] if len(secrets) == 1 and not seeds else None,
        ),
    )


def command_of(
    facts: RunFacts, strategies: Sequence[str], seed: int | None, game: str | None, secret: str | None
) -> str:
    """Return the command line that plays these strategies again, with a seed or a secret for the random ones.

    `game` is the name or the file of the game, by default the name under which it was played. FILE stands for a file of
    puzzles or weights whose path is not known.
    """
    own, (name, weighted, _) = facts.game, facts.game.removesuffix(f"-x{facts.boards}").partition(WEIGHTED)
    drawn = facts.drawn_with is not None
    options = {
        "--game": game or name,
        "--weights": "FILE" if weighted else None,
        "--boards": facts.boards if own.endswith(f"-x{facts.boards}") else None,
        "--hard": facts.hard_mode,
        "--puzzles": facts.n_puzzles if drawn else None if facts.is_all else "FILE",
        "--sample": facts.is_sample and not facts.is_all and not drawn,
        "--seed": facts.drawn_with if drawn else seed,
        "--secret": secret,
        "--repeats": facts.repeats,
    }
    words = ["wordle-kit", "tournament"]
    for option, value in options.items():
        if value is not None and value is not False:
            words += [option] if value is True else [option, str(value)]
    return " ".join(map(shell_word, [*words, *(word for strategy in strategies for word in ("-s", strategy))]))


def ranks_of(rows: Sequence[Row]) -> list[str]:
    """Return the rank of each row, the best first, such as `1`, `2=`, `2=`, `4`. Rows with the same rank have `=`."""
    keys = [place_of(row)[:2] for row in rows]
    return [f"{keys.index(key) + 1}{'=' * (keys.count(key) > 1)}" for key in keys]


def headline(rows: Sequence[Row], facts: RunFacts) -> str:
    """Return a sentence with the main result: the best strategy, its mean, and how far it is from perfect play."""
    best, by = rows[0], ranked_by(facts)
    said = f"{line(best.strategy)} needs {mean_of(best, by):.3f} guesses on average"
    if best.over_perfect is not None:
        more = f"{best.over_perfect / facts.n_puzzles:.3f} more than perfect play"
        said += ", as many as perfect play" if more.startswith("0.000") else f", {more}"
    if best.failed:
        said += f", and fails on {number_of(best.failed, 'puzzle')}"
    ties = [line(row.strategy) for row in rows[1:] if place_of(row)[:2] == place_of(best)[:2]]
    if ties:
        said += f"; so {'does' if len(ties) == 1 else 'do'} {', '.join(ties[:3])}{' and others' * (len(ties) > 3)}"
    return f"{said}."


def mean_of(row: Row, by: str) -> float:
    """Return the mean by which a row is ranked."""
    mean = getattr(row, by)
    return float(row.mean if mean is None else mean)


@dataclass(frozen=True)
class Dot:
    """The mean of a strategy, and the ends of its confidence interval: as texts, and in percent of an axis."""

    name: str
    text: str
    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Means:
    """The means of strategies on one axis: dots, the texts at the ends, and perfect play in percent, if known."""

    dots: list[Dot]
    first: str
    last: str
    perfect: float | None


def means_of(rows: Sequence[Row], facts: RunFacts) -> Means:
    """Return the means of the strategies on one axis, the best first.

    Intervals are cut off where no mean is possible.
    """
    by = ranked_by(facts)
    means = [mean_of(row, by) for row in rows]
    ends = [
        (max(1.0, row.interval[0]), min(facts.cap + 1.0, row.interval[1]))
        if by == "mean" and row.interval
        else (mean, mean)
        for row, mean in zip(rows, means, strict=True)
    ]
    known = [
        mean - row.over_perfect / facts.n_puzzles
        for row, mean in zip(rows, means, strict=True)
        if row.over_perfect is not None
    ]
    perfect: float | None = known[0] if known else None
    every = [*means, *(end for pair in ends for end in pair), *([] if perfect is None else [perfect])]
    first, last = float(min(every)), float(max(every))
    span = last - first or 1.0

    def percent(value: float) -> float:
        return round(100.0 * (value - first) / span, 2)

    dots = [
        Dot(line(row.strategy), f"{mean:.3f}", percent(mean), percent(low), percent(high))
        for row, mean, (low, high) in zip(rows, means, ends, strict=True)
    ]
    return Means(dots, f"{first:.3f}", f"{last:.3f}", None if perfect is None else percent(perfect))


def check_hides_words(what: str, facts: RunFacts, settings: Sequence[str]) -> None:
    """Raise WordleKitError, which names the host, unless the usual host hid the words of a run.

    With another host, each strategy may have different words to find, so no word belongs to a puzzle.
    """
    if facts.host != HIDDEN.name:
        host = Adversary.called if facts.host == Adversary.name else f"the host {facts.host}"
        raise WordleKitError(
            f"{what} shows hidden words, and these games were played against {line(host)}; choose other games",
            settings=settings,
        )


def cell_of(row: Row, metric: Metric) -> Cell:
    """Return the cell of a row in the column of a metric."""
    text, value = metric.cell(row), row.figures[metric.name]
    if isinstance(value, dict):
        value = row.mean if metric.name == "distribution" else None if metric.kind == "text" else sum(value.values())
    shown = "" if text is None else line(str(text))
    return Cell(metric.column, shown, "" if value is None else line(str(value)), isinstance(value, int | float))


def _payload(
    runs: Sequence[StoredRun],
    read: Sequence[Ranked],
    turns: Turns,
    kept: Sequence[int],
    game: Game | None,
    confidence: float,
) -> str:
    """Return the data for the page's script, packed."""
    facts = read[0].row.facts
    n = facts.n_puzzles
    words, feedback = Numbering(), Numbering()
    if game is not None:
        feedback[str(game.show(game.winning_code))]  # the most frequent feedback gets the smallest number
    columns: list[bytes] = [b""]
    strategies: list[dict[str, Any]] = []
    for one in read:
        run, own = runs[one.place], one.row.facts
        if not strategies:
            columns[0] = varints(words[word] for play in run.plays for word in play.puzzle)
        endings = Numbering()
        ended = [endings[_ending(play.outcome.value, play.message, endings)] for play in run.plays]
        columns += [
            varints(one.taken.tolist()),
            varints(ended),
            *replays_of(run, kept, words, feedback, game).columns(),
        ]
        strategies.append(
            {
                "name": label(own.strategy),
                "summary": line(own.summary),
                "parameters": [f"{line(name)}={line(written(value))}" for name, value in own.parameters.items()],
                "stochastic": own.stochastic,
                "works": works(run),
                "endings": [_split(text) for text in endings],
            }
        )
    level = 1 - confidence
    p_values = p_values_of(turns, [bool(one["works"]) for one in strategies]) if facts.is_sample else []
    columns.append(varints(packed_p_value(value, level) for value in p_values))
    rule = game.rule if game is not None else None
    single = game is None or not (game.alphabet.separator or any(len(symbol) > 1 for symbol in game.alphabet.symbols))
    header: dict[str, Any] = {
        "strategies": strategies,
        "puzzles": n,
        "boards": facts.boards,
        "maxGuesses": facts.max_guesses,
        "cap": facts.cap,
        "rankedBy": ranked_by(facts),
        "weights": facts.weights,
        "confidence": in_percent(confidence),
        "halfWidth": half_width_per_deviation(n, facts.population, confidence) if facts.is_sample and n > 1 else None,
        "leastDeviation": least_deviation(n),
        "level": in_percent(level),
        "ofAPair": OF_A_PAIR,
        "tiles": rule.tile_set if isinstance(rule, MarksRule) else "",
        "marks": mark_names(rule),
        "legend": line(rule.legend(), None) if rule is not None else "",
        "words": list(words) if single or game is None else [game.alphabet.split(word) for word in words],
        "separator": game.alphabet.separator if game is not None else "",
        "feedback": list(feedback),
        "pictures": [text if game is None or not text else game.read_feedback(text).tiles for text in feedback],
        "left": game is not None,
        "kept": None if len(kept) == n else list(kept),
    }
    return packed(header, columns)


def p_values_of(turns: Turns, work: Sequence[bool]) -> list[float | None]:
    """Return the p-value of each pair of strategies, adjusted by Holm's method for all pairs.

    It is the same p-value as in `compare`. The pairs of the first strategy come first, then those of the second with
    later ones, and so on. A strategy that could not play has no p-value.
    """
    signed = turns.astype(np.int64)
    pairs = list(itertools.combinations(range(len(turns)), 2))
    tested = [pair for pair in pairs if turns.shape[1] > 1 and all(work[one] for one in pair)]
    found = holm([sign_flip_p_value(signed[first] - signed[second]) for first, second in tested])
    known = dict(zip(tested, found, strict=True))
    return [known.get(pair) for pair in pairs]


def packed_p_value(value: float | None, level: float) -> int:
    """Return a p-value as a whole number for the page's script, or 0 if there is none.

    The number is 1, plus 2 times the p-value in ten-thousandths, plus 1 if the p-value is significant. A p-value below
    one ten-thousandth counts as 0.
    """
    if value is None:
        return 0
    return 1 + 2 * (round(10_000 * value) if value >= 0.0001 else 0) + (value <= level)


def _ending(outcome: str, message: str, endings: Numbering) -> str:
    """Return a text that says how a play ended, without its message if there are too many different messages."""
    text = f"{outcome}\n{message}"
    return text if text in endings or len(endings) < MESSAGES else f"{outcome}\n"


def _split(ending: str) -> list[str]:
    outcome, _, message = ending.partition("\n")
    return [outcome, line(message)]


def kept_puzzles(turns: Turns, boards: int, most: int = MOST_FEEDBACK) -> list[int]:
    """Return the puzzles whose replays are kept, in ascending order: all, or as many as have `most` pieces of feedback.

    Half of the room is for the hardest puzzles. The rest is for those on which two strategies differ most, and then for
    the next hardest.
    """
    pieces = turns.sum(axis=0, dtype=np.int64) * boards
    if pieces.sum() <= most:
        return list(range(turns.shape[1]))
    hardest = hardest_first(turns)
    room = np.cumsum(pieces[hardest])
    chosen = dict.fromkeys(hardest[room <= most // 2].tolist())
    spent = int(pieces[list(chosen)].sum())
    for puzzle in (*most_different(turns), *hardest.tolist()):
        if puzzle not in chosen and spent + pieces[puzzle] <= most:
            chosen[puzzle] = None
            spent += int(pieces[puzzle])
    return sorted(chosen)


def hardest_first(turns: Turns) -> npt.NDArray[np.intp]:
    """Return the puzzles, in descending order of the guesses that all strategies together took."""
    return np.argsort(-turns.sum(axis=0, dtype=np.int64), kind="stable")


def most_different(turns: Turns) -> list[int]:
    """Return the puzzles on which two strategies differ most: the first such puzzle of each pair, then the second."""
    n = turns.shape[1]
    signed = turns.astype(np.int64)
    later = np.arange(n)  # if differences are equal, the first puzzle is taken
    lists = []
    for first in range(len(signed)):
        for second in range(first):
            keys = later - n * np.abs(signed[first] - signed[second])
            most = np.partition(keys, OF_A_PAIR)[:OF_A_PAIR] if n > OF_A_PAIR else keys
            lists.append((np.sort(most) % n).tolist())
    return [puzzle for rank in zip(*lists, strict=True) for puzzle in rank]


@dataclass(frozen=True)
class Replays:
    """The turns of a run's plays in depth-first order.

    The first turn of a play has depth 1. The guess of a turn is the number of its word plus 1. It is 0 if it is the
    same as that of the previous turn with the same parent.
    """

    depths: list[int]
    guesses: list[int]
    feedback: list[int]
    """The number of each board's feedback, turn by turn."""
    left: list[int]
    """The number of words left on each board after the turn, 0 on a solved board. It is empty if the game is not known.
    """
    endings: list[int]
    """The number of plays that ended before the first turn, then after each turn."""
    ended: list[int]
    """The indices of the plays, in the order of the turns after which they ended."""

    def columns(self) -> list[bytes]:
        """Return the lists as bytes, in the order of the fields."""
        return [varints(column) for column in vars(self).values()]


def replays_of(
    run: StoredRun, kept: Sequence[int], words: Numbering, feedback: Numbering, game: Game | None = None
) -> Replays:
    """Return the replays of some plays of a run. `words` and `feedback` give each text a number when it first appears.

    The words left are counted only if the game is given.
    """
    start = turns_of(run, kept)
    made = Replays([], [], [], [], [len(start.ended)], list(start.ended))
    left = Left(game) if game is not None else None
    same: dict[int, str] = {}  # at each depth, the previous guess with the same parent
    for depth, guess, seen, turn in walk(start):
        made.depths.append(depth)
        made.guesses.append(0 if same.get(depth) == guess else words[guess] + 1)
        made.feedback.extend(feedback[text] for text in seen)
        made.endings.append(len(turn.ended))
        made.ended.extend(turn.ended)
        if left is not None:
            made.left.extend(left.after(depth, guess, seen))
        same[depth] = guess
        same.pop(depth + 1, None)
    return made
