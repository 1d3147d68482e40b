"""Reproduction: plays the games of papers, and compares our figures with the printed ones."""

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

from wordle_kit_plugins.papers.published import Paper, PublishedRow, read_perfect_play

import wordle_kit as wk
from wordle_kit.explain import first_score, first_scores
from wordle_kit.game.files import read_word_file
from wordle_kit.leaderboard.compare import Comparison, compare
from wordle_kit.leaderboard.metrics import Row, row_of

Status = Literal["exact", "close", "differs", "skipped"]
Source = Literal["published", "independent"]

Compared = list[tuple[str, str, str]]
"""For each figure: its name, the published value and our value."""


@dataclass(frozen=True)
class Figure:
    """One figure: the published value, our value, and the range in which ours may be if the two differ."""

    name: str
    published: str
    measured: str
    range: tuple[float, float] | None = None
    source: Source = "published"
    """Whether the published value is from the paper or from an independent implementation of its methods."""
    corrected: str | None = None
    """What the paper must have meant, if it has a misprint."""

    @property
    def status(self) -> Status:
        """Whether our value is exact, within its range, or different."""
        if self.measured == (self.published if self.corrected is None else self.corrected):
            return "exact"
        if self.range is not None and self.range[0] <= float(self.measured.rstrip("%")) <= self.range[1]:
            return "close"
        return "differs"


@dataclass(frozen=True)
class Reproduction:
    """The result of one published row."""

    paper: str
    row: PublishedRow
    figures: Sequence[Figure] = ()
    skipped: str = ""
    """Why the row was not played, or an empty text."""

    @property
    def status(self) -> Status:
        """The worst status among its figures."""
        if self.skipped:
            return "skipped"
        statuses = {figure.status for figure in self.figures}
        return "differs" if "differs" in statuses else "close" if "close" in statuses else "exact"


# Playing


def reproduce(
    papers: Sequence[Paper],
    folders: Sequence[Path],
    rows: Sequence[str] = (),
    *,
    plugins: wk.Plugins | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Reproduction]:
    """Return the result of each row of some papers, or only of the named rows, by paper and game.

    Word files are looked up in the first of the `folders` that has them. Rows that need a missing file are skipped. The
    rows of a game are played together, by all `workers`. `progress(done, total)` is called after each game.
    """
    games = [(paper, name) for paper in papers for name in paper.games]
    results = []
    for done, (paper, name) in enumerate(games, start=1):
        wanted = [row for row in paper.rows if row.game == name and (not rows or row.id in rows)]
        files = paper.games[name].files
        places = {file: folder for folder in reversed(folders) for file in files if (folder / file).is_file()}
        missing = ", ".join(sorted(files - places.keys()))
        if missing:
            reason = f"needs {missing}; name the folder that has it"
            results += [Reproduction(paper.paper, row, skipped=reason) for row in wanted]
        elif wanted:
            play = partial(wk.tournament, plugins=plugins, workers=workers)
            results += _results(paper, name, wanted, places, play, plugins)
        if progress is not None:
            progress(done, len(games))
    return results


def _results(
    paper: Paper,
    name: str,
    rows: Sequence[PublishedRow],
    places: Mapping[str, Path],
    play: Callable[..., wk.Leaderboard],
    plugins: wk.Plugins | None,
) -> Iterator[Reproduction]:
    """Play the paper's game with this name, and yield the result of each row. `places` has the folder of each file."""
    played = paper.games[name]
    game = played.load(f"{paper.paper}-{name}", places, plugins)
    puzzles: Sequence[str] | int | None = played.sample
    if played.puzzles:
        puzzles = [word for _, word in read_word_file(places[played.puzzles] / played.puzzles)]
    perfect = read_perfect_play(played.perfect_play, game) if played.perfect_play is not None else []
    runs: dict[str, list[wk.StoredRun]] = {row.id: [] for row in rows}
    for seed in range(max(row.seeds for row in rows)):
        playing = [row for row in rows if row.seeds > seed and (row.printed or row.independent)]
        specs = list(dict.fromkeys(spec for row in playing for spec in (row.strategy, row.against) if spec))
        by_spec = dict(zip(specs, play(game, specs, puzzles, seed=seed).runs, strict=True)) if specs else {}
        for row in playing:
            runs[row.id] += [by_spec[spec] for spec in (row.strategy, row.against) if spec]
    for row in rows:
        yield Reproduction(paper.paper, row, list(_figures(game, row, runs[row.id], perfect, plugins)))


# Comparing


def _figures(
    game: wk.Game,
    row: PublishedRow,
    runs: Sequence[wk.StoredRun],
    perfect: Sequence[tuple[str, float]],
    plugins: wk.Plugins | None,
) -> Iterator[Figure]:
    """Yield a row's figures: of its runs, the scores of first guesses, the errors of these scores, and letters."""

    def score(word: str) -> float:
        return first_score(game, wk.load_strategy(row.strategy, plugins), word)

    if row.against is not None:
        first, second = runs
        found = compare(first, second)
        for name, published in row.printed.items():
            yield Figure(name, published, f"{like(published, 100 * AGAINST[name](found))}%", row.range.get(name))
    elif runs:
        plays = tuple(play for run in runs for play in run.plays)
        ours = Measured(row_of(wk.StoredRun(runs[0].id, runs[0].facts, plays, 0, 0.0)), plays, score)
        sources: Sequence[tuple[Source, dict[str, Any]]] = ("published", row.printed), ("independent", row.independent)
        for source, values in sources:
            for name, value in values.items():
                for label, published, measured in FIGURES[name](value, ours):
                    limits, corrected = row.range.get(label), row.corrected.get(label)
                    yield Figure(label, published, measured, limits, source, corrected)
    for word, published in row.scores.items():
        yield Figure(f"score of {word}", published, like(published, score(word)))
    if row.errors:
        scores = first_scores(game, wk.load_strategy(row.strategy, plugins))
        for over, error in errors(game, scores, perfect, row.errors):
            yield Figure(f"squared error, {over:,} words", row.errors[over], like(row.errors[over], error))
    for letter, published in row.letters.items():
        counts = (game.answer_symbols == game.alphabet.symbols.index(letter)).sum(axis=0)
        yield Figure(f"places of {letter}", published, " ".join(map(str, counts)))


def errors(
    game: wk.Game, scores: wk.Floats, perfect: Sequence[tuple[str, float]], numbers: Iterable[int]
) -> Iterator[tuple[int, float]]:
    """Yield the mean squared error of scores against perfect play, over so many of the best first guesses or over all.

    Over all, a word that may be hidden counts twice, since both lists of Tyl (2023) have it.
    """
    squares = [(value, word, (float(scores[game.guess_ids[word]]) - value) ** 2) for word, value in perfect]
    every = [square for _, word, square in squares for _ in range(1 + (word in game.answer_ids))]
    best = [square for *_, square in sorted(squares, key=lambda each: each[0])]  # stable: equal ones keep their order
    for number in numbers:
        yield number, statistics.fmean(every if number == len(every) else best[:number])


@dataclass(frozen=True)
class Measured:
    """What was played for a row of a paper."""

    row: Row
    plays: Sequence[wk.Play]
    score: Callable[[str], float]
    """A function that returns the strategy's score of a first guess."""


def like(printed: str, value: float) -> str:
    """Return a value as text, with as many decimals as the printed one."""
    return f"{value:.{len(printed.rstrip('%').partition('.')[2])}f}"


def _single(name: str, get: Callable[[Row], Any]) -> Callable[[str, Measured], Compared]:
    """Return a function that compares one figure of a row."""

    def compared(published: str, ours: Measured) -> Compared:
        value = get(ours.row)
        shown = str(value) if value is None or isinstance(value, str) else like(published, value)
        return [(name, published, f"{shown}%" if published.endswith("%") else shown)]

    return compared


def _distribution(published: Mapping[str, int], ours: Measured) -> Compared:
    counts = ours.row.distribution
    return [(f"took {turns}", str(count), str(counts.get(turns, 0))) for turns, count in published.items()]


def _openers(published: Mapping[str, int], ours: Measured) -> Compared:
    pairs = Counter(" ".join(play.guesses[:2]) for play in ours.plays)
    return [(f"began {pair}", str(count), str(pairs[pair])) for pair, count in published.items()]


def _sequence(published: Sequence[str], ours: Measured) -> Compared:
    begun = Counter(" ".join(play.guesses[: len(published)]) for play in ours.plays)
    return [("began mostly", " ".join(published), begun.most_common(1)[0][0])]


def _slowest(published: Sequence[str], ours: Measured) -> Compared:
    slowest = sorted(play.puzzle[0] for play in ours.plays if play.turns == ours.row.max)
    return [("took most", " ".join(sorted(published)), " ".join(slowest))]


def _plays(published: Mapping[str, Sequence[str]], ours: Measured) -> Compared:
    by_answer = {play.puzzle[0]: " ".join(play.guesses) for play in ours.plays}
    return [(f"play of {answer}", " ".join(guesses), by_answer[answer]) for answer, guesses in published.items()]


def _opener_bits(published: str, ours: Measured) -> Compared:
    return [("bits of the opener", published, like(published, ours.score(ours.row.opener or "")))]


FIGURES: Mapping[str, Callable[[Any, Measured], Compared]] = {
    **{
        name: _single(name, attrgetter(name))
        for name in ("mean", "std", "min", "median", "max", "solved", "failed", "opener")
    },
    "total": _single("total", lambda row: row.total_guesses),
    "excellent": _single("excellent", lambda row: 100 * row.excellent),
    "failure": _single("failure", lambda row: 100 * row.failure),
    "first_solved": _single("first_solved", lambda row: row.boards["1"]),
    "distribution": _distribution,
    "openers": _openers,
    "sequence": _sequence,
    "slowest": _slowest,
    "plays": _plays,
    "opener_bits": _opener_bits,
}
"""What compares each kind of published figures with ours."""

AGAINST: Mapping[str, Callable[[Comparison], float]] = {
    "wins": lambda found: found.wins / found.puzzles,
    "ties": lambda found: found.ties / found.puzzles,
    "losses": lambda found: found.losses / found.puzzles,
    "first_wins": lambda found: found.boards[0].wins / found.puzzles,
    "first_ties": lambda found: found.boards[0].ties / found.puzzles,
    "first_losses": lambda found: found.boards[0].losses / found.puzzles,
}
"""Shares of the puzzles: on all boards, and on the first board that is solved."""
