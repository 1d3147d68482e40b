"""`wordle-kit grade` and `new assignment`."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import wordle_kit as wk
from wordle_kit.cli import options
from wordle_kit.cli.output import note, progress_bar, quiet, say

if TYPE_CHECKING:
    from wordle_kit_plugins.classroom.assignment import Assignment


def grade(
    assignment: Annotated[Path, typer.Argument(metavar="ASSIGNMENT", help="Assignment: a TOML file or its folder.")],
    work: Annotated[
        Path,
        typer.Argument(metavar="WORK", help="A folder with a file, folder or zip for each student, or your own file."),
    ],
    out: Annotated[Path | None, options.output("--output", "-o", metavar="DIR", help="Folder for the results.")] = None,
    regrade: Annotated[
        list[str] | None, typer.Option(metavar="NAME|all", help="Play this submission again. Repeatable.")
    ] = None,
    gradescope: Annotated[
        bool, typer.Option("--gradescope", help="WORK is one student's folder; write results.json for Gradescope.")
    ] = False,
    no_sandbox: Annotated[
        bool, typer.Option("--no-sandbox", help="Run submissions as plain processes with your permissions.")
    ] = False,
    workers: options.WorkersOption = None,
) -> None:
    """Grade the submissions of a class, or your own file.

    To grade a class, pass a folder of submissions. Each runs in a sandbox, and the grades, feedback for each student
    and the class leaderboard are written to the folder given with -o. Submissions that have already been graded are not
    played again. If you pass a file instead, such as your own work, it runs as a plain process and its grade is
    printed.

    For example:
        wordle-kit grade letters letters/starter.py
        wordle-kit grade letters submissions -o grades
    """
    from wordle_kit_plugins.classroom.assignment import read_assignment

    from wordle_kit.errors import unknown

    if workers is not None and workers < 1:
        raise wk.WordleKitError(f"--workers is {workers}; give 1 or more")
    with quiet():
        read = read_assignment(assignment.resolve())
    if not work.exists():
        raise wk.WordleKitError(f"{work}: there is no such file or folder")
    if work.is_file() and not gradescope:
        _grade_own(read, work)
        return
    if out is None:
        raise wk.WordleKitError("--output is missing; name a folder for the results")
    from wordle_kit_plugins.classroom.grading import check_apart, file_name, grade_all, write_results
    from wordle_kit_plugins.classroom.reports import gradescope as results_json
    from wordle_kit_plugins.classroom.submissions import collect, collect_one

    from wordle_kit.files import write_file
    from wordle_kit.tables import render
    from wordle_kit.tournaments.pool import available_cores

    check_apart(work, out)
    sandbox = None if no_sandbox else wk.Sandbox(read.definition.limits)
    found = [collect_one(work)] if gradescope else collect(work)
    for name in regrade or ():
        if name != "all" and name not in {one.name for one in found}:
            raise wk.WordleKitError(f"--regrade: {unknown('student', name, [one.name for one in found])}")
    with quiet(), progress_bar() as progress:
        made = grade_all(
            read, found, out, sandbox, workers=workers or available_cores(), regrade=regrade or (), progress=progress
        )
        if gradescope:
            write_file(out / "results.json", results_json(read, made[0]))
        else:
            write_results(read, made, out)
    rows = [
        {"name": file_name(one.name), "points": one.points, "of": one.of, "remark": "; ".join(one.remarks)}
        for one in made
    ]
    say(render(rows, "table"), nl=False)
    lacks = "no sandbox: submissions ran as yourself, with your files" if sandbox is None else sandbox.lacks()
    if lacks is not None:
        note(lacks)
    note(f"wrote {out}")


def _grade_own(assignment: "Assignment", file: Path) -> None:
    """Show students their own grade. The exit code is 1 if a test gives no points."""
    from wordle_kit_plugins.classroom.grading import grade_own
    from wordle_kit_plugins.classroom.reports import lines_of

    from wordle_kit.texts import terminal

    with quiet():
        mine = grade_own(assignment, file)
    say("\n".join(map(terminal, lines_of(assignment, mine))))
    if any(not score.passed and not score.points for score in mine.scores):
        raise typer.Exit(1)


def assignment(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the assignment and of its folder.")],
    folder: options.FolderOption = Path(),
    game: Annotated[
        str | None, options.of_game(help="Game of the assignment.", show_default="a newly invented one")
    ] = None,
    plugin: Annotated[
        list[Path] | None,
        options.general("--plugin", "-p", metavar="FILE", help="Your file with the game's rule. Repeatable."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed for inventing the words.", show_default="random")
    ] = None,
) -> None:
    """Write an assignment for a class, with everything that students and the teacher need.

    For example:
        wordle-kit new assignment letters
        wordle-kit new assignment my-class --game my_game.toml
    """
    from wordle_kit_plugins.classroom.new import adopt_game, invent_game, place_of, write_assignment

    if game is not None and seed is not None:
        raise wk.WordleKitError("--seed is for inventing a game; leave out --seed or --game")
    if game is None and plugin:
        raise wk.WordleKitError("--plugin is for the rule of your own game; add --game")
    made = place_of(name, folder)
    with quiet():
        basis = invent_game(name, secrets.randbits(48) if seed is None else seed) if game is None else None
        write_assignment(made, basis or adopt_game(str(game), plugin or ()))
    say(f"Wrote {made}. teacher/NOTE.md is for you; the rest is for students. Next:")
    say(f"  wordle-kit grade {made} {made / 'starter.py'}")
    say(f"  wordle-kit grade {made} SUBMISSIONS -o grades")
