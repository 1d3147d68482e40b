"""Measure how many games a second the environments play on one core, in processor time.

    python benchmarks/environments.py

Games are Wordle's, played by a fixed list of guesses, so that only the environment is measured. The feedback table is
there. Every puzzle is played once before the clock starts, so the values that rewards need are kept.
"""

import random
import time
from collections.abc import Callable, Iterator

from tabulate import tabulate

from wordle_kit.environments import TextGame

GUESSES = ("salet", "courd", "nymph", "fugly", "bewig", "zebra")
GAMES = 2000


def games(text: TextGame, count: int) -> Callable[[], None]:
    """Return a function that plays this many games."""

    def play() -> None:
        for puzzle in range(count):
            text.reset(puzzle)
            for guess in GUESSES:
                if text.is_over:
                    break
                text.guess(guess)

    return play


def rate(work: Callable[[], object], count: int, runs: int = 3) -> float:
    """Return how many of `count` things are done in a second of processor time, the median of some runs."""
    rates = []
    for _ in range(runs):
        start = time.process_time()
        work()
        rates.append(count / (time.process_time() - start))
    return sorted(rates)[runs // 2]


def rows() -> Iterator[tuple[str, float, float]]:
    """Yield what is measured, how many a second, and the number that is wanted at least."""
    for reward, wanted in (("guesses", 2000), ("information", 100), ("regret", 100), ("potential", 100)):
        text = TextGame("wordle", reward=reward)
        play = games(text, GAMES)
        play()
        yield f"whole games as text, reward {reward}", rate(play, GAMES), wanted


def main() -> None:
    """Print the table, in Markdown."""
    random.seed(0)
    table = [(what, f"{found:,.0f}", f"{wanted:,}") for what, found, wanted in rows()]
    print(tabulate(table, headers=["", "per second", "wanted"], tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
