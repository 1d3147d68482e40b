"""Tables: rows of figures as text for a terminal, Markdown, CSV, LaTeX, HTML or JSON."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from tabulate import tabulate

from wordle_kit.errors import WordleKitError
from wordle_kit.names import unknown

Format = Literal["table", "json", "csv", "markdown", "latex", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)

TABULATE = {"table": "simple", "markdown": "pipe", "latex": "latex_booktabs", "html": "html"}


def check_format(name: str) -> Format:
    """Return the format of this name. Raises WordleKitError, naming those there are."""
    for known in FORMATS:
        if isinstance(name, str) and name == known:
            return known
    raise WordleKitError(unknown("format", name, FORMATS))


def render(rows: Sequence[Mapping[str, Any]], format: Format, notes: Sequence[str] = ()) -> str:  # noqa: A002 - the word
    """Return rows with the same keys as text that ends in a newline; notes stand below a table, not in CSV or JSON."""
    if format == "json":
        return json.dumps([dict(row) for row in rows], ensure_ascii=False, indent=2) + "\n"
    headers = list(rows[0]) if rows else []
    cells = [[row[key] for key in headers] for row in rows]
    if format == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(headers)
        writer.writerows(cells)
        return out.getvalue()
    if format == "latex":  # which has no such sign unless a package is loaded
        headers = [header.replace("≤", "<=") for header in headers]
    alignment = ["right" if _is_number(cell) else "left" for cell in cells[0]] if cells else None
    table = tabulate(
        [[_text(cell, format) for cell in line] for line in cells],
        headers=headers,
        tablefmt=TABULATE[format],
        disable_numparse=True,
        colalign=alignment,
    )
    lines = [table]
    for note in notes:
        lines += {"html": [f"<p>{_escaped(note)}</p>"], "latex": [f"% {note}"], "table": ["", note]}.get(
            format, ["", note]
        )
    return "\n".join(lines) + "\n"


def _is_number(cell: object) -> bool:
    if isinstance(cell, str):
        return cell.partition(" ± ")[0].rstrip("%").replace(".", "", 1).isdigit()
    return isinstance(cell, int | float)


def _text(cell: object, format: Format) -> str:  # noqa: A002 - the word
    text = "" if cell is None else " ".join(str(cell).splitlines())
    return text.replace("|", "\\|") if format == "markdown" else text


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
