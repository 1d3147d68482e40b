"""Metrics: figures of runs, and how tables, files and data frames show them."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wordle_kit.errors import WordleKitError
from wordle_kit.faults import error_line, note
from wordle_kit.texts import short_repr
from wordle_kit.tournaments.runs import ORIGIN, StoredRun

if TYPE_CHECKING:
    from wordle_kit.leaderboard.rows import Row

METRIC_NAME = re.compile(r"(?!board_|outcome_|took_|param_)[a-z][a-z0-9_]*")
"""Matches names of metrics. The excluded prefixes are those of data frame columns that belong together."""

RESERVED_NAMES = {"all", "bars", "game", "hard_mode", "puzzles", *ORIGIN}
"""Names that tables and data frames use for something else."""


@dataclass(frozen=True)
class Metric:
    """A figure of a run, as tables, files, data frames, pages and plots show it."""

    name: str
    """The name in JSON, in data frames and for `--columns`: lower-case letters, digits and _."""
    compute: Callable[[StoredRun], Any]
    """Returns the figure of a run that has at least one play: a finite number or a text, a dictionary of them if the
    metric has a `prefix`, or None if the run has no such figure.
    """
    header: str | None = ""
    """The column's header, by default the name with spaces. With None, tables and pages do not show the metric."""
    format: "str | Callable[[Row], Any]" = ""
    """How a cell shows the figure: a format such as `.2%`, or a function from the row to the cell."""
    by_default: bool = True
    """Whether tables include the column by default."""
    is_optional: bool = False
    """Whether a missing figure is omitted, and its column too if no row of a table has the figure."""
    prefix: str = ""
    """For a metric whose figure is a dictionary: the prefix of its data frame columns, such as `took_` in `took_1`."""

    def __post_init__(self) -> None:
        if not METRIC_NAME.fullmatch(self.name) or self.name in RESERVED_NAMES:
            said = "use lower-case letters, digits and _, and no name that tables use for something else"
            raise WordleKitError(f"a metric cannot be called {self.name!r}; {said}")
        object.__setattr__(self, "header", self.name.replace("_", " ") if self.header == "" else self.header)

    def of(self, run: StoredRun) -> Any:
        """Return the figure of a run, or None if the metric fails. A failure is reported once."""
        try:
            figure = self.compute(run)
            if figure is None:
                return None
            return {str(name): _plain(value) for name, value in figure.items()} if self.prefix else _plain(figure)
        except Exception as error:
            self._report(error)

    def cell(self, row: "Row") -> Any:
        """Return the cell of a row: formatted text, or the plain number or text if the metric has no format."""
        figure = row.figures[self.name]
        try:
            if callable(self.format):
                return self.format(row)
            if isinstance(figure, dict):
                return " ".join(f"{name}:{value}" for name, value in figure.items())
            return figure if not self.format else "" if figure is None else format(figure, self.format)
        except Exception as error:
            self._report(error)

    def _report(self, error: Exception) -> None:
        if self not in _reported:
            _reported.add(self)
            said = error_line(error, getattr(self.compute, "__module__", None) or "")
            note(f"metric {self.name}: {said}; it is shown as empty")


def _plain(figure: Any) -> int | float | str:
    """Return a number, which may be one of numpy, or a text as a plain value. Raises ValueError for other figures."""
    figure = figure.item() if hasattr(figure, "item") else figure
    if isinstance(figure, str):
        return str(figure)
    if isinstance(figure, int):
        return int(figure)
    if isinstance(figure, float) and math.isfinite(figure):
        return float(figure)
    raise ValueError(f"{short_repr(figure)} is not a finite number or a text")


_reported: set[Metric] = set()
"""The metrics whose failures have been reported."""
