"""The leaderboard: the results of a tournament, best strategy first, as rows, tables and files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordle_kit.defaults import CONFIDENCE
from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.files import path_of, write_file
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.columns import BARS, asked_columns, default_columns, table_of, weighted_note
from wordle_kit.leaderboard.compare import Comparison, compare
from wordle_kit.leaderboard.metrics import METRICS, Metric, Row, place_of, row_of
from wordle_kit.leaderboard.plays import of_plays
from wordle_kit.leaderboard.significance import check_confidence, in_percent
from wordle_kit.plugins import Plugins, plugins_of
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tables import (
    ColumnKind,
    Columns,
    Format,
    Table,
    check_format,
    columns_of,
    content_of,
    format_of,
    in_order,
    rows_in,
    text_of,
    to_pandas,
    to_polars,
    values_of,
)
from wordle_kit.texts import line, number_of
from wordle_kit.tournaments.runs import PARAM, Outcome, Play, RunFacts, StoredRun

if TYPE_CHECKING:
    import pandas
    import polars

PLAYED: dict[str, ColumnKind] = {"game": "text", "hard_mode": "truth", "puzzles": "text"}
"""The first columns of a leaderboard's data frame."""

ORIGIN = ("host", "fingerprint", "puzzles_fingerprint", "seed", "secret", "source", "versions")
"""The last columns of a leaderboard's data frame, which are `RunFacts.origin`."""


@dataclass(frozen=True)
class Leaderboard:
    """Runs of several strategies on the same puzzles of one game."""

    runs: Sequence[StoredRun]
    left_out: tuple[str, ...] = ()
    """A line for each strategy that cannot play the game."""
    not_kept: tuple[str, ...] = ()
    """A line for each strategy whose results cannot be found in the store later."""
    game: Game | None = field(default=None, compare=False, repr=False)
    """The game that was played, if it is known."""
    metrics: Sequence[Metric] = field(default=METRICS, compare=False, repr=False)
    """The metrics that it shows, by default the bundled ones."""
    confidence: float = CONFIDENCE
    """The confidence level of its intervals."""
    game_file: str | None = field(default=None, compare=False, repr=False)
    """The path of the game's file, if the game was given in this way."""

    def __post_init__(self) -> None:
        check_confidence(self.confidence)

    def __repr__(self) -> str:
        count = number_of(len(self.runs), "strategy", "strategies")
        if not self.runs:
            return f"<Leaderboard of {count}>"
        facts = self.runs[0].facts
        hard = ", hard mode" if facts.hard_mode else ""
        return f"<Leaderboard of {line(facts.game)}{hard}: {count}, {line(facts.puzzles)}>"

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """A row for each strategy, ordered by mean guesses, then failures, then name.

        If every answer was played and the answers have weights, weighted figures determine the order.
        """
        return tuple(sorted(self._rows, key=place_of))

    @property
    def facts(self) -> tuple[RunFacts, ...]:
        """The facts of each run, in the same order as the runs."""
        return tuple(row.facts for row in self._rows)

    @property
    def seed(self) -> int:
        """The seed that was given for random strategies if there are any, otherwise the seed that drew the puzzles."""
        by_seed = [facts for facts in self.facts if _is_by_seed(facts)]
        return (by_seed or self.facts)[-1].seed

    @property
    def secrets(self) -> dict[str, str]:
        """The secret of each random strategy whose random numbers do not come from the seed. It repeats the numbers."""
        return {facts.strategy: facts.secret for facts in self.facts if facts.secret is not None}

    def plays(self, strategy: Strategy | str) -> tuple[Play, ...]:
        """Return the plays of a strategy, in the order of the puzzles."""
        return self._run(strategy).plays

    def compare(
        self, first: Strategy | str, second: Strategy | str | None = None, *, other: "Leaderboard | None" = None
    ) -> Comparison:
        """Return the comparison of two strategies, puzzle by puzzle.

        With `other`, the second strategy is taken from that leaderboard, by default the strategy with the same name as
        the first. The other leaderboard may be of another game or mode, but must have the same hidden words.
        """
        return compare(self._run(first), (other or self)._run(first if second is None else second), self.confidence)

    def as_dict(self) -> dict[str, Any]:
        """Return the leaderboard as a value that can be written as JSON."""
        if not self.runs:
            return {"rows": [], "left_out": list(self.left_out), "not_kept": list(self.not_kept)}
        facts = self.facts[0]
        names = ("game", "fingerprint", "boards", "max_guesses", "hard_mode", "host", "puzzles", "puzzles_fingerprint")
        return {name: getattr(facts, name) for name in names} | {
            "seed": self.seed,
            "secrets": self.secrets,
            "versions": facts.versions,
            "confidence": self.confidence,
            "unsolved_counts_as": facts.cap + 1,
            "rows": [
                row.as_dict() | ({} if row.facts.versions == facts.versions else {"versions": row.facts.versions})
                for row in self.rows
            ],
            "left_out": list(self.left_out),
            "not_kept": list(self.not_kept),
        }

    def table(
        self,
        format: str | Format = "table",  # noqa: A002 - the word
        columns: str | Sequence[str] | None = None,
    ) -> str:
        """Return the leaderboard as text: `table`, `json`, `csv`, one of tabulate, or another Format.

        `columns` are names of columns, or `all`. JSON and CSV always have every figure. LaTeX has the column of bars
        only if you name it, since LaTeX fonts may lack the characters.
        """
        form = check_format(format)
        return text_of(self.content(form, columns), form)

    def content(self, form: Format, columns: str | Sequence[str] | None = None) -> str | bytes:
        """Return the leaderboard as the content of a file in a format, which may be text or bytes."""
        if form.write_leaderboards is not None:
            return form.write_leaderboards([self], columns)
        return content_of(self.as_table(columns, form.has_bars), form)

    def as_table(self, columns: str | Sequence[str] | None = None, has_bars: bool = True) -> Table:
        """Return the leaderboard as a table with these columns, by default the usual ones, with bars or without."""
        if columns is None:
            names = [name for name in default_columns(self.rows) if name != BARS or has_bars]
        else:
            names = asked_columns(columns, self.rows)
        return Table(table_of(self.rows, names), self.notes, self.as_dict(), columns_of_leaderboards([self]))

    def write(
        self, file: Path | str, columns: str | Sequence[str] | None = None, plugins: Plugins | None = None
    ) -> None:
        """Write the leaderboard to a file. Its suffix says the format: .md, .html, .csv, .json, .parquet or another.

        `columns` are names of columns, or `all`. Formats of plugins are known too.
        """
        path = path_of("file", file)
        known = {form.name: form.value for form in plugins_of(plugins).formats.values()}
        write_file(path, self.content(format_of(path, known), columns))

    @property
    def notes(self) -> list[str]:
        """Lines below the table that say how to read it."""
        if not self.runs:
            return [*self.left_out, *self.not_kept]
        facts = self.facts[0]
        hard = ", hard mode" if facts.hard_mode else ""
        seed, random_numbers = _random_numbers(self.facts)
        allowed, unsolved = number_of(facts.max_guesses, "guess", "guesses"), facts.cap + 1
        notes = [
            f"{facts.game}{hard}: {facts.puzzles}{seed}. A puzzle that took more than {allowed} has "
            f"failed and counts with the guesses it took; one not solved in {facts.cap} counts as {unsolved}."
        ]
        if facts.weights is not None:
            notes.append(weighted_note(facts))
        if any(row.interval for row in self.rows):
            notes.append(
                f"± is the half-width of the {in_percent(self.confidence)} confidence interval of the mean over all "
                "puzzles."
            )
        notes += random_numbers
        for row in self.rows:
            if row.problem:
                faults = ", ".join(_counted(count, outcome) for outcome, count in row.outcomes.items())
                notes.append(f"{row.strategy}: {faults}. First: {row.problem}.")
        if any(Outcome.TIMED_OUT in row.outcomes for row in self.rows):
            notes.append(
                "Plays that timed out are played again next time; a longer deadline gives decisions more time."
            )
        return [*notes, *self.left_out, *self.not_kept]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the leaderboard as a pandas data frame, with a row for each strategy. Needs the extra `pandas`."""
        return to_pandas(columns_of_leaderboards([self]))

    def to_polars(self) -> "polars.DataFrame":
        """Return the leaderboard as a polars data frame, with a row for each strategy. Needs the extra `polars`."""
        return to_polars(columns_of_leaderboards([self]))

    def plays_to_pandas(self) -> "pandas.DataFrame":
        """Return the plays as a pandas data frame, with a row for each guess and board. Needs the extra `pandas`."""
        return to_pandas(of_plays(self.runs, self.game))

    def plays_to_polars(self) -> "polars.DataFrame":
        """Return the plays as a polars data frame, with a row for each guess and board. Needs the extra `polars`."""
        return to_polars(of_plays(self.runs, self.game))

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show."""
        return self.table("html")

    def _run(self, strategy: Strategy | str) -> StoredRun:
        places = {facts.strategy: place for place, facts in enumerate(self.facts)}
        name = strategy.spec if isinstance(strategy, Strategy) else strategy
        if not isinstance(name, str) or name not in places:
            raise WordleKitError(unknown("strategy of this leaderboard", name, places))
        return self.runs[places[name]]

    @cached_property
    def _rows(self) -> list[Row]:
        """The row of each run. Runs are read one at a time and not kept."""
        return [row_of(run, self.metrics, self.confidence) for run in self.runs]


def columns_of_leaderboards(boards: Iterable[Leaderboard]) -> Columns:
    """Return leaderboards as the columns of a data frame, with a row for each strategy of each leaderboard.

    The figures come first; among them, those with any number of values are last. The parameters follow, and then the
    columns that say where the figures come from.
    """
    rows: list[dict[str, Any]] = []
    kinds: dict[str, ColumnKind] = dict(PLAYED)
    several: dict[str, dict[str, ColumnKind]] = {}  # of each metric that has several columns
    for board in boards:
        for row in board.rows:
            played = {name: getattr(row.facts, name) for name in PLAYED}
            rows.append(played | row.facts.origin | row.facts.param_columns)
            for metric in row.metrics:
                figure = row.figures[metric.name]
                if figure is not None or not metric.is_optional:
                    values = metric.columns(figure)
                    own = several.setdefault(metric.name, {}) if metric.prefix else kinds
                    own |= dict.fromkeys(values, metric.kind)
                    rows[-1] |= values
    for own in several.values():
        kinds |= in_order(own)
    parameters = sorted({name for row in rows for name in row if name.startswith(PARAM)})
    others = {name: values_of([row.get(name) for row in rows]) for name in (*parameters, *ORIGIN)}
    return {**columns_of(rows, kinds), **others}


def formatted(boards: Iterable[Leaderboard], form: Format, columns: str | Sequence[str] | None = None) -> str | bytes:
    """Return several leaderboards as the content of one file. Their runs are read when they are needed."""
    if form.write_leaderboards is not None:
        return form.write_leaderboards(boards, columns)
    every = list(boards)
    parts = [board.as_table(columns, form.has_bars) for board in every]
    figures = columns_of_leaderboards(every)
    return content_of(Table(rows_in(figures), (), [part.value for part in parts], figures, parts), form)


def _counted(count: int, outcome: str) -> str:
    """Return a number of plays with their outcome, such as `44 illegal guesses`."""
    return f"{count} {outcome}{'es' * (outcome == Outcome.ILLEGAL and count > 1)}"


def _random_numbers(every: Sequence[RunFacts]) -> tuple[str, list[str]]:
    """Return what the first note adds about the seed, and a note for each other source of random numbers."""
    seeds, drawn_with = {facts.seed for facts in every if _is_by_seed(facts)}, every[0].drawn_with
    is_added = len(seeds) == 1 and drawn_with is None
    is_told = is_added or seeds == {drawn_with}  # the first note says with which seed puzzles were drawn
    sources: dict[str, list[str]] = {}
    for facts in every:
        if facts.secret is not None:
            sources.setdefault(f"secret {facts.secret}", []).append(facts.strategy)
        elif facts.stochastic and not is_told:
            sources.setdefault(f"seed {facts.seed}", []).append(facts.strategy)
    notes = [f"{', '.join(names)}: random numbers from {source}." for source, names in sources.items()]
    return f", seed {min(seeds)}" if is_added else "", notes


def _is_by_seed(facts: RunFacts) -> bool:
    return facts.stochastic and facts.secret is None
