"""The leaderboard: the results of a tournament, best strategy first, as rows, tables and files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.files import path_of, write_file
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.columns import frame_columns, table_rows
from wordle_kit.leaderboard.compare import Comparison, compare
from wordle_kit.leaderboard.metric import Metric
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.leaderboard.notes import notes_on
from wordle_kit.leaderboard.plays import columns_of_plays
from wordle_kit.leaderboard.rows import Row, measure, ranking_key
from wordle_kit.leaderboard.significance import check_confidence
from wordle_kit.plugins import Plugins, plugins_of
from wordle_kit.tables import Format, Table, rows_of_columns, text_of, to_pandas
from wordle_kit.texts import number_of, one_line
from wordle_kit.tournaments.runs import CONFIDENCE, Play, RunFacts, StoredRun

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Leaderboard:
    """Runs of several strategies on the same puzzles of one game."""

    runs: Sequence[StoredRun]
    left_out: tuple[str, ...] = ()
    """A line for each strategy that cannot play the game."""
    not_kept: tuple[str, ...] = ()
    """A line for each strategy whose stored results cannot be reused."""
    game: Game | None = field(default=None, compare=False, repr=False)
    """The game that was played, if it is known."""
    metrics: Sequence[Metric] = field(default=METRICS, compare=False, repr=False)
    """The metrics that it shows, by default the engine's."""
    confidence: float = CONFIDENCE
    """The confidence level of its intervals."""

    def __post_init__(self) -> None:
        check_confidence(self.confidence)

    def __repr__(self) -> str:
        count = number_of(len(self.runs), "strategy", "strategies")
        if not self.runs:
            return f"<Leaderboard of {count}>"
        facts = self.runs[0].facts
        hard = ", hard mode" if facts.hard_mode else ""
        return f"<Leaderboard of {one_line(facts.game)}{hard}: {count}, {one_line(facts.puzzles)}>"

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """A row for each strategy, ordered by mean guesses, then failures, then name.

        If every answer was played and the answers have weights, weighted figures determine the order.
        """
        return tuple(sorted(self._rows, key=ranking_key))

    @property
    def facts(self) -> tuple[RunFacts, ...]:
        """The facts of each run, in the same order as the runs."""
        return tuple(row.facts for row in self._rows)

    @property
    def seed(self) -> int:
        """The seed of the random strategies if there are any, otherwise the seed that drew the puzzles."""
        by_seed = [facts for facts in self.facts if facts.uses_seed]
        return (by_seed or self.facts)[-1].seed

    @property
    def secrets(self) -> dict[str, str]:
        """The secret of each random strategy that does not use the seed. The same secret repeats its random numbers."""
        return {facts.strategy: facts.secret for facts in self.facts if facts.secret is not None}

    def plays(self, strategy: str) -> tuple[Play, ...]:
        """Return the plays of the strategy with this name on the leaderboard, in the order of the puzzles."""
        return self._run(strategy).plays

    def compare(self, first: str, second: str | None = None, *, other: "Leaderboard | None" = None) -> Comparison:
        """Return the comparison of two strategies, given by their names on the leaderboard, puzzle by puzzle.

        With `other`, the second strategy is taken from that leaderboard, by default the one with the same name as the
        first. The other leaderboard may be of another game or mode, but must have the same hidden words.
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
        plugins: Plugins | None = None,
    ) -> str:
        """Return the leaderboard as text: `table`, `json`, `csv`, a tabulate format, or another Format.

        `columns` are names of columns, or `all`. Plugins may add formats. JSON and CSV always have every figure. LaTeX
        includes the column of bars only on request, since LaTeX fonts may lack the characters.
        """
        form = plugins_of(plugins).find_format(format, leaderboards=True)
        return text_of(self.content(form, columns), form)

    def content(self, form: Format, columns: str | Sequence[str] | None = None) -> str | bytes:
        """Return the leaderboard as the content of a file in a format, which may be text or bytes."""
        if form.write_leaderboards is not None:
            return form.checked(form.write_leaderboards([self], columns))
        return self.as_table(columns, form.has_bars).content(form)

    def as_table(self, columns: str | Sequence[str] | None = None, has_bars: bool = True) -> Table:
        """Return the leaderboard as a table with these columns, or its default columns, with bars or without."""
        rows = table_rows(self.rows, columns, has_bars)
        return Table(rows, self.notes, self.as_dict(), frame_columns(self.rows))

    def write(
        self, file: Path | str, columns: str | Sequence[str] | None = None, plugins: Plugins | None = None
    ) -> None:
        """Write the leaderboard to a file. Its suffix sets the format: .md, .html, .csv, .json, .parquet or another.

        `columns` are names of columns, or `all`. Plugins may add formats.
        """
        path = path_of("file", file)
        write_file(path, self.content(plugins_of(plugins).find_format(path, leaderboards=True), columns))

    @property
    def notes(self) -> list[str]:
        """Lines below the table that say how to read it."""
        notes = notes_on(self.rows, self.facts, self.confidence) if self.runs else []
        return [*notes, *self.left_out, *self.not_kept]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the leaderboard as a pandas data frame, with a row for each strategy. Needs the extra `pandas`."""
        return to_pandas(frame_columns(self.rows))

    def plays_to_pandas(self) -> "pandas.DataFrame":
        """Return the plays as a pandas data frame, with a row for each guess and board. Needs the extra `pandas`."""
        return to_pandas(columns_of_plays(self.runs, self.game))

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show."""
        return self.table("html")

    def _run(self, name: str) -> StoredRun:
        places = {facts.strategy: place for place, facts in enumerate(self.facts)}
        if not isinstance(name, str) or name not in places:
            raise WordleKitError(unknown("strategy of this leaderboard", name, places))
        return self.runs[places[name]]

    @cached_property
    def _rows(self) -> list[Row]:
        """The row of each run. Runs are read one at a time and not kept."""
        return [measure(run, self.metrics, self.confidence) for run in self.runs]


def content_of_leaderboards(
    boards: Iterable[Leaderboard], form: Format, columns: str | Sequence[str] | None = None
) -> str | bytes:
    """Return several leaderboards as the content of one file. Their runs are read as needed."""
    if form.write_leaderboards is not None:
        return form.checked(form.write_leaderboards(boards, columns))
    every = list(boards)
    parts = [board.as_table(columns, form.has_bars) for board in every]
    figures = frame_columns([row for board in every for row in board.rows])
    return Table(rows_of_columns(figures), (), [part.value for part in parts], figures, parts).content(form)
