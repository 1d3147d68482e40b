"""The texts that grading writes: the table of grades, the leaderboard, and feedback for each student."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from wordle_kit_plugins.classroom.assignment import Assignment
from wordle_kit_plugins.classroom.grades import Grade

import wordle_kit as wk
from wordle_kit.tables import render
from wordle_kit.texts import json_text, kebab_case, markdown, terminal

BOM = "\ufeff"
"""The byte order mark that makes spreadsheets read a file as UTF-8."""


def grades_csv(grades: Sequence[Grade]) -> str:
    """Return the table of grades as CSV: a row per student, a column per test, and remarks for the teacher."""
    rows = [
        {
            "name": grade.name,
            "points": grade.points,
            "of": grade.of,
            "guesses": None if grade.mean is None else round(grade.mean, 4),
            **{score.test.kind: score.points for score in grade.scores},
            "remark": "; ".join(grade.remarks),
        }
        for grade in grades
    ]
    return BOM + render(rows, "csv")


def leaderboard_md(assignment: Assignment, grades: Sequence[Grade]) -> str:
    """Return the class leaderboard as Markdown, fewest guesses first."""
    played = [(grade.mean, grade.name, grade.solved) for grade in grades if grade.mean is not None]
    means = sorted(mean for mean, *_ in played)
    rows = [
        {"rank": means.index(mean) + 1, "name": name, "guesses": f"{mean:.4f}", "solved": f"{solved:.1%}"}
        for mean, name, solved in sorted(played)
    ]
    table = render(rows, "pipe") if rows else "Nothing was played.\n"
    return f"# {markdown(assignment.definition.title)}\n\n{table}"


def lines_of(assignment: Assignment, grade: Grade) -> list[str]:
    """Return a grade as lines: what to fix first, the tests with failed ones first, and a lost game to replay."""
    fix = grade.first_fix
    lines = [f"What to fix first: {fix}", ""] if fix else []
    told = {fix}
    for score in sorted(grade.scores, key=lambda score: score.passed):
        verdict = "ok  " if score.passed else "FAIL" if not score.points else "part"
        lines.append(f"{verdict}  {score.points:g} of {score.test.points:g}  {score.test.title}")
        if score.output and score.output not in told and not score.passed:
            lines.append(f"      {score.output}")
        told.add(score.output)
    worst = next((score.worst for score in grade.scores if score.worst is not None and not score.passed), None)
    if worst is not None:
        lines += ["", *_shown(assignment, grade, worst)]
    return [*lines, "", f"{grade.points:g} of {grade.of:g} points"]


def _shown(assignment: Assignment, grade: Grade, play: wk.Play) -> list[str]:
    """Return a play and the command that replays it, as lines."""
    lines = [f"A game that it lost, or that took long. Hidden: {', '.join(play.puzzle)}"]
    for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True), start=1):
        tiles = "  ".join(assignment.game.read_feedback(text).tiles if text else "solved" for text in seen)
        lines.append(f"{turn:>2}  {guess}  {tiles}")
    lines.append(f"{play.outcome}{f': {play.message}' if play.message else ''}")
    return [*lines, f"See it again: {see_again(assignment, grade, play)}"]


def see_again(assignment: Assignment, grade: Grade, play: wk.Play) -> str:
    """Return the command that replays a play from the assignment's folder or, for your own file, the current one."""
    if assignment.definition.plugins:
        return shlex.join(["wordle-kit", "grade", assignment.path.name, grade.file])
    game = assignment.definition.game
    if game.endswith(".toml") and Path(grade.file).is_file():
        game = Path(os.path.relpath(assignment.folder, Path.cwd()), game).as_posix()
    how = ["-g", game, "-p", grade.file, "--isolate", "--no-sandbox", "-s", kebab_case(Path(grade.file).stem)]
    return shlex.join(["wordle-kit", "solve", *how, "--answer", ",".join(play.puzzle)])


def feedback_md(assignment: Assignment, grade: Grade) -> str:
    """Return a student's page as Markdown."""
    title = f"# {markdown(assignment.definition.title)}: {markdown(grade.name)}"
    body = "\n".join(
        f"    {line}".rstrip() for line in lines_of(assignment, grade) for line in terminal(line).splitlines() or [""]
    )
    return f"{title}\n\n{body}\n"


def gradescope(assignment: Assignment, grade: Grade) -> str:
    """Return a grade as the results.json that Gradescope reads from an autograder."""
    fix = grade.first_fix
    results = {
        "score": grade.points,
        "output": f"What to fix first: {fix}" if fix else "",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "score": score.points,
                "max_score": score.test.points,
                "name": score.test.title,
                "status": "passed" if score.passed else "failed",
                "output": "\n".join(
                    [score.output, *([] if score.worst is None else _shown(assignment, grade, score.worst))]
                ),
            }
            for score in grade.scores
        ],
        "leaderboard": []
        if grade.mean is None
        else [{"name": "mean guesses", "value": round(grade.mean, 4), "order": "asc"}],
    }
    return json_text(results) + "\n"
