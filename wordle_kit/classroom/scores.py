"""Points: the result of each test of an assignment on a submission, with the command that shows it again."""

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

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
        if isinstance(test, Loads):
            return self._all_or_nothing(test, not self.examined.problem, self._loading())
        if self.examined.problem:
            says_why = any(isinstance(one, Loads) for one in self.assignment.tests)
            more = "" if says_why else f" {self._loading()}"
            return Score(test, 0.0, False, f"Not graded, since the submission does not load.{more}")
        if isinstance(test, Conforms):
            return self._conforms(test)
        if isinstance(test, Legal):
            return self._legal(test)
        if isinstance(test, Reproducible):
            return self._reproducible(test)
        if isinstance(test, Solves):
            return self._solves(test)
        if isinstance(test, Mean):
            return self._mean(test)
        if isinstance(test, Beats):
            return self._beats(test)
        return self._time(test)

    def _all_or_nothing(self, test: AnyTest, passed: bool, output: str) -> Score:
        return Score(test, test.points if passed else 0.0, passed, output)

    def _loading(self) -> str:
        if not self.examined.problem:
            return f"It registers {self.examined.registered}."
        return f"It does not load: {self.examined.problem}" + (f"\n{self._check()}" if self.file else "")

    def _conforms(self, test: Conforms) -> Score:
        failed = [finding for finding in self.examined.findings if not finding.passed]
        inconsistent = _inconsistent(self.runs, "public")  # others would reveal whether a word is hidden
        if inconsistent and not failed:
            return self._all_or_nothing(test, False, f"determinism:\n{self._shown(inconsistent[0], 'public')}")
        if not failed:
            checks = ", ".join(finding.check for finding in self.examined.findings)
            return self._all_or_nothing(test, True, f"It keeps all of them: {checks}.")
        lines = [f"{finding.check}: {finding.message}" for finding in failed]
        return self._all_or_nothing(test, False, "\n".join([*lines, self._check()]))

    def _legal(self, test: Legal) -> Score:
        plays = self.runs[test.on].plays
        faults = sorted((play for play in plays if play.outcome.is_fault), key=_was_skipped)
        if not faults:
            return self._all_or_nothing(test, True, f"{number_of(len(plays), 'play')} without a fault.")
        counts = f"{len(faults):,} of {number_of(len(plays), 'play')} ended with a fault. The first:"
        return self._all_or_nothing(test, False, f"{counts}\n{self._shown(faults[0], test.on)}")

    def _reproducible(self, test: Reproducible) -> Score:
        inconsistent = _inconsistent(self.runs, test.on)
        if all(play.outcome.is_fault for play in self.runs[test.on].plays):
            return self._all_or_nothing(test, False, "No play ended without a fault, so none could be repeated.")
        unrepeated = [play for play in self.runs[test.on].plays if play.is_unrepeated]
        if unrepeated and not inconsistent:  # otherwise it could be late on purpose whenever it is asked again
            counts = f"There was not enough time to repeat {number_of(len(unrepeated), 'play')}. The first:"
            return self._all_or_nothing(test, False, f"{counts}\n{self._shown(unrepeated[0], test.on)}")
        if not inconsistent:
            return self._all_or_nothing(test, True, "It made the same guesses when some puzzles were played again.")
        counts = f"{len(inconsistent):,} of the plays that were repeated went differently. The first:"
        return self._all_or_nothing(test, False, f"{counts}\n{self._shown(inconsistent[0], test.on)}")

    def _solves(self, test: Solves) -> Score:
        plays = self.runs[test.on].plays
        failed = sorted((play for play in plays if play.outcome is not Outcome.SOLVED), key=_was_skipped)
        solved = len(plays) - len(failed)
        of_all = f"{solved:,} of {number_of(len(plays), 'puzzle')}, {solved / len(plays):.2%}"
        output = f"It solved {of_all}; required: {test.share:.2%}."
        if failed:
            output += f" The first that it did not solve:\n{self._shown(failed[0], test.on)}"
        return self._all_or_nothing(test, solved >= test.share * len(plays) - 1e-9, output)

    def _mean(self, test: Mean) -> Score:
        run = self.runs[test.on]
        row = row_of(run)
        worst = max(run.plays, key=lambda play: (counted(play, run.facts.cap), not _was_skipped(play)))
        mean = mean_of(row)
        output = f"It took {mean:.4f} guesses on average; {_wanted(test)}."
        full, none = test.full or 0.0, test.none or 0.0  # both are given, or at_most is
        if test.at_most is not None:
            share = float(mean <= test.at_most + 1e-9)
        else:
            share = min(1.0, max(0.0, (none - mean) / (none - full)))
        if share < 1:
            output += f" The puzzle that took the most:\n{self._shown(worst, test.on)}"
        error = 0.0
        if run.facts.is_sample and 0 < share < 1:
            error = test.points * row.std / math.sqrt(len(run.plays)) / (none - full)
        return Score(test, test.points * share, share >= 1, output, error)

    def _beats(self, test: Beats) -> Score:
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
            behind = [
                (counted(play, cap) - theirs_on.get(play.puzzle, 0), not _was_skipped(play), play) for play in run.plays
            ]
            worst = max(behind, key=lambda pair: pair[:2])[2]
            output += f" Where it lost the most:\n{self._shown(worst, test.on)}"
        return self._all_or_nothing(test, passed, output)

    def _time(self, test: Time) -> Score:
        row = row_of(self.runs[test.on])
        output = (
            f"A decision took {row.ms_per_decision:.3f} ms on average on the machine that graded; "
            f"required: at most {test.ms:g}."
        )
        faults = sorted((play for play in self.runs[test.on].plays if play.outcome.is_fault), key=_was_skipped)
        if faults:
            output += (
                f" But {number_of(len(faults), 'play')} ended with a fault, not with an answer in time. The first:\n"
            )
            output += self._shown(faults[0], test.on)
        elif row.ms_per_decision > test.ms:
            output += f" To see the slowest decision:\n{self._check()}"
        return self._all_or_nothing(test, row.ms_per_decision <= test.ms and not faults, output)

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
        return "\n".join([*lines, f"See it again: {self._solve(play, sample)}"])

    def _solve(self, play: Play, sample: SampleName) -> str:
        number = None
        if self.examined.stochastic:
            number = next(i for i, other in enumerate(self.runs[sample].plays, start=1) if other is play)
        return self._command(
            "solve",
            strictly=play.outcome.is_fault,
            g=self.game,
            p=self.file,
            s=self.examined.registered,
            answer=",".join(play.puzzle),
            secret=number and str(self.runs[sample].facts.secret),
            number=number,
        )

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
    found = [play.outcome for play in faults if not _was_skipped(play)] or [play.outcome for play in faults]
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
        messages = [play.message for play in run.plays if play.is_unplayed]  # such as "not played: ..."
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


def _was_skipped(play: Play) -> bool:
    """Return whether the strategy was not asked in a play, so that other plays say more."""
    return play.skipped is not None


def _wanted(test: Mean) -> str:
    if test.at_most is not None:
        return f"required: at most {test.at_most:g}"
    return f"all points at {test.full:g}, none at {test.none:g}"
