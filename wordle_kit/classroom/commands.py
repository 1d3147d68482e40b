"""`wordle-kit grade` and `new assignment`: grade the submissions of a class, or one file; write an assignment."""

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, progress_bar, quiet, say
from wordle_kit.isolation.commands import SandboxOption

if TYPE_CHECKING:
    from wordle_kit.classroom.assignment import Assignment
    from wordle_kit.classroom.grade import Grades
    from wordle_kit.classroom.submissions import Ignored, Submission
    from wordle_kit.isolation.isolation import Isolation


def grade(
    assignment: Annotated[Path, typer.Argument(metavar="ASSIGNMENT", help="Assignment: a TOML file or its folder.")],
    submissions: Annotated[
        Path,
        typer.Argument(
            metavar="SUBMISSIONS",
            help="Folder with a .py file, notebook, folder or zip file per student; or a single one.",
        ),
    ],
    out: Annotated[Path | None, options.output("--output", "-o", metavar="DIR", help="Folder for the results.")] = None,
    own: Annotated[
        bool, typer.Option("--self", help="Show the grade of your own work, as far as students see it; write nothing.")
    ] = False,
    one: Annotated[
        bool, typer.Option("--one", help="SUBMISSIONS is the work of one student, as in an autograder.")
    ] = False,
    regrade: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|all", help="Examine and play this student's submission again. Repeatable."),
    ] = None,
    workers: options.WorkersOption = None,
    sandbox: SandboxOption = "auto",
) -> None:
    """Grade the submissions of a class, or your own file.

    Writes results for Gradescope, a table, feedback for each student and the class leaderboard. Each submission runs in
    its own process. Stored results are not played again without --regrade. If submissions could read the results or
    each other (for example without bubblewrap), nothing is graded unless you give --sandbox plain. With --self, the
    exit code is 1 if a test gives no points.

    For example:
        wordle-kit grade --self assignment.toml my_idea.py
        wordle-kit grade assignment.toml submissions -o grades
    """
    from wordle_kit.classroom.assignment import read_assignment
    from wordle_kit.classroom.grade import check_apart, check_nothing_shows, grade_all
    from wordle_kit.classroom.reports import TEACHERS_PAGE
    from wordle_kit.classroom.submissions import collect, files_in, ignored_in
    from wordle_kit.errors import WordleKitError
    from wordle_kit.isolation.isolation import Isolation
    from wordle_kit.machine import available_cores
    from wordle_kit.sandbox.levels import warning

    if workers is not None and workers < 1:
        raise WordleKitError(f"--workers is {workers}; give 1 or more")
    with quiet():
        read = read_assignment(assignment, without_hidden=own)
    isolation = Isolation.read(sandbox).model_copy(update={"limits": read.definition.limits})
    if own:
        _grade_own(read, submissions, isolation)
        return
    if out is None:
        raise WordleKitError("--output is missing; name a folder for the results")
    check_apart(submissions, out)
    if one and regrade:
        raise WordleKitError("--one is for an autograder; leave out --regrade")
    check_nothing_shows(read, None if one else submissions, out, isolation)
    found = files_in([submissions]) if one else collect(submissions)
    again = _to_regrade(regrade or [], found)
    for line in isolation.warnings():
        note(line)
    with quiet(), values.cluster(workers) as executor, progress_bar() as progress:
        made = grade_all(
            read,
            found,
            out,
            isolation=isolation,
            workers=workers or available_cores(),
            executor=executor,
            progress=progress,
            page=not one,
            again=again,
        )
    _show(made, out, () if one else ignored_in(submissions))
    if (unsafe := warning(isolation)) is not None:
        say(f"\nPlayed with {unsafe}.")
    note(f"wrote {out}")
    if read.definition.hidden is not None:
        note("everyone plays the same hidden puzzles, so students who share what their programs meet could learn them")
    if not one and made.runs:
        note(f"{out / TEACHERS_PAGE} shows how everyone plays; do not give it to students")


def _to_regrade(names: "Sequence[str]", found: "Sequence[Submission]") -> set[str] | None:
    """Return the students with these names, or None for all. Raises WordleKitError for an unknown name."""
    from wordle_kit.classroom.submissions import as_student
    from wordle_kit.errors import WordleKitError, unknown

    if "all" in names:
        return None
    students = {one.student.lower(): one.student for one in found}
    for name in names:
        if as_student(name).lower() not in students:
            raise WordleKitError(f"--regrade: {unknown('student', name, students.values())}")
    return {students[as_student(name).lower()] for name in names}


def _grade_own(assignment: "Assignment", submission: Path, isolation: "Isolation") -> None:
    """Show students the public part of their own grade. The exit code is 1 if a test gives no points."""
    from wordle_kit.classroom.grade import grade_self
    from wordle_kit.classroom.reports import text_of

    isolated = isolation if sys.platform == "linux" else None
    for line in () if isolated is None else isolated.warnings():
        note(line)
    with quiet():
        mine = grade_self(assignment, submission, isolated)
    say(text_of(mine))
    later = sum(test.points for test in assignment.definition.tests) - mine.most
    if later:
        say(f"{later:g} more {'point is' if later == 1 else 'points are'} for tests that are graded later")
    if any(not score.passed and not score.points for score in mine.scores):
        raise typer.Exit(1)


def _show(made: "Grades", out: Path, ignored: "Sequence[Ignored]") -> None:
    """Print the grades of a class, and the files that were ignored."""
    from wordle_kit.classroom.alike import NOTE
    from wordle_kit.tables import render

    by_luck = any(one.error for one in made.grades)
    rows = [
        {"name": one.student, "score": one.points, **({"error": one.error} if by_luck else {}), "of": one.most}
        | {"outcome": one.outcome}
        for one in made.grades
    ]
    say(render(rows, "table"), nl=False)
    if made.alike:
        say(f"\nLook-alikes. {NOTE}\n" + render(made.alike, "table"), nl=False)
    if ignored:
        rows = [{"ignored": entry.name, "reason": entry.reason} for entry in ignored]
        say("\n" + render(rows, "table"), nl=False)


def assignment(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the assignment and of its folder.")],
    folder: options.FolderOption = Path(),
    game: Annotated[str | None, options.of_game(help="Game of the assignment. [default: a newly invented one]")] = None,
    plugin: Annotated[
        list[Path] | None,
        options.general("--plugin", "-p", metavar="FILE", help="Your file with the rule of the game. Repeatable."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed for inventing the words. [default: random]")
    ] = None,
) -> None:
    """Write an assignment for a class, with everything that students and the teacher need.

    For example:
        wordle-kit new assignment letters
        wordle-kit new assignment my-class --game my_game.toml
    """
    from wordle_kit.classroom.new import adopt_game, invent_game, place_of, write_assignment
    from wordle_kit.errors import WordleKitError

    if game is not None and seed is not None:
        raise WordleKitError("--seed is for inventing a game; leave out --seed or --game")
    if game is None and plugin:
        raise WordleKitError("--plugin is for the rule of your own game; add --game")
    made = place_of(name, folder)
    with quiet():
        if game is None:
            basis = invent_game(name, secrets.randbits(48) if seed is None else seed)
        else:
            basis = adopt_game(game, plugin or ())
        write_assignment(made, basis)
    say(f"Wrote {made}. teacher/NOTE.md is for you; the rest is for students. Next:")
    say(f"  wordle-kit grade --self {made / 'assignment.toml'} {made / 'starter.py'}")
    say(f"  wordle-kit grade {made / 'assignment.toml'} SUBMISSIONS -o grades")
