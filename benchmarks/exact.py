"""CPU seconds of exact searches, compared with the best public solver, and their memory. Linux only.

Each search runs in a process of its own, with compiled kernels, the feedback table already built, and no checkpoint.
The other solver is written in C++; its figures are for a single thread on the same kind of machine. `--proof` also
proves the best of all first guesses, with two workers.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

from tabulate import tabulate

CASES = {
    "salet": ("salet", False, 7920, 0.8),
    "least": ("least", False, 7954, 1.4),
    "soare": ("soare", False, 7997, 2.4),
    "crane": ("crane", False, 7930, 7.9),
    "trace": ("trace", False, 7926, 8.9),
    "salet, hard mode": ("salet", True, 8122, 1.9),
}
"""Opener, hard mode, the expected total, and the seconds of the other solver, which allows six guesses."""

MEMORIES = {("wordle", "trace"): (2048, 64), ("mastermind", "1234"): (2048, 64, 16, 6)}
"""MB that searches of an opener may use, from the default to the least that is enough."""


def main() -> None:
    """Print a table of the cases, a table of memory, and with `--proof` the proof."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often to run each search; the median is shown")
    parser.add_argument("--proof", action="store_true", help="also prove the best of all first guesses")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        run_one(*json.loads(options.one))
        return
    run_apart("salet", False, 2048, False)  # compiles
    rows = []
    for name, (opener, hard, total, other) in CASES.items():
        runs = sorted((run_apart(opener, hard, 2048, False) for _ in range(options.times)), key=lambda run: run["cpu"])
        middle = runs[len(runs) // 2]
        if any(run["total"] != total or not run["proved"] for run in runs):
            sys.exit(f"{name}: {middle['total']} and not {total}")
        spread = f"{runs[0]['cpu']:.2f} to {runs[-1]['cpu']:.2f}"
        rows.append([name, total, middle["nodes"], f"{middle['cpu']:.2f}", spread, other, f"{middle['peak']:.0f}"])
    print(tabulate(rows, ["search", "total", "sets", "CPU s", "of all runs", "C++ CPU s", "peak MB"]))
    rows = []
    for game, opener, memory in ((*case, memory) for case, memories in MEMORIES.items() for memory in memories):
        run = run_apart(opener, False, memory, False, game)
        figures = [run["total"], f"{run['cpu']:.2f}", run["nodes"], f"{run['arrays']:.0f}", f"{run['peak']:.0f}"]
        rows.append([f"{game} {opener}", memory, *figures])
    print()
    print(tabulate(rows, ["search", "memory MB", "total", "CPU s", "sets", "arrays MB", "peak MB"]))
    if options.proof:
        run = run_apart(None, False, 2048, True)
        print(f"\nproof over all first guesses: {run['opener']} {run['total']}, proved: {run['proved']}, ", end="")
        print(f"{run['wall'] / 60:.1f} minutes, {run['cpu'] + run['children']:.0f} s of CPU, {run['peak']:.0f} MB each")


def run_apart(opener: str | None, hard: bool, memory: int, proof: bool, game: str = "wordle") -> dict[str, float]:
    """Return the figures of a search in a process of its own."""
    facts = json.dumps([game, opener, hard, memory, proof])
    ran = subprocess.run([sys.executable, __file__, "--one", facts], check=True, capture_output=True, text=True)
    answer: dict[str, float] = json.loads(ran.stdout)
    return answer


def run_one(name: str, opener: str | None, hard: bool, memory: int, proof: bool) -> None:
    """Search, and print the figures as JSON."""
    import wordle_kit as wk

    game = wk.load_game(name).replace(hard_mode=hard)
    game.table.prepare()
    at_most = 6 if hard else None
    if opener is not None:
        wk.optimal(game, opener, at_most=at_most, seconds=0.01)  # loads the kernels
    start, clock = time.process_time(), time.perf_counter()
    solution = wk.optimal(game, opener, at_most=at_most, memory=memory * 2**20, workers=2 if proof else 1)
    wall, total_cpu = time.perf_counter() - clock, time.process_time() - start
    usage, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    facts = {
        "opener": solution.opener,
        "total": solution.total,
        "proved": solution.is_proved,
        "nodes": solution.nodes,
        "cpu": solution.seconds if not proof else total_cpu,
        "children": children.ru_utime + children.ru_stime,
        "wall": wall,
        "peak": usage.ru_maxrss / 1024,
        "arrays": solution.nbytes / 2**20,
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
