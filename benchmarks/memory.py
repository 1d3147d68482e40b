"""Measure the memory of whole tournaments, and the cost of a feedback table beyond the memory budget.

    python benchmarks/memory.py

`largest` is the peak of the largest process, with shared pages counted in full; `together` is the peak of all
processes, sampled every 20 ms, with each shared page counted once, or in part if other programs share it too.
Figures are medians of several runs. The table is in Markdown.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import SIX_OPTIONS, Cost, run, spread, tournament, verdict
from tabulate import tabulate

WORDLE_TARGET = 400
"""Memory that a tournament of `wordle` may use in all its processes together, in MiB."""

WORDLE = {
    "wordle, entropy": ["-s", "entropy"],
    "wordle, six strategies": SIX_OPTIONS,
}
BUDGETS = {"--memory 64": ["--memory", "64"], "default": [], "--memory 512": ["--memory", "512"]}
WORKERS = {"": [], ", --workers 1": ["--workers", "1"]}


def cases(game: str, puzzles: str) -> Iterator[tuple[str, list[str], float | None]]:
    """Yield a description, options and target of each case: for wordle, and for a game with a large table."""
    for title, options in WORDLE.items():
        yield title, options, WORDLE_TARGET
    for workers, more in WORKERS.items():
        for budget, options in BUDGETS.items():
            yield (
                f"{game}, entropy, {budget}{workers}",
                ["-g", game, "-s", "entropy", "--puzzles", puzzles, *options, *more],
                None,
            )


def row(title: str, costs: list[Cost], target: float | None) -> dict[str, object]:
    """Return the row of a case: medians of its runs, some with minimum and maximum."""
    peak = statistics.median(max(cost.largest, cost.tree) for cost in costs)
    return {
        "what": title,
        "CPU s": spread([cost.cpu for cost in costs], 2),
        "wall s": spread([cost.wall for cost in costs], 2),
        "largest, MiB": spread([cost.largest for cost in costs], 0),
        "together, MiB": spread([cost.tree for cost in costs], 0),
        "target": "" if target is None else f"at most {target:g}",
        "met": verdict(peak, target),
    }


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="how often each figure is taken [default: 3]")
    parser.add_argument("--game", default="english-8", help="the game with a large table [default: english-8]")
    parser.add_argument("--puzzles", default="all", help="how many puzzles of that game [default: all]")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        run(tournament(Path(folder, "warm"), "-s", "entropy", "--puzzles", "10"))
        for number, (title, options, target) in enumerate(cases(given.game, given.puzzles)):
            stores = [Path(folder, f"{number}-{i}") for i in range(given.runs)]
            costs = [run(tournament(store, *options), sampled=True) for store in stores]
            rows.append(row(title, costs, target))
    print(tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
