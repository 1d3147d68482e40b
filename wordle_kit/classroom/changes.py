"""Changes since the last grading: a comparison of two tables of grades."""

import contextlib
import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from wordle_kit.tables import render

COLUMNS = ("name", "before", "after", "what")

NOT_COMPARED = ("name", "score", "error", "of", "remarks")


def changes(before: str, after: str) -> list[dict[str, Any]]:
    """Return a row for each student whose score, tests or outcome differ between two tables of grades, as CSV."""
    old, new = _rows(before), _rows(after)
    found = []
    for name in sorted({*old, *new}):
        was, now = old.get(name), new.get(name)
        if was is None or now is None:
            what = "new" if was is None else "no longer graded"
        else:
            what = "; ".join(_differences(was, now))
        if what:
            scores = [row.get("score", "") if row is not None else "" for row in (was, now)]
            found.append(dict(zip(COLUMNS, (name, *scores, what), strict=True)))
    return found


def changes_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the changes as a table."""
    return render(rows, "csv") if rows else ",".join(COLUMNS) + "\n"


def _differences(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    columns = [name for name in dict.fromkeys([*was, *now]) if name not in NOT_COMPARED]
    found = [
        f"{name}: {was.get(name) or 'nothing'} -> {now.get(name) or 'nothing'}"
        for name in columns
        if was.get(name, "") != now.get(name, "")
    ]
    return found or (["score"] if was.get("score") != now.get("score") else [])


def _rows(text: str) -> dict[str, dict[str, str]]:
    """Return the rows of a table by the students' names; of a damaged table, the rows before the damage."""
    rows: dict[str, dict[str, str]] = {}
    with contextlib.suppress(csv.Error):
        for row in csv.DictReader(io.StringIO(text, newline="")):
            if row.get("name"):
                rows[row["name"]] = {key: cell or "" for key, cell in row.items() if key}
    return rows
