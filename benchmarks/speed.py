"""Compare the CPU time of this checkout with that of a commit, or of doddle 1.6.0, in pairs. Linux or macOS only.

    python benchmarks/speed.py COMMIT
    python benchmarks/speed.py doddle

Both sides are installed in environments of their own. Each case runs in whole processes, the two sides in turn, so that
a busy machine slows both down. The table is in Markdown.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from tabulate import tabulate

ROOT = Path(__file__).parents[1]
ENTROPY = ["tournament", "-s", "entropy"]
CASES = {
    "entropy on wordle": ENTROPY,
    "entropy on 10,000 puzzles of octordle": [*ENTROPY, "-g", "octordle", "--puzzles", "10000"],
    "optimal --first salet": ["optimal", "--first", "salet", "--fresh"],
    "--help": ["--help"],
}
"""Commands of `wordle-kit`."""

GUESSES = """
import time, numpy as np, wordle_kit as wk
board = wk.Position.start(wk.load_game("wordle")).board
one, every = np.array([5000], dtype=np.int32), np.arange(12972, dtype=np.int32)
board.part_sizes(one), board.costs(np.square, every)
start = time.process_time()
for _ in range(1000):
    board.part_sizes(one), board.costs(np.square, one)
for _ in range(20):
    board.costs(np.square, every)
print(time.process_time() - start)
"""
"""Scores one guess 1,000 times, and a list of all guesses 20 times."""

PLAYED = """
import wordle_kit as wk
game, strategies = wk.load_game("wordle"), wk.Plugins.load().strategies.items()
print(*(n for n, e in strategies if not e.value.by_name_only and e.value.problem_with(game) is None))
"""
"""Names the strategies that play by default, of which other commits have more or fewer."""

DODDLE = ["doddle==1.6.0", "numpy<2"]
"""A solver in Python with numpy and numba. It has the same words, and an entropy solver with a fixed opener."""

OUR_PLAYS = """
import time, wordle_kit as wk
game, entropy = wk.load_game("wordle"), wk.load_strategy("entropy")
wk.play(entropy, game, 5)
game = game.replace(name="wordle")  # without its feedback table
start = time.process_time()
wk.play(entropy, game)
print(time.process_time() - start)
"""

THEIR_PLAYS = """
import time
from doddle import Doddle
doddle = Doddle(size=5, solver_type="ENTROPY", lazy_eval=False)
answers = list(doddle.dictionary.common_words)
for answer in answers[:5]:
    doddle.engine.run(answer, [])
start = time.process_time()
for answer in answers:
    doddle.engine.run(answer, [])
print(time.process_time() - start)
"""


class Side:
    """Something that is measured: an environment with a program, and an empty store and cache of its own."""

    def __init__(self, name: str, folder: Path, *packages: str) -> None:
        self.name = name
        self.python = str(folder / "bin" / "python")
        self._stores = iter(range(10**6))
        self._folder = folder
        venv.create(folder, with_pip=True)
        self.run("-m", "pip", "install", "--quiet", *packages)

    def run(self, *arguments: str) -> str:
        """Return what this environment's Python prints. Exits if it fails."""
        ran = subprocess.run(
            [self.python, *arguments],
            cwd=self._folder,
            env=os.environ | {"NUMBA_CACHE_DIR": str(self._folder / "kernels")},
            capture_output=True,
            text=True,
        )
        if ran.returncode:
            sys.exit(f"{self.name}: {' '.join(arguments)}\n{ran.stderr}")
        return ran.stdout

    def cpu(self, *arguments: str) -> float:
        """Return the user and system CPU seconds of a process and its children."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def command(self, arguments: Sequence[str]) -> float:
        """Return the CPU seconds of a command of wordle-kit, which finds no results in its store."""
        store = ["--store", str(self._folder / f"{next(self._stores)}.sqlite")] if arguments[0] == "tournament" else []
        return self.cpu("-m", "wordle_kit", *arguments, *store)


def sides(commit: str, folder: Path) -> tuple[Side, Side]:
    """Return a commit of this repository and this checkout, each installed in an environment."""
    source = folder / "source"
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(source)], check=True)
    subprocess.run(["git", "-C", str(source), "checkout", "--quiet", commit], check=True)
    return Side(commit, folder / "commit", str(source)), Side("this checkout", folder / "this", str(ROOT))


def pairs(first: Callable[[], float], second: Callable[[], float], runs: int) -> tuple[list[float], list[float]]:
    """Return the figures of two functions that are called in turn, after a call of each that does not count."""
    first(), second()
    both = [(first(), second()) for _ in range(runs)]
    return [one for one, _ in both], [two for _, two in both]


def row(case: str, other: Sequence[float], ours: Sequence[float]) -> list[str]:
    """Return a row: the least and the median of both sides in seconds, and the ratios ours / other."""
    figures = [f(values) for values in (other, ours) for f in (min, statistics.median)]
    return [case, *(f"{figure:.2f}" for figure in figures), *(f"{figures[i + 2] / figures[i]:.3f}" for i in (0, 1))]


def show(other: str, rows: Sequence[Sequence[str]]) -> None:
    """Print the table."""
    headers = ["CPU seconds", f"{other}: least", "median", "this checkout: least", "median", "ratio of least", "median"]
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True))


def options() -> argparse.Namespace:
    """Return what was asked for: the other side and the number of runs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", help="a commit; speed.py also compares with `doddle`")
    parser.add_argument("--runs", type=int, default=5, help="number of pairs; doddle runs once [default: 5]")
    return parser.parse_args()


def main() -> None:
    """Measure every case and print the table."""
    asked = options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked.other != "doddle":
            other, ours = sides(asked.other, folder)
            named = [word for name in other.run("-c", PLAYED).split() for word in ("-s", name)]
            rows = [
                row(case, *pairs(lambda a=a: other.command(a), lambda a=a: ours.command(a), asked.runs))
                for case, a in [("all strategies on wordle", ["tournament", *named]), *CASES.items()]
            ]
            guesses = (lambda side=side: float(side.run("-c", GUESSES)) for side in (other, ours))
            show(
                asked.other, [*rows, row("1,000 times one guess, 20 times all, by index", *pairs(*guesses, asked.runs))]
            )
            return
        peer, ours = Side("doddle", folder / "peer", *DODDLE), Side("this checkout", folder / "this", str(ROOT))
        ours.command(ENTROPY)  # compiles
        alone = [float(ours.run("-c", OUR_PLAYS)) for _ in range(asked.runs)]
        whole = [ours.command(ENTROPY) for _ in range(asked.runs)]
        rows = [
            row("entropy, all answers, in one process", [float(peer.run("-c", THEIR_PLAYS))], alone),
            row("entropy, whole commands", [peer.cpu("-m", "doddle", "benchmark", "--solver", "ENTROPY")], whole),
        ]
        show("doddle", rows)


if __name__ == "__main__":
    main()
