"""Measure how many games a second the environments play on one core, in processor time.

    python benchmarks/environments.py

It needs the extra `gym`.
Games are Wordle's, played by a fixed list of guesses, so that only the environment is measured. The feedback table is
there. Every puzzle is played once before the clock starts, so the values that rewards need are kept.
"""

import time
from collections.abc import Callable, Iterator

import gymnasium
import numpy as np
from tabulate import tabulate

import wordle_kit.gym  # noqa: F401 - it registers the environment
from wordle_kit.environments import TextGame

GUESSES = ("salet", "courd", "nymph", "fugly", "bewig", "zebra")
GAMES = 2000
STEPS = 500_000


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


def steps(envs: int, count: int) -> Callable[[], None]:
    """Return a function that makes this many steps of a vector environment, each with random guesses in all games."""
    games = gymnasium.make_vec("wordle-kit/Wordle-v0", num_envs=envs)
    actions = np.random.default_rng(0).integers(0, games.single_action_space.n, (100, envs))
    games.reset(seed=0)

    def step() -> None:
        for number in range(count):
            games.step(actions[number % len(actions)])

    return step


def rows() -> Iterator[tuple[str, float, float]]:
    """Yield what is measured, how many a second, and the number that is wanted at least."""
    for reward, wanted in (("guesses", 2000), ("information", 100), ("regret", 100)):
        text = TextGame("wordle", reward=reward)
        play = games(text, GAMES)
        play()
        yield f"whole games as text, reward {reward}", rate(play, GAMES), wanted
    for envs, wanted in ((1, 0), (256, 500_000), (4096, 0)):
        count = max(200, STEPS // envs)
        yield f"steps of a vector environment of {envs:,} games", rate(steps(envs, count), envs * count), wanted


def main() -> None:
    """Print the table, in Markdown."""
    table = [(what, f"{found:,.0f}", f"{wanted:,}" if wanted else "") for what, found, wanted in rows()]
    print(tabulate(table, headers=["", "per second", "wanted"], tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
