"""Reproduction: plays what papers played, and sets our figures beside the printed ones."""

import itertools
import os
import shlex
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.game.words import read_word_file
from wordle_kit.leaderboard.compare import Comparison, compare
from wordle_kit.leaderboard.leaderboard import tournament
from wordle_kit.leaderboard.metrics import Row, row_of
from wordle_kit.leaderboard.published import Paper, PublishedRow
from wordle_kit.lookup import load_strategy
from wordle_kit.plugins import Plugins
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.referee import Play
from wordle_kit.tournaments.runner import Progress
from wordle_kit.tournaments.store import StoredRun
from wordle_kit.tournaments.workers import Workers

Status = Literal["exact", "close", "differs", "skipped"]

FIGURES: Mapping[str, Callable[[Row], Any]] = {
    "total": lambda row: row.total_guesses,
    "mean": lambda row: row.mean,
    "std": lambda row: row.std,
    "min": lambda row: row.min,
    "median": lambda row: row.median,
    "max": lambda row: row.max,
    "excellent": lambda row: 100 * row.excellent,
    "failure": lambda row: 100 * row.failure,
    "solved": lambda row: row.solved,
    "failed": lambda row: row.failed,
    "opener": lambda row: row.opener,
    "first_solved": lambda row: row.boards[0],
}

AGAINST: Mapping[str, Callable[[Comparison], float]] = {
    "wins": lambda found: found.wins / found.puzzles,
    "ties": lambda found: found.ties / found.puzzles,
    "losses": lambda found: found.losses / found.puzzles,
    "first_wins": lambda found: found.boards[0].wins / found.puzzles,
    "first_ties": lambda found: found.boards[0].ties / found.puzzles,
    "first_losses": lambda found: found.boards[0].losses / found.puzzles,
}
"""Shares of the puzzles: of all boards, and of the first that is solved."""


@dataclass(frozen=True)
class Figure:
    """One figure: as published, as it comes out here, and the range it may lie in where it is not exact."""

    name: str
    published: str
    measured: str
    range: tuple[float, float] | None = None
    source: Literal["published", "independent"] = "published"
    """Whether the paper has it, or an independent implementation that played what the paper describes."""

    @property
    def status(self) -> Status:
        """Whether it comes out exactly, lies in its range, or differs."""
        if self.published == self.measured:
            return "exact"
        if self.range is not None and self.range[0] <= float(self.measured.rstrip("%")) <= self.range[1]:
            return "close"
        return "differs"


@dataclass(frozen=True)
class Reproduction:
    """What came of one published row."""

    paper: str
    row: PublishedRow
    figures: Sequence[Figure] = ()
    skipped: str = ""
    """Why it was not played, if it was not."""
    words: Path | None = None
    """The folder of its word lists, where they are not those that are shipped."""

    @property
    def status(self) -> Status:
        """The worst status of its figures."""
        if self.skipped:
            return "skipped"
        statuses = {figure.status for figure in self.figures}
        return "differs" if "differs" in statuses else "close" if "close" in statuses else "exact"

    @property
    def command(self) -> str:
        """What plays just this row."""
        words = f" --words {shlex.quote(str(self.words))}" if self.words is not None else ""
        return f"wordle-kit reproduce {self.paper} --row {self.row.id}{words}"


@dataclass(frozen=True)
class Job:
    """The rows of a paper on one of its games, which a worker plays together."""

    paper: Paper
    game: str
    rows: tuple[PublishedRow, ...]
    places: Mapping[str, Path]
    """The folder of each word file."""
    words: Path | None
    """The folder of files that are not shipped, if it needs any."""

    @property
    def size(self) -> int:
        """Roughly how long it takes, as the number of boards that each of its strategies solves, 0 for all answers."""
        game = self.paper.games[self.game]
        return (game.sample or 0) * game.boards


def reproduce(
    papers: Sequence[Paper],
    folders: Sequence[Path],
    rows: Sequence[str] = (),
    *,
    plugins: Plugins | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Reproduction]:
    """Return what comes of each row of some papers, or of those named, by paper and game.

    Word files are looked for in `folders`, first in that of the shipped ones; rows that need one that is in none are
    skipped. Games are played side by side in as many worker processes as there are cores, unless told otherwise.
    """
    if workers is not None and workers < 1:
        raise WordleKitError(f"workers is {workers}; at least one is needed")
    skipped: dict[tuple[str, str], list[Reproduction]] = {}
    jobs = []
    for paper in papers:
        for name, played in paper.games.items():
            mine = tuple(row for row in paper.rows if row.game == name and (not rows or row.id in rows))
            lists = itertools.product(reversed(folders), played.files)
            places = {file: folder for folder, file in lists if (folder / file).is_file()}
            missing = sorted(played.files - places.keys())
            reason = f"needs {', '.join(missing)}; give the folder that has it with --words"
            others = next((places[file] for file in sorted(places) if places[file] != folders[0]), None)
            skipped[paper.paper, name] = [Reproduction(paper.paper, row, skipped=reason) for row in mine if missing]
            if mine and not missing:
                jobs.append(Job(paper, name, mine, places, others))
    found = _in_workers(jobs, plugins, workers or os.cpu_count() or 1, progress)
    return [result for key, without in skipped.items() for result in found.get(key, without)]


def _in_workers(
    jobs: Sequence[Job], plugins: Plugins | None, workers: int, progress: Progress | None
) -> dict[tuple[str, str], list[Reproduction]]:
    asked = (plugins.requested, plugins.folders) if plugins is not None else ((), ())
    _loaded(*asked)  # before workers are made, who then share it
    found = {}
    side_by_side = min(workers, len(jobs))
    with Workers(max(1, side_by_side)) as pool:
        longest_first = sorted(jobs, key=lambda job: -job.size)
        each = max(1, workers // max(1, side_by_side))
        futures = {pool.submit(_carry_out, job, *asked, each, pool.folder): job for job in longest_first}
        for done, future in enumerate(as_completed(futures), start=1):
            job = futures[future]
            try:
                found[job.paper.paper, job.game] = future.result()
            except BrokenProcessPool:
                raise WordleKitError(
                    "a process that played ended, perhaps for want of memory; try --workers 1"
                ) from None
            if progress is not None:
                progress(done, len(jobs))
    return found


@cache
def _loaded(requested: tuple[str, ...], folders: tuple[str, ...]) -> Plugins:
    return Plugins.load(requested, folders)


def _carry_out(
    job: Job, requested: tuple[str, ...], folders: tuple[str, ...], workers: int, temporary: Path
) -> list[Reproduction]:
    tempfile.tempdir = str(temporary)  # so that nothing is left where this process is killed
    plugins = _loaded(requested, folders)
    played = job.paper.games[job.game]
    game = played.load(f"{job.paper.paper}-{job.game}", job.places, plugins)
    puzzles: Sequence[str] | int | None = played.sample
    if played.puzzles:
        puzzles = [word for _, word in read_word_file(job.places[played.puzzles] / played.puzzles)]
    runs = _play(game, puzzles, job.rows, plugins, workers)
    results = []
    for row in job.rows:
        figures = list(_figures(game, row, runs.get(row.id, []), plugins))
        results.append(Reproduction(job.paper.paper, row, figures, words=job.words))
    return results


def _play(
    game: Game,
    puzzles: Sequence[str] | int | None,
    rows: Sequence[PublishedRow],
    plugins: Plugins | None,
    workers: int | None,
) -> dict[str, list[StoredRun]]:
    """Return the runs of each row by its name, one a seed, and with a row's opponent one more."""
    runs: dict[str, list[StoredRun]] = {}
    for seed in range(max(row.seeds for row in rows)):
        playing = [row for row in rows if row.seeds > seed and (row.printed or row.independent)]
        specs = list(dict.fromkeys(spec for row in playing for spec in (row.strategy, row.against) if spec))
        if not specs:
            continue
        board = tournament(game, specs, puzzles, seed=seed, workers=workers, plugins=plugins)
        by_spec = dict(zip(specs, board.runs, strict=True))
        for row in playing:
            runs.setdefault(row.id, []).append(by_spec[row.strategy])
            if row.against is not None:
                runs[row.id].append(by_spec[row.against])
    return runs


def _figures(game: Game, row: PublishedRow, runs: Sequence[StoredRun], plugins: Plugins | None) -> Iterator[Figure]:
    if row.against is not None:
        found = compare(*runs)
        for name, published in row.printed.items():
            share = 100 * AGAINST[name](found)
            yield Figure(name, published, f"{share:.{_decimals(published)}f}%", row.range.get(name))
    elif runs:
        plays = [play for run in runs for play in run.plays]
        together = StoredRun(runs[0].id, runs[0].facts, tuple(plays), 0, 0.0)
        measured = row_of(together)
        for name, published in row.printed.items():
            yield from _figure(name, published, row, measured, plays, game, plugins)
        for name, value in row.independent.items():
            for figure in _figure(name, value, row, measured, plays, game, plugins):
                yield replace(figure, source="independent")
    for word, published in row.scores.items():
        score = first_score(game, row.strategy, word, plugins)
        yield Figure(f"score of {word}", published, f"{score:.{_decimals(published)}f}")


def _figure(
    name: str,
    published: Any,
    row: PublishedRow,
    measured: Row,
    plays: Sequence[Play],
    game: Game,
    plugins: Plugins | None,
) -> Iterator[Figure]:
    allowed = row.range.get(name)
    if name == "distribution":
        for turns, count in published.items():
            ours = measured.distribution.get(turns, 0)
            yield Figure(f"took {turns}", str(count), str(ours), row.range.get(f"took {turns}"))
    elif name == "openers":
        pairs = Counter(" ".join(play.guesses[:2]) for play in plays)
        for pair, count in published.items():
            yield Figure(f"began {pair}", str(count), str(pairs[pair]), row.range.get(f"began {pair}"))
    elif name == "sequence":
        begun = Counter(" ".join(play.guesses[: len(published)]) for play in plays)
        yield Figure("began mostly", " ".join(published), begun.most_common(1)[0][0])
    elif name == "slowest":
        slowest = sorted(play.puzzle[0] for play in plays if play.turns == measured.max)
        yield Figure("took most", " ".join(sorted(published)), " ".join(slowest))
    elif name == "plays":
        by_answer = {play.puzzle[0]: play for play in plays}
        for answer, guesses in published.items():
            yield Figure(f"play of {answer}", " ".join(guesses), " ".join(by_answer[answer].guesses))
    elif name == "opener_bits":
        score = first_score(game, row.strategy, measured.opener or "", plugins)
        yield Figure("bits of the opener", published, f"{score:.{_decimals(published)}f}")
    elif name in FIGURES:
        value = FIGURES[name](measured)
        shown = value if isinstance(value, str) else f"{value:.{_decimals(published)}f}"
        yield Figure(name, published, f"{shown}%" if published.endswith("%") else str(shown), allowed)
    else:
        raise WordleKitError(f"{row.id}: there is no figure called {name!r}")


def first_score(game: Game, spec: str, word: str, plugins: Plugins | None) -> float:
    """Return the score that a partition strategy gives a word as the first guess."""
    strategy = load_strategy(spec, plugins)
    if not isinstance(strategy, PartitionStrategy):
        raise WordleKitError(f"{spec} scores no guesses")
    guesses = np.array([game.guess_ids[word]], dtype=np.int32)
    return float(strategy.shown(strategy.scores(Position.start(game).boards[0], guesses))[0])


def _decimals(printed: str) -> int:
    return len(printed.rstrip("%").partition(".")[2])
