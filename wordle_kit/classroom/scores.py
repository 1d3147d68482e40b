"""Points: the result of each test of an assignment on a submission, with the command that shows it again."""

import math
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wordle_kit.classroom.assignment import (
    AnyTest,
    Assignment,
    Beats,
    Conforms,
    Legal,
    Loads,
    Mean,
    Reproducible,
    SampleName,
    Solves,
    Time,
)
from wordle_kit.classroom.examine import Examined
from wordle_kit.isolation.supervision import is_unplayed, is_unrepeated
from wordle_kit.leaderboard.compare import signed
from wordle_kit.leaderboard.metrics import Row, row_of
from wordle_kit.leaderboard.stored import command_line
from wordle_kit.plugin_sources import ENVIRONMENT
from wordle_kit.sandbox.limits import Limits
from wordle_kit.testing import ASKED_AGAIN
from wordle_kit.texts import number_of
from wordle_kit.tournaments.outcome import INCONSISTENT, Outcome, Play
from wordle_kit.tournaments.runs import StoredRun, counted

RANDOM = (
    "It does not play the same way twice. For random numbers, set `stochastic = True` in the class and take them from "
    "position.rng; keep nothing between guesses."
)

NO_FILE = (
    "It opens a file that is not there. A submission is one file, which is alone in its folder; "
    "`position.game.answers` has the words."
)

Runs = Mapping[SampleName, StoredRun]


def rounded(points: float) -> float:
    """Return points rounded to two decimals, with 0 instead of -0."""
    return round(points, 2) + 0.0


@dataclass(frozen=True)
class Score:
    """The result of a test: the points, whether they are the full points, and why."""

    test: AnyTest
    points: float
    """Rounded to two decimals."""
    passed: bool
    output: str
    error: float = 0.0
    """The standard error of the points, if they come from draws."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", rounded(self.points))


@dataclass(frozen=True)
class Work:
    """A submission with its plays and checks, and with the names of files as its student knows them."""

    assignment: Assignment
    examined: Examined
    runs: Runs
    others: Mapping[str, Runs]
    """The runs of baselines and strategies to beat, by their names."""
    file: str
    game: str
    plugins: list[str]
    isolated: bool

    def score(self, test: AnyTest) -> Score:
        """Return the score of a test."""
        if self.examined.problem and not isinstance(test, Loads):
            says_why = any(isinstance(one, Loads) for one in self.assignment.tests)
            more = "" if says_why else f" {self._loads(test)[1]}"
            return Score(test, 0.0, False, f"Not graded, since the submission does not load.{more}")
        if isinstance(test, Mean):
            return self._mean(test)
        judge: Callable[[Any], tuple[bool, str]] = getattr(self, f"_{test.kind}")
        passed, output = judge(test)
        return Score(test, test.points if passed else 0.0, passed, output)

    def _loads(self, test: AnyTest) -> tuple[bool, str]:
        if not self.examined.problem:
            return True, f"It registers {self.examined.registered}."
        return False, f"It does not load: {self.examined.problem}" + (f"\n{self._check()}" if self.file else "")

    def _conforms(self, test: Conforms) -> tuple[bool, str]:
        failed = [finding for finding in self.examined.findings if not finding.passed]
        if failed:
            return False, "\n".join([*(f"{finding.check}: {finding.message}" for finding in failed), self._check()])
        for play in _inconsistent(self.runs, "public"):  # other samples would reveal whether a word is hidden
            return False, f"determinism:\n{self._shown(play, 'public')}"
        return True, f"It keeps all of them: {', '.join(finding.check for finding in self.examined.findings)}."

    def _legal(self, test: Legal) -> tuple[bool, str]:
        faults, plays = self._faults(test.on), number_of(len(self.runs[test.on].plays), "play")
        if not faults:
            return True, f"{plays} without a fault."
        return False, f"{len(faults):,} of {plays} ended with a fault. The first:\n{self._shown(faults[0], test.on)}"

    def _reproducible(self, test: Reproducible) -> tuple[bool, str]:
        plays = self.runs[test.on].plays
        if all(play.outcome.is_fault for play in plays):
            return False, "No play ended without a fault, so none could be repeated."
        inconsistent, unrepeated = _inconsistent(self.runs, test.on), list(filter(is_unrepeated, plays))
        if inconsistent:
            counts = f"{len(inconsistent):,} of the plays that were repeated went differently."
        elif unrepeated:  # otherwise a strategy could be late on purpose whenever a play is repeated
            counts = f"There was not enough time to repeat {number_of(len(unrepeated), 'play')}."
        else:
            return True, "It made the same guesses when some puzzles were played again."
        return False, f"{counts} The first:\n{self._shown([*inconsistent, *unrepeated][0], test.on)}"

    def _solves(self, test: Solves) -> tuple[bool, str]:
        plays = self._plays(test.on)
        failed = [play for play in plays if play.outcome is not Outcome.SOLVED]
        solved = len(plays) - len(failed)
        of_all = f"{solved:,} of {number_of(len(plays), 'puzzle')}, {solved / len(plays):.2%}"
        output = f"It solved {of_all}; required: {test.share:.2%}."
        if failed:
            output += f" The first that it did not solve:\n{self._shown(failed[0], test.on)}"
        return solved >= test.share * len(plays) - 1e-9, output

    def _mean(self, test: Mean) -> Score:
        run = self.runs[test.on]
        row = row_of(run)
        mean = mean_of(row)
        full, none = test.full or 0.0, test.none or 0.0  # both are given, or at_most is
        if test.at_most is not None:
            share, wanted = float(mean <= test.at_most + 1e-9), f"required: at most {test.at_most:g}"
        else:
            share = min(1.0, max(0.0, (none - mean) / (none - full)))
            wanted = f"all points at {test.full:g}, none at {test.none:g}"
        output = f"It took {mean:.4f} guesses on average; {wanted}."
        if share < 1:
            worst = max(self._plays(test.on), key=lambda play: counted(play, run.facts.cap))
            output += f" The puzzle that took the most:\n{self._shown(worst, test.on)}"
        error = 0.0
        if run.facts.is_sample and 0 < share < 1:
            error = test.points * row.std / math.sqrt(len(run.plays)) / (none - full)
        return Score(test, test.points * share, share >= 1, output, error)

    def _beats(self, test: Beats) -> tuple[bool, str]:
        run, other = self.runs[test.on], self.others[test.strategy][test.on]
        mine, theirs = mean_of(row_of(run)), mean_of(row_of(other))
        ahead = theirs - mine
        passed = ahead > 1e-9 and ahead >= test.margin - 1e-9
        output = (
            f"It took {mine:.4f} guesses on average, {test.strategy} {theirs:.4f}: "
            f"{signed(ahead)}; required: {f'at least {test.margin:g}' if test.margin else 'more than 0'}."
        )
        if not passed:
            cap = run.facts.cap
            theirs_on = {play.puzzle: counted(play, cap) for play in other.plays}  # not all, if each has its own draws
            worst = max(self._plays(test.on), key=lambda play: counted(play, cap) - theirs_on.get(play.puzzle, 0))
            output += f" Where it lost the most:\n{self._shown(worst, test.on)}"
        return passed, output

    def _time(self, test: Time) -> tuple[bool, str]:
        ms, faults = row_of(self.runs[test.on]).ms_per_decision, self._faults(test.on)
        output = f"A decision took {ms:.3f} ms on average on the machine that graded; required: at most {test.ms:g}."
        if faults:
            plays = number_of(len(faults), "play")
            output += f" But {plays} ended with a fault, not with an answer in time. The first:\n"
            output += self._shown(faults[0], test.on)
        elif ms > test.ms:
            output += f" To see the slowest decision:\n{self._check()}"
        return ms <= test.ms and not faults, output

    def _plays(self, sample: SampleName) -> list[Play]:
        """Return the plays of a sample. Those in which the strategy was not asked come last, since they say least."""
        return sorted(self.runs[sample].plays, key=lambda play: play.skipped is not None)

    def _faults(self, sample: SampleName) -> list[Play]:
        """Return the plays of a sample that ended with a fault, in the same order."""
        return [play for play in self._plays(sample) if play.outcome.is_fault]

    def _shown(self, play: Play, sample: SampleName) -> str:
        """Return how and in which position a play ended, and the command that shows it again."""
        game = self.assignment.game
        lines = [f"hidden: {', '.join(play.puzzle)}"]
        for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True), start=1):
            tiles = "  ".join(game.read_feedback(text).tiles if text else "solved" for text in seen)
            lines.append(f"{turn:>2}  {guess}  {tiles}")
        late = f"solved, but only after the {number_of(game.max_guesses, 'guess', 'guesses')} allowed"
        ending = late if play.turns and play.outcome is Outcome.OUT_OF_GUESSES else str(play.outcome)
        lines.append(f"{ending}{f': {play.message}' if play.message else ''}")
        number = None
        if self.examined.stochastic:
            number = next(i for i, other in enumerate(self.runs[sample].plays, start=1) if other is play)
        command = self._command(
            "solve",
            strictly=play.outcome.is_fault,
            g=self.game,
            p=self.file,
            s=self.examined.registered,
            answer=",".join(play.puzzle),
            secret=number and str(self.runs[sample].facts.secret),
            number=number,
        )
        return "\n".join([*lines, f"See it again: {command}"])

    def _check(self) -> str:
        return f"See it again: {self._command('check', self.file, strictly=True, g=self.game)}"

    def _command(self, command: str, *operands: str, strictly: bool, **options: object) -> str:
        """Return a command line that runs the submission in isolation; `strictly` adds its deadline and limits.

        Isolated files cannot register rules; those of the assignment come from the environment, which is trusted.
        """
        if strictly:
            options["deadline"] = f"{self.assignment.definition.deadline:g}"
        if not self.isolated:
            plugins = "".join(f" -p {shlex.quote(name)}" for name in self.plugins)
            return command_line(command, *operands, **options) + plugins
        limits = self.assignment.definition.limits
        names = ("cpu", "memory", "processes", "files", "written", "printed")
        changed = [name for name in names if getattr(limits, name) != Limits.model_fields[name].default]
        limit = [f"{name}={getattr(limits, name)}" for name in changed] if strictly else None
        trusted = f"{ENVIRONMENT}={shlex.quote(','.join(self.plugins))} " if self.plugins else ""
        return trusted + command_line(command, *operands, **options, isolate=True, limit=limit)


def outcome_of(examined: Examined, runs: Runs) -> str:
    """Return the outcome of grading in a word or two: `graded`, `does not load`, or the most frequent fault.

    A submission without faults is `inconsistent` if it played differently when it was asked again.
    """
    if examined.problem:
        return "does not load"
    faults = [play for run in runs.values() for play in run.plays if play.outcome.is_fault]
    found = [play.outcome for play in faults if play.skipped is None] or [play.outcome for play in faults]
    if found:
        return str(max(filter(lambda outcome: outcome.is_fault, Outcome), key=found.count))
    return INCONSISTENT if any(_inconsistent(runs, sample) for sample in runs) else "graded"


def advice(examined: Examined, runs: Runs) -> list[str]:
    """Return notes for the student: a sentence or two for each of the usual mistakes, and what was left out."""
    failed = [finding.message for finding in examined.findings if not finding.passed]
    faults = [play.message for run in runs.values() for play in run.plays if play.outcome.is_fault]
    differs = any(ASKED_AGAIN in said for said in failed) or any(_inconsistent(runs, sample) for sample in runs)
    has_no_file = any(FileNotFoundError.__name__ in said for said in (examined.problem, *failed, *faults))
    return [RANDOM] * differs + [NO_FILE] * has_no_file + _left_out(examined, runs)


def _left_out(examined: Examined, runs: Runs) -> list[str]:
    """Return a sentence about the parts for which there was no time, if there are any."""
    parts = [f"the checks were not finished: {examined.unfinished}"] if examined.unfinished else []
    for sample, run in runs.items():
        messages = [play.message for play in run.plays if is_unplayed(play)]  # such as "not played: ..."
        if messages:
            were = "was" if len(messages) == 1 else "were"
            of_all = f"{len(messages):,} of {number_of(len(run.plays), f'{sample} puzzle')}"
            parts.append(f"{of_all} {were} {messages[0]}")
    said = "; ".join(parts)
    return [f"{said[0].upper()}{said[1:]}."] if said else []


def _inconsistent(runs: Runs, sample: SampleName) -> list[Play]:
    """Return the plays of a sample that went differently when they were repeated."""
    return [play for play in runs[sample].plays if play.is_inconsistent]


def mean_of(row: Row) -> float:
    """Return the mean number of guesses, in which answers count with their weights if the game has any."""
    mean: float = row.mean if row.weighted_mean is None else row.weighted_mean
    return mean
