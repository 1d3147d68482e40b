"""Measure the cost of isolation per decision and start, compared with the same strategy in the referee's process.

    python benchmarks/isolation.py

The positions are those that plays of `--puzzles` words of Wordle reach, in order. Each strategy is asked in all of them
in `--rounds` rounds, each with a new process, and the median of the rounds counts. CPU time is that of both processes
together. The system counts it in ticks of 10 ms, so it is the mean of all rounds.
"""

import argparse
import os
import statistics
import time

import wordle_kit as wk
from wordle_kit.api import load_strategy
from wordle_kit.isolation.remote import end_last
from wordle_kit.plugins import default_plugins
from wordle_kit.sandbox.levels import bubblewrap_problem
from wordle_kit.sandbox.supervisor import descendants, processor_time


def positions_of(game: wk.Game, strategy: wk.Strategy, count: int) -> list[wk.Position]:
    """Return the positions that plays of some words reach, without duplicates."""
    positions = {}
    for play in wk.play(strategy, game, count):
        position = wk.Position.start(game, seed="0")
        for guess, seen in zip(play.guesses, play.feedback, strict=True):
            positions.setdefault(repr(position), position)
            position = position.after(guess, seen)
    return list(positions.values())


def seconds_of(strategy: wk.Strategy, positions: list[wk.Position]) -> tuple[float, float]:
    """Return the wall and CPU seconds of a strategy for all positions, none of them used before."""
    fresh = [position.copy() for position in positions]
    begin, used = time.perf_counter(), cpu_of_all()
    for position in fresh:
        strategy.guess(position)
    return time.perf_counter() - begin, cpu_of_all() - used


def cpu_of_all() -> float:
    """Return the CPU seconds of this process and its descendants."""
    return time.process_time() + processor_time(descendants(os.getpid()))


def main() -> None:
    """Print a row for each strategy and level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    game = wk.load_game("wordle")
    game.table.prepare()
    problem = bubblewrap_problem()
    print(f"bubblewrap: {problem or 'works'}")
    header = f"{'strategy':<18}{'level':<12}{'positions':>10}{'ms a decision':>15}{'overhead ms':>13}"
    print(f"{header}{'CPU ms':>8}{'overhead CPU':>14}{'start s':>9}")
    for name in ("first-consistent", "random-consistent", "expected-size"):
        inside = load_strategy(name)
        positions = positions_of(game, inside, arguments.puzzles)
        taken = [seconds_of(inside, positions) for _ in range(arguments.rounds)]
        own, own_cpu = (1000 * value / len(positions) for value in (median_of(taken, 0), mean_of(taken, 1)))
        print(f"{name:<18}{'none':<12}{len(positions):>10}{own:>15.3f}{'':>13}{own_cpu:>8.3f}")
        for level in ("plain", *(["required"] if problem is None else [])):
            isolation = wk.Isolation(sandbox=level)
            outside = default_plugins().isolated(isolation).strategies[name].value
            starts, taken = [], []
            for _ in range(arguments.rounds):
                begin = time.perf_counter()
                outside.guess(wk.Position.start(game, seed="0"))
                starts.append(time.perf_counter() - begin)
                taken.append(seconds_of(outside, positions))
                end_last()
            start = statistics.median(starts)
            wall, cpu = (1000 * value / len(positions) for value in (median_of(taken, 0), mean_of(taken, 1)))
            shown = "bubblewrap" if level == "required" else level
            figures = f"{len(positions):>10}{wall:>15.3f}{wall - own:>13.3f}{cpu:>8.3f}{cpu - own_cpu:>14.3f}"
            print(f"{'':<18}{shown:<12}{figures}{start:>9.2f}")


def median_of(rows: list[tuple[float, float]], column: int) -> float:
    """Return the median of a column."""
    return statistics.median(row[column] for row in rows)


def mean_of(rows: list[tuple[float, float]], column: int) -> float:
    """Return the mean of a column."""
    return statistics.fmean(row[column] for row in rows)


if __name__ == "__main__":
    main()
