"""A tournament of a class in the lecture: rounds of puzzles, and what the audience sees of the standings."""

import hashlib
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path

from wordle_kit.api import PuzzlesLike, load_puzzles
from wordle_kit.classroom.assignment import Assignment
from wordle_kit.classroom.examine import examine_all
from wordle_kit.classroom.grade import Files, Grader, grader_of
from wordle_kit.classroom.pseudonyms import FILE, pseudonyms_of
from wordle_kit.classroom.reports import GRADES
from wordle_kit.classroom.roster import Roster, key_of, read_roster
from wordle_kit.classroom.submissions import Submission
from wordle_kit.errors import WordleKitError
from wordle_kit.files import private_folder, write_file
from wordle_kit.isolation.isolation import Isolation
from wordle_kit.isolation.supervision import Supervision
from wordle_kit.pages.html import html_of, write_page
from wordle_kit.tables import render
from wordle_kit.texts import markdown, number_of
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runner import ProgressCallback, play_tournaments
from wordle_kit.tournaments.runs import Outcome, Play, counted
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament
from wordle_kit.workers import Machines

STAGE = Path(__file__).parent / "stage"
"""The folder with the template, style and script of the page."""

PAGE, LEADERBOARD, PRIVATE = "page.html", "leaderboard.md", "teacher"
"""The page for the projector, the table to publish, and the folder that is for the teacher only."""

REFRESH = 2
"""Seconds after which the page loads itself again."""

MOST_PLACES = 10
"""The most places that are named, since more do not fit on a projector, unless the best are equal."""

PODIUM = 3
"""The number of places that are revealed one by one."""

BASELINE = "(baseline) "
"""The beginning of a baseline's label, which no student's name can have."""

# Standings


@dataclass(frozen=True)
class ClassStanding:
    """The figures of a player, or of a baseline, in all rounds that count."""

    name: str
    mean: float
    solved: float
    has_fault: bool = False
    is_baseline: bool = False


def ranked(standings: Iterable[ClassStanding]) -> list[tuple[int, ClassStanding]]:
    """Return the players who are named with a place, the best first.

    They are the best of those whose strategy had no fault: half of the players, at most MOST_PLACES. Equal means have
    the same place, and get one together or not at all, except that the best always do. At least two players get no
    place, unless all are equal. So nobody can tell who is last or who failed.
    """
    players = [one for one in standings if not one.is_baseline]
    able = sorted((one for one in players if not one.has_fault and one.solved), key=lambda one: (one.mean, one.name))
    most = min(MOST_PLACES, len(players) // 2)
    found: list[tuple[int, ClassStanding]] = []
    for _, equal in groupby(able, key=lambda one: one.mean):
        place, group = len(found) + 1, list(equal)
        if found and len(found) + len(group) > most:
            break
        found += [(place, one) for one in group]
    return [] if len(players) - len(found) == 1 else found


def rows_of(standings: Sequence[ClassStanding], hidden: int = 0) -> list[dict[str, str]]:
    """Return the rows of players with a place and of baselines, the best first. `hidden` places are not named."""
    placed = {one.name: place for place, one in ranked(standings)}
    rows = []
    for one in sorted(standings, key=lambda one: (one.mean, one.name)):
        place = placed.get(one.name)
        figures = {"mean": f"{one.mean:.3f}", "solved": f"{one.solved:.0%}"}
        if one.is_baseline:
            rows.append({"place": "", "name": f"({one.name})", **figures})
        elif place is not None and place <= hidden:
            rows.append({"place": f"{place}", "name": "?", "mean": "", "solved": ""})
        elif place is not None:
            rows.append({"place": f"{place}", "name": one.name, **figures})
    return rows


def leaderboard_of(title: str, standings: Sequence[ClassStanding], others: Sequence[str], note: str) -> str:
    """Return the standings as Markdown to publish: those with a place, then the others by name only."""
    named = ", ".join(map(markdown, others))
    took_part = f"\nAlso took part, in alphabetical order: {named}.\n" if named else ""
    return f"# {markdown(title)}\n\n{render(rows_of(standings), 'github', [note])}{took_part}"


# The tournament


@dataclass
class Contest:
    """A tournament of a class: who plays, the rounds, and the folder with the page that the audience sees."""

    assignment: Assignment
    folder: Path
    grader: Grader
    """It knows how strategies are isolated and examined, where results are kept, and which machines play."""
    files: Files
    shown: Mapping[str, str]
    """The name on the page of each student, also of those who have no file."""
    pseudonyms: Mapping[str, str]
    baselines: Sequence[Entrant]
    rounds: Sequence[Puzzles]
    freeze: int
    """The number of rounds at the end whose results are hidden until they are revealed."""
    entrants: Sequence[Entrant] = ()
    """The strategies of students, once they are loaded."""
    plays: dict[str, list[Play]] = field(default_factory=dict)
    """The plays of all rounds that are not hidden, by the label of the entrant."""
    written: float = 0.0
    """When the page was written last."""

    @cached_property
    def _rehearsed(self) -> bool:
        """Whether the machine can play, which is tried once, before anyone plays. Raises WordleKitError if not."""
        self.grader.rehearse()
        return True

    def _report(self, done: int, total: int) -> None:
        if done < total and self._rehearsed and self.grader.progress is not None:
            self.grader.progress(done, total)

    def load(self) -> None:
        """Load everyone's file. Raises WordleKitError if none can be loaded."""
        grader = self.grader
        examiner = replace(grader.examiner, checks=False)
        examined = examine_all(examiner, self.files, grader.kept, grader.workers, grader.executor, self._report)
        self.entrants = [
            Entrant(student, examiner.strategy(path, examined[student]), "submission")
            for student, (path, _) in self.files.items()
            if not examined[student].problem
        ]
        if not self.entrants:
            raise WordleKitError("no submission loads, so nobody can play; `wordle-kit grade` says why")

    def hold(self) -> None:
        """Play the rounds that are not stored yet, and write the page as results come, until the last ones are hidden.

        The result is revealed at once if no round is hidden.
        """
        for number, puzzles in enumerate(self.rounds, start=1):
            self._play(number, puzzles)
        if self.freeze:
            self.show("All rounds are played. The result comes soon.")
        else:
            self.reveal()

    def reveal(self, wait: Callable[[int], None] | None = None) -> None:
        """Reveal the result; with `wait`, place by place from the third, each after `wait` returns."""
        self.plays = {}
        for number, puzzles in enumerate(self.rounds, start=1):
            self._play(number, puzzles, everything=True)
        if wait is not None:
            for hidden in range(PODIUM, 0, -1):
                self.show("The result", hidden=hidden)
                wait(hidden)
        self.show("The result", refresh=0)
        standings, others = self._standings(self.pseudonyms)
        note = f"{self._words()}; baselines are in brackets. Names are pseudonyms."
        text = leaderboard_of(self.assignment.definition.title, standings, others, note)
        write_file(self.folder / LEADERBOARD, text)

    def _play(self, number: int, puzzles: Puzzles, *, everything: bool = False) -> None:
        """Play a round, and count its plays unless they are hidden."""
        among = f"Round {number} of {len(self.rounds)}"
        everyone = [*self.entrants, *self.baselines]
        definition = self.assignment.definition
        seconds = definition.budget / sum(map(len, self.rounds))
        said = f"its share of the {definition.budget:.6g} s that everyone has was spent"
        policy = Supervision(seconds, said, one_process=True)
        tournaments = [
            Tournament(self.assignment.game, puzzles, (one,), deadline=definition.deadline, policy=policy)
            for one in everyone
        ]

        is_new = False  # a round that is stored already is not shown again

        def report(done: int, total: int) -> None:
            nonlocal is_new
            self._report(done, total)
            is_new |= done < total
            if is_new and time.monotonic() - self.written > REFRESH / 2:
                self.show(among, done=done, total=total)

        runs = play_tournaments(
            tournaments,
            self.grader.store,
            workers=self.grader.workers,
            executor=self.grader.executor,
            keep_timeouts=True,  # so that a result that was shown does not change
            progress=report,
        )
        if everything or number <= len(self.rounds) - self.freeze:
            for one, run in zip(everyone, runs, strict=True):
                self.plays.setdefault(one.label, []).extend(self.grader.store.read(run).plays)
        if is_new:
            self.show(among)

    def _standings(self, names: Mapping[str, str]) -> tuple[list[ClassStanding], list[str]]:
        """Return the standings of everyone who has played, and the students without a place in alphabetical order.

        Students have these names.
        """
        cap = self.assignment.game.cap  # the most guesses that a puzzle counts as
        standings = [
            ClassStanding(
                names.get(label, label.removeprefix(BASELINE)),
                statistics.fmean(counted(play, cap) for play in plays),
                statistics.fmean(play.outcome is Outcome.SOLVED for play in plays),
                any(play.outcome.is_fault for play in plays),
                is_baseline=label not in names,
            )
            for label, plays in self.plays.items()
        ]
        placed = {one.name for _, one in ranked(standings)}
        return standings, sorted((name for name in names.values() if name not in placed), key=str.casefold)

    def _words(self) -> str:
        return number_of(sum(map(len, self.rounds)), "hidden word")

    def show(self, status: str, *, hidden: int = 0, refresh: int = REFRESH, done: int = 0, total: int = 0) -> None:
        """Write the page."""
        standings, others = self._standings(self.shown)
        counted_rounds = len(self.rounds) - self.freeze
        page = html_of(
            STAGE,
            "",
            title=self.assignment.definition.title,
            words=self._words(),
            status=status,
            frozen=self.freeze and refresh and not hidden and f"Results after round {counted_rounds} are hidden.",
            rows=rows_of(standings, hidden),
            others=others if not hidden else [],
            refresh=refresh,
            done=done,
            total=total,
        )
        write_page(self.folder / PAGE, page)
        self.written = time.monotonic()


def rounds_of(puzzles: Puzzles, number: int) -> list[Puzzles]:
    """Return puzzles in this many rounds of about the same length."""
    if not 1 <= number <= len(puzzles):
        raise WordleKitError(f"--rounds is {number}; choose from 1 to {len(puzzles)}, the number of puzzles")
    ends = [len(puzzles) * i // number for i in range(number + 1)]
    return [puzzles.some(range(start, end)) for start, end in pairwise(ends)]


def prepare(
    assignment: Assignment,
    submissions: Iterable[Submission],
    folder: Path,
    *,
    puzzles: PuzzlesLike,
    rounds: int,
    freeze: int,
    real_names: bool,
    isolation: Isolation,
    store: Store,
    workers: int,
    executor: Machines | None = None,
    progress: ProgressCallback | None = None,
    roster: Roster | None = None,
) -> Contest:
    """Return the tournament of a class before anyone's file is loaded. `folder` gets its page.

    Names are spelt as on the roster, and those who have withdrawn do not take part.

    The puzzles are drawn with a secret of the store, so they are the same when it is called again, and nobody knows
    them before. Raises WordleKitError if something is wrong with the assignment or the settings.
    """
    seed = int.from_bytes(hashlib.sha256(f"puzzles|{store.secret()}".encode()).digest()[:6])
    in_rounds = rounds_of(load_puzzles(assignment.game, puzzles, seed, plugins=assignment.plugins), rounds)
    if not 0 <= freeze < rounds:
        raise WordleKitError(f"--freeze is {freeze}; choose from 0 to {rounds - 1}, less than the rounds")
    others = assignment.others
    baselines = [others[name] for name in dict.fromkeys(assignment.definition.baselines)]
    people = {} if roster is None else roster.by_key
    here = [one for one in submissions if not (key_of(one.student) in people and people[key_of(one.student)].withdrawn)]
    grader, files, problems = grader_of(assignment, here, folder / PRIVATE, store, isolation, workers, executor)
    students = sorted([*files, *problems])
    spelt = {one: people[key_of(one)].name if key_of(one) in people else one for one in students}
    pseudonyms = pseudonyms_of(students, assignment.folder / FILE)
    contest = Contest(
        assignment,
        folder,
        replace(grader, progress=progress),
        files,
        spelt if real_names else pseudonyms,
        pseudonyms,
        [replace(one, label=f"{BASELINE}{one.label}") for one in baselines],
        in_rounds,
        freeze,
    )
    contest.show("Everyone gets ready.")
    return contest


def submissions_in(path: Path) -> Path:
    """Return the folder of submissions: the given one, or that of a folder which `grade` wrote."""
    graded = path / "submissions"
    return graded if graded.is_dir() and (path / "store.sqlite").is_file() else path


def roster_of(path: Path, assignment: Assignment) -> Roster | None:
    """Return the roster of a class: the table of grades, if `grade` wrote the folder, or that of the assignment."""
    grades, named = path / GRADES, assignment.definition.roster
    if submissions_in(path) != path and grades.is_file():
        return read_roster(grades)
    return None if named is None else read_roster(assignment.folder / named)


def open_folder(folder: Path) -> Path:
    """Make the folders of a tournament, which only this user can open, and return the file of its store."""
    private_folder(folder)
    private_folder(folder / PRIVATE)
    return folder / PRIVATE / "store.sqlite"
