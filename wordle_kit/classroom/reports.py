"""The files that grading writes: results for Gradescope, the table of grades, feedback, and the class leaderboard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordle_kit.classroom.lookalikes import Alike
from wordle_kit.classroom.scores import Score, rounded
from wordle_kit.leaderboard.columns import cells
from wordle_kit.leaderboard.metrics import Row
from wordle_kit.tables import render
from wordle_kit.texts import json_text, markdown, number_of, terminal

COLUMNS = ("strategy", "mean", "std", "min", "median", "max", "failure")
"""The columns of the class leaderboard. None of them reveals a hidden word."""


@dataclass(frozen=True)
class Grade:
    """A student's grade: the scores of all tests, the outcome, and figures if there are any."""

    student: str
    outcome: str
    scores: tuple[Score, ...]
    seconds: float
    """Seconds that the strategy took for public puzzles."""
    row: Row | None
    """Its figures on the hidden puzzles, or on the public ones if no others were played."""
    public: Row | None = None
    """Its figures on the public puzzles, which students may see at any time."""
    notes: tuple[str, ...] = ()
    """Further notes for the student, a sentence each."""
    notes_on_hidden: tuple[str, ...] = ()
    """Notes on hidden puzzles, which the student sees together with the tests on these."""
    adjustment: float = 0.0
    """Points added to those of the tests, or deducted."""
    remarks: tuple[str, ...] = ()
    """Remarks for the teacher only."""

    @property
    def all_notes(self) -> tuple[str, ...]:
        """All notes that the student sees in the end."""
        return (*self.notes, *self.notes_on_hidden)

    @property
    def points(self) -> float:
        """The sum of all points."""
        return rounded(sum(score.points for score in self.scores) + self.adjustment)

    @property
    def error(self) -> float:
        """The standard error of the points; 0 if the grade is exact."""
        return rounded(sum(score.error for score in self.scores))  # they come from the same draws

    @property
    def most(self) -> float:
        """The most points that are possible."""
        return rounded(sum(score.test.points for score in self.scores))


def gradescope(grade: Grade) -> str:
    """Return a grade as the results.json that Gradescope reads from an autograder.

    Its leaderboard is about public puzzles. With a mean over hidden ones, a student could play badly on some words on
    purpose, and learn whether they are hidden.
    """
    leaderboard: list[dict[str, Any]] = []
    if grade.public is not None:
        leaderboard = [
            {"name": "mean guesses", "value": round(grade.public.mean, 4), "order": "asc"},
            {"name": "solved", "value": round(1 - grade.public.failure, 4), "order": "desc"},
        ]
    seen = [score for score in grade.scores if score.test.seen == "visible"]
    points, most = sum(score.points for score in seen), sum(score.test.points for score in seen)
    said = f"{points:.10g} of {most:.10g} points in the tests that are visible now"
    results = {
        "score": grade.points,
        "output": "\n".join([*grade.notes, said]),
        "visibility": "visible",  # of this output; each test has its own
        "stdout_visibility": "hidden",
        "execution_time": round(grade.seconds, 3),
        "tests": [
            {
                "score": score.points,
                "max_score": rounded(score.test.points),
                "name": score.test.title,
                "status": "passed" if score.passed else "failed",
                "output": score.output,
                "visibility": score.test.seen,
            }
            for score in grade.scores
        ],
        "leaderboard": leaderboard,
    }
    return json_text(results) + "\n"


def grades_csv(grades: Sequence[Grade]) -> str:
    """Return the table of all grades: name, score, its standard error, points by test, outcome."""
    return render(
        [
            {
                "name": grade.student,
                "score": grade.points,
                "error": grade.error,
                "of": grade.most,
                **{score.test.title: score.points for score in grade.scores},
                "adjustment": round(grade.adjustment, 2),
                "remarks": " ".join(
                    [*grade.notes, *grade.notes_on_hidden, *(f"({remark})" for remark in grade.remarks)]
                ),
                "outcome": grade.outcome,
            }
            for grade in grades
        ],
        "csv",
    )


def feedback(grade: Grade, title: str) -> str:
    """Return a student's page: every test that students may see in the end, with its full output."""
    shown = [score for score in grade.scores if score.test.seen != "hidden"]
    lines = [
        f"# {markdown(title)}: {markdown(grade.student)}",
        "",
        f"**{grade.points:.10g} of {grade.most:.10g} points**, {grade.outcome}.",
        "",
    ]
    for note in grade.all_notes:
        lines += [markdown(note), ""]
    for score in shown:
        verdict = "passed" if score.passed else "failed" if not score.points else "in part"
        lines += [
            f"## {markdown(score.test.title)}",
            "",
            f"{verdict}: {score.points:.10g} of {score.test.points:.10g} points.",
            "",
        ]
        lines += [f"    {one}".rstrip() for one in terminal(score.output).splitlines()]
        lines.append("")
    more = len(grade.scores) - len(shown)
    if more:
        lines += [f"{number_of(more, 'more test is', 'more tests are')} not shown; their points are in the sum.", ""]
    return "\n".join(lines)


def text_of(grade: Grade) -> str:
    """Return a grade as text for a terminal, with the same wording."""
    lines = list(map(terminal, grade.notes))
    for score in grade.scores:
        verdict = "ok  " if score.passed else "FAIL" if not score.points else "part"
        lines.append(f"{verdict}  {score.points:.10g} of {score.test.points:.10g}  {score.test.title}")
        lines += [f"      {one}".rstrip() for one in terminal(score.output).splitlines()]
    return "\n".join([*lines, f"{grade.points:.10g} of {grade.most:.10g} points"])


def class_leaderboard(rows: Sequence[Row], title: str, notes: Sequence[str]) -> dict[str, str]:
    """Return the class leaderboard as the texts of files: Markdown and JSON, the fewest guesses first."""
    ordered = sorted(rows, key=lambda row: (row.mean, row.failed, row.strategy))
    kept = ("strategy", "plugin", "games", "solved", "failed", "mean", "std", "min", "median", "max", "distribution")
    rows_of = [{key: row.as_dict()[key] for key in kept} for row in ordered]
    table = render([cells(row, COLUMNS) for row in ordered], "markdown", notes) if ordered else "Nothing was played.\n"
    return {
        "leaderboard.md": f"# {markdown(title)}\n\n{table}",
        "leaderboard.json": json_text({"title": title, "rows": rows_of, "notes": notes}) + "\n",
    }


def lookalikes_csv(pairs: Sequence[Alike]) -> str:
    """Return the pairs of look-alikes as a table."""
    header = "first,second,positions in common,decided differently\n"
    return render([as_row(pair) for pair in pairs], "csv") if pairs else header


def as_row(pair: Alike) -> Mapping[str, Any]:
    """Return a pair of look-alikes as a row of a table."""
    return {
        "first": pair.first,
        "second": pair.second,
        "positions in common": pair.positions,
        "decided differently": pair.different,
    }
