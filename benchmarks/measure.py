"""Measure the CPU time, wall time and memory of a command and all its child processes. Linux only."""

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MEBIBYTE = 2**20
LONGEST = 1200.0
"""Time limit of a command, in seconds."""

BETWEEN_SAMPLES = 0.02
"""Seconds between two samples of the memory of a process tree."""

SIX = ["entropy", "expected-size", "minimax", "most-parts", "first-consistent", "random-consistent"]
"""Four textbook heuristics and two baselines."""

SIX_OPTIONS = [option for name in SIX for option in ("-s", name)]


@dataclass(frozen=True)
class Cost:
    """The cost and the output of a command."""

    wall: float
    """Wall time in seconds."""
    cpu: float
    """User and system CPU time of the process and all its children, in seconds."""
    largest: float
    """Peak of the largest process in MiB, with shared pages counted in full."""
    tree: float
    """Sampled peak of all processes together in MiB, with each shared page counted once; 0 if not sampled."""
    printed: str
    halves: tuple[float, float] = (0.0, 0.0)
    """The same for the first and the second half of the time."""


def run(
    command: Sequence[str], changes: Mapping[str, str] | None = None, *, sampled: bool = False, longest: float = LONGEST
) -> Cost:
    """Run a command with changes to the environment and return its cost. Exit with its output if it fails.

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
    """Return the memory of a process and its descendants in bytes, with each shared page counted once (PSS)."""
    total = 0
    waiting = [root]
    while waiting:
        folder = Path(f"/proc/{waiting.pop()}")
        with contextlib.suppress(OSError, StopIteration):  # the process may have ended
            lines = (folder / "smaps_rollup").read_text().splitlines()
            total += 1024 * int(next(line.split()[1] for line in lines if line.startswith("Pss:")))
            for thread in (folder / "task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
    return total


def tournament(store: Path, *options: str) -> list[str]:
    """Return the command of a tournament with a store that must not exist yet."""
    if store.exists():
        raise FileExistsError(f"{store} is there already, so nothing would be played")
    return [sys.executable, "-m", "wordle_kit", "tournament", "--store", str(store), *options]


def cpu_seconds() -> float:
    """Return the user and system CPU seconds of this process, with all threads."""
    return time.process_time()


def seconds_of(acts: Sequence[Callable[[], object]], runs: int) -> list[list[float]]:
    """Return the CPU seconds of several calls of each of some functions in turn, after one that does not count."""
    seconds: list[list[float]] = [[] for _ in acts]
    for number in range(runs + 1):
        for act, values in zip(acts, seconds, strict=True):
            start = cpu_seconds()
            act()
            if number:
                values.append(cpu_seconds() - start)
    return seconds


def spread(values: Sequence[float], digits: int) -> str:
    """Return the median of some values with minimum and maximum, as text."""
    middle, least, most = (f"{f(values):,.{digits}f}" for f in (statistics.median, min, max))
    return f"{middle} ({least} to {most})" if len(values) > 1 else middle


def verdict(value: float, target: float | None) -> str:
    """Return whether a figure is at most its target, as text."""
    if target is None:
        return ""
    return "yes" if value <= target else "NO"
