"""`wordle-kit grade`: grade what students handed in, or one's own file."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import options
from wordle_kit.cli.output import note, say


def grade(
    assignment: Annotated[
        Path, typer.Argument(metavar="ASSIGNMENT", help="The assignment: a TOML file or its folder.")
    ],
    submissions: Annotated[
        Path,
        typer.Argument(
            metavar="SUBMISSIONS",
            help="A folder with a .py file, a notebook, a folder or a zip of each student; or one.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the results.", show_default=False)
    ] = None,
    own: Annotated[
        bool, typer.Option("--self", help="Show the public part of the grade of one file, and write nothing.")
    ] = False,
    one: Annotated[bool, typer.Option("--one", help="SUBMISSIONS is of one student, as in an autograder.")] = False,
    roster: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV with a column name: all students of the class.", show_default=False),
    ] = None,
    times: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV with name and time of handing in, or Gradescope's submission_metadata.json.",
            show_default=False,
        ),
    ] = None,
    overrides: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV with name, points, reason and perhaps test.", show_default=False),
    ] = None,
    workers: options.WorkersOption = None,
    sandbox: Annotated[
        str, typer.Option(metavar="LEVEL", help="auto, required (bubblewrap or nothing) or plain (none).")
    ] = "auto",
) -> None:
    """Grade submissions: results for Gradescope, a table, feedback for each student, the class leaderboard.

    Each is loaded and played in a process of its own. What was played is not played again. With --self the exit code
    is 1 if a test failed, not where it gave part of its points. Where a submission could read the hidden puzzles, as
    without bubblewrap, nothing is graded unless --sandbox plain says that this is meant.
    """
    from wordle_kit.classroom.assignment import read_assignment
    from wordle_kit.classroom.grade import check_nothing_shows, grade_all, grade_self
    from wordle_kit.classroom.gradebook import read_gradebook
    from wordle_kit.classroom.reports import as_row, printed
    from wordle_kit.classroom.submissions import collect, collect_one, ignored_in
    from wordle_kit.classroom.teachers_page import TEACHERS_PAGE
    from wordle_kit.errors import WordleKitError
    from wordle_kit.isolation.isolation import Isolation
    from wordle_kit.isolation.sandbox import warning
    from wordle_kit.report.page import check_report_library
    from wordle_kit.tables import render

    if workers is not None and workers < 1:
        raise WordleKitError(f"workers is {workers}; at least one is needed")
    with options.quiet():
        read = read_assignment(assignment, public_only=own)
    isolation = Isolation.read(sandbox).model_copy(update={"limits": read.definition.limits})
    if own:
        if not submissions.is_file() or submissions.suffix != ".py":
            raise WordleKitError(f"{submissions}: with --self, give your own .py file")
        if sys.platform == "linux":
            options.warn_of_no_sandbox(isolation)
        with options.quiet():
            mine = grade_self(read, submissions, isolation if sys.platform == "linux" else None)
        say(printed(mine))
        later = sum(test.points for test in read.definition.tests) - mine.most
        if later:
            say(f"{later:g} more points are for tests that are graded later")
        if any(not score.passed and not score.points for score in mine.scores):
            raise typer.Exit(1)
        return
    if out is None:
        raise WordleKitError("--out DIR is missing: the folder for the results")
    if submissions.is_dir() and out.resolve().is_relative_to(submissions.resolve()):
        raise WordleKitError(f"--out {out}: is in the folder of submissions; choose another")
    check_nothing_shows(read, None if one else submissions, out, isolation)
    book = read_gradebook(read, one=one, roster=roster, times=times, overrides=overrides)
    found = [collect_one(submissions)] if one else collect(submissions)
    page = not one
    if page:
        try:
            check_report_library()
        except WordleKitError as error:
            page = False
            note(f"{TEACHERS_PAGE} is left out: {error}")
    options.warn_of_no_sandbox(isolation)
    with options.quiet(), options.progress_bar() as progress:
        count = workers or os.cpu_count() or 1
        made = grade_all(read, found, out, isolation=isolation, workers=count, progress=progress, book=book, page=page)
    rows = [{"name": one.student, "score": one.points, "of": one.most, "outcome": one.outcome} for one in made.grades]
    say(render(rows, "table"), nl=False)
    if made.alike:
        say("\nLook-alikes:\n" + render([as_row(pair) for pair in made.alike], "table"), nl=False)
    if not one and (ignored := ignored_in(submissions)):
        rows = [{"ignored": entry.name, "reason": entry.reason} for entry in ignored]
        say("\n" + render(rows, "table"), nl=False)
    if made.gone:
        say(f"\nMoved to {out / 'gone'}, since they are not among the submissions: {', '.join(made.gone)}")
    if made.changes:
        say("\nChanged since the last grading:\n" + render(made.changes, "table"), nl=False)
    for complaint in book.complaints(made.grades):
        note(complaint)
    if (unsafe := warning(isolation)) is not None:
        say(f"\nPlayed with {unsafe}.")
    note(f"wrote {out}")
    if page and made.runs:
        note(f"{out / TEACHERS_PAGE} has the hidden puzzles, so keep it from students")
