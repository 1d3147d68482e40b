"""Compare the CPU time of entropy on all of Wordle with doddle 1.6.0, a solver in Python with numba.

    python benchmarks/peers.py

doddle gets its own virtual environment. Each of its two runs takes minutes and is done once; our figures are medians.
The tables are in Markdown.
"""

import argparse
import json
import statistics
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

from measure import cpu_seconds, run, tournament
from tabulate import tabulate

import wordle_kit as wk

PEER = "doddle 1.6.0"
REQUIREMENTS = ["doddle==1.6.0", "numpy<2"]
TARGET = 300
"""Target: how many times less CPU time our entropy takes than doddle's."""


@dataclass(frozen=True)
class Effort:
    """The CPU seconds of a program for entropy on all answers of Wordle, and its plays."""

    table: float
    playing: float
    whole: float
    """CPU seconds of the program's own command, from its start to the end of its last process."""
    opener: str
    turns: list[int]
    answers: set[str]
    guesses: set[str]
    different: int = 0
    """Codes of some pairs of words, for comparison with ours."""


def peer_python(folder: Path) -> str:
    """Return the Python of the peer's virtual environment in a folder, and create it if it does not exist."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        run([str(python), "-m", "pip", "install", "--quiet", *REQUIREMENTS])
    return str(python)


def peer_effort(python: str) -> Effort:
    """Return the cost of the peer: one run in one process, and one of its own command, which uses all cores."""
    alone = json.loads(run([python, str(Path(__file__).with_name("doddle_alone.py"))]).printed)
    whole = run([python, "-m", "doddle", "benchmark", "--solver", "ENTROPY"])
    print(f"{PEER}'s own command says:\n\n{whole.printed.strip()}\n", file=sys.stderr)
    answers, guesses = set(alone["answers"]), set(alone["guesses"])
    game = wk.load_game("wordle")
    different = sum(game.feedback(guess, answer).code != code for guess, answer, code in alone["codes"])
    opener, turns = alone["opener"], alone["turns"]
    return Effort(alone["setup"], alone["playing"], whole.cpu, opener, turns, answers, guesses, different)


def our_effort(spec: str, runs: int, folder: Path) -> Effort:
    """Return the cost of wordle-kit: medians of several runs with compiled and cached kernels."""
    game, strategy = wk.load_game("wordle"), wk.load_strategy(spec)
    table, playing, whole = [], [], []
    for i in range(runs + 1):  # the first run warms up and does not count
        game = game.replace(name="wordle")  # the same game without its table
        start = cpu_seconds()
        game.table.prepare()
        table.append(cpu_seconds() - start)
        start = cpu_seconds()
        plays = wk.play(strategy, game)
        playing.append(cpu_seconds() - start)
        whole.append(run(tournament(folder / f"{spec}-{i}", "-s", spec)).cpu)
    seconds = (statistics.median(values[1:]) for values in (table, playing, whole))
    turns = [play.turns or game.cap + 1 for play in plays]
    return Effort(*seconds, plays[0].guesses[0], turns, set(game.answers), set(game.guesses))


def context(name: str, effort: Effort) -> dict[str, str]:
    """Return the cells about a program and its plays: opener, words, guesses, mean and so on."""
    total, puzzles = sum(effort.turns), len(effort.turns)
    return {
        "program": name,
        "opener": effort.opener,
        "answers": f"{len(effort.answers):,}",
        "guesses allowed": f"{len(effort.guesses):,}",
        "guesses needed": f"{total:,}",
        "mean": f"{total / puzzles:.4f}",
        "max": str(max(effort.turns)),
    }


def comparison(what: str, theirs: float, ours: float, target: float | None) -> dict[str, str]:
    """Return two figures with their ratio."""
    ratio = theirs / ours
    verdict = "" if target is None else "yes" if ratio >= target else "NO"
    return {
        "CPU seconds": what,
        PEER: f"{theirs:.2f}",
        "wordle-kit": f"{ours:.3f}",
        "ratio": f"{ratio:,.0f}",
        "target": "" if target is None else f"at least {target}",
        "met": verdict,
    }


def main() -> None:
    """Measure both and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="how often ours is measured [default: 5]")
    parser.add_argument("--env", type=Path, help="folder of the peer's environment [default: a temporary one]")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = peer_python(given.env or Path(folder, "peer"))
        ours = our_effort("entropy", given.runs, Path(folder))
        same_opener = our_effort("entropy(opener=raise)", given.runs, Path(folder))
        theirs = peer_effort(python)
    rows = [
        comparison("playing alone", theirs.playing, ours.playing, TARGET),
        comparison("playing alone, ours with the peer's opener", theirs.playing, same_opener.playing, None),
        comparison("feedback of all pairs of words", theirs.table, ours.table, None),
        comparison("whole processes, all of them", theirs.whole, ours.whole, TARGET),
    ]
    print(tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True))
    print()
    programs = [(PEER, theirs), ("wordle-kit", ours), ("wordle-kit, entropy(opener=raise)", same_opener)]
    cells = [context(name, effort) for name, effort in programs]
    print(tabulate(cells, headers="keys", tablefmt="github", disable_numparse=True))
    same = theirs.answers == ours.answers and theirs.guesses == ours.guesses
    print(f"\nThe words are {'the same' if same else 'NOT the same'}; {theirs.different} codes of pairs differ.")


if __name__ == "__main__":
    main()
