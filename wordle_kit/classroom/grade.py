"""Grade submissions: examine each, play the puzzles with those that load, and write the results."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import chdir, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from wordle_kit.classroom.alike import ALIKE_COLUMNS, Decisions, findings, references_in
from wordle_kit.classroom.assignment import Assignment, Conforms, SampleName
from wordle_kit.classroom.draws import Draws
from wordle_kit.classroom.examine import Examined, Examiner, examine_all
from wordle_kit.classroom.new import filled
from wordle_kit.classroom.reports import (
    TEACHERS_PAGE,
    Grade,
    class_leaderboard,
    feedback,
    grades_csv,
    gradescope,
    summary,
    table_csv,
    teachers_page,
)
from wordle_kit.classroom.scale import expectations, points_of
from wordle_kit.classroom.scores import Runs, Work, advice, first_fix, outcome_of
from wordle_kit.classroom.submissions import Submission, collect_one, files_in
from wordle_kit.code_rules import restrict
from wordle_kit.errors import MachineError, WordleKitError
from wordle_kit.files import private_folder, write_file
from wordle_kit.isolation.isolation import Isolation
from wordle_kit.isolation.shared import share_table
from wordle_kit.isolation.supervision import compared
from wordle_kit.leaderboard.metrics import Row, row_of
from wordle_kit.plugin_modules import top_level
from wordle_kit.sandbox.levels import check_out_of_sight
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import line, number_of
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runner import ProgressCallback, play_tournaments
from wordle_kit.tournaments.runs import Outcome, Play
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
    """The results of grading: each student's grade, look-alikes, and the rows of the baselines."""

    grades: tuple[Grade, ...]
    alike: list[dict[str, Any]]
    baselines: tuple[Row, ...]
    """Their names are in brackets."""
    runs: Mapping[str, int] = field(default_factory=dict)
    """The runs on the teacher's page: their numbers in the store, by the names of the rows.

    All are on the same puzzles. Runs on draws of their own are not among them.
    """
    known: Mapping[str, float] = field(default_factory=dict)
    """The points that the starter and the baselines would get."""


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
    """What a student has at home: a file, a folder or a zip, if the student grades it."""
    compares: bool = False
    """Whether to look for submissions that decide alike."""

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
        expected = {name: dict(runs) for name, runs in rivals.items()}
        wanted = expectations(self.assignment)
        for (name, sample), run in zip(wanted, self._run(list(wanted.values())), strict=True):
            expected[name][sample] = self.store.read(run)
        decisions = Decisions(self.assignment.game, references_in(self.assignment.plugins, self.assignment.game))
        grades, decided = [], {}
        for student in sorted([*files, *problems]):
            found = examined.get(student) or Examined(problem=problems[student])
            runs = self._stored(own[student]) if student in own else {}
            names = self._names(files[student][0].name if student in files else "")
            code = files[student][0].read_bytes() if found.problem and student in files else b""
            work = Work(self.assignment, found, runs, expected, *names, code)
            grades.append(self._grade_of(student, work))
            if runs and not found.stochastic:
                decided[student] = decisions.of(_plays(runs))
        alike = self._findings(decisions, decided, rivals) if self.compares else []
        known = {name: points_of(self.assignment, runs, expected) for name, runs in expected.items()}
        best_of = {name: runs[self._best] for name, runs in rivals.items() if name != STARTER}
        baselines = tuple(row_of(run.with_facts(strategy=f"({name})")) for name, run in best_of.items())
        return Grades(tuple(grades), alike, baselines, runs=self._on_page(own, others), known=known)

    def _findings(
        self, decisions: Decisions, decided: Mapping[str, Mapping[int, str]], rivals: Mapping[str, Runs]
    ) -> list[dict[str, Any]]:
        """Return the rows of submissions that decide alike."""
        given = rivals.get(STARTER)
        starter = None if given is None or given["public"].facts.stochastic else decisions.of(_plays(given))
        return findings(decisions, decided, starter)

    def forget(self, students: Collection[str] | None, files: Files, kept: Path) -> None:
        """Delete the results of these students, or all results, so that they are examined and played again."""
        wanted = set(files if students is None else students) & files.keys()
        results = [kept / f"{self.examiner.key(files[student][1])}.json" for student in wanted]
        for path in kept.glob("*.json") if students is None else results:
            path.unlink(missing_ok=True)
        for run, facts, _ in self.store.runs():
            if students is None or facts.strategy in wanted:
                self.store.remove(run)

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
        path = (self.assignment.folder / named).resolve()
        if not path.is_file():
            raise WordleKitError(f"{self.assignment.path}: starter: there is no file {named!r}")
        files, problems = _ruled({STARTER: (path, collect_one(path).digest)}, self.assignment)
        for problem in problems.values():
            raise WordleKitError(f"{self.assignment.path}: starter: {problem}")
        return files

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
        """Read the runs of a contestant. They are not kept: a class has too many.

        A public play says so if it went differently among all puzzles. Faults there have a test of their own.
        """
        runs = {sample: self.store.read(run) for sample, run in one.runs.items()}
        if one.entrant.player.is_untrusted and self.assignment.shows_differences(one.entrant.strategy):
            again = {play.puzzle: play for play in runs["all"].plays if not play.outcome.is_fault}
            made = runs["public"].plays
            plays = (play if play.outcome.is_fault else compared(play, again.get(play.puzzle, play)) for play in made)
            runs["public"] = replace(runs["public"], plays=tuple(plays))
        return runs

    def _names(self, file: str) -> tuple[str, str, list[str]]:
        """Return a file, the game and its plugins as commands name them, for the class or as paths from here."""
        definition, folder = self.assignment.definition, self.assignment.folder
        if self.at_home is None:
            return file, definition.game, definition.plugins
        game = str(folder / definition.game) if definition.game.endswith(".toml") else definition.game
        own = str(graded_file(self.at_home, file)) if file else ""
        return own, game, [str(folder / name) for name in definition.plugins]

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
            row=row_of(runs[self._best].with_facts(strategy=student)) if runs else None,
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

    def leaderboard(self, rows: Sequence[Row]) -> dict[str, str]:
        """Return the texts of the class leaderboard, on which the starter is not."""
        best = self._best
        puzzles = self.assignment.samples[best]
        played = f"{puzzles.label}, or draws for random strategies"
        if isinstance(puzzles, Draws):
            played = "draws of each strategy's own"
        elif best != "all":
            played = number_of(len(puzzles), f"{best} puzzle")
        note = f"{played}; baselines are in brackets."
        return class_leaderboard(rows, self.assignment.definition.title, [note], best)

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
    page: bool = False,
    again: Collection[str] | None = (),
) -> Grades:
    """Grade submissions, and write plays and results to a folder; with `page`, also a page for the teacher.

    Of several files of a student, the last counts. The students in `again`, or everyone if it is None, are examined and
    played again.

    `executor`, such as a Cluster, plays in place of `workers` processes. Plays that the folder has already are not
    played again. Faults of a submission are part of its grade. Raises WordleKitError, and grades nobody, if something
    is wrong with the assignment, if the starter and a baseline cannot be played as submissions are, or if the machine
    fails.
    """
    baselines = assignment.others  # raises an error if one is misspelt
    examiner = _examiner(assignment, isolation)
    check_installed(assignment)
    private_folder(out)
    counted = _counted(submissions, assignment)
    files, problems = _copy(counted.values(), out / "submissions", assignment)
    with Store(out / "store.sqlite") as store:
        grader = Grader(assignment, baselines, examiner, store, out / "kept", workers, executor, compares=page)
        if again is None or again:
            grader.forget(again, files, out / "kept")
        rehearse = cache(grader.rehearse)

        def begin(done: int, total: int) -> None:
            """Rehearse before the first submission is examined or played, if there is any, and report the progress."""
            if done < total:
                rehearse()
            if progress is not None:
                progress(done, total)

        made = replace(grader, progress=begin).grade(files, problems)
        made = replace(made, grades=tuple(_noted(grade, counted[grade.student]) for grade in made.grades))
        if page and made.runs:
            write_file(out / TEACHERS_PAGE, teachers_page(assignment, store, made.runs), make_folder=True)
    grades, title = made.grades, assignment.definition.title
    texts = {
        **{f"results/{grade.student}/results.json": gradescope(grade) for grade in grades},
        **{f"feedback/{grade.student}.md": feedback(grade, title) for grade in grades},
        "grades.csv": grades_csv(grades),
        "lookalikes.csv": table_csv(made.alike, ALIKE_COLUMNS),
        **grader.leaderboard([*(grade.row for grade in grades if grade.row is not None), *made.baselines]),
        "statistics.md": summary(grades, title, made.known),
    }
    for name, text in texts.items():
        write_file(out / name, text, make_folder=True)
    return made


def check_apart(submissions: Path, out: Path) -> None:
    """Raise WordleKitError if the results would be among the submissions, or the submissions among the results."""
    for inner, outer, said in ((out, submissions, "is inside"), (submissions, out, "contains")):
        place = inner.resolve()
        if outer.exists() and any(one.exists() and one.samefile(outer) for one in (place, *place.parents)):
            raise WordleKitError(f"--output {out} {said} the submissions in {submissions}; choose another folder")


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
        counted = _counted(files_in([file]), assignment)
        files, problems = _copy(counted.values(), folder, assignment)
        grader = Grader(part, part.others, _examiner(part, isolation), store, at_home=file)
        with chdir(folder) if isolation is None else nullcontext():
            (grade,) = grader.grade(files, problems).grades
    places = [graded_file(file, path.name) for path, _ in files.values()]
    if missing := [str(place) for place in places if not place.exists()]:
        how = f"To run the commands below, save the code that is graded as {', '.join(missing)}."
        grade = replace(grade, notes=(*grade.notes, how))
    return _noted(grade, counted[grade.student])


def graded_file(given: Path, name: str) -> Path:
    """Return where a student has the file of this name that is graded, or would have it if it were unpacked."""
    if given.is_dir():
        return next(iter(sorted(given.rglob(name))), given / name)
    return given if given.suffix == ".py" else given.with_name(name)


def check_installed(assignment: Assignment) -> None:
    """Raise WordleKitError if a module that submissions may import is not installed here."""
    for name in assignment.definition.allow:
        if top_level(name) is None:
            raise WordleKitError(f"{assignment.path}: allow: {name} is not installed here; install it, or leave it out")


def _copy(submissions: Iterable[Submission], folder: Path, assignment: Assignment) -> tuple[Files, dict[str, str]]:
    """Copy the files to grade to a folder, as a record. Each version has a folder of its own, so nothing is replaced.

    Return them by students, and why other students have none.
    """
    files, problems = {}, {}
    for submission in submissions:
        if submission.problem:
            problems[submission.student] = submission.problem
            continue
        path = folder / submission.student / submission.digest[:16] / submission.file
        if path.is_file() and path.read_bytes() == submission.text:
            path.touch()  # the version that counts is the latest one
        else:
            write_file(path, submission.text, make_folder=True)
        files[submission.student] = (path.resolve(), submission.digest)
    allowed, refused = _ruled(files, assignment)
    return allowed, problems | refused


def _ruled(files: Files, assignment: Assignment) -> tuple[dict[str, tuple[Path, str]], dict[str, str]]:
    """Return the files that keep to the rules of an assignment, which hold when they run too, and why others do not.

    Their hashes are those of the files with the rules.
    """
    rules = assignment.rules
    allowed, refused = {}, {}
    for name, (path, digest) in files.items():
        restrict(path, rules)
        breach = rules.breach(path.read_bytes())
        if breach is None:
            allowed[name] = (path, f"{digest} {rules}")
        else:
            refused[name] = line(f"{path.name}, {breach}")
    return allowed, refused


# Several files of a student


def _counted(submissions: Iterable[Submission], assignment: Assignment) -> dict[str, Submission]:
    """Return the last file of each student. An unchanged starter does not count next to a file of the student's own."""
    starter = assignment.folder / (assignment.definition.starter or "")
    given = collect_one(starter).text if starter.is_file() else None
    of_student: dict[str, list[Submission]] = {}
    for one in submissions:
        of_student.setdefault(one.student, []).append(one)
    counted = {}
    for student, made in of_student.items():
        changed = [one for one in made if one.text != given] or made
        counted[student] = replace(changed[-1], of=len(changed))
    return counted


def _noted(grade: Grade, counted: Submission) -> Grade:
    """Return the grade with a note if only the last of several files counted."""
    if counted.of == 1:
        return grade
    said = f"{counted.of} files define register_strategies; the last, {counted.file}, counts."
    return replace(grade, notes=(said, *grade.notes))


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
