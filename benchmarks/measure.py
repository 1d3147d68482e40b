"""What a command takes: seconds of CPU and of the clock, and memory, with all of its child processes. Linux only."""

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 2**20
LONGEST = 1200.0
"""Seconds after which a command is ended."""

BETWEEN_SAMPLES = 0.02
"""Seconds between two looks at the memory of a tree of processes."""

SIX = ["entropy", "expected-size", "minimax", "most-parts", "first-consistent", "random-consistent"]
"""Four textbook heuristics and two baselines."""

SIX_OPTIONS = [option for name in SIX for option in ("-s", name)]


@dataclass(frozen=True)
class Cost:
    """What a command took, and what it printed."""

    wall: float
    """Seconds of the clock."""
    cpu: float
    """Seconds of CPU, user and system, of the process and all its children."""
    largest: float
    """MiB that the largest of its processes had at its peak, shared pages counted in full."""
    tree: float
    """MiB that all its processes had together at their peak, seen in samples, a shared page counted once; else 0."""
    printed: str
    halves: tuple[float, float] = (0.0, 0.0)
    """The same in the first half of its time, and in the second."""


def run(
    command: Sequence[str], changes: Mapping[str, str] | None = None, *, sampled: bool = False, longest: float = LONGEST
) -> Cost:
    """Run a command with changes to the environment and return what it took. Exits with its words if it fails.

    The kernel counts a process's largest size from that of the process that started it, so keep the caller small.
    """
    trees: list[int] = []
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=out, stderr=err, env={**os.environ, **(changes or {})}, start_new_session=True
        )
        alarm = signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, longest)
        try:
            while sampled and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                trees.append(memory_of_tree(process.pid))
                time.sleep(BETWEEN_SAMPLES)
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            sys.exit(f"{' '.join(command)}: ended with {process.returncode} after {wall:.0f} s\n{err.read()}")
        cpu = usage.ru_utime + usage.ru_stime
        middle = len(trees) // 2
        first, second = (max(half, default=0) / MEBIBYTE for half in (trees[:middle], trees[middle:]))
        return Cost(wall, cpu, usage.ru_maxrss / 1024, max(first, second), out.read(), (first, second))


def memory_of_tree(root: int) -> int:
    """Return the bytes that a process and its descendants have in memory, each shared page counted once (PSS)."""
    total = 0
    waiting = [root]
    while waiting:
        folder = Path(f"/proc/{waiting.pop()}")
        with contextlib.suppress(OSError, StopIteration):  # it may have ended meanwhile
            lines = (folder / "smaps_rollup").read_text().splitlines()
            total += 1024 * int(next(line.split()[1] for line in lines if line.startswith("Pss:")))
            for thread in (folder / "task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
    return total


def tournament(store: Path, *options: str) -> list[str]:
    """Return the command of a tournament whose results go to a store, which must not be there yet."""
    if store.exists():
        raise FileExistsError(f"{store} is there already, so nothing would be played")
    return [sys.executable, "-m", "wordle_kit", "tournament", "--store", str(store), *options]


def cpu_seconds() -> float:
    """Return the seconds of CPU that this process has used, all threads, user and system."""
    return time.process_time()


def spread(values: Sequence[float], digits: int) -> str:
    """Return the median of some values with the least and the most."""
    middle, least, most = (f"{f(values):,.{digits}f}" for f in (statistics.median, min, max))
    return f"{middle} ({least} to {most})" if len(values) > 1 else middle


def verdict(value: float, target: float | None) -> str:
    """Return whether a figure keeps to its target, at most so much."""
    if target is None:
        return ""
    return "yes" if value <= target else "NO"
