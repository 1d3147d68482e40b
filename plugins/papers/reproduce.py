"""Reproduction: reads the figures of papers, plays their games, and compares our figures with the printed ones."""

import itertools
import shlex
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from wordle_kit_plugins.exact.values import errors_against

from wordle_kit.api import load_game, load_strategy, tournament
from wordle_kit.arguments import problem_in
from wordle_kit.errors import WordleKitError
from wordle_kit.explain import first_score, first_scores
from wordle_kit.game.files import Order, read_word_file
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.compare import Comparison, compare
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import Row, row_of
from wordle_kit.plugins import Plugins
from wordle_kit.tournaments.runner import ProgressCallback
from wordle_kit.tournaments.runs import Play, StoredRun

Expectation = Literal["exact", "close", "stochastic", "sampled"]
"""How close our figures must come. Both means of a `sampled` row have a sampling error, since its puzzles were drawn.
"""


class PublishedGame(BaseModel):
    """The game that a paper played: word files, a rule and an order of words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    answers: list[str]
    guesses: list[str] = []
    puzzles: str | None = None
    """The file of the hidden words, if not all answers were hidden."""
    rule: str = "wordle"
    order: Order = "alphabetical"
    boards: int = 1
    sample: int | None = None
    """How many puzzles are drawn, or None if all answers are played."""
    perfect_play: Path | None = None
    """The file with the guesses that perfect play needs after each first guess, in the folder of the paper's file."""

    @field_validator("perfect_play")
    @classmethod
    def _beside_the_paper(cls, file: Path, info: ValidationInfo) -> Path:
        return Path((info.context or {}).get("folder", ".")) / file

    @property
    def files(self) -> set[str]:
        """The word files that the game needs."""
        return {*self.answers, *self.guesses, *([self.puzzles] if self.puzzles else [])}

    def load(self, name: str, folders: Mapping[str, Path], plugins: Plugins | None) -> Game:
        """Return the game. `folders` has the folder of each file."""
        answers, others = (
            [word for file in files for _, word in read_word_file(folders[file] / file)]
            for files in (self.answers, self.guesses)
        )
        fields = {
            "name": name,
            "alphabet": "abcdefghijklmnopqrstuvwxyz",
            "length": len(answers[0]),
            "answers": answers,
            "guesses": others,
        }
        return load_game(fields | self.model_dump(include={"rule", "order", "boards"}), plugins)


class PublishedRow(BaseModel):
    """A row of a paper: its strategy, the figures as they are printed, and how close our figures must come."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    game: str
    strategy: str
    against: str | None = None
    """The strategy to compare with on the same puzzles, if the figures are wins, ties and losses."""
    seeds: Annotated[int, Field(ge=1)] = 1
    """The number of seeds with which a random strategy plays. The figures are computed from all of these plays."""
    printed: dict[str, Any] = {}
    """Figures as texts, exactly as the paper prints them, so that the number of decimals is known."""
    independent: dict[str, Any] = {}
    """Figures that the paper does not have, measured with an independent implementation."""
    scores: dict[str, str] = {}
    """The strategy's score of first guesses."""
    errors: dict[int, str] = {}
    """The mean squared error of the strategy's scores against perfect play, over this many of the best first guesses or
    over all.

    Over all, the answers count twice, because both lists of Tyl (2023) contain them. Tyl printed these errors.
    """
    letters: dict[str, str] = {}
    """How many answers have a letter in each place."""
    expect: Expectation
    range: dict[str, tuple[float, float]] = {}
    """The range in which a figure may lie if it is not exact."""
    note: str = ""


class Paper(BaseModel):
    """A paper's rows, and the games on which they are played."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    title: str
    notes: str
    games: dict[str, PublishedGame]
    rows: list[PublishedRow]


def read_paper(path: Path) -> Paper:
    """Return the published figures in a file. Raises WordleKitError, which names the file and what is wrong."""
    try:
        return Paper.model_validate(tomllib.loads(path.read_text(encoding="utf-8")), context={"folder": path.parent})
    except (OSError, ValueError) as error:
        problem = problem_in(error, Paper.model_fields) if isinstance(error, ValidationError) else error
        raise WordleKitError(f"{path}: {problem}") from error


def read_perfect_play(path: Path, game: Game) -> list[tuple[str, float]]:
    """Return each guess of a game with the mean number of guesses of perfect play that begins with it.

    The file has a total over all answers for each guess, in the game's order. Lines that begin with # are comments.
    Raises WordleKitError for a file that does not belong to this game.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        totals = [int(total) for line in lines if not line.startswith("#") for total in line.split()]
    except (OSError, ValueError) as error:
        raise WordleKitError(f"{path}: {error}") from error
    if len(totals) != len(game.guesses):
        raise WordleKitError(f"{path}: has {len(totals):,} totals for the {len(game.guesses):,} guesses of {game.name}")
    return [(word, total / len(game.answers)) for word, total in zip(game.guesses, totals, strict=True)]


# Our figures

Status = Literal["exact", "close", "differs", "skipped"]
Source = Literal["published", "independent"]

FIGURES: Mapping[str, Callable[[Row], Any]] = {
    **{name: attrgetter(name) for name in ("mean", "std", "min", "median", "max", "solved", "failed", "opener")},
    "total": lambda row: row.total_guesses,
    "excellent": lambda row: 100 * row.excellent,
    "failure": lambda row: 100 * row.failure,
    "first_solved": lambda row: row.boards["1"],
}

AGAINST: Mapping[str, Callable[[Comparison], float]] = {
    "wins": lambda found: found.wins / found.puzzles,
    "ties": lambda found: found.ties / found.puzzles,
    "losses": lambda found: found.losses / found.puzzles,
    "first_wins": lambda found: found.boards[0].wins / found.puzzles,
    "first_ties": lambda found: found.boards[0].ties / found.puzzles,
    "first_losses": lambda found: found.boards[0].losses / found.puzzles,
}
"""Functions for shares of the puzzles: on all boards, and on the first board that is solved."""

Compared = Iterator[tuple[str, str, str]]
"""For each figure: its name, the published value and our value."""


@dataclass(frozen=True)
class Measured:
    """What was played for a row of a paper."""

    row: Row
    plays: Sequence[Play]
    score: Callable[[str], float]
    """A function that returns the strategy's score of a first guess."""


def _distribution(published: Mapping[str, int], ours: Measured) -> Compared:
    for turns, count in published.items():
        yield f"took {turns}", str(count), str(ours.row.distribution.get(turns, 0))


def _openers(published: Mapping[str, int], ours: Measured) -> Compared:
    pairs = Counter(" ".join(play.guesses[:2]) for play in ours.plays)
    for pair, count in published.items():
        yield f"began {pair}", str(count), str(pairs[pair])


def _sequence(published: Sequence[str], ours: Measured) -> Compared:
    begun = Counter(" ".join(play.guesses[: len(published)]) for play in ours.plays)
    yield "began mostly", " ".join(published), begun.most_common(1)[0][0]


def _slowest(published: Sequence[str], ours: Measured) -> Compared:
    slowest = sorted(play.puzzle[0] for play in ours.plays if play.turns == ours.row.max)
    yield "took most", " ".join(sorted(published)), " ".join(slowest)


def _plays(published: Mapping[str, Sequence[str]], ours: Measured) -> Compared:
    by_answer = {play.puzzle[0]: play for play in ours.plays}
    for answer, guesses in published.items():
        yield f"play of {answer}", " ".join(guesses), " ".join(by_answer[answer].guesses)


def _opener_bits(published: str, ours: Measured) -> Compared:
    yield "bits of the opener", published, _like(published, ours.score(ours.row.opener or ""))


DETAILS: Mapping[str, Callable[[Any, Measured], Compared]] = {
    "distribution": _distribution,
    "openers": _openers,
    "sequence": _sequence,
    "slowest": _slowest,
    "plays": _plays,
    "opener_bits": _opener_bits,
}
"""The functions for tables, texts and scores, each of which yields one figure or more."""


@dataclass(frozen=True)
class Figure:
    """One figure: the published value, our value, and the range in which ours may be if the two differ."""

    name: str
    published: str
    measured: str
    range: tuple[float, float] | None = None
    source: Source = "published"
    """Whether the published value is from the paper or from an independent implementation of its methods."""

    @property
    def status(self) -> Status:
        """Whether our value is exact, within its range, or different."""
        if self.published == self.measured:
            return "exact"
        if self.range is not None and self.range[0] <= float(self.measured.rstrip("%")) <= self.range[1]:
            return "close"
        return "differs"


def figures(
    game: Game,
    row: PublishedRow,
    runs: Sequence[StoredRun],
    perfect_play: Sequence[tuple[str, float]],
    plugins: Plugins | None,
) -> Iterator[Figure]:
    """Yield a row's figures: of its runs, the scores of first guesses, the errors of these scores, and letters."""

    def score(word: str) -> float:
        return first_score(game, load_strategy(row.strategy, plugins), word)

    if row.against is not None:
        first, second = runs
        found = compare(first, second)
        for name, published in row.printed.items():
            yield Figure(name, published, f"{_like(published, 100 * AGAINST[name](found))}%", row.range.get(name))
    elif runs:
        plays = tuple(play for run in runs for play in run.plays)
        ours = Measured(row_of(StoredRun(runs[0].id, runs[0].facts, plays, 0, 0.0)), plays, score)
        sources: Sequence[tuple[Source, dict[str, Any]]] = ("published", row.printed), ("independent", row.independent)
        for source, values in sources:
            for name, value in values.items():
                for label, published, measured in _compared(row.id, name, value, ours):
                    yield Figure(label, published, measured, row.range.get(label), source)
    for word, published in row.scores.items():
        yield Figure(f"score of {word}", published, _like(published, score(word)))
    if row.errors:
        if not perfect_play:
            raise WordleKitError(f"{row.id}: {game.name} has no file of perfect play to compare its scores with")
        scores = first_scores(game, load_strategy(row.strategy, plugins))
        answers_twice = [*perfect_play, *(value for value in perfect_play if value[0] in game.answer_ids)]
        for number, published in row.errors.items():
            every, best = errors_against(game, scores, answers_twice, number)
            error = every if number == len(answers_twice) else best
            name = f"mean squared error over {error['over']}"
            yield Figure(name, published, _like(published, error["mean squared error"]))
    for letter, published in row.letters.items():
        counts = (game.answer_symbols == game.alphabet.symbols.index(letter)).sum(axis=0)
        yield Figure(f"places of {letter}", published, " ".join(map(str, counts)))


def _compared(row: str, name: str, published: Any, ours: Measured) -> Compared:
    """Yield each figure that a name in a paper's file stands for. Raises WordleKitError for an unknown name."""
    if name in DETAILS:
        yield from DETAILS[name](published, ours)
    elif name in FIGURES:
        value = FIGURES[name](ours.row)
        is_text = value is None or isinstance(value, str)  # without any play, there is no first guess
        shown = str(value) if is_text else _like(published, value)
        yield name, published, f"{shown}%" if published.endswith("%") else str(shown)
    else:
        raise WordleKitError(f"{row}: there is no figure called {name!r}")


def _like(printed: str, value: float) -> str:
    """Return a value as text, with as many decimals as the printed one."""
    return f"{value:.{len(printed.rstrip('%').partition('.')[2])}f}"


@dataclass(frozen=True)
class Reproduction:
    """The result of one published row."""

    paper: str
    row: PublishedRow
    figures: Sequence[Figure] = ()
    skipped: str = ""
    """Why the row was not played, or an empty text."""
    words: Path | None = None
    """The folder of the row's word lists, or None if they are bundled."""

    @property
    def status(self) -> Status:
        """The worst status among its figures."""
        if self.skipped:
            return "skipped"
        statuses = {figure.status for figure in self.figures}
        return "differs" if "differs" in statuses else "close" if "close" in statuses else "exact"

    @property
    def command(self) -> str:
        """The command that plays only this row."""
        words = f" --lists {shlex.quote(str(self.words))}" if self.words is not None else ""
        return f"wordle-kit reproduce {self.paper} --row {self.row.id}{words}"


def reproduce(
    papers: Sequence[Paper],
    folders: Sequence[Path],
    rows: Sequence[str] = (),
    *,
    plugins: Plugins | None = None,
    workers: int | None = None,
    progress: ProgressCallback | None = None,
) -> list[Reproduction]:
    """Return the result of each row of some papers, or only of the named rows, by paper and game.

    Word files are looked up among the bundled ones first, then in `folders`. Rows that need a missing file are skipped.
    Games are played one after the other. Each is played by all `workers`, as in a tournament. `progress(done, total)`
    is called after each game.
    """
    games = []
    for paper in papers:
        for name, played in paper.games.items():
            mine = [row for row in paper.rows if row.game == name and (not rows or row.id in rows)]
            lists = itertools.product(reversed(folders), played.files)
            places = {file: folder for folder, file in lists if (folder / file).is_file()}
            if mine:
                games.append((paper, name, mine, places))
    total = sum(places.keys() >= paper.games[name].files for paper, name, _, places in games)
    play = partial(tournament, plugins=plugins, workers=workers)
    results, done = [], 0
    for paper, name, mine, places in games:
        missing = sorted(paper.games[name].files - places.keys())
        if missing:
            reason = f"needs {', '.join(missing)}; name the folder of word lists that has it"
            results += [Reproduction(paper.paper, row, skipped=reason) for row in mine]
            continue
        words = next((places[file] for file in sorted(places) if places[file] != folders[0]), None)
        for row, found in _figures_of(paper, name, mine, places, play, plugins):
            results.append(Reproduction(paper.paper, row, found, words=words))
        done += 1
        if progress is not None:
            progress(done, total)
    return results


def _figures_of(
    paper: Paper,
    name: str,
    rows: Sequence[PublishedRow],
    places: Mapping[str, Path],
    play: Callable[..., Leaderboard],
    plugins: Plugins | None,
) -> Iterator[tuple[PublishedRow, list[Figure]]]:
    """Play the paper's game with this name, and yield the figures of each row. `places` has the folder of each file.

    Rows with the same game are played together.
    """
    played = paper.games[name]
    game = played.load(f"{paper.paper}-{name}", places, plugins)
    puzzles: Sequence[str] | int | None = played.sample
    if played.puzzles:
        puzzles = [word for _, word in read_word_file(places[played.puzzles] / played.puzzles)]
    runs = _play(game, puzzles, rows, play)
    perfect_play = read_perfect_play(played.perfect_play, game) if played.perfect_play is not None else []
    for row in rows:
        yield row, list(figures(game, row, runs.get(row.id, []), perfect_play, plugins))


def _play(
    game: Game,
    puzzles: Sequence[str] | int | None,
    rows: Sequence[PublishedRow],
    play: Callable[..., Leaderboard],
) -> dict[str, list[StoredRun]]:
    """Return the runs of each row by its name: one per seed and, if the row has an opponent, one more for it."""
    runs: dict[str, list[StoredRun]] = {}
    for seed in range(max(row.seeds for row in rows)):
        playing = [row for row in rows if row.seeds > seed and (row.printed or row.independent)]
        specs = list(dict.fromkeys(spec for row in playing for spec in (row.strategy, row.against) if spec))
        if not specs:
            continue
        board = play(game, specs, puzzles, seed=seed)
        by_spec = dict(zip(specs, board.runs, strict=True))
        for row in playing:
            runs.setdefault(row.id, []).append(by_spec[row.strategy])
            if row.against is not None:
                runs[row.id].append(by_spec[row.against])
    return runs
