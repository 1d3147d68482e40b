"""Make elements.csv, the chemical elements, from a published package.

Usage: fetch and unpack the package, then run this file with its folder:

    pip download --no-deps mendeleev==1.3.0 && python -m zipfile -e mendeleev-1.3.0-py3-none-any.whl mendeleev-src
    python plugins/elements/make_elements.py mendeleev-src

With --check it writes nothing, and the exit code tells whether the file is the one that the package gives.
"""

import argparse
import csv
import io
import sqlite3
import sys
from pathlib import Path

ELEMENTS = Path(__file__).with_name("elements.csv")
ROOM_TEMPERATURE = 298.15
"""The temperature, in kelvins, at which the state is told."""

QUERY = """
    SELECT elements.name, period, group_id, block, atomic_weight, discovery_year,
           min(melting_point) AS melts, min(boiling_point) AS boils, max(is_sublimation_point) AS sublimes
    FROM elements LEFT JOIN phasetransitions USING (atomic_number)
    GROUP BY atomic_number ORDER BY atomic_number
"""


def main() -> int:
    """Write or check the file."""
    parser = argparse.ArgumentParser(description="Make elements.csv.")
    parser.add_argument("mendeleev", type=Path, help="folder with the unpacked mendeleev 1.3.0 wheel")
    parser.add_argument("--check", action="store_true", help="compare with the existing file; write nothing")
    options = parser.parse_args()
    text = elements(options.mendeleev / "mendeleev" / "elements.db")
    if options.check:
        return 0 if ELEMENTS.read_text(encoding="utf-8") == text else 1
    ELEMENTS.write_text(text, encoding="utf-8")
    return 0


def elements(database: Path) -> str:
    """Return the elements as CSV. A cell is empty if the fact is not known or the element has none."""
    with io.StringIO(newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["element", "period", "group", "block", "mass", "state", "discovered"])
        for name, period, group, block, mass, year, melts, boils, sublimes in sqlite3.connect(database).execute(QUERY):
            table.writerow([name.lower(), period, group, block, f"{mass:g}", state(melts, boils, bool(sublimes)), year])
        return out.getvalue()


def state(melts: float | None, boils: float | None, sublimes: bool) -> str:
    """Return the state at room temperature, or nothing if the points that decide it are not known."""
    if boils is not None and boils < ROOM_TEMPERATURE:
        return "gas"
    if melts is None:
        return "solid" if sublimes else ""
    return "solid" if melts > ROOM_TEMPERATURE else "liquid"


if __name__ == "__main__":
    sys.exit(main())
