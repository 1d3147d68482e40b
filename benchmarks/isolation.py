"""What isolation costs: milliseconds a decision and a start, beside the same strategy in the referee's own process.

    python benchmarks/isolation.py

Positions are those that plays of `--puzzles` words of Wordle reach, in the order in which they are reached; each
strategy is asked in all of them, `--rounds` times by a new process, and the median of the rounds counts.
"""

import argparse
import statistics
import time

import wordle_kit as wk
from wordle_kit.isolation.loading import isolate
from wordle_kit.isolation.remote import end_last
from wordle_kit.isolation.sandbox import bubblewrap_problem
from wordle_kit.lookup import load_strategy
from wordle_kit.plugins import default_plugins


def positions_of(game: wk.Game, strategy: wk.Strategy, count: int) -> list[wk.Position]:
    """Return the positions that plays of some words reach, each once."""
    positions = {}
    for play in wk.play(strategy, game, count):
        position = wk.Position.start(game, seed="0")
        for guess, seen in zip(play.guesses, play.feedback, strict=True):
            positions.setdefault(repr(position), position)
            position = position.after(guess, seen)
    return list(positions.values())


def seconds_of(strategy: wk.Strategy, positions: list[wk.Position]) -> float:
    """Return the seconds that a strategy takes for all positions, which nobody else has looked at."""
    fresh = [position.copy() for position in positions]
    begin = time.perf_counter()
    for position in fresh:
        strategy.guess(position)
    return time.perf_counter() - begin


def main() -> None:
    """Print a row a strategy and level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    game = wk.load_game("wordle")
    game.table.prepare()
    problem = bubblewrap_problem()
    print(f"bubblewrap: {problem or 'works'}")
    print(f"{'strategy':<18}{'level':<12}{'positions':>10}{'ms a decision':>15}{'overhead ms':>13}{'start s':>9}")
    for name in ("first-consistent", "random-consistent", "expected-size"):
        inside = load_strategy(name)
        positions = positions_of(game, inside, arguments.puzzles)
        own = statistics.median(seconds_of(inside, positions) for _ in range(arguments.rounds)) / len(positions)
        print(f"{name:<18}{'none':<12}{len(positions):>10}{1000 * own:>15.3f}")
        for level in ("plain", *(["required"] if problem is None else [])):
            isolation = wk.Isolation(sandbox=level)
            outside = isolate(default_plugins(), isolation).strategies[name].value
            starts, rounds = [], []
            for _ in range(arguments.rounds):
                begin = time.perf_counter()
                outside.guess(wk.Position.start(game, seed="0"))
                starts.append(time.perf_counter() - begin)
                rounds.append(seconds_of(outside, positions) / len(positions))
                end_last()
            start, taken = statistics.median(starts), statistics.median(rounds)
            shown = "bubblewrap" if level == "required" else level
            overhead = 1000 * (taken - own)
            print(f"{'':<18}{shown:<12}{len(positions):>10}{1000 * taken:>15.3f}{overhead:>13.3f}{start:>9.2f}")


if __name__ == "__main__":
    main()
