"""Measure the speed on several boards: 10,000 puzzles by both methods, the growth of the cost, the cache and workers.

    python benchmarks/boards.py

Each figure is measured in a separate process, with kernels compiled and the feedback table ready.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from measure import Cost, run, verdict
from tabulate import tabulate

TARGETS = {("sum", 8): 15.0, ("min", 8): 25.0, ("sum", 4): 9.0, ("min", 4): 15.0}
MOST_MEMORY = 700
GROWTH = (1, 2, 4, 8, 16, 32)
BAR = 60
"""Length of the longest bar, in characters."""

PLAY = """
import sys, time
import wordle_kit as wk
from wordle_kit.strategy.partition import SCORES
boards, count, spec, capacity = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
game = wk.load_game("octordle").replace(boards=boards, max_guesses=boards + 5)
if capacity:
    SCORES.capacity = int(capacity)
game.table.prepare()
wk.play(spec, game, 2)
SCORES.clear()
puzzles = wk.load_puzzles(game, min(count, len(game.answers)) if boards == 1 else count)
start = time.process_time()
plays = wk.play(spec, game, puzzles)
print((time.process_time() - start) * count / len(plays), sum(play.turns for play in plays) / len(plays))
"""


def played(boards: int, count: int, method: str, capacity: str = "") -> tuple[float, float, Cost]:
    """Return the CPU seconds of playing, the mean number of guesses, and the cost of the whole process."""
    spec = f"greedy-entropy(combine={method})"
    cost = run([sys.executable, "-c", PLAY, str(boards), str(count), spec, capacity])
    seconds, mean = map(float, cost.printed.split())
    return seconds, mean, cost


def against_targets(count: int) -> str:
    """Return the table of the four cases that have targets."""
    rows = []
    for (method, boards), target in TARGETS.items():
        seconds, mean, cost = played(boards, count, method)
        rows.append(
            {
                "boards": boards,
                "combine": method,
                "mean": f"{mean:.4f}",
                "CPU s": f"{seconds:.1f}",
                "at most": f"{target:g}",
                "met": verdict(seconds, target),
                "MiB": f"{cost.largest:.0f}",
                "at most MiB": MOST_MEMORY,
                "memory met": verdict(cost.largest, MOST_MEMORY),
            }
        )
    return tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True)


def growth(count: int) -> str:
    """Return a bar chart of the CPU milliseconds per puzzle, by the number of boards."""
    costs = {boards: 1000 * played(boards, count, "sum")[0] / count for boards in GROWTH}
    longest = max(costs.values())
    return "\n".join(f"{n:>3} boards  {'█' * round(BAR * ms / longest)} {ms:.2f} ms" for n, ms in costs.items())


def without_cache(count: int) -> str:
    """Return the effect of the score cache on eight boards."""
    (with_it, mean, _), (without, same, _) = played(8, count, "sum"), played(8, count, "sum", "1")
    if mean != same:
        sys.exit(f"without the score cache the mean is {same}, not {mean}")
    return f"{1000 * with_it / count:.2f} ms a puzzle with the score cache, {1000 * without / count:.2f} ms without"


def workers(count: int) -> str:
    """Return the wall seconds of a tournament on eight boards with one worker and with two."""
    with tempfile.TemporaryDirectory() as folder:
        walls = []
        for number in (1, 2):
            options = ["-g", "octordle", "-s", "greedy-entropy", "--puzzles", str(count), "--workers", str(number)]
            store = ["--store", str(Path(folder) / str(number))]
            walls.append(run([sys.executable, "-m", "wordle_kit", "tournament", *options, *store]).wall)
    return f"{walls[0]:.1f} s with one worker, {walls[1]:.1f} s with two: {walls[0] / walls[1]:.2f} times as fast"


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--puzzles", type=int, default=10_000, help="how many are played [default: 10000]")
    count = parser.parse_args().puzzles
    print(against_targets(count), growth(count), without_cache(min(count, 300)), workers(count), sep="\n\n")


if __name__ == "__main__":
    main()
