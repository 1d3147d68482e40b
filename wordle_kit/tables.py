"""Tables: rows of figures as text for a terminal, Markdown, CSV, LaTeX, HTML or JSON."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from tabulate import tabulate

from wordle_kit.errors import WordleKitError
from wordle_kit.names import unknown
from wordle_kit.texts import cell, json_text, line, markdown, web

Format = Literal["table", "json", "csv", "markdown", "latex", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)

TABULATE = {"table": "simple", "markdown": "pipe", "latex": "latex_booktabs", "html": "html"}

LONGEST_CELL = 4000
"""The number of characters of a cell or a note that a table shows."""


def check_format(name: str) -> Format:
    """Return the format with this name. Raises WordleKitError for an unknown name."""
    for known in FORMATS:
        if isinstance(name, str) and name == known:
            return known
    raise WordleKitError(unknown("format", name, FORMATS))


def render(rows: Sequence[Mapping[str, Any]], format: Format, notes: Sequence[str] = ()) -> str:  # noqa: A002 - the word
    """Return rows with equal keys as text that ends in a newline. Notes follow a table; CSV and JSON have none."""
    if format == "json":
        return json_text([dict(row) for row in rows]) + "\n"
    headers = list(rows[0]) if rows else []
    cells = [[row[key] for key in headers] for row in rows]
    if format == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(cell, headers))
        writer.writerows(map(cell, row) for row in cells)
        return out.getvalue()
    if format == "latex":  # LaTeX has these signs only with a package
        headers = [header.replace("≤", "<=") for header in headers]
    alignment = ["right" if _is_number(cell) else "left" for cell in cells[0]] if cells else None
    table = tabulate(
        [[_text(cell, format) for cell in row] for row in cells],
        headers=[_text(header, format) for header in headers],
        tablefmt=TABULATE[format],
        disable_numparse=True,
        colalign=alignment,
    )
    lines = [table]
    for note in notes:
        lines += {
            "html": [f"<p>{web(note, LONGEST_CELL)}</p>"],
            "latex": [f"% {line(note, LONGEST_CELL)}"],
            "markdown": ["", markdown(note, LONGEST_CELL)],
        }.get(format, ["", line(note, LONGEST_CELL)])
    return "\n".join(lines) + "\n"


def _is_number(cell: object) -> bool:
    if isinstance(cell, str):
        return cell.partition(" ± ")[0].lstrip("<").rstrip("%").replace(".", "", 1).isdigit()
    return isinstance(cell, int | float)


def _text(cell: object, format: Format) -> str:  # noqa: A002 - the word
    """Return a cell as text, which tabulate escapes for LaTeX and HTML."""
    text = "" if cell is None else str(cell)
    return markdown(text, LONGEST_CELL) if format == "markdown" else line(text, LONGEST_CELL)
