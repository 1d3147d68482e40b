"""Grade submissions: examine each, play the puzzles with those that load, and write the results."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from wordle_kit.classroom.assignment import Assignment, Conforms, SampleName
from wordle_kit.classroom.draws import Draws
from wordle_kit.classroom.examine import Examined, Examiner, examine_all
from wordle_kit.classroom.gradebook import Gradebook
from wordle_kit.classroom.new import filled
from wordle_kit.classroom.reports import (
    ALIKE_COLUMNS,
    CHANGE_COLUMNS,
    TEACHERS_PAGE,
    Grade,
    changes,
    class_leaderboard,
    feedback,
    grades_csv,
    gradescope,
    lookalikes,
    put_away,
    summary,
    table_csv,
    teachers_page,
)
from wordle_kit.classroom.scores import Runs, Work, advice, first_fix, outcome_of
from wordle_kit.classroom.submissions import Submission, collect_one
from wordle_kit.errors import MachineError, WordleKitError
from wordle_kit.files import private_folder, write_file
from wordle_kit.isolation.isolation import Isolation
from wordle_kit.isolation.shared import share_table
from wordle_kit.leaderboard.metrics import Positions, row_of
from wordle_kit.sandbox.levels import check_out_of_sight
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import number_of
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runner import ProgressCallback, play_tournaments
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament
from wordle_kit.workers import Machines

STARTER, BASELINE = "the starter", "a baseline"
"""The programs that are played to try the machine. The starter has a row under its name too."""

REHEARSED = 2
"""The number of public puzzles that the starter and the baseline play before anyone is graded."""

NO_ANSWER = (Outcome.CRASHED, Outcome.TIMED_OUT)
"""Outcomes that the machine can cause."""


@dataclass(frozen=True)
class Grades:
    """The results of grading: each student's grade, look-alikes, and the texts of the leaderboard's files."""

    grades: tuple[Grade, ...]
    alike: list[dict[str, Any]]
    leaderboard: dict[str, str]
    changes: tuple[dict[str, Any], ...] = ()
    """The changes since the last grading into the same folder."""
    runs: Mapping[str, int] = field(default_factory=dict)
    """The runs on the teacher's page: their numbers in the store, by the names of the rows.

    All are on the same puzzles. Runs on draws of their own are not among them.
    """
    gone: tuple[str, ...] = ()
    """The students of the last grading who have no submission in this one."""


Files = Mapping[str, tuple[Path, str]]
"""Files to grade, with their hashes, by the names of the students."""


@dataclass
class Contestant:
    """A submission that loads, a baseline or the starter, with its runs."""

    entrant: Entrant
    seconds: float | None = None
    """How long its examination took, if its time is limited."""
    puzzles: dict[SampleName, Puzzles] = field(default_factory=dict)
    runs: dict[SampleName, int] = field(default_factory=dict)
    """The numbers of its runs in the store."""


@dataclass(frozen=True)
class Grader:
    """Grades submissions: it knows the assignment, where results are kept, and which machines examine and play."""

    assignment: Assignment
    baselines: Mapping[str, Entrant]
    examiner: Examiner
    store: Store
    kept: Path | None = None
    """The folder for results of examinations."""
    workers: int = 1
    executor: Machines | None = None
    progress: ProgressCallback | None = None
    at_home: Path | None = None
    """The student's own file, if a student grades it."""

    def grade(self, files: Files, problems: Mapping[str, str]) -> Grades:
        """Return the grades: examine each submission, play with those that load, and score what they did.

        `problems` are the reasons why further students have no file.
        """
        starter = self._ungraded(self._starters_file(), "starter", self.kept, self.progress)
        others = {one.label: Contestant(one) for one in [*self.baselines.values(), *starter]}
        examined = examine_all(self.examiner, files, self.kept, self.workers, self.executor, self.progress)
        own = {
            student: Contestant(Entrant(student, self.examiner.strategy(path, found), "submission"), found.seconds)
            for student, (path, _) in files.items()
            if not (found := examined[student]).problem
        }
        self._play([*own.values(), *others.values()])

        rivals = {name: self._stored(one) for name, one in others.items()}
        positions = Positions()
        grades, decided = [], {}
        for student in sorted([*files, *problems]):
            found = examined.get(student) or Examined(problem=problems[student])
            runs = self._stored(own[student]) if student in own else {}
            names = self._names(files[student][0].name if student in files else "")
            code = files[student][0].read_bytes() if found.problem and student in files else b""
            work = Work(self.assignment, found, runs, rivals, *names, code)
            grades.append(self._grade_of(student, work))
            if runs and not found.stochastic:
                decided[student] = positions.decisions(_plays(runs))

        known = [positions.decisions(_plays(runs)) for runs in rivals.values()]
        alike = lookalikes(decided, known)
        return Grades(tuple(grades), alike, self._leaderboard(grades, rivals), runs=self._on_page(own, others))

    def rehearse(self) -> None:
        """Play a baseline, and the starter if there is one, as submissions are played.

        Raises WordleKitError if that fails. Then something is wrong with this machine or the assignment, and
        submissions would fail for the same reason.
        """
        puzzles = self.assignment.samples["public"]
        with temporary_folder() as folder, Store() as store:
            write_file(folder / "baseline.py", filled("starter.py", {"title": self.assignment.game.name}))
            files = {BASELINE: (folder / "baseline.py", ""), **self._starters_file()}
            try:
                entrants = self._ungraded(files, "submission")
                some = puzzles.some(range(min(REHEARSED, len(puzzles))))
                tournaments = [self.assignment.tournament("public", entrant) for entrant in entrants]
                short = [replace(tournament, puzzles=some) for tournament in tournaments]
                runs = replace(self, store=store, progress=None)._run(short)
            except MachineError as error:
                raise MachineError(f"nobody was graded: {error}", settings=error.settings) from error
            for name, run in zip(files, map(store.read, runs), strict=True):
                for play in run.plays:
                    if play.outcome in NO_ANSWER:
                        raise self._refusal(name, f"{play.outcome}: {play.message}")

    def _refusal(self, name: str, problem: str) -> WordleKitError:
        """Return the error for a program that should be able to play but cannot."""
        where = self.assignment.path
        return WordleKitError(f"{where}: nobody was graded, since {name} could not be played: {problem}")

    def _starters_file(self) -> dict[str, tuple[Path, str]]:
        """Return the starter's file with its hash, if the assignment names one."""
        named = self.assignment.definition.starter
        if named is None or self.kept is None:
            return {}
        path = _as_python((self.assignment.folder / named).resolve(), self.kept / "starter")
        if not path.is_file():
            raise WordleKitError(f"{self.assignment.path}: starter: there is no file {named!r}")
        return {STARTER: (path, collect_one(path).digest)}

    def _ungraded(
        self, files: Files, origin: str, kept: Path | None = None, progress: ProgressCallback | None = None
    ) -> list[Entrant]:
        """Return programs that nobody handed in as entrants, examined without the checks of promises."""
        if not files:
            return []
        examiner = replace(self.examiner, checks=False)
        examined = examine_all(examiner, files, kept, self.workers, self.executor, progress)
        for name, found in examined.items():
            if found.problem:
                raise self._refusal(name, found.problem)
        return [Entrant(name, examiner.strategy(path, examined[name]), origin) for name, (path, _) in files.items()]

    def _play(self, contestants: Sequence[Contestant]) -> None:
        """Play all samples, the public one first, which shows how many draws each contestant needs."""
        for sample in self.assignment.samples:
            tournaments = []
            for one in contestants:
                tried = self.store.read(one.runs["public"]) if one.runs else None
                tournaments.append(self.assignment.tournament(sample, one.entrant, one.seconds, tried))
                one.puzzles[sample] = tournaments[-1].puzzles
            for one, run in zip(contestants, self._run(tournaments), strict=True):
                one.runs[sample] = run

    def _run(self, tournaments: Sequence[Tournament]) -> list[int]:
        """Play tournaments, and return the numbers of the runs in the store."""
        return play_tournaments(
            tournaments,
            self.store,
            workers=self.workers,
            executor=self.executor,
            keep_timeouts=True,  # so that grading again does not change a grade
            progress=self.progress,
        )

    def _stored(self, one: Contestant) -> Runs:
        """Read the runs of a contestant. They are not kept: a class has too many."""
        return {sample: self.store.read(run) for sample, run in one.runs.items()}

    def _names(self, file: str) -> tuple[str, str, list[str]]:
        """Return a file, the game and its plugins as commands name them, for the class or as paths from here."""
        definition, folder = self.assignment.definition, self.assignment.folder
        if self.at_home is None:
            return file, definition.game, definition.plugins
        game = str(folder / definition.game) if definition.game.endswith(".toml") else definition.game
        return str(self.at_home), game, [str(folder / name) for name in definition.plugins]

    def _grade_of(self, student: str, work: Work) -> Grade:
        """Return a student's grade, with the score of each test."""
        runs = work.runs
        known: Runs = {sample: run for sample, run in runs.items() if sample != "hidden"}
        notes = advice(work.examined, known)
        scores = tuple(work.score(test) for test in self.assignment.tests)
        seen = {test.on for test in self.assignment.tests if test.seen == "visible"}
        on_hidden = advice(Examined(), {sample: run for sample, run in runs.items() if sample == "hidden"})
        return Grade(
            student,
            outcome_of(work.examined, runs),
            scores,
            row=row_of(runs[self._best]) if runs else None,
            public=row_of(runs["public"]) if runs else None,
            seconds=runs["public"].seconds if runs else 0.0,
            fix=first_fix(work.examined, {sample: run for sample, run in known.items() if sample in seen}, scores),
            notes=tuple(notes),
            notes_on_hidden=tuple(note for note in on_hidden if note not in notes),
        )

    @property
    def _best(self) -> SampleName:
        """The sample that says most about a strategy, which the class leaderboard is about."""
        return max(self.assignment.samples, key=("public", "all", "hidden").index)

    def _leaderboard(self, grades: Iterable[Grade], rivals: Mapping[str, Runs]) -> dict[str, str]:
        """Return the texts of the class leaderboard, on which the starter is not."""
        best = self._best
        rows = [grade.row for grade in grades if grade.row is not None]
        rows += [
            row_of(runs[best].with_facts(strategy=f"({name})")) for name, runs in rivals.items() if name != STARTER
        ]
        puzzles = self.assignment.samples[best]
        played = f"{puzzles.label}, or draws for random strategies"
        if isinstance(puzzles, Draws):
            played = "draws of each strategy's own"
        elif best != "all":
            played = number_of(len(puzzles), f"{best} puzzle")
        note = f"{played}; baselines are in brackets."
        return class_leaderboard(rows, self.assignment.definition.title, [note])

    def _on_page(self, own: Mapping[str, Contestant], others: Mapping[str, Contestant]) -> dict[str, int]:
        """Return the runs on the best sample that all share, by the names on the teacher's page."""
        sample: SampleName = "public" if isinstance(self.assignment.samples[self._best], Draws) else self._best
        named = {**own, **{f"({name})": one for name, one in others.items() if name != STARTER}}
        return {name: one.runs[sample] for name, one in named.items() if not isinstance(one.puzzles[sample], Draws)}


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
    played again. Faults of a submission are part of its grade. The files of students who have left are moved to a
    folder of their own. Raises WordleKitError, and grades nobody, if something is wrong with the assignment, if the
    starter and a baseline cannot be played as submissions are, or if the machine fails.
    """
    baselines = assignment.others  # raises an error if one is misspelt
    examiner = _examiner(assignment, isolation)
    private_folder(out)
    files, problems = _copy(submissions, out / "submissions")
    with Store(out / "store.sqlite") as store:
        grader = Grader(assignment, baselines, examiner, store, out / "kept", workers, executor)
        rehearse = cache(grader.rehearse)

        def begin(done: int, total: int) -> None:
            """Rehearse before the first submission is examined or played, if there is any, and report the progress."""
            if done < total:
                rehearse()
            if progress is not None:
                progress(done, total)

        made = replace(grader, progress=begin).grade(files, problems)
        if page and made.runs:
            write_file(out / TEACHERS_PAGE, teachers_page(assignment, store, made.runs), make_folder=True)
    grades = made.grades if book is None else tuple(book.entered(made.grades))
    title, table, last = assignment.definition.title, grades_csv(grades), out / "grades.csv"
    changed = changes(last.read_text(encoding="utf-8", errors="replace"), table) if last.is_file() else []
    gone = put_away(out, {grade.student for grade in grades})
    texts = {
        **{f"results/{grade.student}/results.json": gradescope(grade) for grade in grades},
        **{f"feedback/{grade.student}.md": feedback(grade, title) for grade in grades},
        "changes.csv": table_csv(changed, CHANGE_COLUMNS),
        "grades.csv": table,
        "lookalikes.csv": table_csv(made.alike, ALIKE_COLUMNS),
        **made.leaderboard,
        **summary(grades, title),
    }
    for name, text in texts.items():
        write_file(out / name, text, make_folder=True)
    return replace(made, grades=grades, changes=tuple(changed), gone=tuple(gone))


def grader_of(
    assignment: Assignment,
    submissions: Iterable[Submission],
    folder: Path,
    store: Store,
    isolation: Isolation,
    workers: int,
    executor: Machines | None = None,
) -> tuple[Grader, Files, dict[str, str]]:
    """Return a grader that keeps its results in a folder, the files to grade, and why other students have none."""
    examiner = _examiner(assignment, isolation)
    files, problems = _copy(submissions, folder / "submissions")
    return Grader(assignment, assignment.others, examiner, store, folder / "kept", workers, executor), files, problems


def check_nothing_shows(assignment: Assignment, submissions: Path | None, out: Path, isolation: Isolation) -> None:
    """Raise WordleKitError if a submission could read secrets, the results, or other submissions."""
    secret = [assignment.path, out, *([] if submissions is None else [submissions])]
    if assignment.definition.hidden is not None:
        secret.insert(0, assignment.folder / assignment.definition.hidden.file)
        isolation.check_not_given(assignment.plugins, secret[0])
    check_out_of_sight(secret, isolation, "submissions")


def grade_self(assignment: Assignment, file: Path, isolation: Isolation | None) -> Grade:
    """Return the part of a file's grade that students may see at once; nothing is stored or written."""
    seen = [test for test in assignment.tests if test.seen == "visible"]
    if not seen:
        raise WordleKitError(f"{assignment.path}: has no test that students may see")
    definition = assignment.definition.model_copy(update={"tests": seen, "baselines": [], "starter": None})
    part = replace(assignment, definition=definition)
    with temporary_folder() as folder, Store() as store:
        # A copy in a folder of its own: as in a class, other files of the student are not handed in.
        files, problems = _copy([collect_one(file)], folder)
        grader = Grader(part, part.others, _examiner(part, isolation), store, at_home=file)
        with chdir(folder) if isolation is None else nullcontext():
            (grade,) = grader.grade(files, problems).grades
    return grade


def _as_python(path: Path, folder: Path) -> Path:
    """Return a file with Python code, or of a notebook the file with its code, which is written to a folder."""
    if path.suffix != ".ipynb" or not path.is_file():
        return path
    found = collect_one(path)
    if found.problem:
        raise WordleKitError(f"{path}: {found.problem}")
    write_file(folder / found.file, found.text, make_folder=True)
    return folder / found.file


def _copy(submissions: Iterable[Submission], folder: Path) -> tuple[Files, dict[str, str]]:
    """Copy the files to grade to a folder, as a record, and return them, and why other students have none."""
    files, problems = {}, {}
    for submission in submissions:
        for before in (folder / submission.student).glob("*"):
            if before.is_file() and before.name != submission.file:
                before.unlink()
        if submission.problem:
            problems[submission.student] = submission.problem
            continue
        path = (folder / submission.student / submission.file).resolve()
        if not (path.is_file() and path.read_bytes() == submission.text):
            write_file(path, submission.text, make_folder=True)
        files[submission.student] = (path, submission.digest)
    return files, problems


def _examiner(assignment: Assignment, isolation: Isolation | None) -> Examiner:
    """Return the examiner of an assignment. Raises WordleKitError if submissions cannot be isolated."""
    if isolation is not None:
        isolation.check()
        share_table(assignment.game)  # before workers are started, so that they share it
    return Examiner(
        game=assignment.game,
        trusted=assignment.plugins.trusted,
        deadline=assignment.definition.deadline,
        checks=any(isinstance(test, Conforms) for test in assignment.definition.tests),
        isolation=isolation,
        time=assignment.time_for_checks,
    )


def _plays(runs: Runs) -> list[Play]:
    return [play for run in runs.values() for play in run.plays]
