"""Grade submissions: play those whose results are not kept, and write what came of it."""

import hashlib
import importlib.util
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError
from wordle_kit_plugins.classroom.alike import bundled_games, remarks_on, whole_games
from wordle_kit_plugins.classroom.assignment import Assignment, read_assignment
from wordle_kit_plugins.classroom.play import Result, check_machine, play_submission
from wordle_kit_plugins.classroom.reports import feedback_md, grades_csv, leaderboard_md
from wordle_kit_plugins.classroom.scores import Grade, grade_of
from wordle_kit_plugins.classroom.submissions import Submission, collect_one

from wordle_kit._version import __version__
from wordle_kit.errors import MachineError, WordleKitError
from wordle_kit.files import private_folder, write_file
from wordle_kit.pool import Died, Pool, in_order
from wordle_kit.programs.program import shared_table
from wordle_kit.programs.sandbox import Sandbox
from wordle_kit.texts import number_of

GRADES, LEADERBOARD, FEEDBACK, CACHE = "grades.csv", "leaderboard.md", "feedback", "cache"

Progress = Callable[[int, int], None]
"""A function that is called with the number of submissions that are done and their total number."""


def grade_own(assignment: Assignment, file: Path) -> Grade:
    """Return the grade of one's own file, which runs as a plain process. Nothing is written."""
    submission = collect_one(file)
    check_notebooks([submission])
    return grade_of(assignment, submission.name, str(file), play_submission(assignment, submission, None))


def grade_all(
    assignment: Assignment,
    submissions: Sequence[Submission],
    out: Path,
    sandbox: Sandbox | None,
    *,
    workers: int,
    regrade: Collection[str] = (),
    progress: Progress | None = None,
) -> list[Grade]:
    """Grade submissions and return their grades. Results are kept in the folder `cache` of `out`.

    What is kept there is not played again, unless the submission, the assignment or wordle-kit has changed, or
    `regrade` has the student's name. The starter is played first: if it cannot be played, nobody can, and MachineError
    is raised.
    """
    check_notebooks(submissions)
    private_folder(out)
    cache = out / CACHE
    starter = collect_one(assignment.starter)
    starters = kept(cache, assignment, starter, sandbox) or play_submission(assignment, starter, sandbox)
    check_machine(starters)
    keep(cache, assignment, starter, sandbox, starters)
    grades: dict[str, Grade] = {}

    def done(one: Submission, result: Result) -> None:
        grades[one.name] = grade_of(assignment, one.name, one.file, result)
        if progress is not None:
            progress(len(grades), len(submissions))

    waiting, late = [], []
    for one in submissions:
        found = None if one.name in regrade or "all" in regrade else kept(cache, assignment, one, sandbox)
        if found is None:
            waiting.append(one)
        else:
            done(one, found)
    for one, result in _played(assignment, waiting, sandbox, workers):
        # Asked alone, a tree that was late because others were running may be in time. Draws are never drawn anew.
        if result.late and result.is_tree and len(waiting) > 1 and workers > 1:
            late.append(one)
            continue
        keep(cache, assignment, one, sandbox, result)
        done(one, result)
    for one, result in _played(assignment, late, sandbox, 1):
        keep(cache, assignment, one, sandbox, result)
        done(one, result)
    return _remarked(assignment, [grades[one.name] for one in submissions], submissions, starter, starters)


def _played(
    assignment: Assignment, submissions: Sequence[Submission], sandbox: Sandbox | None, workers: int
) -> Iterator[tuple[Submission, Result]]:
    """Yield each submission with its result, in the order in which they are done. Each is one task of a worker."""
    if not submissions:
        return
    if assignment.game.table.is_dense:
        shared_table(assignment.game)  # before workers are started, so that they share it
    _read[assignment.path] = assignment  # forked workers have it
    tasks = [partial(_task, assignment.path, one, sandbox) for one in submissions]
    with Pool(min(workers, len(submissions))) as pool:
        for task, result in pool.run(in_order(tasks)):
            if isinstance(result, Died):
                raise MachineError(f"{result.how} that grades; free memory, or use fewer --workers")
            yield task.args[1], result


_read: dict[Path, Assignment] = {}
"""The assignments that this process, or the one that it was forked from, has read."""


def _task(path: Path, submission: Submission, sandbox: Sandbox | None) -> Result:
    if path not in _read:
        _read[path] = read_assignment(path)
    return play_submission(_read[path], submission, sandbox)


def _remarked(
    assignment: Assignment,
    grades: Sequence[Grade],
    submissions: Sequence[Submission],
    starter: Submission,
    starters: Result,
) -> list[Grade]:
    """Return the grades with remarks for the teacher."""
    games = {grade.name: grade.games for grade in grades if grade.games is not None}
    alike = remarks_on(games, whole_games(starters), bundled_games(assignment) if games else {})
    remarked = []
    for grade, submission in zip(grades, submissions, strict=True):
        remarks = [] if not grade.result.problem else [f"does not load: {grade.result.problem}"]
        if submission.code == starter.code:
            remarks.append("the starter, unchanged")
        else:
            remarks += alike.get(grade.name, [])
        if grade.result.late:
            late = number_of(grade.result.late, "guess was late", "guesses were late")
            remarks.append(f"{late}; --regrade {grade.name} plays it again")
        if grade.result.stochastic:
            remarks.append("random")
        remarked.append(replace(grade, remarks=tuple(remarks)))
    return remarked


def check_notebooks(submissions: Sequence[Submission]) -> None:
    """Raise MachineError if there are notebooks, and what reads them is not installed."""
    first = next((one for one in submissions if one.is_notebook), None)
    if first is not None and importlib.util.find_spec("IPython") is None:
        raise MachineError(
            f"{first.file} is a notebook, which IPython reads; install it with: pip install 'ipython>=8.12'"
        )


def check_apart(work: Path, out: Path) -> None:
    """Raise WordleKitError if the folder of results is inside the folder of submissions, or around it."""
    places = work.resolve(), out.resolve()
    if places[0].is_relative_to(places[1]):
        raise WordleKitError(f"--output {out} contains the submissions in {work}; choose another folder")
    if places[1].is_relative_to(places[0]):
        raise WordleKitError(f"--output {out} is inside {work}, which has the submissions; choose another folder")


def write_results(assignment: Assignment, grades: Sequence[Grade], out: Path) -> None:
    """Write the table of grades, the leaderboard and everyone's feedback into a folder."""
    write_file(out / GRADES, grades_csv(grades))
    write_file(out / LEADERBOARD, leaderboard_md(assignment, grades))
    for grade in grades:
        write_file(out / FEEDBACK / f"{file_name(grade.name)}.md", feedback_md(assignment, grade), make_folder=True)


def file_name(name: str) -> str:
    """Return a student's name as the name of a file: characters that a file system may refuse become `_`."""
    return "".join(letter if letter.isprintable() and letter not in '/\\:*?"<>|' else "_" for letter in name)[:150]


# What is kept


def key_of(assignment: Assignment, submission: Submission, sandbox: Sandbox | None) -> str:
    """Return a hash of everything that a result depends on."""
    rules = assignment.definition.model_dump_json(exclude={"title", "tests", "starter"})
    plugins = [path.read_bytes() for path in assignment.plugins]
    facts = (__version__, submission.file, submission.code, submission.problem, rules, assignment.game.fingerprint)
    return hashlib.sha256(repr((facts, plugins, sandbox is None)).encode()).hexdigest()


def kept(cache: Path, assignment: Assignment, submission: Submission, sandbox: Sandbox | None) -> Result | None:
    """Return the result of a submission that is kept, or None if there is none or it is damaged."""
    try:
        return Result.model_validate_json((cache / f"{key_of(assignment, submission, sandbox)}.json").read_bytes())
    except (OSError, ValidationError):
        return None


def keep(cache: Path, assignment: Assignment, submission: Submission, sandbox: Sandbox | None, result: Result) -> None:
    """Keep the result of a submission."""
    path = cache / f"{key_of(assignment, submission, sandbox)}.json"
    write_file(path, result.model_dump_json(), make_folder=True)
