"""Measure the time and memory of grading a class, a twentieth of it broken, and check that no submission is lost.

    python benchmarks/classroom.py
    python benchmarks/classroom.py --counts 1000  # 950 honest, 50 broken: about 22 minutes on two quiet cores

The assignment is the bundled one on glyphs. The targets are 1.5 s for each submission on two quiet cores, and 1 GiB of
memory. Processor time is not counted: that of a sandbox that is killed is lost. With
`--dask ADDRESS`, such as `--dask local:2`, a cluster grades, as with `wordle-kit grade --dask`.

Memory is that of the command and everything it starts, in the first and in the second half of the time; both should be
about the same for any number of submissions. With `--killed`, each class is graded once more: the command is ended by
SIGKILL after half of the submissions and run again, and the tables must be identical. Only the random baseline may
differ, since it plays with new random numbers.
"""

import argparse
import csv
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure

measure.BETWEEN_SAMPLES = 0.5  # sampling many processes takes time itself

ASSIGNMENT = Path(__file__).parents[1] / "examples" / "assignments" / "glyphs"

SUBMISSION = '''
import os
import wordle_kit as wk


class Mine(wk.Strategy):
    """Submission {number}."""

    version = "1"

    def guess(self, position):
        words = position.board.words
        if position.turn == 1:
            return position.game.answers[{number} % len(position.game.answers)]
        {body}


@wk.hookimpl
def register_strategies(register):
    register(Mine())
'''

GOOD = "return max(words, key=lambda word: (len(set(word)), word[{number} % 4:]))"

BROKEN = {
    "return words[10**6]": "crashed",
    "os._exit(1)": "crashed",
    "os.abort()": "crashed",
    "print('x' * 10**7); return words[0]": "crashed",
    "return 'no such word'": "illegal guess",
    "return None": "illegal guess",
    "while True: pass": "timed out",
    "import time; time.sleep(3600)": "timed out",
    "return (": "does not load",
    "hoard = bytearray(10**11); return words[0]": "crashed",
}
"""What a broken submission does, and the outcome."""


EACH_BROKEN = 20

SECONDS_EACH, MOST_MEMORY = 1.5, 1024
"""The targets, on two quiet cores: seconds for each submission, and MiB."""


def write_class(folder: Path, count: int) -> dict[str, str]:
    """Write submissions, every twentieth of them broken, and return the expected outcome of each."""
    folder.mkdir()
    outcomes = {}
    for number in range(count):
        body, outcome = GOOD.format(number=number), "graded"
        if number % EACH_BROKEN == 0:
            body, outcome = list(BROKEN.items())[number // EACH_BROKEN % len(BROKEN)]
        name = f"student-{number:04}"
        (folder / f"{name}.py").write_text(SUBMISSION.format(number=number, body=body))
        outcomes[name] = outcome
    return outcomes


TABLES = ("grades.csv", "leaderboard.json", "lookalikes.csv")

RANDOM = "(random-consistent)"
"""The baseline that plays with new random numbers in each folder of results. Ranks depend on its mean."""


def read_table(path: Path) -> object:
    """Return a table without what depends on the random baseline."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".json":
        return text
    return [row | {"rank": None} for row in json.loads(text)["rows"] if row["strategy"] != RANDOM]


def killed_and_run_again(command: list[str], out: Path, kept: int) -> None:
    """Run a command, kill it after a number of submissions, and run it again to its end."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(list((out / "kept").glob("*.json"))) < kept:
        if process.poll() is not None:
            sys.exit("it ended too early to be killed")
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    subprocess.run(command, check=True, capture_output=True)


def main() -> None:
    """Grade a small class and a large one, and print the cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", type=int, nargs="+", default=[20, 200], help="submissions of each class")
    parser.add_argument("--workers", default="2")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--dask", help="address of a cluster that grades, as for `wordle-kit grade`")
    parser.add_argument("--killed", action="store_true", help="grade each class once more, ended by force in between")
    options = parser.parse_args()
    print("| submissions | seconds | seconds each | MiB, first half | second half | lost | as expected |")
    print("|---|---|---|---|---|---|---|")
    for count in options.counts:
        with tempfile.TemporaryDirectory() as folder:
            submissions, out, again = (Path(folder) / name for name in ("submissions", "out", "again"))
            outcomes = write_class(submissions, count)
            program = [sys.executable, "-m", "wordle_kit", "grade", str(ASSIGNMENT), str(submissions)]
            settings = ["--sandbox", options.sandbox]
            settings += ["--dask", options.dask] if options.dask else ["--workers", options.workers]
            cost = measure.run([*program, "--output", str(out), *settings], sampled=True, longest=7200)
            with (out / "grades.csv").open() as file:
                found = {row["name"]: row["outcome"] for row in csv.DictReader(file)}
            lost = len(outcomes.keys() - found.keys())
            right = sum(found.get(name) == outcome for name, outcome in outcomes.items())
            each = f"{cost.wall:.0f} | {cost.wall / count:.2f}"
            print(
                f"| {count} | {each} | {cost.halves[0]:.0f} | {cost.halves[1]:.0f} | {lost} | {right} of {count} |",
                flush=True,
            )
            quick, small = cost.wall / count <= SECONDS_EACH, cost.tree <= MOST_MEMORY
            said = f"at most {SECONDS_EACH} s each: {'yes' if quick else 'NO'}; at most {MOST_MEMORY:,} MiB: "
            print(f"{said}{'yes' if small else 'NO'}", flush=True)
            if options.killed:
                killed_and_run_again([*program, "--output", str(again), *settings], again, count // 2)
                same = sum(read_table(out / name) == read_table(again / name) for name in TABLES)
                print(f"killed and run again: {same} of {len(TABLES)} tables are the same", flush=True)


if __name__ == "__main__":
    main()
