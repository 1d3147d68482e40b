"""Grade submissions: examine each, play the puzzles with those that load, and write the results."""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from wordle_kit.classroom.assignment import Assignment
from wordle_kit.classroom.changes import changes, changes_csv
from wordle_kit.classroom.departed import put_away
from wordle_kit.classroom.examine import Examined, Examiner, examine_all
from wordle_kit.classroom.gradebook import Gradebook
from wordle_kit.classroom.kinds import Conforms, SampleName
from wordle_kit.classroom.lookalikes import Alike, lookalikes
from wordle_kit.classroom.new import filled
from wordle_kit.classroom.reports import (
    Grade,
    class_leaderboard,
    feedback,
    grades_csv,
    gradescope,
    lookalikes_csv,
)
from wordle_kit.classroom.scores import Runs, Work, advice, outcome_of, want_of_time
from wordle_kit.classroom.submissions import Submission, collect_one
from wordle_kit.classroom.summary import summary
from wordle_kit.classroom.teachers_page import TEACHERS_PAGE, teachers_page
from wordle_kit.errors import MachineError, WordleKitError
from wordle_kit.files import write_file
from wordle_kit.isolation.isolation import Isolation, check_not_beside
from wordle_kit.isolation.sandbox import check_out_of_sight, level, shield
from wordle_kit.isolation.shared import share_table
from wordle_kit.leaderboard.metrics import row_of
from wordle_kit.leaderboard.positions import Positions
from wordle_kit.machines import Machines
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import number_of
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runner import ProgressCallback, play_tournament
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament

STARTER, BASELINE = "the starter", "a baseline"

REHEARSED = 2
"""The number of public puzzles that the starter and the baseline play before anyone is graded."""

NO_ANSWER = (Outcome.CRASHED, Outcome.TIMED_OUT)
"""Outcomes that the machine can cause."""


@dataclass(frozen=True)
class Grades:
    """The results of grading: each student's grade, look-alikes, and the texts of the leaderboard's files."""

    grades: tuple[Grade, ...]
    alike: tuple[Alike, ...]
    leaderboard: dict[str, str]
    changes: tuple[dict[str, Any], ...] = ()
    """The changes since the last grading into the same folder."""
    runs: Mapping[str, int] = field(default_factory=dict)
    """The numbers in the store of the runs that are on the teacher's page, by the names of its rows.

    They are on the same puzzles. Runs on draws of their own are not among them.
    """
    gone: tuple[str, ...] = ()
    """The students of the last grading who have no submission in this one."""


@dataclass(frozen=True)
class HandedIn:
    """The files to grade, with their hashes, and the reasons why students have none."""

    files: dict[str, tuple[Path, str]]
    problems: dict[str, str]
    at_home: Path | None = None
    """The student's own file, if a student grades it."""

    def shown(self, student: str, assignment: Assignment) -> tuple[str, str, list[str]]:
        """Return the file, the game and its plugins as commands name them: in the class, or as paths from here."""
        game, plugins = assignment.definition.game, assignment.definition.plugins
        if self.at_home is not None:
            here = assignment.folder / game
            names = [str(assignment.folder / name) for name in plugins]
            return str(self.at_home), str(here) if here.suffix == ".toml" else game, names
        return self.files[student][0].name if student in self.files else "", game, plugins


def grade_all(
    assignment: Assignment,
    submissions: Iterable[Submission],
    out: Path,
    *,
    isolation: Isolation,
    workers: int,
    executor: Machines | None = None,
    progress: ProgressCallback | None = None,
    book: Gradebook | None = None,
    page: bool = False,
) -> Grades:
    """Grade submissions, and write plays and results to a folder; with `page`, also a page for the teacher.

    `executor`, such as a Cluster, plays in place of `workers` processes. Plays that the folder has already are not
    played again. Faults of a submission are part of its grade. The files of
    students who have left are moved to a folder of their own. Raises WordleKitError, and grades nobody, if something is
    wrong with the assignment, if the starter and a baseline cannot be played as submissions are, or if the machine
    fails.
    """
    baselines = assignment.others  # raises an error if one is misspelt
    examiner = _examiner(assignment, isolation)
    handed_in = _copy(submissions, out / "submissions")
    rehearse = cache(partial(_rehearse, assignment, examiner, workers, executor))

    def begin(done: int, total: int) -> None:
        """Rehearse before the first submission is examined or played, if there is any, and report the progress."""
        if done < total:
            rehearse()
        if progress is not None:
            progress(done, total)

    with Store(out / "store.sqlite") as store:
        kept = out / "kept"
        made = _grade(assignment, examiner, baselines, handed_in, store, kept, workers, executor, begin)
        if page and made.runs:
            write_file(out / TEACHERS_PAGE, teachers_page(assignment, store, made.runs), make_folder=True)
    if book is not None:
        made = replace(made, grades=tuple(book.entered(made.grades)))
    made = replace(made, changes=_changed(out, grades_csv(made.grades)))
    made = replace(made, gone=tuple(put_away(out, {grade.student for grade in made.grades})))
    for grade in made.grades:
        write_file(out / "results" / grade.student / "results.json", gradescope(grade), make_folder=True)
        write_file(
            out / "feedback" / f"{grade.student}.md", feedback(grade, assignment.definition.title), make_folder=True
        )
    write_file(out / "changes.csv", changes_csv(made.changes), make_folder=True)
    write_file(out / "grades.csv", grades_csv(made.grades), make_folder=True)
    write_file(out / "lookalikes.csv", lookalikes_csv(made.alike), make_folder=True)
    for name, text in (made.leaderboard | summary(made.grades, assignment.definition.title)).items():
        write_file(out / name, text, make_folder=True)
    return made


def check_nothing_shows(assignment: Assignment, submissions: Path | None, out: Path, isolation: Isolation) -> None:
    """Raise WordleKitError if a submission could read secrets, the results, or other submissions."""
    hidden = assignment.definition.hidden
    secret = [] if hidden is None else [assignment.folder / hidden.file]
    for path in secret:
        check_not_beside(assignment.plugins, path)
    check_out_of_sight([*secret, assignment.path, out, *([] if submissions is None else [submissions])], isolation)


def _changed(out: Path, table: str) -> tuple[dict[str, Any], ...]:
    """Return the differences between a table of grades and the earlier one in a folder, if there is one."""
    before = out / "grades.csv"
    if not before.is_file():
        return ()
    return tuple(changes(before.read_text(encoding="utf-8", errors="replace"), table))


def grade_self(assignment: Assignment, file: Path, isolation: Isolation | None) -> Grade:
    """Return the part of a file's grade that students may see at once; nothing is stored or written."""
    seen = [test for test in assignment.tests if test.seen == "visible"]
    if not seen:
        raise WordleKitError(f"{assignment.path}: has no test that students may see")
    definition = assignment.definition.model_copy(update={"tests": seen, "baselines": [], "starter": None})
    part = replace(assignment, definition=definition)
    with temporary_folder() as folder, Store() as store:
        # A lone copy, as in a class: the files beside the student's own are not handed in.
        handed_in = replace(_copy([collect_one(file)], folder), at_home=file)
        with chdir(folder) if isolation is None else nullcontext():
            (grade,) = _grade(part, _examiner(part, isolation), part.others, handed_in, store).grades
    return grade


def _copy(submissions: Iterable[Submission], folder: Path) -> HandedIn:
    """Copy the files to grade to a folder, as a record of what was graded."""
    handed_in = HandedIn({}, {})
    for submission in submissions:
        for before in (folder / submission.student).glob("*"):
            if before.is_file() and before.name != submission.file:
                before.unlink()
        if submission.problem:
            handed_in.problems[submission.student] = submission.problem
            continue
        path = (folder / submission.student / submission.file).resolve()
        if not (path.is_file() and path.read_bytes() == submission.text):
            write_file(path, submission.text, make_folder=True)
        handed_in.files[submission.student] = (path, submission.digest)
    return handed_in


def _examiner(assignment: Assignment, isolation: Isolation | None) -> Examiner:
    """Return the examiner of an assignment. Raises WordleKitError if submissions cannot be isolated."""
    if isolation is not None:
        level(isolation)
        shield()
        share_table(assignment.game)  # before workers are started, so that they share it
    return Examiner(
        game=assignment.game,
        trusted=assignment.plugins.trusted,
        deadline=assignment.definition.deadline,
        checks=any(isinstance(test, Conforms) for test in assignment.definition.tests),
        isolation=isolation,
        time=assignment.time_for_checks,
    )


def _grade(
    assignment: Assignment,
    examiner: Examiner,
    baselines: Mapping[str, Entrant],
    handed_in: HandedIn,
    store: Store,
    kept: Path | None = None,
    workers: int = 1,
    executor: Machines | None = None,
    progress: ProgressCallback | None = None,
) -> Grades:
    """Examine and play the submissions, and return their grades."""
    others = {**baselines, **_starter(assignment, examiner, kept, progress)}
    examined = examine_all(examiner, handed_in.files, kept, workers, executor, progress)
    entrants = {
        student: Entrant(student, examiner.strategy(path, examined[student]), "submission")
        for student, (path, _) in handed_in.files.items()
        if not examined[student].problem
    }

    played: dict[SampleName, list[Puzzles]] = {}
    numbers: dict[SampleName, list[int]] = {}
    for sample in assignment.samples:  # the public one first
        times = [assignment.time_for_plays(sample, examined[student].seconds) for student in entrants]
        tried = [store.read(run) for run in numbers["public"]] if numbers else []
        everybody = [*entrants.values(), *others.values()]
        played[sample] = [
            assignment.puzzles_for(sample, one.strategy, run, time.seconds if time is not None else math.inf)
            for one, run, time in zip_longest(everybody, tried, times)
        ]
        entered = zip_longest(everybody, times, played[sample])
        entrants_now = tuple(replace(one, budget=time, puzzles=own) for one, time, own in entered)
        puzzles = assignment.samples[sample]
        numbers[sample] = play_tournament(
            Tournament(assignment.game, puzzles, entrants_now, deadline=examiner.deadline),
            store,
            workers=workers,
            executor=executor,
            keep_timeouts=True,  # so that grading again does not change a grade
            progress=progress,
        )

    def runs_of(number: int) -> Runs:
        return {sample: store.read(runs[number]) for sample, runs in numbers.items()}

    rivals = {name: runs_of(number) for number, name in enumerate(others, start=len(entrants))}
    order = {student: number for number, student in enumerate(entrants)}
    best = max(assignment.samples, key=("public", "all", "hidden").index)
    positions = Positions()
    decided, grades = {}, []
    for student in sorted([*handed_in.files, *handed_in.problems]):
        found = examined.get(student) or Examined(problem=handed_in.problems[student])
        runs = runs_of(order[student]) if student in order else {}
        shown = handed_in.shown(student, assignment)
        isolated = examiner.isolation is not None
        public, hidden = _only(("public", "all"), runs), _only(("hidden",), runs)
        notes = advice(found, public)
        work = Work(assignment, found, runs, rivals, *shown, isolated)
        grades.append(
            Grade(
                student,
                outcome_of(found, runs),
                tuple(work.score(test) for test in assignment.tests),
                row=row_of(runs[best]) if runs else None,
                public=row_of(runs["public"]) if runs else None,
                seconds=runs["public"].seconds if runs else 0.0,
                notes=tuple(filter(None, [*notes, want_of_time(found, public)])),
                notes_on_hidden=tuple(
                    note
                    for note in [*advice(Examined(), hidden), want_of_time(Examined(), hidden)]
                    if note and note not in notes
                ),
            )
        )
        if runs and not found.stochastic:
            decided[student] = positions.decisions(_plays(runs))
    known = [positions.decisions(_plays(runs)) for runs in rivals.values()]
    rows = [grade.row for grade in grades if grade.row is not None]
    rows += [replace(row_of(runs[best]), strategy=f"({name})") for name, runs in rivals.items() if name != STARTER]
    note = f"{_described(assignment, best)}; baselines are in brackets."
    leaderboard = class_leaderboard(rows, assignment.definition.title, [note])
    compared: SampleName = "public" if assignment.samples[best].for_one else best
    names = [*order, *(f"({name})" for name in others)]
    on_page = {
        name: run
        for name, run, own in zip(names, numbers[compared], played[compared], strict=True)
        if name != f"({STARTER})" and not own.for_one
    }
    return Grades(tuple(grades), tuple(lookalikes(decided, known)), leaderboard, runs=on_page)


def _only(samples: Sequence[SampleName], runs: Runs) -> Runs:
    return {name: run for name, run in runs.items() if name in samples}


def _described(assignment: Assignment, sample: SampleName) -> str:
    """Return the puzzles of a sample in a few words."""
    puzzles = assignment.samples[sample]
    if sample != "all":
        return number_of(len(puzzles), f"{sample} puzzle")
    return "draws of each strategy's own" if puzzles.for_one else f"{puzzles.label}, or draws for random strategies"


def _plays(runs: Runs) -> list[Play]:
    return [play for run in runs.values() for play in run.plays]


def _rehearse(assignment: Assignment, examiner: Examiner, workers: int, executor: Machines | None) -> None:
    """Play a baseline, and the starter if there is one, as submissions are played. Raises WordleKitError if that fails.

    Then something is wrong with this machine or the assignment, and submissions would fail for the same reason.
    """
    game, examiner = assignment.game, replace(examiner, checks=False)
    puzzles = assignment.samples["public"]
    with temporary_folder() as folder, Store() as store:
        write_file(folder / "baseline.py", filled("starter.py", {"title": game.name}))
        files = {BASELINE: (folder / "baseline.py", ""), **_starters_file(assignment)}
        try:
            examined = examine_all(examiner, files, None, workers, executor)
            problems = [(name, found.problem) for name, found in examined.items() if found.problem]
            if not problems:
                strategies = {name: examiner.strategy(files[name][0], examined[name]) for name in files}
                entrants = tuple(Entrant(name, strategy, "submission") for name, strategy in strategies.items())
                few = replace(puzzles, ids=puzzles.ids[:REHEARSED])
                runs = play_tournament(
                    Tournament(game, few, entrants, deadline=examiner.deadline),
                    store,
                    workers=workers,
                    executor=executor,
                )
                plays = ((name, play) for name, run in zip(files, runs, strict=True) for play in store.read(run).plays)
                problems = [(name, f"{p.outcome}: {p.message}") for name, p in plays if p.outcome in NO_ANSWER]
        except MachineError as error:
            raise MachineError(f"nobody was graded: {error}", settings=error.settings) from error
    if problems:
        name, problem = problems[0]
        raise WordleKitError(f"{assignment.path}: nobody was graded, since {name} could not be played: {problem}")


def _starters_file(assignment: Assignment) -> dict[str, tuple[Path, str]]:
    """Return the starter's file with its hash, if the assignment names one."""
    if assignment.definition.starter is None:
        return {}
    path = (assignment.folder / assignment.definition.starter).resolve()
    if not path.is_file():
        raise WordleKitError(f"{assignment.path}: starter: there is no file {assignment.definition.starter!r}")
    return {STARTER: (path, collect_one(path).digest)}


def _starter(
    assignment: Assignment, examiner: Examiner, kept: Path | None, progress: ProgressCallback | None
) -> dict[str, Entrant]:
    """Return the starter, if the assignment names one, as an entrant that is treated like a submission."""
    handed_in = _starters_file(assignment)
    if not handed_in:
        return {}
    path, _ = handed_in[STARTER]
    examined = examine_all(replace(examiner, checks=False), handed_in, kept, 1, progress=progress)[STARTER]
    if examined.problem:
        raise WordleKitError(f"{assignment.path}: starter: {examined.problem}")
    return {STARTER: Entrant(STARTER, examiner.strategy(path, examined), "starter")}
