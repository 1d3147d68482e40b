"""Points: the result of each test of an assignment on a submission, with the command that shows it again."""

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
from wordle_kit.classroom.registering import how_to_register, is_unregistered
from wordle_kit.isolation.supervision import is_unplayed, is_unrepeated
from wordle_kit.leaderboard.compare import signed
from wordle_kit.leaderboard.metrics import Row, row_of
from wordle_kit.leaderboard.stored import command_line
from wordle_kit.sandbox.limits import Limits
from wordle_kit.testing import ASKED_AGAIN, NOTHING_TO_COMPARE
from wordle_kit.texts import number_of
from wordle_kit.tournaments.runs import INCONSISTENT, Outcome, Play, RunFacts, StoredRun, counted

RANDOM = (
    "It does not play the same way twice. For random numbers, set `stochastic = True` in the class and take them from "
    "position.rng; keep nothing between guesses."
)

NO_FILE = (
    "It opens a file that is not there. A submission is one file, which is alone in its folder; "
    "`position.game.answers` has the words."
)

NOT_LOADED = "Not graded, since the submission does not load."

FAULTS = {
    Outcome.ILLEGAL: "made an illegal guess",
    Outcome.CRASHED: "crashed",
    Outcome.TIMED_OUT: "took too long for a guess",
}
"""What a strategy did, by the outcome of the play."""

EXCEPTION = re.compile(r"(prepare: )?[\w.]+(:| \()")
"""The beginning of a play's message if the strategy raised an exception. Otherwise its process was stopped."""

GUESS = re.compile(r",? (at|for) guess \d+")
"""The part of a message that names the guess at which a play ended."""

Runs = Mapping[SampleName, StoredRun]

Figure = tuple[float, float, Callable[[float], float], str, str, Play]
"""A figure, its standard deviation in a play, the share of the points at each value, and what is said.

The last parts introduce the play that is shown if some points are missing.
"""

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
    code: bytes = b""
    """The file itself."""
    told: dict[str, AnyTest] = field(default_factory=dict)
    """The first test whose output shows each fault, so that other tests name it instead."""

    def score(self, test: AnyTest) -> Score:
        """Return the score of a test."""
        if self.examined.problem and not isinstance(test, Loads):
            says_why = any(isinstance(one, Loads) for one in self.assignment.tests)
            more = "" if says_why else f" {self._loads(test)[1]}"
            return Score(test, 0.0, False, f"{NOT_LOADED}{more}")
        if isinstance(test, Mean | Beats | Solves):
            return self._measured(test)
        judge: Callable[[Any], tuple[bool, str]] = getattr(self, f"_{test.kind}")
        passed, output = judge(test)
        return Score(test, test.points if passed else 0.0, passed, output)

    def _loads(self, test: AnyTest) -> tuple[bool, str]:
        if not self.examined.problem:
            return True, f"It registers {self.examined.registered}."
        said = f"It does not load: {problem_of(self.examined)}"
        if is_unregistered(self.examined.problem) and (lines := how_to_register(self.code)):
            return False, f"{said}.\n{lines}"
        return False, said + (f"\n{self._check()}" if self.file else "")

    def _conforms(self, test: Conforms) -> tuple[bool, str]:
        lines = []
        faults = {fault_of(play): play for play in reversed(self._faults("public"))}
        for finding in self.examined.findings:
            if finding.passed:
                continue
            message = GUESS.sub("", finding.message)
            same = next((play for fault, play in faults.items() if message.startswith(fault)), None)
            if same is not None:
                lines.append(f"{finding.check}: {self._shown('it does not always guess.', 'For example:', same, test)}")
            elif finding.message != NOTHING_TO_COMPARE or not lines:  # a consequence of the fault
                lines.append(f"{finding.check}: {finding.message}\n{self._check()}")
        if lines:
            return False, "\n".join(lines)
        for play in _inconsistent(self.runs, "public"):  # other samples would reveal whether a word is hidden
            return False, self._shown("determinism: it was asked again.", "For example:", play, test)
        return True, f"It keeps all of them: {', '.join(finding.check for finding in self.examined.findings)}."

    def _legal(self, test: Legal) -> tuple[bool, str]:
        faults, plays = self._faults(test.on), number_of(len(self.runs[test.on].plays), "play")
        if not faults:
            return True, f"{plays} without a fault."
        return False, self._shown(f"{len(faults):,} of {plays} ended with a fault.", "The first:", faults[0], test)

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
        return False, self._shown(counts, "The first:", [*inconsistent, *unrepeated][0], test)

    def _measured(self, test: Mean | Beats | Solves) -> Score:
        """Return the score of a test that depends on a figure, which has an error if it comes from draws."""
        figure, deviation, share_at, output, lead, worst = getattr(self, f"_{test.kind}")(test)
        run, share = self.runs[test.on], share_at(figure)
        if share < 1:
            output = self._shown(output, lead, worst, test)
        error = deviation / math.sqrt(len(run.plays)) if depends_on_luck(run.facts, test.on) else 0.0
        by_chance = [share_at(figure + error * one) for one in DEVIATIONS] if error else [share]
        return Score(test, test.points * share, share >= 1, output, test.points * statistics.pstdev(by_chance))

    def _solves(self, test: Solves) -> Figure:
        plays = self._plays(test.on)
        failed = [play for play in plays if play.outcome is not Outcome.SOLVED]
        share = (len(plays) - len(failed)) / len(plays)
        of_all = f"{len(plays) - len(failed):,} of {number_of(len(plays), 'puzzle')}, {share:.2%}"
        output = f"It solved {of_all}; required: {test.share:.2%}."
        deviation, worst = math.sqrt(share * (1 - share)), [*failed, *plays][0]
        lead = "The first that it did not solve:"
        return share, deviation, lambda solved: float(solved >= test.share - 1e-9), output, lead, worst

    def _mean(self, test: Mean) -> Figure:
        run = self.runs[test.on]
        mean = mean_of(row_of(run))
        at_most, full, none = test.at_most, test.full or 0.0, test.none or 0.0  # the first is given, or the others are

        def share_at(mean: float) -> float:
            return within((none - mean) / (none - full)) if at_most is None else float(mean <= at_most + 1e-9)

        wanted = f"all points at {full:g}, none at {none:g}" if at_most is None else f"required: at most {at_most:g}"
        output = f"It took {mean:.4f} guesses on average; {wanted}."
        worst = max(self._plays(test.on), key=lambda play: counted(play, run.facts.cap))
        return mean, spread(run), share_at, output, "The puzzle that took the most:", worst

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
        cap = run.facts.cap
        theirs_on: dict[tuple[str, ...], list[int]] = {}  # not all of them, if each has its own draws
        for play in other.plays:
            theirs_on.setdefault(play.puzzle, []).append(counted(play, cap))
        lost = {puzzle: statistics.fmean(taken) for puzzle, taken in theirs_on.items()}
        worst = max(self._plays(test.on), key=lambda play: counted(play, cap) - lost.get(play.puzzle, 0))
        lead = "Where it lost the most:"
        return theirs - mine, spread(run), lambda ahead: within((ahead + 1e-9) / test.margin), output, lead, worst

    def _time(self, test: Time) -> tuple[bool, str]:
        ms, faults = row_of(self.runs[test.on]).ms_per_decision, self._faults(test.on)
        output = f"A decision took {ms:.3f} ms on average on the machine that graded; required: at most {test.ms:g}."
        if faults:
            plays = number_of(len(faults), "play")
            output += f" But {plays} ended with a fault, not with an answer in time."
            output = self._shown(output, "The first:", faults[0], test)
        elif ms > test.ms:
            output += f" To see the slowest decision:\n{self._check()}"
        return ms <= test.ms and not faults, output

    def _plays(self, sample: SampleName) -> list[Play]:
        """Return the plays of a sample. Those in which the strategy was not asked come last, since they say least."""
        return sorted(self.runs[sample].plays, key=lambda play: play.skipped is not None)

    def _faults(self, sample: SampleName) -> list[Play]:
        """Return the plays of a sample that ended with a fault, in the same order."""
        return [play for play in self._plays(sample) if play.outcome.is_fault]

    def _shown(self, said: str, lead: str, play: Play, test: AnyTest) -> str:
        """Return what is said, how and in which position a play ended, and the command that shows it again.

        A fault that an earlier test shows is not shown again.
        """
        fault = fault_of(play)
        first = self.told.setdefault(fault, test) if fault else test
        if first is not test and first.seen in ("visible", test.seen):
            return f"{said} The fault is shown above, under '{first.title}'."
        game = self.assignment.game
        lines = [f"{said} {lead}", f"hidden: {', '.join(play.puzzle)}"]
        for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True), start=1):
            tiles = "  ".join(game.read_feedback(text).tiles if text else "solved" for text in seen)
            lines.append(f"{turn:>2}  {guess}  {tiles}")
        late = f"solved, but only after the {number_of(game.max_guesses, 'guess', 'guesses')} allowed"
        ending = late if play.turns and play.outcome is Outcome.OUT_OF_GUESSES else str(play.outcome)
        lines.append(f"{ending}{f': {play.message}' if play.message else ''}")
        number = None
        if self.examined.stochastic:
            number = next(i for i, other in enumerate(self.runs[test.on].plays, start=1) if other is play)
        command = command_line(
            "solve",
            g=self.game,
            p=[self.file, *self.plugins],
            s=self.examined.registered,
            answer=",".join(play.puzzle),
            secret=number and str(self.runs[test.on].facts.secret),
            number=number,
            deadline=self._deadline if play.outcome.is_fault else None,
        )
        lines.append(f"See it again: {command}")
        if play.outcome is Outcome.CRASHED and not EXCEPTION.match(play.message) and not self.plugins:
            lines.append(f"Its process was stopped. On Linux, add this to see it stopped again: {self._limits}")
        return "\n".join(lines)

    def _check(self) -> str:
        command = command_line("check", self.file, g=self.game, p=self.plugins, deadline=self._deadline)
        return f"See it again: {command}"

    @property
    def _limits(self) -> str:
        """The options that run it under the limits of the assignment."""
        limits = self.assignment.definition.limits
        names = ("cpu", "memory", "processes", "files", "written", "printed")
        changed = [name for name in names if getattr(limits, name) != Limits.model_fields[name].default]
        return " ".join(["--isolate", *(f"--limit {name}={getattr(limits, name)}" for name in changed)])

    @property
    def _deadline(self) -> str:
        return f"{self.assignment.definition.deadline:g}"


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


def fault_of(play: Play) -> str:
    """Return a fault in a form that is the same for all plays that ended with it, or an empty text."""
    if not play.outcome.is_fault:
        return ""
    return f"{play.outcome}: {GUESS.sub('', play.message) if play.outcome is Outcome.CRASHED else ''}"


def problem_of(examined: Examined) -> str:
    """Return why a submission does not load, in the words for its student."""
    unregistered = is_unregistered(examined.problem) and "it has no hooks" in examined.problem
    return "it registers no strategy" if unregistered else examined.problem


def first_fix(examined: Examined, runs: Runs, scores: Sequence[Score]) -> str:
    """Return what a student should fix first, in one or two sentences, or an empty text if nothing is wrong.

    `runs` are those that students may know at once.
    """
    if examined.problem:
        more = " The first test below has the lines to add." if is_unregistered(examined.problem) else ""
        return f"{_sentence(f'It does not load: {problem_of(examined)}')}{more}"
    known = advice(examined, runs)
    plays = [play for run in runs.values() for play in run.plays]
    faults = [play for play in plays if play.outcome.is_fault and play.skipped is None]
    if NO_FILE in known:
        return NO_FILE
    if faults:
        ((most, count),) = Counter(map(fault_of, faults)).most_common(1)
        one = next(play for play in faults if fault_of(play) == most)
        of_all = f"{count:,} of {number_of(len(plays), 'play')}"
        return _sentence(f"It {FAULTS[one.outcome]} in {of_all}: {one.message}")
    if RANDOM in known:
        return RANDOM
    for finding in examined.findings:
        if not finding.passed:
            return _sentence(f"It does not keep a promise of a strategy, {finding.check}: {finding.message}")
    missing = {score.test.title: score for score in scores if score.test.seen == "visible" and not score.passed}
    if not missing:
        return ""
    worst = max(missing.values(), key=lambda score: score.test.points - score.points)
    lost = number_of_points(worst.test.points - worst.points)
    return f"Nothing is broken. Most can be gained in this test, {lost}: {worst.test.title}."


def number_of_points(points: float) -> str:
    """Return a number of points in words."""
    return f"{points:.10g} {'point' if points == 1 else 'points'}"


def _sentence(said: str) -> str:
    return said if said.endswith((".", "!", "?")) else f"{said}."


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
