"""Figures: the published figures of a row of a paper, each beside our own."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from wordle_kit.analysis.openers import errors_against, first_score, first_scores
from wordle_kit.api import load_strategy
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.compare import Comparison, compare
from wordle_kit.leaderboard.metrics import Row, row_of
from wordle_kit.papers.published import PublishedRow
from wordle_kit.plugins import Plugins
from wordle_kit.tournaments.outcome import Play
from wordle_kit.tournaments.runs import StoredRun

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
    """One figure: the published value, our value, and the range that ours may lie in if the two differ."""

    name: str
    published: str
    measured: str
    range: tuple[float, float] | None = None
    source: Literal["published", "independent"] = "published"
    """Whether the value comes from the paper, or from an independent implementation of its methods."""

    @property
    def status(self) -> Status:
        """Whether our value is exact, lies in its range, or differs."""
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
    """Yield a row's figures: those of its runs, of its scores of first guesses, and of their errors."""
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
        score = first_score(game, load_strategy(row.strategy, plugins), word)
        yield Figure(f"score of {word}", published, f"{score:.{_decimals(published)}f}")
    if row.errors:
        if not perfect_play:
            raise WordleKitError(f"{row.id}: {game.name} has no file of perfect play to compare its scores with")
        scores = first_scores(game, load_strategy(row.strategy, plugins))
        answers_twice = [*perfect_play, *(value for value in perfect_play if value[0] in game.answer_ids)]
        for number, published in row.errors.items():
            every, best = errors_against(game, scores, answers_twice, number)
            error = every if number == len(answers_twice) else best
            measured_error = f"{error['mean squared error']:.{_decimals(published)}f}"
            yield Figure(f"mean squared error over {error['over']}", published, measured_error)


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
        score = first_score(game, load_strategy(row.strategy, plugins), measured.opener or "")
        yield Figure("bits of the opener", published, f"{score:.{_decimals(published)}f}")
    elif name in FIGURES:
        value = FIGURES[name](measured)
        shown = value if isinstance(value, str) else f"{value:.{_decimals(published)}f}"
        yield Figure(name, published, f"{shown}%" if published.endswith("%") else str(shown), allowed)
    else:
        raise WordleKitError(f"{row.id}: there is no figure called {name!r}")


def _decimals(printed: str) -> int:
    return len(printed.rstrip("%").partition(".")[2])
