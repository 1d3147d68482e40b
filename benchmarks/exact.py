"""Compare the CPU time of exact searches with that of a commit, in pairs. Linux or macOS only.

    python benchmarks/exact.py COMMIT

Each search runs in whole processes, the two sides in turn. Both must prove the same total.
"""

import json
import tempfile
from pathlib import Path

from speed import Side, options, pairs, row, show, sides

CASES = {
    "salet": (["--first", "salet"], 7920),
    "least": (["--first", "least"], 7954),
    "soare": (["--first", "soare"], 7997),
    "crane": (["--first", "crane"], 7930),
    "trace": (["--first", "trace"], 7926),
    "salet, hard mode, within 6": (["--first", "salet", "--hard", "--at-most", "6"], 8122),
    "Mastermind, 1234": (["-g", "mastermind", "--first", "1234"], 5673),
}
"""Options of `wordle-kit optimal`, and the total that is proved."""


def check(side: Side, arguments: list[str], total: int) -> None:
    """Exit if a search does not prove a total."""
    found = json.loads(side.run("-m", "wordle_kit", *arguments, "--format", "json"))[0]
    if (found["total"], found["proved"]) != (total, "yes"):
        raise SystemExit(f"{side.name}: {' '.join(arguments)} found {found['total']}, not {total}")


def main() -> None:
    """Search every case and print the table."""
    asked = options()
    with tempfile.TemporaryDirectory() as folder:
        other, ours = sides(asked.other, Path(folder))
        rows = []
        for case, (chosen, total) in CASES.items():
            arguments = ["optimal", *chosen]
            for side in (other, ours):
                check(side, arguments, total)
            figures = pairs(lambda a=arguments: other.command(a), lambda a=arguments: ours.command(a), asked.runs)
            rows.append(row(case, *figures))
        show(asked.other, rows)


if __name__ == "__main__":
    main()
