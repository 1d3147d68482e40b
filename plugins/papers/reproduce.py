"""Reproduction: play the games of papers and compare our figures with the printed ones."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from wordle_kit_plugins.papers.published import Paper, PublishedRow, read_perfect_play

import wordle_kit as wk
from wordle_kit.explain import as_partition_strategy, first_scores
from wordle_kit.game.files import read_word_file
from wordle_kit.leaderboard.compare import compare
from wordle_kit.leaderboard.rows import Row, measure

Status = Literal["exact", "close", "differs", "skipped"]
Source = Literal["published", "independent"]


@dataclass(frozen=True)
class Figure:
    """One figure: the published value, our value, and the range in which ours may be if the two differ."""

    name: str
    published: str
    measured: str
    range: tuple[float, float] | None = None
    source: Source = "published"
    """Whether the published value comes from the paper or from an independent implementation of its methods."""
    corrected: str | None = None
    """The value that the paper must have meant if the published one is a misprint."""

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
    """Why the row was not played, or an empty string."""

    @property
    def status(self) -> Status:
        """The worst status of its figures."""
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
    rows of a game are played together by all `workers`. `progress(done, total)` is called after each game.
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
            results += _results(paper, name, wanted, places, plugins, workers)
        if progress is not None:
            progress(done, len(games))
    return results


def _results(
    paper: Paper,
    name: str,
    rows: Sequence[PublishedRow],
    places: Mapping[str, Path],
    plugins: wk.Plugins | None,
    workers: int | None,
) -> Iterator[Reproduction]:
    """Play the paper's game with this name and yield the result of each row. `places` has the folder of each file."""
    played = paper.games[name]
    game = played.load(f"{paper.paper}-{name}", places, plugins)
    puzzles: Sequence[str] | int | None = played.sample
    if played.puzzles:
        puzzles = [word for _, word in read_word_file(places[played.puzzles] / played.puzzles)]
    runs: dict[str, list[wk.StoredRun]] = {row.id: [] for row in rows}
    for seed in range(max(row.seeds for row in rows)):
        playing = [row for row in rows if row.seeds > seed and (row.printed or row.independent)]
        specs = list(dict.fromkeys(spec for row in playing for spec in (row.strategy, row.against) if spec))
        if specs:
            board = wk.tournament(game, specs, puzzles, seed=seed, plugins=plugins, workers=workers)
            by_spec = dict(zip(specs, board.runs, strict=True))
        for row in playing:
            runs[row.id] += [by_spec[spec] for spec in (row.strategy, row.against) if spec]
    for row in rows:
        figures = [
            *(_shares(row, *runs[row.id]) if row.against else _figures_of_plays(game, row, runs[row.id], plugins)),
            *_figures_of_words(paper, game, row, plugins),
        ]
        yield Reproduction(paper.paper, row, figures)


# Comparing


def like(printed: str, value: Any) -> str:
    """Return a value as text like the printed one: with as many decimals, and in percent if that has a %."""
    if value is None or isinstance(value, str):
        return str(value)
    decimals = len(printed.rstrip("%").partition(".")[2])
    return f"{value:.{decimals}{'%' if printed.endswith('%') else 'f'}}"


def _shares(row: PublishedRow, first: wk.StoredRun, second: wk.StoredRun) -> Iterator[Figure]:
    """Yield the shares of puzzles that a strategy wins, ties and loses, on all boards or on the board solved first."""
    found = compare(first, second)
    for name, printed in row.printed.items():
        board = found.boards[0] if name.startswith("first_") else found
        share = getattr(board, name.removeprefix("first_")) / found.puzzles
        yield Figure(name, printed, like(printed, share), row.range.get(name))


def _figures_of_plays(
    game: wk.Game, row: PublishedRow, runs: Sequence[wk.StoredRun], plugins: wk.Plugins | None
) -> Iterator[Figure]:
    """Yield the figures of a row's plays."""
    if not runs:
        return
    plays = tuple(play for run in runs for play in run.plays)
    ours = measure(wk.StoredRun(runs[0].id, runs[0].facts, plays, 0, 0.0))
    sources: Sequence[tuple[Source, dict[str, Any]]] = ("published", row.printed), ("independent", row.independent)
    for source, kinds in sources:
        for kind, printed in kinds.items():
            if kind == "opener_bits":
                bits = first_score(game, row.strategy, ours.opener, plugins)
                found = [("bits of the opener", printed, like(printed, bits))]
            else:
                found = [*compared(kind, printed, ours, plays)]
            for name, published, measured in found:
                yield Figure(name, published, measured, row.range.get(name), source, row.corrected.get(name))


def compared(kind: str, printed: Any, ours: Row, plays: Sequence[wk.Play]) -> Iterator[tuple[str, str, str]]:
    """Yield the figures of one kind: the name, the published value and our value of each."""
    match kind:
        case "distribution":
            for turns, count in printed.items():
                yield f"took {turns}", str(count), str(ours.distribution.get(turns, 0))
        case "openers":
            pairs = Counter(" ".join(play.guesses[:2]) for play in plays)
            for pair, count in printed.items():
                yield f"began {pair}", str(count), str(pairs[pair])
        case "sequence":
            begun = Counter(" ".join(play.guesses[: len(printed)]) for play in plays)
            yield "began mostly", " ".join(printed), begun.most_common(1)[0][0]
        case "slowest":
            slowest = sorted(play.puzzle[0] for play in plays if play.turns == ours.max)
            yield "took most", " ".join(sorted(printed)), " ".join(slowest)
        case "plays":
            by_answer = {play.puzzle[0]: " ".join(play.guesses) for play in plays}
            for answer, guesses in printed.items():
                yield f"play of {answer}", " ".join(guesses), by_answer[answer]
        case "total":
            yield kind, printed, like(printed, ours.total_guesses)
        case "first_solved":
            yield kind, printed, like(printed, ours.boards["1"])
        case _:
            yield kind, printed, like(printed, getattr(ours, kind))


def _figures_of_words(paper: Paper, game: wk.Game, row: PublishedRow, plugins: wk.Plugins | None) -> Iterator[Figure]:
    """Yield the figures for which nothing is played: scores of first guesses, their errors, and counts of letters."""
    for word, published in row.scores.items():
        yield Figure(f"score of {word}", published, like(published, first_score(game, row.strategy, word, plugins)))
    if row.errors:
        perfect = read_perfect_play(paper.folder / paper.games[row.game].perfect_play, game)
        scores = first_scores(game, wk.load_strategy(row.strategy, plugins))
        for number, published in row.errors.items():
            error = squared_error(game, scores, perfect, number)
            yield Figure(f"squared error, {number:,} words", published, like(published, error))
    for letter, published in row.letters.items():
        counts = (game.answer_symbols == game.alphabet.symbols.index(letter)).sum(axis=0)
        yield Figure(f"places of {letter}", published, " ".join(map(str, counts)))


def first_score(game: wk.Game, spec: str, word: str, plugins: wk.Plugins | None) -> float:
    """Return a strategy's score of a first guess, in the unit that the strategy uses."""
    strategy = as_partition_strategy(wk.load_strategy(spec, plugins))
    guess = np.array([game.index_of_guess(word)], dtype=np.int32)
    return float(strategy.displayed(strategy.checked_scores(wk.Position.start(game).boards[0], guess))[0])


def squared_error(game: wk.Game, scores: wk.Floats, perfect: wk.Floats, number: int) -> float:
    """Return the mean squared error of scores against perfect play, over the best first guesses or over all.

    Over all, a word that may be hidden counts twice, since both lists of Tyl (2023) contain it.
    """
    squares = (scores - perfect) ** 2
    if number == len(game.guesses) + len(game.answers):
        return float(np.concatenate([squares, squares[game.guess_of_answer]]).mean())
    return float(squares[np.argsort(perfect, kind="stable")[:number]].mean())
