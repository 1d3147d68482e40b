"""Measure games of many words, whose feedback table is not kept: the first guess, a tournament, and the growth.

    python benchmarks/large.py

The words are random, of six letters; all are answers and guesses. The strategy is entropy. The first guess is timed in
this process with one core, after the kernels are loaded. A tournament is a whole command. Tables are in Markdown.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measure import run, verdict
from tabulate import tabulate

import wordle_kit as wk
from wordle_kit.machine import use_one_core
from wordle_kit.strategy.costs import load_kernels

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LENGTH = 6
SIZES = [(12_500, 12_500), (25_000, 25_000), (50_000, 50_000), (25_000, 100_000), (100_000, 100_000)]
"""Numbers of answers and guesses."""

MAIN = 50_000
FIRST_TARGET, WALL_TARGET, MEMORY_TARGET = 6.0, 15.0, 400.0
"""CPU seconds of the first guess; wall seconds, and MiB of all processes, of 100 puzzles with two workers."""


def random_words(count: int) -> list[str]:
    """Return this many different random words, in alphabetical order."""
    dice = np.random.default_rng(1)
    words: set[str] = set()
    while len(words) < count:
        words |= {"".join(LETTERS[i] for i in word) for word in dice.integers(len(LETTERS), size=(count, LENGTH))}
    return sorted(words)[:: max(1, len(words) // count)][:count]


def first_guess(n_answers: int, n_guesses: int) -> dict[str, object]:
    """Return the row of the first guess in a game of this size."""
    words = random_words(n_guesses)
    fields = {"name": "random", "alphabet": LETTERS, "length": LENGTH, "rule": "wordle"}
    game = wk.load_game(fields | {"answers": words[:: n_guesses // n_answers][:n_answers], "guesses": words})
    strategy = wk.load_strategy("entropy")
    board = wk.Position.start(game).board
    load_kernels(game)
    strategy.scores(wk.Board(game, board.candidates[:1000]), None)
    start = time.process_time()
    strategy.scores(board, None)
    seconds = time.process_time() - start
    codes = n_answers * n_guesses
    target = FIRST_TARGET if (n_answers, n_guesses) == (MAIN, MAIN) else None
    return {
        "answers": f"{n_answers:,}",
        "guesses": f"{n_guesses:,}",
        "million codes": f"{codes / 1e6:,.0f}",
        "first guess, CPU s": f"{seconds:.2f}",
        "ns per code": f"{seconds / codes * 1e9:.2f}",
        "target, s": "" if target is None else f"at most {target:g}",
        "met": verdict(seconds, target),
    }


def tournament(folder: Path) -> dict[str, object]:
    """Return the row of a tournament of 100 puzzles."""
    (folder / "words.txt").write_text("\n".join(random_words(MAIN)))
    game = folder / "random.toml"
    fields = {"name": "random", "alphabet": LETTERS, "length": LENGTH, "answers": "words.txt", "rule": "wordle"}
    game.write_text("\n".join(f"{key} = {value!r}" for key, value in fields.items()))
    options = ["-g", str(game), "-s", "entropy", "--puzzles", "100", "--seed", "1", "--workers", "2"]
    command = [sys.executable, "-m", "wordle_kit", "tournament", *options, "--store", str(folder / "store")]
    cost = run(command, sampled=True)
    return {
        "what": "tournament of 100 puzzles",
        "CPU s": f"{cost.cpu:.1f}",
        "wall s": f"{cost.wall:.1f}",
        "target, s": f"at most {WALL_TARGET:g}",
        "met": verdict(cost.wall, WALL_TARGET),
        "together, MiB": f"{cost.tree:.0f}",
        "target, MiB": f"at most {MEMORY_TARGET:g}",
        "met ": verdict(cost.tree, MEMORY_TARGET),
    }


def main() -> None:
    """Measure everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--largest", type=int, default=100_000, help="most guesses of a game [default: 100000]")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(tabulate([tournament(Path(folder))], headers="keys", tablefmt="github", disable_numparse=True))
    print(f"\nload {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores\n")
    use_one_core()
    rows = [first_guess(*size) for size in SIZES if size[1] <= given.largest]
    print(tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
