"""Measure the speed of the feedback table, of entropy on all of Wordle, and of whole commands.

    python benchmarks/speed.py

Every figure is the median of several runs, with minimum and maximum. Other work on the machine affects wall time more
than CPU time. The table is in Markdown.
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import SIX, SIX_OPTIONS, Cost, run, seconds_of, spread, tournament, verdict
from tabulate import tabulate

import wordle_kit as wk

Row = tuple[str, str, list[float], float | None]
"""A description, the unit, the values of the runs, and the target, which is an upper limit."""


def in_process(runs: int) -> Iterator[Row]:
    """Yield the cost of each part in this process, with all kernels compiled."""
    game = wk.load_game("wordle")
    entropy = wk.load_strategy("entropy")
    words = f"{len(game.guesses):,} x {len(game.answers):,}"
    yield f"feedback table, {words} codes", "CPU s", seconds_of([lambda: compute_table(game)], runs)[0], 0.1
    game.table.prepare()
    puzzles = f"{len(game.answers):,} puzzles"
    yield f"entropy, {puzzles}, table there", "CPU s", seconds_of([lambda: wk.play(entropy, game)], runs)[0], 0.5
    plays = wk.play(entropy, game)
    print(f"entropy: {sum(len(play.guesses) for play in plays):,} guesses for {puzzles}", file=sys.stderr)


def compute_table(game: wk.Game) -> None:
    """Compute the feedback table of a game again."""
    table = type(game.table)(game.rule, game.alphabet, game.answer_symbols, game.guess_symbols, game.memory)
    table.prepare()


def whole_commands(runs: int, folder: Path) -> Iterator[Row]:
    """Yield the cost of whole commands, each with an empty store, and kernels from a cache that the first ones fill."""
    caches = [{"NUMBA_CACHE_DIR": str(folder / f"cache-{i}")} for i in range(runs)]
    first = [run(tournament(folder / f"first-{i}", "-s", "entropy"), cache) for i, cache in enumerate(caches)]
    yield from clock_and_cpu("tournament -s entropy, the very first time", first, 15)
    warm = caches[0]
    entropy = [run(tournament(folder / f"entropy-{i}", "-s", "entropy"), warm) for i in range(runs)]
    yield from clock_and_cpu("tournament -s entropy", entropy, 2.5)
    alone = [run(tournament(folder / f"alone-{i}", "-s", "entropy", "--workers", "1"), warm) for i in range(runs)]
    yield from clock_and_cpu("tournament -s entropy --workers 1", alone, None)
    six = [run(tournament(folder / f"six-{i}", *SIX_OPTIONS), warm) for i in range(runs)]
    yield from clock_and_cpu("tournament of six strategies", six, 8)
    stored = [sys.executable, "-m", "wordle_kit", "tournament", "--store", str(folder / "six-0"), *SIX_OPTIONS]
    yield from clock_and_cpu("tournament of six, stored already", [run(stored, warm) for _ in range(runs)], None)
    if (count := len(wk.Plugins.load().strategies)) != len(SIX):
        every = [run(tournament(folder / f"all-{i}"), warm) for i in range(runs)]
        yield from clock_and_cpu(f"tournament, all {count} strategies there are", every, None)
    shown = [run([sys.executable, "-m", "wordle_kit", "--help"]) for _ in range(runs)]
    yield from clock_and_cpu("--help", shown, 0.3)
    numba = [run([sys.executable, "-c", "import numba"]) for _ in range(runs)]
    yield from clock_and_cpu("for scale: python -c 'import numba'", numba, None)


def clock_and_cpu(what: str, costs: list[Cost], target: float | None) -> Iterator[Row]:
    """Yield the wall seconds, which have the target, and the CPU seconds."""
    yield what, "wall s", [cost.wall for cost in costs], target
    yield what, "CPU s", [cost.cpu for cost in costs], None


def numba_modules_of_help() -> list[str]:
    """Return the modules of numba that `wordle-kit --help` imports."""
    listing = "import sys, runpy; sys.argv[1:] = ['--help']\n"
    listing += "try: runpy.run_module('wordle_kit', run_name='__main__')\n"
    listing += "finally: print('\\n'.join(sys.modules))"
    modules = run([sys.executable, "-c", listing]).printed.split()
    assert "wordle_kit.cli" in modules
    return [module for module in modules if module.partition(".")[0] in ("numba", "llvmlite")]


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=7, help="how often each figure is taken [default: 7]")
    runs = parser.parse_args().runs
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        rows = [*in_process(runs), *whole_commands(runs, Path(folder))]
    cells = [
        {
            "what": what,
            "unit": unit,
            "median (least to most)": spread(values, 3),
            "target": "" if target is None else f"at most {target:g}",
            "met": verdict(statistics.median(values), target),
        }
        for what, unit, values, target in rows
    ]
    numba = numba_modules_of_help()
    cells.append(
        {
            "what": "--help",
            "unit": "modules of numba",
            "median (least to most)": len(numba),
            "target": "none",
            "met": verdict(len(numba), 0),
        }
    )
    print(tabulate(cells, headers="keys", tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
