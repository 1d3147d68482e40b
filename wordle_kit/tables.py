"""Tables: rows of figures as text in a format, such as Markdown. Plugins can add formats."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from wordle_kit.errors import WordleKitError
from wordle_kit.names import shown, unknown
from wordle_kit.texts import cell, json_text, line, markdown, web

Rows = Sequence[Mapping[str, Any]]
"""Rows with equal keys, which are the headers."""

LONGEST_CELL = 4000
"""The number of characters of a cell or a note that a table shows."""


@dataclass(frozen=True)
class Format:
    """A way to write a table, as a value of `--format`."""

    name: str
    write: Callable[[Rows, Sequence[str]], str]
    """Returns rows and the notes below them as text that ends in a newline; a format may leave the notes out."""
    summary: str = ""
    """What it is for, in a few words."""


def check_format(name: "str | Format", known: Mapping[str, Format] | None = None) -> Format:
    """Return the format with this name, of those that are known or else of the bundled ones.

    A Format is returned as it is. Raises WordleKitError for an unknown name.
    """
    if isinstance(name, Format):
        return name
    formats = BUNDLED if known is None else known
    if not isinstance(name, str) or name not in formats:
        raise WordleKitError(unknown("format", name, formats))
    return formats[name]


def render(rows: Rows, format: "str | Format", notes: Sequence[str] = ()) -> str:  # noqa: A002 - the word
    """Return rows as text that ends in a newline. Notes follow a table; CSV and JSON have none."""
    wanted = check_format(format)
    text = wanted.write(rows, notes)
    if not isinstance(text, str):
        raise WordleKitError(f"format {wanted.name} returned {shown(text)}, not a text; correct its function")
    return text


def _json(rows: Rows, notes: Sequence[str]) -> str:
    return json_text([dict(row) for row in rows]) + "\n"


def _csv(rows: Rows, notes: Sequence[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    headers = list(rows[0]) if rows else []
    writer.writerow(map(cell, headers))
    writer.writerows([cell(row[key]) for key in headers] for row in rows)
    return out.getvalue()


def _tabulated(
    style: str, text: Callable[[str], str], note: Callable[[str], list[str]], rows: Rows, notes: Sequence[str]
) -> str:
    """Return rows as tabulate writes them in a style, in which it escapes cells for LaTeX and HTML."""
    from tabulate import tabulate

    headers = list(rows[0]) if rows else []
    cells = [[row[key] for key in headers] for row in rows]
    if style == "latex_booktabs":  # LaTeX has these signs only with a package
        headers = [header.replace("≤", "<=") for header in headers]
    table = tabulate(
        [["" if cell is None else text(str(cell)) for cell in row] for row in cells],
        headers=list(map(text, headers)),
        tablefmt=style,
        disable_numparse=True,
        colalign=["right" if _is_number(cell) else "left" for cell in cells[0]] if cells else None,
    )
    return "\n".join([table, *(added for each in notes for added in note(each))]) + "\n"


def _is_number(cell: object) -> bool:
    if isinstance(cell, str):
        return cell.partition(" ± ")[0].lstrip("<").rstrip("%").replace(".", "", 1).isdigit()
    return isinstance(cell, int | float)


def _line(text: str) -> str:
    return line(text, LONGEST_CELL)


def _markdown(text: str) -> str:
    return markdown(text, LONGEST_CELL)


BUNDLED: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format("table", partial(_tabulated, "simple", _line, lambda note: ["", _line(note)]), "For a terminal."),
        Format("json", _json, "JSON: for programs."),
        Format("csv", _csv, "CSV: for spreadsheets."),
        Format("markdown", partial(_tabulated, "pipe", _markdown, lambda note: ["", _markdown(note)]), "Markdown."),
        Format("latex", partial(_tabulated, "latex_booktabs", _line, lambda note: [f"% {_line(note)}"]), "LaTeX."),
        Format("html", partial(_tabulated, "html", _line, lambda note: [f"<p>{web(note, LONGEST_CELL)}</p>"]), "HTML."),
    )
}
"""The formats that come with wordle-kit."""
