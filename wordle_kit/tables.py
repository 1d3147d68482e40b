"""Tables: rows in the formats of results, and columns for data frames and Parquet."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tabulate import tabulate, tabulate_formats

from wordle_kit.errors import WordleKitError
from wordle_kit.hookspecs import hookimpl
from wordle_kit.lazy import needed
from wordle_kit.texts import cell, json_text, markdown, one_line, web

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from wordle_kit.leaderboard.leaderboard import Leaderboard

Rows = Sequence[Mapping[str, Any]]
"""Rows with equal keys in the same order. The keys are the headers."""

MOST_WHOLE = 2**63 - 1
"""The largest whole number that data frames can hold."""


@dataclass(frozen=True)
class Table:
    """A table for people, and the same results for programs."""

    rows: Rows
    """Rows as people read them: texts and numbers by header."""
    notes: Sequence[str] = ()
    """Lines that belong below the table."""
    value: Any = None
    """What JSON contains, which need not be rows. None stands for the rows."""
    columns: "Columns | None" = None
    """The figures as columns of a data frame, with unrounded numbers. None stands for the rows."""
    parts: "Sequence[Table]" = ()
    """The tables shown one below the other instead of this one, such as those of several leaderboards."""

    def content(self, form: "Format") -> str | bytes:
        """Return the content of a file in a format. Raises WordleKitError if the format writes only leaderboards."""
        if form.write is None:
            raise WordleKitError(f"the format {form.name!r} is only for leaderboards; choose another")
        return form.checked(form.write(self))


@dataclass(frozen=True)
class Format:
    """A way to write results, chosen with `--format` or by the suffix of a file."""

    name: str
    write: Callable[[Table], str | bytes] | None
    """Returns any table as text that ends in a newline, or as bytes. With None, only leaderboards can be written."""
    summary: str = ""
    """What the format is for, in a few words."""
    suffix: str = ""
    """The suffix of files in this format, such as `.csv`."""
    write_leaderboards: "Callable[[Iterable[Leaderboard], str | Sequence[str] | None], str | bytes] | None" = None
    """Returns leaderboards as text or bytes. By default, their table is written.

    It gets one leaderboard or, from the command `leaderboard`, any number, whose runs are read when they are needed;
    and the names of the columns that the user asked for, or None.
    """
    has_bars: bool = True
    """Whether the default columns include bars. Some fonts lack their characters."""

    def checked(self, content: object) -> str | bytes:
        """Return what this format has written. Raises WordleKitError if it is neither text nor bytes."""
        if not isinstance(content, str | bytes):
            raise WordleKitError(f"the format {self.name!r} returned a {type(content).__name__}, not text or bytes")
        return content


def render(rows: Rows, format: str | Format, notes: Sequence[str] = ()) -> str:  # noqa: A002 - the word
    """Return rows as text that ends in a newline. Notes follow a table, but CSV and JSON have none.

    The format is a Format or the name of a bundled one. Raises WordleKitError if the format is not text.
    """
    form = format if isinstance(format, Format) else BUNDLED[format]
    return text_of(Table(rows, notes).content(form), form)


def text_of(content: str | bytes, form: Format) -> str:
    """Return a format's result. Raises WordleKitError if it is not text."""
    if not isinstance(content, str):
        raise WordleKitError(f"the format {form.name!r} is not text; choose another")
    return content


def _json(table: Table) -> str:
    return json_text([dict(row) for row in table.rows] if table.value is None else table.value) + "\n"


def _csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rows = table.rows if table.columns is None else rows_of_columns(table.columns)
    writer.writerow(map(cell, rows[0] if rows else ()))
    writer.writerows(map(cell, row.values()) for row in rows)
    return out.getvalue()


def _tabulated(style: str, table: Table) -> str:
    """Return a table, or its parts one below the other, in a style of tabulate, with notes below.

    tabulate escapes cells for LaTeX and HTML.
    """
    if table.parts:
        return "\n".join(_tabulated(style, part) for part in table.parts)
    escaped = markdown if style in ("github", "pipe") else one_line
    rows = [list(row.values()) for row in table.rows]
    text = tabulate(
        [["" if value is None else escaped(str(value)) for value in row] for row in rows],
        headers=list(map(escaped, table.rows[0])) if rows else [],
        tablefmt=style,
        disable_numparse=True,
        colalign=["right" if _is_number(value) else "left" for value in rows[0]] if rows else None,
    )
    if style == "html":
        below = [f"<p>{web(note)}</p>" for note in table.notes]
    else:
        begin = "% " if style.startswith("latex") else "\n"
        below = [begin + escaped(note) for note in table.notes]
    return "\n".join([text, *below]) + "\n"


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        return value.partition(" ± ")[0].lstrip("<").rstrip("%").replace(".", "", 1).isdigit()
    return isinstance(value, int | float)


# Columns of values, for data frames and Parquet


ColumnKind = Literal["text", "truth", "whole", "real"]


class Column(NamedTuple):
    """A column: its kind, and its values."""

    kind: ColumnKind
    values: Sequence[Any]


Columns = Mapping[str, Column]


def columns_of(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, ColumnKind]) -> dict[str, Column]:
    """Return rows as columns. A missing number of puzzles is 0, and any other missing value is None."""
    return {
        name: Column(kind, [row.get(name, 0 if kind == "whole" else None) for row in rows])
        for name, kind in kinds.items()
    }


def column_of(values: Sequence[Any]) -> Column:
    """Return JSON values as a column of truths or of numbers or, if they are of other or mixed types, of texts."""
    known = [value for value in values if value is not None]
    if len(known) == len(values) and all(isinstance(value, bool) for value in known):
        return Column("truth", values)
    if known and all(type(value) is int and abs(value) <= MOST_WHOLE for value in known):
        return Column("whole", values)
    if known and all(type(value) in (int, float) for value in known):
        return Column("real", [None if value is None else float(value) for value in values])
    texts = [value if value is None or isinstance(value, str) else json_text(value, indent=None) for value in values]
    return Column("text", texts)


def columns_by_type(rows: Rows) -> dict[str, Column]:
    """Return rows of JSON values as columns whose kinds are those of their values."""
    return {name: column_of([row[name] for row in rows]) for name in (rows[0] if rows else ())}


def rows_of_columns(columns: Columns) -> list[dict[str, Any]]:
    """Return columns as rows of plain values."""
    every = zip(*(column.values for column in columns.values()), strict=True)
    return [dict(zip(columns, values, strict=True)) for values in every]


def sorted_by_number(kinds: Mapping[str, ColumnKind]) -> dict[str, ColumnKind]:
    """Return columns sorted: first numbered ones such as `took_2`, then others by the text after their first `_`."""

    def order(column: str) -> tuple[bool, int, str]:
        rest = column.partition("_")[2]
        return (False, int(rest), "") if rest.lstrip("+-").isdigit() else (True, 0, rest)

    return {column: kinds[column] for column in sorted(kinds, key=order)}


def arrow_of(columns: Columns) -> "pyarrow.Table":
    """Return columns as an Arrow table. Data frames and Parquet files are made from it."""
    arrow = needed("pyarrow", "data frames and Parquet", "parquet")
    types = {"text": arrow.string(), "truth": arrow.bool_(), "whole": arrow.int64(), "real": arrow.float64()}
    return arrow.table({name: arrow.array(values, types[kind]) for name, (kind, values) in columns.items()})


def to_pandas(columns: Columns) -> "pandas.DataFrame":
    """Return columns as a pandas data frame. Whole numbers may be missing, so their type is Int64."""
    pandas = needed("pandas", "data frames", "pandas")
    return arrow_of(columns).to_pandas(types_mapper={import_module("pyarrow").int64(): pandas.Int64Dtype()}.get)


def _parquet(table: Table) -> bytes:
    arrow, file = arrow_of(table.columns or columns_by_type(table.rows)), io.BytesIO()
    import_module("pyarrow.parquet").write_table(arrow, file)
    return file.getvalue()


UNSAFE = ("latex_raw", "unsafehtml")
"""The formats of tabulate that do not escape other people's text."""

BUNDLED: Mapping[str, Format] = {
    form.name: form
    for form in (
        Format("table", partial(_tabulated, "simple"), "For a terminal."),
        Format("json", _json, "JSON: for programs.", ".json"),
        Format("csv", _csv, "CSV: for spreadsheets.", ".csv"),
        Format("parquet", _parquet, "Parquet: for data frames.", ".parquet"),
        *(
            Format(
                style,
                partial(_tabulated, style),
                "A format of tabulate.",
                ".md" if style == "pipe" else "",
                has_bars=not style.startswith("latex"),
            )
            for style in tabulate_formats
            if style not in UNSAFE
        ),
    )
}
"""The formats that come with wordle-kit."""


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Register the formats of every `--format`."""
    for form in BUNDLED.values():
        register(form)
