"""Points: the result of each test of an assignment on a submission, with the command that shows it again."""

import math
import shlex
import statistics
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
    SampledTest,
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
from wordle_kit.tournaments.runs import RunFacts, StoredRun, counted

RANDOM = (
    "It does not play the same way twice. For random numbers, set `stochastic = True` in the class and take them from "
    "position.rng; keep nothing between guesses."
)

NO_FILE = (
    "It opens a file that is not there. A submission is one file, which is alone in its folder; "
    "`position.game.answers` has the words."
)

Runs = Mapping[SampleName, StoredRun]

Figure = tuple[float, float, Callable[[float], float], str, Play]
"""A figure, its standard error, the share of the points at each value, what is said of it, and the play to show."""

DEVIATIONS = [statistics.NormalDist().inv_cdf((number + 0.5) / 200) for number in range(200)]
"""Values of a figure that are equally likely, in standard errors from what was measured."""


def within(share: float) -> float:
    """Return a share of points, between none and all."""
    return 1.0 if share > 1 - 1e-6 else max(0.0, share)


def spread(run: StoredRun) -> float:
    """Return the standard deviation of the guesses that the plays of a run took."""
    return statistics.stdev(run.taken) if len(run.taken) > 1 else 0.0


def depends_on_luck(facts: RunFacts, sample: SampleName) -> bool:
    """Return whether a run on a sample could have gone differently: it has random numbers, or draws of its own."""
    return facts.stochastic or (sample == "all" and facts.is_sample)


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
    """The standard error of the points, if they come from draws: how much they would vary with other draws."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", rounded(self.points))


@dataclass(frozen=True)
class Work:
    """A submission with its plays and checks, and with the names of files as its student knows them."""

    assignment: Assignment
    examined: Examined
    runs: Runs
    others: Mapping[str, Runs]
    """The runs of strategies to beat, by their names. Those of random ones have many plays."""
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
        if isinstance(test, Mean | Beats | Solves):
            return self._measured(test)
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

    def _measured(self, test: Mean | Beats | Solves) -> Score:
        """Return the score of a test that depends on a figure, which has an error if it comes from draws."""
        figure, error, share_at, output, worst = getattr(self, f"_{test.kind}")(test)
        share = share_at(figure)
        if share < 1:
            output += f"\n{self._shown(worst, test.on)}"
        by_chance = [share_at(figure + error * deviation) for deviation in DEVIATIONS] if error else [share]
        return Score(test, test.points * share, share >= 1, output, test.points * statistics.pstdev(by_chance))

    def _error(self, test: SampledTest, deviation: float) -> float:
        """Return the standard error of a mean over the plays of a sample, given their standard deviation."""
        run = self.runs[test.on]
        return deviation / math.sqrt(len(run.plays)) if depends_on_luck(run.facts, test.on) else 0.0

    def _solves(self, test: Solves) -> Figure:
        plays = self._plays(test.on)
        failed = [play for play in plays if play.outcome is not Outcome.SOLVED]
        share = (len(plays) - len(failed)) / len(plays)
        of_all = f"{len(plays) - len(failed):,} of {number_of(len(plays), 'puzzle')}, {share:.2%}"
        output = f"It solved {of_all}; required: {test.share:.2%}."
        if failed:
            output += " The first that it did not solve:"
        return (
            share,
            self._error(test, math.sqrt(share * (1 - share))),
            lambda solved: float(solved >= test.share - 1e-9),
            output,
            [*failed, *plays][0],
        )

    def _mean(self, test: Mean) -> Figure:
        run = self.runs[test.on]
        mean, error = mean_of(row_of(run)), self._error(test, spread(run))
        at_most, full, none = test.at_most, test.full or 0.0, test.none or 0.0  # the first is given, or the others are

        def share_at(mean: float) -> float:
            return within((none - mean) / (none - full)) if at_most is None else float(mean <= at_most + 1e-9)

        wanted = f"all points at {full:g}, none at {none:g}" if at_most is None else f"required: at most {at_most:g}"
        output = f"It took {mean:.4f} guesses on average; {wanted}."
        if share_at(mean) < 1:
            output += " The puzzle that took the most:"
        return mean, error, share_at, output, max(self._plays(test.on), key=lambda play: counted(play, run.facts.cap))

    def _beats(self, test: Beats) -> Figure:
        run, other = self.runs[test.on], self.others[test.strategy][test.on]
        mine, theirs = mean_of(row_of(run)), mean_of(row_of(other))
        luck = ""
        if other.facts.stochastic or other.facts.is_sample:
            luck = f" (in {len(other.plays):,} plays; standard error {spread(other) / math.sqrt(len(other.plays)):.4f})"
        output = (
            f"It took {mine:.4f} guesses on average, {test.strategy} {theirs:.4f}{luck}: "
            f"{signed(theirs - mine)}; all points at {test.margin:g}, none at 0."
        )
        if theirs - mine < test.margin - 1e-9:
            output += " Where it lost the most:"
        cap = run.facts.cap
        theirs_on: dict[tuple[str, ...], list[int]] = {}  # not all of them, if each has its own draws
        for play in other.plays:
            theirs_on.setdefault(play.puzzle, []).append(counted(play, cap))
        lost = {puzzle: statistics.fmean(taken) for puzzle, taken in theirs_on.items()}
        worst = max(self._plays(test.on), key=lambda play: counted(play, cap) - lost.get(play.puzzle, 0))
        error = self._error(test, spread(run))
        return theirs - mine, error, lambda ahead: within((ahead + 1e-9) / test.margin), output, worst

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
