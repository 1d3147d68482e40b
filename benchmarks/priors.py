"""Measure what weights cost: the kernels for sets of all sizes, and whole runs of entropy.

    python benchmarks/priors.py

Every figure is CPU time, the median of several runs without and with weights in turn. The weights of `wordle` are drawn
at random, and the sets are parts of guesses drawn at random; `wordle-nyt` has weights of its own. The target is a ratio
of at most 2.5. The table is in Markdown.
"""

import argparse
import statistics
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from measure import MEBIBYTE, seconds_of, verdict
from tabulate import tabulate

import wordle_kit as wk

SIZES = [1, 2, 3, 4, 6, 8, 10, 12, 14, 15, 16, 18, 20, 25, 30, 32, 33, 40, 50, 75, 100, 150, 200, 300, 500, 800, 1200]
SMALL = 64 * MEBIBYTE
"""Too little memory to keep the table of `wordle-nyt`."""

STRATEGIES = ["entropy", "expected-size", "statistical-estimator"]
TARGET = 2.5

Row = dict[str, object]


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


def of_sets(game: wk.Game, weighted: wk.Game, runs: int) -> Iterator[Row]:
    """Yield the cost of scoring all guesses, and then only the candidates, by entropy, for a set of each size."""
    entropy = wk.load_strategy("entropy")
    for candidates in sets_of(game, np.random.default_rng(0)):
        boards = [wk.Board(each, candidates) for each in (game, weighted)]
        for guesses, which in [(None, ""), (np.unique(boards[0].candidate_guesses), ", which alone are guessed")]:
            acts = [partial(entropy.scores, board, guesses) for board in boards]
            yield row(f"{len(candidates):,} candidates{which}", seconds_of(acts, runs), 1000)


def of_first_guesses(games: Sequence[wk.Game], runs: int) -> Iterator[Row]:
    """Yield the cost of scoring all guesses by entropy before the first guess of games with weights."""
    entropy = wk.load_strategy("entropy")
    for game in games:
        each = (game.replace(weights=None), game)
        for one in each:
            one.table.prepare()
        acts = [partial(entropy.scores, wk.Position.start(one).board, None) for one in each]
        kept = "kept" if game.table.is_dense else "not kept"
        yield row(f"{game.name}, {len(game.answers):,} candidates, table {kept}", seconds_of(acts, runs), 1000)


def of_runs(game: wk.Game, weighted: wk.Game, runs: int) -> Iterator[Row]:
    """Yield the cost of whole runs."""
    for name in STRATEGIES:
        times = seconds_of([partial(wk.play, name, played) for played in (game, weighted)], runs)
        yield row(f"{name}, all {len(game.answers):,} puzzles", times, 1)


def row(what: str, times: Sequence[Sequence[float]], scale: int) -> Row:
    """Return the cells of a row: the median times without and with weights, and their ratio."""
    without, weighted = map(statistics.median, times)
    unit = {1: "s", 1000: "ms"}[scale]
    return {
        "what": what,
        "without weights": f"{without * scale:.3f} {unit}",
        "with weights": f"{weighted * scale:.3f} {unit}",
        "ratio": f"{weighted / without:.2f}",
        "met": verdict(weighted / without, TARGET),
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
    nyt = wk.load_game("wordle-nyt")
    rows = [
        *of_sets(game, weighted, runs),
        *of_first_guesses([weighted, nyt, nyt.replace(memory=SMALL)], runs),
        *of_runs(game, weighted, runs),
    ]
    print(tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
