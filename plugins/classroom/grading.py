"""Grade submissions: play those without stored results, and write grades and feedback."""

import hashlib
import importlib.util
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError
from wordle_kit_plugins.classroom.alike import bundled_games, remarks_on
from wordle_kit_plugins.classroom.assignment import Assignment
from wordle_kit_plugins.classroom.grades import Grade, grade_of
from wordle_kit_plugins.classroom.play import check_machine, play_submission
from wordle_kit_plugins.classroom.reports import feedback_md, grades_csv, leaderboard_md
from wordle_kit_plugins.classroom.submissions import Submission, collect_one
from wordle_kit_plugins.classroom.tests import Result

import wordle_kit as wk
from wordle_kit.errors import MachineError
from wordle_kit.files import write_file
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.texts import number_of
from wordle_kit.tournaments.pool import Died, Pool, in_order

Progress = Callable[[int, int], None]
"""A function that is called with the number of finished submissions and their total number."""


def grade_own(assignment: Assignment, file: Path) -> Grade:
    """Return the grade of your own file, which runs as a plain process. Nothing is written."""
    submission = collect_one(file)
    check_notebooks([submission])
    return grade_of(assignment, submission.name, str(file), play_submission(assignment, submission, None))


def grade_all(
    assignment: Assignment,
    submissions: Sequence[Submission],
    out: Path,
    sandbox: wk.Sandbox | None,
    *,
    workers: int,
    regrade: Collection[str] = (),
    progress: Progress | None = None,
) -> list[Grade]:
    """Grade submissions and return their grades. Results are stored in the folder `cache` of `out`.

    Stored submissions are not played again, unless the submission, the assignment or wordle-kit has changed, or
    `regrade` has the student's name. The starter is played first. If it cannot be played, no submission can be,
    and MachineError is raised.
    """
    check_notebooks(submissions)
    out.mkdir(mode=0o700, parents=True, exist_ok=True)  # only this user may read the grades
    cache = Cache(out / "cache", assignment, sandbox)
    starter = collect_one(assignment.starter)
    found = cache.get(starter) or play_submission(assignment, starter, sandbox)
    check_machine(found)
    starter_games = grade_of(assignment, starter.name, starter.file, cache.put(starter, found)).games
    grades: dict[str, Grade] = {}

    def finish(one: Submission, result: Result) -> None:
        grades[one.name] = grade_of(assignment, one.name, one.file, result)
        if progress is not None:
            progress(len(grades), len(submissions))

    waiting, late = [], []
    for one in submissions:
        stored = None if one.name in regrade or "all" in regrade else cache.get(one)
        if stored is None:
            waiting.append(one)
        else:
            finish(one, stored)
    for one, result in _played(assignment, waiting, sandbox, workers):
        # A tree that was late because others were running may be in time when it runs alone. Draws are never redrawn.
        if result.late and result.is_tree and len(waiting) > 1 and workers > 1:
            late.append(one)
        else:
            finish(one, cache.put(one, result))
    for one, result in _played(assignment, late, sandbox, 1):
        finish(one, cache.put(one, result))
    games = {name: grade.games for name, grade in grades.items() if grade.games is not None}
    alike = remarks_on(games, starter_games, bundled_games(assignment.game) if games else {})
    alike |= {one.name: "the starter, unchanged" for one in submissions if one.code == starter.code}
    return [_remarked(grades[one.name], alike.get(one.name)) for one in submissions]


def _played(
    assignment: Assignment, submissions: Sequence[Submission], sandbox: wk.Sandbox | None, workers: int
) -> Iterator[tuple[Submission, Result]]:
    """Yield each submission with its result, in the order of completion. Each is one task of a worker."""
    if not submissions:
        return
    assignment.game.table.prepare()  # before workers start, so that they share it
    load_kernels(assignment.game)
    tasks = [partial(play_submission, assignment, one, sandbox) for one in submissions]
    with Pool(min(workers, len(submissions))) as pool:
        for task, result in pool.run(in_order(tasks)):
            if isinstance(result, Died):
                raise MachineError(f"{result.how} while grading; free memory, or use fewer --workers")
            yield task.args[1], result


def _remarked(grade: Grade, alike: str | None) -> Grade:
    """Return a grade with remarks for the teacher, including the given one."""
    result, remarks = grade.result, []
    if result.problem:
        remarks.append(f"does not load: {result.problem}")
    if alike is not None:
        remarks.append(alike)
    if result.late:
        late = number_of(result.late, "guess was late", "guesses were late")
        remarks.append(f"{late}; --regrade {grade.name} plays it again")
    if result.stochastic:
        remarks.append("random")
    return replace(grade, remarks=tuple(remarks))


def check_notebooks(submissions: Sequence[Submission]) -> None:
    """Raise MachineError if there are notebooks but the package that reads them is not installed."""
    first = next((one for one in submissions if one.is_notebook), None)
    if first is not None and importlib.util.find_spec("IPython") is None:
        raise MachineError(
            f"{first.file} is a notebook, which IPython reads; install it with: pip install 'ipython>=8.12'"
        )


def check_apart(work: Path, out: Path) -> None:
    """Raise WordleKitError if the folder of results contains the folder of submissions, or is inside it."""
    places = work.resolve(), out.resolve()
    if places[0].is_relative_to(places[1]):
        raise wk.WordleKitError(f"--output {out} contains the submissions in {work}; choose another folder")
    if places[1].is_relative_to(places[0]):
        raise wk.WordleKitError(f"--output {out} is inside {work}, which has the submissions; choose another folder")


def write_results(assignment: Assignment, grades: Sequence[Grade], out: Path) -> None:
    """Write the table of grades, the leaderboard and each student's feedback to a folder."""
    write_file(out / "grades.csv", grades_csv(grades))
    write_file(out / "leaderboard.md", leaderboard_md(assignment, grades))
    for grade in grades:
        write_file(out / "feedback" / f"{file_name(grade.name)}.md", feedback_md(assignment, grade), make_folder=True)


def file_name(name: str) -> str:
    """Return a student's name as a file name: characters that a file system may refuse become `_`."""
    return "".join(letter if letter.isprintable() and letter not in '/\\:*?"<>|' else "_" for letter in name)[:150]


class Cache:
    """A folder with a file for each submission's result, named by a hash of everything that the result depends on."""

    def __init__(self, folder: Path, assignment: Assignment, sandbox: wk.Sandbox | None) -> None:
        self._folder = folder
        rules = assignment.definition.model_dump_json(exclude={"title", "tests", "starter"})
        plugins = [(assignment.folder / name).read_bytes() for name in assignment.definition.plugins]
        self._facts = wk.__version__, rules, assignment.game.fingerprint, plugins, sandbox is None

    def get(self, submission: Submission) -> Result | None:
        """Return the stored result of a submission, or None if there is none or it is damaged."""
        try:
            return Result.model_validate_json(self._file(submission).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, submission: Submission, result: Result) -> Result:
        """Store the result of a submission, and return it."""
        write_file(self._file(submission), result.model_dump_json(), make_folder=True)
        return result

    def _file(self, submission: Submission) -> Path:
        facts = submission.file, submission.code, submission.problem
        return self._folder / f"{hashlib.sha256(repr((self._facts, facts)).encode()).hexdigest()}.json"
