"""Measure Dask workers: two against one on the same tournament, the cost of handing out a chunk, and a model of 100.

    python benchmarks/cluster.py [--pairs 3] [--puzzles 10000]

Needs the extra `dask`. It is not called distributed.py, since Python would then import it in place of Dask's package.
Each pair plays the tournament with one worker of one thread and with two, one after the other; other work on the
machine disturbs both. The ratio that counts is that of the best times.
"""

import argparse
import heapq
import pickle
import random
import statistics
import tempfile
import time
from pathlib import Path

from measure import verdict
from tabulate import tabulate

import wordle_kit as wk
from wordle_kit.tournaments.store import Store

CHUNK = wk.Strategy.chunk

TARGET = 1.9
"""The aim: how many times as fast as one worker two workers are."""

CALLS = 200
"""Calls without work, to measure what handing out a chunk costs."""

NUMBERS = {"name": "numbers", "title": "Numbers", "alphabet": "0123456789", "length": 4, "answers": "all"}
"""A game of 10,000 answers."""

PLUGIN = '''
import random
import wordle_kit as wk

class Thinking(wk.Strategy):
    """Guess a random candidate after some arithmetic, as costly for each puzzle as for any other."""

    name = "thinking"
    stochastic = True
    work: int = 200_000

    def guess(self, position):
        sum(number * number for number in range(self.work))
        return random.Random(position.seed).choice(position.board.words)

@wk.hookimpl
def register_strategies(register):
    register(Thinking())
'''


def played(plugins: wk.Plugins, workers: int, puzzles: int) -> tuple[float, float]:
    """Return the seconds of the clock that a tournament takes, and the seconds that the strategy thinks."""
    game = wk.load_game(NUMBERS)
    with wk.Cluster(f"local:{workers}") as cluster, tempfile.TemporaryDirectory() as folder:
        how = {"plugins": plugins, "executor": cluster, "seed": 1}
        wk.tournament(game, "thinking(work=1)", 2 * CHUNK * workers, **how)  # starts the processes
        start = time.perf_counter()
        board = wk.tournament(game, "thinking", puzzles, store=Path(folder, "store.sqlite"), **how)
        return time.perf_counter() - start, board.runs[0].seconds


def two_against_one(plugins: wk.Plugins, pairs: int, puzzles: int) -> str:
    """Return the table of the pairs, and the ratio of the best times."""
    rows, best = [], [float("inf")] * 2
    for pair in range(pairs):
        times = [played(plugins, workers, puzzles) for workers in (1, 2)]
        best = [min(known, seconds) for known, (seconds, _) in zip(best, times, strict=True)]
        (one, thought), (two, thought_by_two) = times
        rows.append(
            [pair + 1, f"{one:.1f}", f"{two:.1f}", f"{one / two:.2f}", f"{thought:.1f}", f"{thought_by_two:.1f}"]
        )
    heads = ["pair", "one worker s", "two workers s", "ratio", "thought s (one)", "thought s (two)"]
    ratio = best[0] / best[1]
    table = tabulate(rows, heads, tablefmt="github", disable_numparse=True)
    return f"{table}\n\nBest times: {ratio:.2f} times as fast, at least {TARGET} wanted: {verdict(TARGET, ratio)}"


def echo(played: bytes) -> bytes:
    """Return the plays of a chunk. Runs in a process of a worker."""
    return played


def cost_of_a_call(cluster: wk.Cluster, played: bytes) -> tuple[float, float]:
    """Return the CPU seconds per chunk of the process with the client and the scheduler, and of the store."""
    with cluster.pool(2) as pool:
        [future.result() for future in [pool.submit(echo, played) for _ in range(20)]]
        start = time.process_time()
        for future in [pool.submit(echo, played) for _ in range(CALLS)]:
            future.result()
        return (time.process_time() - start) / CALLS, stored(pickle.loads(played))


def stored(plays: list[wk.Play]) -> float:
    """Return the CPU seconds that it takes to store the plays of a chunk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite")
        wk.tournament("mastermind", "first-consistent", [play.puzzle for play in plays], store=path, workers=1)
        with Store(path) as store:
            (run,) = [number for number, *_ in store.runs()]
            start = time.process_time()
            for number in range(1, 41):
                store.add(run, number, range(CHUNK * number, CHUNK * (number + 1)), plays, 0, 0.0, 0)
            return (time.process_time() - start) / 40


def makespan(workers: int, chunks: list[float], call: float) -> float:
    """Return the time to play chunks of these lengths, if handing one out and storing it takes `call` seconds.

    One process hands out and stores, one chunk after the other. A worker has the next chunk before it ends one.
    """
    free = [(0.0, number) for number in range(workers)]
    waiting = chunks[::-1]
    busy_until, end = 0.0, 0.0
    while waiting:
        ready, worker = heapq.heappop(free)
        busy_until = max(busy_until, ready - waiting[-1]) + call  # sent while the worker plays its last chunk
        done = max(ready, busy_until) + waiting.pop()
        end = max(end, done + call)
        heapq.heappush(free, (done, worker))
    return end


def model(call: float) -> str:
    """Return the table of 100 workers: speed-up by the length of decisions, the size of chunks and the puzzles."""
    rows = []
    dice = random.Random(0)
    for milliseconds in (0.1, 1.0, 10.0, 100.0):
        for size in (64, 256, 1024):
            row = [f"{milliseconds:g}", size]
            for puzzles in (10_000, 100_000, 1_000_000):
                count = -(-puzzles // size)
                lengths = [size * 4 * milliseconds / 1000 * dice.uniform(0.8, 1.2) for _ in range(count)]
                row.append(f"{sum(lengths) / makespan(100, lengths, call):.0f}")
            rows.append(row)
    heads = ["ms a decision", "puzzles a chunk", "10,000 puzzles", "100,000 puzzles", "1,000,000 puzzles"]
    return tabulate(rows, heads, tablefmt="github", disable_numparse=True)


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=3, help="pairs of tournaments with one and with two workers")
    parser.add_argument("--puzzles", type=int, default=10_000, help="puzzles of each tournament")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "thinking.py")
        path.write_text(PLUGIN)
        plugins = wk.Plugins.load([path], strict=True)
        if asked.pairs:
            print(two_against_one(plugins, asked.pairs, asked.puzzles), end="\n\n")
        plays = wk.play("random-consistent", "mastermind", CHUNK, seed=1)
        with wk.Cluster("local:2") as cluster:
            costs = [cost_of_a_call(cluster, pickle.dumps(plays)) for _ in range(2)]
        call, store = (statistics.median(column) for column in zip(*costs, strict=True))
        print(f"CPU of the client and the scheduler: {1000 * call:.1f} ms a chunk; of the store: {1000 * store:.1f} ms")
        print("\nModel: how many times as fast 100 workers are as one\n")
        print(model(call + store))


if __name__ == "__main__":
    main()
