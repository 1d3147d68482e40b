"""Measure what weights cost: the kernels for sets of all sizes, and whole runs of entropy.

    python benchmarks/priors.py

Every figure is CPU time, the least of several runs, once without and once with weights drawn at random. The sets are
parts of guesses drawn at random. The target is a ratio of at most 1.5. The tables are in Markdown.
"""

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from measure import cpu_seconds, verdict
from tabulate import tabulate

import wordle_kit as wk

SIZES = [2, 3, 4, 6, 8, 10, 12, 14, 15, 16, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 800, 1200, 2315]
STRATEGIES = ["entropy", "expected-size", "statistical-estimator"]
TARGET = 1.5


def least(act: Callable[[], object], runs: int) -> float:
    """Return the least CPU seconds of several calls, after one that does not count."""
    act()
    seconds = []
    for _ in range(runs):
        start = cpu_seconds()
        act()
        seconds.append(cpu_seconds() - start)
    return min(seconds)


def sets_of(game: wk.Game, dice: np.random.Generator) -> Iterator[wk.Ids]:
    """Yield a set of candidates of each size: the part with the nearest number of words, cut to it if it is larger."""
    board = wk.Position.start(game).board
    parts = [board.candidates]
    for guess in dice.choice(len(game.guesses), 60, replace=False).tolist():
        for part in board.parts(guess).values():
            parts.append(part)
            parts += wk.Board(game, part).parts(int(dice.integers(len(game.guesses)))).values()
    for size in SIZES:
        yield min((part for part in parts if len(part) >= size), key=len)[:size]


def of_sets(game: wk.Game, weighted: wk.Game, runs: int) -> Iterator[dict[str, object]]:
    """Yield the cost of scoring all guesses by entropy, for a set of each size."""
    entropy = wk.load_strategy("entropy")
    for candidates in sets_of(game, np.random.default_rng(0)):
        plain, heavy = wk.Board(game, candidates), wk.Board(weighted, candidates)
        times = [least(lambda board=board: entropy.scores(board, None), runs) for board in (plain, heavy)]
        yield row(f"{len(candidates):,} candidates", times, 1000)


def of_runs(game: wk.Game, weighted: wk.Game, runs: int) -> Iterator[dict[str, object]]:
    """Yield the cost of whole runs."""
    for name in STRATEGIES:
        times = [least(lambda name=name, played=played: wk.play(name, played), runs) for played in (game, weighted)]
        yield row(f"{name}, all {len(game.answers):,} puzzles", times, 1)


def row(what: str, times: list[float], scale: int) -> dict[str, object]:
    """Return the cells of a row: the times without and with weights, and their ratio."""
    ratio = times[1] / times[0]
    unit = {1: "s", 1000: "ms"}[scale]
    return {
        "what": what,
        "without weights": f"{times[0] * scale:.3f} {unit}",
        "with weights": f"{times[1] * scale:.3f} {unit}",
        "ratio": f"{ratio:.2f}",
        "met": verdict(ratio, TARGET),
    }


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=15, help="how often each figure is taken [default: 15]")
    runs = parser.parse_args().runs
    game = wk.load_game("wordle")
    weights = np.random.default_rng(1).random(len(game.answers)) ** 3 + 1e-3
    weighted = game.replace(weights=weights)
    for each in (game, weighted):
        each.table.prepare()
    rows = [*of_sets(game, weighted, runs), *of_runs(game, weighted, max(1, runs // 3))]
    print(tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
