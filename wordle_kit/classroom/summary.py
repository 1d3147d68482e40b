"""Statistics of a class: the distribution of points, and the tests that failed most often."""

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

from wordle_kit.classroom.reports import Grade
from wordle_kit.tables import render
from wordle_kit.texts import json_text, markdown

BINS = 10

LONGEST_BAR = 40


def histogram(points: Sequence[float], most: float) -> list[tuple[str, int]]:
    """Return the number of grades in each tenth of the points; the last includes grades with all points or more."""
    width = most / BINS
    counts = Counter(min(BINS - 1, int(one / width)) if width else 0 for one in points)
    return [(f"{i * width:g} to {(i + 1) * width:g}", counts[i]) for i in range(BINS)]


def test_rows(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return for each test how many passed, got some of the points, and failed; those that failed most often first."""
    found: dict[str, list[float]] = {}
    for grade in grades:
        for score in grade.scores:
            share = score.points / score.test.points if score.test.points else float(score.passed)
            found.setdefault(score.test.title, []).append(1.0 if score.passed else share)
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


def summary(grades: Sequence[Grade], title: str) -> dict[str, str]:
    """Return the statistics as the texts of files: Markdown and JSON."""
    points = [grade.points for grade in grades]
    most = max((grade.most for grade in grades), default=0.0)
    figures: dict[str, Any] = {"students": len(points), "of": most}
    if points:
        quartiles = statistics.quantiles(points, n=4, method="inclusive") if len(points) > 1 else points * 3
        figures |= {
            "mean": round(statistics.fmean(points), 2),
            "std": round(statistics.pstdev(points), 2),
            "min": min(points),
            "lower quartile": round(quartiles[0], 2),
            "median": round(quartiles[1], 2),
            "upper quartile": round(quartiles[2], 2),
            "max": max(points),
        }
    bins = histogram(points, most)
    tests = test_rows(grades)
    outcomes = Counter(grade.outcome for grade in grades).most_common()
    scale = max(1.0, max(count for _, count in bins) / LONGEST_BAR)
    bars = [{"points": label, "students": count, "": "#" * round(count / scale)} for label, count in bins]
    parts = [
        f"# {markdown(title)}: the class",
        render([figures], "markdown"),
        "## Points\n\n" + render(bars, "markdown"),
        "## Tests, the most failed first\n\n" + render(tests, "markdown"),
        "## Outcomes\n\n" + render([{"outcome": name, "students": count} for name, count in outcomes], "markdown"),
    ]
    facts = {
        "title": title,
        **figures,
        "histogram": [{"points": label, "students": count} for label, count in bins],
        "tests": tests,
        "outcomes": dict(outcomes),
    }
    return {"statistics.md": "\n".join(parts), "statistics.json": json_text(facts) + "\n"}
