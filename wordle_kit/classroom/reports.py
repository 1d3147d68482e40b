"""The files that grading writes: grades and feedback, and what the teacher sees of the class as a whole."""

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordle_kit.classroom.assignment import Assignment, SampleName
from wordle_kit.classroom.scores import NOT_LOADED, Score, depends_on_luck, number_of_points, rounded
from wordle_kit.leaderboard.columns import cells
from wordle_kit.leaderboard.metrics import Row
from wordle_kit.leaderboard.stored import StoredRuns
from wordle_kit.report.page import page_of
from wordle_kit.tables import render
from wordle_kit.texts import json_text, markdown, number_of, plain, shell_word, terminal
from wordle_kit.tournaments.store import Store

# Grades


LEADERBOARD_COLUMNS = ("strategy", "mean", "std", "min", "median", "max", "failure")
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
    fix: str = ""
    """What the student should fix first, in one or two sentences."""
    notes: tuple[str, ...] = ()
    """Further notes for the student, a sentence each."""
    notes_on_hidden: tuple[str, ...] = ()
    """Notes on hidden puzzles, which the student sees together with the tests on these."""

    @property
    def beginning(self) -> list[str]:
        """What the student reads first: what to fix first, then the other notes."""
        first = [f"What to fix first: {self.fix}"] if self.fix else []
        return first + [note for note in self.notes if note != self.fix]

    @property
    def points(self) -> float:
        """The sum of all points."""
        return rounded(sum(score.points for score in self.scores))

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

    Its leaderboard is about public puzzles. A mean over hidden ones would reveal words: a student could play badly on
    some on purpose, and see whether the mean changes.
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
        "output": "\n".join([*grade.beginning, said]),
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
    """Return the table of all grades: name, rank, score, standard error, points, outcome."""
    places = ranks([(-grade.points, grade.error) for grade in grades])
    return render(
        [
            {
                "name": grade.student,
                "rank": rank,
                "score": grade.points,
                "error": grade.error,
                "of": grade.most,
                **{score.test.label: score.points for score in grade.scores},
                "remarks": " ".join([*grade.notes, *grade.notes_on_hidden]),
                "outcome": grade.outcome,
            }
            for rank, grade in zip(places, grades, strict=True)
        ],
        "csv",
    )


def ranks(figures: Sequence[tuple[float, float]]) -> list[int]:
    """Return the rank of each figure, which is given with its standard error. The least figure has rank 1.

    A figure has the same rank as the one before it, unless it exceeds the first figure of that rank by more than the
    standard error of their difference.
    """
    found = [0] * len(figures)
    best, rank = (-math.inf, 0.0), 0
    for place, number in enumerate(sorted(range(len(figures)), key=figures.__getitem__), start=1):
        figure, error = figures[number]
        if figure - best[0] > math.hypot(error, best[1]) + 1e-9:
            best, rank = figures[number], place
        found[number] = rank
    return found


def feedback(grade: Grade, title: str) -> str:
    """Return a student's page: every test that students may see in the end, with its full output."""
    shown = [score for score in grade.scores if score.test.seen != "hidden"]
    parts = [
        f"# {markdown(title)}: {markdown(grade.student)}",
        f"**{grade.points:.10g} of {grade.most:.10g} points**, {grade.outcome}.",
        *map(markdown, (*grade.beginning, *grade.notes_on_hidden)),
    ]
    for score in shown:
        if score.output != NOT_LOADED:
            verdict = "passed" if score.passed else "failed" if not score.points else "in part"
            parts += [
                f"## {markdown(score.test.title)}",
                f"{verdict}: {score.points:.10g} of {score.test.points:.10g} points.",
                "\n".join(f"    {one}".rstrip() for one in terminal(score.output).splitlines()),
            ]
    if waiting := [score.test for score in shown if score.output == NOT_LOADED]:
        lines = [f"- {markdown(test.title)}: 0 of {number_of_points(test.points)}" for test in waiting]
        parts += [f"## {NOT_LOADED.removesuffix('.')}", "\n".join(lines)]
    if more := len(grade.scores) - len(shown):
        parts.append(f"{number_of(more, 'more test is', 'more tests are')} not shown; their points are in the sum.")
    return "\n\n".join(parts) + "\n"


def text_of(grade: Grade) -> str:
    """Return a grade as text for a terminal, with the same wording."""
    lines = list(map(terminal, grade.beginning))
    for score in grade.scores:
        verdict = "ok  " if score.passed else "FAIL" if not score.points else "part"
        lines.append(f"{verdict}  {score.points:.10g} of {score.test.points:.10g}  {score.test.title}")
        if score.output != NOT_LOADED:
            lines += [f"      {one}".rstrip() for one in terminal(score.output).splitlines()]
    return "\n".join([*lines, f"{grade.points:.10g} of {grade.most:.10g} points"])


def class_leaderboard(rows: Sequence[Row], title: str, notes: Sequence[str], sample: SampleName) -> dict[str, str]:
    """Return the class leaderboard as the texts of files: Markdown and JSON, the fewest guesses first."""

    def error(row: Row) -> float:
        return float(row.std) / math.sqrt(row.games) if depends_on_luck(row.facts, sample) else 0.0

    ordered = sorted(rows, key=lambda row: (row.mean, row.failed, row.strategy))
    kept = ("strategy", "plugin", "games", "solved", "failed", "mean", "std", "min", "median", "max", "distribution")
    places = ranks([(row.mean, error(row)) for row in ordered])
    rows_of = [
        {"rank": rank, **{key: row.as_dict()[key] for key in kept}} for rank, row in zip(places, ordered, strict=True)
    ]
    shown = [{"rank": str(rank), **cells(row, LEADERBOARD_COLUMNS)} for rank, row in zip(places, ordered, strict=True)]
    table = render(shown, "github", notes) if shown else "Nothing was played.\n"
    return {
        "leaderboard.md": f"# {markdown(title)}\n\n{table}",
        "leaderboard.json": json_text({"title": title, "rows": rows_of, "notes": notes}) + "\n",
    }


def table_csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return rows as CSV, which has these columns even without rows."""
    return render(rows, "csv") if rows else ",".join(columns) + "\n"


# Statistics


BINS = 10

LONGEST_BAR = 40

FIGURES = ("mean", "std", "min", "lower quartile", "median", "upper quartile", "max")


def histogram(points: Sequence[float], most: float) -> list[dict[str, Any]]:
    """Return the number of grades in each tenth of the points. Grades with more than all points are in the last."""
    width = most / BINS
    counts = Counter(min(BINS - 1, int(one / width)) if width else 0 for one in points)
    return [{"points": f"{i * width:g} to {(i + 1) * width:g}", "students": counts[i]} for i in range(BINS)]


def test_rows(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return how many submissions passed each test, got some of its points, or failed. Most failed tests come first."""
    found: dict[str, list[float]] = defaultdict(list)
    for score in (score for grade in grades for score in grade.scores):
        found[score.test.title].append(1.0 if score.passed else score.points and score.points / score.test.points)
    rows = [
        {
            "test": title,
            "failed": sum(share <= 0 for share in shares),
            "in part": sum(0 < share < 1 for share in shares),
            "passed": sum(share >= 1 for share in shares),
            "mean": f"{statistics.fmean(shares):.0%}",
        }
        for title, shares in found.items()
    ]
    return sorted(rows, key=lambda row: -row["failed"])


def summary(grades: Sequence[Grade], title: str, known: Mapping[str, float] | None = None) -> str:
    """Return the statistics as Markdown; `known` has the points of known strategies."""
    points = [grade.points for grade in grades]
    most = max((grade.most for grade in grades), default=0.0)
    figures: dict[str, Any] = {"students": len(points), "of": most}
    if points:
        quartiles = statistics.quantiles(points, n=4, method="inclusive") if len(points) > 1 else points * 3
        found = (statistics.fmean(points), statistics.pstdev(points), min(points), *quartiles, max(points))
        figures |= {name: round(figure, 2) for name, figure in zip(FIGURES, found, strict=True)}
    bins = histogram(points, most)
    tests = test_rows(grades)
    outcomes = Counter(grade.outcome for grade in grades).most_common()
    scale = max(1.0, max(row["students"] for row in bins) / LONGEST_BAR)
    tables: dict[str, list[dict[str, Any]]] = {
        "Points": [{**row, "": "#" * round(row["students"] / scale)} for row in bins],
        "Tests, the most failed first": tests,
        "Outcomes": [{"outcome": name, "students": count} for name, count in outcomes],
    }
    if known:
        tables["What known strategies would get"] = [{"strategy": name, "points": one} for name, one in known.items()]
    parts = [f"# {markdown(title)}: the class", render([figures], "github")]
    parts += [f"## {heading}\n\n{render(rows, 'github')}" for heading, rows in tables.items()]
    return "\n".join(parts)


# The teacher's page


TEACHERS_PAGE = "teacher.html"

PAGE_WARNING = "It is for the teacher: it shows how everyone plays every puzzle. Do not give it to students."


def teachers_page(assignment: Assignment, store: Store, runs: Mapping[str, int]) -> str:
    """Return the page of the runs with these numbers, given by name."""
    return plain(
        page_of(
            StoredRuns(store, list(runs.values()), list(runs)),
            assignment.game,
            title=assignment.definition.title,
            warning=PAGE_WARNING,
            command=f"wordle-kit grade {shell_word(str(assignment.path))} SUBMISSIONS -o DIR",
        )
    )
